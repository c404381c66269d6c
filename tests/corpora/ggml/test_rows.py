# SPDX-License-Identifier: MIT
"""Kernels that reduce, normalise, sort or pick rows."""

from __future__ import annotations

import numpy as np
import pytest

from .launch import Array, Launcher, check, dims
from .quantized import FORMATS

SHARED = 32 * 4  # one float for each SIMD-group


def norm(ggml: Launcher, name: str, x: Array, factors: list[Array], threads: int) -> Array:
    width = 4 if name.endswith("_4") else 1
    rows, columns = x.shape
    sizes = dims("0", x) | dims("", x) | {"ne00_t": columns // width, "eps": 1e-5}
    sizes |= {f"nef{i}": [rows if i == 1 else 1, 1, 1] for i in (1, 2, 3)}
    sizes |= {f"nbf{i}": [x.strides[0], 0, 0] for i in (1, 2, 3)}
    arrays = [x, *[*factors, x, x][:2], np.zeros_like(x)]
    return ggml(name, sizes, arrays, groups=(rows, 1, 1), threads=(threads, 1, 1), shared=SHARED)


@pytest.mark.parametrize("threads", [32, 128])
@pytest.mark.parametrize("suffix", ["f32", "f32_4"])
def test_norm(ggml: Launcher, rng: np.random.Generator, suffix: str, threads: int) -> None:
    x, a, b = (rng.standard_normal(s).astype(np.float32) for s in ((6, 200), 200, 200))
    wanted = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    check(norm(ggml, f"kernel_norm_{suffix}", x, [], threads), wanted)
    check(norm(ggml, f"kernel_norm_mul_add_{suffix}", x, [a, b], threads), wanted * a + b)


@pytest.mark.parametrize("threads", [32, 128])
@pytest.mark.parametrize("suffix", ["f32", "f32_4"])
def test_rms_norm(ggml: Launcher, rng: np.random.Generator, suffix: str, threads: int) -> None:
    x, a, b = (rng.standard_normal(s).astype(np.float32) for s in ((6, 200), 200, 200))
    wanted = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5)
    check(norm(ggml, f"kernel_rms_norm_{suffix}", x, [], threads), wanted)
    check(norm(ggml, f"kernel_rms_norm_mul_{suffix}", x, [a], threads), wanted * a)
    check(norm(ggml, f"kernel_rms_norm_mul_add_{suffix}", x, [a, b], threads), wanted * a + b)


def test_l2_norm(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal((5, 200)).astype(np.float32)
    sizes = dims("0", x) | dims("", x) | {"eps": 1e-6}
    arrays = [x, np.zeros_like(x)]
    got = ggml("kernel_l2_norm_f32_f32", sizes, arrays, groups=(5, 1, 1), threads=(64, 1, 1), shared=SHARED)
    check(got, x / np.linalg.norm(x, axis=1, keepdims=True))


def test_group_norm(ggml: Launcher, rng: np.random.Generator) -> None:
    """In one SIMD-group: with more, the kernel clears what the others may not have read yet."""
    x = rng.standard_normal((6, 5, 8)).astype(np.float32)
    arrays = [x, np.zeros_like(x)]
    sizes = dims("0", x) | {"ngrp": 3, "eps": 1e-5}
    got = ggml("kernel_group_norm_f32", sizes, arrays, groups=(3, 1, 1), threads=(32, 1, 1), shared=SHARED)
    groups = x.reshape(3, -1)
    wanted = (groups - groups.mean(1, keepdims=True)) / np.sqrt(groups.var(1, keepdims=True) + 1e-5)
    check(got.reshape(3, -1), wanted)


@pytest.mark.parametrize("threads", [32, 128])
@pytest.mark.parametrize("suffix", ["f32", "f16", "f32_4", "f16_4"])
def test_soft_max_with_a_mask_and_slopes(ggml: Launcher, rng: np.random.Generator, suffix: str, threads: int) -> None:
    x = rng.standard_normal((4, 3, 80)).astype(np.float32)  # heads, rows, columns
    mask = rng.standard_normal((3, 80)).astype(np.float16 if "f16" in suffix else np.float32)
    sizes = dims("0", x) | dims("1", mask) | dims("", x) | {"ne11": 3, "ne12": 1, "ne13": 1}
    m0, m1 = 0.5, 0.7
    sizes |= {"scale": 0.3, "max_bias": 8.0, "m0": m0, "m1": m1, "n_head_log2": 2}
    arrays = [x, mask, x, np.zeros_like(x)]
    got = ggml(f"kernel_soft_max_{suffix}", sizes, arrays, groups=(3, 4, 1), threads=(threads, 1, 1), shared=SHARED)
    slopes = np.array([m0**1, m0**2, m1**1, m1**3]).reshape(4, 1, 1)
    if suffix == "f16_4":  # a scalar is converted to the vector's type
        bias = (slopes.astype(np.float16) * mask).astype(np.float32)
    else:
        bias = slopes * mask.astype(np.float32)
    y = x * 0.3 + bias
    e = np.exp(y - y.max(-1, keepdims=True))
    check(got, e / e.sum(-1, keepdims=True))


def test_soft_max_without_a_mask(ggml: Launcher, rng: np.random.Generator) -> None:
    """The absent mask is the source itself, so the kernel compares the addresses of two arguments."""
    x = rng.standard_normal((1, 3, 50)).astype(np.float32)
    sizes = dims("0", x) | dims("1", x) | dims("", x) | {"scale": 1, "ne12": 1, "ne13": 1}
    arrays = [x, x, x, np.zeros_like(x)]
    got = ggml("kernel_soft_max_f32", sizes, arrays, groups=(3, 1, 1), threads=(32, 1, 1), shared=SHARED)
    e = np.exp(x - x.max(-1, keepdims=True))
    check(got, e / e.sum(-1, keepdims=True))


@pytest.mark.parametrize(("op", "reduce"), [(10, np.sum), (11, np.mean)], ids=["sum", "mean"])
def test_sum_rows(ggml: Launcher, rng: np.random.Generator, op: int, reduce: object) -> None:
    x, out = rng.standard_normal((2, 3, 100)).astype(np.float32), np.zeros((2, 3, 1), np.float32)
    sizes = dims("0", x) | dims("", out)
    got = ggml(
        "kernel_sum_rows_f32_f32",
        sizes,
        [x, out],
        groups=(3, 2, 1),
        threads=(64, 1, 1),
        shared=SHARED,
        FC_sum_rows_op=op,
    )
    check(got[..., 0], reduce(x, -1))  # type: ignore[operator]


def test_sum_of_all(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal(1000).astype(np.float32)
    arrays = [x, np.zeros(1, np.float32)]
    got = ggml("kernel_op_sum_f32", {"np": 1000}, arrays, groups=(1, 1, 1), threads=(256, 1, 1), shared=SHARED)
    check(got, x.sum(keepdims=True), 1e-4)


def test_cumsum(ggml: Launcher, rng: np.random.Generator) -> None:
    """Blocks of a row are summed first, then what came before each is added."""
    x, out = rng.standard_normal((2, 300)).astype(np.float32), np.zeros((2, 300), np.float32)
    ends = np.zeros((2, 3), np.float32)
    sizes = dims("0", x) | dims("t", ends) | {"outb": True}
    launch = {"groups": (2 * 3, 1, 1), "threads": (128, 1, 1)}

    # This one writes two arrays.
    kernel = ggml.library["kernel_cumsum_blk_f32"]
    fields = ggml.fields(kernel, sizes)
    source, between, result = (kernel.device.buffer(a.reshape(-1).view(np.int8)) for a in (x, ends, out))
    kernel(fields, source, between, result, SHARED, grid=(6 * 128, 1, 1), threadgroup=(128, 1, 1))
    sums, out = between.numpy().view(np.float32).reshape(2, 3), result.numpy().view(np.float32).reshape(2, 300)
    check(sums[:, 0], x[:, :128].sum(1), 1e-4, 1e-4)
    got = ggml("kernel_cumsum_add_f32", sizes, [np.cumsum(sums, 1, dtype=np.float32), out.copy()], **launch)
    check(got, np.cumsum(x, 1), 1e-4, 1e-4)


def test_argmax(ggml: Launcher, rng: np.random.Generator) -> None:
    x, out = rng.standard_normal((7, 300)).astype(np.float32), np.zeros(7, np.int32)
    for threads in (32, 128):
        got = ggml("kernel_argmax_f32", dims("0", x), [x, out], groups=(7, 1, 1), threads=(threads, 1, 1), shared=256)
        np.testing.assert_array_equal(got, x.argmax(1))


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_argsort(ggml: Launcher, rng: np.random.Generator, order: str) -> None:
    x, out = rng.standard_normal((3, 100)).astype(np.float32), np.zeros((3, 100), np.int32)
    sizes = dims("0", x) | dims("", out) | {"top_k": 100}
    got = ggml(f"kernel_argsort_f32_i32_{order}", sizes, [x, out], groups=(3, 1, 1), threads=(128, 1, 1), shared=512)
    np.testing.assert_array_equal(got, np.argsort(x if order == "asc" else -x, 1))


@pytest.mark.parametrize("kind", range(4), ids=["upper with diagonal", "upper", "lower with diagonal", "lower"])
def test_triangles(ggml: Launcher, rng: np.random.Generator, kind: int) -> None:
    x = rng.standard_normal((40, 40)).astype(np.float32)
    sizes = dims("0", x) | dims("", x)
    got = ggml(f"kernel_tri_f32_{kind}", sizes, [x, np.zeros_like(x)], groups=(40, 1, 1), threads=(32, 1, 1))
    wanted = [np.triu(x), np.triu(x, 1), np.tril(x), np.tril(x, -1)][kind]
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("name", FORMATS)
def test_get_rows(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    """Picks rows of a table of any format: every format's decoding."""
    blocks, numbers = FORMATS[name](rng, 9, 2)
    columns = numbers[0].size
    rows, out = np.array([3, 0, 8, 3], np.int32), np.zeros((4, columns), np.float32)
    count = columns if name in ("f32", "f16", "bf16") else columns // 16
    table = blocks.reshape(9, -1)
    sizes = {"ne00t": count, "ne00": columns, "nb01": table.strides[0], "nb02": table.nbytes, "nb03": table.nbytes}
    sizes |= dims("1", rows) | dims("", out) | {"ne10": 4}
    launch = {"groups": (4 * -(-count // 32), 1, 1), "threads": (32, 1, 1)}
    got = ggml(f"kernel_get_rows_{name}", sizes, [table, rows, out], **launch)
    check(got, numbers.reshape(9, -1)[rows], 1e-6, 1e-6)


@pytest.mark.parametrize("name", ["q4_0", "q4_1", "q5_0", "q5_1", "q8_0"])
def test_what_is_quantised_decodes_to_nearly_the_same(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    """Encodes floats and decodes them again: no number moves by more than a step of its block."""
    x = rng.standard_normal((3, 64)).astype(np.float32)
    example, _ = FORMATS[name](rng, 3, 2)
    coded = np.zeros((3, example.shape[1] * example.shape[2]), np.uint8)
    plane = {"nb00": 4, "ne0": 64, "ne1": 3, "ne2": 1, "ne3": 1, "nb0": example.shape[2], "nb1": coded.strides[0]}
    launch = {"groups": (3, 1, 1), "threads": (32, 1, 1)}
    coded = ggml(f"kernel_cpy_f32_{name}", dims("0", x) | plane | {"nk0": 2}, [x, coded], **launch)
    plain = dims("0", x) | {"nb01": coded.strides[0], "nk0": 4} | dims("", x)
    got = ggml(f"kernel_cpy_{name}_f32", plain, [coded.copy(), np.zeros_like(x)], **launch)
    levels = {"q4_0": 8, "q4_1": 8, "q5_0": 16, "q5_1": 16, "q8_0": 127}[name]
    steps = np.abs(x.reshape(3, 2, 32)).max(-1, keepdims=True) / levels
    error = np.abs(got - x).reshape(3, 2, 32) / steps
    assert 0 < error.max() < 1.05
