# SPDX-License-Identifier: MIT
"""A producer and a consumer of one queue, ordered by a fence."""

import mtlpy
import numpy as np

device = mtlpy.Device()
source = """
#include <metal_stdlib>
kernel void make(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = i * 0.5f; }
kernel void take(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    y[i] = x[i] + 1;
}
"""
make, take = device.compile(source, "make"), device.compile(source, "take")
x, y = device.empty(100, np.float32), device.empty(100, np.float32)
fence = device.fence()
make.run([x], 100, wait=False, signal_fences=[fence])
take.run([x, y], 100, wait=True, wait_fences=[fence])
assert (y.contents == np.arange(100) / 2 + 1).all()
