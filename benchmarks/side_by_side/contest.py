# SPDX-License-Identifier: MIT
"""One task done by several contestants, compared before it is timed, and timed in turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

OURS, POCL, NUMPY, NUMBA = "mtlpy_nb", "PoCL", "NumPy", "Numba"
_REST = 0.005  # seconds, longer than any contestant's threads wait for more work before they sleep


@dataclass
class Contest:
    """A task at one size.

    Attributes
    ----------
    runs : dict of str to callable
        What does the task once and waits for the end, by contestant.
    results : dict of str to callable
        What each contestant's run has made, as an array; those without one are not compared.
    moved : float
        Bytes that the task must read and write at least, 0 where memory is not its limit.
    operations : float
        Floating-point operations of the task, 0 where they are not its limit.
    tolerance : float
        The largest difference between results, relative to the largest value.
    """

    runs: dict[str, Callable[[], object]]
    results: dict[str, Callable[[], np.ndarray]] = field(default_factory=dict)
    moved: float = 0.0
    operations: float = 0.0
    tolerance: float = 1e-5

    def check(self) -> None:
        """Run everything once and compare the results.

        Raises
        ------
        AssertionError
            If two contestants do not agree.
        """
        for run in self.runs.values():
            run()
        made = {name: np.asarray(result()) for name, result in self.results.items()}
        if len(made) < 2:
            return
        (first, expected), *others = made.items()
        scale = float(np.abs(expected.astype(np.float64)).max()) or 1.0
        for name, got in others:
            assert got.shape == expected.shape, f"{name} made {got.shape}, {first} {expected.shape}"
            difference = float(np.abs(got.astype(np.float64) - expected.astype(np.float64)).max()) / scale
            assert difference <= self.tolerance, f"{name} and {first} differ by {difference:g} of the largest value"

    def time(self, seconds: float) -> dict[str, float]:
        """Seconds that each contestant takes: the median over turns that take about ``seconds`` for each.

        Contestants take turns, so that a machine which slows down or is busy for a while disturbs all alike. Each turn
        begins with a pause and a run that do not count: Numba's threads, for one, keep a core for a while when they
        have done, and whoever had the turn before has left the caches full of its own.
        """
        repeats = {}
        for name, run in self.runs.items():
            start = time.perf_counter()
            run()
            once = max(time.perf_counter() - start, 1e-7)
            # A turn is long enough for the clock, and there are at least five of them.
            repeats[name] = max(1, int(min(seconds / 5, 0.02) / once))
        taken: dict[str, list[float]] = {name: [] for name in self.runs}
        while any(len(times) < 5 or (sum(times) < seconds and len(times) < 99) for times in taken.values()):
            for name, run in self.runs.items():
                times = taken[name]
                if len(times) >= 5 and sum(times) >= seconds:
                    continue
                n = repeats[name]
                time.sleep(_REST)
                run()
                start = time.perf_counter()
                for _ in range(n):
                    run()
                times.append((time.perf_counter() - start) / n)
        return {name: statistics.median(times) for name, times in taken.items()}


@dataclass(frozen=True)
class Case:
    """A task and the sizes at which it is done.

    Attributes
    ----------
    name : str
        As in the table.
    sizes : tuple of int
        Elements (pixels, bodies, rows of a square matrix, as ``unit`` says), small to large; the last one is the
        one whose ratios are summed up.
    make : callable
        Takes the :class:`~side_by_side.machines.Machines` and a size.
    unit : str
        What is counted.
    barriers : bool
        Whether threads of a group wait for each other in it.
    """

    name: str
    sizes: tuple[int, ...]
    make: Callable[..., Contest]
    unit: str = "elements"
    barriers: bool = False
