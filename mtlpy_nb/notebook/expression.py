# SPDX-License-Identifier: MIT
"""The Python expression after the options of a magic: compiled before any Metal is, evaluated after it."""

from __future__ import annotations

import io
import linecache
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from IPython.core.error import UsageError

from .errors import EXPRESSION, show_without_callers

__all__ = ["Expression", "read_expression"]

_NO_CODE = (tokenize.ENDMARKER, tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)
# How Metal's code begins, and no expression of Python's or comment does.
_METAL = re.compile(
    r"(kernel|vertex|fragment|constant|struct|using|template|inline)\s+(?!(if|in|is|and|or|not)\b)\w"
    r"|#(include|define|pragma)\b"
)


@dataclass(frozen=True)
class Expression:
    """An expression of one line.

    Attributes
    ----------
    is_silent : bool
        Whether a ``;`` at its end says that its value is not to be shown.
    """

    text: str
    code: CodeType
    is_silent: bool

    def evaluate(self, names: dict[str, Any], local_names: Mapping[str, Any]) -> Any:
        """Give its value."""
        __tracebackhide__ = True
        linecache.cache[EXPRESSION] = (len(self.text), None, [self.text], EXPRESSION)  # for tracebacks
        try:
            return eval(self.code, names, local_names)
        except BaseException as error:
            show_without_callers(error)
            raise


def read_expression(text: str, magic: str = "%%metal") -> Expression | None:
    """Compile an expression; None where there is none.

    Raises
    ------
    UsageError
        If it is no expression. A slip there should not cost the wait for a compiler.
    """
    body, is_silent = _cut_semicolon(text)
    if magic == "%%metal" and _METAL.match(body):
        raise UsageError(
            f"{magic} takes one Python expression here; Metal's code begins on the next line\n\n    {text}"
        )
    if not body or body.startswith("#"):
        return None
    try:
        return Expression(text, compile(body, EXPRESSION, "eval"), is_silent)
    except SyntaxError as error:
        caret = " " * max((error.offset or 1) - 1, 0) + "^"
        problem = f"{error.msg}\n\n    {text}\n    {caret}"
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        problem = str(error) or "it is too deeply nested"
    raise UsageError(f"{magic} takes one Python expression after its options: {problem}")


def _cut_semicolon(text: str) -> tuple[str, bool]:
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in _NO_CODE]
    except (tokenize.TokenError, SyntaxError):
        return text, False
    is_silent = False
    while tokens and tokens[-1].string == ";":
        is_silent = True
        text = text[: tokens.pop().start[1]].rstrip()
    return text, is_silent
