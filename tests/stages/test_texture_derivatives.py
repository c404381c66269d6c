# SPDX-License-Identifier: MIT
"""Textures in fragment functions: the level of detail that follows from the quad, and samples of a pixel."""

from __future__ import annotations

import numpy as np
import pytest
from stage_functions import quads, run_fragment, run_vertex
from texture_records import R32FLOAT, RGBA8UINT, Texture, sampler

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
LINEAR = 2  # mip_filter


def numbered(kind="2d", size=64):
    """A texture whose level n holds n: what is sampled is the level of detail."""
    images = {"2d": 1, "2d_array": 2, "cube": 6, "3d": size}[kind]
    levels = []
    for level in range(size.bit_length()):
        count = max(1, size >> level)
        levels.append(np.full((count if kind == "3d" else images, count, count, 1), level, np.float32))
    return Texture(kind, R32FLOAT, *levels)


def fragment(kind, declaration, expression):
    return f"""{HEAD}
        struct In {{ float4 position [[position]]; {declaration} }};
        fragment float4 shade(In in [[stage_in]], {kind}<float> t [[texture(0)]], sampler s [[sampler(0)]])
        {{ return float4({expression}); }}
    """


def shade(source, uv, texture, **options):
    out = run_fragment(source, "shade", {"uv": uv.astype(np.float32)}, textures={0: texture.address},
                       samplers={0: sampler(mip_filter=LINEAR, **options)})  # fmt: skip
    return out["color(0)"]


def lod_of(values, size):
    """Of coordinates (n, dims) in quads: the larger of the differences along x and y, in texels."""
    texels = values.reshape(-1, 4, values.shape[1]) * size
    dx = np.repeat(np.stack([texels[:, 1] - texels[:, 0], texels[:, 3] - texels[:, 2]], 1), 2, axis=1)
    dy = np.stack([texels[:, 2] - texels[:, 0], texels[:, 3] - texels[:, 1]] * 2, 1)
    lengths = np.maximum(np.linalg.norm(dx, axis=-1), np.linalg.norm(dy, axis=-1))
    with np.errstate(divide="ignore"):
        return np.log2(lengths).ravel()


@pytest.mark.parametrize(
    ("kind", "place", "dims"),
    [("texture2d", "in.uv", 2), ("texture2d_array", "in.uv, 1", 2), ("texture3d", "in.uv", 3)],
)
def test_the_level_follows_from_the_quad(kind, place, dims):
    source = fragment(
        kind,
        f"float{dims} uv;",
        f"t.sample(s, {place}).x, t.sample(s, {place}, bias(1.5)).x, t.sample(s, {place}, min_lod_clamp(2)).x, "
        f"t.calculate_clamped_lod(s, in.uv)",
    )
    pixels = quads(32, 16).astype(np.float64)
    turn = np.array([[0.0065, 0.001, 0.0005], [-0.002, 0.0105, 0.0015]])[:, :dims]
    uv = pixels @ turn + (pixels**2) @ turn * 0.2
    got = shade(source, uv, numbered(kind[7:]))
    lod = lod_of(uv.astype(np.float32), 64)
    assert lod.min() < 0 < 2 < lod.max()
    want = [np.clip(lod, 0, 6), np.clip(lod + 1.5, 0, 6), np.clip(np.maximum(lod, 2), 0, 6), np.clip(lod, 0, 6)]
    np.testing.assert_allclose(got, np.stack(want, -1), atol=2e-3)


def test_unclamped_and_in_a_function():
    """A function that a fragment function calls has the quad's derivatives, too."""
    source = f"""{HEAD}
        float4 helper(texture2d<float> t, sampler s, float2 p) {{ return t.sample(s, p * 2); }}
        struct In {{ float2 uv; }};
        fragment float4 shade(In in [[stage_in]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]])
        {{ return float4(helper(t, s, in.uv).x, t.calculate_unclamped_lod(s, in.uv), 0, 0); }}
    """
    uv = quads(16, 16) * np.array([0.03, 0.001])
    got = shade(source, uv, numbered())
    lod = lod_of(uv.astype(np.float32), 64)
    np.testing.assert_allclose(got[:, 0], np.clip(lod + 1, 0, 6), atol=2e-3)
    np.testing.assert_allclose(got[:, 1], lod, atol=2e-3)
    still = shade(source, uv * 0, numbered())
    np.testing.assert_array_equal(still[:, 0], 0)
    assert np.all(still[:, 1] < -100)


def test_cubes():
    source = fragment("texturecube", "float3 uv;", "t.sample(s, in.uv).x, t.calculate_clamped_lod(s, in.uv), 0, 0")
    pixels = quads(16, 16)
    uv = np.stack([np.ones(len(pixels)), pixels[:, 0] * 0.02 - 0.2, pixels[:, 1] * 0.05 - 0.4], -1)
    got = shade(source, uv, numbered("cube"))
    want = np.log2(0.05 / 2 * 64)  # the face is two units wide
    np.testing.assert_allclose(got[:, :2], np.full((256, 2), want), atol=2e-3)


def test_comparing_and_anisotropy():
    source = f"""{HEAD}
        struct In {{ float2 uv; }};
        fragment float4 shade(In in [[stage_in]], depth2d<float> t [[texture(0)]], sampler s [[sampler(0)]],
                              texture2d<float> u [[texture(1)]], sampler wide [[sampler(1)]])
        {{ return float4(t.sample_compare(s, in.uv, 1.5), u.sample(wide, in.uv).x, 0, 0); }}
    """
    uv = quads(8, 8) * np.array([8 / 64, 1 / 64])
    texture = numbered()
    out = run_fragment(
        source, "shade", {"uv": uv.astype(np.float32)}, textures={0: texture.address, 1: texture.address},
        samplers={0: sampler(False, mip_filter=1, compare=1), 1: sampler(mip_filter=LINEAR, anisotropy=4)},
    )["color(0)"]  # fmt: skip
    np.testing.assert_array_equal(out[:, 0], 1)  # 1.5 < 3
    np.testing.assert_allclose(out[:, 1], 1, atol=1e-3)  # 8 texels by 4 samples are 2


def test_vertex_functions_sample_level_0():
    source = f"""{HEAD}
        struct Out {{ float4 position [[position]]; }};
        vertex Out place(uint i [[vertex_id]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]])
        {{ return {{float4(t.sample(s, float2(i) * 0.37).x, t.sample(s, float2(i), level(2)).x, 0, 1)}}; }}
    """
    texture = numbered()
    out = run_vertex(source, "place", {"vertex_id": np.arange(50)}, textures={0: texture.address},
                     samplers={0: sampler(mip_filter=LINEAR)})  # fmt: skip
    np.testing.assert_array_equal(out["position"], [(0, 2, 0, 1)] * 50)


@pytest.mark.parametrize("kind", ["texture2d_ms", "texture2d_ms_array", "depth2d_ms", "depth2d_ms_array"])
def test_samples_of_pixels_are_read(kind):
    is_array, is_depth = kind.endswith("array"), kind.startswith("depth")
    scalar = "float" if is_depth else "uint"
    place = "p, uint(in.slice), uint(in.sample)" if is_array else "p, uint(in.sample)"
    size = "t.get_array_size()" if is_array else "1"
    read = f"t.read({place})"
    source = f"""{HEAD}
        struct In {{ float4 position [[position]]; float2 at; float slice; float sample; }};
        fragment float4 shade(In in [[stage_in]], {kind}<{scalar}> t [[texture(0)]])
        {{
            uint2 p = uint2(in.at);
            uint size = t.get_width() + t.get_height();
            return float4({read if is_depth else read + ".x"}, t.get_num_samples(), {size}, size);
        }}
    """
    rng = np.random.default_rng(4)
    slices = 3 if is_array else 1
    if is_depth:
        pixels = rng.random((slices * 4, 5, 7, 1)).astype(np.float32)
        texture = Texture(kind[5:], R32FLOAT, pixels, samples=4)
    else:
        pixels = rng.integers(0, 256, (slices * 4, 5, 7, 4)).astype(np.uint8)
        texture = Texture(kind[7:], RGBA8UINT, pixels, samples=4)
    x, y, slice_, sample_ = (rng.integers(0, most + 1, 400) for most in (7, 5, slices, 4))
    out = run_fragment(
        source, "shade",
        {"at": np.stack([x, y], -1), "slice": slice_, "sample": sample_}, textures={0: texture.address},
    )["color(0)"]  # fmt: skip
    inside = (x < 7) & (y < 5) & (sample_ < 4) & ((slice_ < slices) | (not is_array))
    if not is_array:
        slice_ = slice_ * 0
    image = np.where(inside, slice_ * 4 + sample_, 0)
    want = pixels[image, np.where(inside, y, 0), np.where(inside, x, 0), 0] * inside
    np.testing.assert_array_equal(out[:, 0], want)
    np.testing.assert_array_equal(out[:, 1:], [(4, slices, 12)] * 400)
