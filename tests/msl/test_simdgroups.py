# SPDX-License-Identifier: MIT
"""SIMD-group functions of every type, against NumPy; sums of fractions bit for bit, in the order documented."""

from __future__ import annotations

import numpy as np
import pytest

from . import group_functions as g

mtlpy_nb = pytest.importorskip("mtlpy_nb")

ELEMENTS = ("char", "uchar", "short", "ushort", "int", "uint", *g.FRACTION)
KINDS = g.all_kinds(ELEMENTS)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_reductions_and_prefixes_of_the_threads_that_take_part(kind, shared_device, rng):
    names = g.REDUCTIONS + (g.BITS if kind.is_whole else ()) + g.PREFIXES
    functions = [f"simd_{name}(value)" for name in names]
    for shape in g.SHAPES:
        a, _, active, out = g.run(shared_device, "combine", kind, functions, shape, rng, "if (!active[i]) return;")
        for name, got in zip(names, out, strict=True):
            combine = g.prefixed if name.startswith("prefix") else g.reduced
            expected = g.by_threadgroup(
                lambda rows, who, f=combine, n=name: f(n, rows, who, 32), shape[0] * shape[1], a, active
            )
            np.testing.assert_array_equal(got[active], kind.store(expected)[active], err_msg=f"{name} {shape}")
            assert not got[~active].any()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_shuffles(kind, shared_device, rng):
    """By distances that are known when compiling and by others, from threads that are there."""
    functions, expected = [], []
    lane = np.arange(32)
    for amount in (3, 17):
        for spelled in (str(amount), f"count / count * {amount}"):
            for name in g.SHUFFLES:
                second = "(lane * 5 + 3) % 32" if name == "shuffle" else spelled
                functions.append(f"simd_{name}(value, {second})")
                expected.append(lambda a, _, n=name, d=amount: a[g.source(n, lane, 32, d)])
    for name in g.FILLS:
        for modulo, delta in ((32, 5), (16, 3), (8, 2), (4, 1), (2, 1)):
            last = "" if modulo == 32 else f", {modulo}"
            functions.append(f"simd_{name}(value, filling, {delta}{last})")
            expected.append(lambda a, b, n=name, m=modulo, d=delta: g.filled(n, a, b, m, d))
    functions.append("simd_broadcast_first(value)")
    expected.append(lambda a, _: a[np.zeros(32, int)])
    a, b, _, out = g.run(shared_device, "move", kind, functions, (64, 1), rng)
    for function, model, got in zip(functions, expected, out, strict=True):
        want = np.concatenate([model(a[i : i + 32], b[i : i + 32]) for i in range(0, len(a), 32)])
        np.testing.assert_array_equal(got, kind.store(want), err_msg=function)


VOTES = """
#include <metal_stdlib>
using namespace metal;
kernel void votes(device const bool* active, device const bool* yes, device ulong* ballots, device uint* facts,
                  uint i [[thread_position_in_grid]]) {
    ballots[i] = 0; facts[i] = 0;
    if (active[i]) {
        const simd_vote vote = simd_ballot(yes[i]), here = simd_active_threads_mask();
        ballots[i] = (simd_vote::vote_t)vote << 32 | (simd_vote::vote_t)here;
        facts[i] = uint(simd_all(yes[i])) | simd_any(yes[i]) << 1 | simd_is_first() << 2 | vote.all() << 3
                 | vote.any() << 4 | simd_vote(0xffffffff).all() << 5 | simd_vote().any() << 6;
    }
}
"""


def test_votes(shared_device, rng):
    kernel = shared_device.library(VOTES)["votes"]
    for chance_here, chance_yes in ((1, 0.5), (1, 1), (1, 0), (0.5, 0.5), (0.1, 0.9), (0.9, 1)):
        count = 32 * 20
        active, yes = rng.random(count) < chance_here, rng.random(count) < chance_yes
        ballots, facts = np.zeros(count, np.uint64), np.zeros(count, np.uint32)
        kernel(active, yes, ballots, facts, grid=count, threadgroup=64)
        for first in range(0, count, 32):
            here, vote = active[first : first + 32], yes[first : first + 32] & active[first : first + 32]
            bits = [int(np.packbits(x, bitorder="little").view(np.uint32)[0]) for x in (vote, here)]
            for lane in np.flatnonzero(here):
                every, some = bool(vote[here].all()), bool(vote.any())
                expected = every | some << 1 | bool(lane == np.flatnonzero(here)[0]) << 2
                expected |= bool(vote.all()) << 3 | some << 4 | 1 << 5
                assert facts[first + lane] == expected
                assert int(ballots[first + lane]) == bits[0] << 32 | bits[1]


ATTRIBUTES = """
#include <metal_stdlib>
using namespace metal;
kernel void places(device ushort4* out, device uint4* of, uint index [[thread_index_in_threadgroup]],
                   uint2 group [[threadgroup_position_in_grid]], uint2 full [[dispatch_threads_per_threadgroup]],
                   ushort lane [[thread_index_in_simdgroup]], ushort simd [[simdgroup_index_in_threadgroup]],
                   ushort in_quad [[thread_index_in_quadgroup]], ushort quad [[quadgroup_index_in_threadgroup]],
                   ushort simds [[simdgroups_per_threadgroup]], ushort quads [[quadgroups_per_threadgroup]],
                   ushort simds_asked [[dispatch_simdgroups_per_threadgroup]],
                   ushort quads_asked [[dispatch_quadgroups_per_threadgroup]],
                   ushort width [[threads_per_simdgroup]], ushort same_width [[thread_execution_width]]) {
    const uint i = (group.y * 2 + group.x) * full.x * full.y + index;
    out[i] = ushort4(lane, simd, in_quad, quad);
    of[i] = width == 32 && same_width == 32 ? uint4(simds, quads, simds_asked, quads_asked) : 0;
}
"""


@pytest.mark.parametrize("shape", [(32, 2), (10, 7), (64, 1), (3, 3)])
@pytest.mark.parametrize("sums", [False, True], ids=["", "with SIMD-group functions"])
def test_places_in_groups(shape, sums, shared_device):
    """Also at the grid's edge, where threadgroups are smaller."""
    text = ATTRIBUTES.replace("out[i] =", "out[i] = simd_sum(lane) < 0 ? 0 :") if sums else ATTRIBUTES
    kernel = shared_device.library(text)["places"]
    grid = (shape[0] + shape[0] // 2 + 1, shape[1] + shape[1] // 2)
    full = shape[0] * shape[1]
    out, of = np.zeros((4 * full, 4), np.uint16), np.zeros((4 * full, 4), np.uint32)
    kernel(out, of, grid=grid, threadgroup=shape)
    for y in range(2):
        for x in range(2):
            size = min(shape[0], grid[0] - x * shape[0]) * max(min(shape[1], grid[1] - y * shape[1]), 0)
            part = slice((y * 2 + x) * full, (y * 2 + x) * full + size)
            index = np.arange(size)
            expected = np.stack([index % 32, index // 32, index % 4, index // 4], 1)
            np.testing.assert_array_equal(out[part], expected)
            assert (of[part] == [-(-size // 32), -(-size // 4), -(-full // 32), -(-full // 4)]).all()


def test_edge_threadgroups_have_simdgroups_of_their_own(shared_device, rng):
    """A row of the smaller threadgroup at the edge is no whole number of SIMD-groups."""
    kernel = shared_device.library(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void sums(device const int* a, device int* out, uint2 at [[thread_position_in_grid]],"
        " uint2 grid [[threads_per_grid]]) { out[at.y * grid.x + at.x] = simd_sum(a[at.y * grid.x + at.x]); }"
    )["sums"]
    a = rng.integers(-1000, 1000, (4, 104), np.int32)
    out = np.zeros_like(a)
    kernel(a.ravel(), out.reshape(-1), grid=(104, 4), threadgroup=(64, 4))
    expected = np.zeros_like(a)
    for columns in (slice(0, 64), slice(64, 104)):
        flat = a[:, columns].ravel()
        sums = np.concatenate([np.full(len(flat[i : i + 32]), flat[i : i + 32].sum()) for i in range(0, len(flat), 32)])
        expected[:, columns] = sums.reshape(4, -1)
    np.testing.assert_array_equal(out, expected)


CONTROL = """
#include <metal_stdlib>
using namespace metal;
kernel void control(device const int* a, device int* out, uint i [[thread_position_in_grid]],
                    uint t [[thread_index_in_threadgroup]], uint simd [[simdgroup_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]]) {
    threadgroup int shared[4];
    int r = a[i];
    if (simd % 2 == 0) r = simd_sum(r) + simd_shuffle_xor(a[i], 1);  // half of the SIMD-groups
    for (uint round = 0; round < simd + 1; ++round) r = r * 3 + simd_max(r ^ int(round));
    if (lane == 0) shared[simd] = r;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
        int s = lane < 4 ? shared[lane] : 0;
        s = simd_sum(s);
        if (lane == 0) shared[0] = s;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (a[i] % 5 == 0) { out[i] = shared[0]; return; }
    int rest = 0;
    while (simd_any(rest < a[i] % 7)) rest += 1;          // as often for all
    for (int k = 0; k < (a[i] & 3); ++k) rest += simd_sum(1);  // those still in the loop
    out[i] = rest * 1000 + simd_prefix_inclusive_sum(1);
}
"""


def test_under_control_flow_and_beside_barriers(shared_device, rng):
    kernel = shared_device.library(CONTROL)["control"]
    a = rng.integers(0, 1000, 128 * 5, np.int32)
    out = np.zeros_like(a)
    kernel(a, out, grid=len(a), threadgroup=128)
    for first in range(0, len(a), 128):
        values = a[first : first + 128].reshape(4, 32).astype(np.int64)
        r = values.copy()
        for simd in range(4):
            if simd % 2 == 0:
                r[simd] = values[simd].sum() + values[simd][np.arange(32) ^ 1]
            for round_ in range(simd + 1):
                r[simd] = (r[simd] * 3 + (r[simd] ^ round_).max()).astype(np.int32)
        total = int(r[:, 0].sum().astype(np.int32))
        for simd in range(4):
            v = values[simd]
            left = v % 5 != 0
            rest = np.full(32, (v[left] % 7).max() if left.any() else 0)
            for k in range(4):
                inside = left & ((v & 3) > k)
                rest = np.where(inside, rest + inside.sum(), rest)
            expected = np.where(left, rest * 1000 + np.cumsum(left), total)
            np.testing.assert_array_equal(out[first + 32 * simd : first + 32 * simd + 32], expected)


@pytest.mark.parametrize(
    "expression",
    ["simd_sum(1l)", "simd_shuffle(2ul, 1)", "simd_max(true)", "simd_and(1.0f)", "simd_xor(half2(1))",
     "(uint)simd_ballot(true)"],
)  # fmt: skip
def test_types_that_metal_does_not_take(expression, compiles):
    with pytest.raises(mtlpy_nb.CompileError, match=r"no matching function|cannot convert|no viable conversion"):
        compiles(f"kernel void k(device int* out) {{ auto r = {expression}; *out = int(r); }}")
