# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""What is wrong with textures is said: in the source, and of what a call passes."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
SOURCES = {
    "write of a sampled texture": (
        "kernel void f(texture2d<float> t, uint2 p [[thread_position_in_grid]]) { t.write(1, p); }",
        "write() needs a texture with access::write or read_write",
    ),
    "read of a written texture": (
        "kernel void f(texture3d<float, access::write> t, device float4* o) { o[0] = t.read(uint3(0)); }",
        "read() needs a texture with access::read, read_write or sample",
    ),
    "sample of a read texture": (
        "kernel void f(texturecube<float, access::read> t, sampler s, device float4* o) { o[0] = t.sample(s, float3(1)); }",
        "sample() needs a texture with access::sample",
    ),
    "component type": (
        "kernel void f(texture2d<uchar> t, device uchar4* o) { o[0] = t.read(uint2(0)); }",
        "a texture's component type is half, float, short, ushort, int, uint or ulong",
    ),
    "depth component type": (
        "kernel void f(depth2d<half> t, device half* o) { o[0] = t.read(uint2(0)); }",
        "a depth texture's component type is float",
    ),
    "depth that is written": (
        "kernel void f(depth2d<float, access::write> t, device float* o) { o[0] = t.get_width(); }",
        "a depth texture has access::sample or access::read",
    ),
    "multisampled that is written": (
        "kernel void f(texture2d_ms<float, access::write> t, device float* o) { o[0] = t.get_width(); }",
        "a multisampled texture has access::read",
    ),
    "buffer that is sampled": (
        "kernel void f(texture_buffer<float, access::sample> t, device float* o) { o[0] = t.get_width(); }",
        "a texture_buffer has access::read, write or read_write",
    ),
    "atomic of floats": (
        "kernel void f(texture2d<float, access::read_write> t) { t.atomic_fetch_add(uint2(0), float4(1)); }",
        "atomic_fetch_add() needs a texture of int or uint",
    ),
    "atomic without access": (
        "kernel void f(texture2d<uint, access::write> t) { t.atomic_fetch_or(uint2(0), uint4(1)); }",
        "atomic functions need a texture with access::read_write",
    ),
    "atomic_max of uint": (
        "kernel void f(texture2d<uint, access::read_write> t) { t.atomic_max(uint2(0), ulong4(1)); }",
        "there is atomic_fetch_max()",
    ),
    "fence": (
        "kernel void f(texture2d<uint, access::write> t) { t.fence(); }",
        "fence() needs a texture with access::read_write",
    ),
    "sampler option": (
        "kernel void f(texture2d<float> t, device float4* o)\n"
        "{ constexpr sampler s(filter::linear, access::read); o[0] = t.sample(s, float2(0)); }",
        "a sampler is made of coord, address",
    ),
    "coordinates of another type": (
        "kernel void f(texture2d<float> t, device float4* o) { o[0] = t.read(float2(0)); }",
        "no matching member function for call to 'read'",
    ),
    "no levels of one dimension": (
        "kernel void f(texture1d<float> t, sampler s, device float4* o) { o[0] = t.sample(s, 0.5, level(1)); }",
        "too many arguments to function call, expected 2, have 3",
    ),
    "no comparing of colors": (
        "kernel void f(texture2d<float> t, sampler s, device float* o) { o[0] = t.sample_compare(s, float2(0), 1); }",
        "no member named 'sample_compare' in 'texture2d<float>'",
    ),
}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


@pytest.mark.parametrize("name", SOURCES)
def test_the_source(device, name):
    source, message = SOURCES[name]
    with pytest.raises(mtlpy_nb.CompileError) as caught:
        device.library(HEAD + source)
    text = str(caught.value)
    assert message in text
    assert "_Float16" not in text


def kernel(device, declaration):
    return device.library(f"{HEAD}kernel void f({declaration}, device float* o) {{ o[0] = t.get_width(); }}")["f"]


@pytest.mark.parametrize(
    ("declaration", "shape", "pixel_format", "kind", "message"),
    [
        ("texture3d<float> t", (4, 4), "r32Float", "2d", "is texture3d<float>, got a Texture of kind '2d'"),
        ("texture2d<float> t", (4, 4, 4), "r32Float", "3d", "is texture2d<float>, got a Texture of kind '3d'"),
        ("texture2d_array<float> t", (4, 4), "r32Float", "2d", "kind='2d_array'"),
        (
            "texturecube<float> t",
            (6, 4, 4),
            "r32Float",
            "2d_array",
            "is texturecube<float>, got a Texture of kind '2d_array'",
        ),
        ("texture1d<float> t", (4,), "r32Float", "buffer", "declare texture_buffer<float, ...>"),
        ("texture2d<float> t", (4, 4), "r32Sint", "2d", "got a Texture of r32Sint, which kernels see as int"),
        ("texture2d<uint> t", (4, 4), "r32Sint", "2d", "got a Texture of r32Sint, which kernels see as int"),
        ("texture2d<short> t", (4, 4), "r16Uint", "2d", "got a Texture of r16Uint, which kernels see as uint"),
        ("texture2d_ms<float> t", (4, 4), "r32Float", "2d", "a multisampled texture, which only rendering can fill"),
    ],
)
def test_a_texture_of_another_kind(device, declaration, shape, pixel_format, kind, message):
    texture = device.empty_texture(shape, pixel_format, kind=kind)
    with pytest.raises(mtlpy_nb.ValidationError) as caught:
        kernel(device, declaration)(texture, np.zeros(1, np.float32), grid=1)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("declaration", "shape", "message"),
    [
        ("texture3d<float> t", (4, 4), "such a texture has the axes (depth, height, width)"),
        ("texturecube<float> t", (5, 4, 4), "such a texture has the axes (6, size, size)"),
        ("texturecube_array<float> t", (6, 4, 4, 3), "such a texture has the axes (cubes, 6, size, size)"),
        ("texture2d_array<float> t", (4, 4, 4, 5), "no pixel format holds float32 of shape (4, 4, 4, 5)"),
    ],
)
def test_an_array_of_another_shape(device, declaration, shape, message):
    with pytest.raises(mtlpy_nb.ValidationError) as caught:
        kernel(device, declaration)(np.zeros(shape, np.float32), np.zeros(1, np.float32), grid=1)
    assert message in str(caught.value)


def test_the_low_level_says_the_same(device):
    """Bound by hand, where Python does not look first."""
    library = device._native.new_library_with_source(
        f"{HEAD}kernel void f(texture3d<float> t [[texture(3)]], device float* o) {{ o[0] = t.get_width(); }}"
    )
    pipeline = device._native.new_compute_pipeline_state(library.new_function("f"))
    out = device._native.new_buffer(16)
    for descriptor, message in (
        (
            {"texture_type": pm.TextureType.Type2D, "pixel_format": pm.PixelFormat.R32Float},
            "is of type 2d, but argument t",
        ),
        ({"texture_type": pm.TextureType.Type3D, "pixel_format": pm.PixelFormat.R32Sint}, "which kernels see as int"),
    ):
        made = pm.TextureDescriptor()
        for name, value in descriptor.items():
            setattr(made, name, value)
        texture = device._native.new_texture(made)
        with pytest.raises(mtlpy_nb.MetalError, match=message):
            pm.dispatch(device._queue, pipeline, [out], [None, None, None, texture], grid=1, threadgroup=1)


def test_textures_that_cannot_be(device):
    for shape, options, message in (
        ((6, 4, 5), {"kind": "cube"}, "six square faces"),
        ((4, 4), {"kind": "cube"}, "has the axes"),
        ((4, 4), {"kind": "2d_ms"}, "must be one of 1d"),
        ((4,), {"mipmaps": 2}, "mipmapLevelCount is 2"),
        ((4, 4), {"mipmaps": 5}, "mipmapLevelCount is 5"),
    ):
        with pytest.raises(mtlpy_nb.ValidationError, match=message):
            device.empty_texture(shape, "r32Float", **options)
    with pytest.raises(mtlpy_nb.ValidationError, match="2D or a cube"):
        device.empty_texture((4, 4, 4), "depth32Float")
    with pytest.raises(ValueError, match="does not match level 1's shape \\(2, 2\\)"):
        device.empty_texture((4, 4), "r32Float", mipmaps=True).upload(np.zeros((4, 4), np.float32), 1)
    with pytest.raises(mtlpy_nb.ValidationError, match="level is 3, must be 0 to 2"):
        device.empty_texture((4, 4), "r32Float", mipmaps=True).download(3)
    with pytest.raises(mtlpy_nb.ValidationError, match="generate_mipmaps"):
        device.empty_texture((4, 4), "r32Uint", mipmaps=True).generate_mipmaps()
    with pytest.raises(mtlpy_nb.ValidationError, match="address is 'wrap', must be one of"):
        device.sampler(address="wrap")
    with pytest.raises(mtlpy_nb.ValidationError, match="coordinates that are not normalized"):
        device.sampler(repeat=True, normalized=False)
