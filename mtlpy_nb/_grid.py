# SPDX-License-Identifier: MIT
"""Sizes of grids and threadgroups. A grid always counts threads, in x, y, z."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from . import _native as mtl
from ._values import describe
from .errors import ArgumentError, ValidationError

Size: TypeAlias = tuple[int, int, int]

# Enough threads to keep every worker busy for a while, few enough that small grids still split among them.
_PREFERRED_THREADS = 256
MOST_THREADS = 0xFFFFFFFF  # in each dimension of a grid


def pad(size: int | Sequence[int], what: str) -> Size:
    """Fill up with 1 what counts threads in x, y, z; NumPy's integers are not accepted, as in mtlpy."""
    if not isinstance(size, (int, Iterable)):
        raise ArgumentError(f"{what} is {describe(size)}, must be an int or 1 to 3 ints")
    parts = [size] if isinstance(size, int) else list(islice(size, 4))
    if not 1 <= len(parts) <= 3:
        raise ValidationError(f"{what} is {size}, must be a number or 1 to 3 numbers")
    for part in parts:
        if not isinstance(part, int):
            raise ArgumentError(f"{what} is {size!r}, must hold ints, found {type(part).__name__}")
        if abs(part) > 0xFFFFFFFF:
            raise ValidationError(f"{what} is {size}, each size must be 1 to {0xFFFFFFFF}")
    x, y, z = [*parts, 1, 1][:3]
    return x, y, z


def checked(size: object, what: str) -> Size:
    """Read a size that a person gave for a kernel call: an int, or 1 to 3 of them, each at least 1."""
    if type(size) is int and 0 < size <= MOST_THREADS:
        return size, 1, 1
    parts: list[int] = []
    try:
        try:
            parts = [operator.index(size)]  # type: ignore[arg-type]
        except TypeError:
            parts = [operator.index(n) for n in islice(size, 4)]  # type: ignore[call-overload]
    except TypeError:
        raise ValidationError(f"{what} is {describe(size)}, must be an int or a tuple of ints (x, y, z)") from None
    if not 1 <= len(parts) <= 3:
        raise ValidationError(f"{what} is {size!r}, must have 1 to 3 sizes (x, y, z), not {_length(size)}")
    if min(parts) < 1:
        raise ValidationError(f"{what} is {size!r}, every size must be at least 1")
    if max(parts) > MOST_THREADS:
        raise ValidationError(f"{what} is {size!r}, sizes must be below 2**32")
    x, y, z = [*parts, 1, 1][:3]
    return x, y, z


def _length(size: Any) -> str:
    try:
        return str(len(size))
    except (TypeError, OverflowError):  # it has none, or more than there is memory for
        return "more"


def rank(grid: Size) -> int:
    """Count the dimensions that `grid` uses."""
    return 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1


def uniform_threadgroup(dimensions: int, width: int, limit: int) -> Size:
    """Choose mtlpy's threadgroup: as many threads as allowed, a multiple of the execution width."""
    if dimensions == 1:
        return max(limit // width, 1) * width, 1, 1
    rows = max(limit // width, 1)
    if dimensions == 2:
        return width, rows, 1
    y = max(math.isqrt(rows), 1)
    return width, y, max(rows // y, 1)


@lru_cache(maxsize=256)
def good_threadgroup(grid: Size, width: int, limit: int) -> Size:
    """Choose a threadgroup for a kernel call: rows of whole SIMD-groups, not larger than the grid needs."""
    budget = min(_PREFERRED_THREADS, limit)
    if rank(grid) == 1:
        return max(1, min(_round_up(grid[0], width), budget)), 1, 1
    x = min(_power_of_two(grid[0]), width, budget)
    y = min(_power_of_two(grid[1]), budget // x)
    z = min(_power_of_two(grid[2]), budget // (x * y))
    return x, max(y, 1), max(z, 1)


def required_threadgroup(pipeline: mtl.ComputePipelineState) -> Size | None:
    """Give the threadgroup of ``[[required_threads_per_threadgroup(x, y, z)]]``; None where any will do."""
    size = pipeline.required_threads_per_threadgroup
    return (size.width, size.height, size.depth) if size.width else None


def check_threadgroup(size: Size, limit: int, required: Size | None = None) -> Size:
    """Refuse a threadgroup with more threads than the kernel allows, or of another size than it requires."""
    if required is not None and size != required:
        raise ValidationError(f"threadgroup is {size}, this kernel requires {required}")
    total = size[0] * size[1] * size[2]
    if total > limit:
        raise ValidationError(f"threadgroup is {size}: {total} threads, this kernel allows {limit}")
    return size


def grid_of_shape(shape: Sequence[int], position_rank: int | None) -> Size:
    """Make a grid with one thread per element: the shape reversed, since x counts along the last axis.

    Parameters
    ----------
    shape : sequence of int
        Of the array or texture that the kernel writes.
    position_rank : int or None
        Components of the kernel's ``thread_position_in_grid``: with a single ``uint`` the elements are counted
        through; with a ``uint2`` and three axes the last is taken to be channels that one thread handles.
    """
    sizes = [int(n) for n in shape]
    if position_rank == 1:
        return math.prod(sizes), 1, 1
    if position_rank is not None:
        sizes = sizes[:position_rank]
    if len(sizes) > 3:
        raise ValidationError(
            f"give grid=(x, y, z): it cannot be told from the shape {tuple(shape)}, which has more than 3 axes"
        )
    x, y, z = [*reversed(sizes), 1, 1, 1][:3]
    return x, y, z


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step


def _power_of_two(value: int) -> int:
    return 1 << max(value - 1, 0).bit_length()
