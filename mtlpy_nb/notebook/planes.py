# SPDX-License-Identifier: MIT
"""Images as rows that are read when they are needed, so that a preview of a large one takes little memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from .. import _native as mtl
from .._arrays import bytes_of, is_bfloat16
from .._pixel_formats import SHARED_COMPONENTS
from ..buffer import Buffer
from ..texture import Texture
from .texels import Meaning, Texels, meaning_of_array

__all__ = ["ALL", "ArrayPlane", "BufferPlane", "Plane", "TexturePlane", "Thinning", "bands", "thinning"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_READ_WHOLE = 1 << 24  # values; of more, some rows and columns are left out
_LONG_ROW = 1 << 20  # bytes; of a longer row that is thinned out, single pixels are read
_SAMPLES = 1024  # rows and columns that are left of one image
_SAMPLES_OF_MANY = 256
_FEWEST = 64
_STAGING = 1 << 22  # bytes
_BAND = 1 << 17  # values that are worked on at a time


@dataclass(frozen=True)
class Thinning:
    """Every how many rows and columns are read."""

    rows: int = 1
    columns: int = 1

    @property
    def note(self) -> str | None:
        """Say what that means for the reader."""
        steps = [(step, name) for step, name in ((self.rows, "row"), (self.columns, "column")) if step > 1]
        if not steps:
            return None
        if len(steps) == 2 and self.rows == self.columns:
            steps = [(self.rows, "row and column")]
        return "only every " + " and every ".join(f"{_ordinal(step)} {name}" for step, name in steps) + " is looked at"


ALL = Thinning()


def thinning(height: int, width: int, channels: int, count: int = 1) -> Thinning:
    """Choose how to read `count` images of that size."""
    if height * width * channels * count <= _READ_WHOLE:
        return ALL
    step = -(-max(height, width) // (_SAMPLES if count == 1 else _SAMPLES_OF_MANY))
    # A narrow image keeps some rows or columns.
    return Thinning(*(min(step, max(size // _FEWEST, 1)) for size in (height, width)))


class Plane(Protocol):
    """One image; `height` and `width` count what is read of it.

    Attributes
    ----------
    height, width, channels : int
    size : tuple of int
        The image's own height and width.
    meaning : Meaning
    """

    height: int
    width: int
    channels: int
    size: tuple[int, int]
    meaning: Meaning

    def rows(self, start: int, stop: int) -> Array:
        """Give (rows, width, channels)."""
        ...


def bands(plane: Plane, multiple: int = 1) -> list[tuple[int, int]]:
    """Cut a plane into pieces that take little memory each, of `multiple` rows or a multiple of it."""
    step = max(_BAND // max(plane.width * plane.channels, 1) // multiple, 1) * multiple
    return [(start, min(start + step, plane.height)) for start in range(0, plane.height, step)]


class ArrayPlane:
    """An array of (height, width) or (height, width, channels)."""

    def __init__(self, array: Array, thin: Thinning, meaning: Meaning | None = None) -> None:
        array = array[..., np.newaxis] if array.ndim == 2 else array
        self.size = (array.shape[0], array.shape[1])
        self._array = array[:: thin.rows, :: thin.columns]
        self.height, self.width, self.channels = self._array.shape
        self.meaning = meaning_of_array(array.dtype) if meaning is None else meaning

    def rows(self, start: int, stop: int) -> Array:
        """Give (rows, width, channels)."""
        return _numbers(self._array[start:stop])


def _numbers(rows: Array) -> Array:
    if rows.dtype.kind == "c":
        return np.abs(rows)
    return rows.astype(np.float32) if is_bfloat16(rows.dtype) else rows  # which knows little arithmetic


class BufferPlane:
    """The same of a Buffer that the processor can't reach: rows are copied as they are needed."""

    def __init__(self, buffer: Buffer, thin: Thinning) -> None:
        self.size = (buffer.shape[0], buffer.shape[1])
        self.height, self.width = -(-self.size[0] // thin.rows), -(-self.size[1] // thin.columns)
        self.channels = buffer.shape[2] if buffer.ndim == 3 else 1
        self.meaning = meaning_of_array(buffer.dtype)
        self._buffer, self._thin = buffer, thin

    def rows(self, start: int, stop: int) -> Array:
        """Give (rows, width, channels)."""
        step, columns = self._thin.rows, self._thin.columns
        lines = [(start, stop)] if step == 1 else [(y * step, y * step + 1) for y in range(start, stop)]
        parts = [self._buffer[y:end].numpy()[:, ::columns] for y, end in lines]
        return _numbers(np.concatenate(parts).reshape(stop - start, self.width, self.channels))


class TexturePlane:
    """One image of a texture: of a level, and of a slice, face or depth."""

    def __init__(self, texture: Texture, texels: Texels, level: int, index: int, thin: Thinning) -> None:
        shape = (1, 1, *texture.level_shape(level)[: -1 if texture.channels > 1 else None])
        self.size = (shape[-2] if texture.dims > 1 else 1, shape[-1])
        self.height, self.width = -(-self.size[0] // thin.rows), -(-self.size[1] // thin.columns)
        self.channels = texels.channels
        self.meaning = texels.meaning
        self._texture, self._texels, self._level, self._thin = texture, texels, level, thin
        self._slice, self._depth = (0, index) if texture.dims == 3 else (index, 0)
        self._kept: Array | None = None

    def rows(self, start: int, stop: int) -> Array:
        """Give (rows, width, channels), red first."""
        if self._thin.rows == self._thin.columns == 1:
            return self._decoded(self._read(0, start, self.width, stop - start))
        if self._kept is None:  # few, and read twice
            self._kept = self._whole_samples() if self._has_pairs else self._decoded(self._samples())
        return self._kept[start:stop]

    @property
    def _has_pairs(self) -> bool:
        return self._texels.pixel_format in SHARED_COMPONENTS

    def _whole_samples(self) -> Array:
        """Read rows and leave pixels out only then: their pairs have components together."""
        height, width = self.size
        rows = [
            self._decoded(self._read(0, y, width, 1))[:, :: self._thin.columns]
            for y in range(0, height, self._thin.rows)
        ]
        return np.concatenate(rows)

    def _decoded(self, stored: Array) -> Array:
        decoded = self._texels.decode(stored)
        return decoded.astype(np.float32) if decoded.dtype == np.float16 else decoded  # which NumPy is faster with

    def _samples(self) -> Array:
        texture, (height, width) = self._texture, self.size
        kept = np.empty((self.height, self.width, texture.channels), texture.dtype)
        row_bytes = width * texture.channels * texture.dtype.itemsize
        if row_bytes > _LONG_ROW:
            for row, y in enumerate(range(0, height, self._thin.rows)):
                for column, x in enumerate(range(0, width, self._thin.columns)):
                    kept[row, column] = self._read(x, y, 1, 1)[0, 0]
            return kept
        lines = range(0, height, self._thin.rows)
        some = max(_STAGING // row_bytes, 1) if texture.is_private else 1
        for start in range(0, len(lines), some):
            rows = self._read_lines(lines[start : start + some])
            kept[start : start + len(rows)] = rows[:, :: self._thin.columns]
        return kept

    def _read_lines(self, lines: range) -> Array:
        """Read whole rows that are not neighbours; one that the processor can reach."""
        texture, width = self._texture, self.size[1]
        if not texture.is_private:
            return self._read(0, lines[0], width, 1)
        row = width * texture.channels * texture.dtype.itemsize
        staging = texture._device._native.new_buffer(row * len(lines))
        buffer = texture._device._queue.command_buffer()  # one for all: each wait costs more than the copy
        encoder = buffer.blit_command_encoder()
        for place, y in enumerate(lines):
            origin, size = mtl.Origin(0, y, self._depth), mtl.Size(width, 1, 1)
            encoder.copy_from_texture_to_buffer(
                texture._tex, self._slice, self._level, origin, size, staging, place * row, row, 0
            )
        encoder.end_encoding()
        buffer.commit()
        buffer.wait_until_completed()
        return self._staged(staging, (len(lines), width, texture.channels))

    def _read(self, x: int, y: int, width: int, height: int) -> Array:
        texture = self._texture
        shape = (height, width, texture.channels)
        region = (mtl.Origin(x, y, self._depth), mtl.Size(width, height, 1))
        row = width * texture.channels * texture.dtype.itemsize
        if not texture.is_private:
            out = np.empty(shape, texture.dtype)
            texture._tex.get_bytes(bytes_of(out), row, 0, region, self._level, self._slice)
            return out
        staging = texture._device._native.new_buffer(row * height)
        queue = texture._device._queue
        mtl.copy_from_texture(
            queue, texture._tex, staging, 0, row, 0, region=region, level=self._level, slice=self._slice
        )
        return self._staged(staging, shape)

    def _staged(self, staging: mtl.Buffer, shape: tuple[int, ...]) -> Array:
        staged: Array = staging.contents()[: int(np.prod(shape)) * self._texture.dtype.itemsize]
        return staged.view(self._texture.dtype).reshape(shape)


def _ordinal(number: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"
