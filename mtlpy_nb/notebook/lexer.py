# SPDX-License-Identifier: MIT
"""The Metal Shading Language for Pygments, and so for nbconvert and Sphinx."""

# Pygments has no types.
# mypy: disable-error-code="misc"

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import inherit
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.python import PythonLexer
from pygments.token import Keyword, Name, Number, Whitespace

from .._msl_words import WORDS

__all__ = ["MetalLexer"]

_Token = tuple[int, Any, str]
_MAGIC = re.compile(r"(\s*)(%%metal)(?=\s|$)(.*\n?)")
_CALL = re.compile(r"\s*\(")
_KINDS = {
    **dict.fromkeys(WORDS["function"], Name.Builtin),
    **dict.fromkeys(WORDS["keyword"], Keyword),
    **dict.fromkeys(WORDS["type"], Keyword.Type),
    **dict.fromkeys(("true", "false", "nullptr"), Keyword.Constant),
}


class MetalLexer(CppLexer):
    """C++ with Metal's words; a first line that is the ``%%metal`` magic is Python's."""

    name = "Metal"
    aliases: ClassVar[list[str]] = ["metal", "msl"]
    filenames: ClassVar[list[str]] = ["*.metal"]
    mimetypes: ClassVar[list[str]] = ["text/x-metal"]
    priority = 0.1

    tokens: ClassVar[dict[str, list[Any]]] = {
        "statements": [
            (r"\[\[(?:[^\]]|\](?!\]))*\]\]", Name.Decorator),
            (r"(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:h|H|bf|BF)\b", Number.Float),
            inherit,
        ]
    }

    def get_tokens_unprocessed(self, text: str, stack: tuple[str, ...] = ("root",)) -> Iterator[_Token]:
        """Give C++'s tokens, with the names that are Metal's own told apart."""
        start = 0
        magic = _MAGIC.match(text)
        if magic is not None:
            yield from _magic_tokens(magic)
            start = magic.end()
        before: Any = None
        for index, token, value in super().get_tokens_unprocessed(text[start:], stack):
            kind = _kind(token, before, value, text, start + index)
            yield start + index, kind, value
            before = before if kind in Whitespace or value.isspace() else kind


def _magic_tokens(magic: re.Match[str]) -> Iterator[_Token]:
    """Read the magic's line: its name, then Python."""
    if magic[1]:
        yield 0, Whitespace, magic[1]
    yield magic.start(2), Name.Decorator, magic[2]
    for index, token, value in PythonLexer().get_tokens_unprocessed(magic[3]):
        yield magic.start(3) + index, token, value


def _kind(token: Any, before: Any, value: str, text: str, index: int) -> Any:
    """Say what a token is, given the kind of the one before it."""
    if token not in (Name, Name.Function, Name.Class, Name.Builtin, Keyword.Type):
        return token
    kind = _KINDS.get(value, token)
    if not _CALL.match(text, index + len(value)):
        # `length` and `step` are good names of variables too: only a call of theirs is the library's.
        return token if kind is Name.Builtin else kind
    if kind is Name.Builtin:
        return token if text.endswith((".", "->"), 0, index) else kind
    return Name.Function if kind is Name and before in (Keyword.Type, Name) else kind
