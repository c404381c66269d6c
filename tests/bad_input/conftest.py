# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")

HEADER = "#include <metal_stdlib>\nusing namespace metal;\n"
SOURCE = f"""{HEADER}
kernel void twice(device int* x, uint i [[thread_position_in_grid]]) {{ x[i] *= 2; }}
kernel void add(device const float* a, device const float* b, constant float& factor, device float* out,
                uint i [[thread_position_in_grid]]) {{ out[i] = a[i] + factor * b[i]; }}
struct Params {{ int count; float3 color; }};
kernel void records(constant Params& p, device const Params* all, device float4* out,
                    uint i [[thread_position_in_grid]]) {{ out[i] = float4(p.color * all[i].color, p.count); }}
kernel void scalars(constant uchar& small, constant uint& whole, constant float2& pair, constant bool& flag,
                    device int* out) {{ out[0] = small + int(whole) + int(pair.x) + flag; }}
kernel void shared(device int* out, threadgroup int* t [[threadgroup(0)]], uint i [[thread_index_in_threadgroup]]) {{
    t[i] = int(i); out[i] = t[i]; }}
kernel void picture(texture2d<float, access::read> a, texture2d<float, access::write> b,
                    uint2 p [[thread_position_in_grid]]) {{ b.write(a.read(p), p); }}
"""


def works(device) -> bool:
    """Whether a device still compiles and runs."""
    x = np.arange(5, dtype=np.int32)
    device.library(SOURCE)["twice"](x)
    return x.tolist() == [0, 2, 4, 6, 8]


@pytest.fixture
def device():
    """A device that must still work when the test is over."""
    made = mtlpy_nb.Device()
    yield made
    assert works(made)


@pytest.fixture
def library(device):
    return device.library(SOURCE)


def floats(count: int = 4) -> np.ndarray:
    return np.arange(count, dtype=np.float32)
