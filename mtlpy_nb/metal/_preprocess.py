# SPDX-License-Identifier: MIT
"""A preprocessor in Python: for runs that leave parts of the text alone, and where there is no compiler to ask.

Lines that it takes out become empty ones, so that those that follow keep their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import CompileError
from ._conditions import PREDEFINED, holds
from ._macros import Macro, expand, parse_define
from ._tokens import Token, directive, join, lines

__all__ = ["MOST_INCLUDES", "Preprocessing", "is_standard_header"]

#: How deep files may include files.
MOST_INCLUDES = 50


def is_standard_header(name: str) -> bool:
    """Whether Metal's compiler brings the header along, so that its ``#include`` may stay."""
    return name.startswith("metal_") or name in ("simd/simd.h", "TargetConditionals.h")


@dataclass
class _Branch:
    """An ``#if`` that has not ended."""

    is_taken: bool  # this part of it
    was_taken: bool  # this or an earlier part
    outer: bool  # whether what is around it is taken
    has_else: bool = False


class Preprocessing:
    """One run over a source and what it includes.

    Parameters
    ----------
    macros : mapping of str to Macro
        Defined before the first line.
    find : callable
        Gives a file's path from its name and the folder of the file that includes it; None when there is none.
    searched : callable
        Gives the folders that were searched, for messages.
    read : callable
        Gives a file's text.
    includes, defines, conditionals : bool
        What is done; what is not stays in the text.
    """

    def __init__(
        self,
        macros: Mapping[str, Macro],
        *,
        find: Callable[[str, Path | None], Path | None],
        searched: Callable[[Path | None], list[str]],
        read: Callable[[Path], str],
        includes: bool,
        defines: bool,
        conditionals: bool,
    ) -> None:
        self._macros = dict(macros)
        self._find, self._searched, self._read = find, searched, read
        self._includes, self._defines, self._conditionals = includes, defines, conditionals
        self._once: set[Path] = set()
        self._text: list[Token] = []  # waits to be expanded, since a macro's arguments may span lines
        self._parts: list[str] = []
        self._kept_depth = 0  # of conditionals that stay in the text

    def run(self, source: str, file: Path | None) -> str:
        """Give the processed text."""
        self._file(source, file, 0)
        self._flush()
        return "".join(self._parts)

    def _flush(self) -> None:
        macros = self._macros if self._defines else {}
        self._parts.extend(token.text for token in expand(self._text, macros))
        self._text.clear()

    def _keep(self, line: list[Token]) -> None:
        self._flush()
        self._parts.extend(token.text for token in line)

    def _drop(self, line: list[Token]) -> None:
        self._text.extend(Token("newline", "\n") for token in line for _ in range(token.text.count("\n")))

    def _file(self, source: str, file: Path | None, depth: int) -> None:
        if depth > MOST_INCLUDES:
            raise RecursionError(f"{file} includes itself, or files are included more than {MOST_INCLUDES} deep")
        branches: list[_Branch] = []
        for line in lines(source):
            found = directive(line)
            active = all(branch.is_taken for branch in branches)
            if found is None:
                if active:
                    self._text.extend(line)
                else:
                    self._drop(line)
                continue
            name, rest = found
            if name in ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"):
                self._conditional(name, rest, line, branches, active, file)
            elif active:
                self._command(name, rest, line, file, depth)
            else:
                self._drop(line)
        if branches:
            raise CompileError(f"{_name(file)}: an #if has no #endif")

    def _conditional(
        self, name: str, rest: list[Token], line: list[Token], branches: list[_Branch], active: bool, file: Path | None
    ) -> None:
        if not self._conditionals:
            self._kept_depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(name, 0)
            self._keep(line)
            return
        self._flush()
        self._drop(line)
        if name in ("if", "ifdef", "ifndef"):
            taken = active and self._holds(name, rest, file)
            branches.append(_Branch(taken, taken or not active, active))
            return
        if not branches:
            raise CompileError(f"{_name(file)}: #{name} without #if")
        branch = branches[-1]
        if name == "endif":
            branches.pop()
        elif branch.has_else:
            raise CompileError(f"{_name(file)}: #{name} behind #else")
        elif name == "else":
            branch.has_else = True
            branch.is_taken = branch.outer and not branch.was_taken
            branch.was_taken = True
        else:
            branch.is_taken = branch.outer and not branch.was_taken and self._holds(name[2:], rest, file)
            branch.was_taken |= branch.is_taken

    def _holds(self, name: str, rest: list[Token], file: Path | None) -> bool:
        if name in ("ifdef", "ifndef"):
            if not rest or rest[0].kind != "name":
                raise CompileError(f"{_name(file)}: #ifdef and #ifndef want a name, got {join(rest)!r}")
            is_defined = rest[0].text in self._macros or rest[0].text in PREDEFINED
            return is_defined == (name == "ifdef")
        return holds(rest, self._macros, lambda header: self._has_include(header, file))

    def _has_include(self, header: str, file: Path | None) -> bool:
        name = header[1:-1]
        return is_standard_header(name) or self._find(name, file) is not None

    def _command(self, name: str, rest: list[Token], line: list[Token], file: Path | None, depth: int) -> None:
        if name == "include" and self._includes:
            self._include(rest, line, file, depth)
        elif name in ("define", "undef") and not self._kept_depth:
            self._flush()
            if name == "define":
                defined, macro = parse_define(rest)
                self._macros[defined] = macro
            elif rest:
                self._macros.pop(rest[0].text, None)
            self._drop(line) if self._defines else self._keep(line)
        elif name == "error" and self._conditionals:
            raise CompileError(f"{_name(file)}: #error {join(rest)}")
        elif name == "pragma" and join(rest) == "once" and file is not None and depth:
            self._once.add(file.resolve())
            self._drop(line)
        else:
            self._keep(line)

    def _include(self, rest: list[Token], line: list[Token], file: Path | None, depth: int) -> None:
        named = join(rest) if (rest and rest[0].text in ("<",)) or (rest and rest[0].kind == "string") else None
        if named is None:
            named = join(expand(rest, self._macros))
        name = named.strip()
        if len(name) < 3 or name[0] not in '<"' or name[-1] not in '>"':
            raise CompileError(f'{_name(file)}: #include wants "file" or <file>, got {name!r}')
        name = name[1:-1].replace(" ", "") if name[0] == "<" else name[1:-1]
        path = self._find(name, file)
        if path is None:
            if is_standard_header(name):
                self._keep(line)
                return
            raise FileNotFoundError(f"Cannot find included file {name!r}. Searched in: {self._searched(file)}")
        if path.resolve() in self._once:
            self._drop(line)
            return
        self._flush()
        self._file(self._read(path), path, depth + 1)
        if not (self._text and self._text[-1].kind == "newline"):
            self._drop(line)


def _name(file: Path | None) -> str:
    return str(file) if file is not None else "program_source"
