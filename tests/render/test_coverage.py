# SPDX-License-Identifier: MIT
"""Which samples are covered, against rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from .rasterising import SAMPLES, Rasteriser, coverage_of, leaves_diamond, pm, snapped

SIDE = 32


@pytest.fixture(scope="module")
def rasteriser():
    return Rasteriser(SIDE)


def random_corners(rng, count, *, reach=8):
    """Places in the window; half of them on quarters of pixels, so that samples lie on edges."""
    places = rng.uniform(-reach, SIDE + reach, (count, 3, 2))
    places[::2] = np.round(places[::2] * 4) / 4
    return places


@pytest.mark.parametrize("samples", [1, 2, 4, 8])
def test_triangles_cover_the_samples_inside(rasteriser, samples):
    rng = np.random.default_rng(samples)
    clip = rasteriser.clip(random_corners(rng, 24))
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, samples=samples, counts=True)
    expected = np.zeros((SIDE, SIDE))
    for triangle in clip:
        covered = coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE, samples)
        expected += [[bits.bit_count() for bits in row] for row in covered.tolist()]
    np.testing.assert_array_equal(got[..., 0], expected / samples)


def test_positions_are_rounded_once_after_the_division_by_w(rasteriser):
    rng = np.random.default_rng(9)
    clip = rasteriser.clip(random_corners(rng, 16), w=rng.uniform(0.1, 20, (16, 3)))
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, counts=True)
    expected = sum(coverage_of([snapped(corner, SIDE) for corner in triangle], SIDE) for triangle in clip)
    np.testing.assert_array_equal(got[..., 0], expected)


@pytest.mark.parametrize("samples", [1, 4])
def test_a_net_of_triangles_covers_each_sample_once(rasteriser, samples):
    rng = np.random.default_rng(3)
    cells = 7
    places = np.stack(np.meshgrid(np.linspace(0, SIDE, cells + 1), np.linspace(0, SIDE, cells + 1)), -1)
    places[1:-1, 1:-1] += rng.uniform(-1.5, 1.5, (cells - 1, cells - 1, 2))
    numbers = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    a, b, c, d = numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, :-1], numbers[1:, 1:]
    indices = np.stack([a, b, c, c, b, d], -1).ravel().astype(np.uint32)
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, rasteriser.clip(places), indices=indices, counts=True,
                                samples=samples)  # fmt: skip
    np.testing.assert_array_equal(got, 1)


def test_lines_cover_the_pixels_whose_diamonds_they_leave(rasteriser):
    rng = np.random.default_rng(5)
    places = rng.uniform(2, SIDE - 2, (30, 2, 2))
    places[::2] = np.round(places[::2] * 2) / 2
    clip = rasteriser.clip(places)
    got = rasteriser.primitives(pm.PrimitiveType.Line, clip, counts=True)
    expected = np.zeros((SIDE, SIDE))
    for line in clip:
        ends = [snapped(end, SIDE) for end in line]
        low, high = ([int(f(p[axis] for p in ends)) for axis in (0, 1)] for f in (min, max))
        for y in range(max(0, low[1] - 1), min(SIDE, high[1] + 2)):
            for x in range(max(0, low[0] - 1), min(SIDE, high[0] + 2)):
                expected[y, x] += ends[0] != ends[1] and leaves_diamond(ends, x, y)
    np.testing.assert_array_equal(got[..., 0], expected)


def test_a_strip_of_lines_covers_its_joints_once(rasteriser):
    turn = np.linspace(0.1, 2.9, 20)
    places = np.stack([4 + turn * 8, 4 + turn * 3], -1)  # one straight line in pieces
    got = rasteriser.primitives(pm.PrimitiveType.LineStrip, rasteriser.clip(places), counts=True)
    assert got[..., 0].max() == 1


@pytest.mark.parametrize("samples", [1, 4])
def test_points_are_squares(rasteriser, samples):
    rng = np.random.default_rng(6)
    for size in (1.0, 2.5, 7.0):
        clip = rasteriser.clip(np.round(rng.uniform(-2, SIDE + 2, (12, 2)) * 8) / 8)
        inside = (np.abs(clip[:, :2]) <= 1).all(1)  # others' middles are outside of the view
        got = rasteriser.primitives(pm.PrimitiveType.Point, clip, size=size, samples=samples, counts=True)
        expected = np.zeros((SIDE, SIDE))
        for corner in clip[inside]:
            x, y = snapped(corner, SIDE)
            half = Fraction(size) / 2
            for sx, sy in SAMPLES[samples]:
                columns = [x - half <= px + Fraction(sx, 16) < x + half for px in range(SIDE)]
                rows = [y - half <= py + Fraction(sy, 16) < y + half for py in range(SIDE)]
                expected += np.outer(rows, columns)
        np.testing.assert_array_equal(got[..., 0], expected / samples)


def test_huge_triangles_are_cut_at_the_guard_band(rasteriser):
    clip = np.float32([[-1e6, -1e6, 0, 1], [3e6, -1e6, 0, 1], [-1e6, 3e6, 0, 1]])
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, counts=True)
    np.testing.assert_array_equal(got, 1)
