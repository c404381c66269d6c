# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Which levels are sampled: bias, gradients, clamps of the sampler and of the call, anisotropy."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

SOURCE = """
#include <metal_stdlib>
using namespace metal;
struct Slopes { float4 dx, dy; };
#define OVER(name, type, expression) \
    kernel void name(type t, sampler s, device const float4* at, device const Slopes* slopes, device const float2* n, \
                     device float* out, uint i [[thread_position_in_grid]]) \
    { float4 p = at[i]; float4 dx = slopes[i].dx, dy = slopes[i].dy; float b = n[i].x, least = n[i].y; out[i] = expression; }
OVER(bias2d, texture2d<float>, t.sample(s, p.xy, bias(b)).x)
OVER(bias_min2d, texture2d<float>, t.sample(s, p.xy, bias(b), min_lod_clamp(least)).x)
OVER(min2d, texture2d<float>, t.sample(s, p.xy, min_lod_clamp(least)).x)
OVER(plain2d, texture2d<float>, t.sample(s, p.xy).x)
OVER(level2d, texture2d<float>, t.sample(s, p.xy, level(b)).x)
OVER(grad2d, texture2d<float>, t.sample(s, p.xy, gradient2d(dx.xy, dy.xy)).x)
OVER(grad_min2d, texture2d<float>, t.sample(s, p.xy, gradient2d(dx.xy, dy.xy), min_lod_clamp(least)).x)
OVER(grad2d_array, texture2d_array<float>, t.sample(s, p.xy, 0, gradient2d(dx.xy, dy.xy)).x)
OVER(grad3d, texture3d<float>, t.sample(s, p.xyz, gradient3d(dx.xyz, dy.xyz)).x)
OVER(gradcube, texturecube<float>, t.sample(s, p.xyz, gradientcube(dx.xyz, dy.xyz)).x)
OVER(gradcube_min, texturecube<float>, t.sample(s, p.xyz, gradientcube(dx.xyz, dy.xyz), min_lod_clamp(least)).x)
OVER(grad_int, texture2d<int>, t.sample(s, p.xy, gradient2d(dx.xy, dy.xy)).x)
OVER(grad_depth, depth2d<float>, t.sample(s, p.xy, gradient2d(dx.xy, dy.xy)))
OVER(grad_compare, depth2d<float>, t.sample_compare(s, p.xy, 2.5, gradient2d(dx.xy, dy.xy)))
OVER(unclamped, texture2d<float>, t.calculate_unclamped_lod(s, p.xy))
"""


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def numbered(device, kind="2d", pixel_format="r32Float", size=64):
    """A texture whose level n holds n everywhere: what is sampled is the level of detail."""
    shape = {"2d": (size, size), "2d_array": (2, size, size), "3d": (size,) * 3, "cube": (6, size, size)}[kind]
    texture = device.empty_texture(shape, pixel_format, kind=kind, mipmaps=True)
    for level in range(texture.levels):
        texture.upload(np.full(texture.level_shape(level), level), level)
    return texture


def run(library, name, texture, sampler, at=None, dx=None, dy=None, numbers=None):
    given = next(x for x in (at, dx, dy, numbers) if x is not None)
    count = len(given)

    def four(x):
        x = np.full((count, 3), 0.4) if x is None else np.asarray(x, np.float64)
        return np.pad(x, ((0, 0), (0, 4 - x.shape[1]))).astype(np.float32)

    slopes = np.stack([four(np.zeros((count, 3)) if d is None else d) for d in (dx, dy)], 1)
    kernel = library[name]
    records = np.zeros(count, kernel.arguments["slopes"].dtype)
    records["dx"], records["dy"] = slopes[:, 0], slopes[:, 1]
    numbers = np.zeros((count, 2)) if numbers is None else np.asarray(numbers, np.float64)
    out = np.zeros(count, np.float32)
    kernel(texture, sampler, four(at), records, numbers.astype(np.float32), out, grid=count)
    return out


LINEAR = {"linear": True, "mip_filter": "linear"}


def test_without_a_choice_kernels_sample_level_0(device, library):
    texture = numbered(device)
    at = np.random.default_rng(0).random((64, 2)) * 9
    np.testing.assert_array_equal(run(library, "plain2d", texture, device.sampler(**LINEAR), at), 0)
    clamped = device.sampler(**LINEAR, lod_clamp=(2.5, 9))
    np.testing.assert_array_equal(run(library, "plain2d", texture, clamped, at), 2.5)


def test_bias_and_clamps(device, library):
    """clamp(clamp(bias, sampler's), option's, levels): the sampler clamps first, and NaN is level 0."""
    texture = numbered(device)
    b, least = (x.ravel() for x in np.meshgrid([-3, 0, 0.75, 2.5, 9, np.inf, -np.inf, np.nan], [0, 1.25, 3, 40]))
    numbers = np.stack([b, least], -1)
    base = np.where(np.isnan(b), 0, b)
    for low, high in ((0, np.inf), (1, 2), (0.5, 4.5)):
        sampler = device.sampler(**LINEAR, lod_clamp=(low, high))
        want = np.clip(np.clip(np.where(np.isnan(b), low, base), low, high), 0, 6)
        np.testing.assert_allclose(run(library, "bias2d", texture, sampler, numbers=numbers), want, atol=1e-5)
        np.testing.assert_allclose(run(library, "level2d", texture, sampler, numbers=numbers), want, atol=1e-5)
        want = np.clip(np.maximum(np.clip(np.where(np.isnan(b), low, base), low, high), least), 0, 6)
        np.testing.assert_allclose(run(library, "bias_min2d", texture, sampler, numbers=numbers), want, atol=1e-5)
        want = np.clip(np.maximum(np.clip(0, low, high), least), 0, 6)
        np.testing.assert_allclose(run(library, "min2d", texture, sampler, numbers=numbers), want, atol=1e-5)


@pytest.mark.parametrize("mip_filter", ["none", "nearest", "linear"])
def test_filters_between_levels(device, library, mip_filter):
    texture = numbered(device)
    lod = np.arange(-64, 512) / 64 + 1 / 256
    out = run(library, "level2d", texture, device.sampler(mip_filter=mip_filter), numbers=np.stack([lod, lod], -1))
    inside = np.clip(lod, 0, 6)
    want = {"none": 0 * lod, "nearest": np.floor(inside + 0.5), "linear": inside}[mip_filter]
    np.testing.assert_allclose(out, want, atol=1e-5)


def test_magnified_and_minified(device):
    """Level 0 itself and below is magnified, all else minified, each with its own filter."""
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<float> t, device float4* out, uint i [[thread_position_in_grid]])
        {
            constexpr sampler a(mag_filter::nearest, min_filter::linear), b(mag_filter::linear, min_filter::nearest);
            float lod = float(int(i) - 2) / 2;
            out[i] = float4(t.sample(a, 0.5, level(lod)).x, t.sample(b, 0.5, level(lod)).x,
                            t.sample(a, 0.5, bias(lod)).x, t.sample(b, 0.5, bias(lod)).x);
        }
    """)
    out = np.zeros((5, 4), np.float32)
    library["f"](device.texture(np.array([[0, 0], [0, 4]], np.float32)), out, grid=5)
    near, mixed = 4, 1
    np.testing.assert_array_equal(out, [[near, mixed] * 2] * 3 + [[mixed, near] * 2] * 2)


def slopes(rng, count, dims):
    dx, dy = rng.standard_normal((2, count, dims)) * 2.0 ** rng.uniform(-9, 1, (2, count, 1))
    dx[:4] = 0
    dy[:2] = 0
    return dx, dy


@pytest.mark.parametrize(
    ("name", "kind", "dims"), [("grad2d", "2d", 2), ("grad2d_array", "2d_array", 2), ("grad3d", "3d", 3)]
)
def test_gradients(device, library, rng, name, kind, dims):
    size = 32
    texture = numbered(device, kind, size=size)
    dx, dy = slopes(rng, 300, dims)
    out = run(library, name, texture, device.sampler(**LINEAR), dx=np.pad(dx, ((0, 0), (0, 3 - dims))),
              dy=np.pad(dy, ((0, 0), (0, 3 - dims))))  # fmt: skip
    dx, dy = dx.astype(np.float32).astype(np.float64), dy.astype(np.float32).astype(np.float64)
    with np.errstate(divide="ignore"):
        lod = np.log2(np.maximum(np.linalg.norm(dx, axis=1), np.linalg.norm(dy, axis=1)) * size)
    np.testing.assert_allclose(out, np.clip(lod, 0, 5), atol=2e-5)


def test_gradients_of_pictures_that_are_not_square(device, library):
    texture = device.empty_texture((16, 64), "r32Float", mipmaps=True)
    for level in range(texture.levels):
        texture.upload(np.full(texture.level_shape(level), level, np.float32), level)
    dx, dy = [(1 / 64, 0), (0, 1 / 16), (4 / 64, 0), (0, 4 / 16), (3 / 64, 1 / 4)], [(0, 0)] * 5
    out = run(library, "grad2d", texture, device.sampler(**LINEAR), dx=dx, dy=dy)
    np.testing.assert_allclose(out, [0, 0, 2, 2, np.log2(5)], atol=1e-5)
    np.testing.assert_array_equal(run(library, "grad2d", texture, device.sampler(**LINEAR), dx=dy, dy=dx), out)


def test_odd_gradients_take_the_smallest_level(device, library):
    odd = np.array([np.nan, np.inf, -np.inf, 1e30])
    dx = np.zeros((16, 2))
    dy = np.zeros((16, 2))
    for n, value in enumerate(odd):
        dx[4 * n, 0] = dx[4 * n + 1, 1] = dy[4 * n + 2, 0] = dy[4 * n + 3, 1] = value
    sampler = device.sampler(**LINEAR)
    np.testing.assert_array_equal(run(library, "grad2d", numbered(device), sampler, dx=dx, dy=dy), 6)


def test_gradients_with_a_least_level_and_of_other_types(device, library, rng):
    dx, dy = slopes(rng, 100, 2)
    least = rng.uniform(0, 4, 100)
    sampler = device.sampler(**LINEAR)
    texture = numbered(device)
    plain = run(library, "grad2d", texture, sampler, dx=dx, dy=dy)
    out = run(library, "grad_min2d", texture, sampler, dx=dx, dy=dy, numbers=np.stack([least, least], -1))
    np.testing.assert_allclose(out, np.maximum(plain, least), atol=1e-5)
    nearest = device.sampler(False, mip_filter="nearest")
    whole = run(library, "grad_int", numbered(device, pixel_format="r32Sint"), nearest, dx=dx, dy=dy)
    np.testing.assert_array_equal(whole, run(library, "grad2d", texture, nearest, dx=dx, dy=dy))
    depths = numbered(device, pixel_format="depth32Float")
    np.testing.assert_array_equal(run(library, "grad_depth", depths, sampler, dx=dx, dy=dy), plain)
    compare = device.sampler(False, mip_filter="nearest", compare="less")
    np.testing.assert_array_equal(run(library, "grad_compare", depths, compare, dx=dx, dy=dy), whole > 2.5)


def test_gradients_of_cubes(device, library, rng):
    """The level that the same gradient has on the face, by differences in float64."""
    size = 32
    texture = numbered(device, "cube", size=size)
    at = rng.standard_normal((200, 3))
    at[:, 0] += np.sign(at[:, 0]) * 0.5
    d = rng.standard_normal((2, 200, 3)) * 2.0 ** rng.uniform(-8, -1, (2, 200, 1))
    out = run(library, "gradcube", texture, device.sampler(**LINEAR), at=at, dx=d[0], dy=d[1])

    major = np.abs(at).argmax(1)
    others = np.array([[1, 2], [0, 2], [0, 1]])[major]
    rows = np.arange(200)[:, None]

    def on_face(v):
        return v[rows, others] / v[np.arange(200), major][:, None] * 0.5 * size

    step = 1e-6
    lengths = [np.linalg.norm((on_face(at + step * s) - on_face(at)) / step, axis=1) for s in d]
    lod = np.log2(np.maximum(*lengths))
    np.testing.assert_allclose(out, np.clip(lod, 0, 5), atol=1e-3)
    numbers = np.full((200, 2), 3.25)
    least = run(library, "gradcube_min", texture, device.sampler(**LINEAR), at=at, dx=d[0], dy=d[1], numbers=numbers)
    np.testing.assert_allclose(least, np.maximum(out, 3.25), atol=1e-6)


def test_anisotropy(device, library):
    """A long footprint is sampled along its length, at the level of its width; not longer than the sampler allows."""
    texture = numbered(device)
    long = [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (64, 1), (8, 8), (4, 2), (1, 8), (1, 32)]
    dx = np.array([(a / 64, 0) for a, _ in long])
    dy = np.array([(0, b / 64) for _, b in long])
    for most in (1, 2, 4, 8, 16):
        out = run(library, "grad2d", texture, device.sampler(**LINEAR, max_anisotropy=most), dx=dx, dy=dy)
        want = [np.log2(max(a, b) / min(most, max(a, b) / min(a, b))) for a, b in long]
        np.testing.assert_allclose(out, np.clip(want, 0, 6), atol=1e-4)
    # Stripes across the long axis average out along it, and stay what they are along the short one.
    stripes = np.zeros((64, 64), np.float32)
    stripes[:, ::2] = 1
    picture = device.empty_texture((64, 64), "r32Float", mipmaps=True)
    picture.upload(stripes)
    picture.generate_mipmaps()
    at = np.array([[20.5 / 64, 0.5]])
    sampler = device.sampler(**LINEAR, max_anisotropy=16)
    along = run(library, "grad2d", picture, sampler, at, dx=[(16 / 64, 0)], dy=[(0, 1 / 64)])
    across = run(library, "grad2d", picture, sampler, at, dx=[(1 / 64, 0)], dy=[(0, 16 / 64)])
    np.testing.assert_allclose([along[0], across[0]], [0.5, 1], atol=0.02)


def test_generated_levels_are_means(device, rng):
    picture = rng.integers(0, 200, (8, 8, 4)).astype(np.float32)
    texture = device.texture(picture, mipmaps=True)
    assert texture.levels == 4
    level = picture
    for number in range(1, 4):
        level = level.reshape(level.shape[0] // 2, 2, level.shape[1] // 2, 2, 4).mean((1, 3))
        np.testing.assert_allclose(texture.download(number), level, rtol=1e-6)
    faces = rng.integers(0, 200, (6, 4, 4)).astype(np.float32)
    cube = device.texture(faces, kind="cube", mipmaps=2)
    np.testing.assert_allclose(cube.download(1), faces.reshape(6, 2, 2, 2, 2).mean((2, 4)), rtol=1e-6)
