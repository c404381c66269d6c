# SPDX-License-Identifier: MIT
"""What textures show as their components, formats whose texels share components, and samplers' bias."""

from __future__ import annotations

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void fetch(texture2d<float> t, device float4* out, uint2 p [[thread_position_in_grid]]) {
    constexpr sampler s(filter::linear, coord::pixel);
    const uint i = (p.y * t.get_width() + p.x) * 3;
    out[i] = t.read(p);
    out[i + 1] = t.sample(s, float2(p) + 0.5f);
    out[i + 2] = t.gather(s, float2(p) + 1.0f, int2(0), component::y);
}
kernel void whole(texture2d<uint> t, device uint4* out, uint2 p [[thread_position_in_grid]]) { out[p.x] = t.read(p); }
kernel void store(texture2d<float, access::write> t, uint2 p [[thread_position_in_grid]]) { t.write(1, p); }
kernel void levels(texture2d<float> t, sampler s, device float* out, uint2 p [[thread_position_in_grid]]) {
    out[p.x] = t.sample(s, float2(0.5f), level(p.x * 0.25f)).x;
}
"""
ONE, ZERO = pm.TextureSwizzle.One, pm.TextureSwizzle.Zero
RED, GREEN, BLUE, ALPHA = (getattr(pm.TextureSwizzle, name) for name in ("Red", "Green", "Blue", "Alpha"))


def channels(*names):
    return pm.TextureSwizzleChannels(*names)


def shown(rgba, swizzle):
    """What a texture with texels `rgba` shows with a swizzle."""
    sources = [np.zeros_like(rgba[..., 0]), np.ones_like(rgba[..., 0]), *np.moveaxis(rgba, -1, 0)]
    return np.stack([sources[int(name)] for name in (swizzle.red, swizzle.green, swizzle.blue, swizzle.alpha)], -1)


def texture(device, texels, form, swizzle=None, usage=pm.TextureUsage.ShaderRead):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(form, texels.shape[1], texels.shape[0])
    descriptor.usage = usage
    if swizzle is not None:
        descriptor.swizzle = swizzle
    made = device.new_texture(descriptor)
    made.upload(np.ascontiguousarray(texels))
    return made


def run(queue, pipeline, tex, out, grid, sampler=None):
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_texture(tex, 0)
    encoder.set_buffer(out, 0, 0)
    if sampler is not None:
        encoder.set_sampler_state(sampler, 0)
    encoder.dispatch_threads(grid, (8, 1, 1))
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()


def fetched(device, queue, pipeline, tex, width, height):
    out = device.new_buffer(width * height * 48)
    run(queue, pipeline(SOURCE, "fetch"), tex, out, (width, height, 1))
    return np.frombuffer(out.contents(), np.float32).reshape(height, width, 3, 4)


@pytest.mark.parametrize(
    "names", [(BLUE, GREEN, RED, ONE), (ALPHA, ALPHA, ZERO, RED), (ONE, RED, ONE, ZERO), (RED, GREEN, BLUE, ALPHA)]
)
@pytest.mark.parametrize("form", ["RGBA8Unorm", "RGBA32Float", "RG16Float"])
def test_descriptor_and_view(device, queue, pipeline, names, form):
    dtype, count = {"RGBA8Unorm": (np.uint8, 4), "RGBA32Float": (np.float32, 4), "RG16Float": (np.float16, 2)}[form]
    texels = (np.random.default_rng(2).uniform(0, 255, (4, 6, count))).astype(dtype)
    rgba = np.zeros((4, 6, 4), np.float32)
    rgba[..., 3] = 1
    rgba[..., :count] = texels if dtype != np.uint8 else texels / np.float32(255)
    pixel, swizzle = getattr(pm.PixelFormat, form), channels(*names)
    own = texture(device, texels, pixel, swizzle)
    plain = texture(device, texels, pixel)
    view = plain.new_texture_view(pixel, swizzle=swizzle)
    assert own.swizzle == view.swizzle == swizzle
    assert plain.swizzle == channels()
    expected = shown(rgba, swizzle)
    for tex in (own, view):
        got = fetched(device, queue, pipeline, tex, 6, 4)
        np.testing.assert_allclose(got[..., 0, :], expected, rtol=1e-6)
        np.testing.assert_allclose(got[..., 1, :], expected, rtol=1e-6)
        # A gather's four texels, counter-clockwise from the lower left; the second component of what is shown.
        y = expected[..., 1]
        around = np.stack([y[1:, :-1], y[1:, 1:], y[:-1, 1:], y[:-1, :-1]], -1)
        np.testing.assert_allclose(got[:-1, :-1, 2, :], around, rtol=1e-6)
    np.testing.assert_array_equal(read(own), texels)  # the host sees the texels as they are


def read(tex):
    shape = {pm.PixelFormat.RGBA8Unorm: (np.uint8, 4), pm.PixelFormat.RGBA32Float: (np.float32, 4)}
    dtype, count = shape.get(tex.pixel_format, (np.float16, 2))
    out = np.zeros((tex.height, tex.width, count), dtype)
    tex.download(out)
    return out


def test_views_of_views_show_what_the_first_shows(device, queue, pipeline):
    texels = np.random.default_rng(2).uniform(0, 1, (2, 2, 4)).astype(np.float32)
    plain = texture(device, texels, pm.PixelFormat.RGBA32Float)
    first = plain.new_texture_view(plain.pixel_format, swizzle=channels(BLUE, ONE, RED, GREEN))
    second = first.new_texture_view(plain.pixel_format, swizzle=channels(ALPHA, RED, GREEN, ZERO))
    assert first.new_texture_view(plain.pixel_format).swizzle == first.swizzle
    assert second.swizzle == channels(GREEN, BLUE, ONE, ZERO)
    got = fetched(device, queue, pipeline, second, 2, 2)[..., 0, :]
    np.testing.assert_array_equal(got, shown(texels, second.swizzle))


def test_integers(device, queue, pipeline):
    texels = np.arange(32, dtype=np.uint8).reshape(1, 8, 4)
    tex = texture(device, texels, pm.PixelFormat.RGBA8Uint, channels(ALPHA, ONE, ZERO, GREEN))
    out = device.new_buffer(128)
    run(queue, pipeline(SOURCE, "whole"), tex, out, (8, 1, 1))
    expected = np.stack([texels[0, :, 3], np.ones(8), np.zeros(8), texels[0, :, 1]], -1)
    np.testing.assert_array_equal(np.frombuffer(out.contents(), np.uint32).reshape(8, 4), expected)


def test_what_is_swizzled_is_not_written(device, queue, pipeline):
    both = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite
    texels = np.zeros((1, 1, 4), np.float32)
    with pytest.raises(pm.ValidationError, match="usage is 3, of which writing is not possible with a swizzle"):
        texture(device, texels, pm.PixelFormat.RGBA32Float, channels(BLUE), both)
    view = texture(device, texels, pm.PixelFormat.RGBA32Float, usage=both).new_texture_view(
        pm.PixelFormat.RGBA32Float, swizzle=channels(BLUE)
    )
    with pytest.raises(pm.ValidationError, match="has a swizzle, with which it cannot be written, but argument t is"):
        run(queue, pipeline(SOURCE, "store"), view, device.new_buffer(4), (1, 1, 1))


@pytest.mark.parametrize(("form", "order"), [("GBGR422", "gbgr"), ("BGRG422", "bgrg")])
def test_texels_that_share_components(device, queue, pipeline, form, order):
    """Two texels in four bytes, with greens of their own."""
    pairs = np.random.default_rng(6).integers(0, 256, (3, 4, 4), np.uint8)
    descriptor = pm.TextureDescriptor.texture2d_descriptor(getattr(pm.PixelFormat, form), 8, 3)
    tex = device.new_texture(descriptor)
    tex.upload(pairs)
    greens = [i for i, name in enumerate(order) if name == "g"]
    rgb = np.zeros((3, 8, 4), np.float32)
    rgb[..., 0] = np.repeat(pairs[..., order.index("r")], 2, axis=1)
    rgb[..., 1] = pairs[..., greens].reshape(3, 8)
    rgb[..., 2] = np.repeat(pairs[..., order.index("b")], 2, axis=1)
    rgb /= 255
    rgb[..., 3] = 1
    got = fetched(device, queue, pipeline, tex, 8, 3)
    np.testing.assert_allclose(got[..., 0, :], rgb, rtol=1e-6)
    np.testing.assert_allclose(got[..., 1, :], rgb, rtol=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 7}, "width is 7, must be even, since two texels share components"),
        ({"usage": 3}, "usage is 3, .*: kernels cannot write MTLPixelFormatGBGR422"),
        ({"mipmap_level_count": 2}, "mipmapLevelCount is 2, must be 1, since two texels share components"),
        ({"pixel_format": pm.PixelFormat.X24_Stencil8, "usage": 3}, "kernels cannot write MTLPixelFormatX24_Stencil8"),
    ],
)
def test_descriptors_that_cannot_be(device, change, message):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.GBGR422, 8, 4)
    for name, value in change.items():
        setattr(descriptor, name, value)
    with pytest.raises(pm.ValidationError, match=message):
        device.new_texture(descriptor)


@pytest.mark.parametrize("bias", [0, 0.5, -0.75, 20, -20])
def test_samplers_bias(device, queue, pipeline, bias):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 8, 8, True)
    tex = device.new_texture(descriptor)
    for level in range(4):
        tex.upload(np.full((8 >> level, 8 >> level), 10 * level, np.float32), level=level)
    options = pm.SamplerDescriptor()
    options.mip_filter = pm.SamplerMipFilter.Linear
    options.lod_bias = bias
    options.lod_min_clamp, options.lod_max_clamp = 0.25, 2.5
    out = device.new_buffer(64)
    run(queue, pipeline(SOURCE, "levels"), tex, out, (16, 1, 1), device.new_sampler_state(options))
    expected = np.clip(np.arange(16) * 0.25 + bias, 0.25, 2.5) * 10
    np.testing.assert_allclose(np.frombuffer(out.contents(), np.float32)[:16], expected, rtol=1e-6)
