# SPDX-License-Identifier: MIT
"""MLX's types as NumPy's, and numbers to feed them with."""

from __future__ import annotations

import numpy as np

COMPLEX = np.dtype([("real", np.float32), ("imag", np.float32)])
DTYPES = {
    "bool": np.dtype(np.bool_), "uint8_t": np.dtype(np.uint8), "uint16_t": np.dtype(np.uint16),
    "uint32_t": np.dtype(np.uint32), "uint64_t": np.dtype(np.uint64), "int8_t": np.dtype(np.int8),
    "int16_t": np.dtype(np.int16), "int32_t": np.dtype(np.int32), "int64_t": np.dtype(np.int64),
    "half": np.dtype(np.float16), "float": np.dtype(np.float32), "bfloat16_t": np.dtype(np.uint16),
    "complex64_t": COMPLEX,
}  # fmt: skip

# Of one operation whose result is rounded to the type; sums and functions of the tests allow more where they say so.
ROUNDING = {"float": 2.0**-23, "half": 2.0**-10, "bfloat16_t": 2.0**-7, "complex64_t": 2.0**-23}


def encode(values: np.ndarray, kind: str) -> np.ndarray:
    """Give numbers in the memory's form of an MLX type."""
    if kind == "bfloat16_t":
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    if kind == "complex64_t":
        return np.ascontiguousarray(values, np.complex64).view(COMPLEX)
    return np.ascontiguousarray(values, DTYPES[kind])


def decode(memory: np.ndarray, kind: str) -> np.ndarray:
    """Give what memory holds as numbers that NumPy can compute with."""
    if kind == "bfloat16_t":
        return (memory.astype(np.uint32) << 16).view(np.float32)
    if kind == "complex64_t":
        return memory.view(np.complex64)
    return memory


def empty(shape: int | tuple[int, ...], kind: str) -> np.ndarray:
    """Make memory for results, filled with what none of them is."""
    memory = np.empty(shape, DTYPES[kind])
    memory.view(np.uint8).fill(1 if kind == "bool" else 0x7B)
    return memory


def random(rng: np.random.Generator, kind: str, shape: int | tuple[int, ...], low: float = -4, high: float = 4):
    """Make numbers of a type: in memory's form, and as the numbers that this holds."""
    if kind == "bool":
        values = rng.integers(0, 2, shape).astype(np.bool_)
    elif kind == "complex64_t":
        values = rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)
    elif kind in ROUNDING:
        values = rng.uniform(low, high, shape)
    else:
        limits = np.iinfo(DTYPES[kind])
        values = rng.integers(max(limits.min, -20), min(limits.max, 20), shape)
    memory = encode(values, kind)
    return memory, decode(memory, kind)


def agree(memory: np.ndarray, wanted: np.ndarray, kind: str, roundings: float = 1, absolute: float = 0) -> None:
    """Compare results with NumPy's: integers exactly, others within so many roundings of the type."""
    got = decode(memory, kind)
    if kind not in ROUNDING:
        np.testing.assert_array_equal(got, wanted)
        return
    exact = np.complex128 if kind == "complex64_t" else np.float64
    np.testing.assert_allclose(
        got.astype(exact), np.asarray(wanted).astype(exact), rtol=roundings * ROUNDING[kind], atol=absolute
    )
