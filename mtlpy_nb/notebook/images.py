# SPDX-License-Identifier: MIT
"""The images of an array or a Texture: one, or several with their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from .._arrays import is_bfloat16
from .._texture_kinds import CUBE_FACES
from ..buffer import Buffer
from ..errors import ValidationError
from ..texture import Texture
from .look import Look
from .planes import ALL, ArrayPlane, BufferPlane, Plane, TexturePlane, Thinning, thinning
from .texels import texels_of

__all__ = ["Images", "images_of_array", "images_of_texture"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_MOST_IMAGES = 64
_MOST_CHANNELS = 4
_FACES = ("+x", "-x", "+y", "-y", "+z", "-z")


@dataclass(frozen=True)
class Images:
    """Images that are shown on one scale.

    Attributes
    ----------
    planes : list of Plane
    name : str
        Of all.
    labels : list of str
        Of each; empty where there is one that needs none.
    notes : list of str
        What to say of the choice.
    thin : Thinning
        How they are read.
    columns : int or None
        Images in a row, where that is not to be chosen by their size.
    are_levels : bool
        Whether each has half the size of the one before.
    """

    planes: Sequence[Plane]
    name: str
    labels: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    thin: Thinning = ALL
    columns: int | None = None
    are_levels: bool = False


def images_of_array(array: Array | Buffer, name: str, look: Look) -> Images | None:
    """Give the images of an array, or of a Buffer that the processor can't reach.

    None where it has none, by its shape or its type.

    Raises
    ------
    ValidationError
        If the look's slice is none of it.
    """
    if array.size == 0 or (array.dtype.kind not in "biufc" and not is_bfloat16(array.dtype)):
        return None
    axes = 3 if array.ndim > 2 and array.shape[-1] <= _MOST_CHANNELS else 2
    if not axes <= array.ndim <= axes + 1:
        return None
    notes = ["absolute values"] if array.dtype.kind == "c" else []
    is_one = array.ndim == axes
    chosen = _choose(1 if is_one else array.shape[0], look.slice)
    height, width, channels = (*array.shape[0 if is_one else 1 :], 1)[:3]
    thin = _thinning(height, width, channels, len(chosen.numbers), look)
    labels = [] if is_one or look.slice is not None else [str(n) for n in chosen.numbers]
    planes = [_plane(array if is_one else array[n], thin) for n in chosen.numbers]
    return Images(planes, name, labels, [*notes, *chosen.notes], thin)


def _plane(image: Array | Buffer, thin: Thinning) -> Plane:
    return BufferPlane(image, thin) if isinstance(image, Buffer) else ArrayPlane(image, thin)


def images_of_texture(texture: Texture, look: Look) -> Images:
    """Give the images of a texture: its slices, faces or depths, or its levels.

    Raises
    ------
    ValidationError
        If the look's level or slice is none of it.
    """
    name = repr(texture)
    if look.level is not None and look.level >= texture.levels:
        raise ValidationError(f"level is {look.level}, must be 0 to {texture.levels - 1}")
    level = look.level or 0
    spatial = texture.level_shape(level)[: -1 if texture.channels > 1 else None]
    is_several = len(spatial) > min(texture.dims, 2) or texture.dims == 3
    if texture.levels > 1 and look.level is None and not is_several:
        return _levels(texture, name, look)
    count = int(np.prod(spatial[: -min(texture.dims, 2)], dtype=np.int64)) if is_several else 1
    chosen = _choose(count, look.slice)
    label = _labels(texture, count)
    texels = texels_of(texture.pixel_format, texture.swizzle)
    height, width = (1, *spatial)[-2:] if texture.dims > 1 else (1, spatial[-1])
    thin = _thinning(height, width, texels.channels, len(chosen.numbers), look)
    notes = [] if texture.levels == 1 else [f"level {level} of {texture.levels}: {width} x {height}"]
    if look.slice is not None:
        notes.append(label(look.slice))
    labels = [label(n) for n in chosen.numbers] if is_several and look.slice is None else []
    planes = [TexturePlane(texture, texels, level, n, thin) for n in chosen.numbers]
    if texels.note:
        notes.append(texels.note)
    columns = CUBE_FACES if texture.kind == "cube_array" and count > CUBE_FACES else None
    return Images(planes, name, labels, [*notes, *chosen.notes], thin, columns if look.slice is None else None)


def _levels(texture: Texture, name: str, look: Look) -> Images:
    if look.slice is not None:
        raise ValidationError(f"slice is {look.slice}, but {name} has one image of each level")
    texels = texels_of(texture.pixel_format, texture.swizzle)
    planes: list[Plane] = []
    thins = []
    labels = []
    for level in range(texture.levels):
        height, width = texture.level_shape(level)[:2]
        thins.append(_thinning(height, width, texels.channels, 2, look))
        planes.append(TexturePlane(texture, texels, level, 0, thins[-1]))
        labels.append(f"level {level}: {width} x {height}")
    return Images(planes, name, labels, [texels.note] if texels.note else [], thins[0], are_levels=True)


@dataclass(frozen=True)
class _Choice:
    numbers: list[int]
    notes: list[str]


def _choose(count: int, only: int | None) -> _Choice:
    """Choose which of many images are shown, and say it where they are not all."""
    if only is not None:
        if only >= count:
            raise ValidationError(f"slice is {only}, must be 0 to {count - 1}: there are {count}")
        return _Choice([only], [])
    step = -(-count // _MOST_IMAGES)
    numbers = list(range(0, count, step))
    notes = [f"{len(numbers)} of {count} images, each {step} after the one before"] if step > 1 else []
    return _Choice(numbers, notes)


def _labels(texture: Texture, count: int) -> Callable[[int], str]:
    """Name the images of a texture."""
    if texture.dims == 3:
        return lambda n: f"z {n}"
    if not texture.kind.startswith("cube"):
        return lambda n: f"slice {n}"
    if count == CUBE_FACES:
        return lambda n: _FACES[n]
    return lambda n: f"{n // CUBE_FACES} {_FACES[n % CUBE_FACES]}"


def _thinning(height: int, width: int, channels: int, count: int, look: Look) -> Thinning:
    """Leave nothing out where pixels were asked for."""
    return ALL if look.zoom is not None else thinning(height, width, channels, count)
