# SPDX-License-Identifier: MIT
"""Common, relational and geometric functions, textures' options aside."""

from __future__ import annotations

import numpy as np
import pytest

RNG = np.random.default_rng(5)
A, B, C = (RNG.uniform(-2, 2, 4000).astype(np.float32) for _ in range(3))


def smoothstep(low, high, x):
    """smoothstep()."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


@pytest.mark.parametrize(
    ("expression", "reference"),
    [
        ("clamp(a, -1.0f, 1.0f)", lambda a, b, c: np.clip(a, -1, 1)),
        ("saturate(a)", lambda a, b, c: np.clip(a, 0, 1)),
        ("mix(a, b, c)", lambda a, b, c: a + (b - a) * c),
        ("sign(a)", lambda a, b, c: np.sign(a)),
        ("step(a, b)", lambda a, b, c: np.where(b < a, 0, 1)),
        ("smoothstep(-1.0f, 1.0f, a)", lambda a, b, c: smoothstep(-1, 1, a)),
        ("max3(a, b, c)", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
        ("min3(a, b, c)", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
        ("median3(a, b, c)", lambda a, b, c: np.median([a, b, c], axis=0)),
        ("fdim(a, b)", lambda a, b, c: np.maximum(a - b, 0)),
        ("select(a, b, c > 0)", lambda a, b, c: np.where(c > 0, b, a)),
    ],
)
def test_function_of_each_component(evaluate, expression, reference):
    want = reference(A.astype(float), B.astype(float), C.astype(float))
    for kind in ("float", "float4"):
        got = evaluate(kind, expression, (kind, A), (kind, B), (kind, C))
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_geometric_functions(evaluate, n):
    kind = f"float{n}"
    a, b = (
        A.reshape(-1, 2 if n == 2 else 4)[:, :n].astype(float),
        B.reshape(-1, 2 if n == 2 else 4)[:, :n].astype(float),
    )
    dot = (a * b).sum(1)
    length = np.sqrt((a * a).sum(1))
    arguments = ((kind, A), (kind, B))
    np.testing.assert_allclose(evaluate("float", "dot(a, b)", *arguments), dot, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(evaluate("float", "length(a)", *arguments), length, rtol=1e-6)
    np.testing.assert_allclose(
        evaluate("float", "distance(a, b)", *arguments), np.sqrt(((a - b) ** 2).sum(1)), rtol=1e-5
    )
    lanes = 2 if n == 2 else 4
    got = evaluate(kind, "normalize(a)", *arguments).reshape(-1, lanes)[:, :n]
    np.testing.assert_allclose(got, a / length[:, None], rtol=1e-5, atol=1e-7)
    got = evaluate(kind, "reflect(a, normalize(b))", *arguments).reshape(-1, lanes)[:, :n]
    unit = b / np.sqrt((b * b).sum(1))[:, None]
    np.testing.assert_allclose(got, a - 2 * (unit * a).sum(1)[:, None] * unit, rtol=1e-4, atol=1e-5)
    if n == 3:
        got = evaluate(kind, "cross(a, b)", *arguments).reshape(-1, 4)[:, :3]
        np.testing.assert_allclose(got, np.cross(a, b), rtol=1e-5, atol=1e-5)


def test_questions_about_floats(evaluate):
    x = np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 3e38], np.float32)
    for name, reference in (
        ("isnan", np.isnan),
        ("isinf", np.isinf),
        ("isfinite", np.isfinite),
        ("signbit", np.signbit),
    ):
        with np.errstate(all="ignore"):
            known = ~np.isnan(x) if name == "signbit" else slice(None)
            np.testing.assert_array_equal(evaluate("int", f"{name}(a)", ("float", x))[known], reference(x)[known])
            h = x.astype(np.float16)
            np.testing.assert_array_equal(evaluate("int", f"{name}(a)", ("half", h))[known], reference(h)[known])


def test_packing_is_undone_by_unpacking(evaluate):
    v = RNG.uniform(0, 1, 400).astype(np.float32)
    got = evaluate("float4", "unpack_unorm4x8_to_float(pack_float_to_unorm4x8(a))", ("float4", v))
    np.testing.assert_allclose(got, np.rint(v * 255) / 255, rtol=1e-6)
    v = RNG.uniform(-1, 1, 400).astype(np.float32)
    got = evaluate("float2", "unpack_snorm2x16_to_float(pack_float_to_snorm2x16(a))", ("float2", v))
    np.testing.assert_allclose(got, np.rint(v * 32767) / 32767, rtol=1e-6)
