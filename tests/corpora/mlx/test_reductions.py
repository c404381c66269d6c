# SPDX-License-Identifier: MIT
"""Sums, products and extremes over all, over rows and over columns; scans."""

from __future__ import annotations

import numpy as np
import pytest

from .numbers import DTYPES, agree, decode, empty, encode, random

NOTHING = np.zeros(1, np.int32)
NO_STRIDE = np.zeros(1, np.int64)
REDUCE = {"Sum": np.sum, "Prod": np.prod, "Min": np.min, "Max": np.max}


def numbers(rng, kind, name, shape):
    """Make numbers whose sums and products of integers stay in range, and those of others stay near one."""
    if kind == "complex64_t" or name != "Prod":
        return random(rng, kind, shape)
    values = rng.choice([1, 1, 1, 2] if kind not in ("float", "half", "bfloat16_t") else [1, 0.5, 2, -1], shape)
    memory = encode(values, kind)
    return memory, decode(memory, kind)


def reduced(name, values, kind, **axis):
    if kind in ("float", "half", "bfloat16_t"):
        return REDUCE[name](values.astype(np.float64), **axis)
    # Integers wrap, as Metal's do.
    dtype = {"dtype": values.dtype} if name in ("Sum", "Prod") else {}
    return REDUCE[name](values, **axis, **dtype)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("float", "Sum"), ("float", "Min"), ("half", "Max"), ("bfloat16_t", "Sum"), ("int32_t", "Prod"),
        ("int64_t", "Sum"), ("uint8_t", "Max"), ("int16_t", "Min"), ("complex64_t", "Sum"),
    ],
)  # fmt: skip
def test_reduce_all(kernel, rng, kind, name):
    memory, values = numbers(rng, kind, name, 2000)
    out = empty(4, kind)
    run = kernel("reduce", "all_reduce", kind, kind, f"{name}<{kind}>", "int64_t")
    run(memory, out, 2000, 512, grid=(128, 4), threadgroup=(128, 1))
    parts = [reduced(name, values[i : i + 512], kind) for i in range(0, 2000, 512)]
    # A type rounds each of the sum's steps.
    agree(out, np.array(parts), kind, 40, absolute=40 * 4 * {"bfloat16_t": 2.0**-7}.get(kind, 1e-6))


@pytest.mark.parametrize("name", ["And", "Or"])
def test_reduce_bools(kernel, rng, name):
    memory = rng.integers(0, 8, (4, 30)) != (0 if name == "And" else 1)
    memory[1], memory[2] = True, False
    out = empty(4, "bool")
    run = kernel("reduce", "row_reduce_simple", "bool", "bool", f"{name}<bool>", "int64_t")
    run(memory, out, 30, 4, grid=(64, 1), threadgroup=(64, 1))
    agree(out, memory.all(1) if name == "And" else memory.any(1), "bool")


def test_initial_values(kernel):
    for kind, operation, wanted in (("float", "Max<float>", -np.inf), ("int8_t", "Min<int8_t>", 127)):
        out = empty(12, kind)
        kernel("reduce", "init_reduce", kind, operation)(out, grid=(4, 3))
        agree(out, np.full(12, wanted), kind)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("float", "Sum"),
        ("float", "Prod"),
        ("half", "Sum"),
        ("bfloat16_t", "Max"),
        ("uint32_t", "Sum"),
        ("int8_t", "Min"),
    ],
)
@pytest.mark.parametrize("threads", [32, 96])
def test_reduce_rows(kernel, rng, kind, name, threads):
    memory, values = numbers(rng, kind, name, (10, 301))
    out = empty(10, kind)
    run = kernel("reduce", "row_reduce_simple", kind, kind, f"{name}<{kind}>", "int64_t")
    run(memory, out, 301, 10, grid=(threads, 3), threadgroup=(threads, 1))
    agree(out, reduced(name, values, kind, axis=1), kind, 20, absolute={"half": 0.2}.get(kind, 2e-5))


@pytest.mark.parametrize("function", ["row_reduce_looped", "row_reduce_small"])
@pytest.mark.parametrize("outer", [5, 70])
def test_reduce_first_and_last_axis(kernel, rng, function, outer):
    memory, values = random(rng, "float", (outer, 6, 37 if function == "row_reduce_looped" else 7))
    row = values.shape[2]
    out = empty(6, "float")
    run = kernel("reduce", function, "float", "float", "Sum<float>", "int", 1)
    shape = [np.array([n], np.int32) for n in (6, outer)]
    strides = [np.array([n], np.int64) for n in (row, 6 * row)]
    by_thread = (function == "row_reduce_small" and outer <= 8) or (outer < 32 and row <= 8)
    run(
        memory, out, row, outer, shape[0], strides[0], 1, shape[1], strides[1], 1,
        grid=(6, 1) if by_thread else (32, 6), threadgroup=(6, 1) if by_thread else (32, 1),
    )  # fmt: skip
    agree(out, values.astype(np.float64).sum((0, 2)), "float", 16, absolute=1e-4)


@pytest.mark.parametrize(("kind", "name"), [("float", "Sum"), ("half", "Max"), ("complex64_t", "Sum")])
@pytest.mark.parametrize(
    "function", ["col_reduce_small", "col_reduce_looped", "col_reduce_longcolumn", "col_reduce_2pass"]
)
def test_reduce_columns(kernel, rng, kind, name, function):
    rows, columns = 75, 50 if function != "col_reduce_longcolumn" else 6
    memory, values = numbers(rng, kind, name, (rows, columns))
    out = empty((32, columns) if function == "col_reduce_2pass" else columns, kind)
    shape, strides = np.array([rows], np.int32), np.array([columns], np.int64)
    tile = (32, 32) if function in ("col_reduce_looped", "col_reduce_2pass") else ()
    run = kernel("reduce", function, kind, kind, f"{name}<{kind}>", "int", 1, *tile)
    more, grid, threadgroup = {
        "col_reduce_small": ((), (13, 4), (13, 4)),
        "col_reduce_looped": ((0,), (512, 1), (256, 1)),
        "col_reduce_longcolumn": ((1,), (6, 4), (6, 4)),
        "col_reduce_2pass": ((0, 1), (512, 32), (256, 1)),
    }[function]
    run(
        memory,
        out,
        rows,
        columns,
        NOTHING,
        NO_STRIDE,
        0,
        shape,
        strides,
        1,
        1,
        *more,
        grid=grid,
        threadgroup=threadgroup,
    )
    got = out
    if function == "col_reduce_2pass":
        got = encode(reduced(name, decode(out, kind), kind, axis=0), kind)
    agree(got, reduced(name, values, kind, axis=0), kind, 16, absolute=1e-4)


SCAN = {"CumSum": np.cumsum, "CumProd": np.cumprod, "CumMax": np.maximum.accumulate, "CumMin": np.minimum.accumulate}


def scanned(name, values, kind, axis, inclusive, reverse):
    # The first value of a scan that leaves the own element out.
    first = {"CumSum": 0, "CumProd": 1}.get(name)
    if first is None:
        limits = np.finfo(np.float32) if kind in ("float", "half", "bfloat16_t") else np.iinfo(DTYPES[kind])
        infinite = kind in ("float", "half", "bfloat16_t")
        first = (-np.inf if infinite else limits.min) if name == "CumMax" else (np.inf if infinite else limits.max)
    values = np.flip(values, axis) if reverse else values
    wide = values.astype(np.float64) if kind in ("float", "half", "bfloat16_t") else values
    wanted = SCAN[name](wide, axis=axis, **({"dtype": wide.dtype} if name in ("CumSum", "CumProd") else {}))
    if not inclusive:
        wanted = np.roll(wanted, 1, axis)
        np.moveaxis(wanted, axis, 0)[0] = first
    return np.flip(wanted, axis) if reverse else wanted


@pytest.mark.parametrize(
    ("kind", "name", "inclusive", "reverse"),
    [
        ("float", "CumSum", True, False), ("float", "CumSum", False, True), ("half", "CumMax", True, True),
        ("bfloat16_t", "CumMin", True, False), ("int32_t", "CumProd", True, False), ("int64_t", "CumSum", False, False),
        ("uint8_t", "CumSum", True, True), ("complex64_t", "CumSum", True, False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("function", ["contiguous_scan", "strided_scan"])
def test_scan(kernel, rng, function, kind, name, inclusive, reverse):
    memory, values = numbers(
        rng, kind, "Prod" if name == "CumProd" else name, (3, 270) if function[0] == "c" else (2, 70, 45)
    )
    reads = 2 if kind in ("int64_t", "complex64_t") else 4
    run = kernel("scan", function, kind, kind, f"{name}<{kind}>", reads, inclusive, reverse)
    out = empty(values.shape, kind)
    if function == "contiguous_scan":
        run(memory, out, 270, grid=(64, 3), threadgroup=(64, 1))
    else:
        size = 32 // reads * 32
        run(memory, out, 70, 45, 2, grid=(size, 4), threadgroup=(size, 1))
    agree(out, scanned(name, values, kind, 1, inclusive, reverse), kind, 64, absolute=1e-3 if name == "CumSum" else 0)


def test_scan_of_logarithms(kernel, rng):
    memory, values = random(rng, "float", (2, 100))
    out = empty((2, 100), "float")
    run = kernel("scan", "contiguous_scan", "float", "float", "CumLogaddexp<float>", 4, True, False)
    run(memory, out, 100, grid=(32, 2), threadgroup=(32, 1))
    agree(out, np.logaddexp.accumulate(values.astype(np.float64), axis=1), "float", 32)
