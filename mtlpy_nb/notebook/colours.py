# SPDX-License-Identifier: MIT
"""Source code in colours: ANSI where the output shows them, HTML, or as it is."""

# Pygments has no types.
# mypy: disable-error-code="import-untyped, no-untyped-call, misc, no-any-return, unused-ignore"

from __future__ import annotations

import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["ansi", "for_shell", "html", "shows_colours"]


def ansi(text: str, language: str) -> str:
    """Colour `text` with ANSI codes; `language` is ``"metal"``, ``"python"``, ``"llvm"``, ``"asm"`` or empty."""
    from pygments import highlight
    from pygments.formatters import Terminal256Formatter

    # By number: the sixteen named colours are each front end's own, and some can't be read on a light ground.
    formatter = Terminal256Formatter(style=_style())
    return highlight(text, _lexer(language), formatter).rstrip("\n") if language else text


def html(text: str, language: str) -> str:
    """Colour `text` as HTML that is readable on light and dark grounds."""
    from html import escape

    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    if not language:
        return escape(text)
    return highlight(text, _lexer(language), HtmlFormatter(noclasses=True, nowrap=True, style=_style())).rstrip("\n")


def shows_colours(shell: InteractiveShell) -> bool:
    """Whether what is printed in `shell` may have ANSI codes: a notebook's front ends show them, a file does not."""
    if os.environ.get("NO_COLOR") or str(getattr(shell, "colors", "")).lower() == "nocolor":
        return False
    return hasattr(shell, "kernel") or bool(getattr(sys.stdout, "isatty", lambda: False)())


def for_shell(shell: InteractiveShell, text: str, language: str) -> str:
    """Give `text` for printing in `shell`."""
    return ansi(text, language) if shows_colours(shell) else text


@lru_cache
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name

    options = {"stripnl": False, "ensurenl": False}
    if language == "metal":
        from .lexer import MetalLexer

        return MetalLexer(**options)
    return get_lexer_by_name({"asm": "gas"}.get(language, language), **options)


@lru_cache
def _style() -> Any:
    from pygments.style import Style
    from pygments.token import Comment, Keyword, Name, Number, String

    class OnAnyGround(Style):
        styles: ClassVar = {
            Keyword: "#b35fd4",
            Keyword.Type: "#2f8fa8",
            Name.Builtin: "#2f8fa8",
            Name.Decorator: "#b07d2b",
            Comment: "italic #808080",
            Comment.Preproc: "noitalic #b07d2b",
            String: "#2e9a47",
            Number: "#2e9a47",
        }

    return OnAnyGround
