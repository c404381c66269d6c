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

from .._default_device import default_device
from .._includes import Includes, resolve_includes
from .._missing_headers import explained
from ..completion import Completions, complete
from ..device import Device
from ..errors import CompileError
from ..kernel import Kernel
from ..library import Function, Library, compile_library
from .broken import Broken

__all__ = ["Cell", "Session", "with_preamble"]

# The body of a cell starts at its second line, which is what the front end's line numbers say.
_FIRST_LINE = 2
_INCLUDES_STDLIB = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<metal_stdlib>", re.MULTILINE)
_USES_METAL = re.compile(r"\busing\s+namespace\s+metal\s*;")


@dataclass
class Cell:
    """A ``%%metal`` cell's text and how to compile it.

    Attributes
    ----------
    place : str, optional
        Which cell of the notebook it is, where the front end says so.
    run : int
        Cells count their runs, so that one Python cell that calls the magic twice keeps what both define.
    functions : tuple of str
        What it defined when it was compiled last.
    """

    text: str
    options: Mapping[str, Any] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    folders: Sequence[str] = ()
    preamble: bool = True
    device: Device | None = None
    library_name: str | None = None
    place: str | None = None
    run: int = 0
    functions: tuple[str, ...] = ()


@dataclass
class _Name:
    """What a name of the notebook was given, and by which cell."""

    value: object
    cell: Cell


@dataclass
class HeaderChange:
    """What became of the cells that include a header, once that has changed.

    Attributes
    ----------
    again : list of str
        Functions compiled again.
    broken : list of str
        Functions whose cells do not compile any more; their names refuse to be called.
    error : CompileError or None
        Why the first of those does not.
    """

    again: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    error: CompileError | None = None


class Session:
    """Names that cells have put into a notebook, and the headers that later cells may include."""

    def __init__(self, namespace: MutableMapping[str, Any]) -> None:
        self._namespace = namespace
        self._device: Device | None = None
        self.headers: dict[str, str] = {}
        self._names: dict[str, _Name] = {}

    @property
    def device(self) -> Device:
        """The device that cells compile for."""
        return self._device or default_device()

    def use(self, device: Device) -> None:
        """Compile later cells for `device`."""
        self._device = device

    def compile(self, cell: Cell) -> Library:
        """Compile a cell without putting anything into the notebook."""
        where = "a cell that begins with %%metal --header NAME makes it, or -I FOLDER finds it"
        with explained(self.headers, where):
            return self._compile(cell, self._source(cell, self.headers))

    def complete(self, cell: Cell, line: int, column: int) -> Completions:
        """Find what may be written at a place of a cell's text, counted from 1."""
        text = _whole_text(cell)
        added = text.count("\n") - cell.text.count("\n")
        includes: Includes = [self.headers, *cell.folders]
        return complete(text, line + added, column, options=cell.options, includes=includes)

    def define(self, cell: Cell, library: Library) -> list[str]:
        """Put a cell's functions into the notebook under their names; take away those it defined before and not now.

        Returns
        -------
        list of str
            What a person must be told of names that hide something else or are gone.
        """
        values: dict[str, object] = {name: library[name] for name in library.functions}
        cell.functions = library.functions
        functions = [value for value in values.values() if isinstance(value, (Kernel, Function))]
        known = {name for function in functions for name in function._constant_names()}
        kind = "kernel" if all(isinstance(function, Kernel) for function in functions) else "function"
        unknown = [f"no {kind} of this cell has a function constant {n}" for n in cell.constants if n not in known]
        if cell.library_name:
            values[cell.library_name] = library
        gone = self._withdraw(cell, values)
        return [
            *(warning for name, value in values.items() for warning in self._give(name, value, cell)),
            *gone,
            *unknown,
        ]

    def set_header(self, cell: Cell, name: str) -> HeaderChange:
        """Let later cells include a cell's text as `name`, and compile again the cells whose text that changes.

        All are compiled before anything changes, so that an interrupt leaves all as it was. A cell that does not
        compile any more must not go on to run its old code: its names refuse to be called until it does.
        """
        headers = {**self.headers, name: f"#line {_FIRST_LINE}\n{cell.text}"}
        outcomes = [(user, self._outcome(user, headers)) for user in self._cells() if self._differs(user, headers)]
        self.headers = headers
        self._withdraw(cell, {})
        change = HeaderChange()
        for user, outcome in outcomes:
            names = [n for n, given in self._names.items() if given.cell is user and self._is_ours(n)]
            functions = [n for n in names if n != user.library_name]
            if isinstance(outcome, Library):
                change.again += self._replace(user, names, outcome)
            else:
                for n in names:
                    self._put(n, Broken(n, name), user)
                change.broken += functions
                change.error = change.error or outcome
        return change

    def _replace(self, cell: Cell, names: Sequence[str], library: Library) -> list[str]:
        """Put a cell's library in the place of the one before; names that others have taken since stay theirs."""
        new = [n for n in library.functions if n not in cell.functions]
        cell.functions = library.functions
        for name in names:
            if name == cell.library_name:
                self._put(name, library, cell)
            elif name in library:
                self._put(name, library[name], cell)
            else:
                self._remove(name)
        for name in new:
            self._give(name, library[name], cell)
        return [n for n in library.functions if n in new or n in names]

    def forget(self) -> None:
        """Take what cells defined out of the notebook, where it is still the same."""
        for name in list(self._names):
            self._remove(name)
        self.headers.clear()

    def _cells(self) -> list[Cell]:
        return list({id(given.cell): given.cell for given in self._names.values()}.values())

    def _source(self, cell: Cell, headers: Mapping[str, str]) -> str:
        return resolve_includes(_whole_text(cell), [headers, *cell.folders])

    def _compile(self, cell: Cell, source: str) -> Library:
        return compile_library(cell.device or self.device, source, options=cell.options, constants=cell.constants)

    def _differs(self, cell: Cell, headers: Mapping[str, str]) -> bool:
        try:
            return self._source(cell, headers) != self._source(cell, self.headers)
        except CompileError:  # files that include each other
            return True

    def _outcome(self, cell: Cell, headers: Mapping[str, str]) -> Library | CompileError:
        try:
            library = self._compile(cell, self._source(cell, headers))
            for name in library.functions:
                library[name]
            return library
        except CompileError as error:
            return error

    def _is_ours(self, name: str) -> bool:
        return name in self._names and self._namespace.get(name) is self._names[name].value

    def _put(self, name: str, value: object, cell: Cell) -> None:
        self._namespace[name] = value
        self._names[name] = _Name(value, cell)

    def _remove(self, name: str) -> bool:
        is_ours = self._is_ours(name)
        if is_ours:
            del self._namespace[name]
        self._names.pop(name, None)
        return is_ours

    def _withdraw(self, cell: Cell, kept: Mapping[str, object]) -> list[str]:
        """Take away what an earlier run of the same cell defined and this one does not."""
        if cell.place is None:
            return []
        gone = [
            name
            for name, given in self._names.items()
            if given.cell.place == cell.place and given.cell.run != cell.run and name not in kept
        ]
        return [f"{name} is gone: this cell defines it no more" for name in gone if self._remove(name)]

    def _give(self, name: str, value: object, cell: Cell) -> list[str]:
        if not name.isidentifier() or iskeyword(name):
            why = "a word of Python's own" if iskeyword(name) else "no name in Python"
            return [f"{name} is {why}: bind the library with -o NAME and use NAME[{name!r}]"]
        warning = self._hides(name, value)
        self._put(name, value, cell)
        return [warning] if warning else []

    def _hides(self, name: str, value: object) -> str | None:
        """Say what the name means so far, if that is worth a warning."""
        if self._is_ours(name):
            return None
        present = self._namespace.get(name)
        subject = f"the {_kind(value)} {name}"
        if isinstance(present, ModuleType):
            return f"{subject} now hides the module {present.__name__}; give it another name to keep both"
        if present is None and hasattr(builtins, name):
            return f"{subject} now hides Python's {name}(); `del {name}` brings that back"
        if present is not None and not isinstance(present, (Kernel, Function, Broken)):
            return f"{subject} replaces the {type(present).__name__} {name}"
        return None


def _kind(value: object) -> str:
    if isinstance(value, Function):
        return f"{value.function_type} function"
    return "library" if isinstance(value, Library) else "kernel"


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
