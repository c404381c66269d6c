# SPDX-License-Identifier: MIT
"""Whether two pictures look alike: a hash of where it gets brighter, and how bright each colour is.

The hash (dHash) reduces a picture to 17 x 16 gray pixels and keeps, for each, whether it is brighter than its right
neighbour. That says what is where, and nothing of how bright: a black picture would match any other flat one, and a
negative's colours may match by chance, so the mean and the deviation of each colour are compared too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image

__all__ = ["Look", "differences", "is_flat", "look_at"]

_SIDE = 16
# What another rounding of colours, or a palette, changes at most; what another picture changes is far more.
_MOST_BITS = 24
_MOST_LEVELS = 4.0
_FLAT = 8.0  # levels of deviation
# A step smaller than this between reduced pixels is none: noise would decide about its sign.
_STEP = 2.0


@dataclass(frozen=True)
class Look:
    """What is kept of a picture.

    Attributes
    ----------
    size : list of int
        Width and height.
    brighter, darker : str
        In hexadecimal, a bit for each reduced pixel that is clearly darker, or brighter, than its right neighbour.
    mean, deviation : list of float
        Of red, green and blue, from 0 to 255.
    """

    size: list[int]
    brighter: str
    darker: str
    mean: list[float]
    deviation: list[float]

    def stored(self) -> dict[str, object]:
        """Give it as what JSON holds."""
        return asdict(self)


def look_at(file: Path | BinaryIO) -> Look:
    """Read a picture's file."""
    with Image.open(file) as picture:
        colours = picture.convert("RGB")
    gray = np.asarray(colours.convert("L").resize((_SIDE + 1, _SIDE), Image.Resampling.BOX), np.float64)
    steps = np.diff(gray, axis=1)
    pixels = np.asarray(colours, np.float64).reshape(-1, 3)
    return Look(
        list(colours.size),
        _hexadecimal(steps > _STEP),
        _hexadecimal(steps < -_STEP),
        [round(float(x), 1) for x in pixels.mean(axis=0)],
        [round(float(x), 1) for x in pixels.std(axis=0)],
    )


def is_flat(look: Look) -> bool:
    """Whether it is one colour all over, or nearly: a picture that shows nothing."""
    return max(look.deviation) < _FLAT


def differences(one: Look, other: Look) -> list[str]:
    """Say in what two pictures differ, each in a few words; nothing if they look alike."""
    found = []
    if one.size != other.size:
        found.append(f"size {one.size} and {other.size}")
    bits = sum(
        (int(a, 16) ^ int(b, 16)).bit_count() for a, b in ((one.brighter, other.brighter), (one.darker, other.darker))
    )
    if bits > _MOST_BITS:
        found.append(f"{bits} of {2 * _SIDE * _SIDE} bits of the hash")
    for name in ("mean", "deviation"):
        a, b = getattr(one, name), getattr(other, name)
        if max(abs(x - y) for x, y in zip(a, b, strict=True)) > _MOST_LEVELS:
            found.append(f"{name} of the colours {a} and {b}")
    return found


def _hexadecimal(bits: np.ndarray) -> str:
    return np.packbits(bits.reshape(-1)).tobytes().hex()
