# SPDX-License-Identifier: MIT
"""Every file compiles to the last function; those with an answer of their own are run."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mtlpy_nb
import mtlpy_nb.metal as pm

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "stages"))

from stage_functions import compile_with

SOURCES = Path(__file__).parent / "sources"
NAMES = sorted(path.stem for path in SOURCES.glob("*.metal"))


@cache
def device() -> mtlpy_nb.Device:
    return mtlpy_nb.Device(cache_path=False)


@cache
def library(name: str) -> mtlpy_nb.Library:
    return device().library((SOURCES / f"{name}.metal").read_text(), includes=[SOURCES])


@pytest.mark.parametrize("name", NAMES)
def test_compiles(name: str) -> None:
    found = library(name)
    assert found.functions
    text = (SOURCES / f"{name}.metal").read_text()
    plain = pm.create_system_default_device()
    compiled = plain.new_library_with_source(text) if "shader_types.h" not in text else None
    for function in found.functions:
        kind = getattr(found[function], "function_type", "kernel")
        if kind == "kernel" and compiled is not None:
            plain.new_compute_pipeline_state(compiled.new_function(function))
        elif kind != "visible":  # those are compiled with the kernels that call them
            options = ["-I", str(SOURCES), "--constant", "0=true", "--constant", "1=2", "-o", "/dev/null"]
            done = compile_with(text, "--kernel", function, *options)
            assert done.returncode == 0, done.stderr


def test_sha256() -> None:
    rng = np.random.default_rng(0)
    for length in (0, 3, 55, 56, 64, 200):
        messages = rng.integers(0, 256, (5, max(length, 1)), np.uint8)[:, :length].copy()
        digests = np.zeros((5, 32), np.uint8)
        given = messages if length else np.zeros(1, np.uint8)
        library("sha256")["sha256"](given.reshape(-1), length, digests.reshape(-1), grid=5)
        assert [bytes(row) for row in digests] == [hashlib.sha256(bytes(row)).digest() for row in messages]


def test_arithmetic_of_256_bits() -> None:
    prime = 2**256 - 2**32 - 977
    rng = np.random.default_rng(1)

    def numbers(words: Any) -> list[int]:
        return [int.from_bytes(row.tobytes(), "little") for row in words.reshape(-1, 4)]

    a, b = (rng.integers(0, 2**64, (8, 4), np.uint64) for _ in range(2))
    a[0], b[0] = 0, 2**64 - 1
    b[0, 0] = (prime - 1) & (2**64 - 1)
    kernel = library("secp256k1")["field_ops"]
    dtype = kernel.arguments["a"].element.dtype
    results = [np.zeros((8, 4), np.uint64) for _ in range(3)]
    kernel(*(array.view(dtype).reshape(-1) for array in (a, b, *results)), grid=8)
    pairs = list(zip(numbers(a), numbers(b), strict=True))
    assert numbers(results[0]) == [(x + y) % prime for x, y in pairs]
    assert numbers(results[1]) == [x * y % prime for x, y in pairs]
    assert numbers(results[2]) == [pow(x, -1, prime) if x else 0 for x, _ in pairs]


@pytest.mark.parametrize(
    ("kind", "dtype"), [("float", np.float32), ("half", np.float16), ("int", np.int32), ("short", np.int16)]
)
def test_reductions_by_templates(kind: str, dtype: Any) -> None:
    x = np.random.default_rng(2).integers(-40, 40, (3, 100)).astype(dtype)
    for name, wanted in (("add", x.sum(1)), ("max", x.max(1))):
        out = np.zeros(3, dtype)
        library("templates")[f"reduce_{name}_{kind}"](x.reshape(-1), out, 100, grid=3 * 64, threadgroup=64)
        np.testing.assert_array_equal(out, wanted.astype(dtype))


def test_templates_of_all_kinds() -> None:
    x = np.arange(1, 13, dtype=np.float32)
    out = np.zeros(8, np.float32)
    library("templates")["misc"](x, out, 5, grid=1)
    product = x[:6].reshape(2, 3) @ x[6:].reshape(3, 2)
    np.testing.assert_array_equal(out, [*product.ravel(), 6 + 1 + 2 + 3, 2, 120, 45])


def test_scans_and_sorts() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 50, 512, np.uint32)
    out, totals = np.zeros(512, np.uint32), np.zeros(2, np.uint32)
    library("scan_sort")["scan_blocks"](x, out, totals, 500, grid=512, threadgroup=256)
    x[500:] = 0
    blocks = x.reshape(2, 256)
    np.testing.assert_array_equal(out[:500], (np.cumsum(blocks, 1) - blocks).ravel()[:500])
    np.testing.assert_array_equal(totals, blocks.sum(1))
    keys = rng.integers(0, 2**32, 200, np.uint32)
    keys[:20] = keys[20:40]
    order, values = np.argsort(keys, kind="stable"), np.arange(200, dtype=np.uint32)
    wanted = keys[order]
    library("scan_sort")["sort_digit"](keys, values, 200, grid=256, threadgroup=256)
    np.testing.assert_array_equal(keys, wanted)
    np.testing.assert_array_equal(values, order)
    data = rng.normal(size=128).astype(np.float32)
    wanted = np.sort(data)
    k = 2
    while k <= 128:
        j = k // 2
        while j:
            library("scan_sort")["bitonic"](data, np.array([k, j], np.uint32), grid=128)
            j //= 2
        k *= 2
    np.testing.assert_array_equal(data, wanted)


@pytest.mark.parametrize(("name", "size", "radix"), [("fft_256", 256, 4), ("fft_64", 64, 2)])
def test_fourier_transforms(name: str, size: int, radix: int) -> None:
    x = np.random.default_rng(4).normal(size=(3, size, 2)).astype(np.float32)
    out = np.zeros_like(x)
    threads = size // radix
    library("fft")[name](x.reshape(-1, 2), out.reshape(-1, 2), grid=3 * threads, threadgroup=threads)
    wanted = np.fft.fft(x[..., 0] + 1j * x[..., 1])
    np.testing.assert_allclose(out[..., 0] + 1j * out[..., 1], wanted, atol=1e-4)


def test_atomics() -> None:
    x = np.random.default_rng(5).uniform(1, 90, 256).astype(np.float32)
    kernel = library("atomics")["gather"]
    stats = np.zeros(1, kernel.arguments["stats"].element.dtype)
    stats["lowest"] = 1000
    cells, halves = np.zeros(8, np.uint32), np.zeros(4, np.float16)
    cells[4] = 2**32 - 1
    kernel(x, stats, cells, halves, grid=256, threadgroup=64)
    assert (stats["lowest"], stats["highest"], stats["count"]) == (int(x.min()), int(x.max()), 256)
    assert stats["any"] == 1
    np.testing.assert_allclose([stats["sum"][0], cells[:2].view(np.float32)[1]], x.sum(), rtol=1e-5)
    assert cells.view(np.float32)[0] == x.max()
    assert cells[2:5].tolist() == [2**32 - 1, 0, 0]
    assert halves.tolist() == [64] * 4


def test_memory_of_every_kind() -> None:
    kernel = library("memory_kinds")["kinds"]
    parts = {name: argument.element.dtype for name, argument in kernel.arguments.items() if argument.kind == "buffer"}
    out, data = np.zeros(48, np.uint32), np.arange(3, 203, dtype=np.uint8)
    flags = np.array([5 | 1 << 6 | 100 << 7, 9 | (2**25 - 7) << 7], np.uint32)
    nodes = np.zeros(3, parts["nodes"])
    nodes["lower"], nodes["upper"] = -1, 1
    nodes[0]["leftOrPrimitive"], nodes["count"] = 1, [0, 4, 7]
    nodes[2]["lower"][0] = 0.25
    points = np.zeros(2, parts["points"])
    points["x"] = [0, 0.5]
    header = np.array([0xABCD, 3, 10, 20, 30], np.uint32)
    halves = np.arange(16, dtype=np.float16).reshape(4, 4)
    kernel(
        out,
        data,
        flags.view(parts["flags"]),
        nodes,
        points,
        device().buffer(header.view(np.uint8)),
        halves,
        256,
        grid=4,
        threadgroup=4,
    )
    rows = out.reshape(4, 12)
    words = data.view(np.uint32)[:4]
    bits = int(np.float32(-1.5).view(np.uint32)) | 7
    for i, row in enumerate(rows.tolist()):
        assert row[:2] == [bits, bits]
        assert row[2:4] == [[5 | 1 << 8, 97], [9, 2**32 - 10]][i & 1]
        assert row[4:6] == [int(words[i]) & 0xFFFFFF, int(words[i])]
        assert row[6] == [4, 11][i & 1]
        assert row[7] == int(header[2 + i % 3]) ^ 0xABCD
        assert row[8] == int(halves[i, 2:].view(np.uint32)[0])
        assert row[9:] == [48 * i + 12, bits >> 16, 4 | 16 << 8 | 16 << 16]


def test_filters_by_kernels() -> None:
    rng = np.random.default_rng(6)
    image = rng.uniform(0, 1, (20, 24, 4)).astype(np.float32)
    found = library("compute_filters")
    bins = np.zeros(256, np.uint32)
    found["histogram"](image, bins, grid=(32, 32), threadgroup=(16, 16))
    levels = (np.clip(image[..., 0], 0, 1) * 255 + 0.5).astype(np.int64)
    np.testing.assert_array_equal(bins, np.bincount(levels.ravel(), minlength=256))
    out = found["median"](image, mtlpy_nb.output.like(image), grid=(24, 20))
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (0, 1)).reshape(18, 22, 4, 9)
    np.testing.assert_array_equal(np.asarray(out)[1:-1, 1:-1], np.median(windows, -1))
    out = found["box"](image, mtlpy_nb.output.like(image), 2, grid=(24, 20))
    mirrored = np.pad(image, [(2, 2), (2, 2), (0, 0)], "symmetric")
    wanted = np.lib.stride_tricks.sliding_window_view(mirrored, (5, 5), (0, 1)).mean((-1, -2))
    np.testing.assert_allclose(np.asarray(out), wanted, atol=2e-6)
    small = image.astype(np.float16)
    out = found["sobel"](small, mtlpy_nb.output.like(small), grid=(24, 20))
    padded = np.pad(image @ [0.299, 0.587, 0.114, 0], 1, "edge")
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    near = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    wanted = np.hypot((near * across).sum((-1, -2)), (near * across.T).sum((-1, -2)))
    np.testing.assert_allclose(np.asarray(out)[..., 0], wanted, atol=0.02)
