# SPDX-License-Identifier: MIT
"""A picture inverted in place, and one made smaller by sampling."""

import mtlpy
import numpy as np

device = mtlpy.Device()
picture = np.random.default_rng(2).random((64, 64), dtype=np.float32)
texture = device.texture(picture, "r32Float")
invert = device.compile(
    """
#include <metal_stdlib>
using namespace metal;
kernel void invert(texture2d<float, access::read_write> t [[texture(0)]], uint2 p [[thread_position_in_grid]])
{
    t.write(1.0f - t.read(p), p);
}
""",
    "invert",
)
invert.run([], grid=(64, 64, 1), textures=[texture])
np.testing.assert_allclose(texture.download(), 1 - picture, rtol=1e-6)

shrink = device.compile(
    """
#include <metal_stdlib>
using namespace metal;
kernel void shrink(texture2d<float, access::sample> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]], sampler s [[sampler(0)]],
                   uint2 p [[thread_position_in_grid]])
{
    float2 at = (float2(p) + 0.5f) / float2(to.get_width(), to.get_height());
    to.write(from.sample(s, at), p);
}
""",
    "shrink",
)
small = device.empty_texture((32, 32), "r32Float")
shrink.run([], grid=(32, 32, 1), textures=[texture, small], samplers=[device.sampler(linear=True)])
expected = (1 - picture).reshape(32, 2, 32, 2).mean((1, 3))
np.testing.assert_allclose(np.asarray(small), expected, atol=5e-3)

pixels = np.arange(5 * 7 * 4, dtype=np.uint8).reshape(5, 7, 4)
colours = device.texture(pixels, "rgba8Unorm")
assert colours.shape == (5, 7, 4)
assert (colours.numpy() == pixels).all()
buffer = device.empty((5, 7, 4), np.uint8)
colours.download_to_buffer(buffer)
private = device.empty_texture((5, 7), "rgba8Unorm", private=True)
private.upload_from_buffer(buffer)
assert (private.download() == pixels).all()
