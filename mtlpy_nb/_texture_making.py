# SPDX-License-Identifier: MIT
"""From shapes and formats to what Metal is told to make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native as mtl
from ._checks import MOST_VALUE, flag, integer_in, sizes, whole
from ._pixel_formats import can_be_written
from ._texture_kinds import TextureKind, kind_for_axes, kind_named
from .errors import ValidationError
from .utils import (
    PACKED_FORMATS,
    PIXEL_FORMATS,
    TEXTURE_USAGE_SHADER_READ,
    TEXTURE_USAGE_SHADER_WRITE,
    PixelFormatInfo,
    pixel_format_info,
)

__all__ = ["advice_on_format", "format_for", "spatial_shape", "texture_descriptor", "usage_of"]

_USAGE_FORMAT_VIEW = int(mtl.TextureUsage.PixelFormatView)
_USAGE_ATOMIC = int(mtl.TextureUsage.ShaderAtomic)
_WITH_ATOMICS = frozenset({"r32Uint", "r32Sint", "rg32Uint"})


def usage_of(pixel_format: str, kind: TextureKind, *, readable: bool, writable: bool, format_views: bool) -> int:
    """Give Metal's flags; what kernels may read and write they may change by atomics, where Metal has such."""
    has_atomics = readable and writable and pixel_format in _WITH_ATOMICS and not kind.is_cube
    return (
        TEXTURE_USAGE_SHADER_READ * bool(readable)
        | TEXTURE_USAGE_SHADER_WRITE * bool(writable)
        | _USAGE_FORMAT_VIEW * bool(format_views)
        | _USAGE_ATOMIC * bool(has_atomics)
    )


def texture_descriptor(
    shape: Sequence[int],
    pixel_format: str,
    *,
    kind: str | None,
    mipmaps: bool | int,
    readable: bool,
    writable: bool,
    private: bool,
    format_views: bool = False,
) -> mtl.TextureDescriptor:
    """Describe a texture to Metal, of what :meth:`Device.empty_texture` takes.

    Raises
    ------
    ValidationError
        If the shape, the format or the usage is not allowed.
    """
    info = pixel_format_info(pixel_format)
    spatial = sizes(shape, "Texture shape")
    if kind is None and not 1 <= len(spatial) <= 3:
        raise ValidationError(
            "Texture shape must have 1, 2, or 3 dims (spatial only -- exclude the channel axis, which pixel_format "
            f"implies), got {spatial}"
        )
    readable, writable = flag(readable, "readable"), flag(writable, "writable")
    private, format_views = flag(private, "private"), flag(format_views, "format_views")
    if not readable and not writable:
        raise ValidationError("A texture must be at least one of readable/writable")
    if not can_be_written(pixel_format):
        if not readable:
            raise ValidationError(f"kernels cannot write {pixel_format}, so readable=False leaves no use for it")
        writable = False
    if any(n < 1 for n in spatial):
        raise ValidationError(f"Texture shape is {spatial}, every dimension must be at least 1")
    if max(spatial, default=1) > MOST_VALUE:
        raise ValidationError(f"Texture shape is {spatial}, which is too large")
    named = kind_for_axes(len(spatial)) if kind is None else kind_named(kind)
    descriptor = mtl.TextureDescriptor()
    descriptor.texture_type = named.value
    descriptor.pixel_format = mtl.PixelFormat(info.mtl_value)
    descriptor.width, descriptor.height, descriptor.depth, descriptor.array_length = named.sizes(spatial)
    if mipmaps:
        largest = max(descriptor.width, descriptor.height, descriptor.depth) if named.can_have_levels else 1
        descriptor.mipmap_level_count = (
            largest.bit_length() if mipmaps is True else integer_in(whole(mipmaps, "mipmaps"), "mipmaps", 1, MOST_VALUE)
        )
    descriptor.usage = usage_of(pixel_format, named, readable=readable, writable=writable, format_views=format_views)
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


def advice_on_format(shape: tuple[int, ...], dtype: np.dtype[Any], axes: int) -> str:
    """Say what to change of an array that :func:`format_for` has no format for."""
    if format_for(shape[:axes], dtype, axes=axes) is not None:
        return "give the last axis 1, 2 or 4 channels, or 3 and it becomes 4"
    return "convert to uint8, float16 or float32, or name a pixel_format"
