# SPDX-License-Identifier: MIT
"""``kernel?``, and Shift-Tab in ``%%metal`` cells."""

# IPython has no types.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._msl_docs import meaning_of
from .._source_text import is_in_attribute, word_at
from ..completion import Completions
from ..errors import MetalError
from . import colours
from .completion import is_metal_cell
from .describe import Section, sections, to_html, to_text
from .spans import PRE

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from .magics import MetalMagics

__all__ = ["Help"]

_MAGIC = "%%metal"
_MOST_OVERLOADS = 6
_Reply = dict[str, Any]


class Help:
    """What one shell tells of Metal; :meth:`add` and :meth:`remove` tell the shell."""

    def __init__(self, shell: InteractiveShell, magics: MetalMagics) -> None:
        self._shell = shell
        self._magics = magics
        self._hooks: dict[str, Callable[..., Any]] = {
            "text/plain": lambda data: self._pages(data, colours.ansi),
            "text/html": lambda data: self._pages(data, _html_block),
        }
        self._inspect: Callable[..., Any] | None = None

    def add(self) -> None:
        """Let the shell ask."""
        inspector = self._shell.inspector
        inspector.mime_hooks = {**self._hooks, **inspector.mime_hooks}
        kernel = getattr(self._shell, "kernel", None)
        if kernel is not None:
            # There is no hook for what a cursor stands on: ipykernel reads every cell as Python.
            self._inspect = kernel.do_inspect
            kernel.do_inspect = self._do_inspect

    def remove(self) -> None:
        """Let it ask no more."""
        inspector = self._shell.inspector
        inspector.mime_hooks = {
            mime: hook for mime, hook in inspector.mime_hooks.items() if hook is not self._hooks.get(mime)
        }
        kernel = getattr(self._shell, "kernel", None)
        # What somebody else has put there since is theirs.
        if kernel is not None and kernel.__dict__.get("do_inspect") == self._do_inspect:
            del kernel.do_inspect

    # ---- kernel? and kernel?? ----

    def _pages(self, data: Any, write: Callable[[str, str], str]) -> list[tuple[str, str]] | None:
        """Give titles and texts for IPython's page; None leaves what is no Metal to IPython."""
        found = sections(data.obj, source=data.detail_level > 0)
        return [(part.title, write(part.text, part.language)) for part in found] or None

    # ---- Shift-Tab ----

    def _do_inspect(self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Sequence[str] = ()) -> Any:
        assert self._inspect is not None
        if not is_metal_cell(code):
            return self._inspect(code, cursor_pos, detail_level, omit_sections)
        line, _, body = code.partition("\n")
        if cursor_pos <= len(line):
            return self._first_line(line, cursor_pos, detail_level, omit_sections)
        before = body[: cursor_pos - len(line) - 1]
        found = self.in_body(line, body, before.count("\n"), len(before) - before.rfind("\n") - 1)
        data = {"text/plain": to_text(found, colour=True), "text/html": to_html(found)} if found else {}
        return _reply(data)

    def _first_line(self, line: str, cursor: int, detail_level: int, omit_sections: Sequence[str]) -> Any:
        assert self._inspect is not None
        if cursor <= len(_MAGIC):
            return _reply(self._shell.object_inspect_mime(_MAGIC, detail_level, omit_sections))
        word = re.search(r"\S*$", line[:cursor])
        end = re.match(r"\S*", line[cursor:])
        assert word is not None
        assert end is not None
        place = self._magics.place(line[: cursor + end.end()] if word.group().startswith("-") else line[:cursor])
        if place.kind == "option" or place.action is not None:
            name = place.word.partition("=")[0]
            options = dict(self._magics.options())
            text = options.get(name) or (place.action.help if place.action is not None else None)
            shown = name if name in options else "/".join(place.action.option_strings) if place.action else name
            return _reply({"text/plain": f"{shown}: {text}"} if text else {})
        start = cursor - len(place.word)
        return self._inspect(line[start:], cursor - start, detail_level, omit_sections)

    def in_body(self, line: str, body: str, row: int, column: int) -> list[Section]:
        """Tell of what stands at a place of a cell's body, counted from 0; `line` is the cell's first."""
        text = body.split("\n")[row]
        start, end = _name_at(text, column)
        word = text[start:end]
        called = re.match(r"\s*\(", text[end:])
        parts: list[Section] = []
        if word and called:
            # At its last argument those before it say which overloads fit.
            parts += _signatures(self._ask(line, body, row, _last_place(text, end + called.end())), None)
        elif word:
            item = next((i for i in self._ask(line, body, row, end).items if i.text == word and i.signature), None)
            parts += [Section("Declaration", item.signature, "metal")] if item else []
        if not (word and called and parts):
            found = self._ask(line, body, row, column)
            parts = _signatures(found, found.argument) + parts
        meaning = meaning_of(word, is_attribute=is_in_attribute(text[:start])) if word else ""
        return [*parts, Section("Meaning", meaning)] if meaning else parts

    def _ask(self, line: str, body: str, row: int, column: int) -> Completions:
        try:
            return self._magics.complete(line, body, row + 1, column + 1)
        except MetalError:
            return Completions(())


def _last_place(text: str, start: int) -> int:
    """Find the end of a call's arguments in its line; `start` where it is not there."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] == ")" and depth == 0:
            return i
        depth += (text[i] in "([{") - (text[i] in ")]}")
    return start


def _signatures(found: Completions, argument: int | None) -> list[Section]:
    shown = found.signatures[:_MOST_OVERLOADS]
    if not shown:
        return []
    marks = [_place(item.parameters, argument) for item in shown]
    parts = [Section("Signature", "\n".join(item.text for item in shown), "metal", marks=marks)]
    hidden = len(found.signatures) - len(shown)
    if hidden:
        parts.append(Section("More", f"... and {hidden} more"))
    comments = dict.fromkeys(item.comment for item in shown if item.comment)
    return [*parts, Section("Comment", "\n\n".join(comments))] if comments else parts


def _place(places: Sequence[tuple[int, int]], argument: int | None) -> tuple[int, int] | None:
    return places[argument] if argument is not None and argument < len(places) else None


def _name_at(text: str, column: int) -> tuple[int, int]:
    """Find where a name begins and ends; nothing of a number."""
    begin, end = word_at(text, column)
    return (begin, end) if begin < end and not text[begin].isdigit() else (end, end)


def _html_block(text: str, language: str) -> str:
    return f'<pre style="{PRE}">{colours.html(text, language)}</pre>'


def _reply(data: Mapping[str, Any]) -> _Reply:
    return {"status": "ok", "data": dict(data), "metadata": {}, "found": bool(data)}
