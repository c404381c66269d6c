# SPDX-License-Identifier: MIT
"""Random expressions: the part of the generator below statements. The simplest choice comes first, for shrinking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

from . import syntax as s
from .integers import limits, wrap
from .scope import Array, Features, Level, Own, Variable

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]
U0 = s.Literal(s.UINT, 0)

_LITERALS = (0, 1, 2, 3, 5, 7, 8, 13, 31, 32, 33, 100, 127, 255, 4096, 65535)
_ARITHMETIC = ("+", "-", "*", "&", "|", "^")
_COMPARISONS = ("<", "==", "!=", ">", "<=", ">=")
_ONE = ("abs", "popcount", "clz", "ctz", "reverse_bits")
_TWO = ("min", "max", "addsat", "subsat", "hadd", "rhadd", "mulhi", "absdiff")
_THREE = ("clamp", "madhi", "madsat", "min3", "max3", "median3")


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


def uint(value: int) -> s.Literal:
    return s.Literal(s.UINT, value)


def modulo(index: s.Expression, length: s.Expression) -> s.Expression:
    return s.Binary(s.UINT, "%", index, length)


class Expressions:
    """Draws expressions from what is in scope: `variables`, `arrays` (to read), `owned` (the thread's own elements)."""

    def __init__(self, draw: Draw, features: Features) -> None:
        self._draw = draw
        self.features = features
        self.variables: list[Variable] = []
        self.arrays: list[Array] = []
        self.owned: list[Own] = []
        self.functions: list[s.Function] = []
        self.scalars: list[s.Scalar] = [s.INT, s.UINT]
        self.vectors: list[s.Vector] = []
        self.structs: list[s.Struct] = []
        self.writing = ""

    # ---- Choices ----

    def number(self, low: int, high: int) -> int:
        return low + self._draw(_below(high - low + 1))

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self._draw(_below(len(choices)))]

    def chance(self, in_all: int) -> bool:
        """True once in `in_all`; False is the simpler."""
        return self._draw(_below(in_all)) == in_all - 1

    def mostly(self, in_all: int) -> bool:
        """False once in `in_all`, and False is the simpler all the same."""
        return self._draw(_below(in_all)) != 0

    # ---- Leaves ----

    def usable(self, level: Level) -> Iterable[Variable]:
        return (v for v in self.variables if v.level >= level)

    def literal(self, type_: s.Scalar) -> s.Literal:
        if type_ == s.BOOL:
            return s.Literal(type_, self.number(0, 1))
        if self.chance(12):
            low, high = limits(type_)
            return s.Literal(type_, self.pick((high, low, high - 1, low + 1)))
        value = self.pick(_LITERALS)
        return s.Literal(type_, wrap(-value if type_.signed and self.chance(3) else value, type_))

    def parts(self, type_: s.Scalar | s.Vector, level: Level) -> list[s.Expression]:
        """Variables of this type and the members and components of variables that have it."""
        found: list[s.Expression] = []
        for v in self.usable(level):
            local = s.Local(v.type, v.name)
            if v.type == type_:
                found.append(local)
            elif isinstance(v.type, s.Struct):
                found += [s.Member(t, local, name) for name, t in v.type.fields if t == type_]
            elif isinstance(v.type, s.Vector) and v.type.element == type_:
                found += [s.Swizzle(type_, local, "xyzw"[i]) for i in range(v.type.count)]
        return found

    def leaf(self, type_: s.Scalar, level: Level) -> s.Expression:
        found = self.parts(type_, level)
        if found and self.mostly(4):
            return self.pick(found)
        others = [v for v in self.usable(level) if isinstance(v.type, s.Scalar) and v.type != type_]
        if others and self.mostly(3):
            other = self.pick(others)
            return s.Convert(type_, s.Local(other.type, other.name))
        return self.literal(type_)

    # ---- Scalars ----

    def scalar(self, type_: s.Scalar, level: Level = Level.THREAD, depth: int = 2) -> s.Expression:
        if depth <= 0 or not self.mostly(3):
            return self.leaf(type_, level)
        if type_ == s.BOOL:
            return self.condition(level, depth)
        makers: list[Callable[[s.Scalar, Level, int], s.Expression]] = [self.arithmetic] * 4
        makers += [self.shift, self.division, self.unary, self.choice, self.conversion]
        if self.features.builtins:
            makers += [self.builtin] * 2
        if any(self.readable(a, type_, level) for a in self.arrays):
            makers += [self.read] * 3
        if level == Level.THREAD and any(own.element == type_ and own.array != self.writing for own in self.owned):
            makers.append(self.read_own)
        if self.callable_functions(type_):
            makers += [self.call] * 2
        return self.pick(makers)(type_, level, depth - 1)

    def arithmetic(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        operator = self.pick(_ARITHMETIC)
        return s.Binary(type_, operator, self.scalar(type_, level, depth), self.scalar(type_, level, depth))

    def shift(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        count = self.scalar(type_, level, depth)
        if type_.bits < 32 or self.chance(2):
            count = s.Binary(type_, "&", count, s.Literal(type_, type_.bits - 1))
        return s.Binary(type_, self.pick(("<<", ">>")), self.scalar(type_, level, depth), count)

    def division(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        operator = self.pick(("/", "%"))
        left, right = self.scalar(type_, level, depth), self.scalar(type_, level, depth)
        if self.chance(2):
            # Lanes whose divisor is zero must not divide, or their result must go nowhere.
            guard = s.Binary(s.BOOL, ">", right, s.Literal(type_, 0))
            return s.Conditional(type_, guard, s.Binary(type_, operator, left, right), self.leaf(type_, level))
        small = s.Binary(type_, "&", right, s.Literal(type_, 127))
        return s.Binary(type_, operator, left, s.Binary(type_, "|", small, s.Literal(type_, 1)))

    def unary(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        return s.Unary(type_, self.pick(("-", "~")), self.scalar(type_, level, depth))

    def choice(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        condition = self.condition(level, depth)
        return s.Conditional(type_, condition, self.scalar(type_, level, depth), self.scalar(type_, level, depth))

    def conversion(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        return s.Convert(type_, self.scalar(self.pick([*self.scalars, s.BOOL]), level, depth))

    def condition(self, level: Level, depth: int = 1) -> s.Expression:
        kind = self.number(0, 6) if depth > 0 else 0
        if kind == 4:
            operator = self.pick(("&&", "||", "==", "!=", "^"))
            return s.Binary(s.BOOL, operator, self.condition(level, depth - 1), self.condition(level, depth - 1))
        if kind == 5:
            return s.Unary(s.BOOL, "!", self.condition(level, depth - 1))
        if kind == 6:
            return self.leaf(s.BOOL, level)
        type_ = self.pick(self.scalars)
        left = self.scalar(type_, level, depth)
        return s.Binary(s.BOOL, self.pick(_COMPARISONS), left, self.scalar(type_, level, depth - 1))

    def builtin(self, type_: s.Scalar | s.Vector, level: Level, depth: int) -> s.Expression:
        def operand() -> s.Expression:
            return self.value(type_, level, depth)

        element = type_.element if isinstance(type_, s.Vector) else type_
        kind = self.number(0, 5)
        if kind <= 1:
            return s.Builtin(type_, self.pick(_TWO), (operand(), operand()))
        if kind == 2:
            return s.Builtin(type_, self.pick(_ONE), (operand(),))
        if kind == 3:
            name = self.pick(_THREE)
            if name == "clamp":
                # min > max is undefined, so the bounds are put in order.
                a, b = self.leaf(element, level), self.leaf(element, level)
                low, high = s.Builtin(element, "min", (a, b)), s.Builtin(element, "max", (a, b))
                bounds = [
                    s.Construct(type_, (x,) * type_.count) if isinstance(type_, s.Vector) else x for x in (low, high)
                ]
                return s.Builtin(type_, name, (operand(), *bounds))
            return s.Builtin(type_, name, (operand(), operand(), operand()))
        if kind == 4:
            count = s.Literal(element, self.number(0, element.bits - 1))
            spread = s.Construct(type_, (count,) * type_.count) if isinstance(type_, s.Vector) else count
            return s.Builtin(type_, "rotate", (operand(), spread))
        offset = self.number(0, element.bits - 1)
        bits = self.number(0, element.bits - offset)
        where = (uint(offset), uint(bits))
        if self.chance(2):
            return s.Builtin(type_, "insert_bits", (operand(), operand(), *where))
        return s.Builtin(type_, "extract_bits", (operand(), *where))

    # ---- Memory ----

    def readable(self, array: Array, type_: s.Type, level: Level) -> bool:
        return array.element == type_ and array.level >= level and array.name != self.writing

    def read(self, type_: s.Type, level: Level, depth: int) -> s.Expression:
        array = self.pick([a for a in self.arrays if self.readable(a, type_, level)])
        return s.Element(type_, array.name, self.index(array, level, depth))

    def index(self, array: Array, level: Level, depth: int) -> s.Expression:
        return modulo(self.scalar(s.UINT, level, depth), array.length)

    def own_element(self, own: Own, depth: int = 0) -> s.Element:
        if own.count == 1:
            return s.Element(own.element, own.array, own.index)
        part = modulo(self.scalar(s.UINT, Level.THREAD, depth), uint(own.count))
        start = s.Binary(s.UINT, "*", own.index, uint(own.count))
        return s.Element(own.element, own.array, s.Binary(s.UINT, "+", start, part))

    def read_own(self, type_: s.Type, _level: Level, depth: int) -> s.Expression:
        own = self.pick([own for own in self.owned if own.element == type_ and own.array != self.writing])
        return self.own_element(own, depth)

    # ---- Calls ----

    def callable_functions(self, type_: s.Type) -> list[s.Function]:
        def fits(function: s.Function) -> bool:
            return function.result == type_ and all(p.kind == "value" for p in function.parameters)

        return [function for function in self.functions if fits(function)]

    def call(self, type_: s.Type, level: Level, depth: int) -> s.Expression:
        function = self.pick(self.callable_functions(type_))
        return s.Call(type_, function.name, tuple(self.value(p.type, level, depth) for p in function.parameters))

    # ---- Vectors and structs ----

    def value(self, type_: s.Type, level: Level = Level.THREAD, depth: int = 2) -> s.Expression:
        match type_:
            case s.Vector():
                return self.vector(type_, level, depth)
            case s.Struct():
                return self.struct(type_, level, depth)
            case _:
                return self.scalar(type_, level, depth)

    def struct(self, type_: s.Struct, level: Level, depth: int) -> s.Expression:
        found: list[s.Expression] = [s.Local(type_, v.name) for v in self.usable(level) if v.type == type_]
        if found and self.mostly(2):
            return self.pick(found)
        if depth > 0 and self.chance(2) and any(self.readable(a, type_, level) for a in self.arrays):
            return self.read(type_, level, depth - 1)
        return s.Construct(type_, tuple(self.value(field, level, depth - 1) for _, field in type_.fields))

    def vector(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        found = self.parts(type_, level)
        if found and (depth <= 0 or not self.mostly(3)):
            return self.pick(found)
        if depth <= 0:
            return s.Construct(type_, (self.leaf(type_.element, level),) * type_.count)
        makers: list[Callable[[s.Vector, Level, int], s.Expression]] = [
            self.construct,
            self.elementwise,
            self.elementwise,
        ]
        makers += [self.swizzle, self.vector_choice, self.vector_conversion]
        if self.features.builtins:
            makers += [self.builtin, self.vector_select]
        if any(self.readable(a, type_, level) for a in self.arrays):
            makers += [self.read] * 3
        if self.callable_functions(type_):
            makers.append(self.call)
        return self.pick(makers)(type_, level, depth - 1)

    def construct(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        if type_.count > 2 and self.chance(2):
            pair = self.vector(s.Vector(type_.element, 2), level, depth)
            rest = tuple(self.scalar(type_.element, level, depth) for _ in range(type_.count - 2))
            return s.Construct(type_, (pair, *rest) if self.chance(2) else (*rest, pair))
        return s.Construct(type_, tuple(self.scalar(type_.element, level, depth) for _ in range(type_.count)))

    def elementwise(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        left, right = self.vector(type_, level, depth), self.vector(type_, level, depth)
        kind = self.number(0, 7)
        if kind == 6:
            mask = s.Construct(type_, (s.Literal(type_.element, type_.element.bits - 1),) * type_.count)
            return s.Binary(type_, self.pick(("<<", ">>")), left, s.Binary(type_, "&", right, mask))
        if kind == 7:
            small = s.Construct(type_, (s.Literal(type_.element, 127),) * type_.count)
            one = s.Construct(type_, (s.Literal(type_.element, 1),) * type_.count)
            safe = s.Binary(type_, "|", s.Binary(type_, "&", right, small), one)
            return s.Binary(type_, self.pick(("/", "%")), left, safe)
        return s.Binary(type_, _ARITHMETIC[kind], left, right)

    def swizzle(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        base = s.Vector(type_.element, self.number(2, 4))
        components = "".join("xyzw"[self.number(0, base.count - 1)] for _ in range(type_.count))
        return s.Swizzle(type_, self.vector(base, level, depth), components)

    def vector_choice(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        condition = self.condition(level, depth)
        return s.Conditional(type_, condition, self.vector(type_, level, depth), self.vector(type_, level, depth))

    def vector_conversion(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        return s.Convert(type_, self.vector(s.Vector(self.pick(self.scalars), type_.count), level, depth))

    def vector_select(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        bools = s.Vector(s.BOOL, type_.count)
        mask = s.Binary(
            bools, self.pick(_COMPARISONS), self.vector(type_, level, depth), self.vector(type_, level, depth)
        )
        return s.Builtin(type_, "select", (self.vector(type_, level, depth), self.vector(type_, level, depth), mask))
