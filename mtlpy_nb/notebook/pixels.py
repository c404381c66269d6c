# SPDX-License-Identifier: MIT
"""From numbers to the colours that a person sees, and what to say about them in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..errors import ValidationError
from .colormaps import apply_colormap

__all__ = ["Look", "to_pixels"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Pixels: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

NAN_COLOUR = (255, 0, 255)
POSITIVE_INFINITY_COLOUR = (255, 255, 255)
NEGATIVE_INFINITY_COLOUR = (0, 0, 255)
_TONES = ("reinhard", "aces")
_CHANNELS = "rgba"
_MOST_STOPS = 1000


@dataclass(frozen=True)
class Look:
    """How to show an array.

    Attributes
    ----------
    range : tuple of float or None
        Values shown as black and white; None: as they are if within 0 to 1, else from the smallest to the largest.
    exposure : float
        Stops: each doubles the brightness.
    gamma : float
        Applied at the end, as ``value ** (1 / gamma)``.
    tone : str or None
        ``"reinhard"`` or ``"aces"``, for values far above 1.
    channel : str or None
        ``"r"``, ``"g"``, ``"b"`` or ``"a"``: that alone.
    colormap : str or None
        For a single channel; None is gray.
    """

    range: tuple[float, float] | None = None
    exposure: float = 0.0
    gamma: float = 1.0
    tone: str | None = None
    channel: str | None = None
    colormap: str | None = None

    def __post_init__(self) -> None:
        if self.range is not None:
            low, high = _pair(self.range)
            if not (np.isfinite(low) and np.isfinite(high) and low < high):
                raise ValidationError(f"range is {self.range}, must be two finite numbers, the smaller first")
        if self.tone is not None and self.tone not in _TONES:
            raise ValidationError(f"tone is {self.tone!r}, must be one of {', '.join(_TONES)} or None")
        if self.channel is not None and self.channel not in tuple(_CHANNELS):
            raise ValidationError(f"channel is {self.channel!r}, must be one of r, g, b, a")
        if not np.isfinite(_as_number(self.exposure, "exposure")) or abs(self.exposure) > _MOST_STOPS:
            raise ValidationError(f"exposure is {self.exposure}, must be from -{_MOST_STOPS} to {_MOST_STOPS} stops")
        if not _as_number(self.gamma, "gamma") > 0:
            raise ValidationError(f"gamma is {self.gamma}, must be above 0")


def _pair(limits: Any) -> tuple[float, float]:
    try:
        low, high = (float(limit) for limit in limits)
    except (TypeError, ValueError):
        raise ValidationError(f"range is {limits!r}, must be two finite numbers, the smaller first") from None
    return low, high


def _as_number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValidationError(f"{name} is {value!r}, must be a number") from None


def to_pixels(values: Array, look: Look, largest: int | None = None) -> tuple[Pixels, list[str]]:
    """Turn an image into opaque 8-bit colours.

    Parameters
    ----------
    values : array
        (height, width), or (height, width, 1 to 4) with channels; any numbers or booleans.
    look : Look
    largest : int, optional
        Sample whole rows and columns so that neither side has more pixels than this; the facts are still of all.

    Returns
    -------
    pixels : array of uint8
        (height, width, 3).
    notes : list of str
        What a person must know to read the colours.
    """
    values = _pick(values, look)
    colour, alpha = _split_alpha(values)
    is_heat_map = colour.shape[-1] == 1 and look.colormap is not None
    low, high, notes = _range(colour, look, is_heat_map)
    if largest is not None:
        step = max(1, -(-max(colour.shape[:2]) // largest))
        colour = colour[::step, ::step]
        alpha = alpha[::step, ::step] if alpha is not None else None
    shown = _normalised(colour, low, high, look)
    if is_heat_map:
        assert look.colormap is not None
        pixels = apply_colormap(shown[..., 0], look.colormap)
    else:
        pixels = np.rint(shown * 255).astype(np.uint8)
        pixels = np.repeat(pixels, 3, axis=-1) if pixels.shape[-1] == 1 else _third_channel(pixels)
    if alpha is not None:
        pixels = _over_checkerboard(pixels, alpha)
    return _mark_special(pixels, colour), notes


def _pick(values: Array, look: Look) -> Array:
    """Give every image a channel axis; choose the channel asked for."""
    if values.ndim == 2:
        values = values[..., np.newaxis]
    if look.channel is None:
        return values
    index = _CHANNELS.index(look.channel)
    if index >= values.shape[-1]:
        raise ValidationError(f"channel is {look.channel!r}, but the image has {values.shape[-1]} channel(s)")
    return values[..., index : index + 1]


def _split_alpha(values: Array) -> tuple[Array, Array | None]:
    return (values[..., :3], values[..., 3]) if values.shape[-1] == 4 else (values, None)


def _range(colour: Array, look: Look, is_heat_map: bool) -> tuple[float, float, list[str]]:
    """Values that become black and white, and the words for it."""
    if colour.dtype.kind == "b":
        return 0.0, 1.0, []
    notes: list[str] = []
    finite = colour
    if colour.dtype.kind == "f" or colour.dtype.name == "bfloat16":
        as_float = colour.astype(np.float32) if colour.dtype.itemsize < 4 else colour
        notes = _special_counts(as_float)
        finite = as_float[np.isfinite(as_float)] if notes else as_float
    if look.range is not None:
        low, high = float(look.range[0]), float(look.range[1])
        return low, high, [_range_note(low, high), *notes]
    if finite.size == 0:
        return 0.0, 1.0, notes
    smallest, largest = float(finite.min()), float(finite.max())
    if colour.dtype == np.uint8 and not is_heat_map:
        return 0.0, 255.0, notes
    if colour.dtype.kind == "f" and smallest >= 0 and largest <= 1 and not is_heat_map:
        return 0.0, 1.0, notes
    if look.tone is not None:
        return 0.0, 1.0, [f"values {_number(smallest)} to {_number(largest)}, tone-mapped ({look.tone})", *notes]
    if smallest == largest:
        around = max(0.5, abs(smallest) / 1024)  # 0.5 alone is nothing beside large numbers
        most = np.finfo(np.float64).max
        low, high = float(max(smallest - around, -most)), float(min(largest + around, most))
        return low, high, [f"all values are {_number(smallest)}", *notes]
    return smallest, largest, [_range_note(smallest, largest), *notes]


def _range_note(low: float, high: float) -> str:
    return f"shown from {_number(low)} to {_number(high)}"


def _number(value: float) -> str:
    return f"{value:.6g}"


def _special_counts(values: Array) -> list[str]:
    """Say how many values are no numbers, and how they look."""
    if np.isfinite(values).all():
        return []
    counts = (
        (int(np.isnan(values).sum()), "NaN (magenta)"),
        (int(np.isposinf(values).sum()), "+Inf (white)"),
        (int(np.isneginf(values).sum()), "-Inf (blue)"),
    )
    return [f"{n} {name}" for n, name in counts if n]


def _normalised(colour: Array, low: float, high: float, look: Look) -> Array:
    """Bring `low` to `high` to 0 to 1, clamped, never wrapped."""
    # float64, so that the ends of a float32 or 64-bit integer range don't overflow.
    values = colour.astype(np.float64)
    values = np.nan_to_num(values, nan=low, posinf=high, neginf=low)
    if np.isinf(high - low):  # the ends of float64
        values, low, high = values / 4, low / 4, high / 4
    values = (values - low) / (high - low)
    if look.exposure:
        values = values * 2.0**look.exposure
    if look.tone == "reinhard":
        values = np.maximum(values, 0)
        values = values / (1 + values)
    elif look.tone == "aces":
        values = np.maximum(values, 0)
        values = values * (2.51 * values + 0.03) / (values * (2.43 * values + 0.59) + 0.14)
    values = np.clip(values, 0, 1)
    return values ** (1 / look.gamma) if look.gamma != 1 else values


def _third_channel(pixels: Pixels) -> Pixels:
    """Two channels are shown as red and green."""
    if pixels.shape[-1] == 3:
        return pixels
    return np.concatenate([pixels, np.zeros_like(pixels[..., :1])], axis=-1)


def _over_checkerboard(pixels: Pixels, alpha: Array) -> Pixels:
    if alpha.dtype.kind in "iu":
        opacity = alpha.astype(np.float64) / np.iinfo(alpha.dtype).max
    else:
        opacity = np.nan_to_num(alpha.astype(np.float64), nan=1.0, posinf=1.0, neginf=0.0)
    opacity = np.clip(opacity, 0, 1)[..., np.newaxis]
    if (opacity == 1).all():
        return pixels
    rows, columns = np.indices(pixels.shape[:2])
    board = np.where((rows // 8 + columns // 8) % 2, 153, 204)[..., np.newaxis]
    return np.rint(pixels * opacity + board * (1 - opacity)).astype(np.uint8)


def _mark_special(pixels: Pixels, colour: Array) -> Pixels:
    """Paint pixels of which a channel is no number."""
    if colour.dtype.kind != "f" and colour.dtype.name != "bfloat16":
        return pixels
    values = colour.astype(np.float32) if colour.dtype.itemsize < 4 else colour
    if np.isfinite(values).all():
        return pixels
    pixels = pixels.copy()
    pixels[np.isposinf(values).any(axis=-1)] = POSITIVE_INFINITY_COLOUR
    pixels[np.isneginf(values).any(axis=-1)] = NEGATIVE_INFINITY_COLOUR
    pixels[np.isnan(values).any(axis=-1)] = NAN_COLOUR
    return pixels
