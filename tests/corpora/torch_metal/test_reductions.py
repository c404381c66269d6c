# SPDX-License-Identifier: MIT
"""Reductions over SIMD-groups and threadgroups, and atomic additions for every type."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(77)
DTYPES = {
    "float": np.float32,
    "half": np.float16,
    "int": np.int32,
    "long": np.int64,
    "short": np.int16,
    "uchar": np.uint8,
}


def values(kind, count):
    """Small whole numbers: every sum of them is exact in every type."""
    low = 0 if kind == "uchar" else -3
    return RNG.integers(low, 4, count).astype(DTYPES[kind])


@pytest.mark.parametrize("kind", ["float", "half", "int", "long", "short"])
@pytest.mark.parametrize("size", [32, 96, 1024])
def test_threadgroup_sum_max_and_min(torch_library, kind, size):
    x = values(kind, size * 3)
    library = torch_library(f"""
        kernel void run(device const {kind}* x, device float* sums, device {kind}* highs, device {kind}* lows,
                        uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                        uint g [[threadgroup_position_in_grid]], uint n [[threads_per_threadgroup]]) {{
            threadgroup opmath_t<{kind}> sum[32];
            threadgroup {kind} high[32], low[32];
            float s = float(threadgroup_sum(sum, x[i], t, n));
            {kind} h = threadgroup_max(high, x[i], t, n), l = threadgroup_min(low, x[i], t, n);
            if (t == 0) {{ sums[g] = s; highs[g] = h; lows[g] = l; }}
        }}
    """)
    sums, highs, lows = np.zeros(3, np.float32), np.zeros(3, x.dtype), np.zeros(3, x.dtype)
    library["run"](x, sums, highs, lows, grid=len(x), threadgroup=size)
    groups = x.reshape(3, -1)
    np.testing.assert_array_equal(sums, groups.astype(float).sum(1))
    np.testing.assert_array_equal(highs, groups.max(1))
    np.testing.assert_array_equal(lows, groups.min(1))


@pytest.mark.parametrize("kind", ["float", "half", "int", "long"])
def test_simd_functions(torch_library, kind):
    x = values(kind, 32 * 4)
    library = torch_library(f"""
        kernel void run(device const {kind}* x, device {kind}* out, uint i [[thread_position_in_grid]]) {{
            {kind} v = x[i];
            auto low = c10::metal::simd_argmin(v);
            auto high = c10::metal::simd_argmax(v);
            {kind} r[7] = {{c10::metal::simd_sum(v), c10::metal::simd_max(v), c10::metal::simd_min(v), low.first,
                          {kind}(low.second), high.first, {kind}(high.second)}};
            if (i % 32 == 0) for (uint k = 0; k < 7; ++k) out[i / 32 * 7 + k] = r[k];
        }}
    """)
    out = np.zeros(4 * 7, x.dtype)
    library["run"](x, out, grid=len(x), threadgroup=64)
    g = x.reshape(4, 32)
    want = [g.sum(1), g.max(1), g.min(1), g.min(1), g.argmin(1), g.max(1), g.argmax(1)]
    np.testing.assert_array_equal(out.reshape(4, 7), np.stack(want, 1))


@pytest.mark.parametrize("kind", ["float", "int", "half", "short", "uchar", "long"])
def test_atomic_addition(torch_library, kind):
    x = values(kind, 4096)
    library = torch_library(f"""
        kernel void run(device const {kind}* x, device {kind}* out, uint i [[thread_position_in_grid]]) {{
            AtomicType<{kind}>::atomic_add(reinterpret_cast<device AtomicType_t<{kind}>*>(out), i % 5, x[i]);
        }}
    """)
    out = np.zeros(6, x.dtype)
    library["run"](x, out, grid=len(x))
    want = np.zeros(6, x.dtype)
    np.add.at(want, np.arange(len(x)) % 5, x)
    np.testing.assert_array_equal(out, want)


def test_atomic_operation_given_as_a_function(torch_library):
    library = torch_library("""
        template <typename T> T larger(T a, T b) { return a > b ? a : b; }
        kernel void run(device const float* x, device float* f, device half* h, uint i [[thread_position_in_grid]]) {
            auto floats = reinterpret_cast<device AtomicType_t<float>*>(f);
            auto halves = reinterpret_cast<device AtomicType_t<half>*>(h);
            AtomicType<float>::atomic_binary_op(floats, i % 3, x[i], larger<float>);
            AtomicType<half>::atomic_binary_op(halves, i % 3, half(x[i]), larger<half>);
        }
    """)
    x = RNG.integers(-100, 100, 999).astype(np.float32)
    f, h = np.full(4, -1000, np.float32), np.full(4, -1000, np.float16)
    library["run"](x, f, h, grid=len(x))
    want = [x[k::3].max() for k in range(3)]
    np.testing.assert_array_equal(f[:3], want)
    np.testing.assert_array_equal(h[:3], np.array(want, np.float16))
