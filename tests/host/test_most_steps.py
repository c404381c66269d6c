# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""How long a thread runs at most: a number for code that ends whatever it is given, none for what may run on."""

from __future__ import annotations

import ctypes

import pytest
from host_kernels import ROWS, HostKernel

ENDS = {
    "straight": "KERNEL(test) { device<int>(0)[gid()] += 1; }",
    "branches": "KERNEL(test) { int i = gid(); if (device<int>(1)[i] > 3) device<int>(0)[i] = 7; else device<int>(0)[i]--; }",
    "a loop": "KERNEL(test) { int s = 1; for (int k = 0; k < 20; k++) s = s * 5 + device<int>(1)[s & 63]; device<int>(0)[gid()] = s; }",
    "a loop left early": """
KERNEL(test) { int s = gid(); for (int k = 0; k < 20; k++) { s = s * 5 + 1; if (device<int>(1)[s & 63] == 9) break; }
  device<int>(0)[gid()] = s; }""",
    "a loop with a limit": """
KERNEL(test) { int s = gid(); for (int k = 0; k < (device<int>(1)[0] & 15); k++) s = s * 5 + device<int>(1)[s & 63];
  device<int>(0)[gid()] = s; }""",
    "a fill": "KERNEL(test) { __builtin_memset(device<char>(0) + gid() * 64, device<int>(1)[0], 64); }",
    "a barrier and atomics": """
KERNEL(test) { __metal_atomic_fetch_add_i32_device(device<int>(0), 1); barrier(); device<int>(0)[gid() + 1] = 3; }""",
}
MAY_RUN_ON = {
    "as often as an argument says": """
KERNEL(test) { int s = 1; for (int k = 0; k < device<int>(1)[0]; k++) s = s * 5 + device<int>(2)[s & 63]; device<int>(0)[gid()] = s; }""",
    "a fill of as many bytes as an argument says": "KERNEL(test) { __builtin_memset(device<char>(0), 3, device<unsigned>(1)[0]); }",
    "until memory changes": """
KERNEL(test) { while (__metal_atomic_fetch_add_i32_device(device<int>(0), 0) == 0) {} device<int>(0)[gid()] = 1; }""",
    "for ever": "KERNEL(test) { for (;;) device<int>(0)[gid()] += 1; }",
    "an endless loop in one with a limit": """
KERNEL(test) { int s = gid(); for (int k = 0; k < 4; k++) while (device<int>(1)[s & 63] != k) s = s * 5 + 1; device<int>(0)[gid()] = s; }""",
    "a loop with a limit in an endless one": """
KERNEL(test) { int s = gid(); do for (int k = 0; k < 4; k++) s = s * 5 + device<int>(1)[s & 63]; while (s & 1); device<int>(0)[gid()] = s; }""",
    "a function that calls itself": """
int deep(int n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
KERNEL(test) { device<int>(0)[gid()] = deep(device<int>(1)[gid()]); }""",
    "more than can be counted": """
KERNEL(test) { int s = gid(); for (uint k = 0; k < 3000000000u; k++) s = s * 5 + device<int>(1)[s & 63]; device<int>(0)[gid()] = s; }""",
}


def most_steps(source: str, folder) -> int:
    library = HostKernel(source, folder).variant(ROWS, 0)
    return ctypes.c_uint32.in_dll(library, "metal_kernel_most_steps").value


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_known(source: str, tmp_path) -> None:
    assert 0 < most_steps(source, tmp_path) < 3000


@pytest.mark.parametrize("source", MAY_RUN_ON.values(), ids=MAY_RUN_ON)
def test_unknown(source: str, tmp_path) -> None:
    assert most_steps(source, tmp_path) == 0


def test_rounds_count(tmp_path) -> None:
    """Two loops, one inside the other: their rounds are multiplied."""
    few, many = (
        most_steps(
            f"KERNEL(test) {{ int s = gid(); for (int a = 0; a < {n}; a++) for (int b = 0; b < (s & 63); b++) "
            "s = s * 5 + device<int>(1)[s & 63]; device<int>(0)[gid()] = s; }",
            tmp_path,
        )
        for n in (100, 1000)
    )
    assert 100 * 63 < few < many / 5
