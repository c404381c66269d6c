# SPDX-License-Identifier: MIT
"""Textures as kernels see them, made by hand: for what no API call can fill, and where there is no device."""

from __future__ import annotations

import ctypes

import numpy as np
from kernel_records import Level, TextureRecord

R32FLOAT, RGBA32FLOAT, RGBA8UINT = 55, 125, 73
KINDS = {
    "1d": 0,
    "1d_array": 1,
    "2d": 2,
    "2d_array": 3,
    "2d_ms": 4,
    "cube": 5,
    "cube_array": 6,
    "3d": 7,
    "2d_ms_array": 8,
}
ADDRESSES = {"clamp_to_edge": 0, "repeat": 2, "mirrored_repeat": 3, "clamp_to_zero": 4, "clamp_to_border": 5}
NO_LIMIT = 0xFFF  # of the level of detail


class Texture:
    """A record and what it points at; levels are arrays of axes (images, height, width, channels)."""

    def __init__(self, kind: str, pixel_format: int, *levels: np.ndarray, samples: int = 1) -> None:
        self.levels = [np.ascontiguousarray(level) for level in levels]
        pixel = self.levels[0][0, 0, 0].nbytes
        images = len(self.levels[0])
        slices = images // samples // (6 if kind.startswith("cube") else 1)
        self.record = TextureRecord(
            pixel_format, KINDS[kind], pixel, 1 if kind == "3d" else slices, len(levels), samples
        )
        for number, level in enumerate(self.levels):
            depth, height, width = level.shape[:3]
            row = width * pixel
            self.record.levels[number] = Level(
                level.ctypes.data, row * height, row, width, height, depth if kind == "3d" else 1
            )

    @property
    def address(self) -> int:
        return ctypes.addressof(self.record)


def sampler(linear: bool = True, address: str = "clamp_to_edge", mip_filter: int = 0, compare: int = 0,
            anisotropy: int = 1) -> int:  # fmt: skip
    """The 64 bits of a metal_sampler."""
    mode = ADDRESSES[address]
    filters = 3 if linear else 0
    return (mode | mode << 3 | mode << 6 | filters << 9 | mip_filter << 11 | compare << 14 | (anisotropy - 1) << 19
            | NO_LIMIT << 37)  # fmt: skip
