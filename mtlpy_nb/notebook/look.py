# SPDX-License-Identifier: MIT
"""The options of ``show``, checked."""

from __future__ import annotations

import operator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..errors import ValidationError
from .colormaps import check_colormap
from .tones import TONES

__all__ = ["CHANNELS", "Look", "pair"]

CHANNELS = "rgba"
_MOST_STOPS = 1000
_LARGEST_ZOOM = 64


@dataclass(frozen=True)
class Look:
    """How to show numbers.

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
    zoom : float or None
        Pixels of the picture for one of the image.
    level, slice : int or None
        Of a texture: that alone.
    """

    range: tuple[float, float] | None = None
    exposure: float = 0.0
    gamma: float = 1.0
    tone: str | None = None
    channel: str | None = None
    colormap: str | None = None
    zoom: float | None = None
    level: int | None = None
    slice: int | None = None

    def __post_init__(self) -> None:
        if self.range is not None:
            self._set("range", pair(self.range))
        if self.tone is not None and (not isinstance(self.tone, str) or self.tone not in TONES):
            raise ValidationError(f"tone is {self.tone!r}, must be one of {', '.join(TONES)} or None")
        if self.channel is not None and self.channel not in tuple(CHANNELS):
            raise ValidationError(f"channel is {self.channel!r}, must be one of {', '.join(CHANNELS)}")
        if self.colormap is not None:
            check_colormap(self.colormap)
        self._set("exposure", _as_number(self.exposure, "exposure"))
        if not abs(self.exposure) <= _MOST_STOPS:
            raise ValidationError(f"exposure is {self.exposure}, must be from -{_MOST_STOPS} to {_MOST_STOPS} stops")
        self._set("gamma", _as_number(self.gamma, "gamma"))
        if not 0 < self.gamma < np.inf:
            raise ValidationError(f"gamma is {self.gamma:g}, must be a finite number above 0")
        if self.zoom is not None:
            self._set("zoom", _as_number(self.zoom, "zoom"))
            if not 0 < self.zoom <= _LARGEST_ZOOM:
                raise ValidationError(f"zoom is {self.zoom:g}, must be above 0 and at most {_LARGEST_ZOOM}")
        for name in ("level", "slice"):
            value = getattr(self, name)
            if value is not None:
                self._set(name, _as_index(value, name))

    def _set(self, name: str, value: object) -> None:
        """Keep an option as a plain number, whatever it came as."""
        object.__setattr__(self, name, value)

    @property
    def changed(self) -> list[str]:
        """Names of the options that are not what they are by themselves."""
        plain = Look()
        return [one.name for one in fields(self) if getattr(self, one.name) != getattr(plain, one.name)]

    @property
    def is_absolute(self) -> bool:
        """Whether values mean light, which is not to be scaled to fit."""
        return self.tone is not None or self.exposure != 0


def pair(limits: Any) -> tuple[float, float]:
    """Read the `range` of a picture."""
    try:
        low, high = (float(limit) for limit in limits)
    except (TypeError, ValueError):
        low = high = np.nan
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ValidationError(f"range is {limits!r}, must be two finite numbers, the smaller first")
    return low, high


def _as_number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValidationError(f"{name} is {value!r}, must be a number") from None


def _as_index(value: Any, name: str) -> int:
    try:
        index = -1 if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        index = -1
    if index < 0:
        raise ValidationError(f"{name} is {value!r}, must be a whole number from 0 on")
    return index
