# SPDX-License-Identifier: MIT
"""What a notebook shows, as text with marks for its looks, and the files of what is expected.

``<error>no</>`` is "no" in the look of an error, in a terminal's colours and in HTML alike.
"""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

from mtlpy_nb.notebook.spans import ANSI, HTML_COLOURS, PRE

_ANSI_NAMES = {code: name for name, code in ANSI.items()}
_HTML_NAMES = {colour: name for name, colour in HTML_COLOURS.items()}
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_MARK = re.compile(rf"<(?:{'|'.join(ANSI)}|/)>")
_SPAN = re.compile(r'<span style="(?:color:(#\w+))?;?(?:font-weight:600)?">|</span>')


def from_ansi(text: str) -> str:
    """Turn a terminal's colours into marks; others' colours are left out."""
    text = _ESCAPE.sub(lambda m: "</>" if m.group() == "\x1b[0m" else f"<{_ANSI_NAMES.get(m.group(), '?')}>", text)
    return re.sub(r"<\?>", "", text)


def from_html(html: str) -> str:
    """Turn HTML into the same text with marks."""
    body = re.fullmatch(rf'<pre style="{PRE}">(.*)</pre>', html, re.DOTALL)
    assert body is not None
    assert not re.search(r"<(?!/?span\b)", body[1]), "nothing of the source is taken for HTML"
    return unescape(_SPAN.sub(_mark, body[1]))


def _mark(span: re.Match[str]) -> str:
    if span.group() == "</span>":
        return "</>"
    return f"<{_HTML_NAMES[span[1]] if span[1] else 'bold'}>"


def plain(text: str) -> str:
    """Take colours and marks off."""
    return _MARK.sub("", _ESCAPE.sub("", text))


def trimmed(text: str) -> str:
    """Take blanks off the ends of lines, which files do not keep."""
    return "\n".join(re.sub(r"(?: |(?<= )</>)+$", "", line) for line in text.strip("\n").splitlines())


class Expected:
    """A file of cells and what they show; with MTLPY_REWRITE_EXPECTED it is written anew, to be read through."""

    def __init__(self, path: Path) -> None:
        self.path = path
        head, *blocks = path.read_text(encoding="utf-8").split("\n=== ")
        self._head = head
        self.cells: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        for block in blocks:
            name, rest = block.split("\n", 1)
            cell, _, shown = rest.partition("---\n")
            self.cells[name], self.shown[name] = cell.rstrip("\n"), shown.strip("\n")

    def check(self, name: str, shown: str) -> None:
        shown = trimmed(shown)
        if os.environ.get("MTLPY_REWRITE_EXPECTED"):
            self.shown[name] = shown
            self._write()
        assert shown == self.shown[name]

    def _write(self) -> None:
        blocks = [f"=== {name}\n{cell}\n---\n{self.shown[name]}\n" for name, cell in self.cells.items()]
        self.path.write_text("\n".join([self._head.rstrip("\n") + "\n", *blocks]), encoding="utf-8")
