# SPDX-License-Identifier: MIT
"""Matrices of few bits: affine, and of numbers with a point of 4 and 8 bits."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import agree, decode, empty, random

ONE = np.ones(1, np.int32)
STRIDE = np.zeros(1, np.int64)
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def unpacked(packed, bits):
    """The numbers in a stream of bits, the first in the lowest."""
    stream = np.unpackbits(packed.view(np.uint8), axis=-1, bitorder="little")
    return stream.reshape(*stream.shape[:-1], -1, bits) @ (1 << np.arange(bits))


def affine(rng, kind, rows, columns, bits, group=64):
    packed = rng.integers(0, 256, (rows, columns * bits // 8)).astype(np.uint8)
    scales, s = random(rng, kind, (rows, columns // group), 0.01, 0.1)
    biases, b = random(rng, kind, (rows, columns // group), -0.5, 0.5)
    wide = [np.repeat(x.astype(np.float64), group, 1) for x in (s, b)]
    return packed.view(np.uint32), scales, biases, unpacked(packed, bits) * wide[0] + wide[1]


BATCH = (1, ONE, STRIDE, 1, ONE, STRIDE, STRIDE, STRIDE)
CASES = [("float", 4, 2e-4), ("float", 2, 2e-4), ("float", 3, 2e-4), ("float", 6, 5e-4), ("float", 8, 1e-3)]
CASES += [("half", 4, 5e-2), ("bfloat16_t", 4, 3e-1)]


@pytest.mark.parametrize(("kind", "bits", "absolute"), CASES)
def test_affine_matrix_by_vector(kernel, rng, kind, bits, absolute):
    rows, columns = 24, 512
    packed, scales, biases, matrix = affine(rng, kind, rows, columns, bits)
    memory, x = random(rng, kind, (2, columns), -1, 1)
    out = empty((2, rows), kind)
    run = kernel("quantized", "affine_qmv", kind, 64, bits, False)
    run(packed, scales, biases, memory, out, columns, rows, *BATCH, grid=(64, 2 * 3, 1), threadgroup=(32, 2, 1))
    agree(out, x.astype(np.float64) @ matrix.T, kind, 4, absolute)


def test_affine_matrix_by_vector_fast(kernel, rng):
    packed, scales, biases, matrix = affine(rng, "float", 16, 1024, 4)
    memory, x = random(rng, "float", (1, 1024), -1, 1)
    out = empty((1, 16), "float")
    run = kernel("quantized", "affine_qmv_fast", "float", 64, 4, False)
    run(packed, scales, biases, memory, out, 1024, 16, *BATCH, grid=(32, 2 * 2, 1), threadgroup=(32, 2, 1))
    agree(out, x.astype(np.float64) @ matrix.T, "float", 4, 5e-4)


@pytest.mark.parametrize("bits", [4, 8])
def test_vector_by_affine_matrix(kernel, rng, bits):
    packed, scales, biases, matrix = affine(rng, "float", 96, 128, bits)
    memory, x = random(rng, "float", (1, 96), -1, 1)
    out = empty((1, 128), "float")
    run = kernel("quantized", "affine_qvm", "float", 64, bits, False)
    run(packed, scales, biases, memory, out, 96, 128, *BATCH, grid=(32, 2 * 2, 1), threadgroup=(32, 2, 1))
    agree(out, x.astype(np.float64) @ matrix, "float", 4, 1e-3)


@pytest.mark.parametrize(("kind", "bits", "absolute"), [("float", 4, 5e-4), ("half", 4, 1e-1), ("float", 5, 1e-3)])
def test_matrix_by_affine_matrix(kernel, rng, kind, bits, absolute):
    m, n, k = 20, 64, 128
    packed, scales, biases, matrix = affine(rng, kind, n, k, bits)
    memory, x = random(rng, kind, (m, k), -1, 1)
    out = empty((m, n), kind)
    run = kernel("quantized", "affine_qmm_t", kind, 64, bits, True, False)
    run(packed, scales, biases, memory, out, k, n, m, *BATCH, grid=(2 * 32, 2, 2), threadgroup=(32, 2, 2))
    agree(out, x.astype(np.float64) @ matrix.T, kind, 4, absolute)


def test_matrix_by_untransposed_affine_matrix(kernel, rng):
    m, n, k = 20, 64, 96
    packed, scales, biases, matrix = affine(rng, "float", k, n, 4)
    memory, x = random(rng, "float", (m, k), -1, 1)
    out = empty((m, n), "float")
    run = kernel("quantized", "affine_qmm_n", "float", 64, 4, False)
    run(packed, scales, biases, memory, out, k, n, m, *BATCH, grid=(2 * 32, 2, 2), threadgroup=(32, 2, 2))
    agree(out, x.astype(np.float64) @ matrix, "float", 4, 5e-4)


@pytest.mark.parametrize(("bits", "group"), [(2, 32), (3, 64), (4, 64), (5, 64), (6, 64), (8, 128)])
def test_affine_quantization_and_back(kernel, rng, bits, group):
    memory, values = random(rng, "float", (8, 256))
    packed = np.zeros((8, 256 * bits // 8), np.uint8)
    scales, biases = empty((8, 256 // group), "float"), empty((8, 256 // group), "float")
    run = kernel("quantized", "affine_quantize", "float", group, bits)
    per_thread = group // 32
    run(memory, packed, scales, biases, grid=(256 // per_thread, 8))
    back = empty((8, 256), "float")
    per_pack = {2: 4, 3: 8, 4: 2, 5: 8, 6: 4, 8: 1}[bits]
    kernel("quantized", "affine_dequantize", "float", group, bits)(
        packed, scales, biases, back, grid=(256 // per_pack, 8)
    )
    wide = [np.repeat(x.astype(np.float64), group, 1) for x in (scales, biases)]
    agree(back, unpacked(packed, bits) * wide[0] + wide[1], "float", 4, 1e-6)
    # Half a step to the nearest, but for those at the other end of the range, which are cut off.
    error = np.abs(back - values) / np.abs(wide[0])
    assert (error < 0.51).mean() > 0.85
    assert error.max() < 1.01


def fp(rng, rows, columns):
    packed = rng.integers(0, 256, (rows, columns // 2)).astype(np.uint8)
    scales = rng.integers(120, 130, (rows, columns // 32)).astype(np.uint8)
    nibbles = unpacked(packed, 4)
    numbers = np.where(nibbles & 8, -1, 1) * E2M1[nibbles & 7]
    return packed.view(np.uint32), scales, numbers * np.repeat(2.0 ** (scales.astype(int) - 127), 32, 1)


@pytest.mark.parametrize(("kind", "roundings"), [("float", 4), ("bfloat16_t", 4)])
def test_four_bit_matrix_by_vector(kernel, rng, kind, roundings):
    packed, scales, matrix = fp(rng, 16, 512)
    memory, x = random(rng, kind, (1, 512), -1, 1)
    out = empty((1, 16), kind)
    run = kernel("fp_quantized", "fp_qmv", kind, 32, 4, False)
    run(
        packed, scales, np.ones(1, np.float32), memory, out, 512, 16, *BATCH[:-1], grid=(32, 2 * 2, 1),
        threadgroup=(32, 2, 1),
    )  # fmt: skip
    wanted = x.astype(np.float64) @ matrix.T
    agree(out, wanted, kind, roundings, np.abs(wanted).max() * (1e-5 if kind == "float" else 1e-2))


def test_matrix_by_four_bit_matrix(kernel, rng):
    m, n, k = 20, 64, 128
    packed, scales, matrix = fp(rng, n, k)
    memory, x = random(rng, "float", (m, k), -1, 1)
    out = empty((m, n), "float")
    run = kernel("fp_quantized", "fp_qmm_t", "float", 32, 4, True, False)
    run(
        packed, scales, np.ones(1, np.float32), memory, out, k, n, m, *BATCH[:-1], grid=(2 * 32, 2, 2),
        threadgroup=(32, 2, 2),
    )  # fmt: skip
    wanted = x.astype(np.float64) @ matrix.T
    agree(out, wanted, "float", 4, np.abs(wanted).max() * 1e-5)


@pytest.mark.parametrize("bits", [4, 8])
def test_quantization_to_numbers_with_a_point(kernel, rng, bits):
    memory, values = random(rng, "float", (4, 128))
    packed, scales = empty((4, 128 * bits // 8), "uint8_t"), empty((4, 4), "uint8_t")
    one = np.ones(1, np.float32)
    kernel("fp_quantized", "fp_quantize", "float", 32, bits, False)(memory, packed, scales, one, grid=(128, 4))
    back = empty((4, 128), "float")
    run = kernel("fp_quantized", "fp_dequantize", "float", 32, bits, False)
    run(packed, scales, one, back, grid=(128 * bits // 8, 4))
    scale = np.repeat(2.0 ** (scales.astype(int) - 127), 32, 1)
    if bits == 4:
        nibbles = unpacked(packed, 4)
        np.testing.assert_array_equal(back, np.where(nibbles & 8, -1, 1) * E2M1[nibbles & 7] * scale)
    # The scale is such that the largest fits; steps are at most a third of it, and at 8 bits a sixteenth of the number.
    error = np.abs(back - values)
    assert (error <= (scale if bits == 4 else np.abs(values) / 16 + scale / 512)).all()
    both = empty((4, 128), "float")
    run = kernel("fp_quantized", "fp_quantize_dequantize", "float", 32, bits, False)
    run(memory, one, both, grid=(128, 4))
    np.testing.assert_array_equal(decode(both, "float"), back)
