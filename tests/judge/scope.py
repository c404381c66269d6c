# SPDX-License-Identifier: MIT
"""What the generator of random kernels knows at a place in a kernel: who is together there, and what may be used."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from . import syntax as s


class Level(IntEnum):
    """How many threads agree on a value, or run a statement together."""

    THREAD = 0
    SIMDGROUP = 1
    GROUP = 2


@dataclass(frozen=True)
class Variable:
    name: str
    type: s.Type
    level: Level
    assignable: bool = True


@dataclass(frozen=True)
class Array:
    """An array that may be indexed here; `length` is an expression where it depends on the threadgroup."""

    name: str
    element: s.Type
    length: s.Expression
    level: Level  # of an element at an index all agree on
    writable: bool = False
    space: str = "thread"  # what stands before the type of a pointer to it
    roots: tuple[str, ...] = ()  # the arrays that a pointer may point into


@dataclass(frozen=True)
class Own:
    """A thread's own elements of an array: `array[index * count + k]`, k < count; no other thread touches them."""

    array: str
    element: s.Type
    index: s.Expression
    count: int


@dataclass(frozen=True)
class Context:
    control: Level  # who is together here
    leave: Level | None = None  # who must be together for `break`; None: nothing to break from
    again: Level | None = None  # the same for `continue`
    back: Level | None = None  # the same for `return`
    depth: int = 0  # of nested statements
    rounds: int = 6  # that a loop here may go
    writing: str = ""  # the threadgroup array whose elements are being written: not to be read
    call_free: bool = False

    def inside(self, **changes: object) -> Context:
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Features:
    """What generated kernels may use."""

    vectors: bool = True
    reals: bool = True
    pointers: bool = True
    structs: bool = True
    builtins: bool = True
    atomics: bool = True
    barriers: bool = True
    functions: bool = True
    switches: bool = True
    simd: bool = True
    statements: int = 24
    threads: int = 160
