# SPDX-License-Identifier: MIT
"""What a captured command has bound, as images: one level and slice of a texture, a buffer laid out in rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...._arrays import Array
from ....capture import BoundBuffer, BoundTexture, CapturedResource, Command
from ....capture._arrays import TexturePlace
from ....capture._changes import differing
from ...planes import ArrayPlane, Plane, Thinning
from ...texels import Meaning, Texels, meaning_of_array, texels_of

__all__ = ["Bound", "Image", "bound_things", "image_of", "may_have_changed", "slices_of"]

Bound = BoundBuffer | BoundTexture

_MOST_CHANNELS = 4
_MOST_BYTES = 1 << 28  # of a buffer that are looked at
_ONE_ROW = 64  # elements
_SWIZZLES = "01rgba"
_LINES = ("1d", "1d_array", "buffer")  # textures of one dimension


def bound_things(command: Command) -> list[object]:
    """Give all that is bound, and then the memory that the command touched without its being bound."""
    found: list[object] = list(command.bindings)
    roots = [item.resource.root for item in found if isinstance(item, Bound) and item.resource is not None]
    for touched in command.touched:
        resource = touched.resource
        if resource not in roots:
            roots.append(resource)
            access = "read_write" if touched.is_written else "read"
            kind = BoundTexture if resource.kind == "texture" else BoundBuffer
            found.append(kind(command, resource.name, None, access, resource))
    return found


def may_have_changed(bound: Bound, level: int = 0) -> bool:
    """Whether the memory held other bytes afterwards; quick, since nothing is read."""
    touched = _touched(bound, level)
    return touched is not None and touched[1] is not None and touched[0] != touched[1]


def _touched(bound: Bound, level: int) -> tuple[int, int | None] | None:
    """Give the numbers of the contents before and after."""
    if bound.resource is None:
        assert isinstance(bound, BoundBuffer)
        assert bound._content is not None
        return bound._content, bound._content
    place = None if isinstance(bound, BoundBuffer) else TexturePlace(bound.resource, level)
    root, of_root = (bound.resource.root, None) if place is None else (place.root, place.level)
    touched = bound._touched(root, of_root)
    return None if touched is None else (touched.before, touched.after)


@dataclass
class Image:
    """One image of what a command has bound, before the command and after it.

    Attributes
    ----------
    before, after : array
        (height, width, numbers of a pixel) as stored; an axis less where elements are structs. `after` is None where
        the capture ended before the command did.
    count : int
        How many pixels or elements there are: the last row of a buffer's may not be full.
    shape : tuple of int
        Of the array that this is an image of.
    first : int
        Which of that array's is the first pixel here.
    texels : Texels or None
        What a texture's numbers mean; None of a buffer, and where that is not known.
    notes : list of str
    is_texture : bool
    parts : list of tuple of int
        Rows, from the first to behind the last, outside of which nothing changed.
    contents : tuple of int
        Numbers of the contents before and after, None where that is not known.
    offset : int
        Which of their bytes is the first here.
    """

    before: Array
    after: Array | None
    count: int
    shape: tuple[int, ...]
    first: int
    texels: Texels | None
    notes: list[str]
    is_texture: bool
    parts: list[tuple[int, int]]
    contents: tuple[int, int | None] = (0, None)
    offset: int = 0

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.before.shape[0])

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.before.shape[1])

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return self.before.nbytes + (0 if self.after is None else self.after.nbytes)

    @property
    def has_picture(self) -> bool:
        """Whether its numbers can be shown as colours."""
        if self.before.ndim < 3 or self.before.dtype.kind == "V":
            return False
        return self.texels is not None or self.before.shape[2] <= _MOST_CHANNELS

    @cached_property
    def mask(self) -> Array:
        """Where something changed, bit by bit."""
        found = np.zeros((self.height, self.width), np.bool_)
        if self.after is not None and self.after is not self.before:
            for first, end in self.parts:
                found[first:end] = differing(self.before[first:end], self.after[first:end], 2)
        return found

    @cached_property
    def changed(self) -> int:
        """How many pixels or elements changed."""
        return int(np.count_nonzero(self.mask))

    @cached_property
    def bounds(self) -> tuple[int, int, int, int] | None:
        """Left, top, width and height of the smallest rectangle that holds all of them."""
        if not self.changed:
            return None
        rows, columns = (np.flatnonzero(self.mask.any(axis=axis)) for axis in (1, 0))
        left, top = int(columns[0]), int(rows[0])
        return left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top

    def index(self, x: int, y: int) -> tuple[int, ...]:
        """Say which of the array's is the pixel in a column and a row."""
        number = self.first + y * self.width + x
        return tuple(int(i) for i in np.unravel_index(number, self.shape))

    def holds(self, x: int, y: int) -> bool:
        """Whether there is such a pixel."""
        return 0 <= x < self.width and 0 <= y < self.height and y * self.width + x < self.count

    def plane(self, array: Array, thin: Thinning) -> Plane:
        """Give the colours of `before` or `after`, or of a part of it."""
        if self.texels is None:
            meaning = meaning_of_array(array.dtype)
            return ArrayPlane(array, thin, Meaning(meaning.natural, None, meaning.unit))
        if self.texels.pixel_format.endswith("422"):  # pairs have components together
            return ArrayPlane(self.texels.decode(array), thin, self.texels.meaning)
        thinned = array[:: thin.rows, :: thin.columns]
        return ArrayPlane(self.texels.decode(thinned), Thinning(), self.texels.meaning)


def image_of(bound: Bound, level: int = 0, number: int | None = None) -> Image:
    """Read an image of what is bound.

    Parameters
    ----------
    bound : BoundBuffer or BoundTexture
    level : int
        Of a texture.
    number : int, optional
        Of a slice, face, depth or sample; default: the first that changed, else the first.

    Raises
    ------
    ValueError
        If the capture does not hold it, or is damaged.
    """
    contents = bound.command.file._contents
    touched = _touched(bound, level)
    before = bound.command.known(None if touched is None else touched[0], bound.name)
    after = None if touched is None else touched[1]
    if isinstance(bound, BoundTexture):
        place = TexturePlace(bound.resource, level)
        arrays = [None if n is None else place.read(contents, n) for n in _distinct(before, after)]
        found, offset = _of_texture(place, bound.resource, arrays, number)
    else:
        arrays = [None if n is None else _elements(bound, n) for n in _distinct(before, after)]
        found, offset = _of_buffer(bound, arrays), bound.offset
    if after is not None and after != before:
        found.parts = _rows(contents.differing(before, after), offset, found)
    found.contents, found.offset = (before, after), offset
    return found


def _rows(parts: list[tuple[int, int]], offset: int, image: Image) -> list[tuple[int, int]]:
    """Say which rows lie in parts of the bytes that the image begins in at `offset`; each once."""
    found: list[tuple[int, int]] = []
    stride = image.before.strides[0]
    for begin, end in parts:
        first, behind = max((begin - offset) // stride, 0), min(-((offset - end) // stride), image.height)
        if found and first < found[-1][1]:
            first = found.pop()[0]
        if first < behind:
            found.append((first, behind))
    return found


def _distinct(before: int, after: int | None) -> Iterator[int | None]:
    yield before
    if after != before:
        yield after


def _of_texture(
    place: TexturePlace, texture: CapturedResource, arrays: list[Array | None], number: int | None
) -> tuple[Image, int]:
    """Give one image of a level, and with which byte of the contents it begins."""
    shape = place.shape
    rows, columns = (1, *shape)[-2:] if texture.texture_type not in _LINES else (1, shape[-1])
    parts = [None if array is None else array.reshape(-1, rows, columns, texture.channels) for array in arrays]
    before, after = parts[0], parts[-1]
    assert before is not None
    chosen = number
    if chosen is None:
        chosen = 0
        if after is not None and after is not before and len(before) > 1:
            chosen = next((i for i in range(len(before)) if before[i].tobytes() != after[i].tobytes()), 0)
    if not 0 <= chosen < len(before):
        raise IndexError(f"slice is {chosen}, must be 0 to {len(before) - 1}")
    try:
        texels = texels_of(texture.pixel_format, "".join(_SWIZZLES[min(n, 5)] for n in texture.swizzle))
    except ValueError:  # no format of which this package has arrays
        texels = None
    one = before[chosen]
    other = one if after is before else None if after is None else after[chosen]
    notes = [texels.note] if texels is not None and texels.note else []
    found = Image(one, other, rows * columns, shape, chosen * rows * columns, texels, notes, True, [])
    return found, place.offset_of(chosen)


def slices_of(texture: CapturedResource, level: int) -> int:
    """How many images a level has."""
    shape = TexturePlace(texture, level).shape
    return math.prod(shape[: -1 if texture.texture_type in _LINES else -2])


def _elements(bound: BoundBuffer, number: int) -> Array:
    """Read as many whole elements as there are, up to a limit."""
    contents, dtype = bound.command.file._contents, bound.dtype
    size = min(contents.size(number) - bound.offset, _MOST_BYTES)
    data = contents.read(number, bound.offset, size - size % dtype.itemsize)
    return np.frombuffer(data, dtype) if data.size else np.empty(0, dtype)


def _of_buffer(bound: BoundBuffer, arrays: list[Array | None]) -> Image:
    first = arrays[0]
    assert first is not None
    count = len(first)
    whole = bound.length // bound.dtype.itemsize
    notes = [] if whole == count else [f"the first {count} of {whole} elements"]
    width = _width(count, bound.command)
    laid = [None if array is None else _in_rows(array, width) for array in arrays]
    before, after = laid[0], laid[-1]
    assert before is not None
    return Image(before, after, count, (max(count, 1),), 0, None, notes, False, [])


def _width(count: int, command: Command) -> int:
    """Lay elements out as the grid's rows are, where they can be its threads'."""
    if command.grid is not None:
        columns, rows, layers = command.grid
        if rows > 1 and count >= columns * rows * layers and count % (columns * rows * layers) == 0:
            return count // (rows * layers)
    return max(count, 1) if count <= _ONE_ROW else 1 << math.ceil(math.log2(count) / 2)


def _in_rows(array: Array, width: int) -> Array:
    """Put elements in rows; the last one is filled up with zeros."""
    rows = max(-(-len(array) // width), 1)
    missing = rows * width - len(array)
    if missing:
        array = np.concatenate([array, np.zeros((missing, *array.shape[1:]), array.dtype)])
    if array.dtype.kind == "V" and array.dtype.names:
        return array.reshape(rows, width)
    return array.reshape(rows, width, -1)
