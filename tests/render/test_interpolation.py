# SPDX-License-Identifier: MIT
"""Values between vertices, against rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from .rasterising import SAMPLES, Rasteriser, coverage_of, pm, snapped, weights_at

SIDE = 16
HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def rasteriser():
    return Rasteriser(SIDE)


@pytest.fixture(scope="module")
def triangle(rasteriser):
    """A triangle that goes into the distance: clip coordinates, its corners in the window, 1 / w, values."""
    w = np.float64([1, 5, 2.5])
    clip = rasteriser.clip([[0.5, 1.25], [15.25, 3.5], [4.75, 15.5]], z=[0.1, 0.9, 0.4], w=w)
    corners = [snapped(corner, SIDE) for corner in clip]
    inverse = [1 / Fraction(float(corner[3])) for corner in clip]
    values = np.float32([[1, 0, 0, 1], [7, 1, 0, 2], [-3, 0, 1, 3]])
    return clip, corners, inverse, values


def inside(triangle):
    covered = coverage_of(triangle[1], SIDE)
    assert covered.sum() > 40
    return [(x, y) for y, x in zip(*np.nonzero(covered), strict=True)]


def with_perspective(triangle, place, numbers):
    _, corners, inverse, _ = triangle
    weights = [b * w for b, w in zip(weights_at(corners, place), inverse, strict=True)]
    numbers = (Fraction(float(number)) for number in numbers)
    return float(sum(b * n for b, n in zip(weights, numbers, strict=True)) / sum(weights))


def on_the_screen(triangle, place, numbers):
    numbers = (Fraction(float(number)) if isinstance(number, (float, np.floating)) else number for number in numbers)
    return float(sum(b * n for b, n in zip(weights_at(triangle[1], place), numbers, strict=True)))


def test_perspective_even_and_flat(rasteriser, triangle):
    clip, _, _, values = triangle
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, values, fragment="kinds")
    for x, y in inside(triangle):
        place = (x + HALF, y + HALF)
        expected = [
            with_perspective(triangle, place, values[:, 0]),
            on_the_screen(triangle, place, values[:, 0]),
            1,
            with_perspective(triangle, place, values[:, 0]),  # one sample: the middle is the centroid
        ]
        np.testing.assert_allclose(got[y, x], expected, rtol=2e-6, atol=2e-6)


def test_position_is_of_the_window(rasteriser, triangle):
    clip, _, inverse, values = triangle
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, values, fragment="window")
    depths = [Fraction(float(corner[2])) / Fraction(float(corner[3])) for corner in clip]
    for x, y in inside(triangle):
        place = (x + HALF, y + HALF)
        expected = [x + 0.5, y + 0.5, on_the_screen(triangle, place, depths), on_the_screen(triangle, place, inverse)]
        np.testing.assert_allclose(got[y, x], expected, rtol=2e-6)


def test_barycentric_coordinates_whichever_way_the_triangle_turns(rasteriser, triangle):
    clip, _, _, values = triangle
    unit = np.eye(3)
    for order in ([0, 1, 2], [0, 2, 1], [2, 1, 0]):
        got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip[order], values, fragment="weights")
        for x, y in inside(triangle)[::5]:
            expected = [with_perspective(triangle, (x + HALF, y + HALF), unit[corner]) for corner in order]
            np.testing.assert_allclose(got[y, x, :3], expected, atol=2e-6)


def test_barycentric_coordinates_of_a_clipped_triangle(rasteriser):
    clip = np.float32([[-1, -1, -0.5, 1], [3, -1, 0.5, 1], [-1, 3, 0.5, 1]])
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, fragment="weights")
    seen = got[..., 3] == 1
    assert 100 < seen.sum() < SIDE * SIDE  # a corner is nearer than the near plane
    y, x = np.mgrid[:SIDE, :SIDE]
    b1, b2 = (x + 0.5) / (2 * SIDE), 1 - (y + 0.5) / (2 * SIDE) - 0.5
    expected = np.stack([1 - b1 - b2, b1, b2], -1)
    np.testing.assert_allclose(got[seen][:, :3], expected[seen], atol=1e-5)
    np.testing.assert_array_equal(seen, -0.5 + b1 + b2 >= 0)


def test_what_is_the_same_at_all_vertices_stays_so(rasteriser, triangle):
    clip = triangle[0]
    number = np.float32(0.1)
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, np.full((3, 4), number), fragment="value")
    for x, y in inside(triangle):
        assert (got[y, x] == number).all()


def test_derivatives_are_differences_in_quads(rasteriser):
    # value = 3 x + 5 y, over triangles that cut quads: helpers give the differences all the same.
    corners = np.float64([[1, 1], [14, 2], [3, 15]])
    values = np.zeros((3, 4))
    values[:, 0] = corners @ [3, 5]
    clip = rasteriser.clip(corners)
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, values, fragment="slopes")
    seen = got[..., 3] == 1
    assert seen.sum() > 50
    np.testing.assert_allclose(got[seen], np.tile([3, 5, 8, 1], (seen.sum(), 1)), rtol=1e-4)


def test_discarded_fragments_still_help(rasteriser):
    corners = np.float64([[0, 0], [32, 0], [0, 32]])
    values = np.zeros((3, 4))
    values[:, 0] = corners[:, 0]
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, rasteriser.clip(corners), values, fragment="holes")
    np.testing.assert_array_equal(got[:, ::2], 0)
    np.testing.assert_allclose(got[:, 1::2], 1, rtol=1e-5)


def test_centroid_values_are_taken_inside(rasteriser):
    corners = np.float64([[2, 2], [13, 4], [5, 13]])
    values = np.zeros((3, 4))
    values[:, 0] = corners[:, 0]  # value = x
    clip = rasteriser.clip(corners)
    triangle = [snapped(corner, SIDE) for corner in clip]
    covered = coverage_of(triangle, SIDE, 4)
    got = rasteriser.primitives(pm.PrimitiveType.Triangle, clip, values, fragment="kinds", samples=4)
    partly = 0
    for y in range(SIDE):
        for x in range(SIDE):
            bits = [bit for bit in range(4) if covered[y, x] >> bit & 1]
            place = Fraction(SAMPLES[4][bits[0]][0], 16) if 0 < len(bits) < 4 else HALF
            partly += 0 < len(bits) < 4
            expected = float(x + place) * len(bits) / 4
            np.testing.assert_allclose(got[y, x, 3], expected, rtol=1e-5, atol=1e-5)
    assert partly > 15


def test_a_line_is_interpolated_along_itself(rasteriser):
    clip = rasteriser.clip([[1.5, 4.5], [13.5, 4.5]])
    values = np.float32([[0, 0, 0, 1], [12, 0, 0, 1]])
    got = rasteriser.primitives(pm.PrimitiveType.Line, clip, values)
    np.testing.assert_allclose(got[4, 1:13, 0], np.arange(12), atol=1e-5)


def test_point_coordinates_go_from_corner_to_corner(rasteriser):
    clip = rasteriser.clip([[8, 6]])
    got = rasteriser.primitives(pm.PrimitiveType.Point, clip, size=8, fragment="sprite")
    seen = got[..., 3] == 1
    assert seen.sum() == 64
    y, x = np.mgrid[:SIDE, :SIDE]
    np.testing.assert_allclose(got[seen][:, 0], ((x + 0.5 - 4) / 8)[seen], atol=1e-6)
    np.testing.assert_allclose(got[seen][:, 1], ((y + 0.5 - 2) / 8)[seen], atol=1e-6)
