# SPDX-License-Identifier: MIT
"""Functions as arguments of functions, and functions that call each other."""

from __future__ import annotations

import warnings

import numpy as np


def test_a_function_is_an_argument_of_another(compiles):
    library = compiles("""
        template <typename T> T fold(device const T* x, uint n, T (*operation)(T, T)) {
            T result = x[0];
            for (uint i = 1; i < n; ++i) result = operation(result, x[i]);
            return result;
        }
        template <typename T> T over(device const T* x, uint n, T (*operation)(T, T)) { return fold(x, n, operation); }
        float add(float a, float b) { return a + b; }
        float largest(float a, float b) { return max(a, b); }
        kernel void run(device const float* x, device float* out, uint i [[thread_position_in_grid]]) {
            out[i] = over(x + i * 8, 8, add) * 100 + fold(x + i * 8, 8, largest);
        }
    """)
    x = np.random.default_rng(2).integers(0, 9, (100, 8)).astype(np.float32)
    out = np.zeros(100, np.float32)
    library["run"](x.ravel(), out, grid=100)
    np.testing.assert_array_equal(out, x.sum(1) * 100 + x.max(1))


RECURSIVE = """
    int odd(int n);
    int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    float outer(float x);
    float inner(float x, float4 v) { return x < 1 ? v.x + v.w : outer(x / 2) + v.y; }
    float outer(float x) { return inner(x - 1, float4(x, 1, 2, 3)); }
    template <typename T> T odd_function(T x) { if (x < 0) return -odd_function(-x); return x * x; }
"""


def test_functions_of_a_header_may_recurse_for_each_thread(shared_device):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # recursion is not portable, and is said to be
        library = shared_device.library(
            """
            #include <metal_stdlib>
            #include "recursive.h"
            kernel void run(device const int* n, device float3* out, uint i [[thread_position_in_grid]]) {
                if (n[i] > -5) out[i] = float3(even(max(n[i], 0)), outer(n[i]), odd_function(float(n[i])));
            }
            """,
            includes={"recursive.h": "using namespace metal;" + RECURSIVE},
        )

    def outer(x):
        x = np.float32(x)
        return x + 3 if x - 1 < 1 else outer((x - 1) / 2) + 1

    n = np.arange(-9, 200, dtype=np.int32)
    out = np.full((len(n), 4), -1, np.float32)
    library["run"](n, out, grid=len(n))
    np.testing.assert_array_equal(out[:5, :3], -1)
    n, out = n[5:], out[5:]
    np.testing.assert_array_equal(out[:, 0], np.maximum(n, 0) % 2 == 0)
    np.testing.assert_allclose(out[:, 1], [outer(v) for v in n], rtol=1e-6)
    np.testing.assert_array_equal(out[:, 2], np.sign(n) * n * n)


def test_a_functions_name_is_text_in_constant_memory(compiles):
    library = compiles("""
        uint length_of(constant const char* text) { uint n = 0; while (text[n] != 0) ++n; return n; }
        kernel void running(device uint* out) { out[0] = length_of(__func__); out[1] = length_of(__FILE__ "abc"); }
    """)
    out = np.zeros(2, np.uint32)
    library["running"](out, grid=1)
    assert out.tolist() == [7, len("program_source") + 3]
