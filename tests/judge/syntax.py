# SPDX-License-Identifier: MIT
"""The abstract syntax from which a kernel's Metal text (`metal_text`) and its reference execution are made.

Every expression knows its type and no conversion is implicit, so neither side has to know C++'s conversion rules.
All nodes are plain frozen dataclasses: their `repr` builds them again, which is how a failing kernel is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

# ---- Types ----


@dataclass(frozen=True)
class Scalar:
    name: str
    bits: int
    signed: bool

    @property
    def size(self) -> int:
        return max(1, self.bits // 8)

    @property
    def alignment(self) -> int:
        return self.size

    @property
    def real(self) -> bool:
        return self.name in ("float", "half", "bfloat")

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Vector:
    element: Scalar
    count: int

    @property
    def size(self) -> int:
        return self.element.size * (4 if self.count == 3 else self.count)

    @property
    def alignment(self) -> int:
        return self.size

    def __str__(self) -> str:
        return f"{self.element.name}{self.count}"


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[tuple[str, Scalar | Vector], ...]

    @property
    def offsets(self) -> tuple[int, ...]:
        offsets, end = [], 0
        for _, type_ in self.fields:
            end = -(-end // type_.alignment) * type_.alignment
            offsets.append(end)
            end += type_.size
        return tuple(offsets)

    @property
    def alignment(self) -> int:
        return max(type_.alignment for _, type_ in self.fields)

    @property
    def size(self) -> int:
        end = self.offsets[-1] + self.fields[-1][1].size
        return -(-end // self.alignment) * self.alignment

    def position(self, name: str) -> int:
        return [field_name for field_name, _ in self.fields].index(name)

    def __str__(self) -> str:
        return self.name


Type = Scalar | Vector | Struct

BOOL = Scalar("bool", 1, False)
CHAR, UCHAR = Scalar("char", 8, True), Scalar("uchar", 8, False)
SHORT, USHORT = Scalar("short", 16, True), Scalar("ushort", 16, False)
INT, UINT = Scalar("int", 32, True), Scalar("uint", 32, False)
LONG, ULONG = Scalar("long", 64, True), Scalar("ulong", 64, False)
FLOAT, HALF, BFLOAT = Scalar("float", 32, True), Scalar("half", 16, True), Scalar("bfloat", 16, True)
INTEGERS = (INT, UINT, SHORT, USHORT, CHAR, UCHAR, LONG, ULONG)
REALS = (FLOAT, HALF, BFLOAT)
SCALARS = (*INTEGERS, *REALS, BOOL)


# ---- Expressions (all without side effects) ----


@dataclass(frozen=True)
class Literal:
    type: Scalar
    value: int


@dataclass(frozen=True)
class Local:
    """A variable, parameter, index attribute or `constant T&` argument."""

    type: Type
    name: str


@dataclass(frozen=True)
class Element:
    """`array[index]`; `index` is a uint that is always in range."""

    type: Type
    array: str
    index: Expression


@dataclass(frozen=True)
class Member:
    type: Scalar | Vector
    base: Expression
    name: str


@dataclass(frozen=True)
class Swizzle:
    type: Scalar | Vector
    base: Expression
    components: str


@dataclass(frozen=True)
class Unary:
    type: Scalar | Vector
    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """Both operands have the same type; comparisons give bool (bools, for vectors), the rest the operands' type."""

    type: Scalar | Vector
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Conditional:
    type: Type
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class Convert:
    type: Scalar | Vector
    operand: Expression


@dataclass(frozen=True)
class Construct:
    """`int4(a, b.xy, c)` of scalars and vectors, or `Pair{a, b}`."""

    type: Vector | Struct
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Builtin:
    """A function of the standard library; `integers.BUILTINS` defines what it computes."""

    type: Scalar | Vector
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class MatrixTimes:
    """A matrix of `columns` times a vector of as many elements."""

    type: Vector
    columns: tuple[Expression, ...]
    operand: Expression


@dataclass(frozen=True)
class Call:
    """A helper function whose parameters are all values or arrays (given as `ArrayArgument`)."""

    type: Type
    function: str
    arguments: tuple[Expression | ArrayArgument, ...]


@dataclass(frozen=True)
class ArrayArgument:
    """An array, or its part from `offset` on, handed to a pointer parameter."""

    array: str
    offset: Expression


Expression = (
    Literal | Local | Element | Member | Swizzle | Unary | Binary | Conditional | Convert | Construct | Builtin
    | MatrixTimes | Call
)  # fmt: skip


# ---- Statements ----


@dataclass(frozen=True)
class Declare:
    name: str
    type: Type
    value: Expression


@dataclass(frozen=True)
class DeclareArray:
    """A private array, filled with `values` (as many as it has elements)."""

    name: str
    element: Type
    values: tuple[Expression, ...]


@dataclass(frozen=True)
class FillArray:
    """A private array of `count` elements, each `value`, in which `index` says which it is."""

    name: str
    element: Type
    count: int
    index: str
    value: Expression


@dataclass(frozen=True)
class DeclarePointer:
    """`SPACE element* name = condition ? first : second`; `space` as a parameter's kind."""

    name: str
    element: Type
    space: str
    condition: Expression
    first: ArrayArgument
    second: ArrayArgument


@dataclass(frozen=True)
class Assign:
    """`target = value`, or `target += value` and its like when `operator` is not empty."""

    target: Expression
    value: Expression
    operator: str = ""


@dataclass(frozen=True)
class If:
    condition: Expression
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True)
class For:
    start: Declare
    condition: Expression
    step: Assign
    body: Block


@dataclass(frozen=True)
class While:
    condition: Expression
    body: Block


@dataclass(frozen=True)
class DoWhile:
    body: Block
    condition: Expression


@dataclass(frozen=True)
class Break:
    pass


@dataclass(frozen=True)
class Continue:
    pass


@dataclass(frozen=True)
class Return:
    value: Expression | None = None


@dataclass(frozen=True)
class Case:
    """Labels (none: `default`) and what follows them; without a `Break` at its end it falls into the next."""

    labels: tuple[int, ...]
    body: Block


@dataclass(frozen=True)
class Switch:
    value: Expression
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Barrier:
    """`threadgroup_barrier`; `flags` is what follows `mem_flags::`."""

    flags: str = "mem_threadgroup"


@dataclass(frozen=True)
class Atomic:
    """`atomic_fetch_OP_explicit(&array[index], value, memory_order_relaxed)`; `target` takes what was there before."""

    operation: str
    array: str
    index: Expression
    value: Expression
    target: Local | None = None


@dataclass(frozen=True)
class CallStatement:
    """A helper called for effect; reference parameters get variables that are distinct from each other."""

    function: str
    arguments: tuple[Expression | ArrayArgument, ...]
    target: Expression | None = None


@dataclass(frozen=True)
class Simd:
    """`target = simd_sum(value)` and its like, `quad_*` too; for the threads of a SIMD-group that come there together.

    `arguments` follow the value: a lane or distance; for `shuffle_and_fill_*` filling data, distance and modulo.
    """

    target: Local
    operation: str
    value: Expression
    arguments: tuple[Expression, ...] = ()


Statement = (
    Declare | DeclareArray | FillArray | DeclarePointer | Assign | If | For | While | DoWhile | Break | Continue
    | Return | Switch | Barrier | Atomic | CallStatement | Simd
)  # fmt: skip
Block = tuple[Statement, ...]


# ---- Functions ----


@dataclass(frozen=True)
class Parameter:
    """kind: `value`, `reference` (`thread T&`), or of a pointer what stands before its type: `device const`."""

    name: str
    type: Type
    kind: str = "value"


@dataclass(frozen=True)
class Function:
    name: str
    result: Type | None
    parameters: tuple[Parameter, ...]
    body: Block


@dataclass(frozen=True)
class Attribute:
    """An index attribute, such as `thread_position_in_grid`, under a name; the type's size says how many dimensions."""

    attribute: str
    name: str
    type: Scalar | Vector


@dataclass(frozen=True)
class Buffer:
    """A buffer argument. kind: `in` (device const), `constant`, `value` (constant T&), `out` or `atomic` (device).

    `length` counts elements; None means `per_thread` elements for each thread of the grid.
    `content` seeds what it holds before the launch.
    """

    name: str
    type: Type
    kind: str
    length: int | None = 1
    per_thread: int = 1
    content: int = 0


@dataclass(frozen=True)
class SharedArray:
    """A `threadgroup` array of the kernel; its elements are atomic_int or atomic_uint when `atomic`."""

    name: str
    element: Type
    length: int
    atomic: bool = False


@dataclass(frozen=True)
class Kernel:
    name: str
    attributes: tuple[Attribute, ...]
    buffers: tuple[Buffer, ...]
    shared: tuple[SharedArray, ...]
    body: Block
    functions: tuple[Function, ...] = ()
    structs: tuple[Struct, ...] = ()


@dataclass(frozen=True)
class Launch:
    grid: tuple[int, int, int]
    threadgroup: tuple[int, int, int]

    @property
    def thread_count(self) -> int:
        x, y, z = self.grid
        return x * y * z


@dataclass(frozen=True)
class Program:
    """A kernel and the launches to try it with, each on fresh buffers."""

    kernel: Kernel
    launches: tuple[Launch, ...] = (Launch((1, 1, 1), (1, 1, 1)),)
