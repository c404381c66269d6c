# SPDX-License-Identifier: MIT
"""What a kernel's arguments are, by reflection."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from . import _native as mtl
from ._texture_kinds import kind_of
from ._types import ElementType, element_type

__all__ = ["Argument", "position_rank", "signature_in"]

_KINDS = {
    mtl.BindingType.Buffer: "buffer",
    mtl.BindingType.ThreadgroupMemory: "threadgroup",
    mtl.BindingType.Texture: "texture",
    mtl.BindingType.Sampler: "sampler",
    mtl.BindingType.VisibleFunctionTable: "function_table",
}
_ACCESS = {
    mtl.BindingAccess.ReadOnly: "read",
    mtl.BindingAccess.ReadWrite: "read_write",
    mtl.BindingAccess.WriteOnly: "write",
}
_POSITION = re.compile(r"\b(?:uint|ushort)([23]?)\s+\w+\s*\[\[[^\]]*\bthread_position_in_grid\b")
_UNKNOWN_INDEX = 0xFFFFFFFF  # until function constants have values
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel.

    Attributes
    ----------
    name : str
    kind : str
        ``"buffer"``, ``"texture"``, ``"sampler"``, ``"threadgroup"`` or ``"function_table"``.
    index : int
        ``n`` of ``[[buffer(n)]]``.
    access : str
        ``"read"``, ``"write"`` or ``"read_write"``.
    """

    native: mtl.Argument
    name: str
    kind: str
    index: int
    access: str

    @classmethod
    def from_native(cls, native: mtl.Argument) -> Argument:
        """Read one entry of the reflection."""
        return cls(
            native, native.name, _KINDS[native.kind], int(native.index), _ACCESS.get(native.access, "read_write")
        )

    @cached_property
    def is_writable(self) -> bool:
        """Whether the kernel may write to it."""
        return self.access != "read" and self.kind in ("buffer", "texture")

    @cached_property
    def is_optional(self) -> bool:
        """Whether a call may leave it out: function constants decide whether it is there."""
        return bool(self.native.condition)

    @cached_property
    def alignment(self) -> int:
        """Bytes, of which a buffer's address must be a multiple."""
        return int(self.native.alignment)

    @cached_property
    def element(self) -> ElementType:
        """What a buffer points at."""
        info = self.native.type
        name = mtl.data_type_name(info.data_type) if info is not None else ""
        return element_type(info, name, int(self.native.size))

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """NumPy type with Metal's layout of what a buffer points at; None for other kinds or where it is unknown."""
        return self.element.dtype if self.kind == "buffer" else None

    @cached_property
    def takes_value(self) -> bool:
        """Whether a call may give a number, a tuple or a dict for it: ``constant T&``."""
        if self.kind != "buffer" or self.is_writable:
            return False
        # A Mac's reflection doesn't tell a reference from a pointer.
        return self.native.is_reference is not False

    @cached_property
    def type_text(self) -> str:
        """The type as Metal writes it, such as ``device const float*``."""
        if self.native.type_text:
            return self.native.type_text
        if self.kind == "buffer":
            const = "" if self.is_writable else "const "
            return f"device {const}{self.element.name}*"
        if self.kind == "texture":
            scalar = (
                mtl.data_type_name(self.native.texture_data_type)
                if self.native.texture_data_type is not None
                else "float"
            )
            kind = kind_of(self.native.texture_type)
            name = "2d" if kind is None else kind.name
            return f"texture{'_' * (name == 'buffer')}{name}<{scalar}, access::{self.access}>"
        return "threadgroup void*" if self.kind == "threadgroup" else "sampler"

    @property
    def place(self) -> str:
        """Where it is bound, as ``[[buffer(0)]]``; what function constants say is not known before they are."""
        return f"[[{self.kind}({self.index if self.index < _UNKNOWN_INDEX else '...'})]]"

    @property
    def declaration(self) -> str:
        """Type and name, as in the source."""
        return f"{self.type_text} {self.name}"

    def __repr__(self) -> str:
        return f"<Argument {self.declaration} {self.place}>"


def position_rank(signature: str) -> int | None:
    """Count the components of a kernel's ``thread_position_in_grid``; None when it has none."""
    match = _POSITION.search(signature)
    return int(match[1] or 1) if match else None


def signature_in(source: str, name: str) -> str:
    """Find a kernel's declaration in the source, for devices whose reflection has no signature; empty if not found."""
    text = _COMMENTS.sub(" ", source)
    match = re.search(rf"\bvoid\s+{re.escape(name)}\s*\(", text)
    if match is None:
        return ""
    depth, end = 1, match.end()
    while end < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return " ".join(text[match.start() : end].split())


def marked_signature(kernel: str, arguments: Sequence[Argument], marked: Collection[int] = ()) -> str:
    """Write a kernel's signature, one argument a line, with an arrow at those that are meant."""
    if not arguments:
        return f"    {kernel}()"
    lines = [f"    {kernel}("]
    for i, argument in enumerate(arguments):
        comma = "," if i + 1 < len(arguments) else ""
        lines.append(f"{'--> ' if i in marked else '    '}    {argument.declaration}{comma}")
    return "\n".join([*lines, "    )"])
