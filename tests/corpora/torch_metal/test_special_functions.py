# SPDX-License-Identifier: MIT
"""Special functions against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

RNG = np.random.default_rng(213)


def even(low, high, count=400):
    """Numbers spread evenly."""
    return RNG.uniform(low, high, count)


def whole(low, high, count=400):
    """Whole numbers."""
    return RNG.integers(low, high, count, endpoint=True).astype(float)


# expression: reference, arguments, tolerances relative and absolute
UNARY = {
    "erf(a)": (special.erf, even(-4, 4), 1e-5, 1e-6),
    "erfc(a)": (special.erfc, even(-3, 3), 1e-4, 2e-6),
    "erfcx(a)": (special.erfcx, even(-3, 20), 1e-4, 0),
    "erfinv(a)": (special.erfinv, even(-0.999, 0.999), 2e-4, 1e-6),
    "i0(a)": (special.i0, even(-10, 20), 1e-5, 0),
    "i0e(a)": (special.i0e, even(-30, 30), 1e-5, 0),
    "i1(a)": (special.i1, even(-10, 20), 1e-5, 1e-6),
    "i1e(a)": (special.i1e, even(-30, 30), 1e-5, 1e-6),
    "c10::metal::gamma(a)": (special.gamma, even(0.01, 20), 1e-4, 0),
    "log_gamma(a)": (special.gammaln, even(-8, 60), 1e-4, 1e-4),
    "digamma(a)": (special.psi, even(0.05, 50), 1e-4, 1e-5),
    "trigamma(a)": (lambda x: special.polygamma(1, x), even(0.05, 50), 1e-4, 0),
    "sinc(a)": (np.sinc, even(-5, 5), 1e-4, 2e-6),
    "spherical_bessel_j0(a)": (lambda x: special.spherical_jn(0, x), even(-20, 20), 1e-4, 2e-6),
    "entr(a)": (special.entr, even(-1, 5), 1e-5, 1e-6),
    "bessel_j0_forward(a)": (special.j0, even(-20, 20), 1e-4, 1e-5),
    "bessel_j1_forward(a)": (special.j1, even(-20, 20), 1e-4, 1e-5),
    "bessel_y0_forward(a)": (special.y0, even(0.05, 20), 1e-4, 1e-5),
    "bessel_y1_forward(a)": (special.y1, even(0.05, 20), 1e-4, 1e-5),
    "modified_bessel_i0_forward(a)": (special.i0, even(-10, 20), 1e-5, 0),
    "modified_bessel_i1_forward(a)": (special.i1, even(-10, 20), 1e-5, 1e-6),
    "modified_bessel_k0_forward(a)": (special.k0, even(0.05, 20), 1e-4, 0),
    "modified_bessel_k1_forward(a)": (special.k1, even(0.05, 20), 1e-4, 0),
    "scaled_modified_bessel_k0_forward(a)": (special.k0e, even(0.05, 40), 1e-4, 0),
    "scaled_modified_bessel_k1_forward(a)": (special.k1e, even(0.05, 40), 1e-4, 0),
    "expm1f(a)": (np.expm1, even(-5, 20), 1e-4, 1e-9),
    "c10::metal::log1p(a)": (np.log1p, even(-0.9, 9), 1e-6, 1e-9),
}


def theta(x):
    """The angle whose cosine is x."""
    return np.arccos(x)


BINARY = {
    "zeta(a, b)": (special.zeta, even(1.5, 8), even(0.5, 9), 1e-4),
    "polygamma(int64_t(b), a)": (lambda x, n: special.polygamma(n.astype(int), x), even(0.5, 9), whole(0, 4), 2e-4),
    "xlogy(a, b)": (special.xlogy, even(0, 9), even(0.1, 9), 1e-5),
    "xlog1py(a, b)": (special.xlog1py, even(0, 9), even(-0.9, 9), 1e-5),
    "logaddexp(a, b)": (np.logaddexp, even(-20, 20), even(-20, 20), 1e-5),
    "logaddexp2(a, b)": (np.logaddexp2, even(-20, 20), even(-20, 20), 1e-5),
    "igamma(a, b)": (special.gammainc, even(0.1, 30), even(0.1, 30), 1e-3),
    "igammac(a, b)": (special.gammaincc, even(0.1, 30), even(0.1, 30), 1e-3),
    "hypot(a, b)": (np.hypot, even(0.1, 30), even(0.1, 30), 1e-6),
    "c10::metal::pow(a, b)": (np.power, even(0.1, 9), even(-4, 4), 1e-5),
    "remainder(a, b)": (np.remainder, even(-30, 30), even(1, 9), 1e-4),
    "c10::metal::fmod(a, b)": (np.fmod, even(-30, 30), even(1, 9), 1e-4),
    "floor_divide(a, b)": (np.floor_divide, even(-30, 30), even(1, 9), 0),
    "hermite_polynomial_h_forward(a, int64_t(b))": (
        lambda x, n: special.eval_hermite(n.astype(int), x), even(-2, 2), whole(0, 8), 1e-3,
    ),
    "hermite_polynomial_he_forward(a, int64_t(b))": (
        lambda x, n: special.eval_hermitenorm(n.astype(int), x), even(-2, 2), whole(0, 8), 1e-3,
    ),
}  # fmt: skip
CHEBYSHEV = {
    "t": lambda n, x: special.eval_chebyt(n, x),
    "u": lambda n, x: special.eval_chebyu(n, x),
    "v": lambda n, x: np.cos((n + 0.5) * theta(x)) / np.cos(theta(x) / 2),
    "w": lambda n, x: np.sin((n + 0.5) * theta(x)) / np.sin(theta(x) / 2),
}


@pytest.mark.parametrize("call", UNARY)
def test_function(over, call):
    reference, x, relative, absolute = UNARY[call]
    want = reference(x.astype(np.float32).astype(float))
    np.testing.assert_allclose(over(call, x), want, rtol=relative, atol=absolute)


@pytest.mark.parametrize("call", BINARY)
def test_function_of_two(over, call):
    reference, x, y, relative = BINARY[call]
    want = reference(x.astype(np.float32).astype(float), y.astype(np.float32).astype(float))
    np.testing.assert_allclose(over(call, x, y), want, rtol=relative, atol=relative * 0.1)


@pytest.mark.parametrize("letter", CHEBYSHEV)
def test_chebyshev_polynomials(over, letter):
    x, n = even(-0.99, 0.99), whole(0, 20)
    exact = x.astype(np.float32).astype(float)
    call = f"chebyshev_polynomial_{letter}_forward(a, int64_t(b))"
    np.testing.assert_allclose(over(call, x, n), CHEBYSHEV[letter](n, exact), rtol=1e-3, atol=1e-3)
    want = CHEBYSHEV[letter](n, 2 * np.abs(exact) - 1)
    np.testing.assert_allclose(over(f"shifted_{call}", np.abs(x), n), want, rtol=1e-2, atol=2e-2)


@pytest.mark.parametrize("kind", ["half", "bfloat"])
def test_functions_of_narrow_types(over, kind):
    """Each computes in float and rounds once, so the error is that of the type; arguments are exact in both."""
    for call in UNARY:
        reference, x, _, _ = UNARY[call]
        if call in ("expm1f(a)", "c10::metal::log1p(a)"):
            continue
        x = np.round(x * 8) / 8
        x = x[(np.abs(x) < 10) & (np.abs(x) > 0.2) & (reference(x) < 1e4) if "erfinv" not in call else np.abs(x) < 0.9]
        with np.errstate(all="ignore"):
            want = reference(x)
        # It puts a float into its argument, which a bfloat does not take by itself.
        taken = "trigamma(float(a))" if (kind, call) == ("bfloat", "trigamma(a)") else call
        got = over(taken, x, kind=kind)
        known = np.isfinite(want)
        np.testing.assert_allclose(got[known], want[known], rtol=3e-2, atol=2e-2, err_msg=call)


def test_complex_numbers(over):
    x, y = even(-2, 2), even(-2, 2)
    z, w = x + 1j * y, y - 0.5j * x

    def of(expression):
        pairs = over(expression.format(z="float2(a, b)", w="float2(b, -0.5f * a)"), x, y, result="float2")
        return pairs[:, 0] + 1j * pairs[:, 1]

    np.testing.assert_allclose(of("c10::metal::mul({z}, {w})"), z * w, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(of("c10::metal::div({z}, {w})"), z / w, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(of("c10::metal::pow({z}, {w})"), z**w, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(of("c10::metal::log1p({z})"), np.log(1 + z), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(of("conj({z})"), np.conj(z), rtol=1e-6)
    np.testing.assert_allclose(of("sinc({z})"), np.sin(np.pi * z) / (np.pi * z), rtol=1e-3, atol=1e-3)


def test_integers(over):
    a, b = whole(-50, 50), whole(1, 9)
    for call, want in (
        ("floor_divide(int(a), int(b))", np.floor_divide(a, b)),
        ("remainder(int(a), int(b))", np.remainder(a, b)),
        ("c10::metal::fmod(int(a), int(b))", np.fmod(a, b)),
        ("c10::metal::pow(int(b), int(b) / 2)", b ** (b // 2)),
        ("c10::metal::max(int(a), int(b))", np.maximum(a, b)),
    ):
        np.testing.assert_array_equal(over(call, a, b, result="int"), want, call)
