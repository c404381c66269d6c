# SPDX-License-Identifier: MIT
"""Captures and their commands in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._advice import counted
from ._bindings import BoundBuffer, BoundTexture

if TYPE_CHECKING:
    from ._command import Command
    from ._file import CaptureFile

__all__ = ["details", "milliseconds", "sizes", "summary", "title"]

_MOST_LINES = 200


def title(command: Command) -> str:
    """Say what a command is in a few words."""
    if command.kind == "dispatch":
        return f"{command.kernel} {sizes(command.grid)}"
    if command.kind == "execute":
        kernels = ", ".join(dict.fromkeys(dispatch.kernel for dispatch in command.executed))
        return f"execute {counted(len(command.executed), 'indirect command')}{': ' if kernels else ''}{kernels}"
    if command.kind == "render":
        into = command.attachments[0].resource if command.attachments else None
        size = "" if into is None else f" {sizes(into.level_size(command.attachments[0].level))}"
        return f"render{size}: {counted(sum(draw.kind in ('draw', 'execute') for draw in command.draws), 'draw')}"
    names = [item.name if item.resource is None else item.resource.name for item in _sides(command)]
    if command.kind == "copy" and len(names) == 2:
        return f"copy {names[0]} to {names[1]}"
    if command.kind == "fill" and names:
        return f"fill {names[-1]} with {command.value}"
    if command.kind in ("signal", "wait"):
        return f"{command.kind} {command.event} = {command.value}"
    if command.kind == "signpost":
        return f"signpost {command.text!r}"
    words = {"generate_mipmaps": "generate mipmaps of", "synchronize": "synchronize"}
    if command.kind in words and names:
        return f"{words[command.kind]} {names[0]}"
    return command.kind


def _sides(command: Command) -> list[BoundBuffer | BoundTexture]:
    return [item for item in command.bindings if isinstance(item, (BoundBuffer, BoundTexture))]


def summary(file: CaptureFile) -> str:
    """List a capture's commands, by command buffer."""
    lines = [
        f"Capture of {file.device.name}, {file.date:%Y-%m-%d %H:%M:%S}, program {file.process.program}",
        f"{counted(len(file.commands), 'command')} in {counted(len(file.command_buffers), 'command buffer')} of "
        f"{counted(len(file.queues), 'queue')}, {counted(len(file.resources), 'resource')}, "
        f"{milliseconds(sum(command.duration or 0 for command in file.commands))} on the device",
    ]
    if not file.is_complete:
        lines.append(f"incomplete: {counted(file.unfinished, 'command buffer')} had not ended")
    shown = None
    for command in file.commands[:_MOST_LINES]:
        if command.command_buffer is not shown:
            shown = command.command_buffer
            lines.append(_heading(command))
        lines.append(f"  {command.number:>4}  {_line(command)}")
    if len(file.commands) > _MOST_LINES:
        lines.append(f"  ... and {counted(len(file.commands) - _MOST_LINES, 'command')} more")
    for buffer in file.command_buffers:
        if buffer.error:
            lines.append(f"{buffer} failed: {buffer.error}")
    return "\n".join(lines)


def _heading(command: Command) -> str:
    scopes = "".join(f" [{scope.label}]" for scope in command.scopes if scope.label)
    return f"{command.command_buffer} on {command.queue}{scopes}"


def _line(command: Command) -> str:
    parts = [" / ".join((*command.groups, title(command)))]
    if command.kind == "dispatch":
        parts.append(f"threadgroup {sizes(command.threadgroup)}")
    parts.append("not ended" if command.duration is None else milliseconds(command.duration))
    if command.writes:
        parts.append(f"changes {', '.join(command.writes)}")
    if command.error:
        parts.append(f"FAILED: {command.error}")
    return ", ".join(parts)


def details(command: Command) -> str:
    """Tell all of one command."""
    lines = [f"{command.number}: {_line(command)}", f"{_heading(command)}"]
    if command.label:
        lines.append(f"label {command.label!r}")
    lines += [f"  {binding!r}" for binding in command.bindings]
    lines += [f"  {' / '.join((str(draw.number), *draw.groups, draw.title))}" for draw in command.draws]
    lines += [f"  {change!r}" for change in command.changed]
    return "\n".join(lines)


def sizes(xyz: tuple[int, int, int] | None) -> str:
    """Leave out what is 1 at the end."""
    if xyz is None:
        return ""
    used = 3 if xyz[2] > 1 else 2 if xyz[1] > 1 else 1
    return " x ".join(str(size) for size in xyz[:used])


def milliseconds(seconds: float) -> str:
    """Give a duration."""
    return f"{seconds * 1e3:.3f} ms"
