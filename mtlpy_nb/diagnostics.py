# SPDX-License-Identifier: MIT
"""The compiler's messages, read from the text that Metal gives.

Metal hands over what its compiler prints, on a Mac and on the software device alike::

    program_source:3:18: error: use of undeclared identifier 'colour'; did you mean 'color'?
        float4 c = colour;
                   ^~~~~~
                   color
    program_source:2:12: note: 'color' declared here
    ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

__all__ = ["Diagnostic", "FixIt", "parse"]

_HEADER = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note|remark): (?P<message>.*)$"
)
# Newer versions of Clang print "   12 | source" instead of the bare source line.
_GUTTER = re.compile(r"^\s*(?:\d+)? \| ?")
_NO_PLACE = re.compile(r"^(?:[^:\n]+: )?(?P<severity>fatal error|error|warning): (?P<message>.*)$")
_LINE_MARK = re.compile(r'^[ \t]*#[ \t]*line[ \t]+(\d+)(?:[ \t]+"([^"\n]+)")?')
_MAIN_FILE = "program_source"


@dataclass(frozen=True)
class FixIt:
    """What the compiler would write instead."""

    column: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler.

    Attributes
    ----------
    severity : str
        ``"error"``, ``"warning"`` or ``"note"``.
    file : str
        ``"program_source"`` for the text itself, else an included file's name.
    line, column : int
        Counted from 1; 0 where the message has no place.
    underline : str
        The caret line: blanks, ``^`` at the place, ``~`` under what belongs to it.
    """

    severity: str
    message: str
    file: str = _MAIN_FILE
    line: int = 0
    column: int = 0
    source_line: str = ""
    underline: str = ""
    fix_its: tuple[FixIt, ...] = ()
    notes: tuple[Diagnostic, ...] = ()

    @property
    def is_in_source(self) -> bool:
        """Whether it is about the text itself and not about an included file."""
        return self.file == _MAIN_FILE

    @property
    def end_column(self) -> int:
        """One past the last column underlined."""
        return max(len(self.underline.rstrip()) + 1, self.column + 1)

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message}"
            if self.line
            else f"{self.severity}: {self.message}"
        )


@dataclass
class _Block:
    header: re.Match[str]
    lines: list[str] = field(default_factory=list)


def parse(text: str, source: str = "") -> tuple[Diagnostic, ...]:
    """Read all messages in `text`; notes belong to the error or warning before them.

    Parameters
    ----------
    text : str
        What the compiler printed.
    source : str, optional
        The text compiled: supplies source lines that the compiler left out.
    """
    found: list[Diagnostic] = []
    for block in _blocks(text.splitlines()):
        diagnostic = _from_block(block, source)
        if diagnostic.severity == "note" and found:
            found[-1] = replace(found[-1], notes=(*found[-1].notes, diagnostic))
        else:
            found.append(diagnostic)
    return tuple(found) or _without_places(text)


def _blocks(lines: Iterable[str]) -> Iterable[_Block]:
    block: _Block | None = None
    for line in lines:
        header = _HEADER.match(line)
        if header:
            if block:
                yield block
            block = _Block(header)
        elif block:
            block.lines.append(line)
    if block:
        yield block


def _from_block(block: _Block, source: str) -> Diagnostic:
    header = block.header
    severity = header["severity"].replace("fatal ", "")
    line, column = int(header["line"]), int(header["column"])
    snippet, underline, fix_its = _snippet(block.lines)
    if not underline and header["file"] == _MAIN_FILE:
        snippet = _line_of(source, line) or snippet
        underline = " " * (column - 1) + "^" if snippet else ""
    return Diagnostic(severity, header["message"], header["file"], line, column, snippet, underline, fix_its)


def _snippet(lines: list[str]) -> tuple[str, str, tuple[FixIt, ...]]:
    """Source line, caret line and insertions of what follows a message's first line."""
    lines = [_GUTTER.sub("", line, count=1) if _GUTTER.match(line) else line for line in lines]
    for i in range(1, min(len(lines), 4)):
        if lines[i].strip() and not lines[i].strip(" ~^"):
            insertion = lines[i + 1] if i + 1 < len(lines) else ""
            return lines[i - 1], lines[i].rstrip(), tuple(_fix_its(insertion))
    return "", "", ()


def _fix_its(line: str) -> Iterable[FixIt]:
    if line.startswith("In file included") or line.endswith("generated."):
        return
    for match in re.finditer(r"\S+(?: \S+)*", line):
        yield FixIt(match.start() + 1, match.group())


def _line_of(source: str, line: int) -> str:
    """Find the line that the compiler calls `line`, which ``#line`` marks may have moved."""
    number, file = 0, _MAIN_FILE
    found = ""
    for text in source.splitlines():
        number += 1
        mark = _LINE_MARK.match(text)
        if mark:
            number, file = int(mark[1]) - 1, mark[2] or file
        elif number == line and file == _MAIN_FILE:
            found = text
    return found


def _without_places(text: str) -> tuple[Diagnostic, ...]:
    """Messages that name no line, such as a compiler that ran out of memory."""
    found = [
        Diagnostic(m["severity"].replace("fatal ", ""), m["message"])
        for m in map(_NO_PLACE.match, text.splitlines())
        if m
    ]
    if found:
        return tuple(found)
    return (Diagnostic("error", text.strip()),) if text.strip() else ()
