# SPDX-License-Identifier: MIT

"""Addresses that are neighbours unless a strip lies at an edge: both versions of a block, and which one runs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from host_kernels import LINEAR, ROWS, WIDEN, HostKernel, run

CLAMP = """template <class T> inline T clamped(T i, T last) {
  T above = i < (T)0 ? (T)0 : i;
  return above > last ? last : above;
}
"""
# Of an index i in a row of n (i may lie outside, by up to 40 on each side), a place from 0 to n - 1.
PLACES = {
    "clamped": "clamped(i, n - 1)",
    "clamped above": "(int)((uint)(i + 40) < (uint)n ? i + 40 : n - 1)",
    "around": "i < 0 ? i + n : i >= n ? i - n : i",
    "around at one place": "i == 0 ? n - 1 : i < 0 || i >= n ? 0 : i - 1",
    "mirrored": "(i < 0 ? -i : i) >= n ? 2 * n - 2 - (i < 0 ? -i : i) : i < 0 ? -i : i",
    "remainder": "(int)((uint)(i + 4 * n) % (uint)n)",
    "signed remainder": "(i + 4 * n) % n",
    "quotient": "(int)((uint)(i + 40) / 20u % (uint)n)",
    "half": "(i + 40) % 64 * 0 + ((i + 40) >> 4) % n",
    "low bits": "((i + 40) & 31) % n",
    "downwards": "n - 1 - (i < 0 ? 0 : i > n - 1 ? n - 1 : i)",
    "unless both": "i >= 0 && i < n ? i : 0",
    "unless either": "i < 0 || i >= n ? n - 1 : i",
    "in 64 bits": "(int)clamped((long)i, (long)n - 1L)",
}


def kernel(place: str, folder, type_: str = "int") -> HostKernel:
    return HostKernel(
        f"""{CLAMP} KERNEL(test) {{
  int n = device<int>(2)[0], sum = 0;
  for (int d = -2; d <= 2; d++) {{
    int i = gid() - 40 + d * device<int>(2)[1];
    if (i < -n) i = -n;
    if (i >= 2 * n) i = 2 * n - 1;
    int at = {place};
    if (at < 0 || at >= n) at = 0;
    sum = sum * 31 + device<{type_}>(1)[at];
  }}
  device<int>(0)[gid(1) * gridSize() + gid()] = sum;
}}""",
        folder,
    )


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_every_place_at_both_edges(place, tmp_path_factory):
    test = kernel(place, tmp_path_factory.getbasetemp())
    rng = np.random.default_rng(3)
    for n, apart in ((200, 1), (97, 3), (33, 0), (5, 1), (1, 2)):
        source, facts = rng.integers(0, 1000, 256, np.int32), np.array([n, apart], np.int32)
        out = np.zeros(450, np.int32)
        test.check([out, source, facts], (300, 1), 64, ROWS, 32)
        test.check([out, source, facts], (90, 5), (16, 5), LINEAR, 8)


@pytest.mark.parametrize("name", ["clamped", "around", "mirrored", "remainder", "unless either"])
@pytest.mark.parametrize("type_", ["int", "uchar"])
def test_inside_they_are_vector_loads(name, type_, tmp_path_factory):
    text = f"""{CLAMP} KERNEL(test) {{
  int n = gridSize(), i = gid() + device<int>(2)[1];
  int at = {PLACES[name]};
  device<int>(0)[gid()] = device<{type_}>(1)[at];
}}"""
    ir = run(WIDEN, HostKernel(text, tmp_path_factory.getbasetemp()).ir(), "test", "width=32", "emit=ir").decode()
    element = {"int": "i32", "uchar": "i8"}[type_]
    assert re.search(rf"load <32 x {element}>|llvm.masked.load.v32{element}", ir)


def test_writes_too(tmp_path_factory):
    """Pairs are swapped in place at a distance that decides whether lanes stay together."""
    test = HostKernel(
        """KERNEL(test) {
  uint i = gid(), distance = device<uint>(1)[0], low = i / distance * 2 * distance + i % distance;
  uint a = device<uint>(0)[low], b = device<uint>(0)[low + distance];
  device<uint>(0)[low] = b;
  device<uint>(0)[low + distance] = a * 3;
}""",
        tmp_path_factory.getbasetemp(),
    )
    values = np.random.default_rng(3).integers(0, 1 << 32, 4096, np.uint32)
    for distance in (1, 2, 8, 31, 32, 33, 64, 256):
        threads = 1024 // distance * distance
        test.check([values, np.array([distance], np.uint32)], threads, 128, ROWS, 32)
    ir = run(WIDEN, test.ir(), "test", "width=32", "emit=ir").decode()
    assert re.search(r"store <32 x i32>|llvm.masked.store.v32i32", ir)


def test_numbers_that_wrap_around(tmp_path_factory):
    """The first lane and the last lie inside, and one between them does not."""
    test = HostKernel(
        """KERNEL(test) {
  uint start = device<uint>(2)[0], bound = device<uint>(2)[1], i = start + gid();
  uint low = i < bound ? i : bound;
  int j = (int)i;
  int high = j > (int)bound ? j : (int)bound;
  device<uint>(0)[2 * gid()] = device<uint>(1)[low & 255];
  device<uint>(0)[2 * gid() + 1] = device<uint>(1)[(uint)high & 255];
}""",
        tmp_path_factory.getbasetemp(),
    )
    out, source = np.zeros(128, np.uint32), np.random.default_rng(3).integers(0, 1 << 32, 256, np.uint32)
    for start in (0, 0xFFFFFFF0, 0xFFFFFFFE, 0x7FFFFFF0, 0x80000000):
        for bound in (0, 5, 40, 0xFFFFFFFE, 0x7FFFFFF8, 0x80000004):
            test.check([out, source, np.array([start, bound], np.uint32)], 64, 32, ROWS, 32)
