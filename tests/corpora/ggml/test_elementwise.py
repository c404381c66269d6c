# SPDX-License-Identifier: MIT
"""Kernels that treat each element by itself: unary, binary, gated units, copies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .launch import Array, Launcher, bfloat16, check, dims, from_bfloat16

erf = np.vectorize(math.erf)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x)))


UNARY = {
    "scale": (10, lambda x: 1.5 * x + 0.25),
    "fill": (11, lambda x: np.full_like(x, 7)),
    "clamp": (12, lambda x: np.clip(x, -0.5, 1)),
    "sqr": (13, np.square),
    "sin": (15, np.sin),
    "cos": (16, np.cos),
    "leaky_relu": (18, lambda x: np.where(x > 0, x, 0.1 * x)),
    "tanh": (100, np.tanh),
    "relu": (101, lambda x: np.maximum(x, 0)),
    "sigmoid": (102, sigmoid),
    "gelu": (103, gelu),
    "gelu_erf": (104, lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))),
    "gelu_quick": (105, lambda x: x * sigmoid(1.702 * x)),
    "silu": (106, lambda x: x * sigmoid(x)),
    "elu": (107, lambda x: np.where(x > 0, x, np.expm1(x))),
    "neg": (108, np.negative),
    "abs": (109, np.abs),
    "sgn": (110, np.sign),
    "step": (111, lambda x: x > 0),
    "hardswish": (112, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    "hardsigmoid": (113, lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    "exp": (114, np.exp),
    "softplus": (115, lambda x: np.logaddexp(x, 0)),
    "floor": (117, np.floor),
    "ceil": (118, np.ceil),
    "round": (119, lambda x: np.trunc(x + np.copysign(0.5, x))),
    "trunc": (120, np.trunc),
}
VALUES = {"scale": 1.5, "bias": 0.25, "val": 7, "min": -0.5, "max": 1, "slope": 0.1}


def unary(ggml: Launcher, kind: str, op: int, x: Array, width: int = 1) -> Array:
    rows, columns = x.shape
    sizes = dims("0", x) | dims("", x) | VALUES | {"ne00": columns // width, "ne0": columns // width}
    threads = (32, 1, 1)
    groups = (rows * -(-columns // (width * 32)), 1, 1)
    constants = {"FC_unary_op": op, "FC_unary_cnt": False}
    return ggml(kind, sizes, [x, np.zeros_like(x)], groups=groups, threads=threads, **constants)


@pytest.mark.parametrize("name", UNARY)
def test_unary(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    x = rng.uniform(-4, 4, (5, 70)).astype(np.float32)
    op, wanted = UNARY[name]
    # erf's approximation there is good to 1.5e-7, gelu's constants to six digits.
    check(unary(ggml, "kernel_unary_f32_f32", op, x), wanted(x), 3e-5, 2e-6)


@pytest.mark.parametrize("name", ["leaky_relu", "gelu", "hardswish", "softplus"])
def test_unary_of_halves_and_vectors(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    x = rng.uniform(-4, 4, (3, 72)).astype(np.float32)
    op, wanted = UNARY[name]
    check(unary(ggml, "kernel_unary_f32_f32_4", op, x, 4), wanted(x), 3e-5, 2e-6)
    half = x.astype(np.float16)
    exact = wanted(half.astype(np.float32))
    check(unary(ggml, "kernel_unary_f16_f16", op, half), exact, 2e-3, 1e-3)
    check(unary(ggml, "kernel_unary_f16_f16_4", op, half, 4), exact, 2e-3, 1e-3)


@pytest.mark.parametrize("op", range(4), ids=["add", "sub", "mul", "div"])
@pytest.mark.parametrize(("name", "width"), [("f32_f32_f32", 1), ("f32_f32_f32_4", 4), ("f16_f16_f16", 1)])
def test_binary(ggml: Launcher, rng: np.random.Generator, op: int, name: str, width: int) -> None:
    dtype = np.float16 if "f16" in name else np.float32
    x = rng.uniform(-4, 4, (2, 3, 40)).astype(dtype)
    y = rng.uniform(1, 4, (1, 3, 40)).astype(dtype)  # the same for both of x's planes
    sizes = dims("0", x) | dims("1", y) | dims("", x)
    sizes |= {key: sizes[key] // width for key in ("ne00", "ne10", "ne0")}
    constants = {"FC_bin_op": op, "FC_bin_f": 1, "FC_bin_rb": False, "FC_bin_cb": False}
    got = ggml(
        f"kernel_bin_fuse_{name}", sizes, [x, y, np.zeros_like(x)], groups=(3, 2, 1), threads=(16, 1, 1), **constants
    )
    wanted = [np.add, np.subtract, np.multiply, np.divide][op](x.astype(np.float32), y.astype(np.float32))
    check(got, wanted, 1e-3 if dtype == np.float16 else 1e-6, 4e-3 if dtype == np.float16 else 1e-6)


def test_sum_of_several_rows_at_once(ggml: Launcher, rng: np.random.Generator) -> None:
    """Fused additions: the number of terms is a constant, and bounds an unrolled loop over pointers."""
    x, terms = rng.standard_normal((4, 40)).astype(np.float32), rng.standard_normal((3, 40)).astype(np.float32)
    sizes = dims("0", x) | dims("1", terms[:1]) | dims("", x) | {"o1": [0, 160, 320, 0, 0, 0, 0, 0]}
    constants = {"FC_bin_op": 0, "FC_bin_f": 3, "FC_bin_rb": False, "FC_bin_cb": False}
    arrays = [x, terms, np.zeros_like(x)]
    got = ggml("kernel_bin_fuse_f32_f32_f32", sizes, arrays, groups=(4, 1, 1), threads=(32, 1, 1), **constants)
    check(got, x + terms.sum(0))


GATED = {
    "reglu": lambda a, b: np.maximum(a, 0) * b,
    "geglu": lambda a, b: gelu(a) * b,
    "swiglu": lambda a, b: a * sigmoid(a) * b,
    "swiglu_oai": lambda a, b: np.minimum(a, 3) * sigmoid(1.7 * np.minimum(a, 3)) * (1 + np.clip(b, -3, 3)),
    "geglu_erf": lambda a, b: 0.5 * a * (1 + erf(a / math.sqrt(2))) * b,
    "geglu_quick": lambda a, b: a * sigmoid(1.702 * a) * b,
}


@pytest.mark.parametrize("name", GATED)
@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["f32", "f16"])
def test_gated_units(ggml: Launcher, rng: np.random.Generator, name: str, dtype: type) -> None:
    x = rng.uniform(-4, 4, (3, 80)).astype(dtype)
    a, b = x[:, :40].astype(np.float32), x[:, 40:].astype(np.float32)
    nb = x.strides[0]
    sizes = {"nb01": nb, "nb11": nb, "ne0": 40, "nb1": nb // 2, "i10": 40, "alpha": 1.7, "limit": 3}
    suffix = "f32" if dtype == np.float32 else "f16"
    arrays = [x, x, np.zeros((3, 40), dtype)]
    got = ggml(f"kernel_{name}_{suffix}", sizes, arrays, groups=(3, 1, 1), threads=(32, 1, 1))
    check(got, GATED[name](a, b), *((3e-5, 3e-6) if suffix == "f32" else (2e-3, 2e-3)))


def copy(ggml: Launcher, name: str, x: Array, out: Array, count: int | None = None) -> Array:
    x4 = x.reshape((1,) * (4 - x.ndim) + x.shape)
    count = count or x4.shape[-1]
    sizes = dims("0", x) | dims("", out) | {"nk0": count}
    return ggml(
        name, sizes, [x, out], groups=(x4.shape[2] * -(-count // 32), x4.shape[1], x4.shape[0]), threads=(32, 1, 1)
    )


@pytest.mark.parametrize(
    "pair", ["f32_f32", "f32_f16", "f16_f32", "f16_f16", "f32_i32", "i32_f32", "f32_bf16", "bf16_f32"]
)
def test_copies_between_types(ggml: Launcher, rng: np.random.Generator, pair: str) -> None:
    dtypes = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "bf16": np.uint16}
    source, target = (dtypes[name] for name in pair.split("_"))
    x = rng.uniform(-90, 90, (2, 3, 50)).astype(np.float32)
    given = bfloat16(x) if pair.startswith("bf16") else x.astype(source)
    numbers = from_bfloat16(given) if pair.startswith("bf16") else given
    got = copy(ggml, f"kernel_cpy_{pair}", given, np.zeros(x.shape, target))
    wanted = bfloat16(numbers) if pair.endswith("_bf16") else numbers.astype(target)
    np.testing.assert_array_equal(got, wanted)


def test_copy_of_a_transposed_array(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal((30, 50)).astype(np.float32)
    sizes = dims("0", x.T) | dims("", x)
    sizes |= dims("", np.zeros((50, 30), np.float32))
    got = ggml("kernel_cpy_f32_f32", sizes, [x, np.zeros((50, 30), np.float32)], groups=(50, 1, 1), threads=(32, 1, 1))
    np.testing.assert_array_equal(got, x.T)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int16], ids=["f32", "f16", "i32", "i16"])
def test_repeat(ggml: Launcher, rng: np.random.Generator, dtype: type) -> None:
    x = rng.integers(-99, 99, (2, 5)).astype(dtype)
    out = np.zeros((6, 10), dtype)
    suffix = {2: "f16" if dtype == np.float16 else "i16", 4: "f32" if dtype == np.float32 else "i32"}[x.itemsize]
    got = ggml(f"kernel_repeat_{suffix}", dims("0", x) | dims("", out), [x, out], groups=(6, 1, 1), threads=(8, 1, 1))
    np.testing.assert_array_equal(got, np.tile(x, (3, 2)))
