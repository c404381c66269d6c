# SPDX-License-Identifier: MIT
"""Draws images: one on its own, several on a sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image

from .fit import Fit, check_area, fit
from .images import Images
from .look import Look
from .picture import Preview
from .pixels import Pixels, enlarged, pixels_of_bytes, render
from .planes import Plane
from .scale import Scale, choose_scale
from .sheets import DENSITY, draw_sheet, plan_sheet

__all__ = ["check_zoom", "draw", "draw_sheet_of"]

_OUT_OF_PROPORTION = 1.5


# What overflows is clamped, and NaN of any bits may be converted.
@np.errstate(all="ignore")
def draw(images: Images, look: Look) -> Preview:
    """Draw images on one scale, and say what a person must know to read them.

    Raises
    ------
    ValidationError
        If the look does not fit them.
    """
    check_zoom(images, look)
    scale, notes = choose_scale(images.planes, look)
    words = [images.name, *images.notes, *notes]
    if images.labels:
        scales = [scale] * len(images.planes)
        pixels, screen = draw_sheet_of(
            images.planes, scales, images.labels, zoom=look.zoom, columns=images.columns, is_halving=images.are_levels
        )
        size_notes = [images.thin.note] if images.thin.note else []
    else:
        pixels, screen, size_notes = _alone(images.planes[0], scale, look, images.thin.note)
    return Preview("\n".join([*words, *size_notes]), pixels, screen)


def check_zoom(images: Images, look: Look) -> None:
    """Refuse a picture that takes too much memory, before anything is read."""
    if look.zoom is not None:
        height, width = images.planes[0].size
        check_area(height * look.zoom, width * look.zoom * len(images.planes))


def draw_sheet_of(
    planes: Sequence[Plane],
    scales: Sequence[Scale],
    labels: Sequence[str],
    *,
    zoom: float | None = None,
    columns: int | None = None,
    is_halving: bool = False,
) -> tuple[Pixels, tuple[int, int]]:
    """Draw images with their names, each on its scale; gives also the height and width on the screen."""
    sizes = [(plane.height, plane.width) for plane in planes]
    whole = None if zoom is None else _whole(zoom)
    sheet = plan_sheet(sizes, labels, columns=columns, zoom=whole, is_halving=is_halving)
    tiles = [_tile(plane, scale, one) for plane, scale, one in zip(planes, scales, sheet.fits, strict=True)]
    pixels = draw_sheet(sheet, tiles, labels)
    if zoom is not None:
        return pixels, (pixels.shape[0], pixels.shape[1])
    return pixels, (-(-pixels.shape[0] // DENSITY), -(-pixels.shape[1] // DENSITY))


def _alone(plane: Plane, scale: Scale, look: Look, thinned: str | None) -> tuple[Pixels, tuple[int, int], list[str]]:
    if look.zoom is not None:
        pixels = _zoomed(plane, scale, look.zoom)
        return pixels, (pixels.shape[0], pixels.shape[1]), []
    chosen, screen = fit(plane.height, plane.width, is_thinned=thinned is not None)
    pixels = _tile(plane, scale, chosen)
    height, width = plane.size
    notes = []
    if pixels.shape[0] < height or pixels.shape[1] < width or screen[0] < height or screen[1] < width:
        notes.append(f"reduced: the image has {width} x {height} pixels")
    if thinned is not None:
        notes.append(thinned)
    across, down = screen[1] / width, screen[0] / height
    if min(height, width) > 1 and max(across / down, down / across) > _OUT_OF_PROPORTION:
        notes.append("drawn " + ("taller" if down > across else "wider") + " than it is, to be seen")
    return pixels, screen, notes


def _tile(plane: Plane, scale: Scale, chosen: Fit) -> Pixels:
    quick = pixels_of_bytes(plane, scale) if chosen.block == (1, 1) else None
    if quick is not None:
        return enlarged(quick, *chosen.enlarge)
    return render(plane, scale, chosen.block).pixels(*chosen.enlarge)


def _whole(zoom: float) -> Fit:
    """Draw whole pixels, or whole blocks, as near to `zoom` as they come."""
    if zoom >= 1:
        return Fit((1, 1), (round(zoom), round(zoom)))
    return Fit((round(1 / zoom), round(1 / zoom)))


def _zoomed(plane: Plane, scale: Scale, zoom: float) -> Pixels:
    if float(zoom).is_integer() or (1 / zoom).is_integer():
        return _tile(plane, scale, _whole(zoom))
    rows, columns = max(round(plane.height * zoom), 1), max(round(plane.width * zoom), 1)
    block = max(int(1 / zoom), 1)
    pixels = _tile(plane, scale, Fit((block, block)))
    return np.asarray(Image.fromarray(pixels).resize((columns, rows), Image.Resampling.BOX))
