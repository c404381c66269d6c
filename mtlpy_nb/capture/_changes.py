# SPDX-License-Identifier: MIT
"""What a command changed, element by element."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import Array
from ._arrays import TexturePlace, buffer_array
from ._objects import CapturedResource

if TYPE_CHECKING:
    from ._bindings import BoundBuffer, BoundTexture, Touched
    from ._command import Command

__all__ = ["Change", "differing"]

_FEW_WORDS = 8


def differing(before: Array, after: Array, axes: int) -> Array:
    """Say where two arrays of one shape and type differ in any bit, by their first `axes` axes."""
    shape = before.shape[:axes]
    if not before.size:
        return np.zeros(shape, np.bool_)
    size = before.nbytes // math.prod(shape)
    word = next(n for n in (8, 4, 2, 1) if size % n == 0)
    a, b = (np.ascontiguousarray(x).reshape(-1).view(f"u{word}").reshape(-1, size // word) for x in (before, after))
    differs = a != b
    found: Array = differs.any(axis=1) if differs.shape[1] > _FEW_WORDS else differs[:, 0]
    if differs.shape[1] <= _FEW_WORDS:  # column by column is many times as fast as `any` along a short axis
        for column in differs.T[1:]:
            found = np.logical_or(found, column)
    return np.reshape(found, shape)


class Change:
    """What one command changed in a buffer, or in a level of a texture. Compared bit by bit, so that NaNs count too.

    Attributes
    ----------
    command : Command
    name : str
        What the kernel calls it, else the resource's name.
    resource : CapturedResource
    level : int
    before, after : numpy.ndarray
    mask : numpy.ndarray of bool
        By element of a buffer, by pixel of a texture.
    indices : numpy.ndarray
        Of the elements that changed, one in a row.
    count : int
    bounds : tuple of slice
        The smallest part of the array that holds all of them: ``after[change.bounds]``.
    """

    def __init__(
        self, command: Command, touched: Touched, bound: BoundBuffer | BoundTexture | None, resource: CapturedResource
    ) -> None:
        self.command = command
        self.resource = resource
        self._touched = touched
        self._bound = bound
        self.name = bound.name if bound is not None else resource.name
        self.level = 0 if touched.level is None else touched.level

    @classmethod
    def of(cls, command: Command, touched: Touched, bound: BoundBuffer | BoundTexture | None = None) -> Change | None:
        """Give what differs between the contents, None when nothing does.

        Parameters
        ----------
        command : Command
        touched : Touched
            What memory held before and after it.
        bound : BoundBuffer or BoundTexture, optional
            What that memory is to the kernel.
        """
        if touched.after is None or touched.after == touched.before:
            return None
        if bound is None or bound.resource is None:
            return cls(command, touched, None, touched.resource)
        change = cls(command, touched, bound, bound.resource)
        # Another part of the same memory may be what changed.
        return change if change.count else None

    def _read(self, number: int) -> Array:
        contents = self.command.file._contents
        if self.resource.kind == "texture":
            level = self.level
            above: CapturedResource | None = self.resource
            while above is not None and above.parent is not None:
                level -= above.parent_level
                above = above.parent
            return TexturePlace(self.resource, 0 if self._touched.level is None else level).read(contents, number)
        bound = self._bound
        dtype, offset = (np.dtype(np.uint8), 0) if bound is None else (bound.dtype, bound.offset)  # type: ignore[union-attr]
        return buffer_array(contents, number, dtype, offset)

    @cached_property
    def before(self) -> Array:
        """All elements before the command ran."""
        return self._read(self._touched.before)

    @cached_property
    def after(self) -> Array:
        """All elements after it."""
        assert self._touched.after is not None
        return self._read(self._touched.after)

    @cached_property
    def mask(self) -> Array:
        """Where something changed."""
        return differing(self.before, self.after, self.before.ndim - self._inner_axes)

    @property
    def _inner_axes(self) -> int:
        """Axes of one element: channels, components."""
        if self.resource.kind == "texture":
            return 1 if self.resource.channels > 1 else 0
        return self.before.ndim - 1

    @cached_property
    def count(self) -> int:
        """How many elements or pixels changed."""
        return int(np.count_nonzero(self.mask))

    @cached_property
    def indices(self) -> Array:
        """Where, one index in a row."""
        return np.argwhere(self.mask)

    @cached_property
    def bounds(self) -> tuple[slice, ...]:
        """The smallest part that holds all that changed."""
        found = []
        for axis in range(self.mask.ndim):
            others: Any = tuple(i for i in range(self.mask.ndim) if i != axis)
            places = np.flatnonzero(self.mask.any(axis=others))
            found.append(slice(int(places[0]), int(places[-1]) + 1) if places.size else slice(0, 0))
        return tuple(found)

    def __repr__(self) -> str:
        what = "pixels" if self.resource.kind == "texture" else "elements"
        level = f" of level {self.level}" if self.level else ""
        part = ", ".join(f"{bound.start}:{bound.stop}" for bound in self.bounds)
        return f"<Change of {self.name}: {self.count} of {self.mask.size} {what}{level}, in [{part}]>"
