#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the polynomials of `__metal_float_math.h`: minimax in relative error, coefficients rounded to float.

Remez's exchange in 60 digits; coefficients are then rounded one after the other, from the lowest, and the others fitted
again, so that rounding costs little. Needs mpmath.
"""

import mpmath as mp
import numpy as np

mp.mp.dps = 60


def exchange(target, weight, powers, low, high):
    """Return coefficients of the powers that minimise the largest |weight * (polynomial - target)|."""
    n = len(powers) + 1
    nodes = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    grid = [low + (high - low) * mp.mpf(i) / 1200 for i in range(1201)]
    grid = [x for x in grid if abs(x) > mp.mpf(10) ** -12]
    values = [(x, target(x), weight(x)) for x in grid]
    for _ in range(12):
        rows = [[weight(x) * x**p for p in powers] + [(-1) ** i] for i, x in enumerate(nodes)]
        solution = mp.lu_solve(mp.matrix(rows), mp.matrix([weight(x) * target(x) for x in nodes]))
        coefficients = list(solution[: len(powers)])
        errors = [w * (sum(c * x**p for c, p in zip(coefficients, powers, strict=True)) - t) for x, t, w in values]
        groups = []  # extrema of alternating sign
        for (x, _, _), e in zip(values, errors, strict=True):
            if groups and (groups[-1][1] > 0) == (e > 0):
                if abs(e) > abs(groups[-1][1]):
                    groups[-1] = (x, e)
            else:
                groups.append((x, e))
        while len(groups) > n:
            groups.pop(0 if abs(groups[0][1]) < abs(groups[-1][1]) else -1)
        if len(groups) < n:
            break
        nodes = [x for x, _ in groups]
    return coefficients


def fit(name, target, weight, powers, low, high):
    """Fit, round and print one polynomial: `target` ~ sum of coefficient * x**power."""
    low, high = mp.mpf(low), mp.mpf(high)
    fixed = []

    def value(x):
        return sum(c * x**p for c, p in zip(fixed, powers, strict=False))

    for k in range(len(powers)):
        known = list(fixed)
        rest = exchange(lambda x, known=known: target(x) - sum(c * x**i for i, c in enumerate(known)), weight,
                        powers[k:], low, high)  # fmt: skip
        fixed.append(mp.mpf(float(np.float32(float(rest[0])))))
    grid = [low + (high - low) * mp.mpf(i) / 1999 + mp.mpf(10) ** -9 for i in range(2000)]
    worst = max(abs(weight(x) * (value(x) - target(x))) for x in grid)
    print(f"{name}: error {mp.nstr(mp.log(worst, 2), 4)} bits;", ", ".join(float(c).hex() + "f" for c in fixed))


def series(name, function, known, power, count, low, high):
    """Fit function ~ known + x**power * P(x); print P."""
    low, high = mp.mpf(low), mp.mpf(high)
    fit(
        name,
        lambda x: (function(x) - known(x)) / x**power,
        lambda x: x**power / function(x),
        list(range(count)),
        low,
        high,
    )


def odd(name, function, count, high):
    """Fit function ~ x + x**3 * P(x**2); print P."""

    def target(u):
        x = mp.sqrt(u)
        return (function(x) / x - 1) / u

    fit(name, target, lambda u: u * mp.sqrt(u) / function(mp.sqrt(u)), list(range(count)), "1e-12", mp.mpf(high) ** 2)


def main():
    """Print every polynomial."""
    half_ln2 = mp.log(2) / 2 * mp.mpf("1.0001")
    quarter_pi = mp.pi / 4 * mp.mpf("1.0001")
    series("exp: 1 + r + r^2 P(r)", mp.exp, lambda x: 1 + x, 2, 5, -half_ln2, half_ln2)
    series("exp2: 1 + r P(r)", lambda x: mp.mpf(2) ** x, lambda x: 1, 1, 6, -0.5001, 0.5001)
    root = mp.sqrt(2)
    series("log_tail: f - f^2/2 + f^3 P(f)", mp.log1p, lambda x: x - x * x / 2, 3, 9, root / 2 - 1, root - 1)
    odd("pow's atanh: s + s^3 P(s^2)", mp.atanh, 4, "0.1716")
    odd("sin: r + r^3 P(r^2)", mp.sin, 3, quarter_pi)

    def cosine_tail(u):
        return (mp.cos(mp.sqrt(u)) - 1 + u / 2) / u**2

    fit(
        "cos: 1 - r^2/2 + r^4 P(r^2)",
        cosine_tail,
        lambda u: u**2 / mp.cos(mp.sqrt(u)),
        [0, 1, 2],
        "1e-9",
        quarter_pi**2,
    )
    odd("fast sin: r + r^3 P(r^2)", mp.sin, 4, mp.pi / 2 * mp.mpf("1.0001"))
    odd("tan: r + r^3 P(r^2)", mp.tan, 7, quarter_pi)
    odd("asin: x + x^3 P(x^2)", mp.asin, 5, 0.5)
    odd("atan: x + x^3 P(x^2)", mp.atan, 9, 1)
    odd("sinh: x + x^3 P(x^2)", mp.sinh, 4, 1)
    odd("tanh: x + x^3 P(x^2)", mp.tanh, 5, 0.625)


if __name__ == "__main__":
    main()
