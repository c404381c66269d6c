# SPDX-License-Identifier: MIT
"""From numbers to the colours that a person sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .colormaps import apply_colormap
from .planes import Plane, bands
from .scale import Scale

__all__ = ["Pixels", "Tile", "enlarged", "pixels_of_bytes", "render"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Pixels: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

# By the number that marks a pixel; of several in a block, the greatest is seen.
_POSITIVE_INFINITY, _NEGATIVE_INFINITY, _NAN = 1, 2, 3
_MARKS = np.array([(0, 0, 0), (255, 255, 255), (0, 0, 255), (255, 0, 255)], np.uint8)
_BOARD = np.array([204, 153], np.float32) / 255
_SQUARE = 8  # pixels of the checkerboard
_BAND_ROWS = 64


@dataclass
class Tile:
    """An image's colours, one pixel for each of the image or for each block of it.

    Attributes
    ----------
    colour : array
        (height, width, 3), 0 to 1, times the opacity.
    opacity : array or None
        None where all is opaque.
    marks : array or None
        Which pixels are no number.
    """

    colour: Array
    opacity: Array | None = None
    marks: Array | None = None

    def pixels(self, rows: int = 1, columns: int = 1) -> Pixels:
        """Give opaque bytes, each pixel as a block of `rows` x `columns`."""
        height, width = self.colour.shape[:2]
        out = np.empty((height * rows, width * columns, 3), np.uint8)
        for start in range(0, height, _BAND_ROWS):
            part = slice(start, start + _BAND_ROWS)
            band = self.colour[part]
            if self.opacity is None:
                seen = enlarged(np.rint(band * 255).astype(np.uint8), rows, columns)
            else:
                board = _board(start * rows, len(band) * rows, width * columns)
                clear = 1 - enlarged(self.opacity[part], rows, columns)[..., np.newaxis]
                seen = np.rint((enlarged(band, rows, columns) + clear * board) * 255).astype(np.uint8)
            if self.marks is not None:
                marks = enlarged(self.marks[part], rows, columns)
                seen = np.where((marks > 0)[..., np.newaxis], _MARKS[marks], seen)
            out[start * rows : start * rows + len(seen)] = seen
        return out


def render(plane: Plane, scale: Scale, block: tuple[int, int] = (1, 1)) -> Tile:
    """Colour an image, `block` rows and columns of it for one pixel: their mean, and marked if one of them is."""
    height, width = -(-plane.height // block[0]), -(-plane.width // block[1])
    tile = Tile(np.empty((height, width, 3), np.float32))
    for start, stop in bands(plane, block[0]):
        rows = slice(start // block[0], -(-stop // block[0]))
        values, alpha = scale.split(plane.rows(start, stop))
        shown = scale.shown(values)
        opacity = None if alpha is None else scale.opacity(alpha)
        marks = _marks_of(values, alpha)
        if opacity is not None:
            opacity = opacity.astype(np.float32)
            shown = shown * opacity[..., np.newaxis]
            if tile.opacity is None:
                tile.opacity = np.ones((height, width), np.float32)
            tile.opacity[rows] = _mean(opacity[..., np.newaxis], block)[..., 0]
        if marks is not None:
            if tile.marks is None:
                tile.marks = np.zeros((height, width), np.uint8)
            tile.marks[rows] = _greatest(marks, block)
        tile.colour[rows] = _coloured(_mean(shown, block), scale)
    return tile


def pixels_of_bytes(plane: Plane, scale: Scale) -> Pixels | None:
    """Colour an opaque image of bytes, pixel for pixel: what :func:`render` gives, in a fraction of the time.

    None where an image is none of those.
    """
    if scale.colormap is not None or plane.rows(0, 1).dtype != np.uint8:
        return None
    table = np.rint(scale.shown(np.arange(256, dtype=np.uint8)) * 255).astype(np.uint8)
    is_identity = bool((table == np.arange(256)).all())
    pixels = np.empty((plane.height, plane.width, 3), np.uint8)
    for start, stop in bands(plane):
        values, alpha = scale.split(plane.rows(start, stop))
        if alpha is not None and scale.opacity(alpha) is not None:
            return None
        channels = values.shape[-1]
        for channel in range(3):
            if channels == 2 and channel == 2:  # red and green
                pixels[start:stop, :, channel] = 0
                continue
            stored = values[..., min(channel, channels - 1)]
            pixels[start:stop, :, channel] = stored if is_identity else table[stored]
    return pixels


def _coloured(shown: Array, scale: Scale) -> Array:
    """Three channels of one to three."""
    if scale.colormap is not None:
        coloured: Array = apply_colormap(shown[..., 0], scale.colormap) / np.float32(255)
        return coloured
    if shown.shape[-1] == 2:  # red and green
        return np.concatenate([shown, np.zeros_like(shown[..., :1])], axis=-1)
    return shown


def _marks_of(values: Array, alpha: Array | None) -> Array | None:
    """Mark the pixels of which a channel is no number; None where there are none."""
    if values.dtype.kind != "f":
        return None
    parts = [values] if alpha is None else [values, alpha[..., np.newaxis]]
    if all(np.isfinite(part).all() for part in parts):
        return None
    marks = np.zeros(values.shape[:2], np.uint8)
    for is_special, mark in (
        (np.isposinf, _POSITIVE_INFINITY),
        (np.isneginf, _NEGATIVE_INFINITY),
        (np.isnan, _NAN),
    ):
        for part in parts:
            marks[is_special(part).any(axis=-1)] = mark
    return marks


def _mean(values: Array, block: tuple[int, int]) -> Array:
    """Take the mean of each block; those at the right and lower edges may be smaller."""
    for axis, step in enumerate(block):
        if step > 1:
            lines = np.moveaxis(values, axis, 0)
            total = lines[::step].copy()
            for offset in range(1, step):  # many times as fast as `reduceat` for the few rows of a block
                rest = lines[offset::step]
                total[: len(rest)] += rest
            counts = np.minimum(len(lines) - np.arange(0, len(lines), step), step).astype(values.dtype)
            values = np.moveaxis(total / counts[:, np.newaxis, np.newaxis], 0, axis)
    return values


def _greatest(marks: Array, block: tuple[int, int]) -> Array:
    for axis, step in enumerate(block):
        if step > 1:
            marks = np.maximum.reduceat(marks, np.arange(0, marks.shape[axis], step), axis=axis)
    return marks


def enlarged(pixels: Array, rows: int, columns: int) -> Array:
    """Draw each pixel as a block of `rows` x `columns`."""
    pixels = pixels.repeat(rows, axis=0) if rows > 1 else pixels
    return pixels.repeat(columns, axis=1) if columns > 1 else pixels


def _board(top: int, height: int, width: int) -> Array:
    rows = np.arange(top, top + height)[:, np.newaxis] // _SQUARE
    board: Array = _BOARD[(rows + np.arange(width) // _SQUARE) % 2][..., np.newaxis]
    return board
