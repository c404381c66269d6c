# SPDX-License-Identifier: MIT
"""Kernels that are legal but absurd: a pipeline in time, or an error that says what is too much."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

pytestmark = pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="Apple's limits are others")

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
KERNEL = HEAD + "kernel void k(device int* a, uint i [[thread_position_in_grid]]) {{\n{body}\n}}\n"


def run(device, body: str, count: int = 40) -> np.ndarray:
    a = np.arange(count, dtype=np.int32)
    device.library(KERNEL.format(body=body))["k"](a, grid=count)
    return a


@pytest.mark.timeout(120)
def test_ten_thousand_statements(device):
    statements = "\n".join(f"x = x * {2 * n + 1} + {n};" for n in range(10_000))
    expected = np.arange(40, dtype=np.uint32)
    for n in range(10_000):
        expected = expected * np.uint32(2 * n + 1) + np.uint32(n)
    assert np.array_equal(run(device, f"uint x = a[i]; {statements} a[i] = x;"), expected.astype(np.int32))


@pytest.mark.timeout(120)
def test_a_hundred_nested_loops(device):
    loops = "".join(f"for (int j{n} = 0; j{n} < a[0] + 1; ++j{n}) {{ " for n in range(100))
    found = run(device, f"int x = 0; {loops} ++x; {'}' * 100} if (i > 0) a[i] = x;")
    assert np.array_equal(found[1:], np.ones(39, dtype=np.int32))


@pytest.mark.timeout(120)
def test_a_thousand_calls_deep(device):
    functions = "int f0(int x) { return x + 1; }\n" + "".join(
        f"int f{n}(int x) {{ return f{n - 1}(x) + 1; }}\n" for n in range(1, 1000)
    )
    source = (
        f"{HEAD}{functions}kernel void k(device int* a, uint i [[thread_position_in_grid]]) {{ a[i] = f999(a[i]); }}"
    )
    a = np.arange(40, dtype=np.int32)
    device.library(source)["k"](a, grid=40)
    assert np.array_equal(a, np.arange(40) + 1000)


TOO_MUCH = {
    "private array of 4 MB": (
        "int p[1 << 20]; for (int j = 0; j < 1 << 20; ++j) p[(j * 7 + a[0]) & 0xfffff] = j; a[i] = p[a[i]];"
    ),
    "private array of 1 TB": "int p[1ul << 38]; p[a[0]] = 1; a[i] = p[a[i]];",
    "threadgroup array of 64 KiB": (
        "threadgroup int p[1 << 14]; p[i] = 1; threadgroup_barrier(mem_flags::mem_threadgroup); a[i] = p[0];"
    ),
    "threadgroup arrays of 33 KiB together": (
        "threadgroup int p[1 << 12]; threadgroup int q[1 << 12]; threadgroup int r[1 << 8]; p[i] = q[i] = r[i] = 1; "
        "threadgroup_barrier(mem_flags::mem_threadgroup); a[i] = p[0] + q[0] + r[0];"
    ),
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("what", TOO_MUCH)
def test_too_much_memory_is_told_with_the_pipeline(device, what):
    kernel = device.library(KERNEL.format(body=TOO_MUCH[what]))["k"]
    told = r"memory|private variable of \d+ bytes, more than"
    with pytest.raises((mtlpy_nb.PipelineError, mtlpy_nb.CompileError), match=told):
        _ = kernel.max_threads_per_threadgroup
    assert np.array_equal(run(device, "a[i] += 1;"), np.arange(40) + 1)
