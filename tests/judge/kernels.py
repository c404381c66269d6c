# SPDX-License-Identifier: MIT
"""Random kernels: `programs` is the Hypothesis strategy. Legal by construction (`statements`)."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from hypothesis import strategies as st

from . import syntax as s
from .choices import Drawn
from .expressions import is_const, uint
from .scope import Array, Context, Features, Level, Own, Variable
from .statements import COUNTERS, Statements

_GROUPS = {
    1: ((1,), (2,), (7,), (8,), (32,), (33,), (5,), (31,), (40,), (64,), (100,), (128,)),
    2: ((1, 1), (2, 2), (8, 4), (5, 3), (16, 2), (33, 2), (3, 17), (32, 2), (2, 40), (1, 32), (9, 5)),
    3: ((1, 1, 1), (2, 2, 2), (4, 3, 2), (5, 1, 3), (8, 2, 2), (3, 3, 3), (16, 2, 2), (1, 2, 9)),
}
_COUNTED = (s.INT, s.UINT, s.FLOAT)


class Kernels(Statements):
    """Draws one kernel and its launches."""

    # ---- Functions ----

    def function(self) -> s.Function:
        """A helper that sees only its parameters (and earlier helpers)."""
        kept = self.variables, self.arrays, self.owned, self.atomics, self.shared, self.left
        self.arrays = []
        parameters = [s.Parameter(self.name("a"), self.type()) for _ in range(self.number(1, 3))]
        self.owned, self.atomics, self.shared = [], [], []
        self.left = 6
        pointers: list[Array] = []
        if self.features.pointers and self.chance(2):
            kind = self.pick(("thread", "thread const", "constant", "device const", "threadgroup const"))
            name, count = self.name("q"), self.name("n")
            element = self.pick([*self.scalars, *self.vectors])
            parameters = [s.Parameter(name, element, kind), s.Parameter(count, s.UINT), *parameters]
            length = s.Local(s.UINT, count)
            pointers.append(Array(name, element, length, Level.THREAD, not is_const(kind), kind))
        if self.chance(3):
            parameters += [s.Parameter(self.name("r"), self.pick(self.scalars), "reference")]
        counts = [a.length for a in pointers]
        self.variables = [
            Variable(p.name, p.type, Level.THREAD, assignable=s.Local(s.UINT, p.name) not in counts)
            for p in parameters if p.kind in ("value", "reference")
        ]  # fmt: skip
        self.arrays = pointers
        self.result = None if parameters[-1].kind == "reference" else self.pick([*self.scalars, *self.vectors])
        context = Context(Level.THREAD, back=Level.THREAD if self.result is not None else None, rounds=2)
        statements: list[s.Statement] = []
        for _ in range(self.number(0, 3)):
            statements += self.statement(context)
        if self.result is not None:
            statements.append(s.Return(self.value(self.result)))
        made = s.Function(self.name("f"), self.result, tuple(parameters), tuple(statements))
        self.variables, self.arrays, self.owned, self.atomics, self.shared, self.left = kept
        self.result = None
        return made

    # ---- The whole ----

    def launches(self, dimensions: int, *, of_whole_simdgroups: bool) -> tuple[s.Launch, ...]:
        groups = _GROUPS[dimensions]
        if of_whole_simdgroups:
            groups = tuple(group for group in groups if prod(group) % 32 == 0)
        made: list[s.Launch] = []
        for _ in range(self.number(1, 2)):
            group = self.pick(groups)
            grid, room = [], self.features.threads
            for size in group:
                whole = size * self.number(1, 3)
                threads = max(1, min(whole - (self.number(0, size - 1) if self.chance(2) else 0), room))
                if of_whole_simdgroups:
                    threads = max(1, threads // size) * size
                grid.append(threads)
                room = max(1, room // threads)
            padding = (1,) * (3 - dimensions)
            made.append(s.Launch((*grid, *padding), (*group, *padding)))
        return tuple(made)

    def choose_types(self) -> None:
        others = (*s.INTEGERS[2:], *s.REALS) if self.features.reals else s.INTEGERS[2:]
        for _ in range(self.number(0, 2)):
            self.scalars.append(self.pick(others))
        if self.features.vectors:
            self.vectors = [s.Vector(self.pick(self.scalars), self.number(2, 4)) for _ in range(self.number(0, 2))]
        if self.features.structs and self.chance(2):
            fields = tuple((name, self.pick([*self.scalars, *self.vectors])) for name in "abc"[: self.number(1, 3)])
            self.structs = [s.Struct(f"Record{self.number_in_library or ''}", fields)]

    def choose_buffers(self) -> list[s.Buffer]:
        buffers = [s.Buffer("result", s.ULONG, "out", None, 1)]
        for _ in range(self.number(1, 2)):
            name, kind, length = self.name("in"), self.pick(("in", "constant")), self.pick((8, 13, 32, 1))
            buffers.append(
                s.Buffer(
                    name,
                    self.pick([*self.scalars, *self.vectors, *self.structs]),
                    kind,
                    length,
                    content=self.number(0, 9),
                )
            )
            space = "constant" if kind == "constant" else "device const"
            self.arrays.append(Array(name, buffers[-1].type, uint(length), Level.GROUP, space=space))
        for _ in range(self.number(0, 2)):
            name = self.name("n")
            buffers.append(s.Buffer(name, self.type(), "value", 1, content=self.number(0, 9)))
            self.variables.append(Variable(name, buffers[-1].type, Level.GROUP, assignable=False))
        for _ in range(self.number(1, 2)):
            name, count = self.name("out"), self.number(1, 3)
            buffers.append(s.Buffer(name, self.type(), "out", None, count, content=self.number(0, 9)))
            self.owned.append(Own(name, buffers[-1].type, s.Local(s.UINT, "id"), count))
        if self.features.atomics and self.chance(2):
            type_ = self.pick((*_COUNTED, s.ULONG))
            buffers.append(s.Buffer("counters", type_, "atomic", COUNTERS))
            self.atomics.append(("counters", type_))
        return buffers

    def prelude(self, dimensions: int) -> tuple[tuple[s.Attribute, ...], list[s.Statement]]:
        """Index attributes, and the thread's number in the grid, in its group and the group's size, from them."""
        type_: s.Scalar | s.Vector = s.UINT if dimensions == 1 else s.Vector(s.UINT, dimensions)
        wanted = {
            "position": "thread_position_in_grid", "size": "threads_per_grid",
            "local": "thread_position_in_threadgroup", "extent": "threads_per_threadgroup",
            "group": "threadgroup_position_in_grid",
        }  # fmt: skip
        attributes = [s.Attribute(attribute, name, type_) for name, attribute in wanted.items()]

        def part(name: str, axis: int) -> s.Expression:
            local = s.Local(type_, name)
            return local if dimensions == 1 else s.Swizzle(s.UINT, local, "xyz"[axis])

        def linear(place: str, extent: str) -> s.Expression:
            total = part(place, dimensions - 1)
            for axis in range(dimensions - 2, -1, -1):
                total = s.Binary(s.UINT, "+", part(place, axis), s.Binary(s.UINT, "*", part(extent, axis), total))
            return total

        count = part("extent", 0)
        for axis in range(1, dimensions):
            count = s.Binary(s.UINT, "*", count, part("extent", axis))
        index = linear("local", "extent")
        if self.chance(2):
            attributes.append(s.Attribute("thread_index_in_threadgroup", "lane", s.UINT))
            index = s.Local(s.UINT, "lane")
        statements: list[s.Statement] = [
            s.Declare("id", s.UINT, linear("position", "size")),
            s.Declare("index", s.UINT, index),
            s.Declare("count", s.UINT, count),
            s.Declare("trace", s.UINT, uint(0)),
        ]
        self.tracing = True
        self.variables.append(Variable("trace", s.UINT, Level.THREAD))
        levels = {"position": Level.THREAD, "local": Level.THREAD}
        names = [*wanted, *(a.name for a in attributes if a.name == "lane")]
        for name in names:
            level = Level.THREAD if name in ("lane", *levels) else Level.GROUP
            self.variables.append(Variable(name, s.UINT if name == "lane" else type_, level, assignable=False))
        for name, level in (("id", Level.THREAD), ("index", Level.THREAD), ("count", Level.GROUP)):
            self.variables.append(Variable(name, s.UINT, level, assignable=False))
        self.together = {"index": s.Local(s.UINT, "index"), "count": s.Local(s.UINT, "count")}
        if self.uses_simd:
            statements.append(self.count_present(self.together["index"], self.together["count"]))
        return tuple(attributes), statements

    def shared_arrays(self, launches: tuple[s.Launch, ...]) -> list[s.Statement]:
        most = max(x * y * z for x, y, z in (launch.threadgroup for launch in launches))
        statements: list[s.Statement] = []
        for _ in range(self.number(0, 2) if self.features.barriers else 0):
            array = s.SharedArray(self.name("t"), self.pick([*self.scalars, *self.vectors, *self.structs]), most)
            self.shared.append(array)
            target = s.Element(array.element, array.name, self.together["index"])
            statements.append(s.Assign(target, self.value(array.element, depth=1)))
        plain = list(self.shared)
        if self.features.atomics and self.features.barriers and self.chance(3):
            statements += self.shared_counters()
        if statements:
            statements.append(s.Barrier())
        self.arrays += [
            Array(a.name, a.element, self.together["count"], Level.GROUP, space="threadgroup const") for a in plain
        ]
        return statements

    def shared_counters(self) -> list[s.Statement]:
        """Atomic counters of the threadgroup, set to zero together."""
        # Threadgroup memory has no atomic_float before Metal 4.1.
        array = s.SharedArray(self.name("c"), self.pick((s.INT, s.UINT)), COUNTERS, atomic=True)
        self.shared.append(array)
        self.atomics.append((array.name, array.element))
        i = s.Local(s.UINT, self.name("i"))
        clear = s.Atomic("store", array.name, i, s.Literal(array.element, 0))
        step = s.Assign(i, self.together["count"], "+")
        return [
            s.For(
                s.Declare(i.name, s.UINT, self.together["index"]),
                s.Binary(s.BOOL, "<", i, uint(COUNTERS)),
                step,
                (clear,),
            )
        ]

    def read_counters(self) -> list[s.Statement]:
        """Behind a barrier every thread reads what all of its group counted; nobody counts any more."""
        counters = [a for a in self.shared if a.atomic]
        self.atomics = [(name, type_) for name, type_ in self.atomics if name not in [a.name for a in counters]]
        statements: list[s.Statement] = [s.Barrier()] if counters else []
        for array in counters:
            value, i = s.Declare(self.name("v"), s.UINT, uint(0)), s.Local(s.UINT, self.name("i"))
            total = s.Local(s.UINT, value.name)
            read = self.converted(s.UINT, s.Element(array.element, array.name, i))
            mixed = s.Binary(s.UINT, "+", s.Binary(s.UINT, "*", total, uint(31)), read)
            step, start = s.Assign(i, uint(1), "+"), s.Declare(i.name, s.UINT, uint(0))
            again = s.Binary(s.BOOL, "<", i, uint(COUNTERS))
            statements += [value, s.For(start, again, step, (s.Assign(total, mixed),))]
            self.variables.append(Variable(value.name, s.UINT, Level.GROUP))
        return statements

    def trace(self) -> list[s.Statement]:
        """Mix what variables hold at the end into the thread's element of `result`."""
        mix: s.Expression = s.Literal(s.ULONG, 0)
        values: list[s.Expression] = []
        for v in self.variables:
            if not v.assignable or not self.mostly(8):
                continue
            local = s.Local(v.type, v.name)
            fields = [s.Member(t, local, n) for n, t in v.type.fields] if isinstance(v.type, s.Struct) else [local]
            for field in fields:
                many = isinstance(field.type, s.Vector)
                values += (
                    [s.Swizzle(field.type.element, field, c) for c in "xyzw"[: field.type.count]] if many else [field]
                )
        for array in self.arrays:
            if array.writable and isinstance(array.element, s.Scalar) and isinstance(array.length, s.Literal):
                values += [s.Element(array.element, array.name, uint(i)) for i in range(min(array.length.value, 6))]
        if not values:
            return []
        name = self.name("mix")
        statements: list[s.Statement] = [s.Declare(name, s.ULONG, mix)]
        whole = s.Local(s.ULONG, name)
        for value in values:
            spread = s.Binary(s.ULONG, "*", whole, s.Literal(s.ULONG, 0x9E3779B97F4A7C15))
            statements.append(s.Assign(whole, s.Binary(s.ULONG, "+", spread, self.converted(s.ULONG, value))))
        statements.append(s.Assign(s.Element(s.ULONG, "result", s.Local(s.UINT, "id")), whole))
        return statements

    def program(self) -> s.Program:
        dimensions = self.number(1, 3)
        self.uses_simd = self.features.simd and self.chance(2)
        launches = self.launches(dimensions, of_whole_simdgroups=self.uses_simd and self.chance(2))
        self.note_launches(launches)
        self.choose_types()
        functions: list[s.Function] = []
        for _ in range(self.number(0, 2) if self.features.functions else 0):
            functions.append(self.function())
            self.functions.append(functions[-1])
        buffers = self.choose_buffers()
        attributes, body = self.prelude(dimensions)
        body += self.shared_arrays(launches)
        # Up to here and on all threads of a group are together; then those of a SIMD-group, which leave together or one
        # by one; in the tail nobody waits.
        phases = [(Level.GROUP, Level.GROUP), (Level.THREAD, Level.THREAD)]
        if self.uses_simd:
            phases.insert(1, (self.pick((Level.THREAD, Level.SIMDGROUP)), Level.SIMDGROUP))
        for back, control in phases:
            context = Context(control, back=back)
            for _ in range(self.number(0, 4)):
                body += self.statement(context)
            if back == Level.GROUP:
                body += self.read_counters()
        body += self.trace()
        name = f"judged{self.number_in_library or ''}"
        kernel = s.Kernel(
            name, attributes, tuple(buffers), tuple(self.shared), tuple(body), tuple(functions), tuple(self.structs)
        )
        return s.Program(kernel, launches)


@st.composite
def programs(draw: Callable, features: Features = Features()) -> s.Program:  # noqa: B008
    """Kernels that are legal, end, and have one outcome, each with one or two launches."""
    return Kernels(Drawn(draw), features).program()
