# SPDX-License-Identifier: MIT
"""What the stored numbers of each pixel format mean, in NumPy: as kernels read them, red first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from .._pixel_formats import SHARED_COMPONENTS
from ..utils import pixel_format_info
from .tones import light_of_srgb, srgb_of_light

__all__ = ["Meaning", "Texels", "meaning_of_array", "texels_of"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

# Fields of one number from its lowest bit up: which channel each is, and its bits.
_FIELDS = {
    "b5g6r5Unorm": "b5 g6 r5",
    "a1bgr5Unorm": "a1 b5 g5 r5",
    "abgr4Unorm": "a4 b4 g4 r4",
    "bgr5A1Unorm": "b5 g5 r5 a1",
    "rgb10a2Unorm": "r10 g10 b10 a2",
    "rgb10a2Uint": "r10 g10 b10 a2",
    "bgr10a2Unorm": "b10 g10 r10 a2",
    "rg11b10Float": "r11 g11 b10",
    "rgb9e5Float": "r9 g9 b9",
    "bgr10_xr": "b10 g10 r10",
    "bgr10_xr_srgb": "b10 g10 r10",
    "bgra10_xr": "b16 g16 r16 a16",
    "bgra10_xr_srgb": "b16 g16 r16 a16",
}
_XR_ZERO, _XR_ONE, _XR_UNUSED = 384, 510, 6  # stored 384 is 0 and 894 is 1; ten of sixteen bits count


@dataclass(frozen=True)
class Meaning:
    """How the numbers of a picture are meant.

    Attributes
    ----------
    natural : tuple of float or None
        The values shown as black and white whatever the others are; None: that depends on all of them.
    opaque : float or None
        Value of an opaque fourth channel; None: the fourth channel is no opacity.
    unit : float
        What a stored 1 means.
    is_srgb : bool
        Whether bytes are sRGB's, or values are light made of such.
    """

    natural: tuple[float, float] | None = None
    opaque: float | None = None
    unit: float = 1.0
    is_srgb: bool = False


@dataclass(frozen=True)
class Texels:
    """A pixel format's numbers.

    Attributes
    ----------
    pixel_format : str
    channels : int
        After :meth:`decode`.
    meaning : Meaning
    note : str or None
        What of a pixel is not shown.
    """

    pixel_format: str
    channels: int
    meaning: Meaning
    note: str | None = None
    swizzle: str = "rgba"

    def decode(self, stored: Array) -> Array:
        """Give (height, width, channels) of what is stored as (height, width, stored numbers)."""
        decoded = self._plain(stored)
        return decoded if self.swizzle == "rgba" else self._swizzled(decoded)

    def _swizzled(self, pixels: Array) -> Array:
        """Put the channels where the view shows them; an opaque fourth is left out."""
        shown = []
        order = _channels_of(self.pixel_format)
        is_curved = self.meaning.is_srgb and self.meaning.unit != 1
        for place, letter in enumerate(self.swizzle[: self.channels]):
            if letter in order:
                channel = pixels[..., order.index(letter)]
                # An opacity has no curve, a colour has.
                if is_curved and (place == 3) != (letter == "a"):
                    curve = light_of_srgb if place == 3 else srgb_of_light
                    channel = np.rint(curve(channel / 255.0) * 255).astype(channel.dtype)
            else:
                one = 1 / self.meaning.unit if letter in "1a" else 0
                channel = np.full(pixels.shape[:-1], one, pixels.dtype)
            shown.append(channel)
        return np.stack(shown, axis=-1)

    def _plain(self, stored: Array) -> Array:
        name = self.pixel_format
        if name in SHARED_COMPONENTS:
            return _with_neighbours(stored, name)
        if name in _FIELDS:
            return _unpacked(stored[..., 0], name)
        if name == "depth32Float_stencil8":
            return (stored & 0xFFFFFFFF).astype(np.uint32).view(np.float32)
        if name == "x32_stencil8":
            return (stored >> 32 & 0xFF).astype(np.uint8)
        if name == "depth24Unorm_stencil8":
            depths: Array = (stored & 0xFFFFFF) / np.float32(0xFFFFFF)
            return depths
        if name == "x24_stencil8":
            return (stored >> 24).astype(np.uint8)
        if name.startswith("bgra"):
            return stored[..., [2, 1, 0, 3]]
        if name.endswith("Snorm"):
            values: Array = np.maximum(stored / np.float32(np.iinfo(stored.dtype).max), np.float32(-1))
            return values
        if name.endswith("16Unorm"):
            reals: Array = stored / np.float32(65535)
            return reals
        return stored


def texels_of(pixel_format: str, swizzle: str = "rgba") -> Texels:
    """Describe a pixel format, of a view with that swizzle."""
    plain = _texels_of(pixel_format)
    return plain if swizzle == "rgba" else replace(plain, swizzle=swizzle, channels=3 if swizzle[3] == "1" else 4)


def _texels_of(pixel_format: str) -> Texels:
    info = pixel_format_info(pixel_format)
    is_srgb = pixel_format.endswith("_srgb")
    channels = len(_channels_of(pixel_format))
    is_byte = info.dtype == np.uint8 and info.normalized
    if is_byte:
        return Texels(pixel_format, channels, Meaning((0, 1), 255.0, 1 / 255, is_srgb))
    if pixel_format == "rgba8Uint":
        return Texels(pixel_format, channels, Meaning((0, 255), 255.0))
    if info.msl_scalar_type != "float":
        return Texels(pixel_format, channels, Meaning())
    note = "the stencil is not shown" if pixel_format in ("depth24Unorm_stencil8", "depth32Float_stencil8") else None
    return Texels(pixel_format, channels, Meaning(None, 1.0, 1.0, is_srgb), note)


def meaning_of_array(dtype: np.dtype[Any]) -> Meaning:
    """Guess what an array's numbers mean by their type: bytes and 16 bits may be a picture's, with opacity."""
    if dtype.kind == "b":
        return Meaning((0, 1), 1.0)
    if dtype == np.uint8:
        return Meaning((0, 255), 255.0)
    if dtype == np.uint16:
        return Meaning(None, 65535.0)
    return Meaning(None, None if dtype.kind in "iu" else 1.0)


def _channels_of(pixel_format: str) -> str:
    """Name the channels after decoding."""
    if pixel_format == "a8Unorm":
        return "a"
    if pixel_format in SHARED_COMPONENTS:
        return "rgb"
    if pixel_format not in _FIELDS:
        return "rgba"[: pixel_format_info(pixel_format).channels]
    present = {field[0] for field in _FIELDS[pixel_format].split()}
    return "".join(letter for letter in "rgba" if letter in present)


def _with_neighbours(stored: Array, name: str) -> Array:
    """Give both pixels of each pair the red and the blue of the pair."""
    green, other = (0, 1) if name == "gbgr422" else (1, 0)
    pairs = stored.reshape(stored.shape[0], -1, 2, 2)
    shown = np.empty((*pairs.shape[:3], 3), stored.dtype)
    shown[..., 0] = pairs[:, :, 1, other, None]
    shown[..., 1] = pairs[..., green]
    shown[..., 2] = pairs[:, :, 0, other, None]
    return shown.reshape(stored.shape[0], -1, 3)


def _unpacked(words: Array, name: str) -> Array:
    fields: dict[str, Array] = {}
    place = 0
    for field in _FIELDS[name].split():
        bits = int(field[1:])
        raw = words >> words.dtype.type(place) & words.dtype.type((1 << bits) - 1)
        fields[field[0]] = _real(raw, bits, name, is_alpha=field[0] == "a")
        place += bits
    if name == "rgb9e5Float":
        unit = np.exp2((words >> np.uint32(27)).astype(np.float32) - np.float32(24))
        fields = {channel: value * unit for channel, value in fields.items()}
    return np.stack([fields[channel] for channel in "rgba" if channel in fields], axis=-1)


def _real(raw: Array, bits: int, name: str, is_alpha: bool) -> Array:
    """Give what a field of so many bits means, but for a common exponent."""
    if name.endswith("Unorm"):
        real: Array = raw.astype(np.float32) / np.float32((1 << bits) - 1)
        return real
    if name.endswith("Uint"):
        return raw.astype(np.uint16)
    if name == "rg11b10Float":
        return _small_float(raw, bits - 5)
    if name == "rgb9e5Float":
        return raw.astype(np.float32)
    stored = (raw >> raw.dtype.type(_XR_UNUSED if bits == 16 else 0)).astype(np.float32)
    value: Array = (stored - np.float32(_XR_ZERO)) / np.float32(_XR_ONE)
    is_light = is_alpha or not name.endswith("_srgb")
    return value if is_light else light_of_srgb(value.astype(np.float64)).astype(np.float32)


def _small_float(raw: Array, fraction_bits: int) -> Array:
    """Unsigned, with five bits of exponent as a half has: a half's fraction is only longer."""
    halves: Array = raw.astype(np.uint16) << np.uint16(10 - fraction_bits)
    return halves.view(np.float16).astype(np.float32)
