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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

__all__ = ["Diagnostic", "FixIt", "has_more", "lines_of", "numbered_lines", "parse"]

_HEADER = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note|remark): (?P<message>.*)$"
)
# Newer versions of Clang print "   12 | source" instead of the bare source line.
_NUMBERED = re.compile(r"^\s*\d+ \| ")
_GUTTER = re.compile(r"^\s*(?:\d+)? \| ?")
_NO_PLACE = re.compile(r"^(?:[^:\n]+: )?(?P<severity>fatal error|error|warning): (?P<message>.*)$")
_LINE_MARK = re.compile(r'^[ \t]*#[ \t]*line[ \t]+(\d+)(?:[ \t]+"([^"\n]+)")?')
_TOO_MANY = re.compile(r"^(?:fatal )?error: too many errors emitted\b", re.MULTILINE)
_MAIN_FILE = "program_source"
_MOST_LINES = 32  # of one message's source that are looked at


@dataclass(frozen=True)
class FixIt:
    """What the compiler would write instead.

    Attributes
    ----------
    column : int
        Where it stands below the source line, counted from 1 as the caret is.
    """

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
        Counted from 1, in characters; 0 where the message has no place.
    source_line : str
        As the compiler shows it, tabs as blanks; empty for a note that adds words to its message and no place.
    underline : str
        The caret line: blanks, ``^`` at the place, ``~`` under what belongs to it. It counts columns of a terminal,
        of which letters such as Chinese ones take two.
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
    known = _Source(source)
    found: list[Diagnostic] = []
    for block in _blocks(lines_of(text)):
        is_note = block.header["severity"] == "note" and bool(found)
        diagnostic = _from_block(block, known, found[-1] if is_note else None)
        if is_note:
            found[-1] = replace(found[-1], notes=(*found[-1].notes, diagnostic))
        else:
            found.append(diagnostic)
    return tuple(found) or _without_places(text)


def has_more(text: str) -> bool:
    """Whether the compiler gave up counting errors."""
    return _TOO_MANY.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Split where a compiler does; ``str.splitlines`` knows more ends of lines, such as form feeds."""
    lines = re.split(r"\r\n|\n|\r", text)
    return lines[:-1] if not lines[-1] else lines


def numbered_lines(text: str) -> Iterator[tuple[tuple[str, int], str]]:
    """Give each line of a source with the file and number that messages call it, but for the ``#line`` marks."""
    number, file = 0, _MAIN_FILE
    for line in lines_of(text):
        number += 1
        mark = _LINE_MARK.match(line)
        if mark:
            number, file = int(mark[1][:9]) - 1, mark[2] or file
        else:
            yield (file, number), line


class _Source:
    """The lines of the text compiled, by the names that ``#line`` marks give to its parts."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[tuple[str, int], str] | None = None

    def line(self, file: str, number: int) -> str:
        if self._lines is None:
            self._lines = dict(numbered_lines(self._text))
        return self._lines.get((file, number), "")


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


def _from_block(block: _Block, source: _Source, owner: Diagnostic | None) -> Diagnostic:
    header = block.header
    severity = header["severity"].replace("fatal ", "")
    file, line = header["file"], int(header["line"])
    raw = source.line(file, line)
    column = _character(raw, int(header["column"]))
    snippet, underline, fix_its = _snippet(block.lines)
    adds_no_place = owner is not None and (file, line, column) == (owner.file, owner.line, owner.column)
    if not underline and raw and not adds_no_place:
        snippet, underline = raw, " " * (column - 1) + "^"
    return Diagnostic(severity, header["message"], file, line, column, snippet, underline, fix_its)


def _character(line: str, byte: int) -> int:
    """Count characters where the compiler counts the bytes of UTF-8."""
    if line.isascii():
        return byte
    return len(line.encode("utf-8", "replace")[: byte - 1].decode("utf-8", "ignore")) + 1


def _snippet(lines: list[str]) -> tuple[str, str, tuple[FixIt, ...]]:
    """Source line, caret line and insertions of what follows a message's first line.

    A place of several lines shows each with what is underlined of it; the one with the caret counts.
    """
    if len(lines) > 1 and _NUMBERED.match(lines[0]) and _GUTTER.match(lines[1]):
        lines = [_GUTTER.sub("", line, count=1) for line in lines]
    marked = [i for i in range(1, min(len(lines), _MOST_LINES)) if lines[i].strip() and not lines[i].strip(" ~^")]
    best = next((i for i in marked if "^" in lines[i]), marked[0] if marked else 0)
    if not best:
        return "", "", ()
    insertion = lines[best + 1] if best + 1 < len(lines) and best + 2 not in marked else ""
    return lines[best - 1], lines[best].rstrip(), tuple(_fix_its(insertion))


def _fix_its(line: str) -> Iterable[FixIt]:
    if line.startswith("In file included") or line.endswith("generated."):
        return
    for match in re.finditer(r"\S+(?: \S+)*", line):
        yield FixIt(match.start() + 1, match.group())


def _without_places(text: str) -> tuple[Diagnostic, ...]:
    """Messages that name no line, such as a compiler that ran out of memory."""
    found = [
        Diagnostic(m["severity"].replace("fatal ", ""), m["message"]) for m in map(_NO_PLACE.match, lines_of(text)) if m
    ]
    if found:
        return tuple(found)
    return (Diagnostic("error", text.strip()),) if text.strip() else ()
