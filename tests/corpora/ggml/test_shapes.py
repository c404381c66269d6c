# SPDX-License-Identifier: MIT
"""Kernels that move or look around: positions, images, windows, padding."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from .launch import Array, Launcher, check, dims


def rotated(x: Array, positions: Array, count: int, base: float, neighbours: bool) -> Array:
    """Turn pairs of the first `count` columns by an angle that grows with the position."""
    half = count // 2
    angle = positions[:, None] * base ** (-2 * np.arange(half) / count)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    first, second = (slice(0, count, 2), slice(1, count, 2)) if neighbours else (slice(0, half), slice(half, count))
    result = x.copy()
    result[..., first] = x[..., first] * c - x[..., second] * s
    result[..., second] = x[..., first] * s + x[..., second] * c
    return result


@pytest.mark.parametrize(("name", "neighbours"), [("norm", True), ("neox", False)])
@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["f32", "f16"])
def test_rope(ggml: Launcher, rng: np.random.Generator, name: str, neighbours: bool, dtype: type) -> None:
    x = rng.standard_normal((5, 3, 40)).astype(dtype)  # positions, heads, columns
    positions = np.array([0, 3, 4, 17, 100], np.int32)
    sizes = dims("0", x) | dims("", x) | {"n_dims": 32, "n_ctx_orig": 4096, "freq_base": 10000, "freq_scale": 1}
    sizes |= {"attn_factor": 1, "beta_fast": 32, "beta_slow": 1, "src2": False}
    suffix = "f32" if dtype == np.float32 else "f16"
    got = ggml(
        f"kernel_rope_{name}_{suffix}",
        sizes,
        [x, positions, x, np.zeros_like(x)],
        groups=(3, 5, 1),
        threads=(16, 1, 1),
        FC_rope_is_back=False,
    )
    wanted = rotated(x.astype(np.float64), positions, 32, 10000.0, neighbours)
    check(got, wanted, *((1e-4, 1e-4) if suffix == "f32" else (2e-3, 2e-3)))


@pytest.mark.parametrize("dtype", [np.float32, np.float16], ids=["f32", "f16"])
def test_im2col(ggml: Launcher, rng: np.random.Generator, dtype: type) -> None:
    x = rng.standard_normal((2, 3, 7, 8)).astype(np.float32)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]  # n, c, y, x, 3, 3
    wanted = windows.transpose(0, 2, 3, 1, 4, 5)
    height, width = wanted.shape[1:3]
    sizes = {"ofs0": 3 * 56, "ofs1": 56, "IW": 8, "IH": 7, "CHW": 27, "s0": 2, "s1": 2, "p0": 1, "p1": 1}
    sizes |= {"d0": 1, "d1": 1, "N": 2, "KH": 3, "KW": 3, "KHW": 9}
    name = "kernel_im2col_f32" if dtype == np.float32 else "kernel_im2col_f16"
    out = np.zeros(wanted.shape, dtype)
    got = ggml(name, sizes, [x, out], groups=(3, height, width), threads=(2, 3, 3))
    np.testing.assert_array_equal(got, wanted.astype(dtype))


def test_conv_transpose_1d(ggml: Launcher, rng: np.random.Generator) -> None:
    w, x = rng.standard_normal((3, 4, 5)).astype(np.float32), rng.standard_normal((3, 9)).astype(np.float32)
    out = np.zeros((4, 8 * 2 + 5), np.float32)
    wanted = out.copy()
    for i in range(9):
        wanted[:, 2 * i : 2 * i + 5] += np.einsum("c,cok->ok", x[:, i], w)
    sizes = {"IC": 3, "IL": 9, "K": 5, "s0": 2} | dims("", out)
    got = ggml("kernel_conv_transpose_1d_f32_f32", sizes, [w, x, out], groups=(21, 4, 1), threads=(1, 1, 1))
    check(got, wanted)


def test_conv_transpose_2d(ggml: Launcher, rng: np.random.Generator) -> None:
    w, x = rng.standard_normal((3, 2, 3, 3)).astype(np.float16), rng.standard_normal((3, 4, 5)).astype(np.float32)
    out = np.zeros((2, 9, 11), np.float32)
    wanted = out.copy()
    for i in range(4):
        for j in range(5):
            wanted[:, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3] += np.einsum(
                "c,coyx->oyx", x[:, i, j], w.astype(np.float32)
            )
    sizes = {"IC": 3, "IH": 4, "IW": 5, "KH": 3, "KW": 3, "OC": 2, "s0": 2} | dims("", out)
    launch = {"groups": (11, 9, 2), "threads": (3, 3, 1), "shared": 48}
    check(ggml("kernel_conv_transpose_2d_f16_f32", sizes, [w, x, out], **launch), wanted)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pool(ggml: Launcher, rng: np.random.Generator, kind: str) -> None:
    x = rng.standard_normal((3, 9, 11)).astype(np.float32)
    windows = sliding_window_view(x, (3, 3), (1, 2))[:, ::2, ::2]
    wanted = windows.max((-1, -2)) if kind == "max" else windows.mean((-1, -2))
    sizes = {"k0": 3, "k1": 3, "s0": 2, "s1": 2, "IH": 9, "IW": 11, "OH": 4, "OW": 5, "np": wanted.size}
    arrays = [x, np.zeros(wanted.shape, np.float32)]
    got = ggml(f"kernel_pool_2d_{kind}_f32", sizes, arrays, groups=(1, 1, 1), threads=(64, 1, 1))
    check(got, wanted)


def test_upscale(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal((2, 3, 4)).astype(np.float32)
    out = np.zeros((2, 9, 8), np.float32)
    sizes = dims("0", x) | dims("", out) | {"sf0": 2, "sf1": 3, "sf2": 1, "sf3": 1}
    got = ggml("kernel_upscale_nearest_f32", sizes, [x, out], groups=(9, 2, 1), threads=(8, 1, 1))
    np.testing.assert_array_equal(got, x.repeat(3, 1).repeat(2, 2))


def test_pad(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal((2, 5, 40)).astype(np.float32)
    out = np.ones((3, 7, 50), np.float32)
    sizes = dims("0", x) | dims("", out)
    got = ggml("kernel_pad_f32", sizes, [x, out], groups=(7, 3, 1), threads=(32, 1, 1))
    np.testing.assert_array_equal(got, np.pad(x, ((0, 1), (0, 2), (0, 10))))


def test_pad_by_reflection(ggml: Launcher, rng: np.random.Generator) -> None:
    x, out = rng.standard_normal((3, 20)).astype(np.float32), np.zeros((3, 27), np.float32)
    sizes = dims("0", x) | dims("", out) | {"p0": 3, "p1": 4}
    got = ggml("kernel_pad_reflect_1d_f32", sizes, [x, out], groups=(3, 1, 1), threads=(16, 1, 1))
    np.testing.assert_array_equal(got, np.pad(x, ((0, 0), (3, 4)), "reflect"))


def test_roll(ggml: Launcher, rng: np.random.Generator) -> None:
    x = rng.standard_normal((2, 5, 40)).astype(np.float32)
    sizes = dims("0", x) | dims("", x) | {"s0": 7, "s1": -2, "s2": 1, "s3": 0}
    got = ggml("kernel_roll_f32", sizes, [x, np.zeros_like(x)], groups=(5, 2, 1), threads=(32, 1, 1))
    np.testing.assert_array_equal(got, np.roll(x, (1, -2, 7), (0, 1, 2)))


def test_diagonal(ggml: Launcher, rng: np.random.Generator) -> None:
    x, out = rng.standard_normal((1, 40)).astype(np.float32), np.ones((40, 40), np.float32)
    sizes = dims("0", x) | dims("", out) | {"nb01": out.strides[0]}
    got = ggml("kernel_diag_f32", sizes, [x, out], groups=(40, 1, 1), threads=(32, 1, 1))
    np.testing.assert_array_equal(got, np.diag(x[0]))


def test_arange(ggml: Launcher) -> None:
    sizes = {"ne0": 50, "start": 2.0, "step": 0.5}
    got = ggml("kernel_arange_f32", sizes, [np.zeros(50, np.float32)], groups=(1, 1, 1), threads=(32, 1, 1))
    np.testing.assert_array_equal(got, 2 + 0.5 * np.arange(50))


def test_timestep_embedding(ggml: Launcher) -> None:
    steps, out = np.array([0, 1, 37], np.float32), np.zeros((3, 64), np.float32)
    sizes = {"nb1": out.strides[0], "dim": 64, "max_period": 10000}
    got = ggml("kernel_timestep_embedding_f32", sizes, [steps, out], groups=(3, 1, 1), threads=(32, 1, 1))
    angle = steps[:, None] * np.exp(-np.log(10000.0) * np.arange(32) / 32)
    check(got, np.concatenate([np.cos(angle), np.sin(angle)], 1), 1e-4, 1e-4)


@pytest.mark.parametrize("name", ["kernel_ssm_conv_f32_f32", "kernel_ssm_conv_f32_f32_4"])
def test_convolution_over_states(ggml: Launcher, rng: np.random.Generator, name: str) -> None:
    s, c = rng.standard_normal((2, 6, 4 + 4)).astype(np.float32), rng.standard_normal((6, 4)).astype(np.float32)
    out = np.zeros((2, 5, 6), np.float32)
    wanted = np.einsum("sctk,ck->stc", sliding_window_view(s, 4, 2), c)
    sizes = dims("0", s) | dims("1", c) | dims("", out)
    if name.endswith("_4"):  # four floats are read at once, at places that are multiples of 16 bytes
        s = np.ascontiguousarray(sliding_window_view(s, 4, 2)).reshape(2, 6, 20)
        sizes |= {"nb00": 16, "nb01": s.strides[1], "nb02": s.strides[0]}
    got = ggml(name, sizes, [s, c, out], groups=(6, 5, 2), threads=(1, 1, 1))
    check(got, wanted)
