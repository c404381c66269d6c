# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (functions are kept dense)
"""Vertex and fragment functions in the shapes that programs and shader translators write them."""

from __future__ import annotations

import numpy as np
import pytest
from stage_functions import compile_with, quads, reflect, run_fragment, run_vertex

STDLIB = "#include <metal_stdlib>\n#include <simd/simd.h>\nusing namespace metal;\n"

# A header shared with the host, structs on both sides, an enum for the indices.
SHARED = (
    STDLIB
    + """
typedef enum Inputs { InputVertices = 0, InputViewport = 1 } Inputs;
typedef struct { vector_float2 position; vector_float4 color; } Vertex;
struct Varyings { float4 position [[position]]; float4 color; float2 local [[user(local)]]; };
vertex Varyings project(uint id [[vertex_id]], constant Vertex* vertices [[buffer(InputVertices)]],
                        constant vector_uint2* viewport [[buffer(InputViewport)]]) {
    Varyings out;
    out.position = vector_float4(0.0, 0.0, 0.0, 1.0);
    out.position.xy = vertices[id].position.xy / (float2(*viewport) / 2.0);
    out.color = vertices[id].color;
    out.local = out.position.yx;
    return out;
}
fragment float4 shade(Varyings in [[stage_in]]) { return in.color * in.local.xyxy; }
"""
)


def test_a_triangle() -> None:
    vertices = np.zeros(3, np.dtype([("position", "f4", 2), ("gap", "f4", 2), ("color", "f4", 4)]))
    vertices["position"] = [(250, -250), (-250, -250), (0, 250)]
    vertices["color"] = np.eye(4)[:3]
    size = np.uint32([500, 1000])
    out = run_vertex(SHARED, "project", {"id": np.arange(3)}, buffers={0: vertices, 1: size})
    expected = vertices["position"] / (size / 2)
    np.testing.assert_allclose(out["position"], np.hstack([expected, [[0, 1]] * 3]))
    np.testing.assert_allclose(out["user(local)"], expected[:, ::-1])
    inputs = {"color": np.tile(out["color"][:1], (4, 1)), "user(local)": np.tile([[2, 3]], (4, 1))}
    np.testing.assert_array_equal(run_fragment(SHARED, "shade", inputs)["color(0)"], [[2, 0, 0, 0]] * 4)


# As a translator from another language writes it: flat structs, `locn` names, arrays by a template, matrices by columns.
TRANSLATED = """
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wmissing-braces"
#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;

template<typename T, size_t Num>
struct unsafe_array
{
    T elements[Num ? Num : 1];
    thread T& operator [] (size_t pos) thread { return elements[pos]; }
    constexpr const thread T& operator [] (size_t pos) const thread { return elements[pos]; }
    device T& operator [] (size_t pos) device { return elements[pos]; }
    constexpr const constant T& operator [] (size_t pos) const constant { return elements[pos]; }
};

struct Block { float4x4 mvp; unsafe_array<float4, 3> tints; float scale; };
struct main0_out
{
    float3 normal [[user(locn0)]];
    float2 m_24_0 [[user(locn1)]];
    float2 m_24_1 [[user(locn2)]];
    uint which [[user(locn3)]];
    float4 gl_Position [[position, invariant]];
    float gl_PointSize [[point_size]];
};
struct main0_in { float3 place [[attribute(0)]]; float3 normal [[attribute(1)]]; uint which [[attribute(2)]]; };

static inline __attribute__((always_inline))
float2x2 turn(thread const float& angle, constant Block& v_20)
{
    float s = sin(angle) * v_20.scale;
    return float2x2(float2(cos(angle), s), float2(-s, cos(angle)));
}

vertex main0_out main0(main0_in in [[stage_in]], constant Block& v_20 [[buffer(0)]], uint gl_VertexIndex [[vertex_id]], uint gl_BaseVertex [[base_vertex]])
{
    main0_out out = {};
    float2x2 m_24 = {};
    float param = float(int(gl_VertexIndex) - int(gl_BaseVertex));
    m_24 = turn(param, v_20);
    out.gl_Position = v_20.mvp * float4(in.place, 1.0);
    out.normal = in.normal;
    out.which = in.which;
    out.gl_PointSize = 4.0;
    out.m_24_0 = m_24[0];
    out.m_24_1 = m_24[1];
    out.gl_Position.z = (out.gl_Position.z + out.gl_Position.w) * 0.5;
    return out;
}

struct fragment_out { float4 color [[color(0)]]; float gl_FragDepth [[depth(any)]]; };
struct fragment_in
{
    float3 normal [[user(locn0)]];
    float2 m_24_0 [[user(locn1)]];
    float2 m_24_1 [[user(locn2)]];
    uint which [[user(locn3), flat]];
};
fragment fragment_out main1(fragment_in in [[stage_in]], constant Block& v_20 [[buffer(0)]], float4 gl_FragCoord [[position]], bool gl_FrontFacing [[front_facing]], uint gl_SampleMaskIn [[sample_mask]])
{
    fragment_out out = {};
    float2x2 m_24 = {};
    m_24[0] = in.m_24_0;
    m_24[1] = in.m_24_1;
    const float3 light = fast::normalize(gl_FrontFacing ? in.normal : (-in.normal));
    bool discarded = in.which > 2u;
    if (discarded) discard_fragment();
    out.color = v_20.tints[min(in.which, 2u)] * dot(light, float3(0.0, 0.0, 1.0));
    out.color.w = determinant(m_24) + dfdx(gl_FragCoord.x) + fwidth(gl_FragCoord.y);
    out.gl_FragDepth = gl_FragCoord.z / gl_FragCoord.w;
    return out;
}
"""


def block() -> np.ndarray:
    value = np.zeros((), np.dtype([("mvp", "f4", (4, 4)), ("tints", "f4", (3, 4)), ("scale", "f4"), ("gap", "f4", 3)]))
    value["mvp"] = np.random.default_rng(4).normal(size=(4, 4))
    value["tints"] = np.arange(12).reshape(3, 4)
    value["scale"] = 0.5
    return value


def test_a_translated_vertex_function() -> None:
    uniforms = block()
    place = np.random.default_rng(5).normal(size=(40, 3)).astype(np.float32)
    inputs = {
        "place": place,
        "normal": place * 2,
        "which": np.arange(40),
        "vertex_id": np.arange(40) + 7,
        "base_vertex": 7,
    }
    out = run_vertex(TRANSLATED, "main0", inputs, count=40, buffers={0: uniforms})
    clip = np.hstack([place, np.ones((40, 1), np.float32)]) @ uniforms["mvp"]
    clip[:, 2] = (clip[:, 2] + clip[:, 3]) / 2
    np.testing.assert_allclose(out["position"], clip, rtol=1e-4, atol=1e-5)
    angle = np.arange(40)
    np.testing.assert_allclose(out["user(locn1)"], np.stack([np.cos(angle), np.sin(angle) / 2], 1), atol=1e-4)
    np.testing.assert_array_equal(out["which"], np.arange(40))
    facts = {value.name: value.facts for value in reflect(TRANSLATED)["main0"].outputs}
    assert "invariant" in facts["gl_Position"]


def test_a_translated_fragment_function() -> None:
    uniforms = block()
    p = quads(8, 4)
    normal = np.random.default_rng(6).normal(size=(32, 3)).astype(np.float32)
    which = np.arange(32) % 5
    facing = np.arange(32) % 2
    position = np.column_stack([p + 0.5, p[:, 0] * 0.25, p[:, 1] + 1]).astype(np.float32)
    inputs = {
        "normal": normal, "user(locn1)": np.tile([2, 0], (32, 1)), "user(locn2)": np.tile([0, 3], (32, 1)), "which": which,
        "position": position, "front_facing": facing,
    }  # fmt: skip
    out = run_fragment(TRANSLATED, "main1", inputs, buffers={0: uniforms})
    light = np.where(facing, 1, -1) * normal[:, 2] / np.linalg.norm(normal, axis=1)
    tints = uniforms["tints"][np.minimum(which, 2)] * light[:, None]
    np.testing.assert_allclose(out["color(0)"][:, :3], tints[:, :3], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(out["color(0)"][:, 3], np.full(32, 8.0))
    np.testing.assert_allclose(out["depth"], position[:, 2] / position[:, 3])
    np.testing.assert_array_equal(out["coverage"], which <= 2)


ACCEPTED = {
    "deferred shading reads its own attachments": (
        "struct Buffers { half4 lighting [[color(0), raster_order_group(0)]]; half4 albedo [[color(1), raster_order_group(1)]];"
        " float depth [[color(2), raster_order_group(1)]]; };\n"
        "struct Lit { half4 lighting [[color(0), raster_order_group(0)]]; };\n"
        "fragment Lit light(Buffers g, float4 p [[position]]) { return {g.lighting + g.albedo * half(g.depth)}; }\n"
    ),
    "a stage struct that is a template": (
        "template <typename T> struct Out { float4 position [[position]]; T value; };\n"
        "vertex Out<half2> v(uint i [[vertex_id]]) { return {0, half2(i)}; }\n"
        "fragment half4 f(Out<half2> in [[stage_in]]) { return in.value.xyxy; }\n"
    ),
    "a picture effect": (
        "struct Varyings { float4 position [[position]]; float2 uv; };\n"
        "vertex Varyings corners(uint id [[vertex_id]]) {\n"
        "    const float2 uv = float2((id << 1) & 2, id & 2);\n"
        "    return {float4(uv * float2(2, -2) + float2(-1, 1), 0, 1), uv};\n}\n"
        "fragment half4 blur(Varyings in [[stage_in]], texture2d<half> image [[texture(0)]], constant float2& step [[buffer(0)]]) {\n"
        "    constexpr sampler s(coord::normalized, address::clamp_to_edge, filter::linear);\n"
        "    half4 sum = 0;\n    for (int i = -2; i <= 2; i++) sum += image.sample(s, in.uv + step * i);\n    return sum / 5;\n}\n"
    ),
    "shadows, cubes, arrays": (
        "struct In { float4 position [[position]]; float3 dir; float4 shadow; uint layer [[flat]]; };\n"
        "fragment float4 f(In in [[stage_in]], depth2d<float> map [[texture(0)]], texturecube<float> sky [[texture(1)]],\n"
        "                  texture2d_array<float> layers [[texture(2)]], sampler s [[sampler(0)]]) {\n"
        "    constexpr sampler compare(filter::linear, compare_func::less);\n"
        "    float lit = map.sample_compare(compare, in.shadow.xy, in.shadow.z);\n"
        "    return lit * sky.sample(s, in.dir) + layers.sample(s, in.shadow.xy, in.layer, bias(1));\n}\n"
    ),
    "a fragment function that only writes": (
        "fragment void f(float4 p [[position]], texture2d<float, access::write> t [[texture(0)]]) { t.write(p, uint2(p.xy)); }\n"
    ),
    "instances and layers": (
        "struct Out { float4 position [[position]]; uint layer [[render_target_array_index]]; uint port [[viewport_array_index]]; };\n"
        "vertex Out v(uint i [[instance_id]], uint b [[base_instance]], ushort a [[amplification_id]]) { return {0, i - b, uint(a)}; }\n"
    ),
    "const members and defaults": (
        "struct In { float4 position [[position]]; float2 uv = float2(0); };\n"
        "fragment float4 f(const In in [[stage_in]]) { return in.uv.xyxy; }\n"
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    source = STDLIB + ACCEPTED[name]
    functions = reflect(source)
    assert functions
    for function in functions:
        done = compile_with(source, "--kernel", function, "-o", "f.so")
        assert (done.returncode, done.stderr) == (0, "")
