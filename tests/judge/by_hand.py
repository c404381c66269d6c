# SPDX-License-Identifier: MIT
"""Kernels written twice by hand: as Metal text and as a Python thread, which yields where it meets the others."""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import SimpleNamespace
from typing import Any

import numpy as np

from .runner import compiled, run
from .syntax import Launch
from .threads import Meeting, Position, run_grid

HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"
Thread = Callable[[Any, Any], Generator[Meeting, Any, None] | None]

# Grids and threadgroups to launch on.
LINE = [((64,), (32,)), ((100,), (32,)), ((70,), (35,)), ((5,), (8,)), ((200,), (100,))]
SQUARE = [((16, 8), (8, 4)), ((13, 7), (5, 3)), ((33, 2), (33, 2)), ((4, 40), (2, 20))]
GROUPS = [((64,), (64,)), ((96,), (32,)), ((8,), (8,)), ((80,), (40,)), ((50,), (40,))]


def ints(count: int, seed: int = 1, low: int = 0, high: int = 100) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, count, dtype=np.int32)


def zeros(count: int = 256) -> np.ndarray:
    return np.zeros(count, np.int32)


def MEET(place: int = 0) -> Meeting:  # noqa: N802
    return Meeting(place)


def expected(thread: Thread, arrays: dict[str, np.ndarray], launch: Launch) -> dict[str, np.ndarray]:
    """Run `thread(t, m)` for all threads. `t` says where it is; `m` has the buffers and a dict, `shared`."""
    lists = {name: array.astype(object).tolist() for name, array in arrays.items()}

    def start_group() -> Callable[[Position], Generator | None]:
        memory = SimpleNamespace(**lists, shared={})
        return lambda where: thread(_place(where), memory)

    run_grid(launch, start_group)
    return {name: np.array(lists[name], dtype=array.dtype) for name, array in arrays.items()}


def _place(where: Position) -> SimpleNamespace:
    names = {
        "gid": "thread_position_in_grid", "lid": "thread_position_in_threadgroup", "size": "threads_per_threadgroup",
        "group": "threadgroup_position_in_grid", "grid": "threads_per_grid",
    }  # fmt: skip
    triples = {short: where.attribute(long) for short, long in names.items()}
    return SimpleNamespace(**triples, index=where.index, id=triples["gid"][0], count=int(np.prod(where.group_size)))


def check(
    source: str, thread: Thread, arrays: dict[str, np.ndarray], *launches: tuple[tuple, tuple], **options: int
) -> None:
    """Compare kernel `k` of `source` with `thread`, for each (grid, threadgroup), on copies of `arrays`."""
    kernel = compiled(HEADER + source, "k")
    for grid, group in launches:
        launch = Launch((*grid, 1, 1)[:3], (*group, 1, 1)[:3])
        copies = {name: array.copy() for name, array in arrays.items()}
        run(kernel, {**copies, **options}, launch)
        wanted = expected(thread, arrays, launch)
        for name, array in copies.items():
            np.testing.assert_array_equal(array, wanted[name], err_msg=f"{name}, grid {grid}, threadgroup {group}")
