# SPDX-License-Identifier: MIT
"""Kernels that sample in many places share the code that does it: each place's result is as in a kernel with one."""

import numpy as np
import pytest

import mtlpy_nb

COUNT = 8  # more than stay inlined
THREADS = 77  # the last strip is not full

# What samples at `c`, for the place number `i`; and the texture's shape.
PLACES = {
    "1d": ("t.sample(s, c.x)", (7,)),
    "2d": ("t.sample(s, c.xy)", (5, 7)),
    "2d, pixels moved": ("t.sample(s, c.xy, int2(i, 2 - int(i)))", (5, 7)),
    "2d, a level": ("t.sample(s, c.xy, level(3 * c.w))", (5, 7)),
    "2d, levels of constants": ("t.sample(s, c.xy, level(i % 3))", (5, 7)),
    "2d, slopes": ("t.sample(s, c.xy, gradient2d(c.zw, c.wz))", (5, 7)),
    "2d, one place for all threads": ("t.sample(s, all[i].xy)", (5, 7)),
    "2d, some threads": ("c.w > 0.5f ? t.sample(s, c.xy) : float4(c.z)", (5, 7)),
    "2d, in the code": ("t.sample(repeated, c.xy, level(c.w))", (5, 7)),
    "2d, two samplers": ("i % 2 ? t.sample(repeated, c.xy) : t.sample(s, c.xy)", (5, 7)),
    "2d_array": ("t.sample(s, c.xy, uint(3 * c.z))", (3, 5, 7)),
    "3d": ("t.sample(s, c.xyz)", (3, 5, 7)),
    "cube": ("t.sample(s, c.xyz)", (6, 7, 7)),
}


def source(kind, scalar, sampled):
    shared = "".join(f"{{ const uint i = {i}; const float4 c = at[i]; out[i] = {sampled}; }}\n" for i in range(COUNT))
    parameters = (
        f"texture{kind}<{scalar}> t, sampler s, device const float4* all, device {scalar}4* results, "
        "constant uint& count, uint2 p [[thread_position_in_grid]], uint2 size [[threads_per_grid]]"
    )
    place = (
        "const uint g = p.y * size.x + p.x; "
        f"device const float4* at = all + g * {COUNT}; device {scalar}4* out = results + g * {COUNT};"
    )
    return f"""
#include <metal_stdlib>
using namespace metal;
constexpr sampler repeated(address::repeat, filter::linear, mip_filter::linear);
kernel void many({parameters}) {{ {place} {shared} }}
kernel void one({parameters}) {{
    {place}
    for (uint i = 0; i < count; ++i) {{ const float4 c = at[i]; out[i] = {sampled}; }}
}}
"""


def results(library, name, texture, sampler, scalar="float", grid=(THREADS, 1), threadgroup=None):
    threads = grid[0] * grid[1]
    places = np.random.default_rng(2).uniform(-0.3, 1.3, (threads, COUNT, 4)).astype(np.float32)
    out = np.zeros((threads, COUNT, 4), {"float": np.float32, "uint": np.uint32}[scalar])
    library[name](texture, sampler, places, out, np.uint32(COUNT), grid=grid, threadgroup=threadgroup)
    return out


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("pixel_format", ["rgba8Unorm", "r32Float", "rg16Float"])
def test_each_place_is_as_if_it_were_the_only_one(device, place, linear, pixel_format):
    sampled, shape = PLACES[place]
    kind = place.split(",")[0]
    texture = device.empty_texture(shape, pixel_format, kind=kind, mipmaps=kind == "2d")
    rng = np.random.default_rng(1)
    for level in range(texture.levels):
        pixels = rng.random(texture.level_shape(level), np.float32)
        texture.upload((255 * pixels).astype(texture.dtype) if texture.dtype == np.uint8 else pixels, level)
    library = device.library(source(kind, "float", sampled))
    sampler = device.sampler(linear=linear, mip_filter="linear" if linear else "nearest")
    many, one = (results(library, name, texture, sampler) for name in ("many", "one"))
    assert np.ptp(one) > 0.1
    np.testing.assert_array_equal(many, one)


@pytest.mark.parametrize("width", [5, 8, 16])
def test_strips_of_other_widths(device, width):
    texture = device.texture(np.random.default_rng(1).random((5, 7), np.float32))
    library = device.library(source("2d", "float", PLACES["2d, some threads"][0]))
    grid = {"grid": (width, 9), "threadgroup": (width, 6)}
    many, one = (results(library, name, texture, device.sampler(), **grid) for name in ("many", "one"))
    assert np.ptp(one) > 0.1
    np.testing.assert_array_equal(many, one)


def test_integers(device):
    texture = device.texture(np.arange(35, dtype=np.uint32).reshape(5, 7), "r32Uint")
    library = device.library(source("2d", "uint", "t.sample(s, c.xy)"))
    sampler = device.sampler(linear=False)
    many, one = (results(library, name, texture, sampler, "uint") for name in ("many", "one"))
    assert np.ptp(one) > 10
    np.testing.assert_array_equal(many, one)


def test_threads_with_textures_of_their_own(device):
    places = "".join(f"sum += {i + 1} * t[g % 2].sample(s, float2(0.5f, {i} / 8.0f)).x;\n" for i in range(COUNT))
    library = device.library(f"""
#include <metal_stdlib>
using namespace metal;
kernel void k(array<texture2d<float>, 2> t, sampler s, device float* out, uint g [[thread_position_in_grid]])
{{
    float sum = 0;
    {places}
    out[g] = sum;
}}
""")
    textures = [device.texture(np.full((3, 3), value, np.float32)) for value in (1, 10)]
    out = np.zeros(THREADS, np.float32)
    library["k"](textures, device.sampler(), out, grid=THREADS)
    np.testing.assert_array_equal(out, np.where(np.arange(THREADS) % 2, 360, 36))


def test_levels_that_slopes_choose(device):
    """Between the fragments of a quad, although the code is shared."""
    sampled = "sum += t.sample(s, in.place.xy / 64 * (1 << i) + 0.1f * i)"
    shared = "".join(f"{{ const int i = {i}; {sampled}; }}\n" for i in range(COUNT))
    library = device.library(f"""
#include <metal_stdlib>
using namespace metal;
struct Corner {{ float4 place [[position]]; }};
vertex Corner corner(uint i [[vertex_id]]) {{ return {{float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1)}}; }}
fragment float4 many(Corner in [[stage_in]], texture2d<float> t, sampler s, constant int& count)
{{
    float4 sum = 0;
    {shared}
    return sum / count;
}}
fragment float4 one(Corner in [[stage_in]], texture2d<float> t, sampler s, constant int& count)
{{
    float4 sum = 0;
    for (int i = 0; i < count; ++i) {sampled};
    return sum / count;
}}
""")
    texture = device.empty_texture((64, 64), "r32Float", mipmaps=True)
    for level in range(texture.levels):
        texture.upload(np.full(texture.level_shape(level), 1 / (1 + level)), level)
    sampler = device.sampler(repeat=True, mip_filter="linear")
    many, one = (
        mtlpy_nb.render(
            library["corner"], library[name], size=33, vertices=3, t=texture, s=sampler, count=COUNT
        ).numpy()[..., 0]
        for name in ("many", "one")
    )
    expected = 255 * np.mean([1 / (1 + min(i, texture.levels - 1)) for i in range(COUNT)])
    np.testing.assert_allclose(one, expected, atol=1)
    np.testing.assert_allclose(many, expected, atol=1)
