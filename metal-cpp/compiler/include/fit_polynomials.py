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
        errors = [w * (sum(c * x**p for c, p in zip(coefficients, powers)) - t) for x, t, w in values]
        groups = []  # extrema of alternating sign
        for (x, _, _), e in zip(values, errors):
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
    return coefficients, max(abs(e) for e in errors)


def fit(name, target, weight, powers, low, high):
    """Fit, round and print one polynomial: `target` ~ sum of coefficient * x**power."""
    low, high = mp.mpf(low), mp.mpf(high)
    fixed = []
    for k in range(len(powers)):
        known = list(zip(fixed, powers))
        rest, error = exchange(lambda x: target(x) - sum(c * x**p for c, p in known), weight, powers[k:], low, high)
        fixed.append(mp.mpf(float(np.float32(float(rest[0])))))
    grid = [low + (high - low) * mp.mpf(i) / 1999 + mp.mpf(10) ** -9 for i in range(2000)]
    worst = max(abs(weight(x) * (sum(c * x**p for c, p in zip(fixed, powers)) - target(x))) for x in grid)
    print(f"{name}: error {mp.nstr(mp.log(worst, 2), 4)} bits;", ", ".join(float(c).hex() + "f" for c in fixed))


def tail(f, known, power):
    """Return (f - known) / x**power, by which the remaining coefficients are found."""
    return lambda x: (f(x) - known(x)) / x**power


def relative(f, power):
    """Return the weight under which an error of the tail is a relative one of f."""
    return lambda x: x**power / f(x)


def odd(name, f, n, high):
    """f ~ x + x**3 * P(x**2), printed as P."""
    g = lambda u: (f(mp.sqrt(u)) / mp.sqrt(u) - 1) / u
    fit(name, g, lambda u: u * mp.sqrt(u) / f(mp.sqrt(u)), list(range(n)), mp.mpf(10) ** -12, mp.mpf(high) ** 2)


if __name__ == "__main__":
    half_ln2 = mp.log(2) / 2 * mp.mpf("1.0001")
    quarter_pi = mp.pi / 4 * mp.mpf("1.0001")
    fit(
        "exp: 1 + r + r^2 P(r)",
        tail(mp.exp, lambda x: 1 + x, 2),
        relative(mp.exp, 2),
        list(range(5)),
        -half_ln2,
        half_ln2,
    )
    exp2 = lambda x: mp.mpf(2) ** x
    fit("exp2: 1 + r P(r)", tail(exp2, lambda x: 1, 1), relative(exp2, 1), list(range(6)), -0.5001, 0.5001)
    log1p = lambda x: mp.log(1 + x)
    fit(
        "log1p: r - r^2/2 + r^3 P(r)",
        tail(log1p, lambda x: x - x * x / 2, 3),
        relative(log1p, 3),
        list(range(9)),
        mp.sqrt("0.5") - 1,
        mp.sqrt(2) - 1,
    )
    atanh_log = lambda u: (mp.atanh(mp.sqrt(u)) / mp.sqrt(u) - 1) / u
    fit("log by atanh: s + s^3 P(s^2)", atanh_log, lambda u: u, list(range(4)), "1e-9", mp.mpf("0.1716") ** 2)
    odd("sin: r + r^3 P(r^2)", mp.sin, 3, quarter_pi)
    cos_tail = lambda u: (mp.cos(mp.sqrt(u)) - 1 + u / 2) / u**2
    fit(
        "cos: 1 - r^2/2 + r^4 P(r^2)",
        cos_tail,
        lambda u: u**2 / mp.cos(mp.sqrt(u)),
        list(range(3)),
        "1e-9",
        quarter_pi**2,
    )
    odd("tan: r + r^3 P(r^2)", mp.tan, 7, quarter_pi)
    sinpi = lambda u: mp.sin(mp.pi * mp.sqrt(u)) / mp.sqrt(u)
    fit(
        "sinpi: r (pi_high + P(r^2)), pi_high = float(pi)",
        lambda u: sinpi(u) - mp.mpf(float(np.float32(np.pi))),
        lambda u: 1 / sinpi(u),
        list(range(5)),
        "1e-9",
        mp.mpf("0.2501") ** 2,
    )
    odd("asin: x + x^3 P(x^2)", mp.asin, 5, 0.5)
    odd("atan: x + x^3 P(x^2)", mp.atan, 9, 1)
    odd("sinh: x + x^3 P(x^2)", mp.sinh, 4, 1)
    odd("tanh: x + x^3 P(x^2)", mp.tanh, 5, 0.625)
