# SPDX-License-Identifier: MIT
"""Bytes of buffers and textures as NumPy arrays. None of them can be written: they are what was, not what is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Array
from ._checked import damaged
from ._contents import Contents
from ._objects import CapturedArgument, CapturedResource

__all__ = ["TexturePlace", "buffer_array", "dtype_of", "texture_array"]


def dtype_of(argument: CapturedArgument | None) -> np.dtype[Any]:
    """Choose the type of a buffer's elements; bytes where the kernel does not say."""
    try:
        found = None if argument is None else argument.dtype
    except (ValueError, TypeError, OverflowError, MemoryError) as error:
        raise damaged(
            f"argument {argument.name if argument else ''!r:.60} has a type that cannot be ({error})"
        ) from None
    return np.dtype(np.uint8) if found is None or found.itemsize == 0 else found


def buffer_array(contents: Contents, number: int, dtype: np.dtype[Any], offset: int = 0) -> Array:
    """Read a buffer from `offset` bytes on, as many whole elements as it has."""
    size = contents.size(number) - offset
    if size < 0:
        raise damaged(f"content {number} has {contents.size(number)} bytes, a buffer begins at {offset}")
    data = contents.read(number, offset, size - size % dtype.itemsize)
    try:
        found: Array = np.frombuffer(data, dtype) if data.size else np.empty(0, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise damaged(f"content {number} is no array of {dtype} ({error})") from None
    found.flags.writeable = False
    return found


class TexturePlace:
    """Where the pixels of one level of a texture are, in the contents of what it is a part of.

    Attributes
    ----------
    root : CapturedResource
    level : int or None
        Of the root, whose contents are kept level by level; None where that is a buffer.
    shape : tuple of int
        Of an array of the pixels, without channels.
    """

    def __init__(self, texture: CapturedResource, level: int) -> None:
        if not 0 <= level < texture.levels:
            raise damaged(f"level {level} of {texture!r}, which has {texture.levels}")
        self.texture = texture
        self.root = texture.root
        width, height, depth = texture.level_size(level)
        per_slice = depth if texture.texture_type == "3d" else texture.samples
        self._full = (texture.slices, per_slice, height, width)
        self.shape = _visible(texture, self._full)
        first_slice, root_level, top = 0, level, texture
        while top.parent is not None:
            first_slice += top.parent_slice
            root_level += top.parent_level
            top = top.parent
        self.level = None if self.root.kind == "buffer" else root_level
        pixel = texture.bytes_per_pixel
        row = top.bytes_per_row if top.buffer is not None else width * pixel
        if row < width * pixel:
            raise damaged(f"{texture!r} has rows of {row} bytes, which {width} pixels do not fit in")
        self._strides = (row * height * per_slice, row * height, row, pixel)
        self._offset = top.buffer_offset + first_slice * self._strides[0]

    def offset_of(self, image: int) -> int:
        """Say with which byte of the contents an image begins: a slice, depth or sample, counted through all."""
        part, within = divmod(image, self._full[1])
        return self._offset + part * self._strides[0] + within * self._strides[1]

    def read(self, contents: Contents, number: int) -> Array:
        """Give the pixels, channels last where there are several."""
        size = self._end()
        data = contents.read(number, self._offset, size)
        texture = self.texture
        count = texture.channels
        if count * texture.dtype.itemsize != texture.bytes_per_pixel:
            raise damaged(f"{texture!r} has {texture.bytes_per_pixel} bytes a pixel")
        strides = (*self._strides, texture.dtype.itemsize)
        pixels: Array = np.ndarray((*self._full, count), texture.dtype, np.ascontiguousarray(data), 0, strides)
        found: Array = pixels.reshape((*self.shape, count) if count > 1 else self.shape)
        found.flags.writeable = False
        return found

    def pixel(self, contents: Contents, number: int, index: tuple[int, ...]) -> Array | np.generic:
        """Read one pixel only: a number, or an array of its channels."""
        full = np.unravel_index(np.ravel_multi_index(index, self.shape), self._full)
        offset = self._offset + sum(int(i) * stride for i, stride in zip(full, self._strides, strict=True))
        data = contents.read(number, offset, self.texture.bytes_per_pixel)
        found: Array = np.frombuffer(np.ascontiguousarray(data), self.texture.dtype)
        return found if self.texture.channels > 1 else found[0]

    def _end(self) -> int:
        last = sum((n - 1) * stride for n, stride in zip(self._full, self._strides, strict=True))
        return int(last + self.texture.bytes_per_pixel)


def _visible(texture: CapturedResource, full: tuple[int, int, int, int]) -> tuple[int, ...]:
    """Leave out the axes that a kind of texture has not."""
    slices, per_slice, height, width = full
    kind = texture.texture_type
    if kind == "cube_array":
        return texture.array_length, 6, height, width
    shape: tuple[int, ...] = (width,) if kind in ("1d", "1d_array", "buffer") else (height, width)
    if kind == "3d" or "multisample" in kind:
        shape = (per_slice, *shape)
    return (slices, *shape) if kind == "cube" or kind.endswith("_array") else shape


def texture_array(contents: Contents, number: int, texture: CapturedResource, level: int = 0) -> Array:
    """Read one level of a texture, of the content of its root's level."""
    return TexturePlace(texture, level).read(contents, number)
