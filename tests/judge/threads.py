# SPDX-License-Identifier: MIT
"""Runs a threadgroup's threads, each a generator that yields where its thread has to meet others.

`run_group` resumes them one after the other and insists that they meet at barriers as Metal demands, so it also finds
kernels that are not legal. In an exchange those threads of a SIMD-group meet that are at the same place of the source
in the same round of each loop around it; those at the earliest such place go first.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from . import syntax as s
from .exchange import exchange

SIMD_WIDTH = 32


class IllegalKernelError(Exception):
    """Threads that should have met did not, or memory was read before it was written."""


@dataclass(frozen=True)
class Meeting:
    """What a thread waits for: a barrier, or a SIMD-group `operation` to which it brings `value` and `argument`.

    `place` counts up along the source; the places and rounds of the loops around come before the statement's own.
    """

    place: tuple[int, ...]
    operation: str = ""
    value: Any = None
    argument: Any = None
    type: s.Type = s.INT


@dataclass(frozen=True)
class Position:
    """Where a thread is: its threadgroup, its place in it, and the sizes of everything."""

    thread: tuple[int, int, int]
    group: tuple[int, int, int]
    group_size: tuple[int, int, int]  # of this group, which is smaller at the grid's edge
    launch: s.Launch

    @property
    def index(self) -> int:
        (x, y, z), (width, height, _) = self.thread, self.group_size
        return x + width * (y + height * z)

    def attribute(self, name: str) -> tuple[int, int, int]:
        threadgroup, grid = self.launch.threadgroup, self.launch.grid
        simdgroups = -(-self.group_size[0] * self.group_size[1] * self.group_size[2] // SIMD_WIDTH)
        match name:
            case "thread_position_in_grid":
                return tuple(g * n + t for g, n, t in zip(self.group, threadgroup, self.thread, strict=True))
            case "thread_position_in_threadgroup":
                return self.thread
            case "threadgroup_position_in_grid":
                return self.group
            case "threads_per_threadgroup":
                return self.group_size
            case "dispatch_threads_per_threadgroup":
                return threadgroup
            case "threads_per_grid":
                return grid
            case "threadgroups_per_grid":
                return tuple(-(-g // n) for g, n in zip(grid, threadgroup, strict=True))
            case "thread_index_in_threadgroup":
                return (self.index, 0, 0)
            case "thread_index_in_simdgroup":
                return (self.index % SIMD_WIDTH, 0, 0)
            case "simdgroup_index_in_threadgroup":
                return (self.index // SIMD_WIDTH, 0, 0)
            case "simdgroups_per_threadgroup":
                return (simdgroups, 0, 0)
            case "threads_per_simdgroup":
                return (SIMD_WIDTH, 0, 0)
            case "thread_index_in_quadgroup":
                return (self.index % 4, 0, 0)
            case "quadgroup_index_in_threadgroup":
                return (self.index % SIMD_WIDTH // 4, 0, 0)
        raise ValueError(f"unknown attribute {name}")

    def value(self, attribute: s.Attribute) -> Any:
        whole = self.attribute(attribute.attribute)
        return whole[: attribute.type.count] if isinstance(attribute.type, s.Vector) else whole[0]


def run_grid(
    launch: s.Launch, start_group: Callable[[], Callable[[Position], Generator | None]], *, backwards: bool = False
) -> None:
    """Run a grid. `start_group` makes a threadgroup's memory and gives back what starts its threads."""
    step = -1 if backwards else 1
    counts = [-(-g // n) for g, n in zip(launch.grid, launch.threadgroup, strict=True)]
    groups = [(x, y, z) for z in range(counts[2]) for y in range(counts[1]) for x in range(counts[0])]
    for group in groups[::step]:
        size = tuple(min(n, g - at * n) for n, g, at in zip(launch.threadgroup, launch.grid, group, strict=True))
        start = start_group()
        places = [(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0])]
        run_group([start(Position(place, group, size, launch)) for place in places], step)


def run_group(threads: list[Generator | None], step: int = 1) -> None:
    """Run a threadgroup's threads (None: one that had nothing to wait for and is over) to their ends."""
    answers: dict[int, Any] = {index: None for index, thread in enumerate(threads) if thread is not None}
    waiting: dict[int, Meeting] = {}
    unfinished = set(answers)
    while answers:
        for index in sorted(answers)[::step]:
            try:
                waiting[index] = threads[index].send(answers[index])
            except StopIteration:
                unfinished.discard(index)
        answers = _answers(waiting, unfinished, len(threads))
        for index in answers:
            del waiting[index]
    if waiting:
        raise IllegalKernelError(f"threads wait for each other at different places: {waiting}")


def _answers(waiting: dict[int, Meeting], unfinished: set[int], count: int) -> dict[int, Any]:
    """What the threads that may go on get from where they met."""
    answers: dict[int, Any] = {}
    for first in range(0, count, SIMD_WIDTH):
        members = [index for index in range(first, min(first + SIMD_WIDTH, count)) if index in unfinished]
        if not any(waiting[index].operation for index in members):
            continue
        earliest = min(waiting[index].place for index in members)
        together = [index for index in members if waiting[index].place == earliest]
        meeting = waiting[together[0]]
        if not meeting.operation:
            raise IllegalKernelError("a barrier that not all threads of the threadgroup reach")
        lanes = {index - first: (waiting[index].value, waiting[index].argument) for index in together}
        for lane, result in exchange(meeting.operation, lanes, meeting.type).items():
            answers[first + lane] = result
    if not answers and unfinished:
        if len(unfinished) != count or len({meeting.place for meeting in waiting.values()}) != 1:
            raise IllegalKernelError("a barrier that not all threads of the threadgroup reach")
        answers = dict.fromkeys(waiting)
    return answers
