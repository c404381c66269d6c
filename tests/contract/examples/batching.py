# SPDX-License-Identifier: MIT
"""Two passes over a texture in one submission."""

import mtlpy
import numpy as np
from mtlpy.pipeline import CommandBuffer

source = """
#include <metal_stdlib>
using namespace metal;
kernel void across(texture2d<float, access::read> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]], uint2 p [[thread_position_in_grid]])
{
    uint last = from.get_width() - 1;
    float4 left = from.read(uint2(max(p.x, 1u) - 1, p.y)), right = from.read(uint2(min(p.x + 1, last), p.y));
    to.write((left + from.read(p) + right) / 3, p);
}
kernel void along(texture2d<float, access::read> from [[texture(0)]],
                  texture2d<float, access::write> to [[texture(1)]], uint2 p [[thread_position_in_grid]])
{
    uint last = from.get_height() - 1;
    float4 above = from.read(uint2(p.x, max(p.y, 1u) - 1)), below = from.read(uint2(p.x, min(p.y + 1, last)));
    to.write((above + from.read(p) + below) / 3, p);
}
"""
device = mtlpy.Device()
across, along = device.compile(source, "across"), device.compile(source, "along")
picture = np.random.default_rng(1).random((12, 20), dtype=np.float32)
src, mid, dst = device.texture(picture, "r32Float"), *(device.empty_texture((12, 20), "r32Float") for _ in range(2))
with device.command_buffer() as cb:
    assert isinstance(cb, CommandBuffer)
    across.run([], (20, 12, 1), textures=[src, mid], cb=cb)
    along.run([], (20, 12, 1), textures=[mid, dst], cb=cb)


def blurred(x, axis):
    padded = np.concatenate([x.take([0], axis), x, x.take([-1], axis)], axis)
    n = x.shape[axis]
    return sum(padded.take(range(i, i + n), axis) for i in range(3)) / 3


np.testing.assert_allclose(dst.download(), blurred(blurred(picture, 1), 0), rtol=1e-5)
