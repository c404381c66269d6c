# SPDX-License-Identifier: MIT
"""A capture as a page: its commands, and pictures of what each changed, before and after."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator

from ..capture import CaptureFile, Command
from ..capture._summary import milliseconds, sizes
from .kept import kept
from .pixels import Pixels
from .spans import HTML_COLOURS
from .widgets.capture.items import Image
from .widgets.capture.pictures import Part, encoded
from .widgets.capture.snapshot import changed_things

__all__ = ["capture_html"]

MOST_COMMANDS = 500
MOST_PICTURES = 60  # a notebook is a file that people keep
MOST_BYTES = 1 << 28  # of contents that are read for it
_EACH = 3  # pictures: before, after and the difference
_SIDE = 128  # of a picture, in pixels
_THINNEST = 4
_CELL = "padding: 2px 8px; text-align: left; vertical-align: top; white-space: nowrap"


def capture_html(file: CaptureFile) -> str:
    """Lay out a capture as a table: one row a command, with what it changed under it."""
    lines = str(file).splitlines()
    head = "<br>".join(html.escape(line) for line in lines[: 2 if file.is_complete else 3])
    pictures = _Pictures()
    rows = [row for command in file.commands[:MOST_COMMANDS] for row in _rows(command, pictures)]
    more = len(file.commands) - MOST_COMMANDS
    if more > 0:
        rows.append(f'<tr><td style="{_CELL}" colspan="6">... and {more} more</td></tr>')
    names = ("", "command", "threadgroup", "time", "in", "changes")
    titles = "".join(f'<th style="{_CELL}">{name}</th>' for name in names)
    table = f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    return kept(file._page_name, f"<p>{head}</p>{table}")


def _rows(command: Command, pictures: _Pictures) -> Iterator[str]:
    where = [str(command.queue), str(command.command_buffer), *(f"[{scope.label}]" for scope in command.scopes)]
    if command.label:
        where.append(repr(command.label))
    cells = (
        str(command.number),
        " / ".join((*command.groups, command.title)),
        sizes(command.threadgroup),
        "not ended" if command.duration is None else milliseconds(command.duration),
        ", ".join(where),
        command.error or ", ".join(command.writes),
    )
    colour = f"; color: {HTML_COLOURS['error']}" if command.error else ""
    yield "<tr>" + "".join(f'<td style="{_CELL}{colour}">{html.escape(cell)}</td>' for cell in cells) + "</tr>"
    if command.writes and pictures:
        shown = pictures.of(command)
        if shown:
            yield f'<tr><td></td><td style="{_CELL}; white-space: normal" colspan="5">{shown}</td></tr>'


class _Pictures:
    """Pictures of what changed: as many as there may be, of contents that are read in a moment."""

    def __init__(self) -> None:
        self.left = MOST_PICTURES
        self.bytes_left = MOST_BYTES

    def of(self, command: Command) -> str:
        """Show what a command changed before, after and where it differs, with words."""
        shown = []
        for name, found in changed_things(command):
            self.bytes_left -= found.image.nbytes
            words = f"{name}: {'; '.join([*found.words, *found.notes])}"
            shown.append(f"<div>{html.escape(words)}</div>")
            if self.left >= _EACH:
                self.left -= _EACH
                part = Part.all(found.image)
                drawn = (found.before(part, _SIDE), found.after(part, _SIDE), found.difference(part, _SIDE))
                figures = zip(("before", "after", "difference"), drawn, strict=True)
                pictures = [_picture(name, pixels, found.image) for name, pixels in figures if pixels is not None]
                shown.append(f"<div>{''.join(pictures)}</div>")
            if not self:
                break
        return "".join(shown)

    def __bool__(self) -> bool:
        return self.left >= _EACH and self.bytes_left > 0


def _picture(word: str, pixels: Pixels, image: Image) -> str:
    source = "data:image/png;base64," + base64.b64encode(encoded(pixels)).decode("ascii")
    sides = (image.height, image.width)
    height, width = (max(round(side * _SIDE / max(sides)), _THINNEST) for side in sides)
    drawn = (
        f'<img src="{source}" alt="{word}" style="width: {width}px; height: {height}px; image-rendering: pixelated">'
    )
    return f'<div style="display: inline-block; margin-right: 12px; vertical-align: top"><div>{word}</div>{drawn}</div>'
