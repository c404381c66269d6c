# SPDX-License-Identifier: MIT
"""The kinds of textures, by the words of Metal's source, and what an array of such pixels looks like."""

from __future__ import annotations

from typing import NamedTuple

from . import _native as mtl
from .errors import ValidationError

__all__ = ["KINDS", "TextureKind", "kind_for_axes", "kind_named", "kind_of"]

CUBE_FACES = 6


class TextureKind(NamedTuple):
    """One kind.

    Attributes
    ----------
    name : str
        Of ``texture2d_array``, ``"2d_array"``.
    value : TextureType
    dims : int
        Of one image.
    axes : int
        Of an array of its pixels, without the channels.
    axes_text : str
        Those axes' names.
    """

    name: str
    value: mtl.TextureType
    dims: int
    axes: int
    axes_text: str

    @property
    def is_array(self) -> bool:
        """Whether it has slices, as many as one likes."""
        return self.name.endswith("_array")

    @property
    def is_cube(self) -> bool:
        """Whether it has six faces."""
        return self.name.startswith("cube")

    @property
    def can_have_levels(self) -> bool:
        """Whether it may have smaller levels."""
        return self.dims > 1

    def sizes(self, spatial: tuple[int, ...]) -> tuple[int, int, int, int]:
        """Take width, height, depth and number of slices from an array's shape.

        Raises
        ------
        ValidationError
            If an array of that shape is no such texture.
        """
        if len(spatial) != self.axes:
            raise ValidationError(
                f"a {self.name} texture has the axes {self.axes_text}; the shape without channels is {spatial}"
            )
        if self.is_cube and (spatial[-3] != CUBE_FACES or spatial[-1] != spatial[-2]):
            raise ValidationError(
                f"a {self.name} texture has the axes {self.axes_text}: six square faces; "
                f"the shape without channels is {spatial}"
            )
        width, height, depth = (*reversed(spatial[-self.dims :]), 1, 1)[:3]
        return width, height, depth, spatial[0] if self.is_array else 1


KINDS = {
    kind.name: kind
    for kind in (
        TextureKind("1d", mtl.TextureType.Type1D, 1, 1, "(width)"),
        TextureKind("1d_array", mtl.TextureType.Type1DArray, 1, 2, "(slices, width)"),
        TextureKind("2d", mtl.TextureType.Type2D, 2, 2, "(height, width)"),
        TextureKind("2d_array", mtl.TextureType.Type2DArray, 2, 3, "(slices, height, width)"),
        TextureKind("cube", mtl.TextureType.TypeCube, 2, 3, "(6, size, size)"),
        TextureKind("cube_array", mtl.TextureType.TypeCubeArray, 2, 4, "(cubes, 6, size, size)"),
        TextureKind("3d", mtl.TextureType.Type3D, 3, 3, "(depth, height, width)"),
        TextureKind("buffer", mtl.TextureType.TypeTextureBuffer, 1, 1, "(width)"),
    )
}
_BY_VALUE = {int(kind.value): kind for kind in KINDS.values()}


def kind_named(name: str) -> TextureKind:
    """Look up a kind.

    Raises
    ------
    ValidationError
        If there is no such kind.
    """
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValidationError(f"texture kind is {name!r}, must be one of {', '.join(KINDS)}")
    return kind


def kind_of(value: mtl.TextureType | int | None) -> TextureKind | None:
    """Give the kind of one of Metal's values; None for those that Python makes no textures of."""
    return None if value is None else _BY_VALUE.get(int(value))


def kind_for_axes(axes: int) -> TextureKind:
    """Give the plain kind of as many dimensions."""
    return KINDS[f"{axes}d"]
