# SPDX-License-Identifier: MIT
"""Softmax, its logarithm's sum, cross entropy; sorting; Hadamard's transform."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, decode, empty, encode, random

FLOAT_LIKE = [("float", 1e-6), ("half", 2e-3), ("bfloat16_t", 1e-2)]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.parametrize(("kind", "absolute"), FLOAT_LIKE)
@pytest.mark.parametrize("function", ["softmax_single_row", "softmax_looped"])
def test_softmax(kernel, rng, function, kind, absolute):
    memory, values = random(rng, kind, (5, 250), -9, 9)
    out = empty(values.shape, kind)
    threads = 64 if function == "softmax_single_row" else 1024  # it reads what all 32 SIMD-groups wrote
    kernel("softmax", function, kind, "float")(memory, out, 250, grid=5 * threads, threadgroup=threads)
    # fast::exp may err by 3 + 2 |x| units in the last place: here up to 40.
    agree(out, softmax(values.astype(np.float64)), kind, 64 if kind == "float" else 1, absolute)


@pytest.mark.parametrize("function", ["logsumexp", "logsumexp_looped"])
def test_logsumexp(kernel, rng, function):
    memory, values = random(rng, "float", (4, 300), -9, 9)
    out = empty(4, "float")
    threads = 96 if function == "logsumexp" else 1024
    kernel("logsumexp", function, "float", "float")(memory, out, 300, grid=4 * threads, threadgroup=threads)
    agree(out, np.log(np.exp(values.astype(np.float64)).sum(1)), "float", 16)


@pytest.mark.parametrize("kind", ["float", "half"])
def test_cross_entropy_and_its_gradient(kernel, rng, kind):
    memory, values = random(rng, kind, (6, 133))
    targets = rng.integers(-133, 133, 6).astype(np.int32)
    loss, gradient = empty(6, "float"), empty(values.shape, kind)
    kernel("cross_entropy", "cross_entropy", kind, "float")(memory, targets, loss, 133, grid=6 * 32, threadgroup=32)
    wide = values.astype(np.float64)
    chosen = wide[np.arange(6), targets]
    agree(loss, np.log(np.exp(wide).sum(1)) - chosen, "float", 32)
    cotangent = rng.uniform(-1, 1, 6).astype(np.float32)
    kernel("cross_entropy", "cross_entropy_vjp", kind, "float")(
        memory, targets, loss, cotangent, gradient, 133, grid=6 * 32, threadgroup=32
    )
    one_hot = np.eye(133)[targets % 133]
    agree(gradient, (softmax(wide) - one_hot) * cotangent[:, None], kind, 32, absolute=1e-5)


@pytest.mark.parametrize(
    "kind", ["float", "half", "bfloat16_t", "int8_t", "uint32_t", "int64_t", "bool", "complex64_t"]
)
@pytest.mark.parametrize("is_argument", [False, True])
def test_sort_rows(kernel, rng, kind, is_argument):
    memory, values = random(rng, kind, (3, 500))
    if kind == "float":
        values[1, 7] = values[1, 300] = np.nan
        memory = values
    threads = 128 if kind in ("int64_t", "complex64_t") else 256
    per_thread = 8 if is_argument else 4
    run = kernel("sort", "block_sort", kind, "uint" if is_argument else kind, is_argument, threads, per_thread)
    out = empty((3, 500), "uint32_t" if is_argument else kind)
    run(memory, out, 500, 1, 1, 500, 500, grid=(threads, 3), threadgroup=(threads, 1))
    wanted = np.sort(values, axis=1)
    got = np.take_along_axis(values, out.astype(int), 1) if is_argument else decode(out, kind)
    np.testing.assert_array_equal(got, wanted)
    if is_argument:
        assert all(len(set(row)) == 500 for row in out)


def test_sort_columns(kernel, rng):
    memory, values = random(rng, "float", (200, 3))
    out = empty((200, 3), "float")
    run = kernel("sort", "block_sort_nc", "float", "float", False, 256, 4)
    shape, strides = np.array([3], np.int32), np.array([1], np.int64)
    run(memory, out, 200, 3, 3, 1, shape, strides, strides, grid=(256, 3), threadgroup=(256, 1))
    np.testing.assert_array_equal(out, np.sort(values, axis=0))


def test_sort_across_blocks(kernel, rng):
    count, block = 2500, 256 * 4
    memory, values = random(rng, "float", count)
    arguments = ("float", "uint", True, 256, 4)
    blocks = -(-count // block)
    vals = [empty(count, "float") for _ in range(2)]
    indices = [empty(count, "uint32_t") for _ in range(2)]
    nothing = np.zeros(1, np.int32), np.zeros(1, np.int64)
    kernel("sort", "mb_block_sort", *arguments)(
        memory, vals[0], indices[0], count, 1, 0, *nothing, grid=(256 * blocks, 1), threadgroup=(256, 1)
    )
    tiles = 2
    while tiles < 2 * blocks:
        partitions = empty(blocks + 1, "uint32_t")
        kernel("sort", "mb_block_partition", *arguments)(
            partitions, vals[0], indices[0], count, tiles, blocks, grid=(blocks + 1, 1), threadgroup=(blocks + 1, 1)
        )
        kernel("sort", "mb_block_merge", *arguments)(
            partitions, vals[0], indices[0], vals[1], indices[1], count, tiles, blocks,
            grid=(256 * blocks, 1), threadgroup=(256, 1),
        )  # fmt: skip
        vals.reverse()
        indices.reverse()
        tiles *= 2
    np.testing.assert_array_equal(vals[0], np.sort(values))
    np.testing.assert_array_equal(values[indices[0]], np.sort(values))


@pytest.mark.parametrize("is_right", [False, True])
def test_search_in_sorted(kernel, rng, is_right):
    memory = np.sort(rng.integers(-50, 50, 40).astype(np.int16))
    wanted = rng.integers(-60, 60, (4, 25)).astype(np.int16)
    out = empty((4, 25), "uint32_t")
    kernel("searchsorted", "searchsorted", "int16_t", is_right)(memory, wanted, out, 40, 1, grid=(25, 4, 1))
    np.testing.assert_array_equal(out, np.searchsorted(memory, wanted, "right" if is_right else "left"))


def hadamard(n):
    return np.array([[1]]) if n == 1 else np.kron([[1, 1], [1, -1]], hadamard(n // 2))


@pytest.mark.parametrize(("kind", "absolute"), FLOAT_LIKE)
def test_hadamard_of_a_power_of_two(kernel, rng, kind, absolute):
    memory, values = random(rng, kind, (3, 512), -1, 1)
    out = empty(values.shape, kind)
    scale = 512**-0.5
    run = kernel("hadamard", "hadamard_n", kind, 512, 8, 2)
    run(memory, out, scale, grid=(64, 3, 1), threadgroup=(64, 1, 1))
    # Narrow types round in each of the three rounds, whose sums are 22 times the result.
    agree(out, values.astype(np.float64) @ hadamard(512) * scale, kind, 4, absolute * 30)


def test_hadamard_of_twelve(kernel, rng):
    memory, values = random(rng, "float", (2, 12, 64), -1, 1)
    out = empty(values.shape, "float")
    run = kernel("hadamard", "hadamard_m", "float", 64, 12, 2)
    run(memory, out, 0.5, grid=(2, 32, 1), threadgroup=(1, 32, 1))
    got = out[0].astype(np.float64), out[1].astype(np.float64)
    # Its own inverse but for the sign of its skew part: rows stay orthogonal, so lengths stay as they are.
    for result, source in zip(got, values.astype(np.float64), strict=True):
        np.testing.assert_allclose((result**2).sum(0), 0.25 * 12 * (source**2).sum(0), rtol=1e-5)


def test_encoding_is_what_the_tests_think():
    values = np.array([1.0, 1.00390625, 1.01171875, -3.0], np.float32)
    np.testing.assert_array_equal(decode(encode(values, "bfloat16_t"), "bfloat16_t"), [1, 1, 1.015625, -3])
