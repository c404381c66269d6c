# SPDX-License-Identifier: MIT
"""Products of a matrix of any format with a vector or a matrix, and attention."""

from __future__ import annotations

import numpy as np
import pytest

from .launch import Array, Launcher, check, dims
from .quantized import FORMATS

# Rows for each SIMD-group, SIMD-groups, whether these share rows, threadgroup memory: as ggml's host code has them.
SHAPES = {
    "f32": (2, 2, True, 256),
    "f16": (2, 2, True, 256),
    "bf16": (2, 2, True, 256),
    "q4_0": (4, 2, False, 512),
    "q4_1": (4, 2, False, 512),
    "q5_0": (4, 2, False, 512),
    "q5_1": (4, 2, False, 512),
    "q8_0": (2, 4, True, 256),
    "q4_K": (2, 2, False, 512),
    "q6_K": (2, 2, False, 512),
}


def weights(rng: np.random.Generator, name: str, rows: int, columns: int) -> tuple[Array, Array]:
    each = 256 if name.endswith("K") else 32
    blocks, numbers = FORMATS[name](rng, rows, columns // each)
    return blocks.reshape(rows, -1), numbers.reshape(rows, columns)


@pytest.mark.parametrize("name", SHAPES)
def test_matrix_by_vectors(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    rows, columns, count = 21, 512, 3
    table, numbers = weights(rng, name, rows, columns)
    y, out = rng.standard_normal((count, columns)).astype(np.float32), np.zeros((count, rows), np.float32)
    nr0, nsg, share, shared = SHAPES[name]
    sizes = dims("1", y) | {"ne00": columns, "ne01": rows, "ne02": 1, "ne0": rows, "ne1": count, "r2": 1, "r3": 1}
    sizes |= {"nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes, "nr0": nr0}
    constants = {"FC_mul_mv_nsg": nsg, "FC_mul_mv_ne12": 1, "FC_mul_mv_r2": 1, "FC_mul_mv_r3": 1}
    groups = (-(-rows // (nr0 if share else nr0 * nsg)), count, 1)
    got = ggml(
        f"kernel_mul_mv_{name}_f32",
        sizes,
        [table, y, out],
        groups=groups,
        threads=(32, nsg, 1),
        shared=shared,
        **constants,
    )
    check(got, y @ numbers.T, 1e-3, 2e-3 * np.abs(numbers).max() * 8)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(("rows", "count"), [(64, 32), (70, 37)], ids=["whole tiles", "edges"])
def test_matrix_by_matrix(ggml: Launcher, rng: np.random.Generator, name: str, rows: int, count: int) -> None:
    columns = 256
    table, numbers = weights(rng, name, rows, columns)
    y, out = rng.standard_normal((count, columns)).astype(np.float32), np.zeros((count, rows), np.float32)
    sizes = dims("1", y) | {"ne00": columns, "ne02": 1, "ne0": rows, "ne1": count, "r2": 1, "r3": 1}
    sizes |= {"nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes}
    edges = rows % 64 != 0 or count % 32 != 0
    constants = {"bc_inp": False, "bc_out": edges, "ne12": 1, "r2": 1, "r3": 1}
    got = ggml(
        f"kernel_mul_mm_{name}_f32",
        sizes,
        [table, y, out],
        groups=(-(-count // 32), -(-rows // 64), 1),
        threads=(128, 1, 1),
        shared=8192,
        **{f"FC_mul_mm_{key}": value for key, value in constants.items()},
    )
    # Both factors are rounded to half or bfloat before they are multiplied.
    size = np.abs(y) @ np.abs(numbers).T
    relative = 2.0**-8 if name == "bf16" else 2.0**-10
    assert (np.abs(got - y @ numbers.T) <= relative * size).all()


def attention(q: Array, k: Array, v: Array, mask: Array | float, scale: float) -> Array:
    scores = scale * q @ k.transpose(0, 2, 1) + mask
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True)) @ v


def attention_sizes(q: Array, k: Array, v: Array, mask: Array, scale: float) -> dict[str, object]:
    heads, queries, _ = q.shape
    sizes = dims("0", q) | dims("1", k) | dims("2", v) | dims("3", mask)
    sizes |= {"ne_12_2": k.shape[0], "ne_12_3": 1, "ns10": k.shape[2], "ns20": v.shape[2]}
    return sizes | {"ne1": heads, "ne2": queries, "ne3": 1, "scale": scale}


def operands(rng: np.random.Generator, dtype: type, queries: int, items: int) -> tuple[Array, ...]:
    """Make queries of four heads, keys and values of two, and a mask that hides a third of the items."""
    q = rng.standard_normal((4, queries, 64)).astype(np.float32)
    k, v = (rng.standard_normal((2, items, 64)).astype(dtype) for _ in range(2))
    mask = np.where(rng.random((queries, items)) < 0.3, -np.inf, 0).astype(np.float16)
    return q, k, v, mask


@pytest.mark.parametrize(("name", "dtype"), [("f16", np.float16), ("f32", np.float32)], ids=["f16", "f32"])
@pytest.mark.parametrize("masked", [True, False], ids=["masked", "plain"])
def test_flash_attention(ggml: Launcher, rng: np.random.Generator, name: str, dtype: type, masked: bool) -> None:
    queries, items, scale = 16, 128, 0.125
    q, k, v, mask = operands(rng, dtype, queries, items)
    sizes = attention_sizes(q, k, v, mask, scale)
    blocks = np.zeros(2 * 2, np.int8)
    if masked:
        given = dims("3", mask) | {"ne01": queries}
        constants = {"FC_flash_attn_ext_blk_nqptg": 8, "FC_flash_attn_ext_blk_ncpsg": 64}
        launch = {"groups": (2, 2, 1), "threads": (32, 1, 1)}
        blocks = ggml("kernel_flash_attn_ext_blk", given, [mask, blocks], **launch, **constants).copy()
        np.testing.assert_array_equal(blocks, 1)  # each holds some that are hidden and some that are not
    flags = {"has_mask": masked, "has_sinks": False, "has_bias": False, "has_scap": False, "has_kvpad": False}
    flags |= {"bc_mask": False, "ns10": 64, "ns20": 64, "nsg": 4}
    out, unused = np.zeros((queries, 4, 64), np.float32), np.zeros(16, np.int8)
    shared = 8 * (64 + 2 * 64 + 2 * (2 * 64)) * 2
    got = ggml(
        f"kernel_flash_attn_ext_{name}_dk64_dv64",
        sizes,
        [q, k, v, mask, q, unused, blocks, out],
        groups=(queries // 8, 4, 1),
        threads=(32, 4, 1),
        shared=shared,
        **{f"FC_flash_attn_ext_{key}": value for key, value in flags.items()},
    )
    whole_k, whole_v = (np.repeat(x.astype(np.float32), 2, 0) for x in (k, v))  # two heads share one
    wanted = attention(q, whole_k, whole_v, mask.astype(np.float32) if masked else 0.0, scale)
    check(got, wanted.transpose(1, 0, 2), 5e-3, 5e-3)


@pytest.mark.parametrize("groups", [1, 32], ids=["one workgroup", "many, then reduced"])
def test_flash_attention_of_few_queries(ggml: Launcher, rng: np.random.Generator, groups: int) -> None:
    queries, items, scale = 3, 256, 0.125
    q, k, v, mask = operands(rng, np.float16, queries, items)
    flags = {"has_mask": True, "has_sinks": False, "has_bias": False, "has_scap": False, "has_kvpad": False}
    flags |= {"ns10": 64, "ns20": 64, "nsg": 2, "nwg": groups}
    # Each workgroup's part of the result, then each one's sum and maximum.
    rows = queries * 4
    out = np.zeros(rows * (64 * groups + 2 * groups), np.float32)
    got = ggml(
        "kernel_flash_attn_ext_vec_f16_dk64_dv64",
        attention_sizes(q, k, v, mask, scale),
        [q, k, v, mask, q, np.zeros(16, np.int8), out],
        groups=(queries, 4, groups),
        threads=(32, 2, 1),
        shared=(128 + 4 * 32 + 2 * 128) * 2 * 2,
        **{f"FC_flash_attn_ext_vec_{key}": value for key, value in flags.items()},
    )
    result = got[: rows * 64].reshape(queries, 4, 64)
    if groups > 1:
        constants = {"FC_flash_attn_ext_vec_reduce_DV": 64, "FC_flash_attn_ext_vec_reduce_NWG": groups}
        arrays = [got.copy(), np.zeros((queries, 4, 64), np.float32)]
        launch = {"groups": (rows, 1, 1), "threads": (32 * groups, 1, 1)}
        result = ggml("kernel_flash_attn_ext_vec_reduce", {"nrows": rows}, arrays, **launch, **constants)
    whole_k, whole_v = (np.repeat(x.astype(np.float32), 2, 0) for x in (k, v))
    wanted = attention(q, whole_k, whole_v, mask.astype(np.float32), scale)
    check(result, wanted.transpose(1, 0, 2), 5e-3, 5e-3)


@pytest.mark.parametrize("name", ["q4_0", "q8_0"])
@pytest.mark.parametrize("few", [False, True], ids=["tiles", "few queries"])
def test_flash_attention_of_quantised_items(ggml: Launcher, rng: np.random.Generator, name: str, few: bool) -> None:
    queries, items, scale = (3 if few else 16), 128, 0.125
    q = rng.standard_normal((4, queries, 64)).astype(np.float32)
    (k, whole_k), (v, whole_v) = (weights(rng, name, 2 * items, 64) for _ in range(2))
    k, v = (x.reshape(2, items, -1) for x in (k, v))
    mask = np.where(rng.random((queries, items)) < 0.3, -np.inf, 0).astype(np.float16)
    sizes = attention_sizes(q, k, v, mask, scale)
    row = k.shape[2] // 2  # bytes of a block of 32
    sizes |= {"ne10": 64, "ne20": 64, "ns10": 2, "ns20": 2, "nb10": row, "nb20": row}
    flags = {"has_mask": True, "has_sinks": False, "has_bias": False, "has_scap": False, "has_kvpad": False}
    out = np.zeros((queries, 4, 64), np.float32)
    unused = np.zeros(16, np.int8)
    if few:
        flags |= {"nsg": 2, "nwg": 1, "ns10": 2}
        kernel, prefix = f"kernel_flash_attn_ext_vec_{name}_dk64_dv64", "FC_flash_attn_ext_vec_"
        launch = {"groups": (queries, 4, 1), "threads": (32, 2, 1), "shared": (128 + 4 * 32 + 2 * 128) * 2 * 2}
        arrays = [q, k, v, mask, q, unused, out.reshape(-1)]
    else:
        flags |= {"bc_mask": False, "nsg": 4}
        kernel, prefix = f"kernel_flash_attn_ext_{name}_dk64_dv64", "FC_flash_attn_ext_"
        shared = 8 * (64 + 2 * 64 + 2 * (2 * 64)) * 2 + 16 * 32 * 4 * 2
        launch = {"groups": (queries // 8, 4, 1), "threads": (32, 4, 1), "shared": shared}
        arrays = [q, k, v, mask, q, unused, np.ones(2 * 2, np.int8), out]
    got = ggml(kernel, sizes, arrays, **launch, **{prefix + key: value for key, value in flags.items()})
    both = (np.repeat(x.reshape(2, items, 64).astype(np.float32), 2, 0) for x in (whole_k, whole_v))
    expected = attention(q, *both, mask.astype(np.float32), scale)
    check(
        got.reshape(queries, 4, 64), expected.transpose(1, 0, 2), 5e-3, 3e-3 * np.abs(whole_v).max()
    )  # items become halves
