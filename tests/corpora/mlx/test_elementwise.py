# SPDX-License-Identifier: MIT
"""Unary, binary and ternary operations, copies and ranges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .numbers import agree, decode, empty, encode, random

COUNT = 203  # no multiple of what a thread works on


def per_thread(kind):
    return max(1, 8 // encode(np.zeros(1), kind).itemsize)


def threads(kind, count=COUNT):
    return -(-count // per_thread(kind))


_erf = np.vectorize(math.erf)


def _erfinv(x):
    """By Newton's method on erf."""
    y = np.sign(x) * np.sqrt(-np.log1p(-x * x)) * 0.88
    for _ in range(60):
        y = y - (_erf(y) - x) * math.sqrt(math.pi) / 2 * np.exp(y * y)
    return y


UNARY = {
    "Abs": (np.abs, -4, 4), "ArcCos": (np.arccos, -0.99, 0.99), "ArcCosh": (np.arccosh, 1.1, 9),
    "ArcSin": (np.arcsin, -0.99, 0.99), "ArcSinh": (np.arcsinh, -4, 4), "ArcTan": (np.arctan, -4, 4),
    "ArcTanh": (np.arctanh, -0.95, 0.95), "Ceil": (np.ceil, -4, 4), "Cos": (np.cos, -1.4, 1.4),
    "Cosh": (np.cosh, -3, 3), "Erf": (_erf, -3, 3), "ErfInv": (_erfinv, -0.95, 0.95), "Exp": (np.exp, -4, 4),
    "Expm1": (np.expm1, -3, 3), "Floor": (np.floor, -4, 4), "Log": (np.log, 1.5, 9), "Log2": (np.log2, 1.5, 9),
    "Log10": (np.log10, 1.5, 9), "Log1p": (np.log1p, 0.1, 9), "Negative": (np.negative, -4, 4),
    "Round": (np.rint, -4, 4), "Sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -4, 4), "Sign": (np.sign, -4, 4),
    "Sin": (np.sin, -3, 3), "Sinh": (np.sinh, -3, 3), "Square": (np.square, -4, 4), "Sqrt": (np.sqrt, 0.01, 9),
    "Rsqrt": (lambda x: 1 / np.sqrt(x), 0.01, 9), "Tan": (np.tan, -1.2, 1.2), "Tanh": (np.tanh, -3, 3),
}  # fmt: skip


NARROW = [(name, kind) for name in ("Exp", "Log1p", "Sigmoid") for kind in ("half", "bfloat16_t")]


@pytest.mark.parametrize(("name", "kind"), [(name, "float") for name in UNARY] + NARROW)
def test_unary_of_floats(kernel, rng, name, kind):
    function, low, high = UNARY[name]
    memory, values = random(rng, kind, COUNT, low, high)
    out = empty(COUNT, kind)
    kernel("unary", "unary_v", kind, kind, name)(memory, out, COUNT, grid=threads(kind))
    # Metal's functions may err by 4 units in the last place, twice that where MLX combines two. Its erfinv is right to
    # 1e-6, and its expm1 takes ln 2 as 0.693145752, which costs 1.4e-6 for each doubling.
    roundings = {"ErfInv": 20, "Expm1": 64}.get(name, 8)
    agree(out, function(values.astype(np.float64)), kind, roundings, absolute=1e-6)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("Abs", np.abs), ("Conjugate", np.conj), ("Exp", np.exp), ("Log", np.log), ("Sin", np.sin), ("Tanh", np.tanh),
        ("Sqrt", np.sqrt), ("Rsqrt", lambda x: 1 / np.sqrt(x)), ("ArcCos", np.arccos), ("Log1p", np.log1p),
    ],
)  # fmt: skip
def test_unary_of_complex(kernel, rng, name, function):
    memory, values = random(rng, "complex64_t", COUNT, -2, 2)
    out = empty(COUNT, "complex64_t")
    kernel("unary", "unary_v", "complex64_t", "complex64_t", name)(memory, out, COUNT, grid=COUNT)
    wanted = function(values.astype(np.complex128))
    # Components are computed one by one, so each errs relative to the whole.
    np.testing.assert_allclose(decode(out, "complex64_t"), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["Real", "Imag"])
def test_parts_of_complex(kernel, rng, name):
    memory, values = random(rng, "complex64_t", COUNT)
    out = empty(COUNT, "float")
    kernel("unary", "unary_v", "complex64_t", "float", name)(memory, out, COUNT, grid=COUNT)
    agree(out, values.real if name == "Real" else values.imag, "float")


@pytest.mark.parametrize("kind", ["uint8_t", "int64_t"])
def test_unary_of_integers(kernel, rng, kind):
    memory, values = random(rng, kind, COUNT)
    for name, function in (("BitwiseInvert", np.invert), ("Square", np.square), ("Abs", np.abs)):
        out = empty(COUNT, kind)
        kernel("unary", "unary_v", kind, kind, name)(memory, out, COUNT, grid=threads(kind))
        agree(out, function(values), kind)


def test_unary_of_strided_arrays(kernel, rng):
    memory, values = random(rng, "float", (5, 7, 6))
    view = values.transpose(2, 0, 1)[::-1]
    out = empty(view.shape, "float")
    strides = np.array([stride // 4 for stride in view.strides], np.int64)
    start = memory.reshape(-1)  # the view begins at its last row of six
    shape = np.array(view.shape, np.int32)
    run = kernel("unary", "unary_g", "float", "float", "Negative", 4, "int64_t")
    strides[0] = -strides[0]
    run(start, out, shape, strides, np.array([3], np.int32), grid=(-(-7 // 4), 5, 6))
    agree(out[::-1], -view, "float")


def test_numbers_of_eight_bits(kernel):
    bits = np.arange(256, dtype=np.uint8)
    out = empty(256, "float")
    kernel("unary", "unary_v", "uint8_t", "float", "FromFP8")(bits, out, 256, grid=32)
    sign, exponent, mantissa = bits >> 7, (bits >> 3).astype(int) & 15, bits & 7
    wanted = np.where(exponent == 0, mantissa / 8 * 2.0**-6, (1 + mantissa / 8) * 2.0 ** (exponent - 7))
    numbers = (bits & 127) != 127
    agree(out[numbers], np.where(sign == 1, -wanted, wanted)[numbers], "float")
    again = empty(256, "uint8_t")
    kernel("unary", "unary_v", "float", "uint8_t", "ToFP8")(out, again, 256, grid=128)
    np.testing.assert_array_equal(again[numbers], bits[numbers])


BINARY = {
    "Add": np.add, "Subtract": np.subtract, "Multiply": np.multiply, "Divide": np.divide, "Maximum": np.maximum,
    "Minimum": np.minimum, "LogAddExp": np.logaddexp, "ArcTan2": np.arctan2, "Remainder": np.mod, "Power": np.power,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kind"), [(name, "float") for name in BINARY] + [("LogAddExp", "half"), ("Multiply", "bfloat16_t")]
)
def test_binary_of_floats(kernel, rng, name, kind):
    a, x = random(rng, kind, COUNT, 0.5, 4)
    b, y = random(rng, kind, COUNT, 0.5, 4)
    out = empty(COUNT, kind)
    kernel("binary", "binary_vv", kind, kind, name)(a, b, out, COUNT, grid=threads(kind))
    # pow may err by 16 units in the last place, and a remainder is as exact as the difference it is.
    agree(out, BINARY[name](x.astype(np.float64), y.astype(np.float64)), kind, 16, absolute=4e-7)


@pytest.mark.parametrize("kind", ["uint8_t", "int16_t", "int64_t"])
def test_binary_of_integers(kernel, rng, kind):
    a, x = random(rng, kind, COUNT)
    b, y = random(rng, kind, COUNT)
    b[b == 0] = 3
    y = b
    shifts = np.abs(y) % (8 * y.itemsize)
    for name, wanted in (
        ("Remainder", np.mod(x, y)),
        ("FloorDivide", x // y),
        ("BitwiseXor", x ^ y),
        ("Power", np.power(x, np.abs(y) % 5)),
        ("LeftShift", x << shifts),
    ):
        right = {"Power": np.abs(y) % 5, "LeftShift": shifts}.get(name, y).astype(y.dtype)
        out = empty(COUNT, kind)
        kernel("binary", "binary_vv", kind, kind, name)(a, right, out, COUNT, grid=threads(kind))
        agree(out, wanted, kind)


def test_binary_of_complex(kernel, rng):
    a, x = random(rng, "complex64_t", COUNT)
    b, y = random(rng, "complex64_t", COUNT)
    for name, wanted in (("Multiply", x * y), ("Divide", x / y), ("Power", x.astype(np.complex128) ** y)):
        out = empty(COUNT, "complex64_t")
        kernel("binary", "binary_vv", "complex64_t", "complex64_t", name)(a, b, out, COUNT, grid=COUNT)
        np.testing.assert_allclose(decode(out, "complex64_t"), wanted, rtol=2e-5, atol=2e-6)


def test_comparisons(kernel, rng):
    a, x = random(rng, "half", COUNT)
    b = np.where(rng.integers(0, 2, COUNT) == 1, a, a[::-1]).astype(np.float16)
    x[5] = b[5] = np.nan
    for name, wanted in (("Less", x < b), ("GreaterEqual", x >= b), ("NotEqual", x != b)):
        out = empty(COUNT, "bool")
        kernel("binary", "binary_vv", "half", "bool", name)(a, b, out, COUNT, grid=threads("half"))
        agree(out, wanted, "bool")
    out = empty(COUNT, "bool")
    kernel("binary", "binary_vv", "half", "bool", "NaNEqual")(a, b, out, COUNT, grid=threads("half"))
    agree(out, (x == b) | (np.isnan(x) & np.isnan(b)), "bool")


@pytest.mark.parametrize("form", ["ss", "sv", "vs", "sv2", "vs2", "vv2"])
def test_binary_with_scalars(kernel, rng, form):
    a, x = random(rng, "int32_t", COUNT)
    b, y = random(rng, "int32_t", COUNT)
    out = empty(COUNT, "int32_t")
    run = kernel("binary", f"binary_{form}", "int32_t", "int32_t", "Add")
    if form == "ss":
        run(a, b, out, grid=COUNT)
    elif form.endswith("2"):
        run(a, b, out, COUNT, grid=(17, 6))
    else:
        run(a, b, out, COUNT, grid=threads("int32_t"))
    agree(out, (x[0] if form[0] == "s" else x) + (y[0] if form[1] == "s" else y), "int32_t")


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_binary_of_strided_arrays(kernel, rng, rank):
    shape = (3, 4, 5, 6)[-rank:]
    a, x = random(rng, "float", shape[::-1])
    b, y = random(rng, "float", shape)
    x = x.transpose()
    strides = [np.array([s // 4 for s in v.strides], np.int64) for v in (x, y)]
    out = empty(shape, "float")
    if rank == 1:
        run = kernel("binary", "binary_g_nd1", "float", "float", "Add", "int")
        run(a, b, out, int(strides[0][0]), int(strides[1][0]), grid=shape)
    elif rank < 4:
        run = kernel("binary", f"binary_g_nd{rank}", "float", "float", "Add", "int64_t")
        run(a, b, out, *strides, grid=shape[::-1])
    else:
        run = kernel("binary", "binary_g", "float", "float", "Add", 2, "int")
        run(a, b, out, np.array(shape, np.int32), *strides, rank, grid=(3, 5, 12))
    agree(out, x + y, "float")


@pytest.mark.parametrize("kind", ["float", "int8_t", "bfloat16_t"])
def test_quotient_and_remainder_at_once(kernel, rng, kind):
    a, x = random(rng, kind, COUNT, -9, 9)
    b, y = random(rng, kind, COUNT, 1, 4)
    if kind == "int8_t":
        b[b == 0] = 5
        y = b
    quotient, rest = empty(COUNT, kind), empty(COUNT, kind)
    kernel("binary_two", "binary_vv", kind, kind, "DivMod")(a, b, quotient, rest, COUNT, grid=threads(kind))
    if kind == "int8_t":
        agree(quotient, x // y, kind)
        agree(rest, x % y, kind)
    else:
        agree(quotient, np.floor(x.astype(np.float64) / y), kind)
        agree(rest, np.mod(x.astype(np.float64), y), kind, 2, absolute=1e-6)


@pytest.mark.parametrize("kind", ["float", "bool", "complex64_t", "bfloat16_t", "uint16_t"])
def test_select(kernel, rng, kind):
    condition = rng.integers(0, 2, COUNT).astype(np.bool_)
    b, x = random(rng, kind, COUNT)
    c, y = random(rng, kind, COUNT)
    for second, third in ((False, False), (True, False)):
        out = empty(COUNT, kind)
        run = kernel("ternary", "ternary_v", kind, "Select", second, third)
        run(condition, b, c, out, COUNT, grid=threads(kind))
        agree(out, np.where(condition, x[0] if second else x, y), kind, 0)


def test_select_of_strided_arrays(kernel, rng):
    condition = rng.integers(0, 2, (6, 5)).astype(np.bool_)
    b, x = random(rng, "half", (4, 5, 6))
    c, y = random(rng, "half", (4, 1, 1))
    strides = [np.array(s, np.int64) for s in ([0, 1, 5], [30, 6, 1], [1, 0, 0])]
    wanted = np.where(condition.T, x, y)
    for function, arguments in (("ternary_g_nd3", ()), ("ternary_g", (3,))):
        out = empty((4, 5, 6), "half")
        if arguments:
            run = kernel("ternary", function, "half", "Select", 2, "int")
            run(condition, b, c, out, np.array([4, 5, 6], np.int32), *strides, 3, grid=(3, 5, 4))
        else:
            run = kernel("ternary", function, "half", "Select", "int64_t")
            run(condition, b, c, out, *strides, grid=(6, 5, 4))
        agree(out, wanted, "half", 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("float", "half"), ("float", "bfloat16_t"), ("half", "bfloat16_t"), ("bfloat16_t", "half"), ("float", "bool"),
        ("bfloat16_t", "bool"), ("int32_t", "float"), ("float", "uint8_t"), ("int64_t", "complex64_t"),
        ("complex64_t", "float"), ("complex64_t", "bool"), ("bool", "bfloat16_t"), ("uint16_t", "int64_t"),
    ],
)  # fmt: skip
def test_copies_convert(kernel, rng, source, target):
    memory, values = random(rng, source, COUNT, 0, 200)
    out = empty(COUNT, target)
    kernel("copy", "copy_v", source, target)(memory, out, COUNT, grid=threads(target))
    if target == "bool":
        wanted = values != 0
    elif target == "complex64_t" or np.iscomplexobj(values):
        wanted = values.real if target != "complex64_t" else values.astype(np.complex64)
    else:
        wanted = decode(encode(values, target), target)
    agree(out, wanted, target, 0)


def test_copies_of_strided_arrays(kernel, rng):
    memory, values = random(rng, "float", (4, 5, 6))
    shape, source = np.array([6, 4, 5], np.int32), np.array([1, 30, 6], np.int64)
    target = np.array([40, 10, 2], np.int64)
    wanted = values.transpose(2, 0, 1)
    out = empty((6, 4, 5), "float")
    kernel("copy", "copy_g", "float", "float", 2, "int")(
        src=memory, dst=out, src_shape=shape, src_strides=source, ndim=3, grid=(3, 4, 6)
    )
    agree(out, wanted, "float", 0)
    kernel("copy", "copy_g_nd3", "float", "float", "int")(src=memory, dst=out, src_strides=source, grid=(5, 4, 6))
    agree(out, wanted, "float", 0)
    spread = np.zeros(7 + 240, np.float32)
    kernel("copy", "copy_gg_dynamic", "float", "float", 2, "int")(
        src=memory, dst=spread, src_shape=shape, src_strides=source, dst_strides=target, ndim=3, src_offset=0,
        dst_offset=7, grid=(3, 4, 6),
    )  # fmt: skip
    agree(spread[7:].reshape(6, 4, 5, 2)[..., 0], wanted, "float", 0)
    assert not spread[8::2].any()


@pytest.mark.parametrize("kind", ["float", "half", "bfloat16_t", "int16_t", "uint64_t"])
def test_arange(kernel, kind):
    out = empty(100, kind)
    start, step = (encode(np.array([value]), kind) for value in (5, 2))
    kernel("arange", "arange", kind)(start, step, out, grid=100)
    agree(out, 5 + 2 * np.arange(100), kind, 0.5)
