# SPDX-License-Identifier: MIT
"""Copies and saxpy: tasks that memory limits."""

from __future__ import annotations

import numpy as np

from .contest import NUMBA, NUMPY, OURS, Case, Contest
from .machines import Machines
from .numba_kernels import numba_kernels

# From what fits a core's first cache to what fits none.
SIZES = tuple(1 << n for n in (10, 14, 18, 22, 24, 26))


def _copy(machines: Machines, n: int) -> Contest:
    x = np.random.default_rng(1).random(n, np.float32)
    source, to = machines.metal.buffer(x), machines.metal.empty(n, np.float32)
    copy = machines.library("elementwise")["copy"]
    numpy_to = np.empty_like(x)
    contest = Contest(
        {OURS: lambda: copy(source, to, grid=n), NUMPY: lambda: np.copyto(numpy_to, x)},
        {OURS: to.numpy, NUMPY: lambda: numpy_to},
        moved=2 * x.nbytes,
    )
    out = np.empty_like(x)
    machines.add_pocl(contest, "elementwise", "copy", (x, out), (n,), out=out)
    return contest


def _saxpy(width: int) -> Case:
    name = "saxpy" if width == 1 else "saxpy4"

    def make(machines: Machines, n: int) -> Contest:
        rng = np.random.default_rng(1)
        x, y = rng.random(n, np.float32), rng.random(n, np.float32)
        bx, by = machines.metal.buffer(x), machines.metal.buffer(y)
        kernel = machines.library("elementwise")[name]
        numpy_y, scratch = y.copy(), np.empty_like(x)
        factor = np.float32(0.5)

        def by_numpy() -> None:
            np.multiply(x, factor, out=scratch)
            np.add(numpy_y, scratch, out=numpy_y)

        contest = Contest(
            {OURS: lambda: kernel(bx, by, 0.5, grid=n // width), NUMPY: by_numpy},
            {OURS: by.numpy, NUMPY: lambda: numpy_y},
            moved=3 * x.nbytes,
        )
        machines.add_pocl(contest, "elementwise", name, (x, y, factor), (n // width,), out=y)
        if width == 1 and (numba := numba_kernels()) is not None:
            numba_y = y.copy()
            contest.runs[NUMBA] = lambda: numba.saxpy(x, numba_y, factor)
            contest.results[NUMBA] = lambda: numba_y
        return contest

    return Case(name, SIZES, make)


CASES = (Case("copy", SIZES, _copy), _saxpy(1), _saxpy(4))
