# SPDX-License-Identifier: MIT
"""Colour maps: numbers from 0 to 1 as colours.

Each is straight lines between points of the published map. Viridis, magma and inferno (Smith and van der Walt, 2015)
grow evenly in brightness, so that equal steps of the numbers look equal; turbo (Mikhailov, 2019) shows more steps and
is not even. ``bwr``, from blue by white to red, is for numbers around a middle.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..errors import ValidationError

__all__ = ["COLORMAPS", "apply_colormap", "check_colormap"]

# 32 points: at most 3 of 255 from the published tables of 256.
_POINTS = {
    "gray": "000000 ffffff",
    "viridis": """
        440154 470d60 48196b 482474 472e7c 453882 414286 3e4b89 3a548c 365d8d 32658e 2e6d8e 2b758e 287d8e 25858e 228c8d
        20948c 1e9c89 20a386 25ab82 2db27d 39ba76 48c16e 58c765 6acd5b 7ed34f 92d742 a8db34 bedf26 d4e21b e9e41a fde725
    """,
    "magma": """
        000004 040312 0b0823 140e35 1e1149 2a115d 38106d 461077 54137d 601880 6d1e81 7a2382 872781 942c80 a2307e af347b
        bd3977 ca3e72 d6456c e24d66 ec5860 f3655c f8745c fb8360 fd9366 fea26f feb27a fec185 fed093 fddfa1 fceeb0 fcfdbf
    """,
    "inferno": """
        000004 040313 0b0725 160b39 220c4c 310a5c 3f0a66 4d0c6b 5a116e 67166e 741b6e 811f6c 8e2469 9b2964 a82e5f b53358
        c13a51 cc4248 d74b3f e05536 e8612c ef6d22 f57b17 f8890c fb9806 fca80d fbb81c f9c830 f6d847 f2e763 f3f585 fcffa4
    """,
    "turbo": """
        30123b 3a2a74 4042a4 4558ca 476ee6 4683f8 4097ff 34acf8 25c0e7 1ad2d2 18e0bd 24eca8 3bf58f 59fb73 79fe59 97fe44
        aefa37 c3f234 d7e535 e8d639 f4c63a fcb437 fe9e2f fc8624 f76d1a ee5610 e2430a d43305 c22403 ad1801 950d01 7a0403
    """,
    "bwr": "0000ff ffffff ff0000",
}
COLORMAPS = tuple(_POINTS)


def check_colormap(name: str) -> None:
    """Refuse a name that is no colour map's.

    Raises
    ------
    ValidationError
        If there is no colour map of that name.
    """
    if not isinstance(name, str) or name not in _POINTS:
        raise ValidationError(f"colormap is {name!r}, must be one of {', '.join(_POINTS)}")


def apply_colormap(values: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Colour `values`, which lie in 0 to 1; adds an axis of three."""
    table = _table(name)
    index = np.rint(np.clip(values, 0, 1) * (len(table) - 1)).astype(np.intp)
    coloured: np.ndarray[Any, np.dtype[np.uint8]] = table[index]
    return coloured


@cache
def _table(name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    points = np.array([list(bytes.fromhex(code)) for code in _POINTS[name].split()])
    places = np.linspace(0, 1, len(points))
    columns = [np.interp(np.linspace(0, 1, 256), places, points[:, c]) for c in range(3)]
    table: np.ndarray[Any, np.dtype[np.uint8]] = np.rint(np.stack(columns, axis=-1)).astype(np.uint8)
    return table
