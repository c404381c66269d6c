# SPDX-License-Identifier: MIT
"""A capture as a page: its commands, and pictures of what each changed, before and after."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator

import numpy as np

from .._arrays import Array
from ..capture import CaptureFile, Change, Command
from ..capture._summary import sizes
from .images import images_of_array
from .look import Look
from .preview import show
from .scale import choose_scale
from .spans import HTML_COLOURS

__all__ = ["capture_html"]

MOST_COMMANDS = 500
MOST_PICTURES = 60  # a notebook is a file that people keep
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
    names = ("", "command", "threadgroup", "ms", "in", "changes")
    titles = "".join(f'<th style="{_CELL}">{name}</th>' for name in names)
    table = f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    return f"<div><p>{head}</p>{table}</div>"


def _rows(command: Command, pictures: _Pictures) -> Iterator[str]:
    where = [str(command.queue), str(command.command_buffer), *(f"[{scope.label}]" for scope in command.scopes)]
    if command.label:
        where.append(repr(command.label))
    cells = (
        str(command.number),
        " / ".join((*command.groups, command.title)),
        sizes(command.threadgroup),
        "not ended" if command.duration is None else f"{command.duration * 1e3:.3f}",
        ", ".join(where),
        command.error or ", ".join(command.writes),
    )
    colour = f"; color: {HTML_COLOURS['error']}" if command.error else ""
    yield "<tr>" + "".join(f'<td style="{_CELL}{colour}">{html.escape(cell)}</td>' for cell in cells) + "</tr>"
    if command.writes and pictures.left:
        shown = "".join(pictures.of(change) for change in command.changed)
        if shown:
            yield f'<tr><td></td><td style="{_CELL}" colspan="5">{shown}</td></tr>'


class _Pictures:
    """Pictures of what changed, as many as there may be."""

    def __init__(self) -> None:
        self.left = MOST_PICTURES

    def of(self, change: Change) -> str:
        """Show a change before and after; in words where it is no image or enough pictures were shown."""
        words = repr(change)[1:-1]
        if self.left < 2 or not _is_image(change):
            return f"<div>{html.escape(words)}</div>"
        self.left -= 2
        before, after = _reduced(change.before), _reduced(change.after)
        limits, notes = _scale_of(before, after)
        shown = _picture(before, "before", limits) + _picture(after, "after", limits)
        return f"<div>{html.escape(', '.join((words, *notes)))}</div><div>{shown}</div>"


def _is_image(change: Change) -> bool:
    shape = change.before.shape
    if change.resource.kind == "texture":
        return len(shape) - (change.resource.channels > 1) == 2
    return False


def _reduced(array: Array) -> Array:
    """Take the pixels of a grid over an image."""
    step = -(-max(array.shape[:2]) // _SIDE)
    return np.array(array[::step, ::step])


@np.errstate(all="ignore")
def _scale_of(before: Array, after: Array) -> tuple[tuple[float, float], list[str]]:
    """Choose one scale for both, so that what differs looks different; and what to say of it."""
    both = [images_of_array(array, "", Look()) for array in (before, after)]
    scale, notes = choose_scale([plane for images in both if images for plane in images.planes], Look())
    return (scale.low, scale.high), notes


def _picture(array: Array, word: str, limits: tuple[float, float]) -> str:
    png = show(array, zoom=1, range=limits).png()
    assert png is not None
    source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    height, width = (max(round(side * _SIDE / max(array.shape[:2])), _THINNEST) for side in array.shape[:2])
    image = (
        f'<img src="{source}" alt="{word}" style="width: {width}px; height: {height}px; image-rendering: pixelated">'
    )
    return f'<div style="display: inline-block; margin-right: 12px; vertical-align: top"><div>{word}</div>{image}</div>'
