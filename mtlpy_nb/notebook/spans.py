# SPDX-License-Identifier: MIT
"""Pieces of text with a look, so that the same lines become ANSI, HTML or plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

__all__ = ["ANSI", "HTML_COLOURS", "PRE", "RESET", "Line", "Span", "as_ansi", "as_html", "as_text", "printable"]

# Colours by number: JupyterLab's own red, when bold, can't be read on its dark theme's error background.
ANSI = {
    "error": "\x1b[1;38;5;196m",
    "warning": "\x1b[1;38;5;133m",
    "note": "\x1b[1;38;5;31m",
    "fix": "\x1b[1;38;5;28m",
    "gutter": "\x1b[2m",
    "bold": "\x1b[1m",
}
RESET = "\x1b[0m"
# Of middle brightness, so that they can be read on the light and on the dark theme's background alike.
HTML_COLOURS = {"error": "#d8373f", "warning": "#a55fc4", "note": "#14819c", "fix": "#2a873f", "gutter": "#7a7a7a"}
# JupyterLab's own style breaks lines within words, and indents.
PRE = "line-height:1.35;margin:0 0 .4em;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere"


@dataclass(frozen=True)
class Span:
    """Text of one look: a key of :data:`ANSI`, or none."""

    text: str
    style: str = ""


Line: TypeAlias = Sequence[Span]


def as_text(lines: Iterable[Line]) -> str:
    """Write lines without any look."""
    return "\n".join("".join(span.text for span in line) for line in lines)


def as_ansi(lines: Iterable[Line]) -> str:
    """Write lines with a terminal's colours."""
    return "\n".join("".join(_ansi(span) for span in line) for line in lines)


def as_html(lines: Iterable[Line]) -> str:
    """Write lines as one ``<pre>`` element."""
    text = "\n".join("".join(_html(span) for span in line) for line in lines)
    return f'<pre style="{PRE}">{text}</pre>'


def printable(text: str) -> str:
    """Replace what would move the cursor, turn the direction of writing or be nothing to see."""
    return "".join(" " if c == "\t" else c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def _ansi(span: Span) -> str:
    return f"{ANSI[span.style]}{span.text}{RESET}" if span.style and span.text else span.text


def _html(span: Span) -> str:
    if not span.style or not span.text:
        return escape(span.text)
    colour = f"color:{HTML_COLOURS[span.style]};" if span.style in HTML_COLOURS else ""
    weight = "" if span.style == "gutter" else "font-weight:600"
    return f'<span style="{(colour + weight).rstrip(";")}">{escape(span.text)}</span>'
