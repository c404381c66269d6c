# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Sampling of every type against a reference in NumPy: filters, address modes, levels, cubes and their seams."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mtlpy_nb

from . import texture_reference as reference
from .texture_reference import Sampling

MODES = ["clamp_to_edge", "repeat", "mirrored_repeat", "clamp_to_zero", "clamp_to_border"]
SOURCE = """
#include <metal_stdlib>
using namespace metal;
#define SAMPLE(name, type, ...) \
    kernel void name(type t, sampler s, device const float4* at, device const float* lod, constant int4& shift, \
                     device float4* out, uint i [[thread_position_in_grid]]) \
    { float4 p = at[i]; out[i] = t.sample(s, __VA_ARGS__); }
SAMPLE(s1d, texture1d<float>, p.x)
SAMPLE(s1d_array, texture1d_array<float>, p.x, uint(p.w))
SAMPLE(s2d, texture2d<float>, p.xy, level(lod[i]), shift.xy)
SAMPLE(s2d_array, texture2d_array<float>, p.xy, uint(p.w), level(lod[i]), shift.xy)
SAMPLE(s3d, texture3d<float>, p.xyz, level(lod[i]), shift.xyz)
SAMPLE(scube, texturecube<float>, p.xyz, level(lod[i]))
SAMPLE(scube_array, texturecube_array<float>, p.xyz, uint(p.w), level(lod[i]))
"""
AXES = {"1d": 1, "1d_array": 1, "2d": 2, "2d_array": 2, "3d": 3}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    return device.library(SOURCE)


def samplings(dims):
    normalized = st.builds(
        Sampling,
        linear=st.booleans(),
        address=st.tuples(*[st.sampled_from(MODES)] * 3),
        mip_filter=st.sampled_from(["none", "nearest", "linear"]) if dims > 1 else st.just("none"),
        border_color=st.sampled_from(["transparent_black", "opaque_black", "opaque_white"]),
        lod_clamp=st.sampled_from([(0, np.inf), (1, 2), (0.5, 1.25)]),
        reduction=st.sampled_from(["weighted_average", "weighted_average", "minimum", "maximum"]),
    )
    pixels = st.builds(
        Sampling,
        linear=st.booleans(),
        address=st.tuples(*[st.sampled_from(["clamp_to_edge", "clamp_to_zero", "clamp_to_border"])] * 3),
        border_color=st.sampled_from(["transparent_black", "opaque_black", "opaque_white"]),
        normalized=st.just(False),
    )
    return st.one_of(normalized, normalized, pixels)


def levels_of(rng, kind, sizes, count):
    """Random pixels of each level: integers, so that sums of a few are exact."""
    dims = AXES.get(kind, 2)
    slices = {"1d_array": (3,), "2d_array": (3,), "cube": (6,), "cube_array": (2, 6)}.get(kind, ())
    shapes = [(*slices, *(max(1, size >> level) for size in sizes[:dims])) for level in range(count)]
    return [rng.integers(-16, 16, (*shape, 4)).astype(np.float32) for shape in shapes]


def texture_of(device, kind, levels, pixel_format="rgba32Float"):
    texture = device.empty_texture(levels[0].shape[:-1], pixel_format, kind=kind, mipmaps=len(levels))
    for number, pixels in enumerate(levels):
        texture.upload(pixels, number)
    return texture


def off_boundaries(at, sizes, s):
    """Coordinates moved off the places where rounding decides which texel is nearest."""
    at = at.astype(np.float64)
    for axis, size in enumerate(sizes):
        scale = size if s.normalized else 1
        for level_scale in (1, 2, 4, 8):
            texels = at[:, axis] * scale / level_scale
            near = np.abs(texels - np.round(texels)) < 2e-3
            at[:, axis] += near * 4e-3 * level_scale / scale
    return at.astype(np.float32)


@pytest.mark.parametrize("kind", AXES)
@settings(max_examples=60)
@given(data=st.data())
def test_random_samples(device, library, kind, data):
    dims = AXES[kind]
    s = data.draw(samplings(dims))
    sizes = data.draw(st.tuples(*[st.sampled_from([1, 2, 3, 4, 7, 8, 13])] * 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    count = 1 if dims == 1 else min(data.draw(st.integers(1, 4)), max(sizes[:dims]).bit_length())
    offset = tuple(data.draw(st.tuples(*[st.integers(-8, 7)] * 3))) if dims > 1 else (0, 0, 0)
    levels = levels_of(rng, kind, sizes, count)
    along = list(reversed(levels[0].shape[-1 - dims : -1]))
    at = rng.uniform(-2.5, 3.5, (150, 3)) if s.normalized else rng.uniform(-20, 30, (150, 3))
    at = np.pad(off_boundaries(at, along, s), ((0, 0), (0, 1)))
    at[:, 3] = rng.integers(0, 5, len(at))  # slices beyond the last, too
    lod = (rng.integers(-32, 160, len(at)) / 32 + 1 / 256).astype(np.float32)
    out = np.zeros((len(at), 4), np.float32)
    library[f"s{kind}"](
        texture_of(device, kind, levels), s.bound(device), at, lod, np.array([*offset, 0], np.int32), out, grid=len(at)
    )
    if kind in ("1d", "1d_array"):
        lod = np.zeros_like(lod)
    exact = [level.astype(np.float64) for level in levels]
    coordinates = at[:, :dims].astype(np.float64)
    if kind.endswith("array"):
        expected = reference.sample_slices(exact, coordinates, at[:, 3].astype(int), lod, s, offset)
    else:
        expected = reference.sample(exact, coordinates, lod, s, offset)
    # 1/256 of a texel, of values that are up to 32 apart, is 0.125; rounding stays far below.
    np.testing.assert_allclose(out, expected, atol=2e-3)


def directions_of(rng, count):
    """Random directions, and many at and about the edges and corners of the cube."""
    free = rng.standard_normal((count, 3))
    edges = rng.choice([-1.0, 1.0, 0.999, -0.999, 0.97, -0.97], (count, 3)) * rng.uniform(0.1, 9, (count, 1))
    edges[:, 0] *= rng.choice([1, 0.3, -0.7], count)
    return np.concatenate([free, edges]).astype(np.float32)


@pytest.mark.parametrize("kind", ["cube", "cube_array"])
@settings(max_examples=40)
@given(data=st.data())
def test_random_samples_of_cubes(device, library, kind, data):
    s = Sampling(
        linear=data.draw(st.booleans()),
        mip_filter=data.draw(st.sampled_from(["none", "nearest", "linear"])),
        reduction=data.draw(st.sampled_from(["weighted_average", "weighted_average", "minimum", "maximum"])),
        address=(data.draw(st.sampled_from(MODES)),) * 3,  # of no meaning to a cube
    )
    size = data.draw(st.sampled_from([1, 2, 3, 4, 8]))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    levels = levels_of(rng, kind, (size, size), min(data.draw(st.integers(1, 3)), size.bit_length()))
    at = np.pad(directions_of(rng, 60), ((0, 0), (0, 1)))
    at[:, 3] = rng.integers(0, 3, len(at))
    if not s.linear:  # rounding decides on the borders of texels
        _, places = reference.project(at[:, :3].astype(np.float64))
        texels = np.concatenate([places * (size >> level or 1) for level in range(len(levels))], axis=1)
        inner = np.abs(texels - np.round(texels)) > 1e-3
        at = at[np.all(inner, axis=1)]
    lod = (rng.integers(-32, 100, len(at)) / 32 + 1 / 256).astype(np.float32)
    out = np.zeros((len(at), 4), np.float32)
    shift = np.zeros(4, np.int32)
    library[f"s{kind}"](texture_of(device, kind, levels), s.bound(device), at, lod, shift, out, grid=len(at))
    cubes = [level.reshape(-1, *level.shape[-4:]).astype(np.float64) for level in levels]
    directions = at[:, :3].astype(np.float64)
    each = [reference.sample_cube([c[n] for c in cubes], directions, lod, s) for n in range(len(cubes[0]))]
    expected = np.stack(each)[np.minimum(at[:, 3].astype(int), len(each) - 1), np.arange(len(at))]
    np.testing.assert_allclose(out, expected, atol=2e-3)


def test_faces_of_directions(device, library):
    """Each of the 26 directions to a face, edge or corner: z before y before x."""
    faces = np.repeat(np.arange(6, dtype=np.float32), 4).reshape(6, 1, 1, 4)
    grid = np.array([d for d in np.ndindex(3, 3, 3) if d != (1, 1, 1)], np.float32) - 1
    out = np.zeros((26, 4), np.float32)
    library["scube"](
        device.texture(faces, kind="cube"), device.sampler(linear=False), np.pad(grid, ((0, 0), (0, 1))),
        np.zeros(26, np.float32), np.zeros(4, np.int32), out, grid=26,
    )  # fmt: skip
    expected = [
        (4 if z > 0 else 5) if z else (2 if y > 0 else 3) if y else (0 if x > 0 else 1) for x, y, z in grid.tolist()
    ]
    np.testing.assert_array_equal(out[:, 0], expected)


def test_orientation_of_faces(device, library):
    """The middle of a face's upper left quarter, by the specification's drawing of a cube."""
    rng = np.random.default_rng(7)
    faces = rng.integers(0, 99, (6, 2, 2, 4)).astype(np.float32)
    upper_left = {
        0: (1, 0.5, 0.5), 1: (-1, 0.5, -0.5), 2: (-0.5, 1, -0.5), 3: (-0.5, -1, 0.5), 4: (-0.5, 0.5, 1), 5: (0.5, 0.5, -1)
    }  # fmt: skip
    at = np.array([(*upper_left[face], 0) for face in range(6)], np.float32)
    out = np.zeros((6, 4), np.float32)
    library["scube"](
        device.texture(faces, kind="cube"), device.sampler(linear=False), at, np.zeros(6, np.float32),
        np.zeros(4, np.int32), out, grid=6,
    )  # fmt: skip
    np.testing.assert_array_equal(out, faces[:, 0, 0])


@pytest.mark.parametrize("mode", [*MODES, "mirror_clamp_to_edge"])
@pytest.mark.parametrize("linear", [False, True])
def test_exactly_on_the_edges(device, library, mode, linear):
    """Multiples of a quarter texel are exact in a float, and so must be the choice of texels and the weights."""
    s = Sampling(linear, (mode,) * 3, border_color="opaque_white")
    rng = np.random.default_rng(3)
    image = rng.integers(0, 64, (4, 8, 4)).astype(np.float32)
    x, y = np.meshgrid(np.arange(-80, 120) / 32, np.arange(-16, 32) / 16)
    at = np.zeros((x.size, 4), np.float32)
    at[:, 0], at[:, 1] = x.ravel(), y.ravel()
    out = np.zeros((len(at), 4), np.float32)
    lod = np.zeros(len(at), np.float32)
    library["s2d"](device.texture(image), s.bound(device), at, lod, np.zeros(4, np.int32), out, grid=len(at))
    expected = reference.sample([image.astype(np.float64)], at[:, :2].astype(np.float64), lod, s)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("kind", [*AXES, "cube", "cube_array"])
@pytest.mark.parametrize("mode", MODES)
def test_no_number_is_too_odd(device, library, kind, mode):
    """Infinities, NaN and huge coordinates and levels give some texel, and harm nothing."""
    odd = np.array([np.inf, -np.inf, np.nan, 3e38, -3e38, 1e-45, -0.0, 2147483648.0, 16777217.0, 0.5], np.float32)
    at = np.array(np.meshgrid(odd, odd, odd, [0.0, 3e9], indexing="ij"), np.float32).reshape(4, -1).T.copy()
    lod = np.resize(odd, len(at))
    levels = levels_of(np.random.default_rng(5), kind, (4, 4, 4), 1 if AXES.get(kind) == 1 else 3)
    for linear in (False, True):
        s = Sampling(linear, (mode,) * 3, "linear" if len(levels) > 1 else "none", "opaque_white")
        out = np.full((len(at), 4), 99, np.float32)
        library[f"s{kind}"](
            texture_of(device, kind, levels), s.bound(device), at, lod, np.zeros(4, np.int32), out, grid=len(at)
        )
        assert np.all(np.abs(out) <= 16.001)


@example(Sampling(True, ("clamp_to_border", "repeat", "clamp_to_edge"), "linear", "opaque_white", lod_clamp=(0.5, 2)))
@example(Sampling(False, ("clamp_to_zero",) * 3, normalized=False))
@example(Sampling(True, ("mirrored_repeat",) * 3, "nearest", reduction="maximum"))
@settings(max_examples=6)
@given(s=samplings(2))
def test_constexpr_samplers_are_the_bound_ones(device, library, s):
    fixed = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<float> t, device const float4* at, device const float* lod, device float4* out,
                      uint i [[thread_position_in_grid]])
        {{
            constexpr sampler s({s.text});
            out[i] = t.sample(s, at[i].xy, level(lod[i]));
        }}
    """)
    rng = np.random.default_rng(11)
    texture = texture_of(device, "2d", levels_of(rng, "2d", (5, 6), 3))
    at = (rng.uniform(-2, 3, (400, 4)) * (1 if s.normalized else 6)).astype(np.float32)
    lod = rng.uniform(-1, 4, 400).astype(np.float32)
    want, got = np.zeros((400, 4), np.float32), np.zeros((400, 4), np.float32)
    library["s2d"](texture, s.bound(device), at, lod, np.zeros(4, np.int32), want, grid=400)
    fixed["f"](texture, at, lod, got, grid=400)
    np.testing.assert_allclose(got, want, atol=1e-4)


@pytest.mark.parametrize("pixel_format", ["rgba8Unorm", "bgra8Unorm", "r8Unorm", "rgba16Float", "rgba16Snorm", "rg16Unorm",
                                          "rgba8Unorm_srgb", "rgb10a2Unorm", "r32Float"])  # fmt: skip
def test_filtering_of_formats(device, library, pixel_format):
    """What is filtered are the decoded values, of sRGB formats the light."""
    info = mtlpy_nb.utils.pixel_format_info(pixel_format)
    rng = np.random.default_rng(1)
    shape = (5, 7, info.channels) if info.channels > 1 else (5, 7)
    raw = rng.random(shape).astype(info.dtype) if info.dtype.kind == "f" else rng.integers(
        np.iinfo(info.dtype).min, np.iinfo(info.dtype).max, shape, info.dtype, endpoint=True)  # fmt: skip
    texture = device.texture(raw, pixel_format)
    decode = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<float, access::read> t, device float4* out, uint2 p [[thread_position_in_grid]])
        { out[p.y * 7 + p.x] = t.read(p); }
    """)
    image = np.zeros((5, 7, 4), np.float32)
    decode["f"](texture, image, grid=(7, 5))
    at = rng.uniform(-1, 2, (300, 4)).astype(np.float32)
    out = np.zeros((300, 4), np.float32)
    s = Sampling(address=("repeat",) * 3)
    zeros = np.zeros(300, np.float32)
    library["s2d"](texture, s.bound(device), at, zeros, np.zeros(4, np.int32), out, grid=300)
    expected = reference.sample([image.astype(np.float64)], at[:, :2].astype(np.float64), zeros, s)
    np.testing.assert_allclose(out, expected, atol=2e-5)
    assert np.ptp(image[..., 0]) > 0.3


@pytest.mark.parametrize("scalar", ["half", "int", "ushort"])
def test_other_component_types(device, scalar):
    """Halves are filtered, integers are not."""
    library = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<{scalar}> a, texture3d<{scalar}> b, texturecube<{scalar}> c, sampler s,
                      device {scalar}4* out, uint i [[thread_position_in_grid]])
        {{
            out[i] = i % 3 == 0 ? a.sample(s, float2(i, 1) / 8) : i % 3 == 1 ? b.sample(s, float3(i, 2, 1) / 8)
                                                                              : c.sample(s, float3(1, 0.125 * i, 0.5));
        }}
    """)
    dtype = {"half": np.float16, "int": np.int32, "ushort": np.uint16}[scalar]
    rng = np.random.default_rng(2)
    images = [rng.integers(0, 9, shape).astype(dtype) for shape in ((4, 4, 4), (2, 4, 4, 4), (6, 2, 2, 4))]
    linear = scalar == "half"
    out = np.zeros((9, 4), dtype)
    library["f"](*images, device.sampler(linear), out, grid=9)
    a, b, c = (image.astype(np.float64) for image in images)
    s, zero = Sampling(linear), np.zeros(1)
    for i in range(9):
        if i % 3 == 0:
            want = reference.sample([a], np.array([[i / 8, 1 / 8]]), zero, s)
        elif i % 3 == 1:
            want = reference.sample([b], np.array([[i / 8, 2 / 8, 1 / 8]]), zero, s)
        else:
            want = reference.sample_cube([c], np.array([[1, 0.125 * i, 0.5]]), zero, s)
        np.testing.assert_allclose(out[i], want[0], atol=0.01)
