# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Exchanges between the threads of a SIMD-group, against NumPy."""

from __future__ import annotations

import platform

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, HostKernel

DECLARATIONS = """
#define X __attribute__((convergent))
extern "C" X uint __metal_simd_shuffle_u32(uint, int);
extern "C" X ulong __metal_simd_ballot(bool);
extern "C" X ulong __metal_simd_shuffle_u64(ulong, int); extern "C" X uint __metal_simd_broadcast_u32(uint, int);
extern "C" X int __metal_quad_reduce_max_i32(int); extern "C" X long __metal_quad_reduce_mul_i64(long);
extern "C" X int __metal_quad_prefix_exclusive_add_i32(int); extern "C" X float __metal_simd_reduce_max_f32(float);
extern "C" X float __metal_simd_matrix_multiply_f32(float, float, float, float);
extern "C" X int __metal_simd_reduce_add_i32(int); extern "C" X int __metal_simd_reduce_max_i32(int);
extern "C" X uint __metal_simd_reduce_min_u32(uint); extern "C" X float __metal_simd_reduce_add_f32(float);
extern "C" X float __metal_simd_reduce_min_f32(float); extern "C" X int __metal_simd_reduce_xor_i32(int);
extern "C" X int __metal_simd_prefix_inclusive_add_i32(int); extern "C" X int __metal_simd_prefix_exclusive_add_i32(int);
inline int lane() { return __metal_index(7, 0); }
"""

LANE = np.arange(32)
ROW, COLUMN = (LANE // 4 & 4) + LANE // 2 % 4, (LANE // 4 & 2) * 2 + LANE % 2 * 2


def product(v):
    """Each lane's first element of A B + 5, where B's second elements are 0."""
    a, b = np.zeros((8, 8), int), np.zeros((8, 8), int)
    a[ROW, COLUMN], a[ROW, COLUMN + 1], b[ROW, COLUMN] = v & 7, v >> 3 & 7, v & 31
    return (a @ b + 5)[ROW, COLUMN]


# Without AVX-512, and without AVX: LLVM makes several registers of 32 lanes.
OLDER = ["haswell", "x86-64"] if platform.machine() == "x86_64" else []

EXPRESSIONS = {
    "__metal_simd_reduce_add_i32(v)": lambda v: np.full(32, v.sum()),
    "__metal_simd_reduce_max_i32(v)": lambda v: np.full(32, v.max()),
    "__metal_simd_reduce_min_u32(v)": lambda v: np.full(32, v.view(np.uint32).min()),
    "__metal_simd_reduce_xor_i32(v)": lambda v: np.full(32, np.bitwise_xor.reduce(v)),
    "(int)__metal_simd_reduce_add_f32(v & 255)": lambda v: np.full(32, (v & 255).sum()),
    "(int)__metal_simd_reduce_min_f32(v & 255)": lambda v: np.full(32, (v & 255).min()),
    "__metal_simd_prefix_inclusive_add_i32(v)": np.cumsum,
    "__metal_simd_prefix_exclusive_add_i32(v)": lambda v: np.cumsum(v) - v,
    "__metal_simd_shuffle_u32(v, 5)": lambda v: np.full(32, v[5]),
    "__metal_simd_shuffle_u32(v, lane() ^ 3)": lambda v: v[np.arange(32) ^ 3],
    "__metal_simd_shuffle_u32(v, v)": lambda v: v[v & 31],
    "(int)(__metal_simd_shuffle_u64((ulong)v << 32 | i, v) >> 32)": lambda v: v[v & 31],
    "(int)__metal_simd_broadcast_u32(v, v)": lambda v: np.full(32, v[v[0] & 31]),
    "__metal_quad_reduce_max_i32(v)": lambda v: v.reshape(8, 4).max(1).repeat(4),
    "(int)(__metal_quad_reduce_mul_i64(v) >> 7)": lambda v: (v.astype(np.int64).reshape(8, 4).prod(1) >> 7).repeat(4),
    "__metal_quad_prefix_exclusive_add_i32(v)": lambda v: (v.reshape(8, 4).cumsum(1) - v.reshape(8, 4)).ravel(),
    "(int)__metal_simd_reduce_max_f32(v & 255)": lambda v: np.full(32, (v & 255).max()),
    "(int)__metal_simd_matrix_multiply_f32(v & 7, v >> 3 & 7, v & 31, 5.0f)": product,
    "(int)__metal_simd_ballot(v & 1)": lambda v: np.full(32, np.packbits(v & 1, bitorder="little").view(np.int32)[0]),
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize(("mapping", "threadgroup"), [(ROWS, (64, 2)), (LINEAR, (8, 12))])
@pytest.mark.parametrize("cpu", [None, *OLDER])
def test_exchange(expression, mapping, threadgroup, cpu, tmp_path):
    source = (
        DECLARATIONS
        + "KERNEL(test) { int i = group() * 512 + flat(); int v = device<int>(1)[i]; device<int>(0)[i] = %s; }"
    )
    groups = 3
    count = groups * 512
    values = np.random.default_rng(1).integers(0, 2**26, count).astype(np.int32)
    out = np.zeros(count, np.int32)
    kernel = HostKernel(source % expression, tmp_path, cpu=cpu)
    # The target's own choice of a width must be the SIMD-group's, on every processor.
    info = kernel.run([out, values], (groups * threadgroup[0], threadgroup[1]), threadgroup, mapping, 0)
    assert info.uses_simdgroup
    assert info.lane_width == 32
    size = threadgroup[0] * threadgroup[1]
    for group in range(groups):
        for first in range(group * 512, group * 512 + size, 32):
            expected = EXPRESSIONS[expression](values[first : first + 32])
            np.testing.assert_array_equal(out[first : first + 32], expected.astype(np.int64).astype(np.int32))


def test_lanes_that_returned_and_tails_take_no_part(tmp_path_factory):
    source = (
        DECLARATIONS
        + """
KERNEL(test) { int i = gid(); device<int>(0)[i] = -1; if (i % 3 == 0) return;
  int r = __metal_simd_reduce_add_i32(1) + 100 * __metal_simd_prefix_exclusive_add_i32(1);
  if (i & 1) r += 10000 * __metal_simd_reduce_add_i32(1); device<int>(0)[i] = r; }"""
    )
    out = np.zeros(75, np.int32)
    HostKernel(source, tmp_path_factory.getbasetemp()).run([out], 75, 75)
    i = np.arange(75)
    alive = i % 3 != 0
    for first in (0, 32, 64):
        part = slice(first, min(first + 32, 75))
        there = alive[part]
        expected = there.sum() + 100 * (np.cumsum(there) - there)
        odd = there & (i[part] & 1 == 1)
        expected = np.where(odd, expected + 10000 * odd.sum(), expected)
        np.testing.assert_array_equal(out[part], np.where(there, expected, -1))


def test_barrier_of_a_simdgroup_orders_threadgroup_memory(tmp_path_factory):
    source = (
        DECLARATIONS
        + """
static THREADGROUP int a[128];
KERNEL(test) { int t = flat(); a[t] = device<int>(1)[gid()]; __metal_simdgroup_barrier(2); device<int>(0)[gid()] = a[t ^ 31]; }"""
    )
    values = np.arange(256, dtype=np.int32) * 7
    for width in (32, 16, 8):
        out = np.zeros(256, np.int32)
        HostKernel(source, tmp_path_factory.getbasetemp()).run([out, values], 256, 128, ROWS, width)
        np.testing.assert_array_equal(out, values[np.arange(256) ^ 31])


def test_exchange_needs_strips_of_32(tmp_path_factory):
    source = DECLARATIONS + "KERNEL(test) { device<int>(0)[gid()] = __metal_simd_reduce_add_i32(1); }"
    with pytest.raises(RuntimeError, match="in strips of 8 lanes instead of 32"):
        HostKernel(source, tmp_path_factory.getbasetemp()).variant(ROWS, 8)
