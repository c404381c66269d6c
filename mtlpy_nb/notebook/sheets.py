# SPDX-License-Identifier: MIT
"""Several images in one picture, each with its name above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .fit import LARGEST, Fit, check_area, fit_in
from .pixels import Pixels

__all__ = ["DENSITY", "Sheet", "draw_sheet", "plan_sheet"]

DENSITY = 2  # pixels of the picture for one on the screen, so that names are sharp
_SIDE = LARGEST * DENSITY
_GAP = 6 * DENSITY
_FONT_SIZE = 11 * DENSITY
_LABEL_HEIGHT = 15 * DENSITY
_LEAST_ROOM = 8 * DENSITY
# A gray that is neither theme's background; names on it have a contrast of 9 to 1.
_BACKGROUND = (64, 64, 64)
_LABEL_COLOUR = (240, 240, 240)


@dataclass(frozen=True)
class Sheet:
    """Where each image goes.

    Attributes
    ----------
    height, width : int
        Of the picture.
    fits : list of Fit
    places : list of tuple of int
        Row and column of each image's first pixel.
    """

    height: int
    width: int
    fits: list[Fit]
    places: list[tuple[int, int]]


def plan_sheet(
    sizes: Sequence[tuple[int, int]],
    labels: Sequence[str],
    *,
    columns: int | None = None,
    zoom: Fit | None = None,
    is_halving: bool = False,
) -> Sheet:
    """Arrange images of those heights and widths in rows.

    Parameters
    ----------
    sizes, labels : sequence
    columns : int, optional
        Images in a row; default: as many as make them largest.
    zoom : Fit, optional
        How to draw each; default: as large as goes into the picture's 512 pixels on the screen.
    is_halving : bool
        Whether each image has half the size of the one before, and shall be drawn as large.
    """
    label = max(round(_font().getlength(text)) for text in labels)

    def fits_of(count: int) -> list[Fit]:
        if zoom is not None:
            return [zoom] * len(sizes)
        room = _room(-(-len(sizes) // count), count)
        if is_halving:
            room = _power_of_two(fit_in(*sizes[0], *room)).size(*sizes[0])
        return [fit_in(*size, *room) for size in sizes]

    def size_with(count: int) -> tuple[int, int]:
        room = _room(-(-len(sizes) // count), count)
        has_room = room[0] >= _LEAST_ROOM and (count == 1 or room[1] >= max(label, _LEAST_ROOM))
        return (fits_of(count)[0].size(*sizes[0])[0] if has_room else 0, count)

    columns = columns or max(range(1, len(sizes) + 1), key=size_with)
    rows = -(-len(sizes) // columns)
    fits = fits_of(columns)
    drawn = [one.size(*size) for one, size in zip(fits, sizes, strict=True)]
    cell_height = max(h for h, _ in drawn) + _LABEL_HEIGHT + _GAP
    cell_width = max(max(w for _, w in drawn), label) + _GAP
    total = rows * cell_height + _GAP, min(columns, len(sizes)) * cell_width + _GAP
    if zoom is not None:
        check_area(*total)
    places = [
        (n // columns * cell_height + _GAP + _LABEL_HEIGHT, n % columns * cell_width + _GAP) for n in range(len(sizes))
    ]
    return Sheet(*total, fits, places)


def draw_sheet(sheet: Sheet, tiles: Sequence[Pixels], labels: Sequence[str]) -> Pixels:
    """Draw the images and their names."""
    picture = Image.new("RGB", (sheet.width, sheet.height), _BACKGROUND)
    draw = ImageDraw.Draw(picture)
    for tile, label, (row, column) in zip(tiles, labels, sheet.places, strict=True):
        picture.paste(Image.fromarray(tile), (column, row))
        draw.text((column, row - _LABEL_HEIGHT // 2), label, _LABEL_COLOUR, _font(), anchor="lm")
    return np.asarray(picture)


def _room(rows: int, columns: int) -> tuple[int, int]:
    """Height and width that an image may have."""
    height = (_SIDE - _GAP) // rows - _GAP - _LABEL_HEIGHT
    return max(height, 1), max((_SIDE - _GAP) // columns - _GAP, 1)


def _power_of_two(chosen: Fit) -> Fit:
    """Take larger blocks, so that their number halves as well."""
    return Fit(tuple(1 << (size - 1).bit_length() for size in chosen.block), chosen.enlarge)  # type: ignore[arg-type]


@cache
def _font() -> Any:
    return ImageFont.load_default(_FONT_SIZE)
