# SPDX-License-Identifier: MIT
# ruff: noqa: E501
"""Gather, scatter, masked assignment and updates of slices."""

from __future__ import annotations

import numpy as np
import pytest

from .instantiations import Instance
from .numbers import agree, decode, empty, encode, random


@pytest.mark.parametrize("kind", ["float", "half", "bool", "int64_t", "complex64_t"])
def test_gather_along_an_axis(kernel, rng, kind):
    memory, values = random(rng, kind, (3, 7, 5))
    indices = rng.integers(0, 7, (3, 4, 5)).astype(np.uint32)
    out = empty((3, 4, 5), kind)
    run = kernel("gather_axis", "gather_axis", kind, "uint32_t", "int", True, True)
    nothing = np.zeros(2, np.int64)
    run(memory, indices, out, np.zeros(2, np.int32), nothing, nothing, 2, 1, 7, 5, 5, grid=(5, 4, 3))
    agree(out, np.take_along_axis(values, indices.astype(int), 1), kind, 0)


def test_gather_with_negative_indices(kernel, rng):
    memory, values = random(rng, "float", (3, 7, 5))
    indices = rng.integers(-7, 7, (3, 4, 5)).astype(np.int8)
    out = empty((3, 4, 5), "float")
    run = kernel("gather_axis", "gather_axis", "float", "int8_t", "int64_t", True, False)
    # The indices' shape and strides without the axis; given as they are, so the same as the contiguous ones.
    run(
        memory, indices, out, np.array([3, 5], np.int32), np.array([35, 1], np.int64), np.array([20, 1], np.int64), 2, 1, 7,
        5, 5, grid=(5, 4, 3),
    )  # fmt: skip
    agree(out, np.take_along_axis(values, indices.astype(int) % 7, 1), "float", 0)


@pytest.mark.parametrize("kind", ["bfloat16_t", "uint8_t"])
def test_gather_of_rows(kernel, rng, kind):
    memory, values = random(rng, kind, (9, 13))
    indices = np.array([3, -1, 0, 8, -9, 3], np.int32)
    out = empty((6, 13), kind)
    run = kernel("gather_front", "gather_front", kind, "int32_t", "int", 2)
    run(memory, indices, out, 13, 9, grid=(7, 6))
    agree(out, values[indices], kind, 0)


@pytest.mark.parametrize("kind", ["float", "int32_t", "half", "uint8_t", "bfloat16_t"])
@pytest.mark.parametrize("operation", ["None", "Sum"])
def test_scatter_along_an_axis(kernel, rng, kind, operation):
    updates, u = random(rng, kind, (2, 6, 4), 0, 8)
    indices = rng.permuted(np.tile(np.arange(8)[:, None], (2, 1, 4)), axis=1)[:, :6].astype(np.int32)
    if operation == "Sum":
        indices[:, 3] = indices[:, 2]
    memory, values = random(rng, kind, (2, 8, 4), 0, 8)
    values = values.copy()
    run = kernel(
        "scatter_axis",
        "scatter_axis",
        kind,
        "int32_t",
        "int",
        "None" if operation == "None" else f"Sum<{kind}>",
        True,
        True,
    )
    target = np.ascontiguousarray(memory)
    # Atomics of narrow types are exchanges of whole words.
    words = target.reshape(-1).view(np.uint32) if target.itemsize < 4 else target.reshape(-1)
    field = run.arguments["out"].dtype
    nothing = np.zeros(2, np.int64)
    run(updates, indices, words.view(field), np.zeros(2, np.int32), nothing, nothing, 2, 1, 8, 4, 4, grid=(4, 6, 2))
    wanted = values.astype(np.float64 if kind in ("float", "half", "bfloat16_t") else values.dtype)
    where = np.arange(2)[:, None, None], indices, np.arange(4)[None, None]
    if operation == "None":
        wanted[where] = u
    else:
        np.add.at(wanted, where, u.astype(wanted.dtype))
    agree(target, wanted, kind, 2, {"bfloat16_t": 0.2, "half": 0.02}.get(kind, 1e-6))


def test_masked_assignment(kernel, rng):
    mask = rng.integers(0, 2, 60).astype(np.bool_)
    offsets = (np.cumsum(mask) - mask).astype(np.uint32)
    source, s = random(rng, "half", 60)
    target, t = random(rng, "half", 60)
    wanted = np.where(mask, s[offsets], t)
    run = kernel("masked_scatter", "masked_assign_impl", "half", True)
    run(mask, offsets, source, target, np.array([60], np.int32), np.array([1], np.int64), 1, 60, 60, grid=60)
    agree(target, wanted, "half", 0)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_update_of_a_slice(kernel, rng, rank):
    shape = (4, 5, 6)[-rank:]
    updates, u = random(rng, "int32_t", shape)
    target, t = random(rng, "int32_t", tuple(n + 3 for n in shape))
    strides = [np.array([s // 4 for s in array.strides], np.int64) for array in (updates, target)]
    wanted = t.copy()
    inner = tuple(slice(2, 2 + n) for n in shape)
    wanted[inner] += u
    run = kernel("scatter", "slice_update_op_impl", "int32_t", "int", "Sum<int32_t>", False, True, False, 2, rank)
    start = int(2 * strides[1].sum())
    run(
        updates, target, np.array(shape, np.int32), strides[0], rank, u.size, strides[1], start,
        grid=(shape[-1] // 2, *shape[-2::-1]),
    )  # fmt: skip
    np.testing.assert_array_equal(target, wanted)


def gather_program(kind, index_kind):
    """A kernel around MLX's gather, as MLX writes one for each number of index arrays."""
    return f"""
    #include <metal_stdlib>
    #include "mlx/backend/metal/kernels/utils.h"
    #include "mlx/backend/metal/kernels/indexing/gather.h"
    [[kernel]] void gather_two(const device {kind}* src [[buffer(0)]], device {kind}* out [[buffer(1)]],
            const constant int* src_shape [[buffer(2)]], const constant int64_t* src_strides [[buffer(3)]],
            const constant size_t& src_ndim [[buffer(4)]], const constant int* slice_sizes [[buffer(5)]],
            const constant int* axes [[buffer(6)]], const constant int* idx_shapes [[buffer(7)]],
            const constant int64_t* idx_strides [[buffer(8)]], const constant bool* idx_contigs [[buffer(9)]],
            const constant int& idx_ndim [[buffer(10)]], const device {index_kind}* idx0 [[buffer(20)]],
            const device {index_kind}* idx1 [[buffer(21)]], uint3 index [[thread_position_in_grid]],
            uint3 grid_dim [[threads_per_grid]]) {{
        Indices<{index_kind}, 2> idxs{{{{{{idx0, idx1}}}}, idx_shapes, idx_strides, idx_contigs, idx_ndim}};
        return gather_impl<{kind}, {index_kind}, 2, 1, int>(
            src, out, src_shape, src_strides, src_ndim, slice_sizes, axes, idxs, index, grid_dim);
    }}
    """


def test_gather_by_two_arrays_of_indices(kernels, rng, record_property):
    memory, values = random(rng, "float", (5, 6, 7))
    rows, columns = rng.integers(-5, 5, 11).astype(np.int32), rng.integers(0, 6, 11).astype(np.int32)
    run = kernels.compile(gather_program("float", "int32_t"))["gather_two"]
    out = empty((11, 7), "float")
    run(
        memory, out, np.array([5, 6, 7], np.int32), np.array([42, 7, 1], np.int64), 3, np.array([1, 1, 7], np.int32),
        np.array([0, 1], np.int32), np.array([11, 11], np.int32), np.array([1, 1], np.int64), np.ones(2, np.bool_), 1, rows,
        columns, grid=(11, 1, 7),
    )  # fmt: skip
    agree(out, values[rows, columns], "float", 0)
    record_property("mlx run", "indexing:gather_impl")


def test_names_are_those_of_the_arguments():
    assert Instance("gather_axis", ("float", True)).host_name == "gather_axis_float_true"
    assert decode(encode(np.array([2.0]), "half"), "half")[0] == 2
