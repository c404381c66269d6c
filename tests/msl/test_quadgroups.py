# SPDX-License-Identifier: MIT
"""Quad-group functions of every type, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from . import group_functions as g

pytest.importorskip("mtlpy_nb")

KINDS = g.all_kinds((*g.WHOLE, *g.FRACTION))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_reductions_and_prefixes_of_the_threads_that_take_part(kind, shared_device, rng):
    names = g.REDUCTIONS + (g.BITS if kind.is_whole else ()) + g.PREFIXES
    functions = [f"quad_{name}(value)" for name in names]
    for shape in ((96, 1), (5, 9)):
        a, _, active, out = g.run(shared_device, "combine", kind, functions, shape, rng, "if (!active[i]) return;")
        for name, got in zip(names, out, strict=True):
            combine = g.prefixed if name.startswith("prefix") else g.reduced
            expected = g.by_threadgroup(
                lambda rows, who, f=combine, n=name: f(n, rows, who, 4), shape[0] * shape[1], a, active
            )
            np.testing.assert_array_equal(got[active], kind.store(expected)[active], err_msg=f"{name} {shape}")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_shuffles(kind, shared_device, rng):
    functions, expected = [], []
    lane = np.arange(32)
    for amount in (1, 3):
        for spelled in (str(amount), f"count / count * {amount}"):
            for name in g.SHUFFLES:
                second = "(lane * 5 + 3) % 4" if name == "shuffle" else spelled
                functions.append(f"quad_{name}(value, {second})")
                expected.append(lambda a, _, n=name, d=amount: a[g.source(n, lane, 4, d)])
    for name in g.FILLS:
        for modulo, delta in ((4, 1), (4, 2), (2, 1)):
            last = "" if modulo == 4 else f", {modulo}"
            functions.append(f"quad_{name}(value, filling, {delta}{last})")
            expected.append(lambda a, b, n=name, m=modulo, d=delta: g.filled(n, a, b, m, d))
    functions.append("quad_broadcast_first(value)")
    expected.append(lambda a, _: a[lane - lane % 4])
    a, b, _, out = g.run(shared_device, "move", kind, functions, (64, 1), rng)
    for function, model, got in zip(functions, expected, out, strict=True):
        want = np.concatenate([model(a[i : i + 32], b[i : i + 32]) for i in range(0, len(a), 32)])
        np.testing.assert_array_equal(got, kind.store(want), err_msg=function)


VOTES = """
#include <metal_stdlib>
using namespace metal;
kernel void votes(device const bool* active, device const bool* yes, device const int* a, device uint* facts,
                  device int* firsts, uint i [[thread_position_in_grid]]) {
    facts[i] = 0;
    if (!active[i]) return;
    const quad_vote vote = quad_ballot(yes[i]);
    facts[i] = (quad_vote::vote_t)vote | (quad_vote::vote_t)quad_active_threads_mask() << 4 | quad_all(yes[i]) << 8
             | quad_any(yes[i]) << 9 | quad_is_first() << 10 | vote.all() << 11 | vote.any() << 12
             | (unsigned)quad_vote(0xff) << 13;
    firsts[i] = quad_broadcast_first(a[i]);
}
"""


def test_votes(shared_device, rng):
    kernel = shared_device.library(VOTES)["votes"]
    for chance_here, chance_yes in ((1, 0.5), (1, 1), (1, 0), (0.6, 0.6), (0.3, 0.9)):
        count = 32 * 10 + 7
        active, yes = rng.random(count) < chance_here, rng.random(count) < chance_yes
        a = rng.integers(-(2**31), 2**31, count).astype(np.int32)
        facts, firsts = np.zeros(count, np.uint32), np.zeros(count, np.int32)
        kernel(active, yes, a, facts, firsts, grid=count, threadgroup=96)
        for first in range(0, count, 4):
            here, vote = active[first : first + 4], yes[first : first + 4] & active[first : first + 4]
            bits, mask = (sum(int(bit) << k for k, bit in enumerate(x)) for x in (vote, here))
            for lane in np.flatnonzero(here):
                leader = np.flatnonzero(here)[0]
                expected = bits | mask << 4 | bool(vote[here].all()) << 8 | (bits != 0) << 9
                expected |= bool(lane == leader) << 10 | (bits == 15) << 11 | (bits != 0) << 12 | 15 << 13
                assert facts[first + lane] == expected
                assert firsts[first + lane] == a[first + leader]


def test_control_flow_that_only_quads_agree_on(shared_device, rng):
    kernel = shared_device.library(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void k(device const int* a, device int* out, uint i [[thread_position_in_grid]]) {\n"
        "  int r = a[i];\n"
        "  if (quad_max(r) & 1) r = quad_sum(r) + quad_shuffle_xor(r, 2);\n"
        "  for (int n = quad_min(a[i]) & 7; n > 0; --n) r += quad_prefix_exclusive_sum(r ^ n);\n"
        "  out[i] = r;\n}"
    )["k"]
    a = rng.integers(-(2**31), 2**31, 32 * 40).astype(np.int32)
    out = np.zeros_like(a)
    kernel(a, out, grid=len(a), threadgroup=128)
    quads = a.reshape(-1, 4)
    expected = quads.copy()
    with np.errstate(over="ignore"):
        for quad, r in zip(quads, expected, strict=True):
            if quad.max() & 1:
                r[:] = quad.sum(dtype=np.int32) + quad[[2, 3, 0, 1]]
            for n in range(quad.min() & 7, 0, -1):
                r += np.concatenate([[0], np.cumsum(r ^ np.int32(n), dtype=np.int32)[:-1]]).astype(np.int32)
    np.testing.assert_array_equal(out, expected.ravel())
