# SPDX-License-Identifier: MIT
"""Source text as the preprocessor sees it: tokens, and the lines that they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Token", "directive", "join", "lines", "tokens", "trimmed"]

_TOKEN = re.compile(
    r"""
    (?P<newline>\n)
  | (?P<space>[^\S\n]+)
  | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|'?[\w]|\.)*)
  | (?P<name>[^\W\d]\w*)
  | (?P<mark>\#\#|&&|\|\||==|!=|<=|>=|<<|>>|\.\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SPLICE = re.compile(r"\\[^\S\n]*\n")


@dataclass(frozen=True)
class Token:
    """A piece of source text.

    Attributes
    ----------
    kind : str
        "newline", "space", "comment", "string", "number", "name" or "mark".
    text : str
    hidden : frozenset of str
        Macros that it comes from, which are not expanded in it again.
    """

    kind: str
    text: str
    hidden: frozenset[str] = frozenset()

    @property
    def is_blank(self) -> bool:
        """Whether the compiler sees nothing in it."""
        return self.kind in ("newline", "space", "comment")


def tokens(text: str) -> list[Token]:
    """Split text without its line ends being joined."""
    return [Token(found.lastgroup or "mark", found.group()) for found in _TOKEN.finditer(text)]


def lines(source: str) -> list[list[Token]]:
    """Split source into lines, each ending with its newline; a backslash joins a line to the next.

    What a joined line spans is made up for behind it, so that those that follow keep their numbers.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    joined, end = [], 0
    owed = 0
    for found in _SPLICE.finditer(source):
        part = source[end : found.start()]
        if owed and "\n" in part:
            part = part.replace("\n", "\n" * (owed + 1), 1)
            owed = 0
        joined.append(part)
        owed += 1
        end = found.end()
    rest = source[end:]
    if owed and "\n" in rest:
        rest = rest.replace("\n", "\n" * (owed + 1), 1)
    joined.append(rest)

    result: list[list[Token]] = [[]]
    for token in tokens("".join(joined)):
        result[-1].append(token)
        if token.kind == "newline":
            result.append([])
    if not result[-1]:
        result.pop()
    return result


def trimmed(line: list[Token]) -> list[Token]:
    """Take blanks off both ends."""
    first, last = 0, len(line)
    while first < last and line[first].is_blank:
        first += 1
    while last > first and line[last - 1].is_blank:
        last -= 1
    return line[first:last]


def directive(line: list[Token]) -> tuple[str, list[Token]] | None:
    """Name and rest of a line that begins with ``#``; None for others. ``#`` alone has an empty name."""
    rest = trimmed(line)
    if not rest or rest[0].text != "#":
        return None
    rest = trimmed(rest[1:])
    if not rest:
        return "", []
    return rest[0].text, trimmed(rest[1:])


def join(line: list[Token]) -> str:
    """Give the text of tokens, comments and runs of space as one space each."""
    text = "".join(" " if token.is_blank else token.text for token in line)
    return re.sub(r"[^\S\n]+", " ", text).strip()
