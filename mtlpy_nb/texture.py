# SPDX-License-Identifier: MIT
"""Images that kernels read, sample and write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native as mtl
from . import _recording
from ._arrays import Array, as_array, bytes_of, native_contiguous
from ._texture_kinds import CUBE_FACES, TextureKind, kind_for_axes, kind_named, kind_of
from .errors import ResourceError, ValidationError
from .utils import (
    PACKED_FORMATS,
    PIXEL_FORMATS,
    TEXTURE_USAGE_SHADER_READ,
    TEXTURE_USAGE_SHADER_WRITE,
    PixelFormatInfo,
    StorageMode,
    pixel_format_info,
    shape_size,
)

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

__all__ = ["Texture"]


class Texture:
    """An image, an array of images, a volume or a cube.

    Made by :meth:`Device.texture`, :meth:`Device.empty_texture` and :meth:`Buffer.texture`.

    Attributes
    ----------
    kind : str
        ``"2d"`` of ``texture2d``; also ``"1d"``, ``"3d"``, ``"cube"``, ``"1d_array"``, ``"2d_array"``,
        ``"cube_array"`` and ``"buffer"``.
    dims : int
        Of one image.
    width, height, depth : int
    array_length : int
        Slices of an array, or cubes of one.
    levels : int
        Levels of detail, each of half the size of the one before.
    pixel_format : str
        Metal's name, such as ``"rgba8Unorm"``.
    channels : int
    dtype : numpy.dtype
        Of one channel as stored.
    normalized : bool
        Whether integers are read as 0 to 1.
    msl_scalar_type : str
        ``T`` of ``texture2d<T>`` that fits.
    readable, writable, is_private : bool
    """

    __slots__ = (
        "__weakref__",
        "_device",
        "_kind",
        "_memory",
        "array_length",
        "channels",
        "depth",
        "dims",
        "dtype",
        "height",
        "is_private",
        "levels",
        "msl_scalar_type",
        "normalized",
        "pixel_format",
        "readable",
        "width",
        "writable",
    )

    def __init__(self, _tex: mtl.Texture, pixel_format: str, device: Device) -> None:
        info = pixel_format_info(pixel_format)
        self._memory: mtl.Texture | None = _tex
        self._device = device
        kind = kind_of(_tex.texture_type)
        if kind is None:
            raise ValidationError(f"Texture: type {_tex.texture_type!r} has no pixels that the CPU can reach")
        self._kind: TextureKind = kind
        self.dims = kind.dims
        self.width, self.height, self.depth = int(_tex.width), int(_tex.height), int(_tex.depth)
        self.array_length = int(_tex.array_length)
        self.levels = int(_tex.mipmap_level_count)
        self.pixel_format = pixel_format
        self.channels = info.channels
        self.dtype = info.dtype
        self.normalized = info.normalized
        self.msl_scalar_type = info.msl_scalar_type
        usage = int(_tex.usage)
        self.readable = bool(usage & TEXTURE_USAGE_SHADER_READ)
        self.writable = bool(usage & TEXTURE_USAGE_SHADER_WRITE)
        self.is_private = int(_tex.storage_mode) == StorageMode.PRIVATE

    @property
    def _tex(self) -> mtl.Texture:
        if self._memory is None:
            raise ResourceError("this Texture was released; make a new one")
        return self._memory

    # ---- what it is ----

    @property
    def kind(self) -> str:
        """``"2d_array"`` of ``texture2d_array``."""
        return self._kind.name

    @property
    def spatial_shape(self) -> tuple[int, ...]:
        """Shape without the channels: slices and faces, then depth, height and width."""
        return self._spatial(0)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that :meth:`numpy` gives: (height, width, channels), channels only where more than 1."""
        return self.level_shape(0)

    def level_shape(self, level: int) -> tuple[int, ...]:
        """Shape of the array that :meth:`numpy` gives of a level."""
        spatial = self._spatial(level)
        return (*spatial, self.channels) if self.channels > 1 else spatial

    def _spatial(self, level: int) -> tuple[int, ...]:
        if not 0 <= level < self.levels:
            raise ValidationError(f"Texture: level is {level}, must be 0 to {self.levels - 1}")
        sizes = tuple(max(1, size >> level) for size in (self.depth, self.height, self.width)[3 - self.dims :])
        faces = (CUBE_FACES,) if self._kind.is_cube else ()
        slices = (self.array_length,) if self._kind.is_array else ()
        return (*slices, *faces, *sizes)

    @property
    def _slice_count(self) -> int:
        return self.array_length * (CUBE_FACES if self._kind.is_cube else 1)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return shape_size(self.shape) * self.dtype.itemsize

    @property
    def device(self) -> Device:
        """The device it belongs to."""
        return self._device

    @property
    def mtl_ptr(self) -> int:
        """Address of Metal's own object; valid while this Texture lives."""
        return self._tex.mtl_ptr

    # ---- reading and writing ----

    def upload(self, data: npt.ArrayLike, level: int = 0) -> None:
        """Overwrite the pixels of a level.

        Parameters
        ----------
        data : array_like
            Of the level's shape (:meth:`level_shape`); other element types are cast.
        level : int
            Level of detail: 0 is the largest.

        Raises
        ------
        ValueError
            If the shape is not that level's.
        """
        array = as_array(data)
        array = np.asarray(data) if array is None else array
        shape = self.level_shape(level)
        if array.shape not in (shape, (*self._spatial(level), self.channels)):
            of = f" at level {level}" if level else ""
            raise ValidationError(f"Texture.upload: data has shape {array.shape}, this texture has {shape}{of}")
        array = native_contiguous(array.astype(self.dtype, copy=False))
        if not self.is_private:
            for index, pixels in enumerate(self._by_slice(array)):
                self._tex.upload(bytes_of(pixels), level=level, slice=index)
            return
        self._copy_from(self._device._native.new_buffer_with_data(bytes_of(array)), 0, level, wait=True)

    def download(self, level: int = 0) -> Array:
        """Copy the pixels of a level into a new array."""
        array = np.empty(self.level_shape(level), self.dtype)
        if not self.is_private:
            for index, pixels in enumerate(self._by_slice(array)):
                self._tex.download(bytes_of(pixels), level=level, slice=index)
            return array
        staging = self._device._native.new_buffer(array.nbytes)
        self._copy_to(staging, 0, level, wait=True)
        pixels = staging.contents().view(self.dtype).reshape(array.shape)
        copied: Array = pixels.copy()
        return copied

    def numpy(self, level: int = 0) -> Array:
        """Copy the pixels into a new array; the same as :meth:`download`."""
        return self.download(level)

    def generate_mipmaps(self, wait: bool = True) -> None:
        """Fill the smaller levels from the largest.

        Raises
        ------
        ValueError
            If there is one level only, or it holds integers.
        """
        if self.levels < 2 or self.msl_scalar_type != "float":
            raise ValidationError(
                f"Texture.generate_mipmaps: needs several levels of pixels that are read as floats; {self!r} has "
                f"{self.levels} and is read as {self.msl_scalar_type}"
            )
        buffer = self._device._queue.command_buffer()
        encoder = buffer.blit_command_encoder()
        encoder.generate_mipmaps(self._tex)
        encoder.end_encoding()
        buffer.commit()
        _recording.submitted(["generate_mipmaps"], buffer)
        if wait:
            buffer.wait_until_completed()

    def _by_slice(self, array: Array) -> Array:
        """Give the same memory, a slice or face a row."""
        return array.reshape(self._slice_count, -1)

    def _copy_from(self, buffer: mtl.Buffer, offset: int, level: int, wait: bool) -> None:
        """Copy pixels from a native buffer, tight, slice by slice."""
        row, image, size = self._layout(level)
        for index in range(self._slice_count):
            copy = mtl.copy_to_texture(
                self._device._queue,
                buffer,
                offset + index * size,
                row,
                image,
                self._tex,
                level=level,
                slice=index,
                wait=wait,
            )
            _recording.submitted(["copy"], copy, [_recording.Traffic("copy", size, is_read=True, is_written=True)])

    def _copy_to(self, buffer: mtl.Buffer, offset: int, level: int, wait: bool) -> None:
        """Copy pixels into a native buffer, tight, slice by slice."""
        row, image, size = self._layout(level)
        for index in range(self._slice_count):
            copy = mtl.copy_from_texture(
                self._device._queue,
                self._tex,
                buffer,
                offset + index * size,
                row,
                image,
                level=level,
                slice=index,
                wait=wait,
            )
            _recording.submitted(["copy"], copy, [_recording.Traffic("copy", size, is_read=True, is_written=True)])

    def _layout(self, level: int) -> tuple[int, int, int]:
        """Bytes of a row, of an image and of a slice of a level."""
        width, height, depth = (max(1, size >> level) for size in (self.width, self.height, self.depth))
        row = width * self.channels * self.dtype.itemsize
        return row, row * height, row * height * depth

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValidationError("a Texture has no memory that an array could share; copy=False isn't possible")
        array = self.download()
        return array if dtype is None else array.astype(dtype, copy=False)

    # ---- GPU-side copies ----

    def upload_from_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy pixels from a Buffer, on the device.

        Parameters
        ----------
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        offset : int
            Byte where the first pixel begins.
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        TypeError
            If the Buffer's type is not that of the channels.
        ValueError
            If the Buffer is of another device, or too small.
        """
        self._device.blit_upload_texture(buf, self, offset=offset, wait=wait)

    def download_to_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy the pixels into a Buffer, on the device.

        Parameters
        ----------
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        offset : int
            Byte where the first pixel is to begin.
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        TypeError
            If the Buffer's type is not that of the channels.
        ValueError
            If the Buffer is of another device, or too small.
        """
        self._device.blit_download_texture(self, buf, offset=offset, wait=wait)

    def to_buffer(self) -> Buffer:
        """Copy the pixels into a new Buffer of this texture's shape and type."""
        buffer = self._device.empty(self.shape, self.dtype)
        self.download_to_buffer(buffer)
        return buffer

    def release(self) -> None:
        """Let go of the memory now rather than with the last reference; any later use of this Texture raises."""
        self._memory = None

    # ---- display ----

    def __repr__(self) -> str:
        kind = "" if self.kind in ("1d", "2d", "3d") else f", kind={self.kind!r}"
        levels = f", levels={self.levels}" if self.levels > 1 else ""
        private = ", private=True" if self.is_private else ""
        return f"Texture(shape={self.shape}, pixel_format={self.pixel_format!r}{kind}{levels}{private})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        from .notebook.preview import preview_of

        return preview_of(self)._repr_mimebundle_()


def texture_descriptor(
    shape: Sequence[int],
    pixel_format: str,
    *,
    kind: str | None,
    mipmaps: bool | int,
    readable: bool,
    writable: bool,
    private: bool,
) -> mtl.TextureDescriptor:
    """Describe a texture to Metal, of what :meth:`Device.empty_texture` takes.

    Raises
    ------
    ValidationError
        If the shape, the format or the usage is not allowed.
    """
    info = pixel_format_info(pixel_format)
    spatial = tuple(int(n) for n in shape)
    if kind is None and not 1 <= len(spatial) <= 3:
        raise ValidationError(
            "Texture shape must have 1, 2, or 3 dims (spatial only -- exclude the channel axis, which pixel_format "
            f"implies), got {spatial}"
        )
    if kind is None and len(spatial) == 3 and info.channels > 1 and spatial[-1] == info.channels:
        raise ValidationError(
            f"Texture shape {spatial} looks as if it still had its channel axis, which {pixel_format} implies: "
            f"pass {spatial[:-1]}"
        )
    if not readable and not writable:
        raise ValidationError("A texture must be at least one of readable/writable")
    if any(n < 1 for n in spatial):
        raise ValidationError(f"Texture shape is {spatial}, every dimension must be at least 1")
    named = kind_for_axes(len(spatial)) if kind is None else kind_named(kind)
    descriptor = mtl.TextureDescriptor()
    descriptor.texture_type = named.value
    descriptor.pixel_format = mtl.PixelFormat(info.mtl_value)
    descriptor.width, descriptor.height, descriptor.depth, descriptor.array_length = named.sizes(spatial)
    if mipmaps:
        largest = max(descriptor.width, descriptor.height, descriptor.depth) if named.can_have_levels else 1
        descriptor.mipmap_level_count = largest.bit_length() if mipmaps is True else mipmaps
    descriptor.usage = TEXTURE_USAGE_SHADER_READ * readable | TEXTURE_USAGE_SHADER_WRITE * writable
    descriptor.storage_mode = mtl.StorageMode.Private if private else mtl.StorageMode.Shared
    return descriptor


def spatial_shape(shape: tuple[int, ...], info: PixelFormatInfo, axes: int | None = None) -> tuple[int, ...]:
    """Take the channels off the shape of an array meant for a texture of that format, of so many axes."""
    if info.channels > 1:
        if len(shape) < 2 or shape[-1] != info.channels:
            raise ValidationError(
                f"data has shape {shape}, but its last axis must hold the format's {info.channels} channels"
            )
        return shape[:-1]
    has_channel = len(shape) > 2 if axes is None else len(shape) > axes
    return shape[:-1] if has_channel and shape[-1] == 1 else shape


def format_for(shape: tuple[int, ...], dtype: np.dtype[Any], scalar: str = "float", axes: int = 2) -> str | None:
    """Choose the pixel format that holds an array of `shape` and `dtype` unchanged.

    Parameters
    ----------
    shape : tuple of int
        A last axis after `axes` others holds channels.
    dtype : numpy.dtype
    scalar : str
        ``"float"`` where kernels shall read floats, ``"int"`` or ``"uint"`` where integers.
    axes : int
        Number of axes without channels.
    """
    channels = shape[-1] if len(shape) > axes else 1
    for name, info in PIXEL_FORMATS.items():
        if name in PACKED_FORMATS:
            continue
        if info.channels == channels and info.dtype == dtype and info.msl_scalar_type == scalar:
            return name
    return None
