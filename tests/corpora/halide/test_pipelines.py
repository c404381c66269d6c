# SPDX-License-Identifier: MIT
"""Pipelines in the ways that Halide schedules for GPUs: tiles, shared memory, vectors, several kernels, every type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import halide as hl
import numpy as np
import pytest

from .pipeline import Algorithm, Launch, on_cpu, on_metal

x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
xi, yi = hl.Var("xi"), hl.Var("yi")
F = np.float32


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(21)


def agree(
    algorithm: Algorithm, images: list[np.ndarray], out: np.ndarray, folder: Path, tolerance: float = 0
) -> list[Launch]:
    wanted = on_cpu(algorithm, images, out.shape)
    launches = on_metal(algorithm, images, out, folder)
    assert launches
    if tolerance:
        np.testing.assert_allclose(out.astype(float), wanted.astype(float), rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(out, wanted)
    assert len(np.unique(out)) > 1
    return launches


def each_pixel(expression: Any, width: int = 16, height: int = 8) -> Algorithm:
    """Compute `expression(images at x, y)` for each pixel by itself."""

    def algorithm(*images: Any) -> tuple[Any, Any]:
        result = hl.Func("result")
        result[x, y] = expression(*(image[x, y] for image in images))
        return result, lambda: result.gpu_tile(x, y, xi, yi, width, height)

    return algorithm


def test_blur_in_threadgroup_memory(rng: np.random.Generator, tmp_path: Path) -> None:
    def blur(image: Any) -> tuple[Any, Any]:
        rows, result = hl.Func("rows"), hl.Func("result")
        clamped = hl.BoundaryConditions.repeat_edge(image)
        rows[x, y] = (clamped[x - 1, y] + clamped[x, y] * 2 + clamped[x + 1, y]) / 4
        result[x, y] = (rows[x, y - 1] + rows[x, y] * 2 + rows[x, y + 1]) / 4

        def schedule() -> None:
            result.gpu_tile(x, y, xi, yi, 16, 8)
            rows.compute_at(result, x).gpu_threads(x, y)

        return result, schedule

    image = rng.uniform(0, 1, (48, 64)).astype(F)
    (launch,) = agree(blur, [image], np.zeros_like(image), tmp_path, 1e-5)
    assert launch.shared > 0


def test_matrix_product_by_vectors(rng: np.random.Generator, tmp_path: Path) -> None:
    def product(a: Any, b: Any) -> tuple[Any, Any]:
        total, result = hl.Func("total"), hl.Func("result")
        k = hl.RDom([(0, 40)], "k")
        total[x, y] += a[k, y] * b[x, k]
        result[x, y] = total[x, y]

        def schedule() -> None:
            result.gpu_tile(x, y, xi, yi, 32, 4).vectorize(xi, 4)
            total.compute_at(result, xi).vectorize(x).update().reorder(x, y, k).vectorize(x).unroll(k, 4)

        return result, schedule

    a, b = (rng.integers(-9, 9, shape).astype(F) for shape in ((32, 40), (40, 64)))
    out = np.zeros((32, 64), F)
    agree(product, [a, b], out, tmp_path)
    np.testing.assert_array_equal(out, a @ b)


def test_several_kernels(rng: np.random.Generator, tmp_path: Path) -> None:
    """Half the size, twice, and the difference at full size: what lies between is in buffers."""

    def pyramid(image: Any) -> tuple[Any, Any]:
        levels = [hl.Func("level0")]
        levels[0][x, y] = hl.BoundaryConditions.repeat_edge(image)[x, y]
        for number in (1, 2):
            above, level = levels[-1], hl.Func(f"level{number}")
            level[x, y] = (
                above[2 * x, 2 * y] + above[2 * x + 1, 2 * y] + above[2 * x, 2 * y + 1] + above[2 * x + 1, 2 * y + 1]
            ) / 4
            levels.append(level)
        result = hl.Func("result")
        result[x, y] = levels[0][x, y] - levels[2][x / 4, y / 4] + levels[1][x / 2, y / 2] * 0.5

        def schedule() -> None:
            for func in (*levels[1:], result):
                func.compute_root().gpu_tile(x, y, xi, yi, 8, 8)

        return result, schedule

    image = rng.uniform(0, 1, (32, 64)).astype(F)
    assert len(agree(pyramid, [image], np.zeros_like(image), tmp_path, 1e-5)) == 3


INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4"]


@pytest.mark.parametrize("kind", INTEGERS)
def test_integer_arithmetic(rng: np.random.Generator, tmp_path: Path, kind: str) -> None:
    """Halide divides signed numbers towards minus infinity, and by zero to zero; unsigned ones as Metal does."""
    dtype = np.dtype(kind)
    limits = np.iinfo(dtype)
    a, b = (rng.integers(limits.min, limits.max, (16, 32), dtype, endpoint=True) for _ in range(2))
    b[:, ::4] = rng.integers(0, 5, b[:, ::4].shape)
    a[0, 0], b[0, 0] = limits.min, limits.max

    def expression(p: Any, q: Any) -> Any:
        divisor = q if limits.min < 0 else hl.max(q, hl.cast(q.type(), 1))
        total = p / divisor + p % divisor * 3 - (p & q) ^ (p | q)
        total += hl.min(p, q) + hl.max(p, q) * 5 + hl.cast(p.type(), hl.absd(p, q))
        total += hl.select(p < q, p, q) + (p << (hl.cast(p.type(), q & 3)))
        return total + (p >> (hl.cast(p.type(), q & 5)))

    agree(each_pixel(expression), [a, b], np.zeros((16, 32), dtype), tmp_path)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2"])
def test_saturation_and_averages(rng: np.random.Generator, tmp_path: Path, kind: str) -> None:
    dtype = np.dtype(kind)
    limits = np.iinfo(dtype)
    a, b = (rng.integers(limits.min, limits.max, (16, 32), dtype, endpoint=True) for _ in range(2))

    def expression(p: Any, q: Any) -> Any:
        wide = hl.cast(hl.Int(32), p) * hl.cast(hl.Int(32), q / 4) / 64  # Halide leaves an overflow of this open
        return hl.saturating_cast(p.type(), wide) ^ hl.saturating_cast(p.type(), hl.cast(hl.Float(32), p) * hl.f32(1.7))

    agree(each_pixel(expression), [a, b], np.zeros((16, 32), dtype), tmp_path)


MATH = {
    "exp": (hl.exp, -5, 5), "log": (hl.log, 0.01, 20), "sqrt": (hl.sqrt, 0, 20), "sin": (hl.sin, -9, 9),
    "cos": (hl.cos, -9, 9), "tan": (hl.tan, -1.4, 1.4), "asin": (hl.asin, -1, 1), "acos": (hl.acos, -1, 1),
    "atan": (hl.atan, -9, 9), "sinh": (hl.sinh, -3, 3), "cosh": (hl.cosh, -3, 3), "tanh": (hl.tanh, -3, 3),
    "asinh": (hl.asinh, -9, 9), "acosh": (hl.acosh, 1, 20), "atanh": (hl.atanh, -0.95, 0.95),
    "floor": (hl.floor, -9, 9), "ceil": (hl.ceil, -9, 9), "round": (hl.round, -9, 9), "trunc": (hl.trunc, -9, 9),
    "fast_exp": (hl.fast_exp, -5, 5), "fast_log": (hl.fast_log, 0.01, 20),
    "fast_inverse_sqrt": (hl.fast_inverse_sqrt, 0.1, 9), "abs": (hl.abs, -9, 9),
}  # fmt: skip


def test_mathematics(rng: np.random.Generator, tmp_path: Path) -> None:
    for name, (function, low, high) in MATH.items():
        image = rng.uniform(low, high, (16, 32)).astype(F)
        image[3] = np.floor(image[3])  # halves of whole numbers round to even
        image[4] = np.clip(np.floor(image[4]) + 0.5, low, high)
        folder = tmp_path / name
        folder.mkdir()
        agree(each_pixel(function), [image], np.zeros_like(image), folder, 3e-3 if "fast" in name else 5e-5)


def test_functions_of_two_numbers(rng: np.random.Generator, tmp_path: Path) -> None:
    a, b = (rng.uniform(0.1, 4, (16, 32)).astype(F) for _ in range(2))
    agree(each_pixel(lambda p, q: hl.pow(p, q) + hl.atan2(p - 2, q - 2)), [a, b], np.zeros_like(a), tmp_path, 1e-4)


def test_halves(rng: np.random.Generator, tmp_path: Path) -> None:
    a, b = (rng.uniform(-4, 4, (16, 32)).astype(np.float16) for _ in range(2))
    agree(each_pixel(lambda p, q: hl.select(p < q, p * q, p + q)), [a, b], np.zeros_like(a), tmp_path, 2e-3)


def test_median_of_nine(rng: np.random.Generator, tmp_path: Path) -> None:
    """A network of exchanges in registers: hundreds of names, no loop."""

    def median(image: Any) -> tuple[Any, Any]:
        clamped = hl.BoundaryConditions.mirror_image(image)
        values = [clamped[x + i, y + j] for j in (-1, 0, 1) for i in (-1, 0, 1)]
        for end in range(8, 0, -1):
            for i in range(end):
                low, high = hl.min(values[i], values[i + 1]), hl.max(values[i], values[i + 1])
                values[i], values[i + 1] = low, high
        result = hl.Func("result")
        result[x, y] = values[4]
        return result, lambda: result.gpu_tile(x, y, xi, yi, 16, 8)

    image = rng.integers(0, 256, (32, 64)).astype(np.uint8)
    out = np.zeros_like(image)
    agree(median, [image], out, tmp_path)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(image, 1, "symmetric"), (3, 3))
    np.testing.assert_array_equal(out, np.median(around, (2, 3)))


def test_rolling_sums_of_rows(rng: np.random.Generator, tmp_path: Path) -> None:
    """A loop inside each thread, over what it wrote itself."""

    def sums(image: Any) -> tuple[Any, Any]:
        total, result = hl.Func("total"), hl.Func("result")
        k = hl.RDom([(1, 31)], "k")
        total[x, y] = hl.cast(hl.Int(32), image[x, y])
        total[k, y] += total[k - 1, y]
        result[x, y] = total[x, y]

        def schedule() -> None:
            yo = hl.Var("yo")
            result.reorder(x, y).gpu_tile(y, yo, yi, 8)
            total.compute_root().split(y, yo, yi, 8).reorder(x, yi, yo).gpu_blocks(yo).gpu_threads(yi)
            total.update().split(y, yo, yi, 8).reorder(k, yi, yo).gpu_blocks(yo).gpu_threads(yi)

        return result, schedule

    image = rng.integers(-99, 99, (16, 32)).astype(np.int16)
    out = np.zeros((16, 32), np.int32)
    agree(sums, [image], out, tmp_path)
    np.testing.assert_array_equal(out, image.cumsum(1))


def test_channels_and_vectors_of_bytes(rng: np.random.Generator, tmp_path: Path) -> None:
    def mixed(image: Any) -> tuple[Any, Any]:
        result = hl.Func("result")
        luma = hl.cast(hl.UInt(16), image[x, y, 0]) * 77 + hl.cast(hl.UInt(16), image[x, y, 1]) * 150
        luma += hl.cast(hl.UInt(16), image[x, y, 2]) * 29
        result[x, y, c] = hl.cast(hl.UInt(8), luma >> 8) / 2 + image[x, y, c] / 2
        return result, lambda: result.gpu_tile(x, y, xi, yi, 32, 4).vectorize(xi, 4).gpu_blocks(c)

    image = rng.integers(0, 256, (3, 16, 64)).astype(np.uint8)
    agree(mixed, [image], np.zeros_like(image), tmp_path)
