# SPDX-License-Identifier: MIT
"""Kernels read light from sRGB textures and write it; alpha is stored as it is."""

import numpy as np
import pytest

import mtlpy_nb

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void read(texture2d<float, access::read> t, device float4* out, uint2 p [[thread_position_in_grid]])
{ out[p.x] = t.read(p); }
kernel void write(device const float4* in, texture2d<float, access::write> t, uint2 p [[thread_position_in_grid]])
{ t.write(in[p.x], p); }
kernel void sample(texture2d<float> t, device float4* out, uint2 p [[thread_position_in_grid]])
{
    constexpr sampler plain;
    out[p.x] = t.sample(plain, (float2(p) + 0.5) / float2(t.get_width(), t.get_height()));
}
"""

stored = np.arange(256) / 255
LIGHT = np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


@pytest.fixture(scope="module")
def library():
    return mtlpy_nb.default_device().library(SOURCE)


@pytest.mark.parametrize("name", ["read", "sample"])
def test_every_byte_is_read_as_light(library, name):
    bytes_ = np.zeros((1, 256, 4), np.uint8)
    bytes_[0, :, 0], bytes_[0, :, 2], bytes_[0, :, 3] = np.arange(256), 255, np.arange(256)
    texture = mtlpy_nb.default_device().texture(bytes_, "bgra8Unorm_srgb")
    got = np.asarray(library[name](texture, mtlpy_nb.output((256, 4), "float32"), grid=(256, 1)))
    expected = np.stack([np.ones(256), np.zeros(256), LIGHT, stored], axis=1)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-7)


def test_light_is_written_as_the_nearest_byte(library):
    light = np.zeros((256, 4), np.float32)
    light[:, 2], light[:, 3] = LIGHT, stored
    light[0, 2], light[255, 2] = -1, 7
    texture = mtlpy_nb.default_device().empty_texture((1, 256), "bgra8Unorm_srgb")
    library["write"](light, texture, grid=(256, 1))
    got = texture.download()[0]
    np.testing.assert_array_equal(got[:, 0], np.arange(256))
    np.testing.assert_array_equal(got[:, 3], np.arange(256))
    assert not got[:, 1:3].any()
