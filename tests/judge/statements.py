# SPDX-License-Identifier: MIT
"""Random statements, legal by construction.

Who is together is tracked (`scope.Level`): barriers come only where the whole threadgroup is, and variables that the
group agrees on are changed only there. A thread writes its own elements of a device buffer. Threadgroup arrays are
written between two barriers, each thread at a place of its own, and may be read at any place otherwise.
Every loop ends: `for` loops count to a small bound, the others use up a counter.
"""

from __future__ import annotations

from collections.abc import Callable

from . import syntax as s
from .choices import Choices
from .expressions import is_const, modulo, uint
from .scope import Array, Context, Features, Level, Own, Variable
from .simd_statements import SimdStatements

_BARRIER_FLAGS = ("mem_threadgroup", "mem_device", "mem_threadgroup | mem_device", "mem_none")
_UPDATES = ("", "+", "^", "-", "*", "|", "&")
_OPERATIONS = ("add", "min", "max", "or", "and", "xor", "sub")
_TICKETS = 2 * len(
    _OPERATIONS
)  # two elements for each operation, two to draw tickets from, two for what they add up to
COUNTERS = _TICKETS + 4


class Statements(SimdStatements):
    """Draws statements, of blocks and loops down to stores and barriers."""

    def __init__(self, choices: Choices, features: Features, number: int = 0) -> None:
        super().__init__(choices, features)
        self.number_in_library = number
        self.names = 1000 * number
        self.left = features.statements
        self.atomics: list[tuple[str, s.Scalar]] = []
        self.shared: list[s.SharedArray] = []
        self.together: dict[str, s.Expression] = {}
        self.tracing = False
        self.uses_simd = False

    def type(self) -> s.Type:
        kind = self.number(0, 5)
        if kind == 3 and self.vectors:
            return self.pick(self.vectors)
        if kind == 4 and self.structs:
            return self.pick(self.structs)
        return s.BOOL if kind == 5 else self.pick(self.scalars)

    # ---- Blocks ----

    def block(self, context: Context, most: int = 4, least: int = 0) -> s.Block:
        """Some statements, with a scope of their own."""
        variables, arrays = len(self.variables), len(self.arrays)
        statements: list[s.Statement] = []
        for done in range(most):
            if self.left <= 0 or (done >= least and not self.mostly(4)):
                break
            self.left -= 1
            statements += self.statement(context)
        statements += self.noted(self.variables[variables:])
        statements += self.ending(context)
        del self.variables[variables:], self.arrays[arrays:]
        return tuple(statements)

    def noted(self, variables: list[Variable]) -> list[s.Statement]:
        """Mix what is about to go out of scope into `trace`, so that nothing computed is dead."""
        if self.result is not None or not self.tracing:
            return []
        trace = s.Local(s.UINT, "trace")
        statements: list[s.Statement] = []
        for v in variables:
            if isinstance(v.type, s.Scalar) and self.mostly(4):
                spread = s.Binary(s.UINT, "*", trace, s.Literal(s.UINT, 31))
                value = self.converted(s.UINT, s.Local(v.type, v.name))
                statements.append(s.Assign(trace, s.Binary(s.UINT, "+", spread, value)))
        return statements

    def ending(self, context: Context) -> list[s.Statement]:
        """Sometimes a jump, where everybody who must jump together is together."""
        if context.depth == 0 or self.mostly(4):
            return []
        jumps: list[Callable[[], list[s.Statement]]] = []
        if context.leave is not None and context.control >= context.leave:
            jumps.append(lambda: [s.Break()])
        if context.again is not None and context.control >= context.again:
            jumps.append(lambda: [s.Continue()])
        if context.back is not None and context.control >= context.back:
            jumps.append(self.returning)
        return self.pick(jumps)() if jumps else []

    def returning(self) -> list[s.Statement]:
        if self.result is not None:
            return [s.Return(self.value(self.result))]
        return [*self.write_own(), s.Return()]

    result: s.Type | None = None

    def statement(self, context: Context) -> list[s.Statement]:
        makers = [self.assign] * 4 + [self.declare] * 3 + [self.if_] * 4
        if self.owned and self.result is None:
            makers += [self.store] * 2
        if context.depth < 4:
            makers += [self.for_] * 3 + [self.while_] * 2
            if self.features.switches:
                makers += [self.switch]
        makers += [self.declare_array, self.fill_array] if self.features.pointers else [self.declare_array]
        if self.features.pointers and self.arrays:
            makers.append(self.declare_pointer)
        if any(a.writable for a in self.arrays):
            makers += [self.store_private] * 2
        if self.atomics:
            makers.append(self.atomic)
        if any(self.updated(f) for f in self.functions):
            makers.append(self.call_statement)
        if context.control == Level.GROUP and self.features.barriers and not context.writing:
            makers.append(self.barrier)
            if any(not a.atomic for a in self.shared):
                makers += [self.share] * 4
        if self.uses_simd and self.tracing and not context.writing:
            makers += [self.simd] * 5 + [self.parted] * 2
        return self.pick(makers)(context)

    # ---- Plain statements ----

    def declare(self, context: Context) -> list[s.Statement]:
        type_ = self.type()
        level = self.pick((context.control, Level.THREAD))
        declared = s.Declare(self.name("v"), type_, self.value(type_, level))
        self.variables.append(Variable(declared.name, type_, level))
        return [declared]

    def declare_array(self, context: Context) -> list[s.Statement]:
        element, count = self.pick([*self.scalars, *self.vectors]), self.number(1, 6)
        name = self.name("p")
        values = tuple(self.value(element, depth=1) for _ in range(count))
        self.arrays.append(Array(name, element, uint(count), Level.THREAD, writable=True))
        return [s.DeclareArray(name, element, values)]

    def fill_array(self, context: Context) -> list[s.Statement]:
        """An array that is no handful of registers; large ones lie in scratch memory."""
        element, count = self.pick([*self.scalars, *self.vectors]), self.pick((9, 17, 40, 40, 150))
        name, index = self.name("p"), self.name("i")
        self.variables.append(Variable(index, s.UINT, Level.THREAD, assignable=False))
        value = self.value(element, depth=1)
        self.variables.pop()
        self.arrays.append(Array(name, element, uint(count), Level.THREAD, writable=True))
        return [s.FillArray(name, element, count, index, value)]

    def declare_pointer(self, context: Context) -> list[s.Statement]:
        """To one of two arrays of one kind, each from some element on."""
        first = self.pick(self.arrays)
        second = self.pick([a for a in self.arrays if (a.space, a.element) == (first.space, first.element)])
        level = self.pick((Level.THREAD, context.control))
        parts, lengths = zip(self.part(first), self.part(second), strict=True)
        if all(isinstance(length, s.Literal) for length in lengths):
            length: s.Expression = uint(min(length.value for length in lengths))
        elif lengths[0] == lengths[1]:
            length = lengths[0]
        else:
            return self.declare_array(context)
        name, writable = self.name("q"), first.writable and second.writable
        space = first.space if writable or is_const(first.space) else f"{first.space} const"
        made = s.DeclarePointer(name, first.element, space, self.condition(level), *parts)
        roots = tuple({*first.roots, first.name, *second.roots, second.name})
        agreed = min(level, first.level, second.level)
        self.arrays.append(Array(name, first.element, length, agreed, writable, space, roots))
        return [made]

    def assign(self, context: Context) -> list[s.Statement]:
        usable = [v for v in self.variables if v.assignable and v.level <= context.control]
        if not usable:
            return self.declare(context)
        variable = self.pick(usable)
        target: s.Expression = s.Local(variable.type, variable.name)
        if isinstance(variable.type, s.Struct) and self.chance(2):
            field, type_ = self.pick(variable.type.fields)
            target = s.Member(type_, target, field)
        if isinstance(target.type, s.Vector) and self.chance(2):
            components = "xyzw"[: target.type.count]
            picked = "".join(self.shuffled(components))[: self.number(1, target.type.count)]
            type_ = s.Vector(target.type.element, len(picked)) if len(picked) > 1 else target.type.element
            target = s.Swizzle(type_, target, picked)
        return [s.Assign(target, self.value(target.type, variable.level), self.update(target.type, _UPDATES))]

    def update(self, type_: s.Type, operators: tuple[str, ...]) -> str:
        """The operator of an assignment; none where the result would not be a value to keep (expressions.real)."""
        element = type_.element if isinstance(type_, s.Vector) else type_
        plain = isinstance(element, s.Struct) or element == s.BOOL or element.real
        return "" if plain else self.pick(operators)

    def store(self, context: Context) -> list[s.Statement]:
        own = self.pick(self.owned)
        value = self.value(own.element)
        return [s.Assign(self.own_element(own, 1), value, self.update(own.element, ("", "+", "^")))]

    def write_own(self) -> list[s.Statement]:
        """Leave a trace before a return."""
        outputs = [own for own in self.owned if own.array not in self.together]
        own = self.pick(outputs)
        return [s.Assign(self.own_element(own), self.value(own.element, depth=1))]

    def store_private(self, context: Context) -> list[s.Statement]:
        array = self.pick([a for a in self.arrays if a.writable])
        target = s.Element(array.element, array.name, self.index(array, Level.THREAD, 1))
        return [s.Assign(target, self.value(array.element), self.update(array.element, ("", "+", "^")))]

    def atomic(self, context: Context) -> list[s.Statement]:
        """Each operation has elements of its own, so that the outcome depends on no order."""
        array, type_ = self.pick(self.atomics)
        if type_ in (s.INT, s.UINT) and self.chance(3):
            return self.ticket(array, type_)
        able = {s.FLOAT: (0, 6), s.ULONG: (1, 2)}.get(type_, range(len(_OPERATIONS)))
        operation = self.pick(able)
        which = modulo(self.scalar(s.UINT, Level.THREAD, 1), uint(2))
        index = s.Binary(s.UINT, "+", uint(2 * operation), which)
        return [s.Atomic(_OPERATIONS[operation], array, index, self.scalar(type_))]

    def ticket(self, array: str, type_: s.Scalar) -> list[s.Statement]:
        """What was there before, of an element that only counts up: who gets which number depends on the order.

        But not which numbers there are: the same function of each is added up, and they go nowhere else.
        """
        which = self.number(0, 1)
        number = s.Local(type_, self.name("v"))
        mixed = s.Binary(type_, "^", s.Binary(type_, "*", number, s.Literal(type_, 31 + which)), s.Literal(type_, 5))
        return [
            s.Declare(number.name, type_, s.Literal(type_, 0)),
            s.Atomic("add", array, uint(_TICKETS + which), s.Literal(type_, 1), number),
            s.Atomic("add", array, uint(_TICKETS + 2 + which), mixed),
        ]

    @staticmethod
    def updated(function: s.Function) -> bool:
        """Whether it is called for what it changes."""
        return any(p.kind == "reference" or not (p.kind == "value" or is_const(p.kind)) for p in function.parameters)

    def call_statement(self, context: Context) -> list[s.Statement]:
        function = self.pick([f for f in self.functions if self.updated(f)])
        taken: set[str] = set()
        arguments: list[s.Expression | s.ArrayArgument] = []
        before: list[s.Statement] = []
        left: s.Expression | None = None
        for parameter in function.parameters:
            if left is not None:
                arguments.append(left)
                left = None
                continue
            if parameter.kind == "value":
                arguments.append(self.value(parameter.type, depth=1))
                continue
            if parameter.kind != "reference":
                if not self.pointable(parameter):
                    if parameter.kind.split()[0] != "thread":
                        return self.declare(context)
                    made_array = s.DeclareArray(self.name("p"), parameter.type, (self.value(parameter.type, depth=0),))
                    before.append(made_array)
                    self.arrays.append(Array(made_array.name, parameter.type, uint(1), Level.THREAD, writable=True))
                argument, left = self.part(self.pick(self.pointable(parameter)))
                arguments.append(argument)
                continue
            fitting = [
                v for v in self.variables
                if v.type == parameter.type and v.assignable and v.level == Level.THREAD and v.name not in taken
            ]  # fmt: skip
            if fitting:
                variable = self.pick(fitting)
            else:
                made = s.Declare(self.name("v"), parameter.type, self.value(parameter.type, depth=1))
                before.append(made)
                variable = Variable(made.name, made.type, Level.THREAD)
                self.variables.append(variable)
            taken.add(variable.name)
            arguments.append(s.Local(variable.type, variable.name))
        return [*before, s.CallStatement(function.name, tuple(arguments))]

    # ---- Control flow ----

    def together_or_not(self, context: Context) -> Level:
        """A level at which control may branch: how many threads go the same way."""
        levels = [Level.THREAD, context.control]
        if context.control == Level.GROUP:
            levels += [Level.GROUP] + ([Level.SIMDGROUP] if self.uses_simd else [])
        return self.pick(levels)

    def if_(self, context: Context) -> list[s.Statement]:
        level = self.together_or_not(context)
        inner = context.inside(control=min(level, context.control))
        condition = self.condition(level, 2)
        then = self.block(inner, least=1)
        return [s.If(condition, then, self.block(inner) if self.chance(3) else ())]

    def parted(self, context: Context) -> list[s.Statement]:
        """Threads of a SIMD-group part, and those that went the same way exchange."""

        def side() -> s.Block:
            known = len(self.variables)
            statements = self.simd(context.inside(control=Level.THREAD))
            statements += self.noted(self.variables[known:])
            del self.variables[known:]
            return tuple(statements)

        condition = self.condition(Level.THREAD, 2)
        return [s.If(condition, side(), side() if self.chance(2) else ())]

    def loop_context(self, context: Context) -> tuple[Level, Context]:
        """In a loop that is entered and left by all together, control stays what it is; else everybody is alone."""
        level = self.together_or_not(context)
        inner = context.inside(control=level, leave=level, again=level, rounds=max(2, context.rounds - 2))
        return level, inner

    def bound(self, context: Context, level: Level, type_: s.Scalar) -> s.Expression:
        if self.chance(2):
            return s.Literal(type_, self.number(1, context.rounds))
        return s.Binary(type_, "&", self.scalar(type_, level, 1), s.Literal(type_, 7 if context.rounds >= 6 else 3))

    def for_(self, context: Context) -> list[s.Statement]:
        level, inner = self.loop_context(context)
        type_, name = self.pick((s.INT, s.UINT)), self.name("i")
        counter = s.Local(type_, name)
        bound = self.bound(context, level, type_)
        if self.chance(3):
            # Downwards, in steps of one or two.
            start = s.Declare(name, type_, s.Binary(type_, "+", bound, s.Literal(type_, 1)))
            condition = s.Binary(s.BOOL, ">", counter, s.Literal(type_, self.pick((1, 2))))
            step = s.Assign(counter, s.Literal(type_, 1), "-")
        else:
            start = s.Declare(name, type_, s.Literal(type_, 0))
            condition = s.Binary(s.BOOL, "<", counter, bound)
            step = s.Assign(counter, s.Literal(type_, self.pick((1, 2, 3))), "+")
        self.variables.append(Variable(name, type_, level, assignable=False))
        if not isinstance(bound, s.Literal) and condition.operator == "<":
            # The bound is evaluated again in each round, so what it reads must not change with it: freeze it.
            limit = s.Declare(self.name("n"), type_, bound)
            condition = s.Binary(s.BOOL, "<", counter, s.Local(type_, limit.name))
            made = [limit, s.For(start, condition, step, self.block(inner, least=1))]
        else:
            made = [s.For(start, condition, step, self.block(inner, least=1))]
        self.variables = [v for v in self.variables if v.name != name]
        return made

    def while_(self, context: Context) -> list[s.Statement]:
        level, inner = self.loop_context(context)
        fuel = s.Declare(self.name("fuel"), s.UINT, s.Literal(s.UINT, self.number(1, context.rounds)))
        left = s.Local(s.UINT, fuel.name)
        spend = s.Assign(left, s.Literal(s.UINT, 1), "-")
        self.variables.append(Variable(fuel.name, s.UINT, level, assignable=False))
        again = s.Binary(s.BOOL, "&&", s.Binary(s.BOOL, "!=", left, uint(0)), self.condition(level, 2))
        body = (spend, *self.block(inner, least=1))
        return [fuel, s.DoWhile(body, again) if self.chance(3) else s.While(again, body)]

    def switch(self, context: Context) -> list[s.Statement]:
        level = self.together_or_not(context)
        inner = context.inside(control=min(level, context.control), leave=min(level, context.control))
        type_ = self.pick((s.INT, s.UINT))
        value = s.Binary(type_, "&", self.scalar(type_, level, 1), s.Literal(type_, 7))
        labels = list(range(self.number(1, 6)))
        default = self.number(0, len(labels))
        cases: list[s.Case] = []
        while labels:
            taken = tuple(labels.pop(0) for _ in range(min(len(labels), 2 if self.chance(4) else 1)))
            body = self.block(inner, most=2)
            if self.mostly(4) and not (body and isinstance(body[-1], (s.Break, s.Continue, s.Return))):
                body = (*body, s.Break())
            cases.append(s.Case(taken, body))
        if self.chance(2):
            cases.insert(min(default, len(cases)), s.Case((), (*self.block(inner, most=2), s.Break())))
        return [s.Switch(value, tuple(cases))]

    # ---- Meeting others ----

    def barrier(self, context: Context) -> list[s.Statement]:
        return [s.Barrier(self.pick(_BARRIER_FLAGS))]

    def share(self, context: Context) -> list[s.Statement]:
        """A barrier, each thread writing at a place of its own, a barrier."""
        array = self.pick([a for a in self.shared if not a.atomic])
        index, count = self.together["index"], self.together["count"]
        # Nor may the place depend on what other threads are about to write.
        outer, self.writing = self.writing, array.name
        place, at = self.number(0, 2), index
        if place == 1:
            at = s.Binary(s.UINT, "-", s.Binary(s.UINT, "-", count, uint(1)), index)
        elif place == 2:
            # The distance is small: the remainder of a sum that wraps would not be a permutation.
            distance = s.Binary(s.UINT, "&", self.scalar(s.UINT, Level.GROUP, 1), uint(255))
            at = modulo(s.Binary(s.UINT, "+", index, distance), count)
        self.owned.append(Own(array.name, array.element, at, 1))
        inner = Context(Level.THREAD, depth=context.depth + 1, rounds=2, writing=array.name)
        target = s.Element(array.element, array.name, at)
        if self.mostly(4):
            writes: s.Block = (s.Assign(target, self.value(array.element)),)
        else:
            writes = (s.If(self.condition(Level.THREAD), (s.Assign(target, self.value(array.element)),)),)
        if self.chance(3):
            writes += self.block(inner, most=2)
        self.writing = outer
        self.owned.pop()
        return [s.Barrier(), *writes, s.Barrier(self.pick(("mem_threadgroup", "mem_threadgroup | mem_device")))]
