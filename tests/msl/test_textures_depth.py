# SPDX-License-Identifier: MIT
"""Gathering, and comparing with depths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mtlpy_nb

from . import texture_reference as reference
from .texture_reference import Sampling

SOURCE = """
#include <metal_stdlib>
using namespace metal;
#define OVER(name, type, result, expression) \
    kernel void name(type t, sampler s, device const float4* at, device const float* ref, constant int4& shift, \
                     device result* out, uint i [[thread_position_in_grid]]) \
    { float4 p = at[i]; float r = ref[i]; out[i] = expression; }
OVER(gather_x, texture2d<float>, float4, t.gather(s, p.xy, shift.xy))
OVER(gather_y, texture2d<float>, float4, t.gather(s, p.xy, shift.xy, component::y))
OVER(gather_z, texture2d<float>, float4, t.gather(s, p.xy, shift.xy, component::z))
OVER(gather_w, texture2d<float>, float4, t.gather(s, p.xy, shift.xy, component::w))
OVER(gather_slice, texture2d_array<float>, float4, t.gather(s, p.xy, uint(p.w), shift.xy, component::z))
OVER(gather_cube, texturecube<float>, float4, t.gather(s, p.xyz, component::y))
OVER(gather_cubes, texturecube_array<float>, float4, t.gather(s, p.xyz, uint(p.w), component::y))
OVER(gather_int, texture2d<int>, int4, t.gather(s, p.xy, shift.xy, component::y))
OVER(gather_depth, depth2d<float>, float4, t.gather(s, p.xy, shift.xy))
OVER(compare, depth2d<float>, float, t.sample_compare(s, p.xy, r, shift.xy))
OVER(compare_level, depth2d<float>, float, t.sample_compare(s, p.xy, r, level(p.w), shift.xy))
OVER(compare_slice, depth2d_array<float>, float, t.sample_compare(s, p.xy, uint(p.w), r))
OVER(compare_cube, depthcube<float>, float, t.sample_compare(s, p.xyz, r))
OVER(compare_cubes, depthcube_array<float>, float, t.sample_compare(s, p.xyz, uint(p.w), r))
OVER(gather_compare, depth2d<float>, float4, t.gather_compare(s, p.xy, r, shift.xy))
OVER(gather_compare_slice, depth2d_array<float>, float4, t.gather_compare(s, p.xy, uint(p.w), r))
OVER(gather_compare_cube, depthcube<float>, float4, t.gather_compare(s, p.xyz, r))
OVER(sample_depth, depth2d<float>, float, t.sample(s, p.xy, level(p.w), shift.xy))
OVER(sample_depths, depth2d_array<float>, float, t.sample(s, p.xy, uint(p.w)))
OVER(sample_cube, depthcube<float>, float, t.sample(s, p.xyz))
"""
COMPARES = {
    "never": lambda r, d: np.zeros_like(d, bool),
    "less": np.less,
    "equal": np.equal,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "not_equal": np.not_equal,
    "greater_equal": np.greater_equal,
    "always": lambda r, d: np.ones_like(d, bool),
}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def run(library, name, texture, sampler, at, ref=None, shift=(0, 0), dtype=np.float32):
    count = len(at)
    lanes = 4 if name.startswith("gather") else 1
    out = np.zeros((count, lanes) if lanes > 1 else count, dtype)
    ref = np.zeros(count, np.float32) if ref is None else ref
    library[name](
        texture, sampler, np.asarray(at, np.float32), ref, np.array([*shift, 0, 0], np.int32), out, grid=count
    )
    return out


def corners(image, at, mode, shift=(0, 0)):
    """Of an image (height, width): what a linear filter mixes, as `gather` orders it."""
    height, width = image.shape
    x = np.floor(at[:, 0] * width - 0.5).astype(int) + shift[0]
    y = np.floor(at[:, 1] * height - 0.5).astype(int) + shift[1]
    picked = [
        image[reference.wrap(y + dy, height, mode), reference.wrap(x + dx, width, mode)]
        for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0))
    ]
    return np.stack(picked, -1)


def shares(image, at):
    height, width = image.shape
    x, y = at[:, 0] * width - 0.5, at[:, 1] * height - 0.5
    a, b = x - np.floor(x), y - np.floor(y)
    return np.stack([(1 - a) * b, a * b, a * (1 - b), (1 - a) * (1 - b)], -1)


def places(rng, count=200):
    at = rng.uniform(-1.2, 2.2, (count, 4))
    at = np.round(at * 1000) / 1000 + 0.00037  # off the borders between texels of the sizes used here
    return at.astype(np.float32)


@pytest.mark.parametrize("mode", ["clamp_to_edge", "repeat", "mirrored_repeat"])
@pytest.mark.parametrize("component", range(4))
def test_gather_orders_four_texels(device, library, rng, mode, component):
    image = rng.integers(0, 99, (5, 7, 4)).astype(np.float32)
    at, shift = places(rng), (2, -3)
    out = run(
        library, f"gather_{'xyzw'[component]}", device.texture(image), device.sampler(address=mode), at, shift=shift
    )
    np.testing.assert_array_equal(out, corners(image[..., component], at.astype(np.float64), mode, shift))


def test_gather_of_slices_integers_and_depths(device, library, rng):
    at = places(rng)
    at[:, 3] = rng.integers(0, 5, len(at))
    slices = rng.integers(0, 99, (3, 5, 7, 4)).astype(np.float32)
    out = run(library, "gather_slice", device.texture(slices, kind="2d_array"), device.sampler(), at)
    every = np.stack([corners(s[..., 2], at.astype(np.float64), "clamp_to_edge") for s in slices])
    np.testing.assert_array_equal(out, every[np.minimum(at[:, 3].astype(int), 2), np.arange(len(at))])
    whole = rng.integers(-99, 99, (5, 7, 4)).astype(np.int32)
    out = run(library, "gather_int", device.texture(whole, "rgba32Sint"), device.sampler(), at, dtype=np.int32)
    np.testing.assert_array_equal(out, corners(whole[..., 1], at.astype(np.float64), "clamp_to_edge"))
    depth = rng.random((5, 7), np.float32)
    out = run(library, "gather_depth", device.texture(depth, "depth32Float"), device.sampler(), at, shift=(-1, 1))
    np.testing.assert_array_equal(out, corners(depth, at.astype(np.float64), "clamp_to_edge", (-1, 1)))


def test_gather_across_seams(device, library, rng):
    faces = rng.integers(0, 99, (2, 6, 4, 4, 4)).astype(np.float32)
    at = np.pad(rng.standard_normal((100, 3)), ((0, 0), (0, 1)))
    at[:, 3] = rng.integers(0, 2, 100)
    at = at.astype(np.float32)
    face, place = reference.project(at[:, :3].astype(np.float64))
    begin = np.floor(place * 4 - 0.5).astype(int)
    for name, texture, cubes in (
        ("gather_cube", device.texture(faces[0], kind="cube"), np.zeros(100, int)),
        ("gather_cubes", device.texture(faces, kind="cube_array"), at[:, 3].astype(int)),
    ):
        out = run(library, name, texture, device.sampler(), at)
        for i in range(100):
            want = [
                reference.cube_texel(faces[cubes[i]], face[i], begin[i, 0] + dx, begin[i, 1] + dy)[1]
                for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0))
            ]
            np.testing.assert_allclose(out[i], want, rtol=1e-6)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("compare", COMPARES)
def test_compare(device, library, rng, compare, linear):
    depth = rng.integers(0, 5, (6, 9)).astype(np.float32) / 4
    texture = device.texture(depth, "depth32Float")
    at, ref = places(rng), (rng.integers(0, 5, 200) / 4).astype(np.float32)
    sampler = device.sampler(linear, compare=compare, address="repeat")
    exact = at.astype(np.float64)
    passed = COMPARES[compare](ref[:, None], corners(depth, exact, "repeat", (1, -1))).astype(float)
    np.testing.assert_array_equal(run(library, "gather_compare", texture, sampler, at, ref, (1, -1)), passed)
    out = run(library, "compare", texture, sampler, at, ref, (1, -1))
    if linear:
        np.testing.assert_allclose(out, (passed * shares(depth, exact)).sum(1), atol=1e-5)
    else:
        texel = reference.sample_image(
            np.repeat(depth[..., None], 4, -1).astype(np.float64),
            exact[:, :2],
            Sampling(False, ("repeat",) * 3),
            (1, -1),
        )[:, 0]
        np.testing.assert_array_equal(out, COMPARES[compare](ref, texel))


def test_compare_of_slices_levels_and_cubes(device, library, rng):
    at, ref = places(rng), rng.random(200).astype(np.float32)
    at[:, 3] = rng.integers(0, 3, 200)
    sampler = device.sampler(compare="less_equal")
    slices = rng.random((3, 4, 4), np.float32)
    out = run(library, "compare_slice", device.texture(slices, "depth32Float", kind="2d_array"), sampler, at, ref)
    exact, which = at.astype(np.float64), at[:, 3].astype(int)
    every = np.stack([(ref[:, None] <= corners(s, exact, "clamp_to_edge")) for s in slices])[which, np.arange(200)]
    np.testing.assert_allclose(out, (every * shares(slices[0], exact)).sum(1), atol=1e-5)
    gathered = run(
        library, "gather_compare_slice", device.texture(slices, "depth32Float", kind="2d_array"), sampler, at, ref
    )
    np.testing.assert_array_equal(gathered, every)

    levels = [rng.random((8 >> n, 8 >> n), np.float32) for n in range(3)]
    texture = device.empty_texture((8, 8), "depth32Float", mipmaps=3)
    for number, level in enumerate(levels):
        texture.upload(level, number)
    sampler = device.sampler(compare="less_equal", mip_filter="nearest")
    out = run(library, "compare_level", texture, sampler, at, ref)
    each = [((ref[:, None] <= corners(s, exact, "clamp_to_edge")) * shares(s, exact)).sum(1) for s in levels]
    np.testing.assert_allclose(out, np.stack(each)[which, np.arange(200)], atol=1e-5)

    faces = rng.random((2, 6, 4, 4), np.float32)
    at[:, :3] = rng.standard_normal((200, 3))
    at[:, 3] = rng.integers(0, 2, 200)
    texture = device.texture(faces, "depth32Float", kind="cube_array")
    sampler = device.sampler(compare="greater")
    out = run(library, "compare_cubes", texture, sampler, at, ref)
    for i in range(200):
        passed = (ref[i] > np.repeat(faces[int(at[i, 3]), ..., None], 4, -1)).astype(float)
        want = reference.sample_cube_image(passed, at[i : i + 1, :3].astype(np.float64), Sampling())[0, 0]
        assert abs(out[i] - want) < 1e-5
    single = run(library, "compare_cube", device.texture(faces[0], "depth32Float", kind="cube"), sampler, at, ref)
    chosen = at[:, 3] == 0
    np.testing.assert_array_equal(single[chosen], out[chosen])
    gathered = run(
        library, "gather_compare_cube", device.texture(faces[0], "depth32Float", kind="cube"), sampler, at, ref
    )
    assert set(np.unique(gathered)) <= {
        0,
        np.float32(1) / 3,
        np.float32(2) / 3,
        1,
        np.float32(1 / 3),
        np.float32(2 / 3),
    }


def test_a_reference_is_clamped_for_depths_of_16_bits(device, library):
    """As the depths are: 0 to 1."""
    depth = np.array([[0, 65535]], np.uint16)
    at = np.array([(0.25, 0.5, 0, 0), (0.75, 0.5, 0, 0)] * 2, np.float32)
    ref = np.array([-3, 7, -3, 7], np.float32)
    sampler = device.sampler(False, compare="equal")
    np.testing.assert_array_equal(run(library, "compare", device.texture(depth, "depth16Unorm"), sampler, at, ref), 1)
    whole = device.texture(depth.astype(np.float32) / 65535, "depth32Float")
    np.testing.assert_array_equal(run(library, "compare", whole, sampler, at, ref), 0)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), linear=st.booleans(), mip=st.sampled_from(["none", "nearest", "linear"]))
def test_depths_are_sampled_as_colors_are(device, library, seed, linear, mip):
    rng = np.random.default_rng(seed)
    levels = [rng.random((8 >> n, 4 >> n, 1), np.float32) for n in range(2)]
    texture = device.empty_texture((8, 4), "depth32Float", mipmaps=2)
    for number, level in enumerate(levels):
        texture.upload(level[..., 0], number)
    at = places(rng, 50)
    out = run(library, "sample_depth", texture, device.sampler(linear, mip_filter=mip), at)
    images = [np.repeat(level, 4, -1).astype(np.float64) for level in levels]
    exact = at.astype(np.float64)
    want = reference.sample(images, exact[:, :2], exact[:, 3], Sampling(linear, mip_filter=mip))[:, 0]
    np.testing.assert_allclose(out, want, atol=1e-4)
    np.testing.assert_array_equal(
        run(library, "sample_depths", device.texture(levels[0][None, ..., 0], "depth32Float", kind="2d_array"),
            device.sampler(linear), at),
        run(library, "sample_depth", device.texture(levels[0][..., 0], "depth32Float"), device.sampler(linear), at),
    )  # fmt: skip
