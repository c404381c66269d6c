# SPDX-License-Identifier: MIT
"""The slow reference executor: a kernel of `syntax` becomes a Python generator, of which one runs for each thread.

A generator yields where its thread has to meet others, at a barrier or in a SIMD-group exchange (`threads`).
`before`: `int x = a[i] + 1; threadgroup_barrier(...)`; `after`:
`v_x = ((v_a[v_i] + 1) & 0xffffffff ^ 0x80000000) - 0x80000000; yield Meeting(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from operator import mul
from typing import Any

from . import syntax as s
from .integers import ATOMICS, BUILTINS, binary, wrap
from .threads import IllegalKernelError, Meeting, Position, run_grid


class OutOfFuelError(Exception):
    """The kernel goes round more often than a test should."""


class Cell:
    """Threadgroup memory that nobody has written yet; using it as a number or leaving it in a buffer fails."""


def put(value: tuple, positions: Sequence[int], parts: Sequence[Any]) -> tuple:
    """`value` with the parts at `positions` replaced."""
    changed = list(value)
    for position, part in zip(positions, parts, strict=True):
        changed[position] = part
    return tuple(changed)


def _suspends(body: s.Block, functions: dict[str, s.Function]) -> bool:
    for statement in body:
        match statement:
            case s.Barrier() | s.Simd():
                return True
            case s.CallStatement(name):
                if _suspends(functions[name].body, functions):
                    return True
            case s.If(_, then, otherwise):
                if _suspends(then, functions) or _suspends(otherwise, functions):
                    return True
            case s.For(body=inner) | s.While(body=inner) | s.DoWhile(body=inner):
                if _suspends(inner, functions):
                    return True
            case s.Switch(_, cases):
                if any(_suspends(case.body, functions) for case in cases):
                    return True
    return False


class _Translator:
    def __init__(self, kernel: s.Kernel) -> None:
        self.kernel = kernel
        self.functions = {function.name: function for function in kernel.functions}
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "wrap": wrap, "binary": binary, "put": put, "Meeting": Meeting,
            "OutOfFuelError": OutOfFuelError, "mul": mul,
        }  # fmt: skip
        self.count = 0
        # Innermost last; for a switch the name of the flag that says that the loop around it goes on.
        self.enclosing: list[str | None] = []
        self.pointers: set[str] = set()
        self.references: list[str] = []
        self.in_function = False
        self.around: list[str] = []  # of the place: of each loop here, its place and its round

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def constant(self, stem: str, value: Any) -> str:
        name = f"{stem}_{value}" if isinstance(value, s.Scalar) else stem
        self.names[name] = value
        return name

    # ---- Expressions ----

    @staticmethod
    def wrapped(text: str, type_: s.Scalar) -> str:
        if type_.real:
            return text
        if type_.bits == 1:
            return f"({text} != 0)"
        mask, sign = (1 << type_.bits) - 1, 1 << (type_.bits - 1)
        return f"((({text}) & {mask} ^ {sign}) - {sign})" if type_.signed else f"(({text}) & {mask})"

    def scalar_binary(self, operator: str, left: str, right: str, type_: s.Scalar) -> str:
        match operator:
            case "+" | "-" | "*":
                return self.wrapped(f"{left} {operator} {right}", type_)
            case "&" | "|" | "^" | "==" | "!=" | "<" | "<=" | ">" | ">=":
                return f"({left} {operator} {right})"
            case "/" if type_.real:
                return f"({left} / {right})"
            case "&&":
                return f"({left} and {right})"
            case "||":
                return f"({left} or {right})"
            case "<<" if type_.bits >= 32:
                return self.wrapped(f"{left} << ({right} & {type_.bits - 1})", type_)
            case ">>" if type_.bits >= 32:
                return f"({left} >> ({right} & {type_.bits - 1}))"
        return f"binary({operator!r}, {left}, {right}, {self.constant('type', type_)})"

    def each(self, nodes: Sequence[s.Expression], one: Callable[[list[str]], str]) -> str:
        """`one` of the nodes' elements in turn; scalars among the nodes are the same for each element."""
        names, vectors, places = [], [], []
        for node in nodes:
            if isinstance(node.type, s.Vector):
                names.append(self.fresh("e"))
                vectors.append(self.expression(node))
                places.append(names[-1])
            else:
                names.append(self.expression(node))
        return f"tuple([{one(names)} for {', '.join(places)}, in zip({', '.join(vectors)})])"

    def mapped(self, nodes: Sequence[s.Expression], one: Callable[[list[str]], str]) -> str:
        if any(isinstance(node.type, s.Vector) for node in nodes):
            return self.each(nodes, one)
        return one([self.expression(node) for node in nodes])

    def index(self, array: str, index: s.Expression) -> str:
        text = self.expression(index)
        return f"v_{array}[v_{array}_at + {text}]" if array in self.pointers else f"v_{array}[{text}]"

    def expression(self, node: s.Expression) -> str:
        match node:
            case s.Literal(type_, value):
                return f"({value})" if type_ != s.BOOL else str(bool(value))
            case s.Local(_, name):
                return f"v_{name}"
            case s.Element(_, array, index):
                return self.index(array, index)
            case s.Member(_, base, name):
                return f"{self.expression(base)}[{base.type.position(name)}]"
            case s.Swizzle(type_, base, components):
                text = self.expression(base)
                if isinstance(type_, s.Scalar):
                    return f"{text}[{'xyzw'.index(components)}]"
                parts = ", ".join(f"w[{'xyzw'.index(c)}]" for c in components)
                return f"(lambda w: ({parts}))({text})"
            case s.Unary(type_, operator, operand):
                element = element_type(type_)
                if operator == "!":
                    return self.mapped([operand], lambda e: f"(not {e[0]})")
                return self.mapped([operand], lambda e: self.wrapped(f"{operator}{e[0]}", element))
            case s.Binary(_, operator, left, right):
                element = element_type(left.type)
                return self.mapped([left, right], lambda e: self.scalar_binary(operator, e[0], e[1], element))
            case s.Conditional(_, condition, then, otherwise):
                condition_text, then_text = self.expression(condition), self.expression(then)
                return f"({then_text} if {condition_text} else {self.expression(otherwise)})"
            case s.Convert(type_, operand):
                if element_type(type_).real:
                    return self.mapped([operand], lambda e: f"float({e[0]})")
                if element_type(operand.type).real and element_type(type_) != s.BOOL:
                    return self.mapped([operand], lambda e: self.wrapped(f"int({e[0]})", element_type(type_)))
                return self.mapped([operand], lambda e: self.wrapped(e[0], element_type(type_)))
            case s.Construct(type_, arguments):
                spread = isinstance(type_, s.Vector)
                parts = [
                    ("*" if spread and isinstance(a.type, s.Vector) else "") + self.expression(a) for a in arguments
                ]
                return f"({', '.join(parts)},)"
            case s.Builtin(_, "any" | "all" as name, (operand,)):
                return f"{name}({self.expression(operand)})"
            case s.Builtin(_, "dot", (left, right)):
                return f"sum(map(mul, {self.expression(left)}, {self.expression(right)}))"
            case s.MatrixTimes(_, columns, operand):
                texts = ", ".join(map(self.expression, columns))
                product = "(lambda m, v: tuple(sum(map(mul, row, v)) for row in zip(*m)))"
                return f"{product}(({texts},), {self.expression(operand)})"
            case s.Builtin(type_, name, arguments):
                function = self.constant(f"builtin_{name}", BUILTINS[name])
                element = self.constant("type", element_type(type_))
                return self.mapped(arguments, lambda e: f"{function}({', '.join(e)}, {element})")
            case s.Call(_, function, arguments):
                return f"f_{function}({self.arguments(arguments)})[0]"
        raise TypeError(f"not an expression: {node}")

    def arguments(self, nodes: Sequence[s.Expression | s.ArrayArgument]) -> str:
        texts = []
        for node in nodes:
            if isinstance(node, s.ArrayArgument):
                base = f"v_{node.array}_at + " if node.array in self.pointers else ""
                texts += [f"v_{node.array}", base + self.expression(node.offset)]
            else:
                texts.append(self.expression(node))
        return ", ".join(texts)

    # ---- Statements ----

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, statements: s.Block, depth: int) -> None:
        for statement in statements:
            self.statement(statement, depth)
        if not statements:
            self.emit(depth, "pass")

    def store(self, target: s.Expression, value: str, depth: int) -> None:
        match target:
            case s.Local(_, name):
                self.emit(depth, f"v_{name} = {value}")
            case s.Element(_, array, index):
                self.emit(depth, f"{self.index(array, index)} = {value}")
            case s.Member(_, base, name):
                place = base.type.position(name)
                self.store(base, f"put({self.expression(base)}, ({place},), ({value},))", depth)
            case s.Swizzle(type_, base, components):
                places = tuple("xyzw".index(c) for c in components)
                parts = value if isinstance(type_, s.Vector) else f"({value},)"
                self.store(base, f"put({self.expression(base)}, {places}, {parts})", depth)
            case _:
                raise TypeError(f"cannot assign to {target}")

    def loop(
        self, condition: str, body: s.Block, depth: int, *, step: s.Assign | None = None, first_check: bool = True
    ) -> None:
        """All three kinds of loop. Step and condition open each round but the first, so `continue` is right."""
        flag = self.fresh("first")
        self.emit(depth, f"{flag} = True")
        waits = _suspends(body, self.functions)
        if waits:
            place, turn = self.next_place(), self.fresh("turn")
            self.around += [str(place), turn]
            self.emit(depth, f"{turn} = 0")
        self.emit(depth, "while True:")
        self.emit(depth + 1, "fuel[0] -= 1")
        self.emit(depth + 1, "if fuel[0] < 0: raise OutOfFuelError")
        if step is not None:
            self.emit(depth + 1, f"if not {flag}:")
            self.statement(step, depth + 2)
        self.emit(
            depth + 1, f"if not ({condition}): break" if first_check else f"if not {flag} and not ({condition}): break"
        )
        self.emit(depth + 1, f"{flag} = False")
        if waits:
            self.emit(depth + 1, f"{turn} += 1")
        self.enclosing.append(None)
        self.block(body, depth + 1)
        self.enclosing.pop()
        if waits:
            del self.around[-2:]

    def switch(self, node: s.Switch, depth: int) -> None:
        """A loop of one round, entered at the matching case; each later body follows unless a break ends the round."""
        value, entry, again = self.fresh("value"), self.fresh("entry"), self.fresh("again")
        self.emit(depth, f"{value} = {self.expression(node.value)}")
        table = {label: place for place, case in enumerate(node.cases) for label in case.labels}
        default = next((place for place, case in enumerate(node.cases) if not case.labels), len(node.cases))
        self.emit(depth, f"{again} = False")
        self.emit(depth, f"for {entry} in ({table!r}.get({value}, {default}),):")
        self.enclosing.append(again)
        for place, case in enumerate(node.cases):
            self.emit(depth + 1, f"if {entry} <= {place}:")
            self.block(case.body, depth + 2)
        if not node.cases:
            self.emit(depth + 1, "pass")
        self.enclosing.pop()
        if any(around is None for around in self.enclosing):
            self.emit(depth, f"if {again}:")
            self.continue_(depth + 1)

    def continue_(self, depth: int) -> None:
        flag = self.enclosing[-1]
        if flag is None:
            self.emit(depth, "continue")
        else:
            self.emit(depth, f"{flag} = True")
            self.emit(depth, "break")

    def statement(self, node: s.Statement, depth: int) -> None:
        match node:
            case s.Declare(name, _, value):
                self.emit(depth, f"v_{name} = {self.expression(value)}")
            case s.DeclareArray(name, _, values):
                self.emit(depth, f"v_{name} = [{', '.join(map(self.expression, values))}]")
            case s.FillArray(name, _, count, index, value):
                self.emit(depth, f"v_{name} = [None] * {count}")
                self.emit(depth, f"for v_{index} in range({count}): v_{name}[v_{index}] = {self.expression(value)}")
            case s.DeclarePointer(name, _, _, condition, first, second):
                choice = (
                    f"({self.arguments([first])}) if {self.expression(condition)} else ({self.arguments([second])})"
                )
                self.emit(depth, f"v_{name}, v_{name}_at = {choice}")
                self.pointers.add(name)
            case s.Assign(target, value, operator):
                result = s.Binary(target.type, operator, target, value) if operator else value
                self.store(target, self.expression(result), depth)
            case s.If(condition, then, otherwise):
                self.emit(depth, f"if {self.expression(condition)}:")
                self.block(then, depth + 1)
                if otherwise:
                    self.emit(depth, "else:")
                    self.block(otherwise, depth + 1)
            case s.For(start, condition, step, body):
                self.statement(start, depth)
                self.loop(self.expression(condition), body, depth, step=step)
            case s.While(condition, body):
                self.loop(self.expression(condition), body, depth)
            case s.DoWhile(body, condition):
                self.loop(self.expression(condition), body, depth, first_check=False)
            case s.Break():
                self.emit(depth, "break")
            case s.Continue():
                self.continue_(depth)
            case s.Return(value):
                if self.in_function:
                    result = "None" if value is None else self.expression(value)
                    self.emit(depth, f"return ({', '.join([result, *self.references])},)")
                else:
                    self.emit(depth, "return")
            case s.Switch():
                self.switch(node, depth)
            case s.Barrier():
                self.emit(depth, f"yield Meeting({self.meeting()})")
            case s.Atomic(operation, array, index, value, target):
                place, text = self.index(array, index), self.expression(value)
                if target is not None:
                    self.store(target, place, depth)
                if operation != "store":
                    function = self.constant(f"atomic_{operation}", ATOMICS[operation])
                    text = f"wrap({function}({place}, {text}), {self.constant('type', value.type)})"
                self.emit(depth, f"{place} = {text}")
            case s.CallStatement(name, arguments, target):
                function = self.functions[name]
                waits = _suspends(function.body, self.functions)
                wait, where = ("(yield from ", f"{self.meeting()}, ") if waits else ("(", "")
                result = self.fresh("result")
                self.emit(depth, f"{result} = {wait}f_{name}({where}{self.arguments(arguments)}))")
                given = zip(function.parameters, arguments, strict=True)
                for place, variable in enumerate(a for p, a in given if p.kind == "reference"):
                    self.store(variable, f"{result}[{place + 1}]", depth)
                if target is not None:
                    self.store(target, f"{result}[0]", depth)
            case s.Simd(target, operation, value, arguments):
                brought = f"{self.expression(value)}, ({''.join(self.expression(a) + ', ' for a in arguments)})"
                type_ = self.constant("type", element_type(value.type))
                self.emit(
                    depth, f"v_{target.name} = yield Meeting({self.meeting()}, {operation!r}, {brought}, {type_})"
                )
            case _:
                raise TypeError(f"not a statement: {node}")

    def next_place(self) -> int:
        self.count += 1
        return self.count

    def meeting(self) -> str:
        return f"({', '.join([*self.around, str(self.next_place())])},)"

    # ---- Functions ----

    def function(self, node: s.Function) -> None:
        self.in_function = True
        self.pointers = {p.name for p in node.parameters if p.kind not in ("value", "reference")}
        self.references = [f"v_{p.name}" for p in node.parameters if p.kind == "reference"]
        waits = _suspends(node.body, self.functions)
        parameters, self.around = (["caller"], ["*caller"]) if waits else ([], [])
        for p in node.parameters:
            parameters += [f"v_{p.name}", f"v_{p.name}_at"] if p.name in self.pointers else [f"v_{p.name}"]
        self.emit(0, f"def f_{node.name}({', '.join(parameters)}):")
        self.block(node.body, 1)
        self.emit(1, f"return ({', '.join(['None', *self.references])},)")
        self.in_function, self.pointers, self.references, self.around = False, set(), [], []

    def thread(self) -> Callable[..., Generator[Meeting, Any, None]]:
        for function in self.kernel.functions:
            self.function(function)
        names = [*self.kernel.attributes, *self.kernel.buffers, *self.kernel.shared]
        self.emit(0, f"def thread({', '.join(f'v_{n.name}' for n in names)}):")
        self.block(self.kernel.body, 1)
        self.emit(1, "return")
        self.emit(1, "yield")
        exec(compile("\n".join(self.lines), f"<reference of {self.kernel.name}>", "exec"), self.names)
        return self.names["thread"]


def element_type(type_: s.Type) -> s.Scalar:
    return type_.element if isinstance(type_, s.Vector) else type_


class Reference:
    """A kernel that can be executed, slowly. `source` is the Python text it became."""

    def __init__(self, kernel: s.Kernel) -> None:
        translator = _Translator(kernel)
        self.kernel = kernel
        self._fuel = [0]
        translator.names["fuel"] = self._fuel
        self._thread = translator.thread()
        self.source = "\n".join(translator.lines)

    def execute(
        self, launch: s.Launch, buffers: dict[str, list], *, backwards: bool = False, fuel: int = 1_000_000
    ) -> None:
        """Run all threads, changing `buffers`. `backwards` takes groups and threads in the other order."""
        self._fuel[0] = fuel
        arguments = [buffers[b.name][0] if b.kind == "value" else buffers[b.name] for b in self.kernel.buffers]

        def start_group() -> Callable[[Position], Generator]:
            shared = [[Cell() for _ in range(array.length)] for array in self.kernel.shared]
            return lambda where: self._thread(*(where.value(a) for a in self.kernel.attributes), *arguments, *shared)

        run_grid(launch, start_group, backwards=backwards)
        if any(isinstance(value, Cell) for values in buffers.values() for value in values):
            raise IllegalKernelError("threadgroup memory was read before it was written")
