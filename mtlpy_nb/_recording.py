# SPDX-License-Identifier: MIT
"""What the package gives to the device while somebody looks: for timing. Nobody looking costs one test per call."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from .arguments import Argument

if TYPE_CHECKING:
    from .device import Device

__all__ = [
    "Recorder",
    "Submission",
    "Traffic",
    "Work",
    "begin",
    "compiling",
    "copied",
    "end",
    "named",
    "recorders",
    "recording",
    "submitted",
    "take_ended",
    "traffic",
]


@dataclass(frozen=True)
class Traffic:
    """An array or texture that a dispatch works on.

    Attributes
    ----------
    name : str
    nbytes : int
    is_read, is_written : bool
        As far as the kernel's declaration tells; an output that the call has made is only written.
    """

    name: str
    nbytes: int
    is_read: bool
    is_written: bool

    @property
    def moved(self) -> int:
        """Bytes moved if each element is read once and written once."""
        return self.nbytes * (self.is_read + self.is_written)


@dataclass(frozen=True)
class Work:
    """A dispatch, or copies.

    Attributes
    ----------
    name : str
        The kernel's.
    threads : int
        Of a dispatch's grid; 0 for copies.
    traffic : tuple of Traffic
        Empty where it is not known.
    number : int or None
        Of the dispatch in a command buffer of several, from 0.
    """

    name: str
    threads: int
    traffic: tuple[Traffic, ...]
    number: int | None = None


@dataclass(frozen=True)
class Submission:
    """A command buffer with what is in it: one dispatch, several, or copies."""

    device: Device
    command_buffer: mtl.CommandBuffer
    work: tuple[Work, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The kernels', in the order of the dispatches."""
        return tuple(one.name for one in self.work)

    @property
    def traffic(self) -> tuple[Traffic, ...]:
        """Of all together."""
        return tuple(item for one in self.work for item in one.traffic)

    def intervals(self) -> tuple[tuple[Work, float, float], ...]:
        """Give what has ended piece by piece, with start and end on the device in seconds.

        What has failed or was stopped before it came to a dispatch gives that no time. Where nobody tells dispatches
        apart, as on a Mac: each an equal part of the command buffer if they are of one kernel, else one piece of all.
        """
        commands = self.command_buffer
        start, end = commands.gpu_start_time, max(commands.gpu_start_time, commands.gpu_end_time)
        is_batch = self.work[0].number is not None
        if is_batch and (times := mtl.dispatch_times(commands)):
            of: dict[int | None, tuple[float, float]] = dict(enumerate(times))
            return tuple((one, *of.get(one.number, (end, end))) for one in self.work)
        works = self.work
        if len(set(self.names)) > 1:
            traffic = self.traffic if all(one.traffic for one in works) else ()
            works = (Work(named(self.names), sum(one.threads for one in works), traffic),)
        part = (end - start) / len(works)
        return tuple((one, start + i * part, start + (i + 1) * part) for i, one in enumerate(works))


@dataclass
class Recorder:
    """What happened since it began to look.

    Attributes
    ----------
    submissions : list of Submission
    compilations : list of float
        Seconds of each source or kernel made ready.
    """

    submissions: list[Submission] = field(default_factory=list)
    compilations: list[float] = field(default_factory=list)

    def add(self, submission: Submission) -> None:
        """Take note of a command buffer that was committed, in whichever thread."""
        self.submissions.append(submission)


recorders: list[Recorder] = []  # of those who look; replaced and not changed, so that threads may read it
_lock = threading.Lock()
_thread = threading.local()


@contextmanager
def recording(recorder: Recorder | None = None) -> Iterator[Recorder]:
    """Look at what all threads give to the device within the block."""
    recorder = Recorder() if recorder is None else recorder
    begin(recorder)
    try:
        yield recorder
    finally:
        end(recorder)


def begin(recorder: Recorder) -> None:
    """Let `recorder` look at what all threads give to the device from now on."""
    global recorders
    with _lock:
        recorders = [*recorders, recorder]


def end(recorder: Recorder) -> None:
    """Let `recorder` look no more."""
    global recorders
    with _lock:
        recorders = [other for other in recorders if other is not recorder]


def submitted(device: Device, command_buffer: mtl.CommandBuffer, work: Sequence[Work]) -> None:
    """Tell those who look of a command buffer that was committed, and of the dispatches or copies in it."""
    if not recorders:
        return
    submission = Submission(device, command_buffer, tuple(work))
    for recorder in recorders:
        recorder.add(submission)


def copied(device: Device, command_buffer: mtl.CommandBuffer, nbytes: int, name: str = "copy") -> None:
    """Tell of copies of so many bytes."""
    if recorders:
        moved = (Traffic("copy", nbytes, is_read=True, is_written=True),) if nbytes else ()
        submitted(device, command_buffer, [Work(name, 0, moved)])


def named(names: Sequence[str]) -> str:
    """Name a batch by its kernels: ``blur, invert x 3``."""
    counted = {name: names.count(name) for name in names}
    return ", ".join(f"{name} x {n}" if n > 1 else name for name, n in counted.items())


def take_ended(submissions: list[Submission]) -> list[Submission]:
    """Take out of a list what has ended, and give it."""
    ended: list[Submission] = []
    under_way: list[Submission] = []
    for submission in submissions:
        (ended if submission.command_buffer.done() else under_way).append(submission)
    submissions[:] = under_way
    return ended


def traffic(
    arguments: Sequence[Argument],
    buffers: Sequence[Any],
    textures: Sequence[Any],
    sizes: Mapping[int, int],
    made: Sequence[str] = (),
) -> tuple[Traffic, ...]:
    """List the arrays and textures of a dispatch.

    Parameters
    ----------
    arguments : sequence of Argument
    buffers, textures : list
        What is bound, by Metal's index.
    sizes : mapping of int to int
        Bytes of those buffers that may be part of a larger one, by index.
    made : sequence of str
        Names of the outputs that the call makes.
    """
    found = []
    for argument in arguments:
        for nbytes in _lengths(argument, buffers, textures, sizes):
            is_new = argument.name in made
            found.append(
                Traffic(argument.name, nbytes, argument.access != "write" and not is_new, argument.is_writable)
            )
    return tuple(found)


def _lengths(
    argument: Argument, buffers: Sequence[Any], textures: Sequence[Any], sizes: Mapping[int, int]
) -> Iterator[int]:
    if argument.kind == "buffer" and argument.index in sizes:
        yield sizes[argument.index]
        return
    items = {"buffer": buffers, "texture": textures}.get(argument.kind, ())
    for item in items[argument.index : argument.index + int(argument.native.array_length)]:
        if isinstance(item, mtl.Texture):
            yield item.width * item.height * item.depth * item.array_length * item.bytes_per_pixel * _faces(item)
        elif isinstance(item, mtl.Buffer):
            yield int(item.length)
        elif item is not None and not argument.takes_value:
            yield memoryview(item).nbytes


def _faces(texture: mtl.Texture) -> int:
    return 6 if texture.texture_type in (mtl.TextureType.TypeCube, mtl.TextureType.TypeCubeArray) else 1


@contextmanager
def compiling() -> Iterator[None]:
    """Time a block that makes code; only the outermost of several counts."""
    depth = getattr(_thread, "depth", 0)
    if depth or not recorders:
        yield
        return
    _thread.depth = 1
    start = time.perf_counter()
    try:
        yield
    finally:
        _thread.depth = 0
        seconds = time.perf_counter() - start
        for recorder in recorders:
            recorder.compilations.append(seconds)
