# SPDX-License-Identifier: MIT
"""`filter::bicubic` of constexpr samplers, against Catmull and Rom's weights in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

import mtlpy_nb

from . import texture_reference as reference
from .test_textures_sampling import levels_of, texture_of
from .texture_reference import Sampling

ADDRESS = ("repeat", "clamp_to_edge", "mirrored_repeat")
BORDER = ("clamp_to_border", "clamp_to_zero", "clamp_to_edge")
KERNEL = """
kernel void {name}({type} t, device const float4* at, device const float* lod, device float4* out,
                   uint i [[thread_position_in_grid]]) {{
    constexpr sampler s({options});
    float4 p = at[i];
    out[i] = t.sample(s, {place});
}}
"""


@dataclass(frozen=True)
class Case:
    kind: str
    type: str
    place: str
    options: str
    sampling: Sampling
    filters: tuple[str, str] = ("bicubic", "bicubic")  # magnified, minified
    levels: int = 1


WRAPPING = Sampling(address=ADDRESS)
CASES = {
    "line": Case("1d", "texture1d<float>", "p.x", "filter::bicubic, s_address::repeat", WRAPPING),
    "flat": Case(
        "2d", "texture2d<float>", "p.xy", "filter::bicubic, s_address::repeat, t_address::clamp_to_edge", WRAPPING
    ),
    "border": Case(
        "2d",
        "texture2d<float>",
        "p.xy",
        "s_address::clamp_to_border, t_address::clamp_to_zero, border_color::opaque_white, filter::bicubic",
        Sampling(address=BORDER, border_color="opaque_white"),
    ),
    "slices": Case(
        "2d_array", "texture2d_array<float>", "p.xy, uint(p.w)", "filter::bicubic, s_address::repeat", WRAPPING
    ),
    "space": Case(
        "3d",
        "texture3d<float>",
        "p.xyz",
        "filter::bicubic, s_address::repeat, r_address::mirrored_repeat",
        WRAPPING,
    ),
    "levels": Case(
        "2d",
        "texture2d<float>",
        "p.xy, level(lod[i])",
        "filter::bicubic, mip_filter::linear, s_address::repeat",
        Sampling(address=ADDRESS, mip_filter="linear"),
        levels=3,
    ),
    "magnified": Case(
        "2d",
        "texture2d<float>",
        "p.xy, level(lod[i])",
        "mag_filter::bicubic, min_filter::linear, mip_filter::nearest, s_address::repeat",
        Sampling(address=ADDRESS, mip_filter="nearest"),
        ("bicubic", "linear"),
        3,
    ),
    "magnified_alone": Case(
        "2d",
        "texture2d<float>",
        "p.xy, level(lod[i])",
        "filter::bicubic, min_filter::linear, mip_filter::nearest, s_address::repeat",
        Sampling(address=ADDRESS, mip_filter="nearest"),
        ("bicubic", "linear"),
        3,
    ),
    "minified": Case(
        "2d",
        "texture2d<float>",
        "p.xy, level(lod[i])",
        "min_filter::bicubic, mip_filter::nearest, s_address::repeat",
        Sampling(address=ADDRESS, mip_filter="nearest"),
        ("nearest", "bicubic"),
        3,
    ),
    "pixels": Case("2d", "texture2d<float>", "p.xy", "coord::pixel, filter::bicubic", Sampling(normalized=False)),
}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.fixture(scope="module")
def library(device):
    kernels = [KERNEL.format(name=name, **vars(case)) for name, case in CASES.items()]
    return device.library("#include <metal_stdlib>\nusing namespace metal;\n" + "".join(kernels))


def cubic_image(image, at, s):
    """One level by four texels in each dimension."""
    dims = image.ndim - 1
    sizes = [image.shape[dims - 1 - d] for d in range(dims)]
    texel = [at[:, d] * (sizes[d] if s.normalized else 1) - 0.5 for d in range(dims)]
    begin = [np.floor(t).astype(np.int64) for t in texel]
    weights = []
    for t, b in zip(texel, begin, strict=True):
        x = t - b
        weights.append((-(x**3) + 2 * x**2 - x, 3 * x**3 - 5 * x**2 + 2, -3 * x**3 + 4 * x**2 + x, x**3 - x**2))
    total = np.zeros((len(at), 4))
    for taps in product(range(4), repeat=dims):
        weight = np.prod([weights[d][tap] / 2 for d, tap in enumerate(taps)], axis=0)
        total += weight[:, None] * reference.fetch(image, [begin[d] + tap - 1 for d, tap in enumerate(taps)], s)
    return total


def filtered(image, at, s, filter_):
    if filter_ == "bicubic":
        return cubic_image(image, at, s)
    return reference.sample_image(image, at, Sampling(**{**vars(s), "linear": filter_ == "linear"}))


@pytest.mark.parametrize("name", CASES)
def test_bicubic_samples(device, library, name):
    case = CASES[name]
    rng = np.random.default_rng(1)
    levels = levels_of(rng, case.kind, (13, 8, 5), case.levels)
    s = case.sampling
    at = rng.uniform(-1.5, 2.5, (200, 4)) if s.normalized else rng.uniform(-4, 17, (200, 4))
    at[:, 3] = rng.integers(0, 3, 200)
    at = at.astype(np.float32)
    lod = (rng.integers(-32, 90, 200) / 32 + 1 / 256).astype(np.float32)
    out = np.zeros((200, 4), np.float32)
    library[name](texture_of(device, case.kind, levels), at, lod, out, grid=200)
    exact = [level.astype(np.float64) for level in levels]
    dims = 3 if case.kind == "3d" else 1 if case.kind == "1d" else 2
    places = at[:, :dims].astype(np.float64)

    def sampled(filter_):
        if case.kind == "2d_array":
            each = np.stack([filtered(slice_, places, s, filter_) for slice_ in exact[0]])
            return each[at[:, 3].astype(int), np.arange(200)]
        return reference.mix_levels(exact, lod.astype(np.float64), s, lambda level: filtered(level, places, s, filter_))

    magnified, minified = (sampled(filter_) for filter_ in case.filters)
    expected = np.where((lod > 0)[:, None] & (case.levels > 1), minified, magnified)
    # Coordinates of 32 bits: a texel's place is known to about 1e-6 of the texture, far less than 1/256 of a texel.
    np.testing.assert_allclose(out, expected, rtol=0, atol=2e-3)


def test_texels_centres_give_the_texels(device, library):
    (pixels,) = levels_of(np.random.default_rng(2), "2d", (5, 6), 1)
    y, x = np.mgrid[:5, :6].reshape(2, -1)
    at = np.stack([(x + 0.5), (y + 0.5), x * 0, x * 0], 1).astype(np.float32)
    out = np.zeros((30, 4), np.float32)
    library["pixels"](texture_of(device, "2d", [pixels]), at, np.zeros(30, np.float32), out, grid=30)
    np.testing.assert_array_equal(out, pixels.reshape(30, 4))


def test_comparing_and_integers_are_not_bicubic(device):
    source = """
#include <metal_stdlib>
using namespace metal;
kernel void f(depth2d<float> d, texture2d<uint> n, device float4* out, uint i [[thread_position_in_grid]]) {
    constexpr sampler cubic(filter::bicubic, compare_func::less), linear(filter::linear, compare_func::less);
    constexpr sampler nearest(filter::nearest);
    float2 p = float2(i * 0.07f, 0.3f + i * 0.01f);
    out[i] = float4(d.sample_compare(cubic, p, 0.5f), d.sample_compare(linear, p, 0.5f), n.sample(cubic, p).x,
                    n.sample(nearest, p).x);
}
"""
    rng = np.random.default_rng(3)
    depth = device.texture(rng.random((5, 7), np.float32), "depth32Float")
    numbers = device.texture(rng.integers(0, 99, (5, 7)).astype(np.uint32), "r32Uint")
    out = np.zeros((12, 4), np.float32)
    device.library(source)["f"](depth, numbers, out, grid=12)
    np.testing.assert_array_equal(out[:, 0], out[:, 1])
    np.testing.assert_array_equal(out[:, 2], out[:, 3])
    assert set(np.unique(out[:, 0])) - {0, 1}
