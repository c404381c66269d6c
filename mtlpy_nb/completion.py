# SPDX-License-Identifier: MIT
"""What may be written at a place in Metal source: the compiler's own answer, or a list of words where it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import _native as mtl
from ._checks import check_type
from ._checks import text as checked_text
from ._includes import Includes, split_includes
from ._msl_words import WORDS
from ._source_text import is_in_attribute, word_at
from .errors import ValidationError
from .library import native_options

__all__ = ["Completion", "Completions", "Signature", "complete"]


@dataclass(frozen=True)
class Completion:
    """One thing that may be written.

    Attributes
    ----------
    text : str
        What takes the place of the word begun.
    kind : str
        ``"function"``, ``"variable"``, ``"field"``, ``"type"``, ``"enumerator"``, ``"namespace"``, ``"keyword"``,
        ``"attribute"``, ``"macro"`` or ``"header"``.
    signature : str
        Its declaration, as in ``"float dot(float2 x, float2 y) (+5)"``, where five overloads are not shown.
    """

    text: str
    kind: str
    signature: str = ""


@dataclass(frozen=True)
class Signature:
    """One way to call a function, or how something else is declared.

    Attributes
    ----------
    text : str
        As in ``"float mix(float x, float y, float a)"``.
    parameters : tuple of (int, int)
        Where each parameter begins and ends in `text`, counted from 0.
    comment : str
        What stands above the function in the program. Empty for Metal's own functions.
    """

    text: str
    parameters: tuple[tuple[int, int], ...] = ()
    comment: str = ""


@dataclass(frozen=True)
class Completions:
    """What may be written at a place.

    Attributes
    ----------
    items : tuple of Completion
        Best first.
    signatures : tuple of Signature
        Of the call whose arguments the place is among, best first.
    argument : int
        Which of its arguments, from 0.
    column : int
        Where the word begins that an item replaces, from 1.
    """

    items: tuple[Completion, ...]
    signatures: tuple[Signature, ...] = ()
    argument: int = 0
    column: int = 1


def complete(
    source: str,
    line: int,
    column: int,
    *,
    options: Mapping[str, Any] | None = None,
    includes: Includes | None = None,
) -> Completions:
    """Find what may be written at a place in Metal source.

    Parameters
    ----------
    source : str
    line, column : int
        The place, counted from 1 in lines and letters of `source`.
    options : dict, optional
        As :meth:`Device.library` takes them.
    includes : mapping or sequence, optional
        Texts by name, or folders, or a list of both, for ``#include``.
    """
    check_place(source, line, column)
    if line < 1 or column < 1:
        raise ValidationError(f"complete: line {line}, column {column}: both count from 1")
    text = source.split("\n")[line - 1][: column - 1] if line <= source.count("\n") + 1 else ""
    answer = None
    if "\0" not in source:
        headers, folders = split_includes(includes)
        place = line, len(text.encode()) + 1
        answer = mtl.complete(source, native_options(options), *place, headers, [str(folder) for folder in folders])
    if answer is None:
        return _words(text)
    items, signatures, argument, start = answer
    return Completions(
        tuple(Completion(*item) for item in items),
        tuple(_signature(*signature) for signature in signatures),
        argument,
        len(text.encode()[: start - 1].decode(errors="replace")) + 1,
    )


def check_place(source: object, line: object, column: object) -> None:
    """Refuse what is no place in a text."""
    checked_text(source, "source")
    for name, number in (("line", line), ("column", column)):
        check_type(number, int, name)


def _signature(text: str, parameters: list[tuple[int, int]], comment: str) -> Signature:
    """Count letters where the compiler counts bytes."""
    coded = text.encode()

    def letters(place: int) -> int:
        return len(coded[:place].decode(errors="replace"))

    return Signature(text, tuple((letters(begin), letters(end)) for begin, end in parameters), comment)


def _words(text: str) -> Completions:
    """Answer from a list, where nobody can say what a name means."""
    start, _ = word_at(text, len(text))
    word, before = text[start:], text[:start].rstrip()
    if before.endswith((".", "->")):
        return Completions((), column=start + 1)
    kinds = ("attribute",) if is_in_attribute(before) else tuple(kind for kind in WORDS if kind != "attribute")
    found = [Completion(name, kind) for kind in kinds for name in WORDS[kind] if name.startswith(word)]
    return Completions(tuple(found), column=start + 1)
