# SPDX-License-Identifier: MIT
"""How long kernels take: on the device, and around it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _native as mtl
from ._recording import Recorder, Submission, Traffic, recording
from .errors import ValidationError

__all__ = ["KernelTime", "Samples", "Timing", "measure"]

_AIM = 0.3  # seconds of measured runs, where their number is not given
_FEWEST, _MOST = 5, 100


class NothingRanError(ValidationError):
    """Something to time that gave nothing to the device."""


@dataclass(frozen=True)
class Samples:
    """Seconds of several runs, and what they have in common.

    Attributes
    ----------
    seconds : tuple of float
        In the order of the runs.
    """

    seconds: tuple[float, ...]

    @property
    def n(self) -> int:
        """Number of runs."""
        return len(self.seconds)

    @property
    def median(self) -> float:
        """As many runs took longer as took less; 0 without runs."""
        return statistics.median(self.seconds) if self.seconds else 0.0

    @property
    def quartiles(self) -> tuple[float, float]:
        """A quarter of the runs took less than the first, a quarter more than the second."""
        if self.n < 2:
            return self.median, self.median
        lower, _, upper = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return lower, upper

    @property
    def min(self) -> float:
        """The shortest run."""
        return min(self.seconds, default=0.0)

    @property
    def max(self) -> float:
        """The longest run."""
        return max(self.seconds, default=0.0)

    @property
    def total(self) -> float:
        """All runs together."""
        return sum(self.seconds)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, as for JSON."""
        lower, upper = self.quartiles
        return {
            "median": self.median,
            "lower_quartile": lower,
            "upper_quartile": upper,
            "min": self.min,
            "max": self.max,
            "seconds": list(self.seconds),
        }


@dataclass(frozen=True)
class KernelTime:
    """One kernel's share of a run, where a run has several.

    Attributes
    ----------
    name : str
        Of the kernel, ``"copy"`` for copies. On a Mac, of several in one command buffer: their names.
    calls : int
        In one run.
    gpu : Samples
        Of all its calls together, run by run.
    """

    name: str
    calls: int
    gpu: Samples


@dataclass(frozen=True)
class Timing:
    """How long something took, run by run; made by :meth:`Kernel.time`, ``%metal_time`` and :func:`measure`.

    Time on the device, time around it and the compiler's time are apart: no run counts any second twice.

    Attributes
    ----------
    name : str
        The kernel's, or the expression.
    gpu : Samples
        On the device: while at least one of the run's command buffers was running.
    overhead : Samples
        The rest of a run, without compiling: Python, copies of arrays, waiting for the device to begin and to tell
        that it is done.
    warmup : tuple of float
        Seconds of the runs before, which are not in `gpu` and `overhead`; without compiling.
    compile : float
        Seconds of all compiling, in whichever run; 0 if all was ready.
    kernels : tuple of KernelTime
        By kernel.
    bytes : int or None
        That a run reads and writes, as given or inferred.
    bytes_from : str
        How `bytes` is known.
    flops : float or None
        Operations of a run, where they were given.
    """

    name: str
    gpu: Samples
    overhead: Samples
    warmup: tuple[float, ...] = ()
    compile: float = 0.0
    kernels: tuple[KernelTime, ...] = ()
    bytes: int | None = None
    bytes_from: str = ""
    flops: float | None = None

    @property
    def n(self) -> int:
        """Number of runs measured."""
        return self.gpu.n

    @property
    def gb_per_s(self) -> float | None:
        """Gigabytes (10**9 bytes) a second, by the median time on the device; None where `bytes` is not known."""
        return rate(self.bytes, self.gpu.median)

    @property
    def gflop_per_s(self) -> float | None:
        """Thousand million operations a second, by the median time on the device; None without `flops`."""
        return rate(self.flops, self.gpu.median)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers, texts and lists, as for JSON; times are in seconds."""
        return {
            "name": self.name,
            "n": self.n,
            "gpu": self.gpu.to_dict(),
            "overhead": self.overhead.to_dict(),
            "warmup": list(self.warmup),
            "compile": self.compile,
            "kernels": [{"name": k.name, "calls": k.calls, "gpu": k.gpu.to_dict()} for k in self.kernels],
            "bytes": self.bytes,
            "bytes_from": self.bytes_from,
            "flops": self.flops,
            "gb_per_s": self.gb_per_s,
            "gflop_per_s": self.gflop_per_s,
        }

    def __repr__(self) -> str:
        from .notebook.timing_text import one_line

        return one_line(self)

    def __str__(self) -> str:
        from .notebook.timing_text import several_lines

        return several_lines(self)

    def _repr_html_(self) -> str:
        from .notebook.timing_text import as_html

        return as_html(self)


def measure(
    run: Callable[[], object],
    name: str,
    *,
    repeat: int | None = None,
    warmup: int = 1,
    bytes: int | None = None,
    flops: float | None = None,
) -> Timing:
    """Time a function that calls kernels.

    Parameters
    ----------
    run : callable
        Called without arguments, `warmup` + `repeat` times.
    name : str
    repeat : int, optional
        Runs to measure; default: as many as fill about 0.3 s, 5 to 100.
    warmup : int
        Runs before, in which caches fill and the processor wakes up.
    bytes, flops : optional
        What one run reads and writes, and computes. Default of `bytes`: each array of each kernel read once or
        written once or both, as its declaration says.

    Raises
    ------
    ValidationError
        If a number is not allowed, or no kernel ran.
    """
    __tracebackhide__ = True
    _check(repeat, warmup, bytes, flops)
    before: list[_Run] = []
    runs: list[_Run] = []
    with recording() as recorder:
        while len(before) < warmup:
            before.append(_one(run, recorder))
        while len(runs) < (repeat or _enough(runs)):
            runs.append(_one(run, recorder))
        inferred, how = _inferred(recorder.submissions)
    if not any(one.work for one in runs):
        raise NothingRanError(f"{name}: nothing ran on the device, so there is no time to tell")
    return Timing(
        name=name,
        gpu=Samples(tuple(one.gpu for one in runs)),
        overhead=Samples(tuple(one.overhead for one in runs)),
        warmup=tuple(one.gpu + one.overhead for one in before),
        compile=sum(one.compiling for one in [*before, *runs]),
        kernels=_by_kernel(runs),
        bytes=inferred if bytes is None else bytes,
        bytes_from=how if bytes is None else "as given",
        flops=flops,
    )


@dataclass
class _Run:
    gpu: float
    overhead: float
    compiling: float
    work: list[tuple[str, float]]  # name and seconds on the device of each dispatch; command buffers are not kept


def _one(run: Callable[[], object], recorder: Recorder) -> _Run:
    """Run once, until all that it gave to the device is done."""
    __tracebackhide__ = True
    recorder.submissions.clear()
    recorder.compilations.clear()
    start = time.perf_counter()
    _to_the_end(run, recorder.submissions)
    wall = time.perf_counter() - start
    submissions = list(recorder.submissions)
    compiling = sum(recorder.compilations)
    gpu = covered((s.command_buffer.gpu_start_time, s.command_buffer.gpu_end_time) for s in submissions)
    work = [(one.name, end - begin) for s in submissions for one, begin, end in s.intervals()]
    return _Run(gpu, max(wall - gpu - compiling, 0.0), compiling, work)


def _to_the_end(run: Callable[[], object], submissions: Sequence[Submission]) -> None:
    """Run, and wait for all that was given to the device."""
    __tracebackhide__ = True
    try:
        run()
        for submission in list(submissions):
            submission.command_buffer.wait()
    except KeyboardInterrupt:
        # Nobody may hold the handles of what began with wait=False, which would be in the way of all that follows.
        for submission in submissions:
            if not submission.command_buffer.done():
                mtl.stop(submission.command_buffer)
        raise


def merged(intervals: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join intervals that overlap: queues may run side by side."""
    apart: list[tuple[float, float]] = []
    for start, end in sorted(intervals):
        if apart and start <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], end)
        else:
            apart.append((start, max(start, end)))
    return apart


def covered(intervals: Iterable[tuple[float, float]]) -> float:
    """Count the seconds within at least one interval."""
    return sum(end - start for start, end in merged(intervals))


def _enough(runs: Sequence[_Run]) -> int:
    """Count the runs that fill the time aimed at, by the first one."""
    if not runs:
        return 1
    first = max(runs[0].gpu + runs[0].overhead + runs[0].compiling, 1e-9)
    return min(max(int(_AIM / first), _FEWEST), _MOST)


def _by_kernel(runs: Sequence[_Run]) -> tuple[KernelTime, ...]:
    """Sum up the time of each kernel, run by run; in the order of their first calls."""
    seconds: dict[str, list[float]] = {}
    calls: dict[str, int] = {}
    for i, one in enumerate(runs):
        calls = dict.fromkeys(calls, 0) if i else calls
        for name, gpu in one.work:
            seconds.setdefault(name, [0.0] * len(runs))[i] += gpu
            calls[name] = calls.get(name, 0) + 1
    return tuple(KernelTime(name, calls.get(name, 0), Samples(tuple(times))) for name, times in seconds.items())


def _inferred(submissions: Sequence[Submission]) -> tuple[int | None, str]:
    """Count what a run moves if each kernel touches each element of its arrays once; and say so."""
    if not submissions or any(not submission.traffic for submission in submissions):
        return None, ""
    moved = [item for submission in submissions for item in submission.traffic]
    words: dict[str, int] = {}
    for item in moved:
        words[_touched(item)] = words.get(_touched(item), 0) + 1
    parts = [f"{word}{f' ({n} times)' if n > 1 else ''}" for word, n in words.items()]
    return sum(item.moved for item in moved), f"if each element is touched once: {', '.join(parts)}"


def _touched(item: Traffic) -> str:
    how = " and ".join(word for word, does in (("read", item.is_read), ("written", item.is_written)) if does)
    return f"{item.name} {how}"


def rate(amount: float | None, seconds: float) -> float | None:
    """Give thousand millions a second."""
    return None if amount is None or seconds <= 0 else amount / seconds * 1e-9


def _check(repeat: Any, warmup: Any, nbytes: Any, flops: Any) -> None:
    for what, value, least in (("repeat", repeat, 1), ("warmup", warmup, 0)):
        if value is None and what == "repeat":
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ValidationError(f"{what} is {value!r}, must be an int of at least {least}")
    for what, amount in (("bytes", nbytes), ("flops", flops)):
        if amount is not None and (isinstance(amount, bool) or not isinstance(amount, (int, float)) or amount < 0):
            raise ValidationError(f"{what} is {amount!r}, must be a number that is not negative")
