# SPDX-License-Identifier: MIT
"""Whether a texture or an array is what a kernel's texture argument takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _native as mtl
from ._pixel_formats import can_be_written
from ._texture_kinds import KINDS, TextureKind, kind_of
from ._texture_making import format_for, spatial_shape
from ._values import Mismatch
from .arguments import Argument
from .device import Device
from .texture import Texture
from .utils import pixel_format_info

__all__ = ["WHOLE_TYPES", "check_axes", "check_texture", "texture_kind", "texture_like", "texture_scalar"]

_INTEGER_TEXTURES = {"int": "int", "short": "int", "uint": "uint", "ushort": "uint", "ulong": "uint"}
WHOLE_TYPES = {"float": np.dtype(np.float32), "int": np.dtype(np.int32), "uint": np.dtype(np.uint32)}


def texture_scalar(argument: Argument) -> str:
    """``"int"`` or ``"uint"`` for textures that kernels read as integers, else ``"float"``."""
    kind = argument.native.texture_data_type
    name = mtl.data_type_name(kind) if kind is not None else "float"
    return _INTEGER_TEXTURES.get(name, "float")


def texture_kind(argument: Argument) -> TextureKind:
    """Give the kind of texture that the kernel takes.

    Raises
    ------
    Mismatch
        If it is one that only rendering makes.
    """
    kind = kind_of(argument.native.texture_type)
    if kind is not None:
        return kind
    if argument.native.texture_type is None:
        return KINDS["2d"]
    raise Mismatch(f"is {argument.type_text}, a multisampled texture, which only rendering can fill")


def check_texture(argument: Argument, texture: Texture) -> None:
    scalar, kind = texture_scalar(argument), texture_kind(argument)
    if texture.kind != kind.name:
        raise Mismatch(
            f"is {argument.type_text}, got a Texture of kind {texture.kind!r}",
            f"make it with device.texture(..., kind={kind.name!r}), or declare "
            f"texture{'_' * (texture.kind == 'buffer')}{texture.kind}<{texture.msl_scalar_type}, ...>",
        )
    if texture.msl_scalar_type != scalar:
        raise Mismatch(
            f"is {argument.type_text}, got a Texture of {texture.pixel_format}, which kernels see as "
            f"{texture.msl_scalar_type}",
            f"declare texture{texture.kind}<{texture.msl_scalar_type}, ...>, or make the Texture with another "
            "pixel_format",
        )
    if argument.access != "write" and not texture.readable:
        raise Mismatch("is read by the kernel, but the Texture was made with readable=False")
    if argument.is_writable and not can_be_written(texture.pixel_format):
        raise Mismatch(f"is written by the kernel, but pixels of {texture.pixel_format} can't be written by kernels")
    if argument.is_writable and texture.swizzle != "rgba":
        raise Mismatch("is written by the kernel, but the Texture is a view with a swizzle, which can only be read")
    if argument.is_writable and not texture.writable:
        raise Mismatch("is written by the kernel, but the Texture was made with writable=False")


def check_axes(argument: Argument, kind: TextureKind, spatial: tuple[int, ...]) -> None:
    if len(spatial) != kind.axes or (kind.is_cube and (spatial[-3] != 6 or spatial[-1] != spatial[-2])):
        raise Mismatch(
            f"is {argument.type_text}, got an array whose shape without channels is {spatial}",
            f"such a texture has the axes {kind.axes_text}, and channels after them",
        )


def texture_like(device: Device, argument: Argument, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Texture:
    """Make a texture for an array of `shape`; three channels become four."""
    kind = texture_kind(argument)
    if len(shape) == kind.axes + 1 and shape[-1] == 3:
        shape = (*shape[:-1], 4)
    scalar = texture_scalar(argument)
    name = format_for(shape, dtype, scalar, kind.axes)
    if name is None:
        raise Mismatch(*_no_format(argument, shape, dtype, scalar))
    if math.prod(shape) == 0:
        raise Mismatch(f"is {argument.type_text}, got an array of shape {shape}", "a texture has at least one pixel")
    spatial = spatial_shape(shape, pixel_format_info(name), kind.axes)
    check_axes(argument, kind, spatial)
    return device.empty_texture(spatial, name, kind=kind.name)


def _no_format(argument: Argument, shape: tuple[int, ...], dtype: np.dtype[Any], scalar: str) -> tuple[str, str]:
    """Say why no pixel format holds such an array, and which cast helps."""
    name = argument.name
    casts = {
        "float": f"{name}.astype(np.float32)",
        "int": f"{name}.astype(np.int32)",
        "uint": f"{name}.astype(np.uint32)",
    }
    problem = f"is {argument.type_text}; no pixel format holds {dtype} of shape {shape} for it"
    if dtype.kind in "iuf" and format_for((*shape[:-1], 4), dtype, scalar, len(shape) - 1) is not None:
        return problem, "give the last axis 1, 2 or 4 channels, or 3 and it becomes 4"
    if dtype.kind in "iu" and scalar == "float":
        pixels = f"{name}.astype(np.uint8), whose 0 to 255 are read as 0 to 1"
        return problem, f"cast it, {pixels}, or declare texture2d<{'int' if dtype.kind == 'i' else 'uint'}>"
    return problem, f"cast it: {casts[scalar]}"
