# SPDX-License-Identifier: MIT
"""Functions of integers, against Python's whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}


def limits(kind):
    """The least and the greatest value."""
    bits = BITS[kind]
    return (0, 2**bits - 1) if kind.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def wrap(value, kind):
    """The value as the type holds it."""
    low, high = limits(kind)
    return (value - low) % (high - low + 1) + low


def saturate(value, kind):
    """The nearest value of the type."""
    low, high = limits(kind)
    return min(max(value, low), high)


def unsigned(value, kind):
    """The value's bits as a whole number."""
    return value % 2 ** BITS[kind]


def rotate(a, b, kind):
    """rotate()."""
    bits, n = BITS[kind], b % BITS[kind]
    u = unsigned(a, kind)
    return wrap((u << n) | (u >> (bits - n)), kind)


UNARY = {
    "popcount": lambda a, k: unsigned(a, k).bit_count(),
    "clz": lambda a, k: BITS[k] - unsigned(a, k).bit_length(),
    "ctz": lambda a, k: BITS[k] if a == 0 else (a & -a).bit_length() - 1,
    "reverse_bits": lambda a, k: wrap(int(f"{unsigned(a, k):0{BITS[k]}b}"[::-1], 2), k),
    "abs": lambda a, k: wrap(abs(a), k),
}
BINARY = {
    "max": lambda a, b, k: max(a, b),
    "min": lambda a, b, k: min(a, b),
    "addsat": lambda a, b, k: saturate(a + b, k),
    "subsat": lambda a, b, k: saturate(a - b, k),
    "hadd": lambda a, b, k: (a + b) >> 1,
    "rhadd": lambda a, b, k: (a + b + 1) >> 1,
    "mulhi": lambda a, b, k: (a * b) >> BITS[k],
    "rotate": rotate,
}
TERNARY = {
    "max3": lambda a, b, c, k: max(a, b, c),
    "min3": lambda a, b, c, k: min(a, b, c),
    "median3": lambda a, b, c, k: sorted((a, b, c))[1],
    "clamp": lambda a, b, c, k: min(max(a, b), c),
    "madhi": lambda a, b, c, k: wrap(((a * b) >> BITS[k]) + c, k),
    "madsat": lambda a, b, c, k: saturate(a * b + c, k),
}


@pytest.fixture(scope="module")
def functions(compiles):
    """One library with a kernel `NAME_TYPE` for each function and type."""
    text = []
    for count, table in enumerate((UNARY, BINARY, TERNARY), 1):
        for kind in BITS:
            parameters = "".join(f"device const {kind}* {letter}, " for letter in "abc"[:count])
            arguments = ", ".join(f"{letter}[i]" for letter in "abc"[:count])
            for name in table:
                text.append(
                    f"kernel void {name}_{kind}({parameters}device {kind}* r, uint i [[thread_position_in_grid]]) "
                    f"{{ r[i] = {name}({arguments}); }}"
                )
    return compiles("\n".join(text))


def samples(kind, count, seed):
    """Corners and random numbers of all sizes."""
    low, high = limits(kind)
    rng = np.random.default_rng(seed)
    corners = [low, high, 0, 1, high // 2, low + 1, max(low, -1), 2, 7, high - 1]
    whole = rng.integers(low, high, count, endpoint=True, dtype=dtype(kind)).tolist()
    shifts = rng.integers(0, BITS[kind], count).tolist()
    picks = rng.integers(0, 2 * len(corners), count).tolist()
    values = [
        corners[pick] if pick < len(corners) else value >> shift
        for value, shift, pick in zip(whole, shifts, picks, strict=True)
    ]
    return np.array(values, dtype(kind))


def dtype(kind):
    """The NumPy type."""
    return np.dtype(f"{'u' if kind.startswith('u') else 'i'}{BITS[kind] // 8}")


@pytest.mark.parametrize("kind", BITS)
@pytest.mark.parametrize("name", [*UNARY, *BINARY, *TERNARY])
def test_function_of_integers(functions, name, kind):
    count = 1 if name in UNARY else 2 if name in BINARY else 3
    reference = (UNARY | BINARY | TERNARY)[name]
    inputs = [samples(kind, 300, seed) for seed in range(count)]
    if name == "clamp":
        inputs[1], inputs[2] = np.minimum(inputs[1], inputs[2]), np.maximum(inputs[1], inputs[2])
    out = np.zeros(300, dtype(kind))
    functions[f"{name}_{kind}"](*inputs, out)
    want = [reference(*map(int, values), kind) for values in zip(*inputs, strict=True)]
    np.testing.assert_array_equal(out, np.array(want, dtype(kind)))


def test_bit_fields(evaluate):
    a = np.array([0x12345678, 0xFFFF0000, 0, 0xDEADBEEF], np.uint32)
    np.testing.assert_array_equal(evaluate("uint", "extract_bits(a, 4, 8)", ("uint", a)), (a >> 4) & 0xFF)
    np.testing.assert_array_equal(
        evaluate("int", "extract_bits(as_type<int>(a), 24, 8)", ("uint", a)), a.view(np.int32) >> 24
    )
    np.testing.assert_array_equal(evaluate("uint", "insert_bits(a, 0xffu, 4, 4)", ("uint", a)), a | 0xF0)
    np.testing.assert_array_equal(evaluate("uint2", "insert_bits(uint2(a), uint2(0), 0, 32)", ("uint", a)), np.zeros(8))
