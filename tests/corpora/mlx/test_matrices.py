# SPDX-License-Identifier: MIT
"""Products of matrices: by vectors, tiled, in parts, masked, gathered and by segments."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, decode, empty, encode, random

NO_SHAPE = np.ones(1, np.int32)
NO_STRIDE = np.zeros(1, np.int64)


def struct(kernel, name, **fields):
    """Make the struct that an argument points at."""
    made = np.zeros(1, kernel.arguments[name].dtype)
    for field, value in fields.items():
        made[field] = value
    return made


def product(x, y):
    return x.astype(np.float64) @ y.astype(np.float64)


@pytest.mark.parametrize(("kind", "absolute"), [("float", 1e-4), ("half", 2e-2), ("bfloat16_t", 1e-1)])
@pytest.mark.parametrize("is_transposed", [False, True])
def test_matrix_by_vector(kernel, rng, kind, absolute, is_transposed):
    rows, columns = 70, 201
    mat, m = random(rng, kind, (rows, columns))
    vec, v = random(rng, kind, rows if is_transposed else columns)
    bias, b = random(rng, kind, columns if is_transposed else rows)
    out = empty(len(bias), kind)
    shape = (1, 8, 8, 4, 4, 4) if is_transposed else (4, 1, 1, 32, 4, 4)
    run = kernel("gemv", "gemv_t" if is_transposed else "gemv", kind, *shape, False, True)
    block = 8 * 4 * 4 if is_transposed else 16
    groups = -(-len(bias) // block)
    threadgroup = (32, 8, 1) if is_transposed else (32, 1, 4)
    run(
        mat, vec, bias, out, len(vec), len(bias), columns, 0.5, 2.0, 1, NO_SHAPE, NO_STRIDE, NO_STRIDE, NO_STRIDE, 1,
        grid=(groups * 32, *threadgroup[1:]), threadgroup=threadgroup,
    )  # fmt: skip
    agree(out, 0.5 * product(v, m if is_transposed else m.T) + 2 * b.astype(np.float64), kind, 4, absolute)


def test_complex_matrix_by_vector(kernel, rng):
    mat, m = random(rng, "complex64_t", (20, 37))
    vec, v = random(rng, "complex64_t", 37)
    out = empty(20, "complex64_t")
    run = kernel("gemv", "gemv", "complex64_t", 4, 1, 1, 32, 4, 4, False, False)
    run(
        mat, vec, vec, out, 37, 20, 37, 1.0, 0.0, 1, NO_SHAPE, NO_STRIDE, NO_STRIDE, NO_STRIDE, 1,
        grid=(64, 1, 4), threadgroup=(32, 1, 4),
    )  # fmt: skip
    np.testing.assert_allclose(decode(out, "complex64_t"), m @ v, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", ["float", "half"])
def test_dot_product(kernel, rng, kind):
    a, x = random(rng, kind, 12000, -1, 1)
    b, y = random(rng, kind, 12000, -1, 1)
    out = empty(2, "float")
    kernel("dot", "dot_product", kind, 32, 256, 8)(a, b, out, 12000, grid=512, threadgroup=256)
    np.testing.assert_allclose(out.sum(), product(x, y), rtol=1e-4, atol=1e-3)


def test_masked_matrix_by_vector(kernel, rng):
    mat, m = random(rng, "float", (64, 96))
    vec, v = random(rng, "float", 96)
    out = empty(64, "float")
    masks = [rng.integers(0, 2, shape).astype(np.bool_) for shape in ((2, 1), (2, 3), (3, 1))]
    masks[0][0] = True
    run = kernel("gemv_masked", "gemv_masked", "float", "bool", "bool", 4, 1, 4, 8, 2, 4, False)
    run(
        mat=mat, in_vec=vec, out_vec=out, in_vec_size=96, out_vec_size=64, marix_ld=96, batch_ndim=1,
        batch_shape=NO_SHAPE, vector_batch_stride=NO_STRIDE, matrix_batch_stride=NO_STRIDE, out_mask=masks[0],
        mat_mask=masks[1], vec_mask=masks[2], mask_strides=np.array([1, 1, 1, 3, 1, 1], np.int32),
        mask_batch_strides=np.zeros(4, np.int64), grid=(2 * 32, 1, 4), threadgroup=(32, 1, 4),
    )  # fmt: skip
    block = np.ones((32, 32))
    wanted = (m * np.kron(masks[1], block)).astype(np.float64) @ (v * np.repeat(masks[2][:, 0], 32))
    agree(out, wanted * np.repeat(masks[0][:, 0], 32), "float", 8, 1e-4)


def gemm_params(kernel, m, n, k, transpose_a, transpose_b, **more):
    block = {"BM": 32, "BN": 32, "BK": 16} | {key: more.pop(key) for key in ("BM", "BN", "BK") if key in more}
    fields = {
        "M": m, "N": n, "K": k, "lda": m if transpose_a else k, "ldb": k if transpose_b else n, "ldd": n,
        "tiles_n": -(-n // block["BN"]), "tiles_m": -(-m // block["BM"]), "batch_stride_a": m * k,
        "batch_stride_b": k * n, "batch_stride_d": m * n, "gemm_k_iterations_aligned": k // block["BK"],
        "batch_ndim": 1,
    }  # fmt: skip
    return struct(kernel, "params", **(fields | more))


def stored(values, is_transposed, kind):
    return encode(np.swapaxes(values, -1, -2) if is_transposed else values, kind)


ALIGNED = {"align_M": False, "align_N": False, "align_K": False}


@pytest.mark.parametrize(
    ("kind", "absolute", "transpose_a", "transpose_b"),
    [
        ("float", 2e-4, False, False), ("float", 2e-4, True, False), ("half", 2e-2, False, True),
        ("bfloat16_t", 1e-1, False, False),
    ],
)  # fmt: skip
def test_tiled_product(kernel, rng, kind, absolute, transpose_a, transpose_b):
    m, n, k = 45, 70, 53
    a, b = (random(rng, kind, shape)[1] for shape in ((2, m, k), (2, k, n)))
    run = kernel(
        "steel_gemm_fused", "gemm", kind, 32, 32, 16, 2, 2, transpose_a, transpose_b, "float",
        **ALIGNED, has_batch=False, use_out_source=False, do_axpby=False,
    )  # fmt: skip
    out = empty((2, m, n), kind)
    params = gemm_params(run, m, n, k, transpose_a, transpose_b)
    run(
        A=stored(a, transpose_a, kind), B=stored(b, transpose_b, kind), D=out, params=params,
        grid=(3 * 32, 2 * 2, 2 * 2), threadgroup=(32, 2, 2),
    )  # fmt: skip
    agree(out, product(a, b), kind, 4, absolute)


def test_tiled_product_of_whole_tiles_added_to_another(kernel, rng):
    m, n, k = 64, 32, 48
    a, b, c = (random(rng, "float", shape)[1] for shape in ((m, k), (k, n), (m, n)))
    run = kernel(
        "steel_gemm_fused", "gemm", "float", 32, 32, 16, 2, 2, False, False, "float",
        align_M=True, align_N=True, align_K=True, has_batch=False, use_out_source=True, do_axpby=True,
    )  # fmt: skip
    out = empty((m, n), "float")
    run(
        A=a, B=b, C=c, D=out, params=gemm_params(run, m, n, k, False, False),
        addmm_params=struct(run, "addmm_params", ldc=n, fdc=1, alpha=0.5, beta=3),
        grid=(32, 2 * 2, 2), threadgroup=(32, 2, 2),
    )  # fmt: skip
    agree(out, 0.5 * product(a, b) + 3 * c.astype(np.float64), "float", 4, 2e-4)


def test_product_in_parts_along_the_sum(kernel, rng):
    m, n, k, parts = 32, 64, 96, 2
    a, b, c = (random(rng, "float", shape)[1] for shape in ((m, k), (k, n), (m, n)))
    run = kernel("steel_gemm_splitk", "gemm_splitk", "float", "float", 32, 32, 16, 2, 2, False, False, True, True)
    partial = empty((parts, m, n), "float")
    params = struct(
        run, "params", M=m, N=n, K=k, lda=k, ldb=n, ldc=n, tiles_n=2, tiles_m=1, split_k_partitions=parts,
        split_k_partition_stride=m * n, split_k_partition_size=48, gemm_k_iterations_aligned=3,
    )  # fmt: skip
    run(a, b, partial, params, grid=(2 * 32, 2, 2 * parts), threadgroup=(32, 2, 2))
    out = empty((m, n), "half")
    kernel("steel_gemm_splitk", "gemm_splitk_accum", "float", "half")(partial, out, parts, m * n, n, grid=(n, m))
    agree(out, product(a, b), "half", 1)
    out = empty((m, n), "float")
    kernel("steel_gemm_splitk", "gemm_splitk_accum_axpby", "float", "float")(
        partial, out, parts, m * n, n, c, n, 1, 2.0, 0.5, grid=(n, m)
    )
    agree(out, 2 * product(a, b) + 0.5 * c, "float", 4, 2e-4)


def test_masked_product(kernel, rng):
    m, n, k = 64, 96, 64
    a, b = (random(rng, "float", shape)[1] for shape in ((m, k), (k, n)))
    masks = [rng.integers(0, 2, shape).astype(np.bool_) for shape in ((2, 3), (2, 2), (2, 3))]
    masks[0][0] = True
    run = kernel(
        "steel_gemm_masked", "block_masked_gemm", "float", "bool", "bool", 32, 32, 16, 2, 2, False, False, True, True
    )
    out = empty((m, n), "float")
    run(
        A=a, B=b, D=out, params=gemm_params(run, m, n, k, False, False), batch_shape=NO_SHAPE,
        batch_strides=np.zeros(8, np.int64), out_mask=masks[0], lhs_mask=masks[1], rhs_mask=masks[2],
        mask_strides=np.array([1, 3, 1, 2, 1, 3], np.int32), grid=(3 * 32, 2 * 2, 2), threadgroup=(32, 2, 2),
    )  # fmt: skip
    block = np.ones((32, 32))
    wanted = product(a * np.kron(masks[1], block), b * np.kron(masks[2], block)) * np.kron(masks[0], block)
    agree(out, wanted, "float", 4, 2e-4)


def test_products_of_chosen_matrices(kernel, rng):
    m, n, k = 33, 40, 24
    a, b = (random(rng, "float", shape)[1] for shape in ((3, m, k), (4, k, n)))
    lhs, rhs = np.array([2, 0, 1, 2], np.uint32), np.array([3, 3, 0, 1], np.uint32)
    run = kernel(
        "steel_gemm_gather", "gather_mm", "float", 32, 32, 16, 2, 2, False, False, "float", **ALIGNED, has_batch=False
    )
    out = empty((4, m, n), "float")
    shape = [np.array([count], np.int32) for count in (4, 3, 4)]
    strides = [np.array([stride], np.int64) for stride in (1, m * k, k * n)]
    run(
        A=a, B=b, lhs_indices=lhs, rhs_indices=rhs, C=out,
        params=gemm_params(run, m, n, k, False, False, batch_stride_a=1, batch_stride_b=1),
        indices_shape=shape[0], lhs_strides=strides[0], rhs_strides=strides[0], batch_ndim_a=1, batch_shape_a=shape[1],
        batch_strides_a=strides[1], batch_ndim_b=1, batch_shape_b=shape[2], batch_strides_b=strides[2],
        grid=(2 * 32, 2 * 2, 2 * 4), threadgroup=(32, 2, 2),
    )  # fmt: skip
    agree(out, product(a[lhs], b[rhs]), "float", 4, 2e-4)


def test_products_of_groups_of_rows(kernel, rng):
    m, n, k = 50, 70, 32
    a, b = (random(rng, "float", shape)[1] for shape in ((m, k), (3, k, n)))
    offsets = np.array([0, 7, 31], np.int32)
    run = kernel("steel_gemm_gather", "gather_mm_rhs", "float", 16, 64, 16, 1, 2, False, False, "float", **ALIGNED)
    out = empty((m, n), "float")
    tiles = m // 16 + 1 + 3
    run(
        A=a, B=b, offsets=offsets, C=out, params=gemm_params(run, m, n, k, False, False, BM=16, BN=64),
        num_groups=3, grid=(2 * 32, 2 * tiles, 1), threadgroup=(32, 2, 1),
    )  # fmt: skip
    group = np.searchsorted(offsets, np.arange(m), "right") - 1
    agree(out, product(a[:, None], b[group])[:, 0], "float", 4, 2e-4)


def test_products_of_segments(kernel, rng):
    m, n, k = 40, 35, 64
    a, b = (random(rng, "float", shape)[1] for shape in ((m, k), (k, n)))
    segments = np.array([[0, 16], [20, 61], [16, 16]], np.uint32)
    run = kernel(
        "steel_gemm_segmented", "segmented_mm", "float", 32, 32, 16, 2, 2, False, False, "float",
        align_M=False, align_N=False, segments_contiguous=True,
    )  # fmt: skip
    out = empty((3, m, n), "float")
    run(
        A=a, B=b, segments=segments, C=out, params=gemm_params(run, m, n, k, False, False),
        grid=(2 * 32, 2 * 2, 2 * 3), threadgroup=(32, 2, 2),
    )  # fmt: skip
    wanted = np.stack([product(a[:, i:j], b[i:j]) for i, j in segments.astype(int)])
    agree(out, wanted, "float", 4, 2e-4)
