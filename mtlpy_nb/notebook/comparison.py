# SPDX-License-Identifier: MIT
"""Two images beside each other, and where they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ..buffer import Buffer
from ..errors import ValidationError
from ..texture import Texture
from .drawing import check_zoom, draw_sheet_of
from .images import Images, images_of_array, images_of_texture
from .look import CHANNELS, Look
from .picture import Preview
from .planes import ArrayPlane, Plane, Thinning, bands
from .preview import array_of
from .scale import Facts, Scale, choose_scale, number
from .texels import Meaning

__all__ = ["compare"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_COLOURS = 3
_STRONGEST = 1 << 20
_MOST = float(np.finfo(np.float64).max)


@np.errstate(all="ignore")
def compare(
    a: object,
    b: object,
    *,
    amplify: float | None = None,
    range: tuple[float, float] | None = None,
    exposure: float = 0.0,
    gamma: float = 1.0,
    tone: str | None = None,
    channel: str | None = None,
    zoom: float | None = None,
    level: int | None = None,
    slice: int | None = None,
) -> Preview:
    """Show two images beside each other, with the difference amplified, and tell how near they are.

    Bytes and values from 0 to 1 go together: a byte of 255 is 1. A fourth channel is left out where one of the images
    has none.

    Parameters
    ----------
    a, b : array_like, Buffer or Texture
        Of one height and width.
    amplify : float, optional
        Factor of the difference, of which 1 is white; default: a power of two that makes the largest one bright.
    range, exposure, gamma, tone, channel, zoom, level, slice
        As of :func:`show`, for both images.

    Returns
    -------
    Preview
        Its text has the peak signal-to-noise ratio in decibels (PSNR), ``10 log10(peak^2 / mean squared difference)``;
        the peak is 1, or what the values span if they are not within 0 to 1. It also has the largest difference and
        where it is.

    Raises
    ------
    ValueError
        If they are no images, or not of one size.
    """
    look = Look(range, exposure, gamma, tone, channel, None, zoom, level, slice)
    if amplify is not None and not 0 < _number(amplify) <= _STRONGEST:
        raise ValidationError(f"amplify is {amplify}, must be above 0 and at most {_STRONGEST}")
    first, second = _image(a, look, "a"), _image(b, look, "b")
    check_zoom(first, look)
    # Bytes stay whole numbers, so that their differences are exact.
    white = 255.0 if all(_is_byte(images.planes[0]) for images in (first, second)) else 1.0
    left, right, notes = _same_shape(_values(first, look, white), _values(second, look, white), white)
    difference = _Difference.of(left, right, look, white)
    factor = difference.factor if amplify is None else float(amplify)
    meaning = Meaning((0, 1), white, 1 / white) if white > 1 else Meaning(None, 1.0)
    planes = [ArrayPlane(values, Thinning(), meaning) for values in (left, right)]
    scale, scale_notes = choose_scale(planes, replace(look, channel=None))
    distance = ArrayPlane(difference.picture(factor), Thinning())
    scales = [scale, scale, Scale(0.0, 1.0, Look(), distance.meaning)]
    labels = ["a", "b", f"difference x {number(factor)}"]
    pixels, screen = draw_sheet_of([*planes, distance], scales, labels, zoom=look.zoom)
    names = [f"a: {first.name}", f"b: {second.name}"]
    thinned = [first.thin.note] if first.thin.note else []
    words = [*names, *first.notes, *notes, *scale_notes, *difference.words(), *thinned, labels[-1]]
    return Preview("\n".join(words), pixels, screen)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValidationError(f"amplify is {value!r}, must be a number") from None


def _image(x: object, look: Look, name: str) -> Images:
    """Give the one image of `x`."""
    if isinstance(x, Texture):
        images = images_of_texture(x, look if look.level is not None else replace(look, level=0))
    else:
        array = x.numpy() if isinstance(x, Buffer) else array_of(x, "compare")
        title = repr(x) if isinstance(x, Buffer) else f"array(shape={array.shape}, dtype={array.dtype})"
        found = images_of_array(array, title, look)
        if found is None:
            raise ValidationError(
                f"compare: {name} is {title}, must be an image: (height, width) or with 1 to 4 channels"
            )
        images = found
    if len(images.planes) != 1:
        raise ValidationError(f"compare: {name} is {images.name}, which is several images; choose one with slice=")
    return images


def _same_shape(a: Array, b: Array, white: float) -> tuple[Array, Array, list[str]]:
    """Leave out a fourth channel that the other has not.

    Raises
    ------
    ValidationError
        If they do not go together.
    """
    if a.shape[:2] != b.shape[:2]:
        sizes = " and ".join(f"{image.shape[1]} x {image.shape[0]}" for image in (a, b))
        raise ValidationError(f"compare: the images have {sizes} pixels, must be of one size")
    channels = {a.shape[2], b.shape[2]}
    if len(channels) == 1:
        return a, b, []
    if channels != {_COLOURS, _COLOURS + 1}:
        raise ValidationError(
            f"compare: the images have {a.shape[2]} and {b.shape[2]} channels; choose one with channel="
        )
    hidden = (a if a.shape[2] > _COLOURS else b)[..., _COLOURS]
    notes = [] if (hidden == white).all() else ["the fourth channel is left out"]
    return a[..., :_COLOURS], b[..., :_COLOURS], notes


def _is_byte(plane: Plane) -> bool:
    return plane.meaning.natural is not None and plane.rows(0, 1).dtype == np.uint8


def _values(images: Images, look: Look, white: float) -> Array:
    """Give (height, width, channels) as floats, bytes as 0 to `white`, what is no opacity left out."""
    plane = images.planes[0]
    if not (look.channel is None or CHANNELS.index(look.channel) < plane.channels):
        raise ValidationError(f"channel is {look.channel!r}, but {images.name} has {plane.channels} channel(s)")
    scale = white / 255 if _is_byte(plane) else 1.0
    values = np.concatenate([_floats(plane, plane.rows(start, stop), scale) for start, stop in bands(plane)])
    if look.channel is not None:
        index = CHANNELS.index(look.channel)
        return values[..., index : index + 1]
    return values[..., :_COLOURS] if plane.meaning.opaque is None else values


def _floats(plane: Plane, stored: Array, scale: float) -> Array:
    is_short = stored.dtype.itemsize < (8 if stored.dtype.kind == "f" else 4)
    values = stored.astype(np.float32 if is_short else np.float64)
    if values.shape[-1] > _COLOURS and plane.meaning.opaque is not None and scale == 1 and not _is_byte(plane):
        values[..., _COLOURS] /= plane.meaning.opaque
    return values if scale == 1 else values * np.float32(scale)


@dataclass
class _Difference:
    """How far apart two images are.

    Attributes
    ----------
    each : array
        Not a number where one of the two is none.
    peak : float
        What the values span.
    white : float
        What a byte of 255 is.
    """

    each: Array
    peak: float
    white: float

    @classmethod
    def of(cls, a: Array, b: Array, look: Look, white: float) -> _Difference:
        facts = Facts()
        facts.add(a)
        facts.add(b)
        if look.range is not None:
            low, high = (float(end) * white for end in look.range)
        elif facts.has_finite and not (facts.smallest >= 0 and facts.largest <= white):
            low, high = facts.smallest, facts.largest
        else:
            low, high = 0.0, white
        each = np.minimum(np.abs(a.astype(np.float64) - b), _MOST)
        each[(a == b) | (np.isnan(a) & np.isnan(b))] = 0
        each[~(np.isfinite(a) & np.isfinite(b)) & (each != 0)] = np.nan
        return cls(each, min(high - low, _MOST) or 1.0, white)

    @property
    def largest(self) -> float:
        finite = self.each[~np.isnan(self.each)]
        return float(finite.max()) if finite.size else 0.0

    @property
    def factor(self) -> float:
        """The power of two that makes the largest difference bright."""
        share = self.largest / self.peak
        if share == 0:
            return 1.0
        return float(2.0 ** min(max(math.floor(-math.log2(share)), 0), _STRONGEST.bit_length() - 1))

    def words(self) -> list[str]:
        """Tell how near the images are."""
        different = int((self.each != 0).any(axis=-1).sum())
        if different == 0:
            return ["no difference: PSNR infinite"]
        count = self.each.shape[0] * self.each.shape[1]
        words = [f"{different} of {count} pixels differ"]
        special = int(np.isnan(self.each).sum())
        if special:
            words.append(f"{special} values are a finite number in one image only (magenta)")
        largest = self.largest
        if largest > 0:
            row, column = np.argwhere(self.each == largest)[0][:2]
            of_bytes = f" ({largest:.0f} of 255)" if self.white > 1 else ""
            words.insert(0, f"PSNR {self._psnr():.2f} dB")
            words.append(
                f"the largest difference is {number(largest / self.white)}{of_bytes}, in row {row}, column {column}"
            )
        return words

    def _psnr(self) -> float:
        quotient = self.each[~np.isnan(self.each)] / self.peak
        largest = float(quotient.max())
        mean = float(((quotient / largest) ** 2).mean())  # of numbers that don't overflow or vanish
        return -20 * math.log10(largest) - 10 * math.log10(mean)

    def picture(self, factor: float) -> Array:
        """Give 0 to 1 for each channel; a difference of opacity is one of all."""
        values = np.minimum(self.each / self.peak * factor, 1)
        if values.shape[-1] <= _COLOURS:
            return values
        return np.maximum(values[..., :_COLOURS], values[..., _COLOURS:])
