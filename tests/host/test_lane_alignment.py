# SPDX-License-Identifier: MIT

"""Indices whose low bits are the lane: what shifts, masks and comparisons of them become, and that it is right."""

from __future__ import annotations

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, WIDEN, HostKernel, run

TILE = """
static THREADGROUP int tile[1024];
KERNEL(test) {
  int width = device<int>(2)[0];
  for (uint i = flat(); i < 1024; i += 256) tile[i] = device<int>(1)[(group() * 16 + i / 64) * width + i % 64];
  barrier();
  for (uint i = flat(); i < 1024; i += 256) device<int>(0)[(group() * 16 + (i >> 6)) * 64 + (i & 63)] = tile[i] * 3;
}"""


def test_rows_of_a_tile_are_read_and_written_as_vectors(tmp_path_factory):
    kernel = HostKernel(TILE, tmp_path_factory.getbasetemp())
    source = np.random.default_rng(5).integers(0, 1000, (48, 80), np.int32)
    out, width = np.zeros((48, 64), np.int32), np.array([80], np.int32)
    for lanes in (8, 16, 32):
        kernel.run([out, source, width], 256 * 3, 256, LINEAR, lanes)
        np.testing.assert_array_equal(out, source[:, :64] * 3)
        ir = run(WIDEN, kernel.ir(), "test", "mapping=1", f"width={lanes}", "emit=ir").decode()
        assert "llvm.masked.gather" not in ir
        assert "llvm.masked.scatter" not in ir
        out[:] = 0


EXPRESSIONS = [
    "i / 32", "i % 32", "i / 8", "i % 8", "i >> 3", "i & 7", "i & 12", "i & 64", "i & 96", "i * 4 / 128", "i * 4 % 128",
    "i * 4 & 252", "i * 3 / 64", "(i + 64) / 32", "(i + 5) / 32", "(i + 5) % 32", "(i ^ 32) / 32", "(i - 96) / 32",
    "(uint)((unsigned long)(i + 0xffffffe0u) >> 5)", "(int)(i - 64) >> 5", "(i << 27) >> 28", "(i | 64) / 32",
]  # fmt: skip
CONDITIONS = [
    "i < 32",
    "i < 64",
    "i < 40",
    "i >= 96",
    "(int)i - 64 < 0",
    "(int)(i - 64) < 32",
    "i * 2 < 128",
    "i / 32 == 1",
]


@pytest.mark.parametrize("mapping", [ROWS, LINEAR])
def test_every_lane_of_each_expression(mapping, tmp_path_factory):
    lines = [f"device<uint>(0)[at + {512 * k}] = {expression};" for k, expression in enumerate(EXPRESSIONS)]
    count = len(EXPRESSIONS)
    lines += [
        f"device<uint>(0)[at + {512 * (count + k)}] = {condition} ? i * 7 + 1 : i;"
        for k, condition in enumerate(CONDITIONS)
    ]
    kernel = HostKernel(
        "KERNEL(test) { uint i = flat(), x = tid(), at = group() * 128 + i; (void)x;\n" + "\n".join(lines) + "}",
        tmp_path_factory.getbasetemp(),
    )
    out = np.zeros(512 * (count + len(CONDITIONS)), np.uint32)
    for width in (8, 16, 32):
        for shape in ((128, 1), (32, 4), (100, 1), (16, 5)):
            kernel.check([out], (3 * shape[0], shape[1]), shape, mapping, width)


def test_loops_from_the_lane_upwards(tmp_path_factory):
    """The number that a loop adds decides what stays known."""
    kernel = HostKernel(
        """KERNEL(test) { uint i = flat(), sum = 0, step = device<uint>(1)[0];
  for (uint k = i; k < 700; k += 96) sum = sum * 5 + k / 32 + k % 32 * 3;
  for (uint k = i; k < 700; k += 40) sum = sum * 5 + k / 32 + k % 8 * 3;
  for (uint k = i; k < 700; k += step) sum = sum * 5 + k / 32 + k % 32 * 3;
  for (uint k = i + 0xffffff00u; k >= 0xfffffe80u; k -= 64) sum = sum * 5 + (uint)((unsigned long)k + 256 >> 5);
  device<uint>(0)[group() * 96 + i] = sum; }""",
        tmp_path_factory.getbasetemp(),
    )
    for step in (32, 33, 7, 64):
        for width in (8, 16, 32):
            kernel.check([np.zeros(300, np.uint32), np.array([step], np.uint32)], 288, 96, LINEAR, width)
