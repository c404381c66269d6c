# SPDX-License-Identifier: MIT
"""bfloat16 arrays as arguments: NumPy has no such type of its own."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from mtlpy_nb import ArgumentError, output

_SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void half_of(device const bfloat* x, device bfloat* y, constant bfloat& factor,
                    uint i [[thread_position_in_grid]])
{
    y[i] = factor * x[i];
}
"""


def test_bfloat16_arrays_go_in_and_out(device):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kernel = device.library(_SOURCE)["half_of"]
    x = np.linspace(-3, 1000, 77).astype(ml_dtypes.bfloat16)
    y = np.zeros_like(x)
    kernel(x, y, factor=0.5)
    assert (y == x * ml_dtypes.bfloat16(0.5)).all()
    made = kernel(x, output.like(x), factor=0.5)
    assert made.dtype == ml_dtypes.bfloat16
    assert (made.numpy() == y).all()
    assert kernel.arguments["x"].dtype == ml_dtypes.bfloat16
    with pytest.raises(ArgumentError, match="x holds bfloat"):
        kernel(x.astype(np.float32), y, factor=0.5)


def test_bits_do_without_ml_dtypes():
    program = f"""
import sys
sys.modules["ml_dtypes"] = None  # as if it were not installed
import numpy as np, mtlpy_nb
kernel = mtlpy_nb.Device(cache_path=False).library({_SOURCE!r})["half_of"]
bits = np.array([1.0, -2.5, 3e38], np.float32).view(np.uint32) >> 16
y = np.zeros(3, np.uint16)
kernel(bits.astype(np.uint16), y, factor=0.5)
print((y.astype(np.uint32) << 16).view(np.float32).tolist())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    truncated = (np.array([3e38], np.float32).view(np.uint32) >> 16 << 16).view(np.float32)[0]
    assert done.stdout.strip() == str([0.5, -1.25, float(truncated / 2)])
