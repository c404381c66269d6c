# SPDX-License-Identifier: MIT
"""A capture that was written to a file, read again: on any machine, with no device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .._advice import counted
from ..errors import ValidationError, outside
from ._archive import Archive, Source
from ._bindings import BoundBuffer, BoundTexture
from ._checked import Fields, damaged
from ._command import Command
from ._contents import Contents
from ._draws import CapturedRenderPipeline, read_render_pipeline
from ._history import History, history
from ._objects import (
    CapturedCommandBuffer,
    CapturedKernel,
    CapturedQueue,
    CapturedResource,
    read_command_buffer,
    read_kernel,
    read_resource,
    read_scope,
)

if TYPE_CHECKING:
    from types import TracebackType

    import numpy.typing as npt

__all__ = ["CaptureFile", "CapturedDevice", "CapturedProcess", "load"]

FORMAT = "mtlpy_nb capture"
VERSION = 1


@dataclass(frozen=True)
class CapturedDevice:
    """The device that ran the commands."""

    name: str
    threads: int
    memory: int


@dataclass(frozen=True)
class CapturedProcess:
    """The program that ran them."""

    id: int
    program: str
    system: str


class CaptureFile:
    """What a capture holds; made by :func:`load`.

    Contents are read when they are looked at. The file must stay where it is meanwhile.

    Attributes
    ----------
    path : str
        Of the file; ``"the data"`` for bytes.
    commands : tuple of Command
        In the order in which they began to run.
    command_buffers : tuple of CapturedCommandBuffer
    queues : tuple of CapturedQueue
    kernels : tuple of CapturedKernel
        With the vertex and fragment functions of render pipelines: see their `stage`.
    render_pipelines : tuple of CapturedRenderPipeline
    resources : tuple of CapturedResource
    scopes : tuple of CapturedScope
        One for each time that a scope began.
    events : tuple of str
        Their labels.
    boundaries : tuple of (CapturedQueue, float)
        Marks that a program set between command buffers, with the time.
    device : CapturedDevice
    process : CapturedProcess
    of : str
        What was captured: ``"device"``, ``"queue"`` or ``"scope"``.
    date : datetime
        When the capture began.
    started, stopped : float
        Seconds, on the clock of the commands.
    unfinished : int
        Command buffers that had not ended when the capture was stopped.
    """

    def __init__(self, source: Source) -> None:
        self._archive = Archive(source)
        try:
            self.path = self._archive.name.strip("'\"")
            self._read()
        except BaseException:
            self._archive.close()
            raise

    def _read(self) -> None:
        archive = self._archive
        if "manifest.json" not in archive:
            raise damaged(f"{archive.name} has no manifest.json, so it is another kind of zip file")
        manifest = Fields(archive.json("manifest.json"), "manifest.json")
        if manifest.text("format", "") != FORMAT:
            raise damaged(f"{archive.name} is another kind of file: its format is {manifest.text('format', '')!r:.60}")
        version = manifest.integer("version")
        if version > VERSION:
            raise damaged(f"{archive.name} has version {version} of the format; this package reads up to {VERSION}")
        self.of = manifest.text("of")
        self.unfinished = manifest.integer("unfinished")
        self.started, self.stopped = manifest.number("started"), manifest.number("stopped")
        self.date = _date(manifest.number("date"))
        device, process = manifest.object("device"), manifest.object("process")
        self.device = CapturedDevice(device.text("name"), device.integer("threads"), device.integer("memory", 2**64))
        self.process = CapturedProcess(process.integer("id"), process.text("program"), process.text("system"))
        self._contents = Contents(archive, archive.json("contents.json"), manifest.integer("block_size"))
        self._read_objects(Fields(archive.json("objects.json"), "objects.json"))
        commands = archive.json("commands.json")
        if not isinstance(commands, list):
            raise damaged("commands.json is no list")
        self.commands = tuple(
            Command(self, i, Fields(entry, f"commands.json[{i}]")) for i, entry in enumerate(commands)
        )

    def _read_objects(self, fields: Fields) -> None:
        self.queues = tuple(CapturedQueue(i, entry.text("label")) for i, entry in enumerate(fields.objects("queues")))
        self.events = tuple(entry.text("label") for entry in fields.objects("events"))
        libraries = fields.objects("libraries")
        sources = [self._archive.text(entry.text("source")) for entry in libraries]
        options = [_options(entry.object("options")) for entry in libraries]
        self.kernels: tuple[CapturedKernel, ...] = tuple(
            read_kernel(i, entry, sources, options) for i, entry in enumerate(fields.objects("pipelines"))
        )
        self.render_pipelines: tuple[CapturedRenderPipeline, ...] = tuple(
            read_render_pipeline(i, entry, self) for i, entry in enumerate(fields.objects("render_pipelines", ()))
        )
        resources: list[CapturedResource] = []
        for i, entry in enumerate(fields.objects("resources")):
            resources.append(read_resource(i, entry, resources))
        self.resources = tuple(resources)
        self.scopes = tuple(read_scope(i, entry, self.queues) for i, entry in enumerate(fields.objects("scopes")))
        self.command_buffers: tuple[CapturedCommandBuffer, ...] = tuple(
            read_command_buffer(entry, self.queues, self.scopes) for entry in fields.objects("command_buffers")
        )
        self._buffers = {buffer.id: buffer for buffer in self.command_buffers}
        self.boundaries = tuple(
            (self.queues[entry.integer("queue", len(self.queues))], entry.number("time"))
            for entry in fields.objects("boundaries", ())
        )

    def _buffer(self, number: int, where: str) -> CapturedCommandBuffer:
        found = self._buffers.get(number)
        if found is None:
            raise damaged(f"{where} is of command buffer {number}, which objects.json does not name")
        return found

    # ---- looking ----

    @property
    def is_complete(self) -> bool:
        """Whether all that was captured had ended when the capture was stopped."""
        return self.unfinished == 0

    @property
    def dispatches(self) -> tuple[Command, ...]:
        """The commands that are dispatches."""
        return tuple(command for command in self.commands if command.kind == "dispatch")

    @property
    def passes(self) -> tuple[Command, ...]:
        """The commands that are render passes."""
        return tuple(command for command in self.commands if command.kind == "render")

    @property
    def errors(self) -> tuple[Command, ...]:
        """The commands that failed."""
        return tuple(command for command in self.commands if command.error)

    def resource(self, name: str | int) -> CapturedResource:
        """Find a resource by its label, by the name of an argument that it was bound to, or by its number.

        Raises
        ------
        ValueError
            If there is none, or several.
        """
        if isinstance(name, int):
            if not 0 <= name < len(self.resources):
                raise ValidationError(f"resource is {name}, must be 0 to {len(self.resources) - 1}")
            return self.resources[name]
        found = [resource for resource in self.resources if resource.label == name] or [
            resource for resource in self.resources if name in resource.names
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            known = sorted({resource.name for resource in self.resources})
            raise ValidationError(f"no resource is called {name!r}; there are {', '.join(map(repr, known)) or 'none'}")
        several = ", ".join(repr(resource) for resource in found)
        raise ValidationError(f"{len(found)} resources are called {name!r}; name one by its number: {several}")

    def history(
        self,
        what: str | int | CapturedResource | BoundBuffer | BoundTexture,
        index: int | Sequence[int],
        *,
        level: int = 0,
        dtype: npt.DTypeLike | None = None,
    ) -> History:
        """Follow one pixel, or one element of a buffer, through the commands.

        Parameters
        ----------
        what : str, int, CapturedResource, BoundBuffer or BoundTexture
            The resource, as :meth:`resource` finds it, or what a command has bound.
        index : int or tuple of int
            As in the arrays that this package gives: (row, column) of a 2D texture, (slice, row, column) of an array.
            Elements of a buffer count from its beginning, of what a command has bound from the binding's offset.
        level : int
            Of a texture.
        dtype : optional
            Of a buffer's elements; default: what the kernels say that read and write it.

        Returns
        -------
        History
            Of each command that may have touched it, the value before and after.

        Raises
        ------
        IndexError
            If the index is outside.
        """
        return history(self, what, index, level, dtype)

    def __len__(self) -> int:
        return len(self.commands)

    def __iter__(self) -> Iterator[Command]:
        return iter(self.commands)

    def __getitem__(self, number: int) -> Command:
        """Give a command by its number; negative ones count from the end."""
        try:
            return self.commands[number]
        except IndexError:
            count = counted(len(self.commands), "command")
            raise outside(f"there is no command {number}: this capture has {count}, the first is 0") from None

    # ---- the file ----

    def close(self) -> None:
        """Close the file; contents cannot be read after that."""
        self._archive.close()

    def __enter__(self) -> CaptureFile:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        commands, buffers = counted(len(self.commands), "command"), counted(len(self.command_buffers), "command buffer")
        return f"<CaptureFile {self.path!r}: {commands} in {buffers}>"

    @cached_property
    def _page_name(self) -> str:
        """Of its page in a notebook, by which a live view takes that page's place."""
        return f"metal-capture-{uuid4().hex[:12]}"

    def _ipython_display_(self) -> None:
        from ..notebook.widgets.capture.shown import show_view

        show_view(self)
        # The page follows as this value's own form: what is left where no kernel runs.
        raise NotImplementedError

    def _repr_html_(self) -> str:
        from ..notebook.capture_view import capture_html

        return capture_html(self)

    def __str__(self) -> str:
        from ._summary import summary

        return summary(self)


def load(source: Source) -> CaptureFile:
    """Open a capture.

    Parameters
    ----------
    source : path, bytes or binary file object

    Raises
    ------
    OSError
        If there is no such file.
    ValueError
        If it is no capture, or damaged; the message says where.
    """
    return CaptureFile(source)


def _options(fields: Fields) -> dict[str, Any]:
    return {
        "language_version": fields.integer("language_version", 1 << 32),
        "math_mode": fields.text("math_mode"),
        "preserve_invariance": fields.flag("preserve_invariance"),
        "macros": fields.mapping("macros"),
        "headers": fields.mapping("headers"),
        "include_directories": fields.texts("include_directories"),
    }


def _date(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).astimezone()
    except (ValueError, OverflowError, OSError):
        raise damaged(f"manifest.json: 'date' is {seconds}") from None
