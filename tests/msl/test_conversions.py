# SPDX-License-Identifier: MIT
"""Conversions between numbers, the arithmetic that C++ leaves undefined, subnormal numbers, and named constants."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .conftest import element

RNG = np.random.default_rng(33)
INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]


def corners(dtype):
    """Numbers around the limits of every integer type, small ones with fractions, infinities and NaN."""
    edges = [2.0**b for b in (0, 7, 8, 15, 16, 31, 32, 63, 64)]
    values = [s * (e + d) for e in edges for d in (-1, -0.5, 0, 0.5, 1) for s in (1, -1)]
    values += [*RNG.uniform(-300, 300, 500), *np.exp2(RNG.uniform(-20, 70, 500)), np.inf, -np.inf, np.nan, 0.0, -0.0]
    with np.errstate(over="ignore"):
        return np.array(values).astype(dtype)


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("source", ["float", "half"])
def test_integers_of_floats_are_truncated_and_saturate(evaluate, source, kind):
    x = corners(element(source))
    info = np.iinfo(element(kind))
    want = [
        0 if math.isnan(v) else info.max if v >= info.max else info.min if v <= info.min else int(v) for v in x.tolist()
    ]
    np.testing.assert_array_equal(evaluate(kind, f"{kind}(a)", (source, x)), np.array(want, element(kind)))
    got = evaluate(f"{kind}4", f"{kind}4(a)", (f"{source}4", np.resize(x, 1024)))
    np.testing.assert_array_equal(got, np.resize(np.array(want, element(kind)), 1024))


@pytest.mark.parametrize("kind", INTEGERS)
def test_floats_of_integers_round_to_even(evaluate, kind):
    info = np.iinfo(element(kind))
    x = RNG.integers(info.min, info.max, 4000, element(kind), endpoint=True)
    x[:4] = [info.min, info.max, 0, 1]
    # Integers half-way between two floats.
    if info.bits > 24:
        x[4:1000] = (RNG.integers(1 << 24, 1 << 25, 996) * 2 + 1).astype(x.dtype)
    np.testing.assert_array_equal(evaluate("float", "float(a)", (kind, x)), x.astype(np.float32))
    with np.errstate(over="ignore"):
        small = (x % min(5000, info.max)).astype(element(kind))
        np.testing.assert_array_equal(evaluate("half", "half(a)", (kind, small)), small.astype(np.float16))


def test_halves_of_floats_round_to_even_and_keep_subnormal_numbers(evaluate):
    x = np.concatenate(
        [np.exp2(RNG.uniform(-26, 17, 8000)), [65519.9, 65520, 1e-8, 2.0**-25, 2.0**-24, np.inf, np.nan]]
    )
    x = np.concatenate([x, -x, 1 + np.arange(-64, 64) * 2.0**-12]).astype(np.float32)
    with np.errstate(over="ignore"):
        want = x.astype(np.float16)
    np.testing.assert_array_equal(evaluate("half", "half(a)", ("float", x)), want)
    np.testing.assert_array_equal(evaluate("float", "float(a)", ("half", want)), want.astype(np.float32))


@pytest.mark.parametrize("operator", ["+", "-", "*", "/"])
def test_each_operation_on_halves_rounds_to_half(compiles, operator):
    a, b, c = (RNG.uniform(-4, 4, 4096).astype(np.float16) for _ in range(3))
    with np.errstate(all="ignore"):
        want = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[operator] + c
    out = np.zeros_like(a)
    library = compiles(
        "half operation(half x, half y) { return x " + operator + " y; }\n"
        "kernel void run(device const half* a, device const half* b, device const half* c, device half* out, "
        "uint i [[thread_position_in_grid]]) { out[i] = operation(a[i], b[i]) + c[i]; }",
        "safe",
    )
    library["run"](a, b, c, out, grid=len(a))
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize("kind", INTEGERS)
def test_integer_arithmetic_wraps_and_never_traps(evaluate, kind):
    info = np.iinfo(element(kind))
    a = RNG.integers(info.min, info.max, 4096, element(kind), endpoint=True)
    b = RNG.integers(info.min, info.max, 4096, element(kind), endpoint=True)
    a[:4], b[:4] = [info.min, info.min, info.max, 7], [np.array(-1).astype(element(kind)), 1, 0, 0]
    inputs = ((kind, a), (kind, b))
    with np.errstate(all="ignore"):
        for expression, want in (("a + b", a + b), ("a - b", a - b), ("a * b", a * b), ("-a", 0 - a)):
            np.testing.assert_array_equal(evaluate(kind, f"{kind}({expression})", *inputs), want)
        known = (b != 0) & ~((a == info.min) & (b == element(kind)(-1 if info.min else 1)))
        quotient = np.trunc(a.astype(np.longdouble) / np.where(b == 0, 1, b)).astype(a.dtype)
        np.testing.assert_array_equal(evaluate(kind, f"{kind}(a / b)", *inputs)[known], quotient[known])
        np.testing.assert_array_equal(evaluate(kind, f"{kind}(a % b)", *inputs)[known], (a - quotient * b)[known])
        evaluate(f"{kind}4", "a / b + a % b", (f"{kind}4", a), (f"{kind}4", b))


@pytest.mark.parametrize("kind", ["int", "uint", "long", "ulong"])
def test_shift_counts_count_modulo_the_width(evaluate, kind):
    bits = np.iinfo(element(kind)).bits
    a = RNG.integers(np.iinfo(element(kind)).min, np.iinfo(element(kind)).max, 1000, element(kind), endpoint=True)
    b = RNG.integers(0, 4 * bits, 1000).astype(element(kind))
    n = b % bits
    np.testing.assert_array_equal(evaluate(kind, "a << b", (kind, a), (kind, b)), a << n)
    np.testing.assert_array_equal(evaluate(f"{kind}4", "a >> b", (f"{kind}4", a), (f"{kind}4", b)), a >> n)


def test_subnormal_floats_count_as_zero(evaluate):
    tiny = np.float32(2.0**-130)
    x = np.array([tiny, -tiny, 2.0**-126, 1], np.float32)
    got = evaluate("float", "a * 1e10f", ("float", x))
    np.testing.assert_array_equal(got == 0, [True, True, False, False])
    assert evaluate("float", "a * 0.5f", ("float", x[2:3]))[0] == 0


def test_division_by_zero_of_floats(evaluate):
    x = np.array([1, -1, 0, np.inf], np.float32)
    zero = np.zeros(4, np.float32)
    np.testing.assert_array_equal(
        evaluate("float", "a / b", ("float", x), ("float", zero)), [np.inf, -np.inf, np.nan, np.inf]
    )
    got = evaluate("half", "a / b", ("half", x.astype(np.float16)), ("half", zero.astype(np.float16)))
    np.testing.assert_array_equal(got, [np.inf, -np.inf, np.nan, np.inf])


CONSTANTS = {
    "M_E": math.e, "M_LOG2E": 1 / math.log(2), "M_LOG10E": 1 / math.log(10), "M_LN2": math.log(2),
    "M_LN10": math.log(10), "M_PI": math.pi, "M_PI_2": math.pi / 2, "M_PI_4": math.pi / 4, "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi, "M_2_SQRTPI": 2 / math.sqrt(math.pi), "M_SQRT2": math.sqrt(2), "M_SQRT1_2": math.sqrt(0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTANTS)
def test_mathematical_constants(compiles, name):
    value = CONSTANTS[name]
    bfloat = np.array([value], np.float32).view(np.uint32)
    bfloat = ((bfloat + 0x7FFF + ((bfloat >> 16) & 1)) >> 16 << 16).view(np.float32)[0]
    compiles(f"""
        static_assert(is_same_v<decltype({name}_F), float> && {name}_F == {float(np.float32(value)).hex()}f);
        static_assert(is_same_v<decltype({name}_H), half> && float({name}_H) == {float(np.float16(value)).hex()}f);
        static_assert(is_same_v<decltype({name}_BF), bfloat> && float({name}_BF) == {float(bfloat).hex()}f);
    """)


def test_constants_of_limits(compiles):
    compiles("""
        static_assert(CHAR_BIT == 8 && CHAR_MAX == 127 && SCHAR_MIN == -128 && UCHAR_MAX == 255 && USHRT_MAX == 65535);
        static_assert(SHRT_MAX == 32767 && SHRT_MIN == -32768 && INT_MAX == 2147483647 && INT_MIN == -2147483647 - 1);
        static_assert(UINT_MAX == 0xffffffffu && LONG_MAX == 0x7fffffffffffffffl && LONG_MIN == -LONG_MAX - 1);
        static_assert(ULONG_MAX == ~0ul && is_same_v<decltype(UINT_MAX), uint> && is_same_v<decltype(LONG_MAX), long>);
        static_assert(MAXFLOAT == FLT_MAX && HUGE_VALF == INFINITY && is_same_v<decltype(NAN), float> && NAN != NAN);
        static_assert(float(MAXHALF) == 65504.0f && HUGE_VALH == half(INFINITY) && FLT_EPSILON == 0x1p-23f);
        static_assert(float(MAXBFLOAT) == 0x1.fep127f && FLT_MIN == 0x1p-126f && FLT_RADIX == 2 && FLT_DIG == 6);
        static_assert(INT8_MIN == -128 && INT16_MAX == 32767 && UINT32_MAX == ~0u && INT64_MAX == LONG_MAX);
        static_assert(sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8 && is_same_v<uint64_t, ulong>);
        static_assert(is_same_v<int8_t, char> && is_same_v<uint8_t, uchar> && is_same_v<int32_t, int>);
        static_assert(is_signed_v<char> && sizeof(long) == 8 && is_same_v<uint16_t, ushort> && sizeof(uintptr_t) == 8);
    """)


@pytest.mark.parametrize("mode", ["safe", "relaxed"])
def test_a_sum_of_products_in_half_is_rounded_at_each_step(device, mode):
    """As a matrix product accumulates it: multiplied and added at once, in order, and in no wider type.

    Processors that cannot compute with halves multiply and add floats, and round the sum of each step to half.
    """
    n = 48
    kernel = device.library(
        """
        #include <metal_stdlib>
        using namespace metal;
        kernel void multiply(device const half* a, device const half* b, device half* c, constant uint& n,
                             uint2 place [[thread_position_in_grid]]) {
            half sum = 0;
            for (uint k = 0; k < n; ++k) sum = sum + a[place.y * n + k] * b[k * n + place.x];
            c[place.y * n + place.x] = sum;
        }
        """,
        options={"math": mode},
    )["multiply"]
    a, b = RNG.uniform(0, 1, (2, n, n)).astype(np.float16)
    c = np.zeros((n, n), np.float16)
    kernel(a.ravel(), b.ravel(), c.reshape(-1), np.uint32(n), grid=(n, n))
    exact, by_floats = np.zeros((2, n, n), np.float16)
    for k in range(n):
        products = a[:, k : k + 1].astype(float) * b[k : k + 1].astype(float)
        exact = (exact + products).astype(np.float16)
        by_floats = (by_floats + products).astype(np.float32).astype(np.float16)
    assert (c == exact).all() or (c == by_floats).all()
