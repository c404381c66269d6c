# SPDX-License-Identifier: MIT
"""A kernel of one's own, run on a grid of two dimensions."""

import mtlpy
import numpy as np
from mtlpy.pipeline import Pipeline

device = mtlpy.Device()
pipeline = device.compile(
    """
#include <metal_stdlib>
using namespace metal;
kernel void outer(device const float* column [[buffer(0)]], device const float* row [[buffer(1)]],
                  device float* table [[buffer(2)]], constant uint& width [[buffer(3)]],
                  uint2 p [[thread_position_in_grid]])
{
    table[p.y * width + p.x] = column[p.y] * row[p.x];
}
""",
    "outer",
)
assert isinstance(pipeline, Pipeline)
column, row = np.arange(1, 6, dtype=np.float32), np.arange(1, 8, dtype=np.float32)
table = device.empty((5, 7), np.float32)
width = device.buffer(np.array([7], np.uint32))
start, end = pipeline.run([device.buffer(column), device.buffer(row), table, width], grid=(7, 5, 1))
print(f"{(end - start) * 1e6:.0f} us on {mtlpy.list_devices()[0]}")
assert (table.numpy() == np.outer(column, row)).all()
