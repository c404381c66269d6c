# SPDX-License-Identifier: MIT
"""Pictures of Buffers, Textures and arrays in a notebook's output.

A preview holds the picture's bytes and a few words, never memory of the device.
"""

from __future__ import annotations

import base64
import io
from typing import Any, TypeAlias

import numpy as np
from PIL import Image

from .._arrays import as_array, is_bfloat16
from ..buffer import Buffer
from ..errors import MetalError, ValidationError
from ..texture import Texture
from .pixels import Look, Pixels, to_pixels
from .words import describe_values

__all__ = ["Preview", "buffer_bundle", "show", "texture_bundle"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Bundle: TypeAlias = tuple[dict[str, Any], dict[str, Any]]

_LARGEST = 512  # pixels on the screen
_LARGEST_ZOOM = 64
_SAMPLED = 4 * _LARGEST  # more rows or columns than this are thinned out before they are averaged


class Preview:
    """A picture and the words that go with it.

    Attributes
    ----------
    text : str
        Without addresses, times or device names, so that it can be compared.
    png : bytes or None
    width, height : int
        On the screen, in pixels.
    """

    __slots__ = ("height", "png", "text", "width")

    def __init__(self, text: str, pixels: Pixels | None = None) -> None:
        self.text = text
        self.png = None
        self.width = self.height = 0
        if pixels is not None:
            self.height, self.width = pixels.shape[:2]
            self.png = _png(pixels)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        data: dict[str, Any] = {"text/plain": self.text}
        if self.png is None:
            return data, {}
        data["image/png"] = base64.b64encode(self.png).decode("ascii")
        return data, {"image/png": {"width": self.width, "height": self.height}}


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
) -> Preview:
    """Picture an array, a Buffer or a Texture.

    Parameters
    ----------
    x : array_like, Buffer or Texture
        (height, width), or (height, width, channels).
    range : tuple of float, optional
        Values shown as black and white. Default: floats as they are if within 0 to 1, else from the smallest to the
        largest; the text says which.
    exposure : float
        Stops: each doubles the brightness.
    gamma : float
        Applied at the end, as ``value ** (1 / gamma)``.
    tone : {"reinhard", "aces"}, optional
        For values far above 1.
    channel : {"r", "g", "b", "a"}, optional
        That channel alone.
    colormap : {"gray", "viridis", "turbo"}, optional
        For a single channel.
    zoom : float, optional
        Pixels on the screen for one of the image; default: as large as fits 512.

    Returns
    -------
    Preview
        As the last value of a cell, it is shown.
    """
    if isinstance(x, Preview):
        return x
    look = Look(range, exposure, gamma, tone, channel, colormap)
    if isinstance(x, Texture):
        return _texture_preview(x, look, zoom)
    if isinstance(x, Buffer):
        return _array_preview(x.numpy(), repr(x), look, zoom)
    array = as_array(x)
    array = np.asarray(x) if array is None else array
    return _array_preview(array, f"array(shape={array.shape}, dtype={array.dtype})", look, zoom)


def buffer_bundle(buffer: Buffer) -> Bundle:
    """Give a Buffer's MIME bundle; never raises."""
    try:
        array = buffer.numpy()
        return _array_preview(array, repr(buffer), _default_look(array), None)._repr_mimebundle_()
    except MetalError as error:
        return _failed(repr(buffer), error)


def texture_bundle(texture: Texture) -> Bundle:
    """Give a Texture's MIME bundle; never raises."""
    try:
        return _texture_preview(texture, Look(), None)._repr_mimebundle_()
    except MetalError as error:
        return _failed(repr(texture), error)


def _failed(name: str, error: MetalError) -> Bundle:
    return {"text/plain": f"{name}\n{error}"}, {}


def _default_look(array: Array) -> Look:
    """Choose: a matrix of numbers is a heat map; bytes and truth values are gray."""
    is_matrix = array.ndim == 2 and array.dtype != np.uint8 and array.dtype.kind != "b"
    return Look(colormap="viridis" if is_matrix else None)


def _texture_preview(texture: Texture, look: Look, zoom: float | None) -> Preview:
    pixels = texture.download()
    if texture.pixel_format.startswith("bgra") and texture.channels == 4:
        pixels = pixels[..., [2, 1, 0, 3]]
    if texture.dims == 1 and texture.kind != "1d_array":
        pixels = pixels[np.newaxis]
    images = len(texture.spatial_shape) - 2
    if images > 0:  # side by side
        pixels = np.concatenate(list(pixels.reshape(-1, *pixels.shape[images:])), axis=1)
    return _array_preview(pixels, repr(texture), look, zoom)


def _array_preview(array: Array, name: str, look: Look, zoom: float | None) -> Preview:
    if not is_image(array):
        words = describe_values(array)
        return Preview("\n".join([name, *words]))
    if array.dtype.kind == "c":
        array = np.abs(array)
        name += ", absolute values"
    pixels, notes = to_pixels(array, look, largest=_SAMPLED if zoom is None else None)
    pixels, size_note = _fit(pixels, array.shape[:2], zoom)
    return Preview("\n".join([name, *notes, *size_note]), pixels)


def is_image(array: Array) -> bool:
    """Whether an array has the shape and type of an image or a matrix."""
    if array.size == 0 or (array.dtype.kind not in "biufc" and not is_bfloat16(array.dtype)):
        return False
    return array.ndim == 2 or (array.ndim == 3 and array.shape[-1] <= 4)


def _fit(pixels: Pixels, true_size: tuple[int, ...], zoom: float | None) -> tuple[Pixels, list[str]]:
    """Enlarge by a whole factor with hard edges, or reduce by averaging."""
    height, width = true_size
    if zoom is not None:
        if not 0 < zoom <= _LARGEST_ZOOM:
            raise ValidationError(f"zoom is {zoom}, must be above 0 and at most {_LARGEST_ZOOM}")
        if float(zoom).is_integer():
            return _enlarge(pixels, int(zoom)), []
        return _resize(pixels, max(round(height * zoom), 1), max(round(width * zoom), 1)), []
    longest = max(height, width)
    if longest <= _LARGEST:
        return _enlarge(pixels, min(_LARGEST // longest, _LARGEST_ZOOM)), []
    rows, columns = max(height * _LARGEST // longest, 1), max(width * _LARGEST // longest, 1)
    return _resize(pixels, rows, columns), [f"reduced from {width} x {height} to {columns} x {rows} pixels"]


def _enlarge(pixels: Pixels, factor: int) -> Pixels:
    return pixels.repeat(factor, axis=0).repeat(factor, axis=1) if factor > 1 else pixels


def _resize(pixels: Pixels, rows: int, columns: int) -> Pixels:
    return np.asarray(Image.fromarray(pixels).resize((columns, rows), Image.Resampling.BOX))


def _png(pixels: Pixels) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "PNG")
    return stream.getvalue()
