# SPDX-License-Identifier: MIT
"""A source line and what is underlined of it, cut to what fits into a cell."""

from __future__ import annotations

import unicodedata

from .spans import printable

__all__ = ["LONGEST", "cut", "width"]

LONGEST = 120  # columns
_CUT = "..."


def width(text: str) -> int:
    """Count the columns that `text` takes in a terminal: two for Chinese letters, none for accents put on others."""
    return len(text) if text.isascii() else sum(map(_width, text))


def cut(line: str, underline: str) -> tuple[str, str, int]:
    """Take the part around the caret of a very long line.

    Returns
    -------
    tuple of (str, str, int)
        The line, the underline below it, and by how many columns both moved to the left.
    """
    line = printable(line)
    total = width(line)
    if total <= LONGEST:
        return line, underline[: total + 1], 0
    caret = max(underline.find("^"), 0)
    start = max(min(caret - LONGEST // 2, total - LONGEST), 0)
    part, start = _columns(line, start, LONGEST)
    below = underline[start : start + LONGEST + 1]
    if start:
        hidden = part[: _letters(part, len(_CUT))]
        part = _CUT.ljust(width(hidden)) + part[len(hidden) :]
    if start + LONGEST < total:
        part += _CUT
    return part, below, start


def _columns(text: str, start: int, length: int) -> tuple[str, int]:
    """Take `length` columns from `start` on; a letter of two columns is not cut in half."""
    column, first, taken = 0, -1, []
    for letter in text:
        if column >= start and column < start + length:
            if first < 0:
                first = column
            taken.append(letter)
        column += _width(letter)
    return "".join(taken), max(first, 0)


def _letters(text: str, columns: int) -> int:
    """Count the letters that fill `columns`."""
    filled = 0
    for i, letter in enumerate(text):
        if filled >= columns:
            return i
        filled += _width(letter)
    return len(text)


def _width(letter: str) -> int:
    if letter.isascii():
        return 1
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
