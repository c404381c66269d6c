# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Kernels of the host target against the slow reference: divergence, loops, memory, shapes of grids."""

from __future__ import annotations

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, WIDEN, HostKernel, run

# Source, grid, threadgroup. Slot 0 is an array of ints the kernel writes, slot 1 one it reads, slot 2 three ints.
KERNELS = {
    "straight": "KERNEL(test) { int i = gid(); device<int>(0)[i] = device<int>(1)[i] * 3 + gridSize(); }",
    "guarded": """
KERNEL(test) { int i = gid(); if (i >= constant<int>(2)[0]) return; device<int>(0)[i] = device<int>(1)[i] + 1; }""",
    "if_else": """
KERNEL(test) { int i = gid(); int v = device<int>(1)[i]; int r;
  if (v & 1) { r = v * 3; if (v & 2) r += device<int>(1)[i / 2]; else r -= 7; } else { r = v >> 1; }
  device<int>(0)[i] = r; }""",
    "divergent_loop": """
KERNEL(test) { int i = gid(); uint v = device<int>(1)[i] & 1023; int n = 0;
  while (v > 1) { v = (v & 1) ? v * 3 + 1 : v / 2; n++; if (n > 300) break; }
  device<int>(0)[i] = n; }""",
    "loop_with_continue_and_return": """
KERNEL(test) { int i = gid(); int s = 0;
  for (int k = 0; k < (i & 15); k++) { if ((k ^ i) & 2) continue; s += device<int>(1)[(i + k) & 63];
    if (s == 77) { device<int>(0)[i] = -1; return; } if (s < -100000) break; s ^= k; }
  device<int>(0)[i] = s; }""",
    "nested_divergent_loops": """
KERNEL(test) { int i = gid(); uint s = i;
  for (int a = 0; a < (i % 7); a++) { for (int b = a; b < (i % 5) + 2; b++) { if (((s >> b) & 3) == 1) goto out; s = s * 1664525u + 1013904223u;
      if ((s & 31) == 9) break; } s += a; }
out:
  device<int>(0)[i] = s; }""",
    "uniform_loop_in_divergent_branch": """
KERNEL(test) { int i = gid(); int s = 0; int n = constant<int>(2)[1] & 15;
  if (device<int>(1)[i] & 4) { for (int k = 0; k < n; k++) s += device<int>(1)[k] * i; }
  else { for (int k = n; k > 0; k--) { if (k == 5) s ^= i; s -= k; } }
  device<int>(0)[i] = s; }""",
    "uniform_counter_in_divergent_loop": """
KERNEL(test) { int i = gid(); int k = 0;
  for (k = 0; k < 40; k++) { if (device<int>(1)[k] > device<int>(1)[i]) break; }
  device<int>(0)[i] = k; }""",
    "switch": """
KERNEL(test) { int i = gid(); int v = device<int>(1)[i], r = 0;
  switch (v & 7) { case 0: r = 5; break; case 1: r = 9; [[fallthrough]]; case 2: r += v; break; case 3: case 6: r = -v; break; case 5: return; default: r = i; }
  device<int>(0)[i] = r; }""",
    "private_array": """
KERNEL(test) { int i = gid(); int a[16];
  for (int k = 0; k < 16; k++) a[k] = device<int>(1)[(i + k) & 63];
  for (int k = 1; k < 16; k++) { int v = a[k], j = k; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; } a[j] = v; }
  device<int>(0)[i] = a[i & 15] + a[3] * 2; }""",
    "uniform_overflow": """
KERNEL(test) { int i = gid(); uint n = constant<int>(2)[0], r; bool over = __builtin_mul_overflow(n, 0x10001u, &r);
  device<int>(0)[i] = over ? i : (int)r; }""",
    "private_structs": """
struct P { char c; int v; short s; };
KERNEL(test) { int i = gid(); P a[6];
  for (int k = 0; k < 6; k++) { a[k].c = i + k; a[k].v = device<int>(1)[(i * k) & 63]; a[k].s = k; }
  P t = a[(i * 7) % 6]; a[2] = t; volatile int z = a[2].v;
  device<int>(0)[i] = t.c + a[i % 6].v + z + a[(i >> 1) % 6].s; }""",
    "large_private_array": """
KERNEL(test) { int i = gid(); short a[3000];
  for (int k = 0; k < 3000; k += 100) a[k] = i + k;
  for (int k = 0; k < 3000; k += 200) a[k] += a[(k + 100 * (i & 3)) % 3000];
  device<int>(0)[i] = a[(i % 15) * 200]; }""",
    "narrow_integers": """
KERNEL(test) { int i = gid(); DEVICE uchar* b = (DEVICE uchar*)device<int>(1); DEVICE short* s = (DEVICE short*)device<int>(1);
  uchar c = b[i] + b[i + 3]; short t = s[i] * 5; t = t >> 2; ulong l = (ulong)device<int>(1)[i] * 0x123456789abcdefull;
  bool flag = c > 100 && t < 0; device<int>(0)[i] = c + t * 2 + (int)(l >> 37) + (flag ? 1000 : 0); }""",
    "division": """
KERNEL(test) { int i = gid(); int a = device<int>(1)[i], b = device<int>(1)[i + 1] >> 20; if (b == 0 || b == -1) b = 3;
  uint u = (uint)device<int>(1)[i], w = (uint)device<int>(1)[i + 1] | 1; int n = gridSize();
  short s = (short)a, t = (short)(b | 1); long la = (long)a * 77777, lb = b;
  device<int>(0)[i] = a / b + a % b * 3 + (int)(u / w) + (int)(u % w) + i / n + i % 17 + s / t + (int)(la / lb); }""",
    "division_by_zero_does_not_trap": """
KERNEL(test) { int i = gid(); int b = i - 40; int r = 0;
  if (b != 0) r = device<int>(1)[i] / b;
  int q = (int)0x80000000 / (i - 41 == 0 ? -1 : 1); volatile int sink = (i + 5) / (i & 1); (void)sink;
  device<int>(0)[i] = r + (i == 41 ? 0 : q); }""",
    "shift_counts": """
KERNEL(test) { int i = gid(); int v = device<int>(1)[i]; device<int>(0)[i] = (v << (i & 31)) ^ (int)((uint)v >> (v & 31)) ^ (v >> (i % 32)); }""",
    "pointers_that_differ": """
KERNEL(test) { int i = gid(); DEVICE int* p = (i & 1) ? device<int>(1) + i : device<int>(1) + 2 * (i & 31);
  for (int k = 0; k < (i & 3); k++) p++; device<int>(0)[i] = *p; }""",
    "stencil": """
KERNEL(test) { uint i = gid(); uint n = gridSize(); int s = device<int>(1)[i];
  if (i > 0) s += device<int>(1)[i - 1]; if (i + 1 < n) s -= device<int>(1)[i + 1]; device<int>(0)[i] = s; }""",
    "reversed_and_strided": """
KERNEL(test) { int i = gid(); int n = gridSize(); device<int>(0)[n - 1 - i] = device<int>(1)[i * 2] + device<int>(1)[i * 3 + 1]; }""",
    "floats": """
KERNEL(test) { int i = gid(); float x = device<int>(1)[i] * 0.001f; float s = 0;
  for (int k = 1; k < 6; k++) { s += __builtin_sqrtf(__builtin_fabsf(x) + k); if (s > 50) break; x = -x * 1.5f; }
  device<int>(0)[i] = (int)(s * 16) + (x < 0 ? 1 : 0); }""",
    "halves": """
KERNEL(test) { int i = gid(); _Float16 h = (_Float16)(device<int>(1)[i] & 1023), g = (_Float16)(i & 63);
  h = h * g + (_Float16)0.5f; if (h > (_Float16)900) h = h - g; device<int>(0)[i] = (int)(float)h; }""",
    "early_returns_and_joins": """
KERNEL(test) { int i = gid(); int v = device<int>(1)[i]; device<int>(0)[i] = 1;
  if (v & 1) { if (v & 2) return; device<int>(0)[i] = 2; if (v & 4) goto mid; device<int>(0)[i] += 10; }
  device<int>(0)[i] += 100;
mid:
  device<int>(0)[i] += 1000; if (i % 3 == 0) return; device<int>(0)[i] += v & 15; }""",
    "truth_values_in_memory": """
KERNEL(test) { int i = gid(); bool f[8]; for (int k = 0; k < 8; k++) f[k] = (device<int>(1)[i] >> k) & 1;
  int s = 0; for (int k = 0; k < 8; k++) if (f[(k * 3 + i) & 7]) s += 1 << k; device<int>(0)[i] = s; }""",
    "mandelbrot": """
KERNEL(test) { int i = gid(); float cr = (i % 37) * 0.08f - 2, ci = (i / 37) * 0.1f - 1, a = 0, b = 0; int n = 0;
  while (n < 200 && a * a + b * b < 4) { float t = a * a - b * b + cr; b = 2 * a * b + ci; a = t; n++; }
  device<int>(0)[i] = n; }""",
    "threads_of_a_group": """
KERNEL(test) { int i = gid(); device<int>(0)[i] = tid() + 1000 * group() + 7 * groupSize() + flat(); }""",
    "multi_level_break": """
KERNEL(test) { int i = gid(); int s = 0;
  for (int a = 0; a < 10; a++) {
    for (int b = 0; b < 10; b++) {
      for (int c = 0; c < 3; c++) { s += device<int>(1)[(a * b + c + i) & 63] & 7; if (s > 40 + (i & 15)) goto done; if (((s + c) & 7) == 3) goto next; }
    }
    next: s++;
  }
  done: device<int>(0)[i] = s; }""",
    "do_while_with_two_exits": """
KERNEL(test) { int i = gid(); int k = i & 7, r = 0; do { r += k * 3; if (r > 50) { r = -r; break; } if (r == 12) { r += 100; break; } k++; } while (k < 11);
  device<int>(0)[i] = r * 2 + k; }""",
    "atomics": """
KERNEL(test) { int i = gid(); device<int>(0)[i] = 0; __metal_atomic_fetch_add_i32_device(device<int>(2) + (i & 1), i);
  __metal_atomic_fetch_add_i32_device(device<int>(2) + 2, 3); if (i & 2) __metal_atomic_fetch_max_i32_device(device<int>(2) + 3, i * 3); }""",
}


def arrays(count: int, limit: int) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    values = random.integers(-(2**31), 2**31, 4 * count + 64, dtype=np.int64).astype(np.int32)
    values[::3] &= 0xFF
    return [np.zeros(count, np.int32), values, np.array([limit, 23, 5, -7], np.int32)]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("mapping", "width"), [(ROWS, 32), (LINEAR, 8)])
def test_kernel_matches_reference(name, mapping, width, tmp_path_factory):
    kernel = HostKernel(KERNELS[name], tmp_path_factory.getbasetemp())
    for grid, threadgroup in [(200, 64), (75, 75), (33, 16), (1, 1)]:
        kernel.check(arrays(grid, grid - 3), grid, threadgroup, mapping, width)


PLACES = """
KERNEL(test) { int i = (gid(2) * gridSize(1) + gid(1)) * gridSize(0) + gid(0);
  int place = tid(0) + 100 * tid(1) + 10000 * tid(2); if ((tid(0) ^ tid(1)) & 1) place += group(0) + 5 * group(1) + 25 * group(2);
  device<int>(0)[i] = place * 64 + flat() + groupSize(0) * groupSize(1) * groupSize(2); }"""


@pytest.mark.parametrize(("mapping", "width"), [(ROWS, 32), (ROWS, 16), (LINEAR, 32), (LINEAR, 16)])
@pytest.mark.parametrize(
    ("grid", "threadgroup"),
    [
        ((100, 7), (32, 4)),
        ((70, 9, 5), (16, 4, 2)),
        ((5, 5, 5), (3, 2, 4)),
        ((33, 3), (33, 2)),
        ((1, 40), (1, 8)),
        ((64, 1, 3), (64, 1, 1)),
    ],
)
def test_positions(mapping, width, grid, threadgroup, tmp_path_factory):
    kernel = HostKernel(PLACES, tmp_path_factory.getbasetemp())
    kernel.check([np.zeros(np.prod(grid), np.int32)], grid, threadgroup, mapping, width)


@pytest.mark.parametrize("type_", ["int", "uint", "short", "ushort"])
def test_division_by_what_all_lanes_share(type_, tmp_path_factory):
    """Dividends at multiples of the divisor and beside them, where a rounding would show."""
    kernel = HostKernel(
        f"""KERNEL(test) {{ int i = gid(); {type_} d = ({type_})constant<int>(2)[0], n = ({type_})device<int>(1)[i];
  device<int>(0)[2 * i] = ({type_})(n / d); device<int>(0)[2 * i + 1] = ({type_})(n % d); }}""",
        tmp_path_factory.getbasetemp(),
    )
    random = np.random.default_rng(7)
    bits = 16 if "short" in type_ else 32
    low, high = (0, 2**bits - 1) if type_[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    divisors = [
        1,
        2,
        3,
        7,
        10,
        641,
        32767,
        high,
        high - 1,
        *([-1, -3, low, low + 1] if low else [2**31 % (high + 1) or 5]),
    ]
    for divisor in divisors:
        multiples = random.integers(0, high // abs(divisor) + 1, 40) * abs(divisor)
        edges = [
            low + (divisor == -1),
            low + 1,
            high,
            high - 1,
            0,
            1,
            high // divisor * divisor,
            high // divisor * divisor - 1,
        ]
        values = [*edges, *multiples, *(multiples - 1), *(multiples + 1), *(-multiples if low else multiples)]
        values = np.array(values, np.int64).astype(np.uint64).astype(np.uint32).view(np.int32)
        arrays = [np.zeros(2 * values.size, np.int32), values, np.array([divisor], np.int64).astype(np.uint32)]
        kernel.check(arrays, values.size, 32, ROWS, 32)


@pytest.mark.parametrize("type_", ["int", "uint", "short", "ushort", "signed char", "uchar", "long", "ulong"])
def test_conversions_that_saturate(type_, tmp_path_factory):
    kernel = HostKernel(
        f"KERNEL(test) {{ int i = gid(); device<{type_}>(0)[i] = ({type_})device<float>(1)[i]; }}",
        tmp_path_factory.getbasetemp(),
        ("-fno-strict-float-cast-overflow",),
    )
    powers = np.float32(2.0) ** np.arange(-2, 70)
    beside = np.concatenate([powers, np.nextafter(powers, np.float32(0)), np.nextafter(powers, np.float32(np.inf))])
    values = np.concatenate([beside, -beside, [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-42, 254.5, -128.5]]).astype(
        np.float32
    )
    kernel.check([np.zeros(8 * values.size, np.uint8), values], values.size, 64, ROWS, 32)
    assert ".sat." not in run(WIDEN, kernel.ir(), "test", "width=32", "emit=ir").decode()
