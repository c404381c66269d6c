# SPDX-License-Identifier: MIT
"""Tone curves, which bring light of any brightness to 0 to 1, and sRGB's transfer function."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

__all__ = ["TONES", "light_of_srgb", "srgb_of_light"]

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


def reinhard(light: Floats) -> Floats:
    """Reinhard, Stark, Shirley and Ferwerda, "Photographic Tone Reproduction for Digital Images" (2002), equation 3.

    Of each channel, without a white point: 1 becomes 1/2.
    """
    light = np.maximum(light, 0)
    return light / (1 + light)


def aces(light: Floats) -> Floats:
    """Narkowicz, "ACES Filmic Tone Mapping Curve" (2016): a fit to the reference rendering of ACES.

    Its result is light: ``gamma=2.2`` makes it what a screen takes.
    """
    light = np.clip(light, 0, 1e100)  # so that its square is finite
    return light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14)


TONES = {"reinhard": reinhard, "aces": aces}


def light_of_srgb(stored: Floats) -> Floats:
    """IEC 61966-2-1, mirrored at zero as the wide-gamut formats have it."""
    magnitude = np.abs(stored)
    light = np.where(magnitude <= 0.04045, magnitude / 12.92, ((magnitude + 0.055) / 1.055) ** 2.4)
    return np.copysign(light, stored)


def srgb_of_light(light: Floats) -> Floats:
    """Give what is stored for light of 0 to 1."""
    stored: Floats = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return stored
