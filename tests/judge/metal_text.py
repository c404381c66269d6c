# SPDX-License-Identifier: MIT
"""A kernel of `syntax` as Metal source text."""

from __future__ import annotations

from . import syntax as s

_SUFFIX = {"int": "", "uint": "u", "long": "l", "ulong": "ul"}
_REAL_SUFFIX = {"float": "f", "half": "h", "bfloat": "bf"}


def literal(node: s.Literal) -> str:
    name, value = node.type.name, node.value
    if node.type.real:
        text = f"{float(value)}{_REAL_SUFFIX[name]}"
        return f"({text})" if value < 0 else text
    if node.type is s.BOOL or name == "bool":
        return "true" if value else "false"
    if name not in _SUFFIX:
        return f"{name}({value})"
    suffix = _SUFFIX[name]
    if node.type.signed and value == -(1 << (node.type.bits - 1)):
        return f"(-{-value - 1}{suffix} - 1)"
    return f"({value}{suffix})" if value < 0 else f"{value}{suffix}"


class _Printer:
    def __init__(self, kernel: s.Kernel) -> None:
        self.kernel = kernel
        self.atomic_arrays = {b.name for b in kernel.buffers if b.kind == "atomic"}
        self.atomic_arrays |= {a.name for a in kernel.shared if a.atomic}
        self.lines: list[str] = []

    # ---- Expressions ----

    def bare(self, node: s.Expression) -> str:
        """Without the outermost parentheses, where none can be needed."""
        text = self.expression(node)
        return text[1:-1] if isinstance(node, (s.Binary, s.Conditional)) and text[0] == "(" else text

    def list(self, nodes: tuple[s.Expression | s.ArrayArgument, ...]) -> str:
        return ", ".join(self.array_argument(n) if isinstance(n, s.ArrayArgument) else self.bare(n) for n in nodes)

    def array_argument(self, node: s.ArrayArgument) -> str:
        if isinstance(node.offset, s.Literal) and node.offset.value == 0:
            return node.array
        return f"{node.array} + {self.expression(node.offset)}"

    def expression(self, node: s.Expression) -> str:
        match node:
            case s.Literal():
                return literal(node)
            case s.Local(_, name):
                return name
            case s.Element(_, array, index):
                place = f"{array}[{self.bare(index)}]"
                return f"atomic_load_explicit(&{place}, memory_order_relaxed)" if array in self.atomic_arrays else place
            case s.Member(_, base, name) | s.Swizzle(_, base, name):
                return f"{self.expression(base)}.{name}"
            case s.Unary(type_, operator, operand):
                text = f"{operator}{self.expression(operand)}"
                return f"{type_}({text})" if self.promotes(type_) and operator != "!" else f"({text})"
            case s.Binary(_, operator, left, right):
                text = f"{self.expression(left)} {operator} {self.expression(right)}"
                same = node.type == left.type and operator not in ("&&", "||", "==", "!=")
                return f"{node.type}({text})" if same and self.promotes(node.type) else f"({text})"
            case s.Conditional(_, condition, then, otherwise):
                condition_text, then_text = self.expression(condition), self.expression(then)
                return f"({condition_text} ? {then_text} : {self.expression(otherwise)})"
            case s.Convert(type_, operand):
                return f"{type_}({self.bare(operand)})"
            case s.Construct(type_, arguments):
                text = self.list(arguments)
                return f"{type_}{{{text}}}" if isinstance(type_, s.Struct) else f"{type_}({text})"
            case s.Builtin(type_, name, arguments):
                # The conversion keeps overloads whose result has another type (absdiff) at the type that the node says.
                return f"{type_}({name}({self.list(arguments)}))"
            case s.MatrixTimes(type_, columns, operand):
                matrix = f"{type_.element}{len(columns)}x{type_.count}({self.list(columns)})"
                return f"({matrix} * {self.expression(operand)})"
            case s.Call(_, function, arguments):
                return f"{function}({self.list(arguments)})"
        raise TypeError(f"not an expression: {node}")

    @staticmethod
    def promotes(type_: s.Type) -> bool:
        """Whether C++ computes on this type as int."""
        return isinstance(type_, s.Scalar) and type_.bits < 32 and not type_.real

    # ---- Statements ----

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, statements: s.Block, depth: int) -> None:
        for statement in statements:
            self.statement(statement, depth)

    def braced(self, head: str, statements: s.Block, depth: int, tail: str = "}") -> None:
        self.emit(depth, f"{head} {{")
        self.block(statements, depth + 1)
        self.emit(depth, tail)

    def assignment(self, node: s.Assign) -> str:
        return f"{self.expression(node.target)} {node.operator}= {self.bare(node.value)}"

    def statement(self, node: s.Statement, depth: int) -> None:
        match node:
            case s.Declare(name, type_, value):
                self.emit(depth, f"{type_} {name} = {self.bare(value)};")
            case s.DeclareArray(name, element, values):
                self.emit(depth, f"{element} {name}[{len(values)}] = {{{self.list(values)}}};")
            case s.FillArray(name, element, count, index, value):
                self.emit(depth, f"{element} {name}[{count}];")
                self.emit(depth, f"for (uint {index} = 0u; {index} < {count}u; {index} += 1u)")
                self.emit(depth + 1, f"{name}[{index}] = {self.bare(value)};")
            case s.DeclarePointer(name, element, space, condition, first, second):
                choice = f"{self.bare(condition)} ? {self.array_argument(first)} : {self.array_argument(second)}"
                self.emit(depth, f"{space} {element}* {name} = {choice};")
            case s.Assign():
                self.emit(depth, f"{self.assignment(node)};")
            case s.If(condition, then, otherwise):
                self.braced(f"if ({self.bare(condition)})", then, depth, "} else {" if otherwise else "}")
                if otherwise:
                    self.block(otherwise, depth + 1)
                    self.emit(depth, "}")
            case s.For(start, condition, step, body):
                first = f"{start.type} {start.name} = {self.bare(start.value)}"
                self.braced(f"for ({first}; {self.bare(condition)}; {self.assignment(step)})", body, depth)
            case s.While(condition, body):
                self.braced(f"while ({self.bare(condition)})", body, depth)
            case s.DoWhile(body, condition):
                self.braced("do", body, depth, f"}} while ({self.bare(condition)});")
            case s.Break():
                self.emit(depth, "break;")
            case s.Continue():
                self.emit(depth, "continue;")
            case s.Return(value):
                self.emit(depth, "return;" if value is None else f"return {self.bare(value)};")
            case s.Switch(value, cases):
                self.emit(depth, f"switch ({self.bare(value)}) {{")
                for case in cases:
                    labels = [f"case {label}:" for label in case.labels] or ["default:"]
                    self.braced(" ".join(labels), case.body, depth)
                self.emit(depth, "}")
            case s.Barrier(flags):
                joined = " | ".join(f"mem_flags::{flag.strip()}" for flag in flags.split("|"))
                self.emit(depth, f"threadgroup_barrier({joined});")
            case s.Atomic(operation, array, index, value, target):
                # Those of 64 bits give nothing back.
                fetch = "" if operation == "store" or value.type == s.ULONG else "fetch_"
                function = f"atomic_{fetch}{operation}_explicit"
                place = f"&{array}[{self.bare(index)}]"
                before = "" if target is None else f"{target.name} = "
                self.emit(depth, f"{before}{function}({place}, {self.bare(value)}, memory_order_relaxed);")
            case s.CallStatement(function, arguments, target):
                call = f"{function}({self.list(arguments)});"
                self.emit(depth, call if target is None else f"{self.expression(target)} = {call}")
            case s.Simd(target, operation, value, arguments):
                self.emit(depth, f"{target.name} = {self.exchange(operation, value, arguments)};")
            case _:
                raise TypeError(f"not a statement: {node}")

    def exchange(self, operation: str, value: s.Expression, arguments: tuple[s.Expression, ...]) -> str:
        if operation.endswith("_is_first"):
            return f"{operation}()"
        if operation.endswith(("_ballot", "_mask")):
            vote = "" if operation.endswith("_mask") else self.bare(value)
            return f"uint(({operation[:4]}_vote::vote_t){operation}({vote}))"
        return f"{operation}({self.list((value, *arguments))})"

    # ---- Functions ----

    @staticmethod
    def parameter(node: s.Parameter) -> str:
        if node.kind == "value":
            return f"{node.type} {node.name}"
        if node.kind == "reference":
            return f"thread {node.type}& {node.name}"
        return f"{node.kind} {node.type}* {node.name}"

    @staticmethod
    def argument(node: s.Buffer, index: int) -> str:
        start = {
            "in": f"device const {node.type}* {node.name}",
            "constant": f"constant {node.type}* {node.name}",
            "value": f"constant {node.type}& {node.name}",
            "out": f"device {node.type}* {node.name}",
            "atomic": f"device atomic_{node.type}* {node.name}",
        }[node.kind]
        return f"{start} [[buffer({index})]]"

    def text(self) -> str:
        for struct in self.kernel.structs:
            fields = " ".join(f"{type_} {name};" for name, type_ in struct.fields)
            self.emit(0, f"struct {struct.name} {{ {fields} }};")
        for function in self.kernel.functions:
            parameters = ", ".join(self.parameter(p) for p in function.parameters)
            result = "void" if function.result is None else function.result
            self.braced(f"static {result} {function.name}({parameters})", function.body, 0)
        arguments = [self.argument(buffer, index) for index, buffer in enumerate(self.kernel.buffers)]
        arguments += [f"{a.type} {a.name} [[{a.attribute}]]" for a in self.kernel.attributes]
        self.emit(0, f"kernel void {self.kernel.name}(")
        self.emit(2, (",\n" + "    " * 2).join(arguments) + ")")
        self.emit(0, "{")
        for array in self.kernel.shared:
            self.emit(
                1, f"threadgroup {'atomic_' if array.atomic else ''}{array.element} {array.name}[{array.length}];"
            )
        self.block(self.kernel.body, 1)
        self.emit(0, "}")
        return "\n".join(self.lines) + "\n"


HEADER = "#include <metal_stdlib>\nusing namespace metal;\n\n"


def metal_text(*kernels: s.Kernel) -> str:
    """The whole source of a library that holds `kernels`."""
    return HEADER + "\n".join(_Printer(kernel).text() for kernel in kernels)
