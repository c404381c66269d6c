# SPDX-License-Identifier: MIT
"""The same tasks for Numba's threads, where it is natural to write them so."""

from __future__ import annotations

import functools
import math
from types import SimpleNamespace
from typing import Any

import numpy as np


@functools.cache
def numba_kernels() -> Any:
    """The compiled functions by name, or None where Numba is not installed."""
    try:
        import numba
    except ImportError:
        return None

    @numba.njit(parallel=True, fastmath=True)
    def saxpy(x, y, a):  # type: ignore[no-untyped-def]
        for i in numba.prange(x.size):
            y[i] = a * x[i] + y[i]

    @numba.njit(parallel=True, fastmath=True)
    def mandelbrot(out, limit):  # type: ignore[no-untyped-def]
        rows, columns = out.shape
        for row in numba.prange(rows):
            cy = np.float32(row) / np.float32(rows) * np.float32(2) - np.float32(1)
            for column in range(columns):
                cx = np.float32(column) / np.float32(columns) * np.float32(3) - np.float32(2)
                a = np.float32(0)
                b = np.float32(0)
                n = 0
                while n < limit and a * a + b * b < np.float32(4):
                    t = a * a - b * b + cx
                    b = np.float32(2) * a * b + cy
                    a = t
                    n += 1
                out[row, column] = n

    @numba.njit(parallel=True, fastmath=True)
    def blur5(source, out, weights):  # type: ignore[no-untyped-def]
        rows, columns = source.shape
        for y in numba.prange(rows):
            for x in range(columns):
                total = np.float32(0)
                for dy in range(-2, 3):
                    sy = min(max(y + dy, 0), rows - 1)
                    for dx in range(-2, 3):
                        sx = min(max(x + dx, 0), columns - 1)
                        total += weights[(dy + 2) * 5 + dx + 2] * source[sy, sx]
                out[y, x] = total

    @numba.njit(parallel=True, fastmath=True)
    def nbody(bodies, pull):  # type: ignore[no-untyped-def]
        for i in numba.prange(bodies.shape[0]):
            x, y, z = np.float32(0), np.float32(0), np.float32(0)
            for k in range(bodies.shape[0]):
                dx, dy, dz = (
                    bodies[k, 0] - bodies[i, 0],
                    bodies[k, 1] - bodies[i, 1],
                    bodies[k, 2] - bodies[i, 2],
                )
                inverse = np.float32(1) / np.float32(math.sqrt(dx * dx + dy * dy + dz * dz + np.float32(1e-3)))
                pulls = bodies[k, 3] * inverse * inverse * inverse
                x += dx * pulls
                y += dy * pulls
                z += dz * pulls
            pull[i, 0] = x
            pull[i, 1] = y
            pull[i, 2] = z
            pull[i, 3] = np.float32(0)

    @numba.njit(parallel=True, fastmath=True)
    def reaction_diffusion(source, out):  # type: ignore[no-untyped-def]
        rows, columns = source.shape[:2]
        for y in numba.prange(rows):
            up, down = (y - 1) % rows, (y + 1) % rows
            for x in range(columns):
                left = columns - 1 if x == 0 else x - 1
                right = 0 if x + 1 == columns else x + 1
                u, v = source[y, x, 0], source[y, x, 1]
                around_u = np.float32(0.2) * (
                    source[y, left, 0] + source[y, right, 0] + source[up, x, 0] + source[down, x, 0]
                ) + np.float32(0.05) * (
                    source[up, left, 0] + source[up, right, 0] + source[down, left, 0] + source[down, right, 0]
                )
                around_v = np.float32(0.2) * (
                    source[y, left, 1] + source[y, right, 1] + source[up, x, 1] + source[down, x, 1]
                ) + np.float32(0.05) * (
                    source[up, left, 1] + source[up, right, 1] + source[down, left, 1] + source[down, right, 1]
                )
                reaction = u * v * v
                out[y, x, 0] = u + (around_u - u) + np.float32(0.055) * (np.float32(1) - u) - reaction
                out[y, x, 1] = v + np.float32(0.5) * (around_v - v) + reaction - np.float32(0.117) * v

    return SimpleNamespace(
        saxpy=saxpy, mandelbrot=mandelbrot, blur5=blur5, nbody=nbody, reaction_diffusion=reaction_diffusion
    )
