# SPDX-License-Identifier: MIT
"""Sampling as the specification describes it, in NumPy and float64: what the tests of textures compare with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sampling:
    """A sampler's settings, by Metal's words."""

    linear: bool = True
    address: tuple[str, str, str] = ("clamp_to_edge",) * 3
    mip_filter: str = "none"
    border_color: str = "transparent_black"
    normalized: bool = True
    lod_clamp: tuple[float, float] = (0, np.inf)
    reduction: str = "weighted_average"

    @property
    def border(self) -> np.ndarray:
        return np.array(
            {"transparent_black": (0, 0, 0, 0), "opaque_black": (0, 0, 0, 1)}.get(self.border_color, (1,) * 4)
        )

    def bound(self, device):
        """The same as a sampler of the host."""
        return device.sampler(
            self.linear,
            address=self.address,
            mip_filter=self.mip_filter,
            border_color=self.border_color,
            normalized=self.normalized,
            lod_clamp=self.lod_clamp,
            reduction=self.reduction,
        )

    @property
    def text(self) -> str:
        """The same as the arguments of a `constexpr sampler`."""
        options = [
            f"filter::{'linear' if self.linear else 'nearest'}",
            *(f"{axis}_address::{mode}" for axis, mode in zip("str", self.address, strict=True)),
            f"mip_filter::{self.mip_filter}",
            f"border_color::{self.border_color}",
            f"coord::{'normalized' if self.normalized else 'pixel'}",
            f"reduction::{self.reduction}",
        ]
        if self.lod_clamp != (0, np.inf):
            low, high = self.lod_clamp
            options.append(f"lod_clamp({float(low)}f, {'MAXFLOAT' if np.isinf(high) else f'{float(high)}f'})")
        return ", ".join(options)


def wrap(index: np.ndarray, size: int, mode: str) -> np.ndarray:
    """Texel numbers; -1 for the border."""
    if mode == "clamp_to_edge":
        return np.clip(index, 0, size - 1)
    if mode == "mirror_clamp_to_edge":
        return np.clip(np.where(index < 0, -1 - index, index), 0, size - 1)
    if mode == "repeat":
        return np.mod(index, size)
    if mode == "mirrored_repeat":
        rest = np.mod(index, 2 * size)
        return np.where(rest < size, rest, 2 * size - 1 - rest)
    return np.where((index < 0) | (index >= size), -1, index)


def fetch(image: np.ndarray, index: list[np.ndarray], s: Sampling) -> np.ndarray:
    """Texels of an image of axes (depth, height, width, 4) by numbers along x, y, z."""
    dims = image.ndim - 1
    wrapped = [wrap(index[d], image.shape[dims - 1 - d], s.address[d]) for d in range(dims)]
    outside = np.any([w < 0 for w in wrapped], axis=0)
    texels = image[tuple(np.maximum(w, 0) for w in reversed(wrapped))]
    colored = any(s.address[d] == "clamp_to_border" for d in range(dims))
    return np.where(outside[..., None], s.border if colored else np.zeros(4), texels)


def combine(values: list[np.ndarray], weights: list[np.ndarray], reduction: str) -> np.ndarray:
    if reduction == "weighted_average":
        return sum(value * weight[..., None] for value, weight in zip(values, weights, strict=True))
    worst = np.inf if reduction == "minimum" else -np.inf
    stack = [np.where(weight[..., None] > 0, value, worst) for value, weight in zip(values, weights, strict=True)]
    return np.min(stack, axis=0) if reduction == "minimum" else np.max(stack, axis=0)


def sample_image(image: np.ndarray, at: np.ndarray, s: Sampling, offset=(0, 0, 0)) -> np.ndarray:
    """One level at coordinates (n, dims)."""
    dims = image.ndim - 1
    sizes = [image.shape[dims - 1 - d] for d in range(dims)]
    texel = [at[:, d] * (sizes[d] if s.normalized else 1) for d in range(dims)]
    if not s.linear:
        return fetch(image, [np.floor(t).astype(np.int64) + offset[d] for d, t in enumerate(texel)], s)
    begin = [np.floor(t - 0.5).astype(np.int64) for t in texel]
    share = [t - 0.5 - b for t, b in zip(texel, begin, strict=True)]
    values, weights = [], []
    for corner in np.ndindex(*(2,) * dims):
        values.append(fetch(image, [begin[d] + corner[d] + offset[d] for d in range(dims)], s))
        weights.append(np.prod([share[d] if corner[d] else 1 - share[d] for d in range(dims)], axis=0))
    return combine(values, weights, s.reduction)


def mix_levels(levels: list, lod: np.ndarray, s: Sampling, sample) -> np.ndarray:
    """Mix what `sample(level)` gives of each level, as the level of detail says."""
    lod = np.clip(lod, *s.lod_clamp)
    lod = np.clip(lod, 0, len(levels) - 1)
    results = np.stack([sample(level) for level in levels])
    rows = np.arange(len(lod))
    if s.mip_filter == "none":
        return results[0]
    if s.mip_filter == "nearest":
        return results[np.floor(lod + 0.5).astype(int), rows]
    low = np.floor(lod).astype(int)
    high = np.minimum(low + 1, len(levels) - 1)
    share = lod - low
    return combine([results[low, rows], results[high, rows]], [1 - share, share], s.reduction)


def sample(levels: list[np.ndarray], at: np.ndarray, lod: np.ndarray, s: Sampling, offset=(0, 0, 0)) -> np.ndarray:
    """Levels of axes (depth, height, width, 4), as many as there are dimensions."""
    return mix_levels(levels, lod, s, lambda level: sample_image(level, at, s, offset))


def sample_slices(levels: list[np.ndarray], at, slices, lod, s: Sampling, offset=(0, 0, 0)) -> np.ndarray:
    """The same of an array texture: levels of axes (slices, height, width, 4)."""
    slices = np.minimum(slices, len(levels[0]) - 1)
    each = [sample([level[n] for level in levels], at, lod, s, offset) for n in range(len(levels[0]))]
    return np.stack(each)[slices, np.arange(len(at))]


# ---- Cubes ----

# Right, down and forward of each face's image, seen from the middle: the specification's faces +x -x +y -y +z -z.
FACES = np.array(
    [
        [(0, 0, -1), (0, -1, 0), (1, 0, 0)],
        [(0, 0, 1), (0, -1, 0), (-1, 0, 0)],
        [(1, 0, 0), (0, 0, 1), (0, 1, 0)],
        [(1, 0, 0), (0, 0, -1), (0, -1, 0)],
        [(1, 0, 0), (0, -1, 0), (0, 0, 1)],
        [(-1, 0, 0), (0, -1, 0), (0, 0, -1)],
    ],
    np.float64,
)


def project(directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Face and place on it, 0 to 1; z wins over y over x among equals."""
    magnitude = np.abs(directions)
    major = np.where(
        (magnitude[:, 2] >= magnitude[:, 0]) & (magnitude[:, 2] >= magnitude[:, 1]),
        2,
        np.where(magnitude[:, 1] >= magnitude[:, 0], 1, 0),
    )
    rows = np.arange(len(directions))
    face = 2 * major + (directions[rows, major] < 0)
    right, down, forward = (np.einsum("nk,nk->n", FACES[face, axis], directions) for axis in range(3))
    return face, np.stack([right / forward, down / forward], -1) * 0.5 + 0.5


def cube_texel(faces: np.ndarray, face: int, x: int, y: int) -> np.ndarray:
    """A texel that may lie past an edge: found in space, on the neighbour's own grid. Corners: the mean of three."""
    size = faces.shape[1]
    past_x, past_y = not 0 <= x < size, not 0 <= y < size
    if not past_x and not past_y:
        return faces[face, y, x]
    inside_x, inside_y = min(max(x, 0), size - 1), min(max(y, 0), size - 1)
    if past_x and past_y:
        return (
            faces[face, inside_y, inside_x]
            + cube_texel(faces, face, x, inside_y)
            + cube_texel(faces, face, inside_x, y)
        ) / 3
    # The edge texel's centre, and over the edge: the nearest texel centre of another face.
    right, down, forward = FACES[face]
    edge = forward + right * ((2 * inside_x + 1) / size - 1) + down * ((2 * inside_y + 1) / size - 1)
    axis = right if past_x else down
    edge += axis * (np.sign(x if past_x else y) or 1) / size  # now on the edge itself
    best, found = np.inf, None
    for other in range(6):
        if other == face:
            continue
        r, d, f = FACES[other]
        centres = (np.arange(size) * 2 + 1) / size - 1
        for row in (0, size - 1, *range(1, size - 1)):
            places = f + r * centres[:, None] + d * centres[row]
            distance = np.linalg.norm(places - edge, axis=1)
            column = int(distance.argmin())
            if distance[column] < best - 1e-9:
                best, found = distance[column], faces[other, row, column]
    return found


def sample_cube_image(faces: np.ndarray, directions: np.ndarray, s: Sampling) -> np.ndarray:
    face, at = project(directions)
    size = faces.shape[1]
    texel = at * size
    if not s.linear:
        index = np.clip(np.floor(texel).astype(int), 0, size - 1)
        return faces[face, index[:, 1], index[:, 0]]
    begin = np.floor(texel - 0.5).astype(int)
    share = texel - 0.5 - begin
    out = np.zeros((len(directions), 4))
    for n, (f, (x, y), (a, b)) in enumerate(zip(face, begin, share, strict=True)):
        values = [cube_texel(faces, f, x + i, y + j) for j in (0, 1) for i in (0, 1)]
        weights = [(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b]
        out[n] = combine(values, [np.asarray(w) for w in weights], s.reduction)
    return out


def sample_cube(levels: list[np.ndarray], directions, lod, s: Sampling) -> np.ndarray:
    """Levels of axes (6, size, size, 4)."""
    return mix_levels(levels, lod, s, lambda level: sample_cube_image(level, directions, s))
