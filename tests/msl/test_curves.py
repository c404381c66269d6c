# SPDX-License-Identifier: MIT
"""<metal_curves>: points and derivatives, against the polynomials that the curves' bases give."""

from __future__ import annotations

import numpy as np
import pytest

# Rows: what each control point is multiplied with, as polynomials of t from the constant up.
BASES = {
    ("bezier", 3): [[1, -2, 1], [0, 2, -2], [0, 0, 1]],
    ("bezier", 4): [[1, -3, 3, -1], [0, 3, -6, 3], [0, 0, 3, -3], [0, 0, 0, 1]],
    ("bspline", 3): np.array([[1, -2, 1], [1, 2, -2], [0, 0, 1]]) / 2,
    ("bspline", 4): np.array([[1, -3, 3, -1], [4, 0, -6, 3], [1, 3, 3, -3], [0, 0, 0, 1]]) / 6,
    ("hermite", 4): [[1, 0, -3, 2], [0, 0, 3, -2], [0, 1, -2, 1], [0, 0, -1, 1]],
    ("catmull_rom", 4): np.array([[0, -1, 2, -1], [2, 0, -5, 3], [0, 1, 4, -3], [0, 0, -1, 1]]) / 2,
}
ORDERS = {"": 0, "_derivative": 1, "_second_derivative": 2}


@pytest.mark.parametrize(("scalar", "size"), [("float", 1), ("float", 3), ("half", 1), ("half", 4)])
@pytest.mark.parametrize(("curve", "count"), BASES)
def test_curves(compiles, rng, curve, count, scalar, size):
    dtype = np.float32 if scalar == "float" else np.float16
    point = scalar if size == 1 else f"packed_{scalar}{size}"
    value = scalar if size == 1 else f"{scalar}{size}"
    parts = ", ".join(f"{value}(p[i * {count} + {k}])" for k in range(count))
    lines = "\n".join(f"out[i * 3 + {order}] = {curve}{name}(t[i], {parts});" for name, order in ORDERS.items())
    kernel = compiles(f"""
        #include <metal_curves>
        kernel void k(device const {scalar}* t, device const {point}* p, device {point}* out,
                      uint i [[thread_position_in_grid]]) {{ {lines} }}
    """)["k"]
    t = np.linspace(0, 1, 33).astype(dtype)
    points = rng.normal(size=(len(t), count, size)).astype(dtype)
    out = np.zeros((len(t), 3, size), dtype)
    kernel(t, points.ravel(), out.reshape(-1), grid=len(t))
    for order in range(3):
        weights = [
            np.polynomial.Polynomial(row).deriv(order)(t.astype(float))
            if order
            else np.polynomial.Polynomial(row)(t.astype(float))
            for row in BASES[curve, count]
        ]
        want = np.einsum("kt,tkc->tc", np.array(weights), points.astype(float))
        np.testing.assert_allclose(out[:, order], want, atol=2e-5 if scalar == "float" else 0.15)
