# SPDX-License-Identifier: MIT
"""How to call the function at a place in Metal source, as the compiler tells it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._includes import Includes
from ._source_text import word_at
from .completion import Completions, Signature, check_place, complete

__all__ = ["Signatures", "signatures"]

# What is between a function's name and its arguments: nothing, or a template's arguments.
_OPENING = re.compile(r"\s*(<[^;(){}]*>)?\s*\(")


@dataclass(frozen=True)
class Signatures:
    """The ways to call a function; as text, one a line with the argument at the place underlined.

    Attributes
    ----------
    items : tuple of Signature
        Best first. Empty where nothing is called and nothing is named.
    argument : int or None
        Which argument the place is in, from 0; None where it is on the name.
    """

    items: tuple[Signature, ...] = ()
    argument: int | None = None

    def __str__(self) -> str:
        lines = []
        for item in self.items:
            lines.append(item.text)
            if self.argument is not None and self.argument < len(item.parameters):
                begin, end = item.parameters[self.argument]
                lines.append(" " * begin + "^" * (end - begin))
            lines += [f"    {line}" for line in item.comment.splitlines()]
        return "\n".join(lines)


def signatures(
    source: str,
    line: int,
    column: int,
    *,
    options: Mapping[str, Any] | None = None,
    includes: Includes | None = None,
) -> Signatures:
    """Find how to call what a place in Metal source is about.

    On the name of a function that is called, that is the function; among the arguments of a call, the function called;
    on any other name, its declaration. Empty on a Mac, whose compiler has no such question.

    Parameters
    ----------
    source : str
    line, column : int
        The place, counted from 1 in lines and letters of `source`.
    options : dict, optional
        As :meth:`Device.library` takes them.
    includes : mapping or sequence, optional
        Texts by name, or folders, for ``#include``.

    Examples
    --------
    >>> print(mtlpy_nb.signatures(source, 5, 22))
    float mix(float x, float y, float a)
                       ^^^^^^^
    """
    check_place(source, line, column)
    lines = source.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    begin, end = word_at(text, column - 1)

    def ask(column: int, source: str = source) -> Completions:
        return complete(source, line, column, options=options, includes=includes)

    opening = _OPENING.match(text, end)
    if begin < end and opening:
        called = ask(opening.end() + 1).signatures
        if called:
            return Signatures(called)
    found = ask(end + 1 if begin < end else column)
    if found.signatures:
        return Signatures(found.signatures, found.argument)
    named = [item for item in found.items if item.text == text[begin:end] and item.signature]
    if not named:
        return Signatures()
    if named[0].kind == "function" and not opening:
        lines[line - 1] = text[:end] + "("
        called = ask(end + 2, "\n".join(lines)).signatures
        if called:
            return Signatures(called)
    return Signatures((Signature(named[0].signature),))
