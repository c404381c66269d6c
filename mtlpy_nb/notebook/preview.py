# SPDX-License-Identifier: MIT
"""Pictures of Buffers, Textures and arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from .. import _native as mtl
from .._arrays import as_array
from ..buffer import Buffer
from ..errors import ArgumentError, ValidationError
from ..texture import Texture
from ..utils import StorageMode
from .drawing import draw
from .images import images_of_array, images_of_texture
from .layers import picture_of
from .look import Look
from .native_textures import texture_of
from .picture import Preview
from .words import describe

__all__ = ["array_of", "preview_of", "show"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def show(
    x: object,
    *,
    range: tuple[float, float] | None = None,
    exposure: float = 0.0,
    gamma: float = 1.0,
    tone: str | None = None,
    channel: str | None = None,
    colormap: str | None = None,
    zoom: float | None = None,
    level: int | None = None,
    slice: int | None = None,
) -> Preview:
    """Picture an array, a Buffer or a Texture.

    Parameters
    ----------
    x : array_like, Buffer, Texture or mtlpy_nb.metal.Texture
        An image: (height, width) or (height, width, 1 to 4 channels). Several: one more axis before those. Anything
        else is told in words, a row of numbers also by a line.
    range : tuple of float, optional
        Values shown as black and white; what is beyond is clamped. Default: bytes as they are; floats as they are if
        within 0 to 1; else from the smallest to the largest, which the text tells.
    exposure : float
        Stops: each doubles the brightness. Values are then light, and are not scaled.
    gamma : float
        Applied at the end, as ``value ** (1 / gamma)``.
    tone : {"reinhard", "aces"}, optional
        Curve for values far above 1, which are then not scaled.
    channel : {"r", "g", "b", "a"}, optional
        That channel alone.
    colormap : {"gray", "viridis", "magma", "inferno", "turbo", "bwr"}, optional
        For a single channel. Default: gray; of a Buffer's matrix viridis.
    zoom : float, optional
        Pixels of the picture for one of the image; default: as large as fits 512 on the screen.
    level : int, optional
        Level of detail of a Texture; default: all that a 2D one has, else the largest.
    slice : int, optional
        Slice of an array, face of a cube, depth of a volume; default: all, on a sheet.

    Returns
    -------
    Preview
        As the last value of a cell, it is shown; ``show(x).save("picture.png")`` writes a file.

    Raises
    ------
    ValueError
        If an option is not one of those, or does not fit `x`.
    TypeError
        If `x` is nothing that has values.
    """
    if isinstance(x, Preview):
        return x
    look = Look(range, exposure, gamma, tone, channel, colormap, zoom, level, slice)
    if isinstance(x, (mtl.MetalLayer, mtl.MetalDrawable)):
        x = picture_of(x)
    if isinstance(x, mtl.Texture):
        texture, note = texture_of(x)
        images = images_of_texture(texture, look)
        return draw(images if note is None else replace(images, notes=[note, *images.notes]), look)
    if isinstance(x, Texture):
        return draw(images_of_texture(x, look), look)
    if level is not None:
        raise ValidationError("level is for a Texture; an array has one level")
    if isinstance(x, Buffer):
        return _buffer_preview(x, look)
    array = array_of(x, "show")
    return _array_preview(array, f"array(shape={array.shape}, dtype={array.dtype})", look)


def preview_of(x: Buffer | Texture | mtl.Texture | mtl.MetalLayer | mtl.MetalDrawable) -> Preview:
    """Give what a notebook shows of `x` by itself; never raises: what is wrong is then the text."""
    try:
        return show(x)
    # A repr that raises would hide what the person wanted to see: the cell's value.
    except Exception as error:
        return Preview(f"{x!r}\n{str(error) or type(error).__name__}")


def array_of(x: object, where: str) -> Array:
    """Give the array that `x` is.

    Raises
    ------
    TypeError
        If it is none.
    """
    array = as_array(x)
    if array is None and not isinstance(x, (str, bytes, dict, set, type(None))):
        array = np.asarray(x)
    if array is None or (array.dtype == object and array.ndim == 0):
        raise ArgumentError(f"{where}: expected an array, a Buffer or a Texture, got {type(x).__name__}")
    return np.asarray(array)  # a masked array's numbers, a matrix's


def _buffer_preview(buffer: Buffer, look: Look) -> Preview:
    array = buffer.numpy() if buffer.storage == StorageMode.SHARED else buffer
    is_matrix = array.ndim == 2 and array.dtype != np.uint8 and array.dtype.kind != "b"
    if is_matrix and look.colormap is None and look.channel is None:
        look = replace(look, colormap="viridis")
    return _array_preview(array, repr(buffer), look)


def _array_preview(array: Array | Buffer, name: str, look: Look) -> Preview:
    images = images_of_array(array, name, look)
    if images is not None:
        return draw(images, look)
    if look.changed:
        option = look.changed[0]
        raise ValidationError(f"{option} is {getattr(look, option)!r}, but {name} is no image: it is told in words")
    return describe(array, name)
