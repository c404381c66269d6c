# SPDX-License-Identifier: MIT
"""Inputs that a fragment function interpolates itself."""

from __future__ import annotations

import numpy as np
import pytest
from stage_functions import ASKS_COVERAGE, compile_with, info_of, reflect, run_fragment

STDLIB = "#include <metal_stdlib>\nusing namespace metal;\n"
COUNT = 64
SAMPLES = np.array([[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]])

SOURCE = (
    STDLIB
    + """
struct In {
    float4 position [[position]];
    interpolant<float2, interpolation::perspective> uv;
    interpolant<half3, interpolation::no_perspective> tint [[user(tint)]];
    interpolant<float, interpolation::no_perspective> depth;
};
struct Out { float4 a [[color(0)]]; float4 b [[color(1)]]; float4 c [[color(2)]]; float4 d [[color(3)]]; };
fragment Out pull(In in [[stage_in]], constant float2& where [[buffer(0)]]) {
    uint sample = get_num_samples() - 1;
    return {
        float4(in.uv.interpolate_at_center(), in.uv.interpolate_at_offset(where)),
        float4(in.uv.interpolate_at_sample(sample), in.uv.interpolate_at_centroid()),
        float4(float3(in.tint.interpolate_at_offset(where)), in.depth.interpolate_at_centroid()),
        float4(float3(in.tint.interpolate_at_center()), in.depth.interpolate_at_sample(0)),
    };
}
"""
)


def planes(random, components, low):
    """A value at the pixels' centres and its differences along x and y."""
    value = random.uniform(low, low + 1, (COUNT, components))
    return value, random.uniform(-0.1, 0.1, (COUNT, components)), random.uniform(-0.1, 0.1, (COUNT, components))


def at(plane, place):
    value, dx, dy = plane
    place = np.broadcast_to(place, (COUNT, 2)) - 0.5
    return value + dx * place[:, :1] + dy * place[:, 1:]


def centroids(coverage):
    covered = [[i for i in range(4) if bits >> i & 1] for bits in coverage]
    return np.array([SAMPLES[bits[0]] if 0 < len(bits) < 4 else (0.5, 0.5) for bits in covered])


@pytest.fixture(scope="module")
def pulled():
    """What the function gives, and what it was given."""
    random = np.random.default_rng(12)
    uv, w, tint, depth = (planes(random, n, low) for n, low in ((2, -0.5), (1, 1), (3, 0), (1, 0)))
    coverage = random.integers(0, 16, COUNT).astype(np.uint32)
    where = np.array([0.0625, 0.8125], np.float32)
    inputs = {
        "uv": np.hstack([*uv, *w]), "tint": np.hstack(tint), "depth": np.hstack(depth),
    }  # fmt: skip
    out = run_fragment(
        SOURCE, "pull", inputs, count=COUNT, buffers={0: where}, coverage=coverage, sample_positions=SAMPLES
    )
    return out, {"uv": uv, "w": w, "tint": tint, "depth": depth}, coverage, where


def test_with_perspective(pulled):
    out, given, coverage, where = pulled

    def uv(place):
        return at(given["uv"], place) / at(given["w"], place)

    expected = np.hstack([uv((0.5, 0.5)), uv(where), uv(SAMPLES[3]), uv(centroids(coverage))])
    np.testing.assert_allclose(np.hstack([out["color(0)"], out["color(1)"]]), expected, rtol=1e-5, atol=1e-6)


def test_without_perspective(pulled):
    out, given, coverage, where = pulled
    tint, depth = given["tint"], given["depth"]
    np.testing.assert_allclose(out["color(2)"][:, :3], at(tint, where), atol=1e-3)  # halves
    np.testing.assert_allclose(out["color(3)"][:, :3], at(tint, (0.5, 0.5)), atol=1e-3)
    np.testing.assert_allclose(out["color(2)"][:, 3:], at(depth, centroids(coverage)), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(out["color(3)"][:, 3:], at(depth, SAMPLES[0]), rtol=1e-5, atol=1e-6)


def test_reflection_and_coverage():
    values = {value.name: value for value in reflect(SOURCE)["pull"].inputs}
    assert (values["uv"].count, values["tint"].count, values["depth"].count) == (9, 9, 3)
    assert "links uv, center_perspective, interpolant," in values["uv"].facts
    assert "links user(tint), center_no_perspective, interpolant," in values["tint"].facts
    assert info_of(SOURCE, "pull").fragment_uses & ASKS_COVERAGE


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "struct In { interpolant<int, interpolation::perspective> a; };"
            "fragment float4 f(In in [[stage_in]]) { return in.a.interpolate_at_center(); }",
            "an interpolant's type is 'float', 'half' or a vector of them",
        ),
        (
            "struct In { interpolant<float, interpolation::perspective> a [[flat]]; };"
            "fragment float4 f(In in [[stage_in]]) { return in.a.interpolate_at_center(); }",
            "an interpolant has no interpolation attribute: its type says 'perspective' or 'no_perspective'",
        ),
        (
            "struct Out { float4 p [[position]]; interpolant<float, interpolation::perspective> a; };"
            "vertex Out f() { return Out(); }",
            "an interpolant must be an input of a fragment function",
        ),
    ],
)
def test_where_interpolants_are_not(source, message):
    done = compile_with(STDLIB + source)
    assert done.returncode != 0
    assert message in done.stderr
