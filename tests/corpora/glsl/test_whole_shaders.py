# SPDX-License-Identifier: MIT

"""The shaders that use much of the language at once (test_options.py), run beside what the GLSL means, in NumPy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from .compute import run
from .translate import metal_source

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "stages"))

from stage_functions import run_vertex
from texture_records import RGBA32FLOAT, Texture, sampler

F, U = np.float32, np.uint32


def test_subgroup_operations():
    rng = np.random.default_rng(1)
    x, f = rng.integers(1, 7, 64).astype(U), rng.integers(-8, 8, (64, 4)).astype(F)
    f[32:] = 3  # one value in the second subgroup, so that subgroupAllEqual sees both answers
    got_x, got_f = x.copy(), f.copy()
    run("subgroup_operations.comp", (1,), (64,), {0: got_x, 1: got_f})
    lane = np.arange(32)
    for group in range(2):
        v = x[group * 32 :][:32].astype(np.uint64)
        q = f[group * 32 :][:32].astype(float)
        running = np.cumprod(v)
        terms = [v.sum(), v.cumsum(), v.cumsum() - v, running[-1], v.min(), v.max()]
        terms += [operation.reduce(v) for operation in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)]
        terms += [running, np.append(np.uint64(1), running[:-1])]
        votes = v > 3
        terms += [votes.sum(), votes.cumsum(), votes.cumsum() - votes, np.flatnonzero(votes)[0]]
        terms += [np.flatnonzero(votes)[-1], votes, votes[3]]
        bit = np.uint64(1) << lane.astype(np.uint64)
        terms += [
            bit,
            ~(bit - 1),
            ~(2 * bit - 1),
            2 * bit - 1,
            bit - 1,
        ]  # equal, from here on, behind, up to here, before
        terms += [(v > 1).all(), (v > 1).any(), (v == v[0]).all(), (q == q[0]).all(), v[3], v[lane ^ 1]]
        # What is shuffled from beyond an end is not defined: those lanes are left out below.
        terms += [np.roll(v, 1), np.roll(v, -2), v[5], v[0], lane == 0, (v > 2)[1], group, 2, lane, 32]
        r = sum(np.asarray(term).astype(U) for term in terms)
        inside = (lane >= 1) & (lane < 30)
        np.testing.assert_array_equal(got_x[group * 32 :][:32][inside], r.astype(U)[inside])
        quads = q.reshape(8, 4, 4)
        # Each operation is of the value before it is added to.
        out = quads + quads[:, 2:3] + quads[:, [1, 0, 3, 2]] + quads[:, [2, 3, 0, 1]] + quads[:, [3, 2, 1, 0]]
        out = out + quads.sum((0, 1)) + quads.sum(1, keepdims=True) + quads.max(1, keepdims=True)
        np.testing.assert_allclose(got_f[group * 32 :][:32], out.reshape(32, 4), rtol=1e-6)


def test_narrow_and_wide_numbers():
    rng = np.random.default_rng(2)
    x = rng.integers(0, 1 << 64, 32, dtype=np.uint64)
    h = rng.uniform(-4, 4, (32, 4)).astype(np.float16)
    s = rng.integers(-30000, 30000, 32).astype(np.int16)
    c = rng.integers(0, 256, (32, 4)).astype(np.uint8)
    y = rng.integers(-100, 100, 32).astype(np.int64)
    given = [a.copy() for a in (x, h, s, c, y)]
    run("narrow_and_wide.comp", (1,), (32,), dict(enumerate(given)))
    i = np.arange(32)
    v = x * np.uint64(0x123456789ABCDEF) + (x >> np.uint64(7))
    v ^= v << np.uint64(3)
    np.testing.assert_array_equal(given[0], v + ((v & np.uint64(0xFFFFFFFF)) + (np.uint64(3) << np.uint64(32))))
    third = np.array([int(n) // 3 if n >= 0 else -(-int(n) // 3) for n in v.view(np.int64)], np.int64)
    np.testing.assert_array_equal(given[4], third - abs(y) + np.sign(y) + np.minimum(y, 5))
    roots = np.sqrt(abs(h)).astype(np.float16) * np.float16(2) + np.float16([1, 2, 3, 4])
    np.testing.assert_allclose(given[1][:, 2:], roots[:, 2:], rtol=2e-3)
    dot = (roots.astype(float) ** 2).sum(1)
    np.testing.assert_allclose(given[1][:, 0], dot, rtol=4e-3)
    np.testing.assert_allclose(given[1][:, 1], dot + roots[:, 1], rtol=6e-3)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(given[2], s * np.int16(3) + i.astype(np.int16) - (s >> 2))
    np.testing.assert_array_equal(given[3], c[:, ::-1] + np.uint8(1))


def test_skinning():
    rng = np.random.default_rng(3)
    count = 10
    uniforms = np.dtype({
        "names": ["vp", "sk", "t", "fs", "flag", "q", "rm"],
        "formats": [(F, (4, 4)), (F, (16, 3, 4)), (F, (4, 4)), (F, (5, 4)), U, (F, (2, 4)), (F, (3, 4))],
        "offsets": [0, 64, 832, 896, 976, 992, 1024],
        "itemsize": 1072,
    })  # fmt: skip
    u = np.zeros((), uniforms)
    for name in ("vp", "sk", "t", "fs", "q", "rm"):
        u[name] = rng.uniform(-1, 1, u[name].shape)
    u["flag"] = 1
    positions = rng.uniform(-1, 1, (count, 4)).astype(F)  # vec3, each in 16 bytes
    matrices = rng.uniform(-1, 1, (4, 3, 4)).astype(F)  # row-major mat4x3
    pos = rng.uniform(-1, 1, (count, 3)).astype(F)
    joints, weights = rng.integers(0, 16, (count, 4)), rng.uniform(0, 1, (count, 4)).astype(F)
    columns = rng.uniform(-1, 1, (4, count, 4)).astype(F)
    pair = rng.integers(-5, 5, (count, 2))
    vertex, instance = np.arange(count), np.full(count, 6)
    kept = matrices.copy()
    height = Texture("2d", RGBA32FLOAT, np.full((1, 2, 2, 4), 0.25, F))
    source = metal_source("skinning.vert", "--msl-decoration-binding")
    out = run_vertex(
        source,
        "main0",
        {"attribute(0)": pos, "attribute(1)": joints, "attribute(2)": weights, "attribute(7)": pair,
         **{f"attribute({3 + k})": columns[k] for k in range(4)}, "vertex_id": vertex, "instance_id": instance},
        buffers={0: u, 1: positions, 2: kept}, textures={3: height.address}, samplers={3: sampler()},
    )  # fmt: skip
    p = np.zeros((count, 4))
    for k in range(4):  # mat3x4 by a row vector: a dot product with each column
        p[:, :3] += weights[:, k : k + 1] * np.einsum("nck,nk->nc", u["sk"][joints[:, k]], np.c_[pos, np.ones(count)])
    p = np.einsum("kn,nkr->nr", np.ones((4, count)), columns.transpose(1, 0, 2) * p[:, :, None])
    p[:, :3] += u["t"][6 & 3][:3] * u["fs"][2, 0] + positions[vertex, :3] + p @ matrices[1].T
    p[:, :3] = p[:, :3] @ u["rm"][:, :3].T
    np.testing.assert_allclose(out["position"], p @ u["vp"].T + 0.25, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(out["point_size"], np.full(count, 3))
    np.testing.assert_allclose(out["clip_distance"], np.c_[p[:, 0], vertex], rtol=1e-3, atol=1e-4)
    n = np.einsum("kn,nkr->nk", np.ones((3, count)), (columns[:3, :, :3] * pos).transpose(1, 0, 2))
    np.testing.assert_allclose(out["user(locn0)"], n, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(
        out["user(locn1)"], np.stack([pair @ u["q"][0, :2], pair @ u["q"][1, :2]], 1), rtol=1e-4, atol=1e-5
    )
    np.testing.assert_array_equal(out["user(locn2)"], instance)
    np.testing.assert_allclose(out["user(locn4)"], p, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(out["user(locn5)"], p[:, ::-1], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(out["user(locn6)"], p[:, :2] * p[:, 2:3], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(out["user(locn7)"], p[:, :2] * p[:, 3:4], rtol=1e-3, atol=1e-4)
    # The last invocation to write is some one of them, each of the whole matrix's columns.
    rows = kept[0]
    assert any(
        np.allclose(rows[:, 1:].T, pos[i], atol=1e-5) and np.allclose(rows[:, 0], p[i, :3], rtol=1e-3, atol=1e-4)
        for i in range(count)
    )
