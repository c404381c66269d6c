# SPDX-License-Identifier: MIT
"""Errors of the mathematical functions, in units of the last place, against the Metal specification's table."""

from __future__ import annotations

import numpy as np
import pytest

L = np.longdouble
if np.finfo(L).nmant < 63:
    pytest.skip("the reference needs a long double of 64 bits", allow_module_level=True)

COUNT = 20000
PI = L(314159265358979323846) / L(100000000000000000000) + L("2.6433832795028842e-21")
SPECIAL = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 2, 3, 1e30, -1e30, 3.4e38, -3.4e38, 1.2e-38])


def even(low, high):
    """Numbers spread evenly."""
    return lambda rng: rng.uniform(low, high, COUNT)


def scales(low, high, signed=True):
    """Numbers spread over powers of two."""
    signs = [-1, 1] if signed else [1]
    return lambda rng: np.exp2(rng.uniform(low, high, COUNT)) * rng.choice(signs, COUNT)


def halves(low, high):
    """Whole numbers and those half-way."""
    return lambda rng: np.round(rng.uniform(low, high, COUNT) * 2) / 2


def special(rng):
    """Zeros, infinities, NaN and other corners."""
    return rng.choice(SPECIAL, COUNT)


def half_turns(function):
    """Return the function of pi * x, exact where it is zero."""

    def of(x):
        y = np.remainder(x, 2)
        result = function(PI * y)
        zero = np.remainder(y, 1) == (0 if function is np.sin else 0.5)
        return np.where(zero, 0, result)

    return of


def tan_of_half_turns(x):
    """tan(pi x)."""
    return half_turns(np.sin)(x) / half_turns(np.cos)(x)


def away_from_zero(x):
    """round()."""
    return np.copysign(np.floor(np.abs(x) + L(0.5)), x)


# name: reference, largest error for float, ranges
UNARY = {
    "acos": (np.arccos, 4, [even(-1, 1), scales(-30, 0), special]),
    "acosh": (np.arccosh, 4, [even(1, 3), scales(0, 127, False), special]),
    "asin": (np.arcsin, 4, [even(-1, 1), scales(-30, 0), special]),
    "asinh": (np.arcsinh, 4, [even(-3, 3), scales(-30, 127), special]),
    "atan": (np.arctan, 5, [even(-3, 3), scales(-30, 127), special]),
    "atanh": (np.arctanh, 5, [even(-1, 1), scales(-30, 0), special]),
    "ceil": (np.ceil, 0, [even(-10, 10), scales(-10, 40), special]),
    "cos": (np.cos, 4, [even(-7, 7), even(-70000, 70000), scales(-30, 127), special]),
    "cosh": (np.cosh, 4, [even(-90, 90), scales(-30, 2), special]),
    "cospi": (half_turns(np.cos), 4, [even(-2, 2), halves(-1000, 1000), scales(-20, 40)]),
    "exp": (np.exp, 4, [even(-87, 89), scales(-30, 5), special]),
    "exp2": (np.exp2, 4, [even(-126, 129), scales(-30, 5), special]),
    "exp10": (lambda x: np.power(L(10), x), 4, [even(-37, 39), scales(-30, 4), special]),
    "fabs": (np.abs, 0, [even(-10, 10), special]),
    "floor": (np.floor, 0, [even(-10, 10), scales(-10, 40), special]),
    "fract": (lambda x: np.minimum(x - np.floor(x), 1 - L(2) ** -24), 0.5, [even(-10, 10), scales(-30, 30)]),
    "log": (np.log, 4, [even(0.5, 2), scales(-126, 127, False), special]),
    "log2": (np.log2, 4, [even(0.5, 2), scales(-126, 127, False), special]),
    "log10": (np.log10, 4, [even(0.5, 2), scales(-126, 127, False), special]),
    "rint": (np.rint, 0, [even(-10, 10), halves(-10, 10), scales(-10, 40), special]),
    "round": (away_from_zero, 0, [even(-10, 10), halves(-10, 10), scales(-10, 40), special]),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.5, [even(0.1, 4), scales(-126, 127, False), special]),
    "sin": (np.sin, 4, [even(-7, 7), even(-70000, 70000), scales(-30, 127), special]),
    "sinh": (np.sinh, 4, [even(-90, 90), even(-1.5, 1.5), scales(-30, 2), special]),
    "sinpi": (half_turns(np.sin), 4, [even(-2, 2), halves(-1000, 1000), scales(-20, 40)]),
    "sqrt": (np.sqrt, 0.5, [even(0, 4), scales(-126, 127, False), special]),
    "tan": (np.tan, 6, [even(-7, 7), even(-70000, 70000), scales(-30, 127), special]),
    "tanh": (np.tanh, 5, [even(-10, 10), scales(-30, 3), special]),
    "tanpi": (tan_of_half_turns, 6, [even(-0.49, 0.49), even(10.51, 11.49)]),
    "trunc": (np.trunc, 0, [even(-10, 10), scales(-10, 40), special]),
}
BINARY = {
    "atan2": (np.arctan2, 6, [(even(-1, 1), even(-1, 1)), (scales(-60, 60), scales(-60, 60)), (special, special)]),
    "copysign": (np.copysign, 0, [(even(-1, 1), even(-1, 1)), (special, special)]),
    "divide": (np.divide, 0.5, [(even(-1, 1), even(-1, 1)), (scales(-50, 50), scales(-50, 50)), (special, special)]),
    "fmax": (np.fmax, 0, [(even(-1, 1), even(-1, 1)), (special, special)]),
    "fmin": (np.fmin, 0, [(even(-1, 1), even(-1, 1)), (special, special)]),
    "fmod": (np.fmod, 0, [(even(-99, 99), even(-3, 3)), (scales(-90, 90), scales(-90, 90)), (special, special)]),
    "pow": (
        np.power,
        16,
        [
            (scales(-126, 127, False), even(-2, 2)),
            (even(0.5, 2), even(-126, 126)),
            (even(0, 10), even(-30, 30)),
            (even(-5, 5), lambda rng: np.round(rng.uniform(-20, 20, COUNT))),
            (special, special),
        ],
    ),
    "powr": (np.power, 16, [(scales(-126, 127, False), even(-2, 2)), (even(0.5, 2), even(-126, 126))]),
}


def errors(got, want, dtype):
    """Return each result's error in units of the last place; subnormal numbers and zero count as equal."""
    smallest = np.finfo(dtype).tiny
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
        unit = np.spacing(np.maximum(np.abs(rounded), smallest)).astype(L)
        error = np.abs(got.astype(L) - want) / unit
        equal = (np.isnan(got) & np.isnan(rounded)) | ((got == rounded) & ~np.isfinite(rounded))
        # On a power of two the unit below is half of the one above.
        equal |= (np.abs(rounded) <= smallest) & (np.abs(got) <= smallest)
    error[equal] = 0
    error[np.isnan(error)] = np.inf
    return error


def check(got, want, dtype, limit, *inputs):
    """Fail with the worst argument."""
    error = errors(got, want, dtype)
    worst = int(np.argmax(error))
    arguments = ", ".join(repr(x[worst]) for x in inputs)
    assert error[worst] <= limit + 0.001, f"{error[worst]} units at {arguments}: {got[worst]!r}, not {want[worst]!r}"


def inputs_of(ranges, dtype, name):
    """Return the numbers of all ranges in the type, subnormal ones as zero."""
    rng = np.random.default_rng(sum(map(ord, name)))
    with np.errstate(all="ignore"):
        x = np.concatenate([r(rng) for r in ranges]).astype(dtype)
    x[np.abs(x) < np.finfo(np.float32).tiny] = 0
    return x


@pytest.fixture(scope="module")
def functions(compiles):
    """One library with a kernel `NAME_TYPE` for each function and type."""
    text = []
    for kind in ("float", "half", "float3", "half4"):
        where = f"device {kind}* r, uint i [[thread_position_in_grid]]"
        variant = "precise::" if kind.startswith("float") else ""
        for name in UNARY:
            call = f"{variant}{name}(x[i])"
            text.append(f"kernel void {name}_{kind}(device const {kind}* x, {where}) {{ r[i] = {call}; }}")
        for name in BINARY:
            call = f"{variant}{name}(x[i], y[i])"
            parameters = f"device const {kind}* x, device const {kind}* y, {where}"
            text.append(f"kernel void {name}_{kind}({parameters}) {{ r[i] = {call}; }}")
    return compiles("\n".join(text))


def run(functions, name, kind, *inputs, lanes=1):
    """Call the kernel over arrays."""
    shape = (-1, lanes) if lanes > 1 else (-1,)
    out = np.zeros_like(inputs[0])
    functions[f"{name}_{kind}"](*(x.reshape(shape) for x in inputs), out.reshape(shape), grid=len(out) // lanes)
    return out


@pytest.mark.parametrize("name", UNARY)
def test_error_of_float_function_stays_within_bound(functions, name):
    reference, limit, ranges = UNARY[name]
    x = inputs_of(ranges, np.float32, name)
    with np.errstate(all="ignore"):
        want = reference(x.astype(L))
    check(run(functions, name, "float", x), want, np.float32, max(limit, 0.5), x)


@pytest.mark.parametrize("name", UNARY)
def test_half_function_is_the_exact_value_rounded(functions, name):
    reference, _, ranges = UNARY[name]
    x = inputs_of(ranges, np.float16, name)
    with np.errstate(all="ignore"):
        want = reference(x.astype(L))
    if name == "fract":
        want = np.minimum(want, 1 - L(2) ** -11)
    check(run(functions, name, "half", x), want, np.float16, 0.51, x)


@pytest.mark.parametrize("name", BINARY)
def test_error_of_float_function_of_two_stays_within_bound(functions, name):
    reference, limit, pairs = BINARY[name]
    x, y = inputs_of([p[0] for p in pairs], np.float32, name), inputs_of([p[1] for p in pairs], np.float32, name + "y")
    with np.errstate(all="ignore"):
        want = reference(x.astype(L), y.astype(L))
    check(run(functions, name, "float", x, y), want, np.float32, max(limit, 0.5), x, y)


@pytest.mark.parametrize("name", BINARY)
def test_half_function_of_two_is_the_exact_value_rounded(functions, name):
    reference, _, pairs = BINARY[name]
    x, y = inputs_of([p[0] for p in pairs], np.float16, name), inputs_of([p[1] for p in pairs], np.float16, name + "y")
    with np.errstate(all="ignore"):
        want = reference(x.astype(L), y.astype(L))
    check(run(functions, name, "half", x, y), want, np.float16, 0.51, x, y)


@pytest.mark.parametrize("name", UNARY)
def test_vector_function_is_the_scalar_one_for_each_component(functions, name):
    x = inputs_of(UNARY[name][2], np.float32, name)[:4096]
    np.testing.assert_array_equal(run(functions, name, "float3", x, lanes=4).reshape(-1, 4)[:, :3],
                                  run(functions, name, "float", x).reshape(-1, 4)[:, :3])  # fmt: skip
    h = x.astype(np.float16)
    np.testing.assert_array_equal(run(functions, name, "half4", h, lanes=4), run(functions, name, "half", h))


@pytest.mark.parametrize(("kind", "dtype"), [("float", np.float32), ("half", np.float16)])
def test_fma_rounds_once(evaluate, kind, dtype):
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(-1, 1, 20000).astype(dtype) for _ in range(2))
    # Addends near halves of the product's last place, where a second rounding would show.
    c = (np.exp2(rng.uniform(-14, 6, 20000)) * rng.choice([-1, 1], 20000)).astype(dtype)
    want = (a.astype(L) * b.astype(L) + c.astype(L)).astype(dtype)
    got = evaluate(kind, "fma(a, b, c)", (kind, a), (kind, b), (kind, c))
    np.testing.assert_array_equal(got, want)


def test_functions_with_two_results(evaluate):
    x = np.array([0.75, -3.5, 100, 0, 1e-3, 12345.678], np.float32)
    np.testing.assert_allclose(evaluate("float2", "float c; r.x = sincos(a, c); r.y = c;", ("float", x)),
                               np.stack([np.sin(x.astype(L)), np.cos(x.astype(L))], 1).ravel(), rtol=3e-7)  # fmt: skip
    fraction, whole = np.modf(x)
    got = evaluate("float2", "float w; r.x = modf(a, w); r.y = w;", ("float", x))
    np.testing.assert_array_equal(got, np.stack([fraction, whole], 1).ravel())
    mantissa, exponent = np.frexp(x)
    got = evaluate("float2", "int e; r.x = frexp(a, e); r.y = e;", ("float", x))
    np.testing.assert_array_equal(got, np.stack([mantissa, exponent], 1).ravel())
    np.testing.assert_array_equal(evaluate("float", "ldexp(a, 5) + ldexp(a, -5)", ("float", x)), x * 32 + x / 32)
    np.testing.assert_array_equal(evaluate("float", "nextafter(a, 1e30f)", ("float", x[:3])),
                                  np.nextafter(x[:3], np.float32(1e30)))  # fmt: skip
