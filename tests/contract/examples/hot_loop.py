# SPDX-License-Identifier: MIT
"""A loop that allocates nothing: what is written into `contents`, the kernel sees."""

import mtlpy
import numpy as np

device = mtlpy.Device()
pipeline = device.compile(
    """
#include <metal_stdlib>
kernel void decay(device const float* now [[buffer(0)]], device float* next [[buffer(1)]],
                  uint i [[thread_position_in_grid]])
{
    next[i] = 0.5f * now[i];
}
""",
    "decay",
)
now, following = device.buffer(np.zeros(1000, np.float32)), device.empty(1000, np.float32)
addresses = now.mtl_ptr, following.mtl_ptr
for step in range(20):
    now.contents[:] = step
    pipeline.run([now, following], grid=1000)
    assert (following.contents == step / 2).all()
    following += 1.0
    assert following.contents[0] == step / 2 + 1
assert addresses == (now.mtl_ptr, following.mtl_ptr)
