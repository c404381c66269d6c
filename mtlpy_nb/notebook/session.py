# SPDX-License-Identifier: MIT
"""What the ``%%metal`` cells of a notebook have made so far."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from types import ModuleType
from typing import Any

from .._includes import Includes, includes_of, resolve_includes
from ..completion import Completions, complete
from ..device import Device, default_device
from ..kernel import Kernel
from ..library import Library, compile_library

__all__ = ["Cell", "Session", "with_preamble"]

# The body of a cell starts at its second line, which is what the front end's line numbers say.
_FIRST_LINE = 2
_INCLUDES_STDLIB = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<metal_stdlib>", re.MULTILINE)
_USES_METAL = re.compile(r"\busing\s+namespace\s+metal\s*;")


@dataclass
class Cell:
    """A ``%%metal`` cell's text and how to compile it."""

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    folders: Sequence[str] = ()
    preamble: bool = True
    device: Device | None = None
    library_name: str | None = None


class Session:
    """Names that cells have put into a notebook, and the headers that later cells may include."""

    def __init__(self, namespace: MutableMapping[str, Any]) -> None:
        self._namespace = namespace
        self._device: Device | None = None
        self.headers: dict[str, str] = {}
        self._cells: dict[str, Cell] = {}  # by the name of each function: the cell that defines it now
        self._injected: dict[str, Any] = {}

    @property
    def device(self) -> Device:
        """The device that cells compile for."""
        return self._device or default_device()

    def use(self, device: Device) -> None:
        """Compile later cells for `device`."""
        self._device = device

    def compile(self, cell: Cell) -> Library:
        """Compile a cell without putting anything into the notebook."""
        text = resolve_includes(_whole_text(cell), self.headers)
        return compile_library(
            cell.device or self.device,
            text,
            options=cell.options,
            includes=list(cell.folders),
            constants=cell.constants,
        )

    def complete(self, cell: Cell, line: int, column: int) -> Completions:
        """Find what may be written at a place of a cell's text, counted from 1."""
        text = _whole_text(cell)
        added = text.count("\n") - cell.text.count("\n")
        headers: Includes = {**self.headers} if not cell.folders else list(cell.folders)
        return complete(text, line + added, column, options=cell.options, includes=headers)

    def define(self, cell: Cell, library: Library) -> list[str]:
        """Put a cell's functions into the notebook under their names.

        Returns
        -------
        list of str
            What a person must be told of names that hide something else.
        """
        warnings: list[str] = []
        for name in library.functions:
            warnings += self._inject(name, library[name])
            self._cells[name] = cell
        known = {name for kernel in self._kernels(library) for name in kernel._constant_names()}
        warnings += [f"no kernel of this cell has a function constant {n}" for n in cell.constants if n not in known]
        if cell.library_name:
            warnings += self._inject(cell.library_name, library)
        return warnings

    def set_header(self, name: str, text: str) -> list[str]:
        """Let later cells include `text` as `name`, and compile again the cells that do so already.

        Returns
        -------
        list of str
            Names of the functions made anew.
        """
        self.headers[name] = f"#line {_FIRST_LINE}\n{text}"
        again: list[str] = []
        for cell in {id(cell): cell for cell in self._cells.values()}.values():
            if self._includes(cell.text, name):
                library = self.compile(cell)
                self.define(cell, library)
                again += library.functions
        return again

    def forget(self) -> None:
        """Take what cells defined out of the notebook, where it is still the same."""
        for name, value in self._injected.items():
            if self._namespace.get(name) is value:
                del self._namespace[name]
        self._injected.clear()
        self._cells.clear()
        self.headers.clear()

    def _kernels(self, library: Library) -> list[Kernel]:
        return [kernel for kernel in map(library.__getitem__, library.functions) if isinstance(kernel, Kernel)]

    def _inject(self, name: str, value: object) -> list[str]:
        warning = self._hides(name)
        self._namespace[name] = self._injected[name] = value
        return [warning] if warning else []

    def _hides(self, name: str) -> str | None:
        """Say what the name means so far, if that is worth a warning."""
        if iskeyword(name):
            return f"{name} is a word of Python's own: bind the library with -o NAME and use NAME[{name!r}]"
        present = self._namespace.get(name)
        if present is not None and present is self._injected.get(name):
            return None
        if isinstance(present, ModuleType):
            return f"the kernel {name} now hides the module {present.__name__}; give it another name to keep both"
        if present is None and hasattr(builtins, name):
            return f"the kernel {name} now hides Python's {name}(); `del {name}` brings that back"
        if callable(present) and not isinstance(present, Kernel):
            return f"the kernel {name} replaces the {type(present).__name__} {name}"
        return None

    def _includes(self, text: str, name: str, seen: frozenset[str] = frozenset()) -> bool:
        direct = includes_of(text)
        if name in direct:
            return True
        inner = [n for n in direct if n in self.headers and n not in seen]
        return any(self._includes(self.headers[n], name, seen | {n}) for n in inner)


def _whole_text(cell: Cell) -> str:
    return with_preamble(cell.text) if cell.preamble else f"#line {_FIRST_LINE}\n{cell.text}"


def with_preamble(text: str) -> str:
    """Add ``#include <metal_stdlib>`` and ``using namespace metal;`` where they are missing; line numbers stay."""
    lines = []
    if not _INCLUDES_STDLIB.search(text):
        lines.append("#include <metal_stdlib>")
    if not _USES_METAL.search(text):
        if _INCLUDES_STDLIB.search(text):  # the namespace must exist before it is used
            lines.append("#include <metal_stdlib>")
        lines.append("using namespace metal;")
    return "\n".join([*lines, f"#line {_FIRST_LINE}", text])
