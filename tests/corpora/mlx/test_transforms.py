# SPDX-License-Identifier: MIT
"""Fourier transforms and convolutions."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, empty, random
from .test_matrices import struct

STEPS = {f"{part}_{radix}_steps_": 0 for part in ("radix", "rader") for radix in (13, 11, 8, 7, 6, 5, 4, 3, 2)}
PLAIN = {**STEPS, "is_power_of_2_": True, "rader_m_": 1, "use_bluestein_twiddle_table_": False}


def complex_pairs(values):
    return np.ascontiguousarray(values, np.complex64).view(np.float32).reshape(*values.shape, 2)


@pytest.mark.parametrize("is_inverse", [False, True])
@pytest.mark.parametrize(("size", "steps"), [(256, {8: 2, 4: 1}), (64, {8: 2}), (128, {8: 2, 2: 1})])
def test_fourier_transform(kernel, rng, size, steps, is_inverse):
    values = rng.uniform(-1, 1, (3, size)) + 1j * rng.uniform(-1, 1, (3, size))
    out = np.zeros((3, size, 2), np.float32)
    chosen = {f"radix_{radix}_steps_": count for radix, count in steps.items()}
    run = kernel(
        "fft", "fft", 256, "vec<float, 2>", "vec<float, 2>",
        **(PLAIN | chosen), inv_=is_inverse, elems_per_thread_=8,
    )  # fmt: skip
    threads = size // 8
    run(complex_pairs(values), out, size, 3, grid=(3, 1, threads), threadgroup=(1, 1, threads))
    wanted = np.fft.ifft(values) if is_inverse else np.fft.fft(values)
    np.testing.assert_allclose(out.reshape(3, -1).view(np.complex64), wanted, rtol=1e-5, atol=1e-4)


def test_twiddles(kernel):
    out = np.zeros((584, 2), np.float32)
    kernel("fft", "generate_bluestein_twiddles")(out, grid=584)
    wanted = np.concatenate([np.exp(-2j * np.pi * np.arange(p) / (8 * p)) for p in (8, 64, 512)])
    np.testing.assert_allclose(out.reshape(-1).view(np.complex64), wanted, atol=1e-6)


def convolved(x, w, stride, pad):
    x = np.pad(x.astype(np.float64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    height, width = ((n - f) // stride + 1 for n, f in zip(x.shape[1:3], w.shape[1:3], strict=True))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[1:3], (1, 2))[:, ::stride, ::stride]
    return np.einsum("nhwcij,oijc->nhwo", windows[:, :height, :width], w.astype(np.float64))


@pytest.mark.parametrize(("kind", "absolute"), [("float", 5e-4), ("half", 5e-2)])
@pytest.mark.parametrize("stride", [1, 2])
def test_convolution_of_pictures(kernel, rng, kind, absolute, stride):
    count, size, channels, outputs, pad = 2, (9, 11), 16, 20, 1
    memory, x = random(rng, kind, (count, *size, channels), -1, 1)
    weights, w = random(rng, kind, (outputs, 3, 3, channels), -1, 1)
    wanted = convolved(x, w, stride, pad)
    out = empty(wanted.shape, kind)
    run = kernel("steel_conv", "implicit_gemm_conv_2d", kind, 32, 32, 16, 2, 2, 0, False)

    def strides(array):
        return [s // array.itemsize for s in array.strides]

    params = struct(
        run, "params", N=count, C=channels, O=outputs, iS=size, wS=(3, 3), oS=wanted.shape[1:3], str=(stride, stride),
        pad=(pad, pad), kdil=(1, 1), idil=(1, 1), in_strides=strides(memory), wt_strides=strides(weights),
        out_strides=strides(out), groups=1, flip=False,
    )  # fmt: skip
    m, n, k = wanted.size // outputs, outputs, 9 * channels
    along_x, along_y = strides(memory)[2], strides(memory)[1]
    gemm = struct(
        run, "gemm_params", M=m, N=n, K=k, gemm_k_iterations=9, inp_jump_w=along_x, inp_jump_h=along_y - 2 * along_x,
        inp_jump_c=16 - 2 * along_y - 2 * along_x, tiles_n=1, tiles_m=-(-m // 32), swizzle_log=0,
    )  # fmt: skip
    run(memory, weights, out, params, gemm, grid=(32, 2 * -(-m // 32), 2), threadgroup=(32, 2, 2))
    agree(out, wanted, kind, 4, absolute)


def strides_of(array):
    return [s // array.itemsize for s in array.strides]


@pytest.mark.parametrize(("kind", "absolute"), [("float", 1e-3), ("half", 1e-1)])
@pytest.mark.parametrize("is_small", [True, False], ids=["small filter", "any filter"])
def test_convolution_of_volumes(kernel, rng, kind, absolute, is_small):
    count, size, channels, outputs = 2, (5, 6, 7), 16, 20
    memory, x = random(rng, kind, (count, *size, channels), -1, 1)
    weights, w = random(rng, kind, (outputs, 3, 3, 3, channels), -1, 1)
    padded = np.pad(x.astype(np.float64), ((0, 0), (1, 1), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3, 3), (1, 2, 3))
    wanted = np.einsum("ndhwcijk,oijkc->ndhwo", windows, w.astype(np.float64))
    out = empty(wanted.shape, kind)
    run = kernel("steel_conv_3d", "implicit_gemm_conv_3d", kind, 32, 32, 16, 2, 2, is_small)
    params = struct(
        run, "params", N=count, C=channels, O=outputs, iS=size, wS=(3, 3, 3), oS=wanted.shape[1:4], str=(1, 1, 1),
        pad=(1, 1, 1), kdil=(1, 1, 1), idil=(1, 1, 1), in_strides=strides_of(memory), wt_strides=strides_of(weights),
        out_strides=strides_of(out), groups=1, flip=False,
    )  # fmt: skip
    m = wanted.size // outputs
    deep, down, across = strides_of(memory)[1:4]
    gemm = struct(
        run, "gemm_params", M=m, N=outputs, K=27 * channels, gemm_k_iterations=27, inp_jump_w=across,
        inp_jump_h=down - 2 * across, inp_jump_d=deep - 2 * down - 2 * across,
        inp_jump_c=16 - 2 * deep - 2 * down - 2 * across, tiles_n=1, tiles_m=-(-m // 32), swizzle_log=0,
    )  # fmt: skip
    run(memory, weights, out, params, gemm, grid=(32, 2 * -(-m // 32), 2), threadgroup=(32, 2, 2))
    agree(out, wanted, kind, 4, absolute)


@pytest.mark.parametrize(("kind", "channels"), [("float", 16), ("half", 32), ("float", 20)])
@pytest.mark.parametrize(("stride", "spread"), [(1, 1), (2, 1), (1, 2)], ids=["plain", "strided", "transposed"])
def test_general_convolution(kernel, rng, kind, channels, stride, spread):
    """With zeros between the pixels of the input, of which the kernel skips the products."""
    count, size, outputs, pad = 2, (6, 7), 20, 1
    memory, x = random(rng, kind, (count, *size, channels), -1, 1)
    weights, w = random(rng, kind, (outputs, 3, 3, channels), -1, 1)
    wide = np.zeros((count, (size[0] - 1) * spread + 1, (size[1] - 1) * spread + 1, channels), x.dtype)
    wide[:, ::spread, ::spread] = x
    wanted = convolved(wide, w, stride, pad)
    out = empty(wanted.shape, kind)
    run = kernel(
        "steel_conv_general", "implicit_gemm_conv_2d_general", kind, 32, 32, 16, 2, 2, align_C=channels % 16 == 0
    )
    params = struct(
        run, "params", N=count, C=channels, O=outputs, iS=size, wS=(3, 3), oS=wanted.shape[1:3], str=(stride, stride),
        pad=(pad, pad), kdil=(1, 1), idil=(spread, spread), in_strides=strides_of(memory),
        wt_strides=strides_of(weights), out_strides=strides_of(out), groups=1, flip=False,
    )  # fmt: skip
    jump = np.lcm(spread, stride) // stride
    rows, columns = (-(-n // jump) for n in wanted.shape[1:3])
    m = count * rows * columns
    gemm = struct(
        run, "gemm_params", M=m, N=outputs, K=9 * channels, gemm_k_iterations=-(-channels // 16), tiles_n=1,
        tiles_m=-(-m // 32),
    )  # fmt: skip
    jumps = struct(
        run, "jump_params", f_wgt_jump_h=spread, f_wgt_jump_w=spread, f_out_jump_h=jump, f_out_jump_w=jump,
        adj_out_h=rows, adj_out_w=columns, adj_out_hw=rows * columns, adj_implicit_m=m,
    )  # fmt: skip
    bases = np.zeros(jump, run.arguments["base_h"].element.dtype)
    for first in range(jump):
        base = next(k for k in range(3) if (first * stride - pad + k) % spread == 0)
        bases["weight_base"][first], bases["weight_size"][first] = base, -(-(3 - base) // spread)
    grid = (32, 2 * -(-m // 32), 2 * jump * jump)
    run(memory, weights, out, params, gemm, jumps, bases, bases.copy(), grid=grid, threadgroup=(32, 2, 2))
    agree(out, wanted, kind, 4, 1e-3 if kind == "float" else 1e-1)
