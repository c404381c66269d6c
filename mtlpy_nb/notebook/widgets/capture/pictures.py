# SPDX-License-Identifier: MIT
"""Pictures of what a captured command has bound: before, after, and where the two differ."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...._arrays import Array
from ...colormaps import apply_colormap
from ...look import Look
from ...pixels import Pixels, render
from ...planes import ALL, Thinning, thinning
from ...png import quick_png
from ...scale import Scale, choose_scale, number
from .items import Image

__all__ = ["Part", "Pictures", "encoded"]

_SAMPLES = 2  # rows and columns that are averaged for one of a picture, at least
_UNCHANGED = np.array([32, 32, 38], np.uint8)
_FAINTEST = 0.35  # of the colour map, so that the smallest difference is seen
_DIFFERENCES = "inferno"
_LEAST = 1e-3
_BAND = 1 << 16  # pixels that are compared at a time
_LOOKED_AT = 1 << 21  # pixels; of more one in each block is measured


@dataclass(frozen=True)
class Part:
    """A rectangle of an image, in pixels of it."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def all(cls, image: Image) -> Part:
        """Give the whole image."""
        return cls(0, 0, image.width, image.height)

    def within(self, image: Image) -> Part:
        """Move and shrink it to lie in the image; it has one pixel at least."""
        width, height = (min(max(n, 1), most) for n, most in ((self.width, image.width), (self.height, image.height)))
        x = min(max(self.x, 0), image.width - width)
        y = min(max(self.y, 0), image.height - height)
        return Part(x, y, width, height)

    def of(self, array: Array) -> Array:
        """Cut it out."""
        return array[self.y : self.y + self.height, self.x : self.x + self.width]


class Pictures:
    """The pictures of one image. The colours of before and after are on one scale, whatever part is shown.

    Attributes
    ----------
    notes : list of str
        What a person must know to read the colours.
    """

    @np.errstate(all="ignore")
    def __init__(self, image: Image) -> None:
        self.image = image
        self._scale: Scale | None = None
        self.notes = list(image.notes)
        if not image.has_picture:
            self.notes.append("no colours are shown of such elements")
            return
        thin = thinning(image.height, image.width, image.before.shape[2])
        arrays = [image.before] if image.after is None or image.after is image.before else [image.before, image.after]
        self._scale, notes = choose_scale([image.plane(array, thin) for array in arrays], Look())
        self.notes += notes
        if thin != ALL and not (self._scale.meaning.natural and not notes):
            self.notes.append(str(thin.note))

    def key(self, content: int | None, part: Part, side: int) -> Hashable:
        """Name what a picture of one of the contents depends on: equal names are equal pictures."""
        image, scale = self.image, self._scale
        ends = None if scale is None else (scale.low, scale.high, scale.channel)
        layout = image.offset, image.before.shape, image.before.strides, image.before.dtype.str
        return content, layout, image.texels, ends, part, side

    def before(self, part: Part, side: int) -> Pixels | None:
        """Picture a part before the command, with at most `side` pixels in a row or column."""
        return self._drawn(self.image.before, part, side)

    def after(self, part: Part, side: int) -> Pixels | None:
        """Picture it after the command; None where that is not known."""
        return None if self.image.after is None else self._drawn(self.image.after, part, side)

    @np.errstate(all="ignore")
    def _drawn(self, array: Array, part: Part, side: int) -> Pixels | None:
        if self._scale is None:
            return None
        cut = part.of(array)
        step = max(max(part.width, part.height) // (_SAMPLES * side), 1)
        plane = self.image.plane(cut, Thinning(step, step))
        block = -(-max(plane.width, plane.height) // side)
        return render(plane, self._scale, (block, block)).pixels()

    @np.errstate(all="ignore")
    def difference(self, part: Part, side: int) -> Pixels:
        """Picture where something changed, the brighter the more; of several pixels in one the greatest change."""
        block = -(-max(part.width, part.height) // side)
        mask = part.of(self.image.mask)
        strength = _most(mask, block).astype(np.float32) * np.float32(_LEAST)
        if strength.any() and self.image.has_picture:
            change = self._change(part, mask, block)
            finite = np.isfinite(change)
            most = change.max(initial=0.0, where=finite)
            strength = np.maximum(strength, np.where(finite, change / most if most > 0 else 0, 1))
        colours = apply_colormap(_FAINTEST + (1 - _FAINTEST) * strength, _DIFFERENCES)
        return np.where((strength > 0)[..., np.newaxis], colours, _UNCHANGED)

    def _change(self, part: Part, mask: Array, block: int) -> Array:
        """Give the greatest change in each block; of very many pixels that of one in each block."""
        step = block if mask.size > _LOOKED_AT else 1
        before, after = (part.of(array)[::step, ::step] for array in self._both())
        change = np.where(mask[::step, ::step], self._distance(before, after), 0)
        return change if step == block else _most(change, block)

    def _both(self) -> tuple[Array, Array]:
        assert self.image.after is not None
        return self.image.before, self.image.after

    def _distance(self, before: Array, after: Array) -> Array:
        """Give the largest difference of any channel, as kernels see their values; infinite to and from NaN."""
        apart, unit = self._apart(before, after)
        found = apart[..., 0]
        for channel in range(1, apart.shape[2]):
            found = np.maximum(found, apart[..., channel])
        scaled: Array = found.astype(type(unit)) * unit
        return scaled

    def _apart(self, before: Array, after: Array) -> tuple[Array, Any]:
        """Give how far each channel is apart, and what a difference of 1 means, in a type that is exact enough."""
        texels, unit = self.image.texels, 1.0
        if texels is not None and not texels.pixel_format.endswith("422"):
            before, after, unit = texels.decode(before), texels.decode(after), texels.meaning.unit
        exact = np.float32 if before.dtype.itemsize <= 2 or before.dtype == np.float32 else np.float64
        return _apart(before, after, exact), exact(unit)

    @cached_property
    def words(self) -> list[str]:
        """How much differs, and where."""
        image = self.image
        if image.after is None:
            return ["the capture ended before the command did"]
        if not image.changed:
            return ["nothing changed"]
        assert image.bounds is not None
        if image.is_texture:
            x, y, width, height = image.bounds
            what, where = "pixels", f"{_span('row', y, height)}, {_span('column', x, width)}"
        else:
            places = np.flatnonzero(image.mask)
            what, where = "elements", f"[{places[0]}] to [{places[-1]}]"
        found = [f"{image.changed} of {image.count} {what} changed, in {where}"]
        largest = self._largest()
        return found if largest is None else [*found, largest]

    @np.errstate(all="ignore")
    def _largest(self) -> str | None:
        image = self.image
        if not image.has_picture or image.bounds is None:
            return None
        part = Part(*image.bounds)
        mask, before, after = (part.of(array) for array in (image.mask, *self._both()))
        most: Any = 0
        place, unit = 0, np.float32(1)
        rows = max(_BAND // part.width, 1)
        for start in range(0, part.height, rows):  # what is worked on at a time stays in the processor's cache
            band = slice(start, start + rows)
            apart, unit = self._apart(before[band], after[band])
            if apart.dtype.kind == "f":
                apart[~mask[band]] = 0  # NaN is apart from itself
            flat = apart.reshape(-1)
            found = int(flat.argmax())
            if flat[found] > most:
                most, place = flat[found], start * part.width + found // apart.shape[2]
            if most == np.inf or (apart.dtype.kind == "u" and most == np.iinfo(apart.dtype).max):
                break
        largest = float(type(unit)(most) * unit)
        row, column = divmod(place, part.width)
        if not largest > 0:
            return None
        index = ", ".join(map(str, image.index(part.x + column, part.y + row)))
        how = f"the largest change is {number(largest)}" if np.isfinite(largest) else "a number came or went"
        return f"{how}, at [{index}]"


def _span(name: str, first: int, count: int) -> str:
    return f"{name} {first}" if count == 1 else f"{name}s {first} to {first + count - 1}"


def _apart(a: Array, b: Array, exact: type) -> Array:
    """Give how far numbers are from each other, as their own unsigned type where they are whole, else as `exact`."""
    if a.dtype.kind in "iu":
        # Of signed numbers this may be too much for the type, but not for the unsigned one of the same bits.
        far: Array = (np.maximum(a, b) - np.minimum(a, b)).view(f"u{a.dtype.itemsize}")
        return far
    a, b = (np.abs(x) if x.dtype.kind == "c" else x for x in (a, b))
    far = np.abs(b.astype(exact) - a.astype(exact))
    far[np.isnan(far)] = np.inf
    return far


def _most(strength: Array, block: int) -> Array:
    """Take the largest of each block; those at the right and lower edges may be smaller."""
    if block == 1:
        return strength
    for axis in (0, 1):
        lines = np.moveaxis(strength, axis, 0)
        most = lines[::block].copy()
        for offset in range(1, block):  # many times as fast as `reduceat` for the few rows of a block
            rest = lines[offset::block]
            np.maximum(most[: len(rest)], rest, out=most[: len(rest)])
        strength = np.moveaxis(most, 0, axis)
    return strength


def encoded(pixels: Pixels) -> bytes:
    """Give the bytes of a PNG file; each picture is seen for a moment."""
    return quick_png(pixels)
