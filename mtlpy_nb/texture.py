# SPDX-License-Identifier: MIT
"""Images that kernels read, sample and write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native as mtl
from ._arrays import Array, as_array, bytes_of, native_contiguous
from .errors import ResourceError, ValidationError
from .utils import (
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

__all__ = ["Sampler", "Texture"]


class Texture:
    """An image of one, two or three dimensions; made by :meth:`Device.texture` and :meth:`Device.empty_texture`.

    Attributes
    ----------
    dims : int
    width, height, depth : int
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
        "_memory",
        "channels",
        "depth",
        "dims",
        "dtype",
        "height",
        "is_private",
        "msl_scalar_type",
        "normalized",
        "pixel_format",
        "readable",
        "width",
        "writable",
    )

    def __init__(self, _tex: mtl.Texture, spatial: tuple[int, ...], pixel_format: str, device: Device) -> None:
        info = pixel_format_info(pixel_format)
        self._memory: mtl.Texture | None = _tex
        self._device = device
        self.dims = len(spatial)
        self.width, self.height, self.depth = (*reversed(spatial), 1, 1)[:3]
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
    def spatial_shape(self) -> tuple[int, ...]:
        """Shape without the channels, rows first: (height, width)."""
        return (self.depth, self.height, self.width)[3 - self.dims :]

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that :meth:`numpy` gives: (height, width, channels), channels only where more than 1."""
        return (*self.spatial_shape, self.channels) if self.channels > 1 else self.spatial_shape

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

    def upload(self, data: npt.ArrayLike) -> None:
        """Overwrite the pixels; other element types are cast.

        Raises
        ------
        ValueError
            If the shape is not this texture's.
        """
        array = as_array(data)
        array = np.asarray(data) if array is None else array
        if array.shape not in (self.shape, (*self.spatial_shape, self.channels)):
            raise ValueError(f"Texture.upload: data has shape {array.shape}, this texture has {self.shape}")
        array = native_contiguous(array.astype(self.dtype, copy=False))
        if not self.is_private:
            self._tex.upload(bytes_of(array))
            return
        staging = self._device._native.new_buffer_with_data(bytes_of(array))
        row, image = self._row_bytes()
        mtl.copy_to_texture(self._device._queue, staging, 0, row, image, self._tex, wait=True)

    def download(self) -> Array:
        """Copy the pixels into a new array."""
        if not self.is_private:
            array = np.empty(self.shape, self.dtype)
            self._tex.download(bytes_of(array))
            return array
        staging = self._device._native.new_buffer(self.nbytes)
        row, image = self._row_bytes()
        mtl.copy_from_texture(self._device._queue, self._tex, staging, 0, row, image, wait=True)
        pixels: Array = staging.contents().view(self.dtype).reshape(self.shape).copy()
        return pixels

    def numpy(self) -> Array:
        """Copy the pixels into a new array; the same as :meth:`download`."""
        return self.download()

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a Texture has no memory that an array could share; copy=False isn't possible")
        array = self.download()
        return array if dtype is None else array.astype(dtype, copy=False)

    def _row_bytes(self) -> tuple[int, int]:
        row = self.width * self.channels * self.dtype.itemsize
        return row, row * self.height

    # ---- GPU-side copies ----

    def upload_from_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy pixels from a Buffer, rows tight, starting `offset` bytes in."""
        self._device.blit_upload_texture(buf, self, offset=offset, wait=wait)

    def download_to_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy the pixels into a Buffer, rows tight, starting `offset` bytes in."""
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
        private = ", private=True" if self.is_private else ""
        return f"Texture(shape={self.shape}, pixel_format={self.pixel_format!r}{private})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        from .notebook.preview import texture_bundle

        return texture_bundle(self)


class Sampler:
    """How a kernel reads between pixels and outside of an image; made by :meth:`Device.sampler`."""

    __slots__ = ("__weakref__", "_device", "_sampler", "linear", "repeat")

    def __init__(self, _sampler: mtl.SamplerState, device: Device, linear: bool, repeat: bool) -> None:
        self._sampler = _sampler
        self._device = device
        self.linear = linear
        self.repeat = repeat

    def __repr__(self) -> str:
        return f"Sampler(linear={self.linear}, repeat={self.repeat})"


def spatial_shape(shape: tuple[int, ...], info: PixelFormatInfo) -> tuple[int, ...]:
    """Take the channels off the shape of an array meant for a texture of that format."""
    if info.channels > 1:
        if len(shape) < 2 or shape[-1] != info.channels:
            raise ValidationError(
                f"data has shape {shape}, but its last axis must hold the format's {info.channels} channels"
            )
        return shape[:-1]
    return shape[:-1] if len(shape) > 2 and shape[-1] == 1 else shape


def format_for(shape: tuple[int, ...], dtype: np.dtype[Any], scalar: str = "float") -> str | None:
    """Choose the pixel format that holds an array of `shape` and `dtype` unchanged.

    Parameters
    ----------
    shape : tuple of int
        Rows first; a last axis of 4 after two others holds channels.
    dtype : numpy.dtype
    scalar : str
        ``"float"`` where kernels shall read floats, ``"uint"`` where integers.
    """
    channels = 4 if len(shape) >= 3 and shape[-1] == 4 else 1
    for name, info in PIXEL_FORMATS.items():
        if info.channels == channels and info.dtype == dtype and info.msl_scalar_type == scalar:
            return name
    return None
