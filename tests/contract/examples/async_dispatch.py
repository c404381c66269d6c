# SPDX-License-Identifier: MIT
"""A chain of runs that nobody waits for, until the last."""

import mtlpy
import numpy as np

device = mtlpy.Device()
step = device.compile(
    """
#include <metal_stdlib>
kernel void add(device const uint* a [[buffer(0)]], device uint* b [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    b[i] = a[i] + i;
}
""",
    "add",
)
buffers = [device.buffer(np.zeros(256, np.uint32)), device.empty(256, np.uint32)]
for i in range(99):
    assert step.run([buffers[i % 2], buffers[1 - i % 2]], 256, wait=False) == (0.0, 0.0)
start, end = step.run([buffers[1], buffers[0]], 256)
assert end >= start > 0
assert (buffers[0].contents == 100 * np.arange(256)).all()
