# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (functions are kept dense)
"""What vertex and fragment functions get and give, one invocation after the other."""

from __future__ import annotations

import numpy as np
import pytest
import stage_functions as stages
from stage_functions import compile_with, info_of, quads, reflect, run_fragment, run_vertex

STDLIB = "#include <metal_stdlib>\nusing namespace metal;\n"

PASS_ON = (
    STDLIB
    + """
struct In { float3 place [[attribute(0)]]; ushort2 uv [[attribute(3)]]; };
struct Out {
    float4 position [[position]];
    float2 uv;
    half3 tint [[user(tint), centroid_no_perspective]];
    bool odd;
    short3 steps [[flat]];
    float size [[point_size]];
    float clip [[clip_distance]] [2];
    ushort layer [[render_target_array_index]];
};
vertex Out project(In in [[stage_in]], constant float4x4& matrix [[buffer(0)]], ushort v [[vertex_id]],
                   uint i [[instance_id]], ushort first [[base_vertex]]) {
    Out out;
    out.position = matrix * float4(in.place, 1);
    out.uv = float2(in.uv);
    out.tint = half3(v, i, first);
    out.odd = v % 2;
    out.steps = short3(-1, v, -v);
    out.size = 1.5f;
    out.clip[0] = in.place.x;
    out.clip[1] = -in.place.y;
    out.layer = ushort(i);
    return out;
}
"""
)


def test_vertex_function_gives_every_member() -> None:
    count = 77
    generator = np.random.default_rng(1)
    place = generator.normal(size=(count, 3)).astype(np.float32)
    matrix = generator.normal(size=(4, 4)).astype(np.float32)  # rows here are Metal's columns
    uv = generator.integers(0, 65536, (count, 2))
    inputs = {"place": place, "attribute(3)": uv, "vertex_id": np.arange(count), "i": np.full(count, 5), "first": 9}
    out = run_vertex(PASS_ON, "project", inputs, count=count, buffers={0: matrix})
    expected = np.hstack([place, np.ones((count, 1), np.float32)]) @ matrix
    np.testing.assert_allclose(out["position"], expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(out["uv"], uv)
    np.testing.assert_array_equal(
        out["user(tint)"], np.stack([np.arange(count), np.full(count, 5), np.full(count, 9)], 1)
    )
    np.testing.assert_array_equal(out["odd"], np.arange(count) % 2)
    np.testing.assert_array_equal(out["steps"], np.stack([np.full(count, -1), np.arange(count), -np.arange(count)], 1))
    np.testing.assert_array_equal(out["point_size"], np.full(count, 1.5))
    np.testing.assert_array_equal(out["clip"], place[:, :2] * np.float32([1, -1]))
    np.testing.assert_array_equal(out["render_target_array_index"], np.full(count, 5))


def test_more_invocations_than_a_threadgroup_has_threads() -> None:
    source = STDLIB + "vertex float4 f(uint v [[vertex_id]]) { return float4(v, v / 2, 0, 1); }\n"
    out = run_vertex(source, "f", {"vertex_id": np.arange(5000)})
    np.testing.assert_array_equal(out["position"][:, 0], np.arange(5000))


def test_vertex_function_may_return_nothing() -> None:
    source = "vertex void f(device int* a [[buffer(0)]], unsigned v [[vertex_id]]) { a[v] = v * 3; }\n"
    results = np.zeros(9, np.int32)
    run_vertex(source, "f", {"v": np.arange(9)}, buffers={0: results})
    np.testing.assert_array_equal(results, np.arange(9) * 3)


def test_base_classes_and_nested_structs_are_flattened() -> None:
    source = (
        STDLIB
        + """
struct Base { float4 position [[position]]; };
struct Inner { float a; int b; };
struct Out : Base { Inner inner; float c; };
vertex Out f(uint v [[vertex_id]]) { Out o; o.position = 1; o.inner.a = v; o.inner.b = -int(v); o.c = 2; return o; }
"""
    )
    out = run_vertex(source, "f", {"v": np.arange(6)})
    np.testing.assert_array_equal(out["a"], np.arange(6))
    np.testing.assert_array_equal(out["b"], -np.arange(6))


def test_members_of_a_template_and_of_an_instantiation() -> None:
    source = (
        STDLIB
        + """
template <typename T> struct Out { float4 position [[position]]; T value [[user(v)]]; };
template <typename T, int N> vertex Out<T> f(uint v [[vertex_id]]) { return {float4(0), T(v * N)}; }
template [[host_name("three")]] vertex Out<float> f<float, 3>(uint);
template [[host_name("four")]] vertex Out<int> f<int, 4>(uint);
"""
    )
    np.testing.assert_array_equal(run_vertex(source, "three", {"v": np.arange(5)})["user(v)"], np.arange(5) * 3)
    np.testing.assert_array_equal(run_vertex(source, "four", {"v": np.arange(5)})["user(v)"], np.arange(5) * 4)


FRAGMENT_INPUTS = {
    "position": ("float4 in [[position]]", "in", 4),
    "front_facing": ("bool in [[front_facing]]", "float4(in ? 1 : 0)", 1),
    "point_coord": ("float2 in [[point_coord]]", "float4(in, 0, 0)", 2),
    "primitive_id": ("uint in [[primitive_id]]", "float4(in)", 1),
    "sample_id": ("uint in [[sample_id]]", "float4(in)", 1),
    "sample_mask": ("uint in [[sample_mask]]", "float4(in)", 1),
    "sample_mask, post_depth_coverage": ("uint in [[sample_mask, post_depth_coverage]]", "float4(in)", 1),
    "barycentric_coord": ("float3 in [[barycentric_coord]]", "float4(in, 0)", 3),
    "render_target_array_index": ("ushort in [[render_target_array_index]]", "float4(in)", 1),
    "viewport_array_index": ("uint in [[viewport_array_index]]", "float4(in)", 1),
    "amplification_id": ("ushort in [[amplification_id]]", "float4(in)", 1),
    "color(2)": ("half4 in [[color(2)]]", "float4(in)", 4),
}


@pytest.mark.parametrize("attribute", FRAGMENT_INPUTS)
def test_fragment_inputs(attribute: str) -> None:
    parameter, expression, components = FRAGMENT_INPUTS[attribute]
    data = np.arange(64 * components).reshape(64, components) % 2
    early = "[[early_fragment_tests]] " if "post_depth" in attribute else ""
    source = STDLIB + f"{early}fragment float4 f({parameter}) {{ return {expression}; }}\n"
    out = run_fragment(source, "f", {"in": data})["color(0)"]
    np.testing.assert_array_equal(out[:, :components], data)


def test_attributes_of_a_struct_that_both_stages_take_link_by_name() -> None:
    source = STDLIB + (
        "struct In { float2 place [[attribute(0)]]; float3 color [[attribute(1)]]; };\n"
        "fragment float4 shade(In in [[stage_in]]) { return float4(in.color, in.place.y); }\n"
    )
    color = np.arange(12, dtype=np.float32).reshape(4, 3)
    out = run_fragment(source, "shade", {"color": color, "place": color[:, :2]})["color(0)"]
    np.testing.assert_array_equal(out, np.column_stack([color, color[:, 1]]))
    assert {value.facts.split(", links ")[1].split(",")[0] for value in reflect(source)["shade"].inputs} == {
        "place",
        "color",
    }


def test_fragment_outputs() -> None:
    source = (
        STDLIB
        + """
struct Out {
    half2 a [[color(1)]]; uint4 b [[color(0)]]; float c [[color(2), index(1)]];
    float depth [[depth(less)]]; uint mask [[sample_mask]]; uint s [[stencil]];
};
fragment Out f(float4 p [[position]]) { return {half2(p.xy), uint4(p), p.z, p.w, uint(p.x), 7}; }
"""
    )
    p = np.arange(4 * 36).reshape(36, 4).astype(np.float32)
    out = run_fragment(source, "f", {"p": p}, coverage=np.full(36, 6))
    np.testing.assert_array_equal(out["color(1)"], p[:, :2])
    np.testing.assert_array_equal(out["color(0)"], p)
    np.testing.assert_array_equal(out["color(2)"], p[:, 2])
    np.testing.assert_array_equal(out["depth"], p[:, 3])
    np.testing.assert_array_equal(out["stencil"], np.full(36, 7))
    np.testing.assert_array_equal(out["coverage"], p[:, 0].astype(np.uint32) & 6)


def test_derivatives_are_differences_in_the_quad() -> None:
    source = (
        STDLIB
        + """
struct Out { float4 a [[color(0)]]; half2 b [[color(1)]]; };
fragment Out f(float2 p [[user(p)]]) {
    float2 q = p * p;
    return {float4(dfdx(q), dfdy(q)), half2(fwidth(half(p.x)), half(fwidth(q).y))};
}
"""
    )
    p = quads(8, 8).astype(np.float32)
    out = run_fragment(source, "f", {"user(p)": p})
    corner = p // 2 * 2
    zero = np.zeros(64)
    np.testing.assert_array_equal(
        out["color(0)"], np.stack([2 * corner[:, 0] + 1, zero, zero, 2 * corner[:, 1] + 1], 1)
    )
    np.testing.assert_array_equal(out["color(1)"], np.stack([zero + 1, 2 * corner[:, 1] + 1], 1))
    assert info_of(source, "f").fragment_uses & stages.USES_QUADS


def test_sample_positions() -> None:
    source = (
        STDLIB
        + """
fragment float4 f(uint s [[sample_id]]) { return float4(get_sample_position(s), get_num_samples(), s); }
"""
    )
    positions = np.float32([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)])
    samples = np.arange(64) % 4
    out = run_fragment(source, "f", {"s": samples}, sample_positions=positions)["color(0)"]
    np.testing.assert_array_equal(out, np.column_stack([positions[samples], np.full(64, 4), samples]))


DISCARD = (
    STDLIB
    + """
fragment float4 f(float2 p [[user(p)]], device int* hits [[buffer(0)]], device atomic_int* count [[buffer(1)]],
                  uint n [[primitive_id]]) {
    hits[n] = 1;
    if (p.x < 3) discard_fragment();
    hits[n] += 1;
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return dfdx(p.x * p.x);
}
"""
)


def test_discarded_fragments_and_helpers_write_no_memory() -> None:
    p = quads(8, 2).astype(np.float32)
    hits, count = np.zeros(16, np.int32), np.zeros(1, np.int32)
    coverage = (p[:, 1] == 0).astype(np.uint32)
    inputs = {"user(p)": p, "primitive_id": np.arange(16)}
    out = run_fragment(DISCARD, "f", inputs, buffers={0: hits, 1: count}, coverage=coverage)
    lives = (p[:, 0] >= 3) & (coverage == 1)
    np.testing.assert_array_equal(hits, coverage + lives)
    assert count[0] == lives.sum()
    np.testing.assert_array_equal(out["coverage"], lives)
    # They go on all the same, for their neighbours' derivatives.
    np.testing.assert_array_equal(out["color(0)"][:, 0], 2 * (p[:, 0] // 2 * 2) + 1)
    uses = info_of(DISCARD, "f").fragment_uses
    assert uses == stages.DISCARDS | stages.WRITES_MEMORY | stages.USES_QUADS | stages.ASKS_COVERAGE


def test_a_plain_fragment_function_asks_nothing_of_its_pipeline() -> None:
    source = STDLIB + "fragment half4 f(float4 p [[position]]) { return half4(p); }\n"
    info = info_of(source, "f")
    assert (info.stage, info.fragment_uses) == (stages.FRAGMENT, 0)


def test_function_constants_choose_members_of_the_stage_input() -> None:
    source = (
        STDLIB
        + """
constant bool hasTint [[function_constant(0)]];
constant bool noTint = !hasTint;
struct In { float4 position [[position]]; float4 tint [[user(tint), function_constant(hasTint)]]; };
fragment float4 f(In in [[stage_in]], constant float4& other [[buffer(0), function_constant(noTint)]]) {
    if (hasTint) return in.tint;
    return other;
}
"""
    )
    tint = np.arange(16).reshape(4, 4)
    out = run_fragment(source, "f", {"user(tint)": tint}, options=("--constant", "0=1"))
    np.testing.assert_array_equal(out["color(0)"], tint)
    other = np.float32([1, 2, 3, 4])
    out = run_fragment(source, "f", {"user(tint)": tint}, buffers={0: other}, options=("--constant", "0=0"))
    np.testing.assert_array_equal(out["color(0)"], np.tile(other, (4, 1)))


def test_patches() -> None:
    source = (
        STDLIB
        + """
struct Point { float3 place [[attribute(0)]]; float weight [[attribute(1)]]; };
struct In { patch_control_point<Point> points; float4 whole [[attribute(2)]]; };
[[patch(quad, 4)]] vertex float4 f(In in [[stage_in]], float2 at [[position_in_patch]], uint patch [[patch_id]]) {
    float3 low = mix(in.points[0].place, in.points[1].place, at.x);
    float3 high = mix(in.points[2].place, in.points[3].place, at.x);
    return float4(mix(low, high, at.y) + in.whole.x + patch, in.points[3].weight + in.points.size());
}
"""
    )
    points = np.random.default_rng(2).random((8, 12)).astype(np.float32)
    weights = np.arange(32).reshape(8, 4)
    at = np.random.default_rng(3).random((8, 2)).astype(np.float32)
    inputs = {
        "attribute(0)": points,
        "attribute(1)": weights,
        "whole": np.full((8, 4), 2),
        "at": at,
        "patch": np.arange(8),
    }
    out = run_vertex(source, "f", inputs)["position"]
    corners = points.reshape(8, 4, 3)
    low = corners[:, 0] + (corners[:, 1] - corners[:, 0]) * at[:, :1]
    high = corners[:, 2] + (corners[:, 3] - corners[:, 2]) * at[:, :1]
    expected = low + (high - low) * at[:, 1:] + 2 + np.arange(8)[:, None]
    np.testing.assert_allclose(out[:, :3], expected, rtol=1e-5)
    np.testing.assert_array_equal(out[:, 3], weights[:, 3] + 4)
    assert "patch" not in reflect(source)["f"].slots


def test_reflection_of_stage_values() -> None:
    project = reflect(PASS_ON)["project"]
    assert [(value.attribute, value.name, value.type, value.count) for value in project.inputs] == [
        ("attribute(0)", "place", "float3", 3),
        ("attribute(3)", "uv", "ushort2", 2),
        ("vertex_id", "v", "ushort", 1),
        ("instance_id", "i", "uint", 1),
        ("base_vertex", "first", "ushort", 1),
    ]
    facts = {value.name: value.facts for value in project.outputs}
    assert facts["uv"] == ", links uv, center_perspective,"
    assert facts["tint"] == ", links user(tint), centroid_no_perspective,"
    assert facts["odd"] == ", links odd, flat,"


ACCEPTED = {
    "a colour without a number": "struct O { float4 a; float d [[depth(any)]]; }; fragment O f() { return {1, 2}; }",
    "a base of fewer bits": "vertex float4 f(uint v [[vertex_id]], ushort b [[base_vertex]]) { return v - b; }",
    "both sources of blending": (
        "struct O { half4 a [[color(0), index(0)]]; half4 b [[color(0), index(1)]]; }; fragment O f() { return {1, 2}; }"
    ),
    "a colour that is read and written": (
        "struct O { half4 a [[color(0)]]; }; fragment O f(half4 before [[color(0)]]) { return {before * 2}; }"
    ),
    "a triangle's place in its patch": (
        "[[patch(triangle, 3)]] vertex float4 f(float3 at [[position_in_patch]]) { return at.xyzz; }"
    ),
    "one barycentric coordinate": "fragment float f(float b [[barycentric_coord, center_no_perspective]]) { return b; }",
    "places of two types": (
        "fragment float4 f(ushort i [[thread_index_in_simdgroup]], uint n [[threads_per_simdgroup]]) { return i + n; }"
    ),
    "tests before the fragment": "[[early_fragment_tests]] fragment half4 f() { return 1; }",
    "raster order groups": "fragment half4 f(device int* a [[buffer(0), raster_order_group(1)]]) { a[0]++; return 1; }",
    "an invariant position": (
        "struct O { float4 p [[position, invariant]]; }; vertex O f(uint v [[vertex_id]]) { return {float4(v)}; }"
    ),
    "every interpolation": (
        "struct I { float4 p [[position]]; float a [[center_perspective]]; float b [[center_no_perspective]];"
        " float c [[centroid_perspective]]; float d [[centroid_no_perspective]]; float e [[sample_perspective]];"
        " float g [[sample_no_perspective]]; float h [[flat]]; };"
        " fragment float f(I i [[stage_in]]) { return i.a + i.b + i.c + i.d + i.e + i.g + i.h; }"
    ),
    "a struct that both stages share": (
        "struct S { float4 p [[position]]; float size [[point_size]]; float2 uv; };"
        " vertex S v(uint i [[vertex_id]]) { return {float4(i), 1, 0}; } fragment float4 f(S s [[stage_in]]) { return s.p; }"
    ),
    "a color attribute before the function": "[[color(1)]] fragment float4 f() { return 1; }",
    "no result": "fragment void f(device int* a) { a[0] = 1; }",
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    done = compile_with(STDLIB + ACCEPTED[name], "--show", "reflection")
    assert (done.returncode, done.stderr) == (0, "")


REFUSED = {
    "threadgroup memory of a vertex function": (
        "vertex float4 f(threadgroup float* a [[threadgroup(0)]]) { return a[0]; }",
        "invalid address space qualification for buffer 'threadgroup float *': a vertex function has no threadgroup"
        " memory; expected 'device' or 'constant'",
    ),
    "tests before what is no fragment": (
        "[[early_fragment_tests]] kernel void f(device float* a) { a[0] = 1; }",
        "'early_fragment_tests' attribute only applies to fragment functions",
    ),
    "a vertex function without a position": (
        "struct O { float a; }; vertex O f() { return {1}; }",
        "vertex function must return the vertex position: a 'float4', or a struct with a 'float4' member that has the"
        " 'position' attribute; or nothing",
    ),
    "a vertex input without an attribute": (
        "struct I { float a; }; vertex float4 f(I i [[stage_in]]) { return i.a; }",
        "member 'a' of a vertex function's input needs the 'attribute(n)' attribute",
    ),
    "a struct of a fragment function without attributes": (
        "struct I { float a; }; fragment float4 f(I i) { return i.a; }",
        "member 'a' of a fragment function's input needs an attribute, or the parameter 'stage_in'",
    ),
    "a fragment output without an attribute": (
        "struct O { bool a; }; fragment O f() { return {true}; }",
        "member 'a' of a fragment function's output needs an attribute, such as 'color(0)'",
    ),
    "an input of another stage": (
        "fragment float4 f(uint v [[vertex_id]]) { return v; }",
        "'vertex_id' attribute cannot be used for an input of a fragment function",
    ),
    "an output of another stage": (
        "struct O { float4 p [[position]]; float d [[depth(any)]]; }; vertex O f() { return {1, 1}; }",
        "'depth' attribute cannot be used for an output of a vertex function",
    ),
    "a position of another type": (
        "struct O { float3 p [[position]]; }; vertex O f() { return {1}; }",
        "invalid type 'float3' for attribute 'position': expected 'float4'",
    ),
    "more clip distances than there are planes": (
        "struct O { float4 p [[position]]; float d[9] [[clip_distance]]; }; vertex O f() { return {}; }",
        "invalid type 'float[9]' for attribute 'clip_distance': expected 'float' or an array of up to 8 of it",
    ),
    "a depth of another word": (
        "struct O { float d [[depth(near)]]; }; fragment O f() { return {1}; }",
        "'depth' attribute takes 'any', 'less' or 'greater', got 'near'",
    ),
    "two colors of one index": (
        "struct O { float4 a [[color(0)]]; float4 b [[color(0)]]; }; fragment O f() { return {1, 1}; }",
        "'b' and 'a' have the same attribute",
    ),
    "a color that no device has": (
        "struct O { float4 a [[color(8)]]; }; fragment O f() { return {1}; }",
        "'color' attribute parameter is out of bounds: must be between 0 and 7",
    ),
    "a pointer between stages": (
        "struct O { float4 p [[position]]; device int* a; }; vertex O f(device int* a) { return {1, a}; }",
        "type 'device int *' cannot be an output of a vertex function",
    ),
    "a stage input that is no struct": (
        "vertex float4 f(float4 i [[stage_in]]) { return i; }",
        "'stage_in' parameter must be a struct, got 'float4'",
    ),
    "colours of which one has no number": (
        "struct O { float4 a [[color(1)]]; uint2 b; }; fragment O f() { return {1, 2}; }",
        "'b' needs the 'color(n)' attribute: a function with several colours says for each which attachment it is for",
    ),
    "a colour of another type than the one read": (
        "struct O { half4 a [[color(0)]]; }; fragment O f(float4 before [[color(0)]]) { return {half4(before)}; }",
        "'a' and 'before' are for one colour attachment, 0, and must have the same type, got 'half4' and 'float4'",
    ),
    "two sources of blending of different types": (
        "struct O { half4 a [[color(0), index(0)]]; float4 b [[color(0), index(1)]]; }; fragment O f() { return {1, 2}; }",
        "'b' and 'a' are for one colour attachment, 0, and must have the same type, got 'float4' and 'half4'",
    ),
    "a depth behind early tests": (
        "struct O { float d [[depth(any)]]; }; [[early_fragment_tests]] fragment O f() { return {1}; }",
        "a function with 'early_fragment_tests' attribute cannot return a depth",
    ),
    "a stencil value behind early tests": (
        "struct O { uint s [[stencil]]; }; [[early_fragment_tests]] fragment O f() { return {1}; }",
        "a function with 'early_fragment_tests' attribute cannot return a stencil value",
    ),
    "a base of more bits": (
        "vertex float4 f(ushort i [[instance_id]], uint b [[base_instance]]) { return i - b; }",
        "invalid type 'uint' for 'b': it must be 'ushort', since 'i' is 'ushort'",
    ),
    "a matrix between stages": (
        "struct O { float4 p [[position]]; float3x3 m; }; vertex O f() { return {1, float3x3(1)}; }",
        "type 'float3x3' cannot be an output of a vertex function; use vectors and scalars, and put them together there",
    ),
    "an array between stages": (
        "struct I { float4 p [[position]]; float a[2]; }; fragment float f(I i [[stage_in]]) { return i.a[1]; }",
        "type 'float[2]' cannot be an input of a fragment function; use vectors and scalars, and put them together there",
    ),
    "a packed vector from a vertex buffer": (
        "struct I { packed_float3 p [[attribute(0)]]; }; vertex float4 f(I i [[stage_in]]) { return i.p[0]; }",
        "type 'packed_float3' cannot be an input of a vertex function; use vectors and scalars, and put them together"
        " there",
    ),
    "several vertex ids": (
        "vertex float4 f(uint2 i [[vertex_id]]) { return float4(i.xyxy); }",
        "invalid type 'uint2' for attribute 'vertex_id': expected 'uint' or 'ushort'",
    ),
    "a short sample": (
        "fragment float f(ushort i [[sample_id]]) { return i; }",
        "invalid type 'ushort' for attribute 'sample_id': expected 'uint'",
    ),
    "a bit-field": (
        "struct I { uint a [[attribute(0)]] : 3; }; vertex float4 f(I i [[stage_in]]) { return i.a; }",
        "a bit-field cannot be an input of a vertex function",
    ),
    "a derived struct from the stage before": (
        "struct A { float4 p [[position]]; }; struct B : A {}; fragment float f(B b [[stage_in]]) { return b.p.x; }",
        "'stage_in' parameter cannot be a derived struct, got 'B'",
    ),
    "an interpolated integer": (
        "struct I { int a [[center_perspective]]; }; fragment float f(I i [[stage_in]]) { return i.a; }",
        "integers cannot be interpolated: 'a' must be 'flat'",
    ),
    "a position with perspective": (
        "struct I { float4 p [[position, center_perspective]]; }; fragment float f(I i [[stage_in]]) { return i.p.x; }",
        "'position' can only be interpolated as 'center_no_perspective'",
    ),
    "barycentric coordinates of a sample": (
        "fragment float f(float3 b [[barycentric_coord, sample_perspective]]) { return b.x; }",
        "'barycentric_coord' can only be interpolated as 'center_perspective' or 'center_no_perspective'",
    ),
    "a triangle's place in a quad": (
        "[[patch(quad, 4)]] vertex float4 f(float3 at [[position_in_patch]]) { return at.xyzz; }",
        "invalid type 'float3' for attribute 'position_in_patch': expected 'float2' in a patch of kind 'quad'",
    ),
    "mesh shading": (
        "[[mesh]] void f() {}",
        "'mesh' attribute: mesh shading is not supported",
    ),
    "ray tracing": (
        "[[intersection(triangle, triangle_data)]] bool f() { return true; }",
        "'intersection' attribute: ray tracing is not supported",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    source, message = REFUSED[name]
    done = compile_with(STDLIB + source, "--show", "reflection")
    assert done.returncode == 1
    assert f": error: {message}\n" in done.stderr


def test_a_single_color_needs_no_number() -> None:
    source = STDLIB + (
        "struct O { float d [[depth(any)]]; float4 a; };\n"
        "fragment O f(float4 p [[position]]) { return {p.z, p * 2}; }\n"
    )
    place = np.arange(16, dtype=np.float32).reshape(4, 4)
    outputs = run_fragment(source, "f", {"position": place})
    np.testing.assert_array_equal(outputs["color(0)"], place * 2)
    np.testing.assert_array_equal(outputs["depth"], place[:, 2])
