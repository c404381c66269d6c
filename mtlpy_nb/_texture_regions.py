# SPDX-License-Identifier: MIT
"""A part of a texture's pixels, by the index that an array of them would take."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import ArgumentError, ValidationError

__all__ = ["Part", "part_of"]

_WIDEST_COPY = 16384


@dataclass(frozen=True)
class Part:
    """Slices, and the same box of pixels in each.

    Attributes
    ----------
    slices : tuple of int
        Metal's numbers of them: of cubes, six faces each.
    origin, size : tuple of int
        In Metal's order: x, y, z.
    shape : tuple of int
        Of an array of the pixels, without channels.
    """

    slices: tuple[int, ...]
    origin: tuple[int, int, int]
    size: tuple[int, int, int]
    shape: tuple[int, ...]

    def strips(self) -> Iterator[tuple[int, tuple[int, int, int], tuple[int, int, int]]]:
        """Cut the box into what one copy can take: pixels before it in a row, origin and size.

        Only texture buffers are wider than that.
        """
        (x, y, z), (width, height, depth) = self.origin, self.size
        for first in range(0, width, _WIDEST_COPY):
            yield first, (x + first, y, z), (min(width - first, _WIDEST_COPY), height, depth)


def part_of(spatial: tuple[int, ...], dims: int, index: Any = ...) -> Part:
    """Find what `index` selects of an array of shape `spatial`, the last `dims` axes of which are one image's.

    Raises
    ------
    ArgumentError
        If it is no index of ints and slices.
    ValidationError
        If it selects nothing, or no box.
    """
    ranges, shape = [], []
    for axis, (one, length) in enumerate(zip(_complete(index, len(spatial)), spatial, strict=True)):
        if isinstance(one, slice):
            first, last, step = one.indices(length)
            if step != 1:
                raise ValidationError(f"region: axis {axis} has a step of {step}, must be 1: a region is a box")
            if last <= first:
                raise ValidationError(f"region: axis {axis} selects none of its {length}")
            shape.append(last - first)
        else:
            place = _integer(one, axis)
            if not -length <= place < length:
                raise ValidationError(f"region: {place} is outside of axis {axis}, which has {length}")
            first = place % length
            last = first + 1
        ranges.append((first, last))
    outer, inner = ranges[: len(spatial) - dims], ranges[len(spatial) - dims :]
    slices = _numbers(outer, spatial[: len(outer)])
    (x, width), (y, height), (z, depth) = [
        *((first, last - first) for first, last in reversed(inner)),
        *[(0, 1)] * (3 - dims),
    ]
    return Part(slices, (x, y, z), (width, height, depth), tuple(shape))


def _complete(index: Any, axes: int) -> list[Any]:
    """Give one int or slice for each axis."""
    parts = list(index) if isinstance(index, tuple) else [index]
    dots = [place for place, one in enumerate(parts) if one is Ellipsis]
    if len(dots) > 1:
        raise ArgumentError("region: has more than one '...'")
    if len(parts) - len(dots) > axes:
        raise ValidationError(f"region: has {len(parts) - len(dots)} axes, the texture without channels has {axes}")
    place = dots[0] if dots else len(parts)
    rest = [slice(None)] * (axes - len(parts) + len(dots))
    return parts[:place] + rest + parts[place + len(dots) :]


def _integer(one: object, axis: int) -> int:
    if isinstance(one, (bool, np.bool_)):
        raise ArgumentError(f"region: axis {axis} has a bool, must be an int or a slice")
    try:
        return operator.index(one)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"region: axis {axis} has {type(one).__name__}, must be an int or a slice") from None


def _numbers(ranges: Sequence[tuple[int, int]], lengths: Sequence[int]) -> tuple[int, ...]:
    """Give the slices Metal's numbers: the last of these axes counts fastest."""
    numbers = [0]
    for (first, last), length in zip(ranges, lengths, strict=True):
        numbers = [number * length + place for number in numbers for place in range(first, last)]
    return tuple(numbers)
