# SPDX-License-Identifier: MIT
"""Random SIMD-group and quad-group exchanges: the part of the generator that a kernel with SIMD-groups adds.

Threads that returned or are elsewhere take no part, which is defined: they bring nothing to a sum or a vote. What is
read from one of them is undefined, so shuffles come only where that cannot be: the generator knows the launches.
"""

from __future__ import annotations

from . import syntax as s
from .expressions import Expressions, modulo, uint
from .scope import Context, Level, Variable

_WIDTHS = {"simd": 32, "quad": 4}
_REDUCTIONS = ("sum", "product", "min", "max", "and", "or", "xor")
_PREFIXES = tuple(f"prefix_{kind}_{what}" for kind in ("inclusive", "exclusive") for what in ("sum", "product"))
_VOTES = ("all", "any", "ballot", "active_threads_mask", "is_first")
_FILLING = ("shuffle_and_fill_up", "shuffle_and_fill_down")
_BY_DISTANCE = ("shuffle_xor", "shuffle_up", "shuffle_down", "shuffle_rotate_up", "shuffle_rotate_down")


class SimdStatements(Expressions):
    """Draws exchanges; `whole` and `present` say who is there."""

    whole: int = 1  # all threadgroups are multiples of this many threads
    present: s.Expression | None = None  # threads of this SIMD-group that were there at the start

    def note_launches(self, launches: tuple[s.Launch, ...]) -> None:
        """What all threadgroups, those at the edges, too, have in common."""
        sizes = set()
        for launch in launches:
            edges = [{n, g % n or n} for g, n in zip(launch.grid, launch.threadgroup, strict=True)]
            sizes |= {x * y * z for x in edges[0] for y in edges[1] for z in edges[2]}
        self.whole = next(width for width in (32, 4, 1) if all(size % width == 0 for size in sizes))

    def count_present(self, index: s.Expression, count: s.Expression) -> s.Declare:
        first = s.Binary(s.UINT, "&", index, uint(0xFFFFFFE0))
        self.variables.append(Variable("present", s.UINT, Level.SIMDGROUP, assignable=False))
        self.present = s.Local(s.UINT, "present")
        return s.Declare("present", s.UINT, s.Builtin(s.UINT, "min", (uint(32), s.Binary(s.UINT, "-", count, first))))

    def simd(self, context: Context) -> list[s.Statement]:
        group = "quad" if self.chance(3) else "simd"
        kind = self.number(0, 5)
        if kind >= 4 and (shuffled := self.shuffle(group, context)):
            return shuffled
        if kind == 3:
            return self.vote(group, context)
        operation = self.pick(_PREFIXES if kind == 2 else _REDUCTIONS)
        type_ = self.pick(self.exchanged(group, whole=True))
        same = group == "simd" and kind != 2
        return self.exchange(context, f"{group}_{operation}", type_, self.value(type_), agreed=same)

    def exchanged(self, group: str, whole: bool) -> list[s.Type]:
        """The types that such functions take."""

        def fits(element: s.Scalar) -> bool:
            return element != s.BOOL and not (whole and element in s.REALS) and (group == "quad" or element.bits <= 32)

        types: list[s.Type] = [type_ for type_ in self.scalars if fits(type_)]
        return types + [type_ for type_ in self.vectors if fits(type_.element)]

    def exchange(
        self,
        context: Context,
        operation: str,
        type_: s.Type,
        value: s.Expression,
        *arguments: s.Expression,
        agreed: bool,
    ) -> list[s.Statement]:
        target = s.Local(type_, self.name("v"))
        # Where threads part, those that meet here agree among each other only.
        level = Level.SIMDGROUP if agreed and context.control >= Level.SIMDGROUP else Level.THREAD
        self.variables.append(Variable(target.name, type_, level))
        zero: s.Expression
        if isinstance(type_, s.Vector):
            zero = s.Construct(type_, (s.Literal(type_.element, 0),) * type_.count)
        else:
            assert isinstance(type_, s.Scalar)
            zero = s.Literal(type_, 0)
        return [s.Declare(target.name, type_, zero), s.Simd(target, operation, value, arguments)]

    def vote(self, group: str, context: Context) -> list[s.Statement]:
        name = self.pick(_VOTES)
        type_ = s.UINT if name in ("ballot", "active_threads_mask") else s.BOOL
        agreed = group == "simd" and name != "is_first"
        return self.exchange(context, f"{group}_{name}", type_, self.condition(Level.THREAD), agreed=agreed)

    def shuffle(self, group: str, context: Context) -> list[s.Statement]:
        """Empty where threads may be missing that a shuffle would read from."""
        width = _WIDTHS[group]
        type_ = self.pick(self.exchanged(group, whole=False))
        value = self.value(type_)
        if self.chance(4):
            return self.exchange(context, f"{group}_broadcast_first", type_, value, agreed=group == "simd")
        if context.back == Level.THREAD or context.control < Level.SIMDGROUP:  # then some may not be here
            return self.shuffle_from_one(context, type_, value) if group == "simd" and self.chance(2) else []
        if self.whole % width == 0:
            if self.chance(2):
                return self.filling(group, context, type_, value)
            if self.chance(3):
                index = modulo(self.scalar(s.UINT, Level.THREAD, 1), uint(width))
                return self.exchange(context, f"{group}_shuffle", type_, value, index, agreed=False)
            if self.chance(4):
                index = modulo(self.scalar(s.UINT, Level.SIMDGROUP, 1), uint(width))
                return self.exchange(context, f"{group}_broadcast", type_, value, index, agreed=group == "simd")
            distance: s.Expression = uint(self.number(0, width - 1))
            if self.chance(3):
                distance = modulo(self.scalar(s.UINT, Level.SIMDGROUP, 1), uint(width))
            return self.exchange(context, f"{group}_{self.pick(_BY_DISTANCE)}", type_, value, distance, agreed=False)
        if group == "quad":
            return []
        assert self.present is not None
        index = modulo(self.scalar(s.UINT, Level.SIMDGROUP, 1), self.present)
        operation = self.pick(("simd_broadcast", "simd_shuffle", "simd_shuffle_up"))
        if operation == "simd_shuffle":
            index = modulo(self.scalar(s.UINT, Level.THREAD, 1), self.present)
        return self.exchange(context, operation, type_, value, index, agreed=operation == "simd_broadcast")

    def shuffle_from_one(self, context: Context, type_: s.Type, value: s.Expression) -> list[s.Statement]:
        """Where threads may be missing: from the first or the last that is here, whom those here find together."""
        lane = s.Binary(s.UINT, "&", s.Local(s.UINT, "index"), uint(31))
        found = self.exchange(context, f"simd_{self.pick(('min', 'max'))}", s.UINT, lane, agreed=True)
        assert isinstance(found[1], s.Simd)
        return [*found, *self.exchange(context, "simd_shuffle", type_, value, found[1].target, agreed=False)]

    def filling(self, group: str, context: Context, type_: s.Type, value: s.Expression) -> list[s.Statement]:
        """A shuffle whose lanes at one end read other data."""
        width = _WIDTHS[group]
        modulo_ = self.pick([n for n in (2, 4, 8, 16, 32) if n <= width])
        distance: s.Expression = uint(self.number(0, modulo_ - 1))
        if self.chance(2):
            distance = modulo(self.scalar(s.UINT, Level.SIMDGROUP, 1), uint(modulo_))
        given = () if modulo_ == width and self.chance(2) else (uint(modulo_),)
        operation = f"{group}_{self.pick(_FILLING)}"
        return self.exchange(context, operation, type_, value, self.value(type_), distance, *given, agreed=False)
