# SPDX-License-Identifier: MIT

"""Vectors of each thread whose elements go through the same arithmetic stay as they lie in memory."""

from __future__ import annotations

import re

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, WIDEN, HostKernel, run

TYPES = """
typedef float float4 __attribute__((ext_vector_type(4)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
"""
# y and x are this thread's, a is the same in all threads, i is the thread's number.
STAY = {
    "scaled and added": ("float4", "a * x + y"),
    "elements of their own": ("float4", "x * (float4){5, 2, 3, 4} - y * (float4){a, 2, a, 8}"),
    "copied": ("float4", "x"),
    "a function": ("float4", "__builtin_elementwise_fma(x, y, -x) + __builtin_elementwise_abs(y)"),
    "converted": ("float4", "__builtin_convertvector(__builtin_convertvector(x, int4) * 3, float4)"),
    "two elements": ("float2", "x * y + a"),
    "the same in all threads": ("float4", "(float4){a, 1, a + 2, 3}"),
}  # fmt: skip
GO = {
    "elements that change places": ("float4", "x.yxwz * y"),
    "one that differs": ("float4", "(float4){x.x + y.x, x.y - y.y, x.z + y.z, x.w + y.w}"),
    "a number of the thread": ("float4", "x * (float)i"),
    "one used twice": ("float4", "(float4){x.x * y.x, x.x * y.x + x.y, x.z, x.w}"),
}


def kernel(type_: str, expression: str, folder) -> HostKernel:
    return HostKernel(
        f"""{TYPES} KERNEL(test) {{
  int i = gid(); float a = constant<float>(2)[0];
  if (i >= constant<int>(3)[0]) return;
  {type_} x = device<{type_}>(1)[i], y = device<{type_}>(0)[i];
  (void)a; (void)y;
  device<{type_}>(0)[i] = {expression};
}}""",
        folder,
    )


@pytest.mark.parametrize(("type_", "expression"), [*STAY.values(), *GO.values()], ids=[*STAY, *GO])
def test_results(type_, expression, tmp_path_factory):
    test = kernel(type_, expression, tmp_path_factory.getbasetemp())
    random = np.random.default_rng(7)
    x, y = (random.integers(-4000, 4000, 4 * 128).astype(np.float32) / 8 for _ in range(2))
    for count in (100, 77, 3):
        arrays = [y, x, np.array([0.5], np.float32), np.array([count], np.int32)]
        test.check(arrays, 100, 64, ROWS, 32)
        test.check(arrays, 100, 50, LINEAR, 8)


@pytest.mark.parametrize(("type_", "expression"), STAY.values(), ids=STAY)
def test_no_element_is_moved(type_, expression, tmp_path_factory):
    ir = run(
        WIDEN, kernel(type_, expression, tmp_path_factory.getbasetemp()).ir(), "test", "width=32", "emit=ir"
    ).decode()
    elements = {"float4": 128, "float2": 64}[type_]
    assert f"<{elements} x float>" in ir
    # As many as there are lanes, taken out of all.
    assert not re.search(rf"shufflevector <{elements} x float>.*<32 x i32>", ir)
