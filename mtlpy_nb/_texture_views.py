# SPDX-License-Identifier: MIT
"""Textures of another texture's pixels."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from . import _native as mtl
from ._texture_kinds import KINDS, TextureKind, kind_named
from .errors import ArgumentError, MetalError, ValidationError
from .utils import pixel_format_info

if TYPE_CHECKING:
    from .texture import Texture

__all__ = ["make_view", "swizzle_text"]

_CHANNELS = {
    "0": mtl.TextureSwizzle.Zero,
    "1": mtl.TextureSwizzle.One,
    "r": mtl.TextureSwizzle.Red,
    "g": mtl.TextureSwizzle.Green,
    "b": mtl.TextureSwizzle.Blue,
    "a": mtl.TextureSwizzle.Alpha,
}
_LETTERS = {int(value): letter for letter, value in _CHANNELS.items()}


def make_view(
    texture: Texture,
    pixel_format: str | None,
    kind: str | None,
    levels: int | range | None,
    slices: int | range | None,
    swizzle: str | None,
) -> Texture:
    """Make a view; see :meth:`Texture.view`."""
    name = texture.pixel_format if pixel_format is None else pixel_format
    value = mtl.PixelFormat(pixel_format_info(name).mtl_value)
    level_range = _range("levels", levels, texture.levels)
    slice_range = _range("slices", slices, texture._slice_count)
    named = _kind(texture, kind, is_one=slices is not None and not isinstance(slices, range))
    channels = None if swizzle is None else _swizzle(swizzle)
    native = texture._tex
    try:
        view = native.new_texture_view(value, named.value, level_range, slice_range, channels)
    except MetalError as error:
        raise ValidationError(f"{texture!r} has no such view: {_reason(error)}") from None
    # A class of its own could not be a Texture to those who ask for one.
    return type(texture)(view, name, texture._device, _parent=texture)


def swizzle_text(channels: mtl.TextureSwizzleChannels) -> str:
    """Write a swizzle as four letters."""
    return "".join(_LETTERS[int(one)] for one in (channels.red, channels.green, channels.blue, channels.alpha))


def _kind(texture: Texture, kind: str | None, *, is_one: bool) -> TextureKind:
    if kind is not None:
        return kind_named(kind)
    own = kind_named(texture.kind)
    return KINDS["2d"] if is_one and own.dims == 2 else own


def _range(name: str, wanted: Any, count: int) -> tuple[int, int]:
    """Give the first and how many."""
    if wanted is None:
        return 0, count
    if isinstance(wanted, range):
        if wanted.step != 1 or not wanted or wanted.start < 0 or wanted.stop > count:
            raise ValidationError(
                f"Texture.view: {name} is {wanted}, must be some of range({count}), one after another"
            )
        return wanted.start, len(wanted)
    try:
        first = operator.index(wanted)
    except TypeError:
        raise ArgumentError(f"Texture.view: {name} must be an int or a range, got {type(wanted).__name__}") from None
    if not 0 <= first < count:
        raise ValidationError(f"Texture.view: {name} is {first}, must be 0 to {count - 1}")
    return first, 1


def _swizzle(text: str) -> mtl.TextureSwizzleChannels:
    if not isinstance(text, str):
        raise ArgumentError(f"Texture.view: swizzle must be a str, got {type(text).__name__}")
    if len(text) != 4 or any(letter not in _CHANNELS for letter in text):
        raise ValidationError(f"Texture.view: swizzle is {text!r}, must be four of the letters r, g, b, a, 0 and 1")
    return mtl.TextureSwizzleChannels(*(_CHANNELS[letter] for letter in text))


def _reason(error: MetalError) -> str:
    """Take the name of the native call off what it says, and name the keyword that gives what it asks for."""
    text = str(error).removeprefix("newTextureView: ").removeprefix("new_texture_view: ")
    return text.replace("a texture with MTLTextureUsagePixelFormatView", "a texture made with format_views=True")
