# SPDX-License-Identifier: MIT
"""Colour maps: numbers from 0 to 1 as colours, by straight lines between a few points of the well-known maps."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..errors import ValidationError

__all__ = ["COLORMAPS", "apply_colormap"]

_POINTS = {
    "gray": "000000 ffffff",
    "viridis": "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725",
    "turbo": "30123b 4145ab 4675ed 39a2fc 1bcfd4 24eca6 61fc6c a4fc3b d1e834 f3c63a fe9b2d f36315 d93806 b11901 7a0403",
}
COLORMAPS = tuple(_POINTS)


def apply_colormap(values: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Colour `values`, which lie in 0 to 1; adds an axis of three.

    Raises
    ------
    ValidationError
        If there is no colour map of that name.
    """
    table = _table(name)
    index = np.rint(np.clip(values, 0, 1) * (len(table) - 1)).astype(np.intp)
    coloured: np.ndarray[Any, np.dtype[np.uint8]] = table[index]
    return coloured


@cache
def _table(name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    if name not in _POINTS:
        raise ValidationError(f"colormap is {name!r}, must be one of {', '.join(_POINTS)}")
    points = np.array([list(bytes.fromhex(code)) for code in _POINTS[name].split()])
    places = np.linspace(0, 1, len(points))
    columns = [np.interp(np.linspace(0, 1, 256), places, points[:, c]) for c in range(3)]
    table: np.ndarray[Any, np.dtype[np.uint8]] = np.rint(np.stack(columns, axis=-1)).astype(np.uint8)
    return table
