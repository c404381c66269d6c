# SPDX-License-Identifier: MIT
"""Where the time on the device goes, kernel by kernel."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from ._recording import Recorder, Submission, Work, recording, take_ended
from .errors import ExecutionError, unknown_name
from .timing import covered, merged, rate

if TYPE_CHECKING:
    from .device import Device

__all__ = ["KernelProfile", "Profile", "profiling"]

# So many command buffers are remembered before it is looked which have ended: a loop may make millions of them.
_MANY = 256


@dataclass(frozen=True)
class KernelProfile:
    """What all calls of a kernel took together.

    Attributes
    ----------
    name : str
        Of the kernel, ``"copy"`` for copies. On a Mac, where nobody tells apart the times of several kernels in one
        command buffer: their names.
    device : str
        Name of the device that ran it.
    calls : int
    failed : int
        How many of the calls failed, or were stopped.
    gpu : float
        Seconds on the device.
    share : float
        Of the time of all kernels together: 0 to 1.
    threads : int
        Of all calls together; 0 for copies.
    bytes : int or None
        Read and written if each element of its arrays is touched once; None where that is not known.
    """

    name: str
    device: str
    calls: int
    failed: int
    gpu: float
    share: float
    threads: int
    bytes: int | None

    @property
    def time_per_thread(self) -> float | None:
        """Seconds on the device for each thread; None for copies. Many threads run at a time."""
        return self.gpu / self.threads if self.threads else None

    @property
    def threads_per_s(self) -> float | None:
        """Threads that ran in a second; None for copies."""
        return self.threads / self.gpu if self.threads and self.gpu > 0 else None

    @property
    def gb_per_s(self) -> float | None:
        """Gigabytes (10**9 bytes) a second; None where `bytes` is not known."""
        return rate(self.bytes, self.gpu)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and texts, as for JSON; times are in seconds."""
        return {
            "name": self.name,
            "device": self.device,
            "calls": self.calls,
            "failed": self.failed,
            "gpu": self.gpu,
            "share": self.share,
            "threads": self.threads,
            "time_per_thread": self.time_per_thread,
            "threads_per_s": self.threads_per_s,
            "bytes": self.bytes,
            "gb_per_s": self.gb_per_s,
        }


@dataclass
class Profile:
    """What ran on the devices in a while, kernel by kernel; made by ``%%metal_profile`` and :func:`profiling`.

    Attributes
    ----------
    kernels : tuple of KernelProfile
        The one that took longest first.
    gpu : float
        Seconds in which at least one command buffer was running.
    wall : float
        Seconds that passed.
    compile : float
        Seconds of all compiling.
    """

    kernels: tuple[KernelProfile, ...] = ()
    gpu: float = 0.0
    wall: float = 0.0
    compile: float = 0.0

    @property
    def calls(self) -> int:
        """Of all kernels together, and copies."""
        return sum(kernel.calls for kernel in self.kernels)

    def __getitem__(self, name: str) -> KernelProfile:
        """Give the first row of that name.

        Raises
        ------
        KeyError
            If nothing of that name ran.
        """
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        raise unknown_name(f"nothing named {name!r} ran; there are {', '.join(k.name for k in self.kernels) or 'none'}")

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, texts and lists, as for JSON; times are in seconds."""
        return {
            "gpu": self.gpu,
            "wall": self.wall,
            "compile": self.compile,
            "calls": self.calls,
            "kernels": [kernel.to_dict() for kernel in self.kernels],
        }

    def __repr__(self) -> str:
        from .notebook.profile_text import one_line

        return one_line(self)

    def __str__(self) -> str:
        from .notebook.profile_text import several_lines

        return several_lines(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from .notebook.profile_text import as_html, several_lines

        return {"text/plain": several_lines(self), "text/html": as_html(self)}


@contextmanager
def profiling() -> Iterator[Profile]:
    """Profile what all threads give to all devices within the block.

    At the end of the block it waits for work that was started with ``wait=False``; the profile is filled then, also
    when the block failed.

    Yields
    ------
    Profile

    Raises
    ------
    ExecutionError
        If work failed that nobody waits for, as by the next call that waits.
    """
    profile, tally = Profile(), _Tally()
    start = time.perf_counter()
    try:
        with recording(tally):
            try:
                yield profile
            except BaseException as error:
                tally.finish(is_stopped=isinstance(error, KeyboardInterrupt))
                raise
            tally.finish()
    finally:
        profile.wall = time.perf_counter() - start
        tally.fill(profile)
    tally.raise_failure()


@dataclass
class _Row:
    name: str
    device: str
    calls: int = 0
    failed: int = 0
    gpu: float = 0.0
    threads: int = 0
    bytes: int | None = 0

    def add(self, work: Work, seconds: float, is_failed: bool) -> None:
        self.calls += 1
        self.failed += is_failed
        self.gpu += seconds
        self.threads += work.threads
        moved = sum(item.moved for item in work.traffic)
        self.bytes = None if self.bytes is None or not work.traffic else self.bytes + moved


@dataclass
class _Tally(Recorder):
    """Adds up command buffers that have ended, and lets go of them."""

    rows: dict[tuple[str, int], _Row] = field(default_factory=dict)
    intervals: list[tuple[float, float]] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, submission: Submission) -> None:
        with self.lock:
            self.submissions.append(submission)
            if len(self.submissions) % _MANY == 0:
                self._add_ended()

    def _add_ended(self) -> None:
        """Take out what has ended; the lock is held."""
        for submission in take_ended(self.submissions):
            self._count(submission)
        if len(self.intervals) > _MANY:
            self.intervals[:] = merged(self.intervals)

    def _count(self, submission: Submission) -> None:
        commands, device = submission.command_buffer, submission.device
        start, end = commands.gpu_start_time, commands.gpu_end_time
        is_failed = commands.status == mtl.CommandBufferStatus.Error
        seconds = max(end - start, 0.0)
        self.intervals.append((start, start + seconds))
        if not any(known is device for known in self.devices):
            self.devices.append(device)
        native = device._metal
        for work, began, ended in submission.intervals():
            row = self.rows.setdefault((work.name, native.registry_id), _Row(work.name, native.name))
            row.add(work, ended - began, is_failed)

    def finish(self, *, is_stopped: bool = False) -> None:
        """Wait for what was begun; what it failed with is told by :meth:`raise_failure`."""
        try:
            for submission in list(self.submissions):
                if is_stopped:
                    _stop(submission)
                try:
                    submission.command_buffer.wait()
                except ExecutionError:
                    continue
        except KeyboardInterrupt:
            for submission in list(self.submissions):
                _stop(submission)
            raise
        finally:
            with self.lock:
                self._add_ended()

    def fill(self, profile: Profile) -> None:
        """Write down what was added up."""
        with self.lock:
            rows = sorted(self.rows.values(), key=lambda row: -row.gpu)
            total = sum(row.gpu for row in rows)
            profile.kernels = tuple(
                KernelProfile(
                    row.name,
                    row.device,
                    row.calls,
                    row.failed,
                    row.gpu,
                    row.gpu / total if total > 0 else 0.0,
                    row.threads,
                    row.bytes,
                )
                for row in rows
            )
            profile.gpu = covered(self.intervals)
            profile.compile = sum(self.compilations)

    def raise_failure(self) -> None:
        """Raise what went wrong in work that nobody waits for."""
        for device in self.devices:
            device._pending.raise_failure()


def _stop(submission: Submission) -> None:
    if not submission.command_buffer.done():
        mtl.stop(submission.command_buffer)
