# SPDX-License-Identifier: MIT
"""Which numbers become black and which white, and what to say of it in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from ..errors import ValidationError
from .look import CHANNELS, Look
from .planes import Plane, bands
from .texels import Meaning
from .tones import TONES, light_of_srgb, srgb_of_light

__all__ = ["Facts", "Scale", "choose_scale", "number"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_BYTES = np.arange(256)


@dataclass
class Facts:
    """What is known of many values.

    Attributes
    ----------
    smallest, largest : float
        Of the finite ones; infinite the wrong way round where there are none.
    nan, positive, negative : int
        How many are not a number, or infinite.
    """

    smallest: float = np.inf
    largest: float = -np.inf
    nan: int = 0
    positive: int = 0
    negative: int = 0

    def add(self, values: Array) -> None:
        """Take in further values."""
        if values.size == 0:
            return
        low, high = float(values.min()), float(values.max())
        if not (np.isfinite(low) and np.isfinite(high)):
            self.count(values)
            values = values[np.isfinite(values)]
            if values.size == 0:
                return
            low, high = float(values.min()), float(values.max())
        self.smallest, self.largest = min(self.smallest, low), max(self.largest, high)

    def count(self, values: Array) -> None:
        """Count those that are no numbers."""
        self.nan += int(np.isnan(values).sum())
        self.positive += int(np.isposinf(values).sum())
        self.negative += int(np.isneginf(values).sum())

    @property
    def has_finite(self) -> bool:
        """Whether there is any number."""
        return self.smallest <= self.largest

    @property
    def notes(self) -> list[str]:
        """Say how many are no numbers, and how they look."""
        counts = ((self.nan, "NaN (magenta)"), (self.positive, "+Inf (white)"), (self.negative, "-Inf (blue)"))
        return [f"{n} {name}" for n, name in counts if n]


@dataclass
class Scale:
    """Brings numbers to 0 to 1, clamped, never wrapped.

    Attributes
    ----------
    low, high : float
        What becomes 0 and 1.
    look : Look
    meaning : Meaning
    channel : int or None
        That alone.
    """

    low: float
    high: float
    look: Look
    meaning: Meaning
    channel: int | None = None
    _of_bytes: Array | None = field(default=None, repr=False)

    @property
    def colormap(self) -> str | None:
        """The colour map to apply."""
        return None if self.look.colormap == "gray" else self.look.colormap

    @property
    def _is_srgb(self) -> bool:
        """Whether colours are light made of sRGB's bytes; opacity never is."""
        return self.meaning.is_srgb and self.channel != CHANNELS.index("a")

    def split(self, values: Array) -> tuple[Array, Array | None]:
        """Give the channels that are colours, and the opacity as stored."""
        if self.channel is not None:
            return values[..., self.channel : self.channel + 1], None
        if values.shape[-1] < 4:
            return values, None
        return values[..., :3], values[..., 3] if self.meaning.opaque is not None else None

    def shown(self, values: Array) -> Array:
        """Give 0 to 1 for stored values; in float32, which is enough for 8 bits and half the work."""
        if values.dtype != np.uint8:
            return self._shown(values.astype(np.float64) * self.meaning.unit).astype(np.float32)
        if self._of_bytes is None:
            stored = np.multiply(_BYTES, self.meaning.unit, dtype=np.float64)
            shown = self._shown(light_of_srgb(stored) if self._is_srgb else stored)
            self._of_bytes = shown.astype(np.float32)
        return self._of_bytes.take(values)  # half the time of an index

    def opacity(self, alpha: Array) -> Array | None:
        """Give 0 to 1, what is no number as opaque; None where all is opaque."""
        assert self.meaning.opaque is not None
        if alpha.dtype.kind != "f":
            return None if (alpha == self.meaning.opaque).all() else alpha.astype(np.float64) / self.meaning.opaque
        opacity = np.clip(np.where(np.isfinite(alpha), alpha, self.meaning.opaque) / self.meaning.opaque, 0, 1)
        return None if (opacity == 1).all() else opacity

    def _shown(self, values: Array) -> Array:
        low, high, look = self.low, self.high, self.look
        if not np.isfinite(values).all():
            values = np.nan_to_num(values, nan=low, posinf=high, neginf=low)
        if np.isinf(high - low):  # the ends of float64
            values, low, high = values / 4, low / 4, high / 4
        if (low, high) != (0, 1):
            values = (values - low) / (high - low)
        if look.exposure:
            values = values * 2.0**look.exposure
        if look.tone is not None:
            values = TONES[look.tone](np.minimum(values, np.finfo(np.float64).max))
        values = np.clip(values, 0, 1)
        if self._is_srgb and look.colormap is None:
            values = srgb_of_light(values)
        return values ** (1 / look.gamma) if look.gamma != 1 else values


def choose_scale(planes: Sequence[Plane], look: Look) -> tuple[Scale, list[str]]:
    """Choose one scale for all of `planes`, and say what a person must know to read their colours.

    Raises
    ------
    ValidationError
        If the look does not fit their channels.
    """
    first = planes[0]
    meaning = first.meaning
    channel = _channel(look, first.channels)
    is_heat_map = look.colormap is not None
    if is_heat_map and channel is None and first.channels > 1:
        raise ValidationError(
            f"colormap is {look.colormap!r}, which colours one channel, but the image has {first.channels}; "
            "choose one with channel="
        )
    scale = Scale(0.0, 1.0, look, meaning, channel)
    hidden = first.channels == 4 and meaning.opaque is None and channel is None
    notes = ["the fourth channel is not shown"] if hidden else []
    if look.range is not None:
        facts = _facts(planes, scale, counts_only=True)
        scale.low, scale.high = float(look.range[0]), float(look.range[1])
        return scale, [*notes, _range_note(scale.low, scale.high), *facts.notes]
    if meaning.natural is not None and not is_heat_map:
        scale.low, scale.high = (float(end) for end in meaning.natural)
        return scale, notes
    facts = _facts(planes, scale)
    scale.low, scale.high, note = _fitted(facts, look, is_float=_is_float(first), is_heat_map=is_heat_map)
    return scale, [*notes, *note, *facts.notes]


def _fitted(facts: Facts, look: Look, is_float: bool, is_heat_map: bool) -> tuple[float, float, list[str]]:
    """Choose black and white by what the values are."""
    low, high = facts.smallest, facts.largest
    if not facts.has_finite:
        return 0.0, 1.0, []
    if is_float and look.is_absolute:
        how = "" if look.tone is None else f", tone-mapped ({look.tone})"
        return 0.0, 1.0, [f"values {number(low)} to {number(high)}{how}"]
    if is_float and low >= 0 and high <= 1 and not is_heat_map:
        return 0.0, 1.0, []
    if low == high:
        around = max(0.5, abs(low) / 1024)  # 0.5 alone is nothing beside large numbers
        most = float(np.finfo(np.float64).max)
        return max(low - around, -most), min(high + around, most), [f"all values are {number(low)}"]
    return low, high, [_range_note(low, high)]


def _facts(planes: Sequence[Plane], scale: Scale, counts_only: bool = False) -> Facts:
    facts = Facts()
    unit = scale.meaning.unit
    for plane in planes:
        if counts_only and not _is_float(plane):
            continue
        for start, stop in bands(plane):
            values, alpha = scale.split(plane.rows(start, stop))
            values = values.astype(np.float32) if values.dtype.itemsize == 2 and values.dtype.kind == "f" else values
            facts.add(values if unit == 1 else values * unit)
            if alpha is not None and alpha.dtype.kind == "f" and not np.isfinite(alpha).all():
                facts.count(alpha)
    return facts


def _is_float(plane: Plane) -> bool:
    return plane.rows(0, 1).dtype.kind == "f"


def _channel(look: Look, channels: int) -> int | None:
    if look.channel is None:
        return None
    index = CHANNELS.index(look.channel)
    if index >= channels:
        raise ValidationError(f"channel is {look.channel!r}, but the image has {channels} channel(s)")
    return index


def _range_note(low: float, high: float) -> str:
    return f"shown from {number(low)} to {number(high)}"


def number(value: float) -> str:
    """Give a number in a few digits."""
    return f"{value:.6g}"
