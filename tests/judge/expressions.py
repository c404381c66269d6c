# SPDX-License-Identifier: MIT
"""Random expressions: the part of the generator below statements. The simplest choice comes first, for shrinking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from . import syntax as s
from .choices import Choices
from .integers import REAL_LIMIT, limits, wrap
from .scope import Array, Features, Level, Own, Variable

T = TypeVar("T")
U0 = s.Literal(s.UINT, 0)

_LITERALS = (0, 1, 2, 3, 5, 7, 8, 13, 31, 32, 33, 100, 127, 255, 4096, 65535)
_ARITHMETIC = ("+", "-", "*", "&", "|", "^")
_COMPARISONS = ("<", "==", "!=", ">", "<=", ">=")
_ONE = ("abs", "popcount", "clz", "ctz", "reverse_bits")
_TWO = ("min", "max", "addsat", "subsat", "hadd", "rhadd", "mulhi", "absdiff")
_THREE = ("clamp", "madhi", "madsat", "min3", "max3", "median3")


def uint(value: int) -> s.Literal:
    return s.Literal(s.UINT, value)


def modulo(index: s.Expression, length: s.Expression) -> s.Expression:
    return s.Binary(s.UINT, "%", index, length)


def _space(kind: str) -> str:
    return kind.split()[0]


def is_const(kind: str) -> bool:
    """Whether a pointer of this kind is only read through."""
    return "const" in kind.split() or _space(kind) == "constant"


class Expressions:
    """Draws expressions from what is in scope: `variables`, `arrays` (to read), `owned` (the thread's own elements)."""

    def __init__(self, choices: Choices, features: Features) -> None:
        self._choices = choices
        self.features = features
        self.variables: list[Variable] = []
        self.arrays: list[Array] = []
        self.owned: list[Own] = []
        self.functions: list[s.Function] = []
        self.scalars: list[s.Scalar] = [s.INT, s.UINT]
        self.vectors: list[s.Vector] = []
        self.structs: list[s.Struct] = []
        self.writing = ""
        self.names = 0

    # ---- Choices ----

    def number(self, low: int, high: int) -> int:
        return low + self._choices.below(high - low + 1)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self._choices.below(len(choices))]

    def chance(self, in_all: int) -> bool:
        """True once in `in_all`; False is the simpler."""
        return self._choices.below(in_all) == in_all - 1

    def shuffled(self, items: Sequence[T]) -> list[T]:
        left = list(items)
        return [left.pop(self._choices.below(len(left))) for _ in items]

    def mostly(self, in_all: int) -> bool:
        """False once in `in_all`, and False is the simpler all the same."""
        return self._choices.below(in_all) != 0

    def name(self, stem: str) -> str:
        """One that nothing else has."""
        self.names += 1
        return f"{stem}{self.names}"

    # ---- Leaves ----

    def usable(self, level: Level) -> Iterable[Variable]:
        return (v for v in self.variables if v.level >= level)

    def literal(self, type_: s.Scalar) -> s.Literal:
        if type_ == s.BOOL:
            return s.Literal(type_, self.number(0, 1))
        if type_.real:
            return s.Literal(type_, self.number(0, 9) - (8 if self.chance(3) else 0))
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
            return self.converted(type_, s.Local(other.type, other.name))
        return self.literal(type_)

    @staticmethod
    def converted(type_: s.Scalar | s.Vector, value: s.Expression) -> s.Expression:
        """A conversion whose result is defined: a real number from few bits, an unsigned one by way of int."""
        element = type_.element if isinstance(type_, s.Vector) else type_
        source = value.type.element if isinstance(value.type, s.Vector) else value.type

        def like(scalar: s.Scalar) -> s.Scalar | s.Vector:
            return s.Vector(scalar, type_.count) if isinstance(type_, s.Vector) else scalar

        if element.real and not source.real and source != s.BOOL:
            few: s.Expression = s.Literal(source, 15)
            if isinstance(type_, s.Vector):
                few = s.Construct(value.type, (few,) * type_.count)
            value = s.Binary(value.type, "&", value, few)
        if {source, element} == {s.HALF, s.BFLOAT}:  # which no cast takes
            value = s.Convert(like(s.FLOAT), value)
        if source.real and not element.real and element not in (s.BOOL, s.INT):
            value = s.Convert(like(s.INT), value)
        return s.Convert(type_, value)

    # ---- Scalars ----

    def scalar(self, type_: s.Scalar, level: Level = Level.THREAD, depth: int = 2) -> s.Expression:
        if depth <= 0 or not self.mostly(3):
            return self.leaf(type_, level)
        if type_ == s.BOOL:
            return self.condition(level, depth)
        if type_.real:
            return self.real(type_, level, depth)
        makers: list[Callable[[s.Scalar, Level, int], s.Expression]] = [self.arithmetic] * 4
        makers += [self.shift, self.division, self.unary, self.choice, self.conversion]
        if self.features.builtins:
            makers += [self.builtin] * 2
        if any(self.readable(a, type_, level) for a in self.arrays):
            makers += [self.read] * 3
        if level == Level.THREAD and any(own.element == type_ and own.array != self.writing for own in self.owned):
            makers.append(self.read_own)
        if self.callable_functions(type_, level):
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
        return self.converted(type_, self.scalar(self.pick([*self.scalars, s.BOOL]), level, depth))

    # ---- Real numbers: whole ones from -32 to 32 wherever they are kept, so that every operation is exact ----

    def real(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        makers: list[Callable[[s.Scalar, Level, int], s.Expression]] = [self.real_arithmetic] * 4
        makers += [self.rounded, self.choice, self.conversion, self.conversion]
        if self.features.builtins:
            makers += [self.real_builtin] * 2
        if self.features.vectors:
            makers.append(self.dot)
        if any(self.readable(a, type_, level) for a in self.arrays):
            makers += [self.read] * 3
        if level == Level.THREAD and any(own.element == type_ and own.array != self.writing for own in self.owned):
            makers.append(self.read_own)
        if self.callable_functions(type_, level):
            makers += [self.call] * 2
        return self.pick(makers)(type_, level, depth - 1)

    @staticmethod
    def bounded(value: s.Expression, limit: int = REAL_LIMIT) -> s.Expression:
        type_ = value.type
        element = type_.element if isinstance(type_, s.Vector) else type_
        low, high = s.Literal(element, -limit), s.Literal(element, limit)
        if isinstance(type_, s.Vector):
            return s.Builtin(type_, "clamp", (value, *(s.Construct(type_, (x,) * type_.count) for x in (low, high))))
        return s.Builtin(type_, "clamp", (value, low, high))

    def real_arithmetic(self, type_: s.Scalar | s.Vector, level: Level, depth: int) -> s.Expression:
        operator = self.pick(("+", "-", "*"))
        made = s.Binary(type_, operator, self.value(type_, level, depth), self.value(type_, level, depth))
        if self.chance(3):
            made = s.Binary(type_, self.pick(("+", "-")), made, self.value(type_, level, depth - 1))
        return self.bounded(made)

    def rounded(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        by = s.Literal(type_, self.pick((2, 4)))
        quarters = s.Binary(type_, "/", self.scalar(type_, level, depth), by)
        return s.Builtin(type_, self.pick(("floor", "ceil", "trunc", "rint", "round")), (quarters,))

    def real_builtin(self, type_: s.Scalar | s.Vector, level: Level, depth: int) -> s.Expression:
        def operand() -> s.Expression:
            return self.value(type_, level, depth)

        kind = self.number(0, 3)
        if kind == 0:
            return s.Builtin(type_, self.pick(("min", "max")), (operand(), operand()))
        if kind == 1:
            return s.Builtin(type_, self.pick(("abs", "sign")), (operand(),))
        if kind == 2:
            return s.Builtin(type_, "step", (operand(), operand()))
        return s.Unary(type_, "-", operand())

    def dot(self, type_: s.Scalar, level: Level, depth: int) -> s.Expression:
        vector = s.Vector(type_, self.number(2, 4))
        left, right = (self.bounded(self.vector(vector, level, depth), 8) for _ in range(2))
        return self.bounded(s.Builtin(type_, "dot", (left, right)))

    def matrix_times(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        columns = tuple(self.bounded(self.vector(type_, level, depth - 1), 8) for _ in range(self.number(2, 4)))
        operand = self.bounded(self.vector(s.Vector(type_.element, len(columns)), level, depth), 8)
        return self.bounded(s.MatrixTimes(type_, columns, operand))

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
        if element.real:
            return self.real_builtin(type_, level, depth)
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
        being_written = self.writing and self.writing in (array.name, *array.roots)
        return array.element == type_ and array.level >= level and not being_written

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

    def callable_functions(self, type_: s.Type, level: Level) -> list[s.Function]:
        def fits(function: s.Function) -> bool:
            return function.result == type_ and all(
                p.kind == "value" or (is_const(p.kind) and self.pointable(p, level)) for p in function.parameters
            )

        return [function for function in self.functions if fits(function)]

    def call(self, type_: s.Type, level: Level, depth: int) -> s.Expression:
        function = self.pick(self.callable_functions(type_, level))
        return s.Call(type_, function.name, self.arguments(function.parameters, level, depth))

    def arguments(
        self, parameters: Sequence[s.Parameter], level: Level, depth: int
    ) -> tuple[s.Expression | s.ArrayArgument, ...]:
        """What is handed to values and pointers; behind a pointer comes the number of elements there."""
        made: list[s.Expression | s.ArrayArgument] = []
        left: s.Expression | None = None
        for parameter in parameters:
            if left is not None:
                made.append(left)
                left = None
            elif parameter.kind == "value":
                made.append(self.value(parameter.type, level, depth))
            else:
                argument, left = self.part(self.pick(self.pointable(parameter, level)))
                made.append(argument)
        return tuple(made)

    def pointable(self, pointer: s.Parameter, level: Level = Level.THREAD) -> list[Array]:
        """Arrays into which a pointer may point."""
        return [
            a for a in self.arrays
            if self.readable(a, pointer.type, level) and _space(a.space) == _space(pointer.kind)
            and (a.writable or is_const(pointer.kind))
        ]  # fmt: skip

    def part(self, array: Array) -> tuple[s.ArrayArgument, s.Expression]:
        """An array from some element on, and how many elements there are from there."""
        if not isinstance(array.length, s.Literal) or not self.chance(2):
            return s.ArrayArgument(array.name, uint(0)), array.length
        skipped = self.number(0, array.length.value - 1)
        return s.ArrayArgument(array.name, uint(skipped)), uint(array.length.value - skipped)

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
        if type_.element in (s.FLOAT, s.HALF):
            makers.append(self.matrix_times)
        if self.callable_functions(type_, level):
            makers.append(self.call)
        return self.pick(makers)(type_, level, depth - 1)

    def construct(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        if type_.count > 2 and self.chance(2):
            pair = self.vector(s.Vector(type_.element, 2), level, depth)
            rest = tuple(self.scalar(type_.element, level, depth) for _ in range(type_.count - 2))
            return s.Construct(type_, (pair, *rest) if self.chance(2) else (*rest, pair))
        return s.Construct(type_, tuple(self.scalar(type_.element, level, depth) for _ in range(type_.count)))

    def elementwise(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        if type_.element.real:
            return self.real_arithmetic(type_, level, depth)
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
        return self.converted(type_, self.vector(s.Vector(self.pick(self.scalars), type_.count), level, depth))

    def vector_select(self, type_: s.Vector, level: Level, depth: int) -> s.Expression:
        bools = s.Vector(s.BOOL, type_.count)
        mask = s.Binary(
            bools, self.pick(_COMPARISONS), self.vector(type_, level, depth), self.vector(type_, level, depth)
        )
        return s.Builtin(type_, "select", (self.vector(type_, level, depth), self.vector(type_, level, depth), mask))
