# SPDX-License-Identifier: MIT
"""The fast variants: within the Metal specification's table for fast math, and chosen by the math mode."""

from __future__ import annotations

import numpy as np
import pytest

L = np.longdouble
if np.finfo(L).nmant < 63:
    pytest.skip("the reference needs a long double of 64 bits", allow_module_level=True)

COUNT = 20000
RNG = np.random.default_rng(8)
UNIT = L(2) ** -23


def even(low, high):
    """Numbers spread evenly."""
    return RNG.uniform(low, high, COUNT).astype(np.float32)


def scales(low, high):
    """Positive numbers spread over powers of two."""
    return np.exp2(RNG.uniform(low, high, COUNT)).astype(np.float32)


def ulp(want):
    """One unit of the last place of each number."""
    return np.spacing(np.maximum(np.abs(want.astype(np.float32)), np.finfo(np.float32).tiny)).astype(L)


def units(count):
    """A bound of some units of the last place."""
    return lambda want, *x: count * ulp(want)


def absolute(power):
    """A bound of 2^power."""
    return lambda want, *x: np.full(len(want), L(2) ** power)


def of_exp(want, x):
    """3 + floor(|2 x|) units."""
    return (3 + np.floor(np.abs(2 * x.astype(L)))) * ulp(want)


def of_exp10(want, x):
    """exp2(x * log2(10)): its own error and what the product's rounding makes."""
    t = np.abs(x.astype(L)) * np.log2(L(10))
    return (4 + np.floor(2 * t) + t) * ulp(want)


def of_log(inside, units_outside):
    """An absolute error from 1/2 to 2, units elsewhere."""
    return lambda want, x: np.where((x >= 0.5) & (x <= 2), L(2) ** inside, units_outside * ulp(want))


def of_power(want, x, y):
    """exp2(y * log2(x))."""
    t = np.abs(y.astype(L) * np.log2(np.abs(x.astype(L))))
    return (6 + 5 * t) * ulp(want)


def of_tan(want, x):
    """sin(x) * (1 / cos(x))."""
    return L(2) ** -13 * (1 + np.abs(want)) ** 2


def of_hyperbolic(want, x):
    """Halves of e^x and e^-x."""
    return (4 + np.floor(np.abs(2 * x.astype(L)))) * ulp(np.cosh(x.astype(L)))


PI = L(np.pi)
BOUNDS = {
    "acos(a)": (np.arccos, units(5), even(-1, 1)),
    "asin(a)": (np.arcsin, units(5), even(-1, 1)),
    "atan(a)": (np.arctan, units(5), even(-9, 9)),
    "cos(a)": (np.cos, absolute(-13), even(-np.pi, np.pi)),
    "sin(a)": (np.sin, absolute(-13), even(-np.pi, np.pi)),
    "cospi(a)": (lambda x: np.cos(PI * x), absolute(-13), even(-1, 1)),
    "sinpi(a)": (lambda x: np.sin(PI * x), absolute(-13), even(-1, 1)),
    "tan(a)": (np.tan, of_tan, even(-1.5, 1.5)),
    "cosh(a)": (np.cosh, of_hyperbolic, even(-80, 80)),
    "sinh(a)": (np.sinh, of_hyperbolic, even(-80, 80)),
    "tanh(a)": (np.tanh, absolute(-20), even(-40, 40)),
    "exp(a)": (np.exp, of_exp, even(-87, 88)),
    "exp2(a)": (np.exp2, of_exp, even(-126, 127.9)),
    "exp10(a)": (lambda x: np.power(L(10), x), of_exp10, even(-37, 38)),
    "log(a)": (np.log, of_log(-21, 3), np.concatenate([scales(-126, 127), even(0.4, 2.5)])),
    "log2(a)": (np.log2, of_log(-22, 2), np.concatenate([scales(-126, 127), even(0.4, 2.5)])),
    "log10(a)": (np.log10, of_log(-22, 4), np.concatenate([scales(-126, 127), even(0.4, 2.5)])),
    "rsqrt(a)": (lambda x: 1 / np.sqrt(x), units(2), scales(-126, 127)),
    "sqrt(a)": (np.sqrt, units(3), scales(-126, 127)),
    "asinh(a)": (np.arcsinh, absolute(-17), even(0, 100)),
    "acosh(a)": (np.arccosh, absolute(-17), even(1.01, 100)),
    "atanh(a)": (np.arctanh, absolute(-20), even(-0.9, 0.9)),
}
BOUNDS2 = {
    "divide(a, b)": (np.divide, units(2.5), even(-9, 9), scales(-60, 60)),
    "atan2(a, b)": (np.arctan2, units(6), even(-9, 9), even(-9, 9)),
    "pow(a, b)": (np.power, of_power, scales(-20, 20), even(-5, 5)),
    "powr(a, b)": (np.power, of_power, scales(-20, 20), even(-5, 5)),
    "fmod(a, b)": (np.fmod, absolute(-140), even(-1e6, 1e6), even(1, 9)),
}


@pytest.mark.parametrize("call", BOUNDS)
def test_error_of_fast_function_stays_within_bound(evaluate, call):
    reference, bound, x = BOUNDS[call]
    want = reference(x.astype(L))
    excess = np.abs(evaluate("float", f"fast::{call}", ("float", x)) - want) - bound(want, x)
    assert np.max(excess) <= 0, f"at {x[np.argmax(excess)]!r}"


@pytest.mark.parametrize("call", BOUNDS2)
def test_error_of_fast_function_of_two_stays_within_bound(evaluate, call):
    reference, bound, x, y = BOUNDS2[call]
    want = reference(x.astype(L), y.astype(L))
    excess = np.abs(evaluate("float", f"fast::{call}", ("float", x), ("float", y)) - want) - bound(want, x, y)
    assert np.max(excess) <= 0, f"at {x[np.argmax(excess)]!r}, {y[np.argmax(excess)]!r}"


def test_fast_sine_and_cosine_hold_far_out_and_stay_bounded_everywhere(evaluate):
    x = even(-1e6, 1e6)
    for name, reference in (("sin", np.sin), ("cos", np.cos)):
        np.testing.assert_allclose(
            evaluate("float", f"fast::{name}(a)", ("float", x)), reference(x.astype(L)), atol=1e-6
        )
        got = evaluate("float", f"fast::{name}(a)", ("float", np.concatenate([scales(20, 127), -scales(20, 127)])))
        assert np.all(np.abs(got) <= 1)
        assert np.isnan(evaluate("float", f"fast::{name}(a)", ("float", np.array([np.inf, np.nan], np.float32)))).all()
    both = evaluate("float2", "float c; r.x = fast::sincos(a, c); r.y = c;", ("float", x)).reshape(-1, 2)
    np.testing.assert_allclose(both, np.stack([np.sin(x.astype(L)), np.cos(x.astype(L))], 1), atol=1e-6)


def test_fast_powers_of_negative_numbers_and_corners(evaluate):
    x = np.array([-2, -2, -0.5, 0, 0, np.inf, 2, -3, 5], np.float32)
    y = np.array([3, 2, -1, 2, -1, 2, np.inf, 0.5, 0], np.float32)
    got = evaluate("float", "fast::pow(a, b)", ("float", x), ("float", y))
    np.testing.assert_allclose(got, [-8, 4, -2, 0, np.inf, np.inf, np.inf, np.nan, 1], rtol=1e-6)


def test_fast_functions_have_limits_and_keep_nan(evaluate):
    x = np.array([np.inf, -np.inf, np.nan, 0, 200, -200], np.float32)
    for name, want in (
        ("exp", [np.inf, 0, np.nan, 1, np.inf, 0]),
        ("exp2", [np.inf, 0, np.nan, 1, np.inf, 0]),
        ("log", [np.inf, np.nan, np.nan, -np.inf, np.log(200), np.nan]),
        ("log2", [np.inf, np.nan, np.nan, -np.inf, np.log2(200), np.nan]),
        ("tanh", [1, -1, np.nan, 0, 1, -1]),
        ("rsqrt", [0, np.nan, np.nan, np.inf, 200**-0.5, np.nan]),
    ):
        np.testing.assert_allclose(evaluate("float", f"fast::{name}(a)", ("float", x)), want, rtol=1e-6, err_msg=name)


def test_math_mode_chooses_the_variant(compiles):
    x = scales(25, 100)
    exact = np.sin(x.astype(L)).astype(np.float32)
    for mode, is_exact in (("safe", True), ("relaxed", False), ("fast", False)):
        library = compiles(
            "kernel void run(device float* x, device float* p, device float* f, uint i [[thread_position_in_grid]]) "
            "{ float v = x[i]; x[i] = sin(v); p[i] = precise::sin(v); f[i] = fast::sin(v); }",
            mode,
        )
        plain, precise, fast = x.copy(), np.zeros_like(x), np.zeros_like(x)
        library["run"](plain, precise, fast, grid=len(x))
        np.testing.assert_allclose(precise, exact, atol=3e-7)
        np.testing.assert_array_equal(plain, precise if is_exact else fast)


def test_precise_minimum_and_clamp_prefer_numbers_to_nan(evaluate):
    a = np.array([np.nan, 1, np.nan, -5], np.float32)
    b = np.array([2, np.nan, np.nan, 7], np.float32)
    for name, want in (("max", np.fmax(a, b)), ("min", np.fmin(a, b)), ("fmax", np.fmax(a, b))):
        np.testing.assert_array_equal(evaluate("float", f"precise::{name}(a, b)", ("float", a), ("float", b)), want)
    got = evaluate("float", "precise::clamp(a, -1.0f, 1.0f)", ("float", a))
    np.testing.assert_array_equal(got, [-1, 1, -1, -1])
    np.testing.assert_array_equal(evaluate("float", "precise::saturate(a)", ("float", a)), [0, 1, 0, 0])
    numbers = even(-2, 2), even(-2, 2)
    for name, reference in (("max", np.maximum), ("min", np.minimum)):
        got = evaluate("float", f"fast::{name}(a, b)", ("float", numbers[0]), ("float", numbers[1]))
        np.testing.assert_array_equal(got, reference(*numbers))
    np.testing.assert_array_equal(
        evaluate("float", "fast::clamp(a, -1.0f, 1.0f)", ("float", numbers[0])), np.clip(numbers[0], -1, 1)
    )


def test_multiply_add_of_halves_rounds_once(evaluate):
    """Where the product lies between two halves, what is added decides, however little that is."""
    a = np.arange(1025, 2048, 2).astype(np.float16)
    for little in (2.0**-14, -(2.0**-14)):
        got = evaluate("half", f"fma(a, 3.0h, half({little}))", ("half", a))
        np.testing.assert_array_equal(got, (3 * a.astype(np.float64) + little).astype(np.float16))


def test_variants_are_of_float(compiles):
    types = {
        "fast::exp(half())": "float",
        "precise::sin(half())": "float",
        "fast::max(1.0f, 2)": "float",
        "precise::max3(1.0f, 2.0f, 3.0f)": "float",
        "precise::exp(float3())": "float3",
        "fast::pow(float2(), 2.0f)": "float2",
        "fast::clamp(float4(), 0.0f, 1.0f)": "float4",
        "fast::normalize(float3())": "float3",
        "fast::length(packed_float3())": "float",
    }
    compiles("\n".join(f"static_assert(is_same_v<decltype({call}), {kind}>);" for call, kind in types.items()))
