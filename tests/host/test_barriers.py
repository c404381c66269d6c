# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Barriers in every placement, against the slow reference."""

from __future__ import annotations

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, WIDEN, HostKernel, run

KERNELS = {
    "exchange": """
static THREADGROUP int tile[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(0) * groupSize(1) * groupSize(2);
  tile[t] = device<int>(1)[i]; barrier(); device<int>(0)[i] = tile[n - 1 - t] + tile[(t + 7) % n]; }""",
    "tree_reduction": """
static THREADGROUP int tile[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); tile[t] = device<int>(1)[i]; barrier();
  for (int s = 512; s > 0; s >>= 1) { if (t < s && t + s < n) tile[t] += tile[t + s]; barrier(); }
  device<int>(0)[i] = tile[0] + (t == 0 ? 5 : 0); }""",
    "loop_of_tiles": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int s = 0;
  for (int k = 0; k < constant<int>(2)[1]; k++) { a[t] = device<int>(1)[(i * 3 + k * 17) & 63]; barrier();
    for (int j = 0; j < n; j++) s += a[j] * (j + k); barrier(); }
  device<int>(0)[i] = s; }""",
    "return_before_barrier": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(); a[t] = 0; if (i >= constant<int>(2)[0]) return; a[t] = device<int>(1)[i];
  barrier(); int v = a[t / 2]; barrier(); a[t] = v * 2; barrier(); device<int>(0)[i] = v + a[t & ~3]; }""",
    "barrier_in_uniform_branch": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int v = device<int>(1)[i]; a[t] = v;
  if (constant<int>(2)[1] > 3) { barrier(); v += a[n - 1 - t]; barrier(); a[t] = v; } else { v = -v; }
  if (group() & 1) { barrier(); v ^= a[(t + 1) % n]; }
  device<int>(0)[i] = v; }""",
    "condition_from_memory": """
static THREADGROUP int a[1024]; static THREADGROUP int go;
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int v = device<int>(1)[i]; a[t] = v; if (t == 0) go = 5; barrier();
  int rounds = 0;
  while (true) { int g = go; barrier(); if (g == 0) break; if (t == 0) go = g - 1; v += a[(t + g) % n]; barrier(); a[t] = v; rounds++; barrier(); }
  device<int>(0)[i] = v + rounds; }""",
    "condition_equal_by_value_only": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int v = device<int>(1)[i]; a[t] = v; int k = (t | 1023) - 1020;
  for (; k > 0; k--) { barrier(); int w = a[(t + k) % n]; barrier(); a[t] = w + k; }
  device<int>(0)[i] = a[t]; }""",
    "private_array_across_barriers": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int p[12]; for (int k = 0; k < 12; k++) p[k] = device<int>(1)[(i + k) & 63] * k;
  for (int k = 0; k < 4; k++) { a[t] = p[(t + k) % 12]; barrier(); p[(t * 5 + k) % 12] += a[(t + 1) % n]; barrier(); }
  int s = 0; for (int k = 0; k < 12; k++) s += p[(k + i) % 12] * (k + 1); device<int>(0)[i] = s; }""",
    "nested_loops_with_divergent_work": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); uint s = device<int>(1)[i]; a[t] = t;
  for (int x = 0; x < 3; x++) { for (int y = 0; y <= x; y++) { barrier(); uint w = a[(t * 7 + y) % n]; barrier();
      for (uint z = 0; z < (s & 7); z++) { if (w & 1) { w = w * 3 + 1; continue; } if (w > 1000) break; w += z; } s = s * 31 + w; a[t] = s; }
    if (x == 1) s ^= 0x55; }
  device<int>(0)[i] = s; }""",
    "shared_values_change_each_round": """
static THREADGROUP int a[1024];
KERNEL(test) { int i = gid(), t = flat(), n = groupSize(); int m = constant<int>(2)[1]; int stride = 1; a[t] = device<int>(1)[i]; barrier();
  while (stride < n) { int v = t >= stride ? a[t - stride] : 0; barrier(); a[t] += v; m = m * 3 + stride; stride <<= 1; barrier(); }
  device<int>(0)[i] = a[t] + m + stride; }""",
    "threadgroup_atomics": """
static THREADGROUP int a[8];
KERNEL(test) { int i = gid(), t = flat(); if (t < 8) a[t] = 0; barrier();
  __metal_atomic_fetch_add_i32_threadgroup(a + (device<int>(1)[i] & 7), 1); barrier(); device<int>(0)[i] = a[t & 7]; }""",
    "barrier_first_and_last": """
KERNEL(test) { barrier(); int i = gid(); device<int>(0)[i] = i; barrier(); }""",
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("mapping", "width"), [(ROWS, 32), (LINEAR, 8)])
def test_kernel_matches_reference(name, mapping, width, tmp_path_factory):
    kernel = HostKernel(KERNELS[name], tmp_path_factory.getbasetemp())
    random = np.random.default_rng(3)
    for grid, threadgroup in [(256, 64), (300, 100), (90, 33), (1024, 1024), (3, 1)]:
        values = random.integers(0, 2**20, grid + 64).astype(np.int32)
        arrays = [np.zeros(grid, np.int32), values, np.array([grid - 5, 6], np.int32)]
        kernel.check(arrays, grid, threadgroup, mapping, width)


TRANSPOSE = """
static THREADGROUP int tile[1024];
KERNEL(test) { int x = gid(0), y = gid(1), w = gridSize(0), t = flat(); int n = groupSize(0) * groupSize(1) * groupSize(2);
  int at = (gid(2) * gridSize(1) + y) * w + x; tile[t] = device<int>(1)[at]; barrier();
  int v = tile[(t * 3 + tid(1)) % n]; barrier(); tile[t] = v + tid(0) - tid(2); barrier(); device<int>(0)[at] = tile[n - 1 - t]; }"""


@pytest.mark.parametrize(("mapping", "width"), [(ROWS, 32), (ROWS, 8), (LINEAR, 32), (LINEAR, 16)])
@pytest.mark.parametrize(
    ("grid", "threadgroup"), [((64, 8), (32, 4)), ((70, 9, 5), (16, 4, 2)), ((33, 33), (32, 32)), ((3, 100), (2, 50))]
)
def test_groups_of_several_dimensions(mapping, width, grid, threadgroup, tmp_path_factory):
    kernel = HostKernel(TRANSPOSE, tmp_path_factory.getbasetemp())
    count = int(np.prod(grid))
    kernel.check([np.zeros(count, np.int32), np.arange(count, dtype=np.int32)], grid, threadgroup, mapping, width)


def test_updates_of_threadgroup_memory_are_plain(tmp_path_factory):
    kernel = HostKernel(KERNELS["threadgroup_atomics"], tmp_path_factory.getbasetemp())
    ir = run(WIDEN, kernel.ir(), "test", "emit=ir").decode()
    assert "atomicrmw" not in ir
