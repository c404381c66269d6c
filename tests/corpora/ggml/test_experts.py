# SPDX-License-Identifier: MIT
"""Products of chosen matrices ("experts"), and of a matrix of any format with a few vectors at once."""

from __future__ import annotations

import numpy as np
import pytest

from .launch import Array, Launcher, check, dims
from .quantized import FORMATS
from .test_all_formats import SCALES, random_blocks
from .test_matrices import SHAPES, weights

ONE_PLANE = {"FC_mul_mv_ne12": 1, "FC_mul_mv_r2": 1, "FC_mul_mv_r3": 1}


def table_of(rng: np.random.Generator, name: str, rows: int, columns: int) -> tuple[Array, Array]:
    return weights(rng, name, rows, columns) if name in FORMATS else random_blocks(rng, name, rows, columns)


def experts(rng: np.random.Generator, name: str, count: int, rows: int, columns: int) -> tuple[Array, Array]:
    """Make matrices, as rows of blocks and as numbers."""
    table, numbers = table_of(rng, name, count * rows, columns)
    return table.reshape(count, rows, -1), numbers.reshape(count, rows, columns)


def choice(rng: np.random.Generator, tokens: int, used: int, count: int) -> Array:
    """Choose different experts for each token."""
    return np.stack([rng.permutation(count)[:used] for _ in range(tokens)]).astype(np.int32)


def wanted(numbers: Array, y: Array, ids: Array) -> Array:
    return np.einsum("tkrc,tkc->tkr", numbers[ids], np.broadcast_to(y, (*ids.shape, y.shape[-1])))


@pytest.mark.parametrize("name", ["f32", "f16", "q4_0", "q8_0", "q4_K", "q6_K"])
@pytest.mark.parametrize("shared", [True, False], ids=["one vector for all", "a vector for each"])
def test_vectors_by_chosen_matrices(ggml: Launcher, rng: np.random.Generator, name: str, shared: bool) -> None:
    rows, columns, tokens, used, count = 21, 512, 3, 2, 5
    table, numbers = experts(rng, name, count, rows, columns)
    ids = choice(rng, tokens, used, count)
    y = rng.standard_normal((tokens, 1 if shared else used, columns)).astype(np.float32)
    nr0, nsg, share, memory = SHAPES[name]
    sizes = dims("1", y) | {"nei0": used, "nei1": tokens, "nbi1": ids.strides[0], "ne00": columns, "ne01": rows}
    sizes |= {"ne02": count, "nb01": table.strides[1], "nb02": table.strides[0], "ne0": rows, "ne1": used, "nr0": nr0}
    sizes |= {"nb00": table.strides[1] * 32 // columns}
    kernel = ggml.library[f"kernel_mul_mv_id_{name}_f32"].specialize(FC_mul_mv_nsg=nsg, **ONE_PLANE)
    out = kernel.device.buffer(np.zeros(tokens * used * rows * 4, np.int8))
    given = [kernel.device.buffer(a.reshape(-1).view(np.int8)) for a in (table, y)]
    groups = -(-rows // (nr0 if share else nr0 * nsg))
    which = kernel.device.buffer(ids.reshape(-1).view(np.int8))
    grid = (32 * groups, nsg, tokens * used)
    kernel(ggml.fields(kernel, sizes), *given, out, which, memory, grid=grid, threadgroup=(32, nsg, 1))
    got = out.numpy().view(np.float32).reshape(tokens, used, rows)
    check(got, wanted(numbers, y, ids), 1e-3, 2e-3 * np.abs(numbers).max() * 8)


@pytest.mark.parametrize("name", ["f32", "f16", "q4_0", "q8_0", "q4_K", "mxfp4", "iq4_xs"])
def test_matrices_by_chosen_matrices(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    """The tokens of each expert are listed first; the product's tiles then gather and scatter by that list."""
    rows, columns, tokens, used, count = 70, 256, 37, 4, 6
    table, numbers = experts(rng, name, count, rows, columns)
    ids = choice(rng, tokens, used, count)
    y = rng.standard_normal((tokens, used, columns)).astype(np.float32)
    given = dims("1", y) | {"ne02": count, "ne21": tokens, "ne20": used, "nb21": ids.strides[0]}

    mapping = ggml.library[f"kernel_mul_mm_id_map0_ne20_{used}"]
    device = mapping.device
    chosen, source = (device.buffer(a.reshape(-1).view(np.int8)) for a in (ids, y))
    counts, lists = (
        device.buffer(np.zeros(count * 4, np.int8)),
        device.buffer(np.zeros(count * tokens * 4 + 4, np.int8)),
    )
    mapping(ggml.fields(mapping, given), chosen, counts, lists, count * used * 2, grid=(count, 1, 1), threadgroup=count)
    per_expert = [np.flatnonzero((ids == e).any(1)) for e in range(count)]
    assert counts.numpy().view(np.uint32).tolist() == [len(found) for found in per_expert]
    for e, found in enumerate(per_expert):
        row = lists.numpy().view(np.int32)[e * tokens :][: len(found)]
        np.testing.assert_array_equal(row, found * used + (ids[found] == e).argmax(1))

    kernel = ggml.library[f"kernel_mul_mm_id_{name}_f32"].specialize(FC_mul_mm_bc_inp=False)
    sizes = given | {"ne00": columns, "nb01": table.strides[1], "nb02": table.strides[0], "nb03": table.nbytes}
    sizes |= {"ne0": rows, "ne1": used, "r2": 1, "r3": 1}
    weights_, out = (
        device.buffer(table.reshape(-1).view(np.int8)),
        device.buffer(np.zeros(y[..., :rows].size * 4, np.int8)),
    )
    grid = (128 * -(-tokens // 32), -(-rows // 64), count)
    kernel(ggml.fields(kernel, sizes), weights_, source, counts, lists, out, 8192, grid=grid, threadgroup=(128, 1, 1))
    got = out.numpy().view(np.float32).reshape(tokens, used, rows)
    size = wanted(np.abs(numbers), np.abs(y), ids)
    assert (np.abs(got - wanted(numbers, y, ids)) <= 2.0**-9 * size).all()


FEW = [
    "f32",
    "f16",
    "bf16",
    "q4_0",
    "q4_1",
    "q5_0",
    "q5_1",
    "q8_0",
    "mxfp4",
    "iq4_nl",
    "q4_K",
    "q6_K",
    "q5_K",
    "q3_K",
    "q2_K",
]


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize(("at_once", "across"), [(2, 16), (5, 8)])
def test_a_few_vectors(ggml: Launcher, rng: np.random.Generator, name: str, at_once: int, across: int) -> None:
    """Each thread keeps sums for several vectors; some lanes of a SIMD-group share a row."""
    assert name in FORMATS or name in SCALES
    rows, columns, count, nsg = 21, 512, 7, 2
    table, numbers = table_of(rng, name, rows, columns)
    y, out = rng.standard_normal((count, columns)).astype(np.float32), np.zeros((count, rows), np.float32)
    sizes = dims("1", y) | {"ne00": columns, "ne01": rows, "ne02": 1, "ne0": rows, "ne1": count, "r2": 1, "r3": 1}
    sizes |= {"nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes}
    per_group = nsg * 32 // across
    got = ggml(
        f"kernel_mul_mv_ext_{name}_f32_r1_{at_once}",
        sizes,
        [table, y, out],
        groups=(-(-rows // per_group), -(-count // at_once), 1),
        threads=(32, nsg, 1),
        FC_mul_mv_nsg=nsg,
        FC_mul_mv_nxpsg=across,
        **ONE_PLANE,
    )
    check(got, y @ numbers.T, 1e-3, 1e-4 * float((np.abs(y) @ np.abs(numbers).T).max()))
