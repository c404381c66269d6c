# SPDX-License-Identifier: MIT
"""The commands of a capture as rows, and one command in words, as the capture view shows them."""

from __future__ import annotations

from typing import Any

from ...._advice import counted
from ....capture import BoundBuffer, BoundTexture, CaptureFile, Command
from ....capture._summary import milliseconds, sizes

__all__ = ["binding_of", "details_of", "rows_of"]

_MOST_VALUES = 16
_QUALIFIERS = ("device", "constant", "const", "struct")


def rows_of(file: CaptureFile) -> dict[str, Any]:
    """Give all commands, with a heading wherever the command buffer or the encoder is another."""
    rows: list[dict[str, Any]] = []
    before = None
    for command in file.commands:
        place = (command.command_buffer.id, command.encoder)
        if place != before:
            rows.append({"heading": _heading(command)})
            before = place
        rows.append(_row(command))
    failed = [f"{buffer} failed: {buffer.error}" for buffer in file.command_buffers if buffer.error]
    if not file.is_complete:
        failed.insert(0, f"incomplete: {counted(file.unfinished, 'command buffer')} had not ended")
    commands, buffers = counted(len(file.commands), "command"), counted(len(file.command_buffers), "command buffer")
    total = milliseconds(sum(command.duration or 0 for command in file.commands))
    queues = counted(len(file.queues), "queue")
    return {
        "title": f"{commands} in {buffers} of {queues}, {total} on {file.device.name}",
        "failed": failed,
        "rows": rows,
    }


def _row(command: Command) -> dict[str, Any]:
    row: dict[str, Any] = {"number": command.number, "title": " / ".join((*command.groups, command.title))}
    if command.threadgroup is not None:
        row["threadgroup"] = sizes(command.threadgroup)
    if command.duration is not None:
        row["ms"] = round(command.duration * 1e3, 4)
    if command.writes:
        row["writes"] = ", ".join(command.writes)
    if command.error:
        row["error"] = command.error
    return row


def _heading(command: Command) -> str:
    """Say where a command was encoded; what a person has named comes first, since the rest may not be seen."""
    parts = [f"scope {scope.label!r}" if scope.label else "scope" for scope in command.scopes]
    parts.append(str(command.command_buffer))
    if command.encoder is not None:
        label = command.encoder.label
        parts.append(f"{command.encoder.kind} encoder" + (f" {label!r}" if label else ""))
    return " · ".join([*parts, str(command.queue)])


def details_of(command: Command) -> dict[str, Any]:
    """Give all of one command that is no content."""
    lines = [_heading(command)]
    if command.groups:
        lines.append("in " + " / ".join(command.groups))
    if command.kind == "dispatch":
        lines.append(
            f"grid {sizes(command.grid)}{' (indirect)' if command.is_indirect else ''}, "
            f"threadgroup {sizes(command.threadgroup)}, threadgroups {sizes(command.threadgroups)}"
        )
    lines.append("not ended" if command.duration is None else f"{milliseconds(command.duration)} on the device")
    if command.pipeline is not None and command.pipeline.constants:
        lines.append(", ".join(f"{name} = {value}" for name, value in command.pipeline.constants.items()))
    for side, place in command.places.items():
        lines.append(f"{side}: {', '.join(f'{name} {value}' for name, value in place.items())}")
    return {
        "number": command.number,
        "title": command.title,
        "lines": lines,
        "error": command.error,
        "has_source": bool(command.source),
    }


def binding_of(item: Any) -> dict[str, Any]:
    """Say what one thing is that is bound."""
    name = getattr(item, "name", "")
    if isinstance(item, BoundTexture):
        texture = item.resource
        size = " x ".join(str(n) for n in (texture.width, texture.height, texture.depth)[: _axes(texture.texture_type)])
        several = f" x {texture.array_length}" if texture.array_length > 1 else ""
        text = f"{texture.texture_type} texture, {size}{several}, {texture.pixel_format}"
        if texture.label and texture.label != name:
            text += f", {texture.label!r}"
        return {"name": name, "access": item.access, "text": text}
    if isinstance(item, BoundBuffer):
        of = "bytes" if item.resource is None else "buffer"
        text = f"{of}, {item.length // item.dtype.itemsize} x {_type_name(item)}"
        if item.offset:
            text += f" from byte {item.offset}"
        if item.resource is not None and item.resource.label not in ("", name):
            text += f", {item.resource.label!r}"
        found: dict[str, Any] = {"name": name, "access": item.access, "text": text}
        if item.resource is None and item.length <= _MOST_VALUES * item.dtype.itemsize:
            values = item.before
            found["value"] = str(values[0]) if len(values) == 1 else str(values)
        return found
    text = repr(item)[1:-1].partition(" ")[2].removeprefix(name).strip(" :")
    if hasattr(item, "min_filter"):
        text = (
            f"sampler, {item.min_filter.name} and {item.mag_filter.name}, mips {item.mip_filter.name}, "
            f"{item.s_address_mode.name}"
        )
    return {"name": name, "access": "", "text": text}


def _axes(kind: str) -> int:
    return 1 if kind.startswith(("1d", "buffer")) else 3 if kind == "3d" else 2


def _type_name(item: BoundBuffer) -> str:
    if item.dtype.names:
        words = [] if item.argument is None else item.argument.type_text.replace("*", " ").replace("&", " ").split()
        return " ".join(word for word in words if word not in _QUALIFIERS) or "struct"
    return str(item.dtype)
