# SPDX-License-Identifier: MIT
"""How large an image is drawn: whole pixels enlarged, or whole blocks of them for one."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ValidationError

__all__ = ["LARGEST", "Fit", "check_area", "fit", "fit_in"]

LARGEST = 512  # pixels on the screen
_RETINA = 2  # pixels of the picture for one on the screen, where the image has as many
_LARGEST_ZOOM = 64
_THINNEST = 16  # pixels on the screen
_MOST_PIXELS = 1 << 25


@dataclass(frozen=True)
class Fit:
    """How to draw one image.

    Attributes
    ----------
    block : tuple of int
        Rows and columns of the image for one pixel.
    enlarge : tuple of int
        Rows and columns of the picture for one such pixel.
    """

    block: tuple[int, int] = (1, 1)
    enlarge: tuple[int, int] = (1, 1)

    def size(self, height: int, width: int) -> tuple[int, int]:
        """Height and width of the picture."""
        (by, bx), (ey, ex) = self.block, self.enlarge
        return -(-height // by) * ey, -(-width // bx) * ex


def fit(height: int, width: int, *, is_thinned: bool = False) -> tuple[Fit, tuple[int, int]]:
    """Choose for an image on its own; gives also the height and width on the screen."""
    longest = max(height, width)
    if longest <= LARGEST:
        factor = min(LARGEST // longest, _LARGEST_ZOOM)
        chosen = _stretched(Fit((1, 1), (factor, factor)), height, width, _THINNEST)
        return chosen, chosen.size(height, width)
    most = LARGEST if is_thinned else LARGEST * _RETINA  # what is left out can't be made sharp
    block = -(-longest // most)
    # Pixels of the picture for one on the screen.
    density = -(-longest // block) / LARGEST
    chosen = _stretched(Fit((block, block)), height, width, round(_THINNEST * max(density, 1)))
    rows, columns = chosen.size(height, width)
    shrink = min(1.0, LARGEST / max(rows, columns))
    return chosen, (max(round(rows * shrink), 1), max(round(columns * shrink), 1))


def fit_in(height: int, width: int, rows: int, columns: int) -> Fit:
    """Choose for an image that may take `rows` x `columns` of the picture."""
    factor = min(rows // height, columns // width)
    if factor >= 1:
        chosen = Fit((1, 1), (factor, factor))
    else:
        block = max(-(-height // rows), -(-width // columns))
        chosen = Fit((block, block))
    return _stretched(chosen, height, width, min(_THINNEST, rows, columns))


def check_area(height: float, width: float) -> None:
    """Refuse a picture that takes too much memory.

    Raises
    ------
    ValidationError
    """
    if height * width > _MOST_PIXELS:
        raise ValidationError(
            f"zoom makes a picture of {round(width)} x {round(height)} pixels, must be at most {_MOST_PIXELS} in all"
        )


def _stretched(chosen: Fit, height: int, width: int, least: int) -> Fit:
    """Draw what would be too thin to be seen with pixels that are no squares."""
    block, enlarge = list(chosen.block), list(chosen.enlarge)
    drawn = chosen.size(height, width)
    for axis, size in enumerate((height, width)):
        if drawn[axis] < least and drawn[1 - axis] >= least:
            block[axis] = max(min(block[axis], size // least), 1)
            enlarge[axis] = max(-(-least // -(-size // block[axis])), enlarge[axis])
    return Fit((block[0], block[1]), (enlarge[0], enlarge[1]))
