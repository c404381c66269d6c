# SPDX-License-Identifier: MIT
"""One command of a capture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import ValidationError
from ._bindings import BoundBuffer, BoundTexture, Named, Touched
from ._changes import Change
from ._checked import Fields, damaged
from ._draws import Attachment, Draw, read_pass
from ._objects import (
    CapturedArgument,
    CapturedCommandBuffer,
    CapturedEncoder,
    CapturedKernel,
    CapturedQueue,
    CapturedScope,
    TypeDescription,
    owner_of,
)
from ._samplers import SamplerOptions, read_sampler

if TYPE_CHECKING:
    from ._file import CaptureFile

__all__ = ["Command", "ExecutedDispatch"]

KINDS = (
    "dispatch",
    "copy",
    "fill",
    "generate_mipmaps",
    "synchronize",
    "signal",
    "wait",
    "signpost",
    "execute",
    "render",
    "other",
)
_LEVELS = 16


@dataclass(frozen=True)
class ExecutedDispatch:
    """A dispatch of an indirect command buffer.

    Attributes
    ----------
    index : int
        Its place in the indirect command buffer.
    pipeline : CapturedKernel
    grid, threadgroup, threadgroups : tuple of int
        As of a :class:`Command`.
    """

    index: int
    pipeline: CapturedKernel
    grid: tuple[int, int, int]
    threadgroup: tuple[int, int, int]
    threadgroups: tuple[int, int, int]

    @property
    def kernel(self) -> str:
        """Name of the kernel."""
        return self.pipeline.name


class Command:
    """A command as it ran.

    Attributes
    ----------
    number : int
        Its place in ``CaptureFile.commands``, which is the order in which commands began.
    kind : str
        ``"dispatch"``, ``"copy"``, ``"fill"``, ``"generate_mipmaps"``, ``"synchronize"``, ``"signal"``, ``"wait"``,
        ``"signpost"``, ``"execute"`` (of an indirect command buffer's commands), ``"render"`` (a whole pass) or
        ``"other"``.
    groups : tuple of str
        Debug groups that it was encoded in, the outermost first.
    command_buffer : CapturedCommandBuffer
    queue : CapturedQueue
    encoder : CapturedEncoder or None
    pipeline : CapturedKernel or None
        Of a dispatch: the kernel with its constants.
    grid, threadgroup, threadgroups : tuple of int or None
        Of a dispatch: threads in the grid, threads in a threadgroup, threadgroups; x, y, z.
    executed : tuple of ExecutedDispatch
        Of ``"execute"``: the commands that were in the indirect command buffer when it began, which are dispatches.
    attachments : tuple of Attachment
        Of a render pass: what it drew into.
    draws : tuple of Draw
        Of a render pass, in the order in which they were drawn.
    start, end : float or None
        Seconds, on one clock for the whole capture; `end` is None where the capture ended first.
    error : str
        How it failed; empty where it did not.
    touched : tuple of Touched
        All memory that it may have touched.
    """

    def __init__(self, file: CaptureFile, number: int, fields: Fields) -> None:
        self.file = file
        self.number = number
        self._fields = fields
        self.kind = fields.text("kind")
        if self.kind not in KINDS:
            raise damaged(f"{fields.where}: 'kind' is {self.kind!r:.60}")
        self.command_buffer: CapturedCommandBuffer = file._buffer(fields.integer("command_buffer"), fields.where)
        self.queue: CapturedQueue = self.command_buffer.queue
        self.groups = fields.texts("groups", ())
        encoder = fields.optional_integer("encoder", len(self.command_buffer.encoders))
        self.encoder: CapturedEncoder | None = None if encoder is None else self.command_buffer.encoders[encoder]
        self.start = fields.optional_number("start")
        self.end = fields.optional_number("end")
        self.error = fields.text("error", "")
        self.touched = _touched(file, fields)
        self.pipeline: CapturedKernel | None = None
        self.grid = self.threadgroup = self.threadgroups = None
        if self.kind == "dispatch":
            self.pipeline = file.kernels[fields.integer("pipeline", len(file.kernels))]
            self.grid, self.threadgroup = fields.sizes("grid"), fields.sizes("threadgroup")
            self.threadgroups = fields.sizes("threadgroups")
        self.executed: tuple[ExecutedDispatch, ...] = ()
        if self.kind == "execute":
            self.executed = tuple(
                ExecutedDispatch(
                    entry.integer("index"),
                    file.kernels[entry.integer("pipeline", len(file.kernels))],
                    entry.sizes("grid"),
                    entry.sizes("threadgroup"),
                    entry.sizes("threadgroups"),
                )
                for entry in fields.objects("dispatches", ())
            )
        self.attachments: tuple[Attachment, ...] = ()
        self.draws: tuple[Draw, ...] = ()
        if self.kind == "render":
            self.attachments, self.draws = read_pass(self, fields)
        self._bindings: tuple[Any, ...] = ()
        self._textures, self._buffers = _bound(self, fields)

    # ---- what it is ----

    @property
    def label(self) -> str:
        """Of its encoder, else of its command buffer; empty where neither has one."""
        own = self.encoder.label if self.encoder is not None else ""
        return own or self.command_buffer.label

    @property
    def scopes(self) -> tuple[CapturedScope, ...]:
        """Capture scopes that its command buffer belongs to."""
        return self.command_buffer.scopes

    @property
    def kernel(self) -> str | None:
        """Name of a dispatch's kernel."""
        return None if self.pipeline is None else self.pipeline.name

    @property
    def source(self) -> str | None:
        """Text of the library that a dispatch's kernel is of."""
        return None if self.pipeline is None else self.pipeline.source

    @property
    def duration(self) -> float | None:
        """Seconds that it ran; None where the capture ended first."""
        return None if self.start is None or self.end is None else self.end - self.start

    @property
    def is_finished(self) -> bool:
        """Whether it had ended before the capture did."""
        return self.end is not None

    @property
    def is_indirect(self) -> bool:
        """Whether the grid of a dispatch was read from a buffer."""
        return "indirect" in self._fields

    @property
    def title(self) -> str:
        """What it is in a few words: ``"blur_rows 640 x 480"``, ``"copy source to destination"``."""
        from ._summary import title

        return title(self)

    # ---- what it worked on ----

    @property
    def buffers(self) -> Named[BoundBuffer]:
        """Buffers by the names or indices of the kernel's arguments; of a copy ``"source"`` and ``"destination"``.

        Of a render pass the first that has the name in any of its draws; `draws` has each draw's own.
        """
        return self._buffers

    @property
    def textures(self) -> Named[BoundTexture]:
        """Textures likewise."""
        return self._textures

    @property
    def bindings(self) -> tuple[BoundBuffer | BoundTexture | SamplerOptions | ThreadgroupMemory | FunctionTable, ...]:
        """All that is bound, in the order of the kernel's arguments; what argument buffers hold comes last."""
        return self._bindings

    @cached_property
    def samplers(self) -> Mapping[str, SamplerOptions]:
        """Samplers by name."""
        return {item.name: item for item in self._bindings if isinstance(item, SamplerOptions)}

    @cached_property
    def threadgroup_memory(self) -> Mapping[str, int]:
        """Bytes of threadgroup memory, by the argument's name."""
        return {item.name: item.length for item in self._bindings if isinstance(item, ThreadgroupMemory)}

    @cached_property
    def function_tables(self) -> Mapping[str, tuple[str | None, ...]]:
        """Names of the functions in tables, by the argument's name."""
        return {item.name: item.functions for item in self._bindings if isinstance(item, FunctionTable)}

    @cached_property
    def changed(self) -> tuple[Change, ...]:
        """What it changed, with the elements; memory that held the same bytes afterwards is not among it."""
        found = []
        for touched in self.touched:
            change = Change.of(self, touched, self._bound_to(touched)) or Change.of(self, touched)
            if change is not None:
                found.append(change)
        return tuple(found)

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of what it changed; quicker than :attr:`changed`, since no content is read."""
        return tuple(
            dict.fromkeys(
                bound.name if (bound := self._bound_to(touched)) is not None else touched.resource.name
                for touched in self.touched
                if touched.after is not None and touched.after != touched.before
            )
        )

    # ---- of other commands than dispatches ----

    @property
    def text(self) -> str:
        """Of a signpost."""
        return self._fields.text("text", "")

    @property
    def event(self) -> str | None:
        """Of a signal or a wait: the event's label, or its number where it has none."""
        if "event" not in self._fields:
            return None
        number = self._fields.integer("event", len(self.file.events))
        return self.file.events[number] or f"event {number}"

    @property
    def value(self) -> int | None:
        """Of a signal or a wait: the event's value. Of a fill: the byte."""
        return self._fields.optional_integer("value", 2**64)

    @property
    def size(self) -> tuple[int, int, int] | int | None:
        """Of a copy or a fill: bytes, or pixels in x, y, z."""
        if "size" in self._fields:
            return self._fields.sizes("size")
        return self._fields.optional_integer("bytes")

    @property
    def places(self) -> Mapping[str, Mapping[str, Any]]:
        """Of a copy or a fill: where in the source and the destination, as Metal's call names it."""
        found = {}
        for side in ("source", "destination"):
            if side in self._fields:
                fields = self._fields.object(side)
                found[side] = {name: value for name, value in fields._members.items() if name != "resource"}
        return found

    @property
    def options(self) -> int:
        """Of a copy between a buffer and a texture: Metal's ``BlitOption``, 0 for whole texels."""
        return self._fields.integer("options", 2**64, default=0)

    # ---- for others here ----

    def known(self, number: int | None, name: str) -> int:
        """Give the number of a content; refuse what the capture does not hold.

        Parameters
        ----------
        number : int or None
            None for what it does not hold.
        name : str
            Of what is wanted, for the message.
        """
        if number is None:
            why = "the capture does not hold it" if self.is_finished else "the capture ended before the command did"
            raise ValidationError(f"no content of {name!r} in command {self.number}: {why}")
        return number

    def _bound_to(self, touched: Touched) -> BoundBuffer | BoundTexture | None:
        """Find what the memory is bound as, first where it is written."""
        found: BoundBuffer | BoundTexture | None = None
        items: list[BoundBuffer | BoundTexture] = [*self._buffers.values(), *self._textures.values()]
        for bound in items:
            if bound.resource is None or bound.resource.root is not touched.resource:
                continue
            if found is None or (bound.is_written and not found.is_written):
                found = bound
        return found

    def __repr__(self) -> str:
        return f"<Command {self.number}: {self.title}>"

    def __str__(self) -> str:
        from ._summary import details

        return details(self)


class ThreadgroupMemory:
    """Threadgroup memory that a dispatch was given: ``length`` bytes."""

    def __init__(self, name: str, index: int, length: int) -> None:
        self.name, self.index, self.length = name, index, length

    def __repr__(self) -> str:
        return f"<ThreadgroupMemory {self.name} [[threadgroup({self.index})]]: {self.length} bytes>"


class FunctionTable:
    """A table of visible functions: their names, None where none was set."""

    def __init__(self, name: str, index: int | None, functions: tuple[str | None, ...]) -> None:
        self.name, self.index, self.functions = name, index, functions

    def __repr__(self) -> str:
        return f"<FunctionTable {self.name}: {', '.join(str(name) for name in self.functions)}>"


def _touched(file: CaptureFile, fields: Fields) -> tuple[Touched, ...]:
    entries = fields.objects("touched")
    after = fields.items("after", None)
    if after is not None and len(after) != len(entries):
        raise damaged(f"{fields.where}: 'after' has {len(after)} entries, 'touched' {len(entries)}")
    contents = len(file._contents)
    found = []
    for i, entry in enumerate(entries):
        before = entry.integer("before", contents)
        is_written = entry.flag("written")
        number = None if after is None else after[i]
        if number is not None and not (type(number) is int and 0 <= number < contents):
            raise damaged(f"{fields.where}: 'after' holds {number!r:.40}, must be 0 to {contents - 1}")
        if number is None and not is_written:
            number = before
        found.append(
            Touched(owner_of(file, entry), entry.optional_integer("level", _LEVELS), is_written, before, number)
        )
    return tuple(found)


def _bound(command: Command, fields: Fields) -> tuple[Named[BoundTexture], Named[BoundBuffer]]:
    items: list[Any] = []
    if command.pipeline is not None:
        for entry in fields.objects("bindings"):
            arguments = command.pipeline.arguments
            argument = arguments[entry.integer("argument", len(arguments))]
            items.append(_read_binding(command, entry, argument))
        items.extend(_read_stage_input(command, fields))
        for entry in fields.objects("pointees", ()):
            items.append(_read_pointee(command, entry, command.pipeline))
    items.extend(_read_sides(command, fields))
    items.extend(_of_pass(command, fields))
    command._bindings = tuple(items)
    for item in items:
        resource = getattr(item, "resource", None)
        if resource is not None and item.name not in resource._names:
            resource._names.append(item.name)
    return (
        Named("texture", [item for item in items if isinstance(item, BoundTexture)]),
        Named("buffer", [item for item in items if isinstance(item, BoundBuffer)]),
    )


def _of_pass(command: Command, fields: Fields) -> list[Any]:
    """Of a render pass: what it drew into, then what its draws had bound, each name once."""
    found: list[Any] = []
    for attachment in command.attachments:
        found += [attachment] + ([attachment.resolve] if attachment.resolve is not None else [])
    if "visibility" in fields:
        entry = Fields({"resource": fields.raw("visibility")}, fields.where)
        found.append(_read_item(command, entry, "visibility", None, "write", None))
    names = {item.name for item in found}
    for item in (item for draw in command.draws for item in draw.bindings):
        if item.name not in names:
            names.add(item.name)
            found.append(item)
    return found


def _read_binding(command: Command, entry: Fields, argument: CapturedArgument) -> Any:
    element = entry.optional_integer("element", 1 << 32) or 0
    name = f"{argument.name}[{element}]" if argument.array_length > 1 else argument.name
    return _read_item(command, entry, name, argument.index + element, argument.access, argument)


def _read_item(
    command: Command, entry: Fields, name: str, index: int | None, access: str, argument: CapturedArgument | None
) -> Any:
    if "sampler" in entry:
        return read_sampler(name, index, entry.object("sampler"))
    if "length" in entry:
        return ThreadgroupMemory(name, index or 0, entry.integer("length"))
    if "functions" in entry:
        functions = entry.items("functions")
        return FunctionTable(name, index, tuple(None if one is None else str(one)[:200] for one in functions))
    common: Any = {"argument": argument}
    if "content" in entry:
        content = entry.integer("content", len(command.file._contents))
        return BoundBuffer(command, name, index, access, None, content=content, **common)
    resource = owner_of(command.file, entry)
    if resource.kind == "texture":
        return BoundTexture(command, name, index, access, resource, **common)
    offset = entry.integer("offset", resource.length + 1, default=0)
    return BoundBuffer(command, name, index, access, resource, offset=offset, **common)


def _read_stage_input(command: Command, fields: Fields) -> list[Any]:
    """Buffers that a kernel's [[stage_in]] is fetched from, each once."""
    found: dict[int, Any] = {}
    for entry in fields.objects("stage_in", ()):
        index = entry.integer("buffer", 64)
        found.setdefault(index, _read_item(command, entry, f"stage_in({index})", index, "read", None))
    if "indices" in fields:
        entry = fields.object("indices")
        index = entry.integer("buffer", 64)
        found[index] = _read_item(command, entry, "indices", index, "read", None)
    return list(found.values())


def _read_pointee(command: Command, entry: Fields, kernel: CapturedKernel) -> Any:
    argument = kernel.arguments[entry.integer("argument", len(kernel.arguments))]
    path = entry.text("path")
    name = argument.name + ("" if path.startswith("[") else ".") + path
    type_number = entry.optional_integer("type", len(kernel.types))
    described: TypeDescription | None = None if type_number is None else kernel.types[type_number]
    pointee = CapturedArgument(name, entry.text("kind"), 0, "", 1, "", described)
    access = entry.text("access", "read_write")
    if entry.text("kind") == "texture":
        pointee, access = argument, _texture_access(command, entry)
    return _read_item(command, entry, name, None, access, pointee)


def _texture_access(command: Command, entry: Fields) -> str:
    """Of a texture in an argument buffer, by what was noted of its memory."""
    root = owner_of(command.file, entry).root
    is_written = any(touched.is_written for touched in command.touched if touched.resource is root)
    return "read_write" if is_written else "read"


def _read_sides(command: Command, fields: Fields) -> list[Any]:
    if command.kind in ("generate_mipmaps", "synchronize") and "resource" in fields:
        return [_read_item(command, fields, "resource", None, "read_write", None)]
    found = []
    for side, access in (("source", "read"), ("destination", "write")):
        if side in fields:
            entry = fields.object(side)
            item = _read_item(command, entry, side, None, access, None)
            if isinstance(item, BoundBuffer):
                item.offset = 0  # the place is in `places`; the whole buffer is what is shown
            found.append(item)
    return found
