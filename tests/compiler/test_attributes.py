# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (functions are kept dense)
"""Every attribute that public Metal code uses, in the place it uses it; and those of what no one here can do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

STDLIB = "#include <metal_stdlib>\nusing namespace metal;\n"

# By attribute: a parameter of a kernel.
KERNEL_PARAMETERS = {
    "buffer": "device float* b [[buffer(0)]]",
    "texture": "texture2d<float> t [[texture(0)]]",
    "sampler": "sampler s [[sampler(0)]]",
    "threadgroup": "threadgroup float* g [[threadgroup(0)]]",
    "thread_position_in_grid": "uint3 p [[thread_position_in_grid]]",
    "threadgroup_position_in_grid": "ushort2 p [[threadgroup_position_in_grid]]",
    "thread_position_in_threadgroup": "ushort3 p [[thread_position_in_threadgroup]]",
    "thread_index_in_threadgroup": "ushort i [[thread_index_in_threadgroup]]",
    "threads_per_threadgroup": "uint2 n [[threads_per_threadgroup]]",
    "thread_index_in_simdgroup": "uint i [[thread_index_in_simdgroup]]",
    "simdgroup_index_in_threadgroup": "ushort i [[simdgroup_index_in_threadgroup]]",
    "threadgroups_per_grid": "uint n [[threadgroups_per_grid]]",
    "threads_per_grid": "ushort3 n [[threads_per_grid]]",
    "threads_per_simdgroup": "ushort n [[threads_per_simdgroup]]",
    "simdgroups_per_threadgroup": "uint n [[simdgroups_per_threadgroup]]",
    "quadgroup_index_in_threadgroup": "ushort i [[quadgroup_index_in_threadgroup]]",
    "thread_index_in_quadgroup": "uint i [[thread_index_in_quadgroup]]",
    "quadgroups_per_threadgroup": "uint n [[quadgroups_per_threadgroup]]",
    "dispatch_threads_per_threadgroup": "uint3 n [[dispatch_threads_per_threadgroup]]",
    "dispatch_simdgroups_per_threadgroup": "uint n [[dispatch_simdgroups_per_threadgroup]]",
    "dispatch_quadgroups_per_threadgroup": "ushort n [[dispatch_quadgroups_per_threadgroup]]",
    "thread_execution_width": "ushort n [[thread_execution_width]]",
    "grid_origin": "uint2 o [[grid_origin]]",
    "grid_size": "uint3 n [[grid_size]]",
    "function_constant": "constant float& c [[buffer(1), function_constant(isPresent)]]",
    "maybe_unused": "[[maybe_unused]] constant float& u [[buffer(2)]]",
}
VERTEX_PARAMETERS = {
    "vertex_id": "uint i [[vertex_id]]",
    "instance_id": "ushort i [[instance_id]]",
    "base_vertex": "uint i [[base_vertex]]",
    "base_instance": "uint i [[base_instance]]",
    "amplification_id": "ushort i [[amplification_id]]",
    "amplification_count": "ushort n [[amplification_count]]",
    "stage_in": "VertexIn v [[stage_in]]",
}
FRAGMENT_PARAMETERS = {
    "position": "float4 p [[position]]",
    "stage_in": "FragmentIn f [[stage_in]]",
    "color": "half4 c [[color(0)]]",
    "primitive_id": "uint i [[primitive_id]]",
    "point_coord": "float2 p [[point_coord]]",
    "raster_order_group": "texture2d<float, access::read_write> t [[texture(0), raster_order_group(0)]]",
    "sample_id": "uint i [[sample_id]]",
    "barycentric_coord": "float3 b [[barycentric_coord]]",
    "barycentric_coord, center_no_perspective": "float2 b [[barycentric_coord, center_no_perspective]]",
    "front_facing": "bool f [[front_facing]]",
    "sample_mask": "uint m [[sample_mask]]",
    "render_target_array_index": "uint i [[render_target_array_index]]",
    "viewport_array_index": "uint i [[viewport_array_index]]",
}
FUNCTIONS = {
    "kernel": "[[kernel]] void NAME() {}",
    "vertex": "[[vertex]] float4 NAME() { return 0; }",
    "fragment": "[[fragment]] half4 NAME() { return 0; }",
    "visible": "[[visible]] int NAME(int x) { return x; }",
    "stitchable": "[[stitchable]] half4 NAME(float2 p, half4 c) { return c; }",
    "host_name": '[[host_name("other NAME")]] kernel void NAME() {}',
    "max_total_threads_per_threadgroup": "[[max_total_threads_per_threadgroup(256)]] kernel void NAME() {}",
    "max_total_threads_per_threadgroup behind kernel": "kernel [[max_total_threads_per_threadgroup(256)]] void NAME() {}",
    "post_depth_coverage": "[[early_fragment_tests]] fragment half4 NAME(uint m [[sample_mask, post_depth_coverage]]) "
    "{ return m; }",
    "early_fragment_tests": "[[early_fragment_tests]] fragment half4 NAME() { return 0; }",
    "patch": "[[patch(triangle, 3)]] vertex float4 NAME(float3 p [[position_in_patch]], uint i [[patch_id]]) { return i; }",
    "nodiscard": "[[nodiscard]] int NAME() { return 0; }",
    "noreturn": "[[noreturn]] void NAME() { while (true) {} }",
    "deprecated": '[[deprecated("no more")]] void NAME() {}',
    "clang::optnone": "[[clang::optnone]] void NAME() {}",
    "clang::no_sanitize": '[[clang::no_sanitize("undefined")]] void NAME() {}',
    "gnu::no_sanitize": '[[gnu::no_sanitize("undefined")]] void NAME() {}',
    "clang::annotate": '[[clang::annotate("text", 1, 2)]] void NAME() {}',
    "clang::always_inline": "[[clang::always_inline]] void NAME() {}",
    "clang::noinline": "[[clang::noinline]] void NAME() {}",
    "gnu::always_inline": "[[gnu::always_inline]] inline void NAME() {}",
    "gnu::flatten": "[[gnu::flatten]] void NAME() {}",
    "__attribute__": "__attribute__((always_inline)) inline void NAME() {}",
    "__attribute__ noinline": "__attribute__((noinline)) void NAME() {}",
    "fallthrough, likely": "int NAME(int x) { switch (x) { case 0: x = 1; [[fallthrough]]; default: break; } if (x) [[likely]] x = 2; return x; }",
    "clang::loop": "int NAME(int x) { [[clang::code_align(16)]] for (int i = 0; i < 4; ++i) x += i; return x; }",
}
STRUCTS = """
struct VertexIn { float3 p [[attribute(0)]]; float2 q [[attribute(1)]]; };
struct VertexOut {
    float4 position [[position, invariant]];
    float size [[point_size]];
    float clip [[clip_distance]] [3];
    uint layer [[render_target_array_index]];
    uint port [[viewport_array_index]];
    float2 a [[user(locn0), center_perspective]];
    float2 b [[user(locn1)]] [[center_no_perspective]];
    float2 c [[centroid_perspective]];
    float2 d [[centroid_no_perspective]];
    float2 e [[sample_perspective]];
    float2 f [[sample_no_perspective]];
    uint g [[flat]];
    float3 h [[shared]];
};
struct FragmentIn { float4 position [[position]]; float2 a [[user(locn0)]]; uint g [[flat]]; };
struct FragmentOut {
    half4 color [[color(0), raster_order_group(0)]];
    half4 second [[color(1), index(1)]];
    float depth [[depth(greater)]];
    uint stencil [[stencil]];
    uint mask [[sample_mask]];
};
struct Arguments {
    texture2d<float> t [[id(0)]]; sampler s [[id(1)]]; device float* p [[id(2)]]; constant Arguments* next [[id(3)]];
    array<texture2d<half>, 8> ts [[id(4)]]; array<float, 4> values [[id(12)]];
};
constant bool isPresent [[function_constant(0)]];
kernel void arguments(constant Arguments& a [[buffer(0)]], device float* out) { out[0] = a.next->p[1] + a.values[2]; }
vertex VertexOut projected(VertexIn v [[stage_in]]) { VertexOut o = {}; return o; }
fragment FragmentOut shaded(FragmentIn f [[stage_in]]) { FragmentOut o = {}; return o; }
"""


def declare(kind: str, parameters: dict[str, str]) -> str:
    """One function for each parameter."""
    result = {"kernel": ("void", ""), "vertex": ("float4", "return 0;"), "fragment": ("half4", "return 0;")}[kind]
    lines = [
        f"{kind} {result[0]} {kind}{i}({text}) {{ {result[1]} }} // {name}"
        for i, (name, text) in enumerate(parameters.items())
    ]
    return "\n".join(lines)


ACCEPTED = {
    "kernel": declare("kernel", KERNEL_PARAMETERS),
    "vertex": declare("vertex", VERTEX_PARAMETERS),
    "fragment": declare("fragment", FRAGMENT_PARAMETERS),
    "functions": "\n".join(text.replace("NAME", f"f{i}") for i, text in enumerate(FUNCTIONS.values())),
    "alone": "",
}


@pytest.mark.parametrize("group", ACCEPTED)
def test_accepted(run: Run, group: str) -> None:
    result = run(STDLIB + STRUCTS + ACCEPTED[group] + "\n", "--show", "reflection")
    assert (result.returncode, result.stderr) == (0, "")


UNSUPPORTED = {
    "mesh shading": (
        "[[mesh]] void f() {}",
        "[[object]] void f() {}",
        "kernel void f(object_data int& p [[payload]]) {}".replace("object_data ", "device "),
        "[[object, max_total_threadgroups_per_mesh_grid(16)]] void f() {}",
        "struct P { bool c [[primitive_culled]]; };",
    ),
    "ray tracing": (
        "[[intersection(triangle, triangle_data, curve_data)]] bool f() { return true; }",
        "struct R { float d [[distance]]; };",
        "struct R { bool a [[accept_intersection]]; };",
        "void f(float3 o [[origin]]) {}",
        "void f(float3 d [[direction]]) {}",
        "void f(float d [[min_distance]]) {}",
        "void f(uint i [[user_instance_id]]) {}",
    ),
    "tile shading": (
        "void f(float4 d [[imageblock_data]]) {}",
        "void f(ushort2 p [[pixel_position_in_tile]]) {}",
    ),
}


@pytest.mark.parametrize(
    ("feature", "source"), [(feature, source) for feature in UNSUPPORTED for source in UNSUPPORTED[feature]]
)
def test_unsupported_features_are_named(run: Run, feature: str, source: str) -> None:
    result = run(STDLIB + source + "\n", "--show", "reflection")
    assert result.returncode == 1
    assert f"' attribute: {feature} is not supported\n" in result.stderr


REFUSED = {
    "an unknown attribute": ("kernel void f(uint i [[thread_position]]) {}", "unknown attribute 'thread_position'"),
    "an attribute in another place": (
        "[[buffer(0)]] kernel void f() {}",
        "'buffer' attribute only applies to variables, parameters and members",
    ),
    "two functions of one name": (
        'template <typename T> kernel void f(device T* a) {}\ntemplate [[host_name("g")]] kernel void f<int>(device int*);\n'
        'template [[host_name("g")]] kernel void f<float>(device float*);',
        "two functions of the library have the name 'g'",
    ),
    "two constants of one index": (
        "constant int a [[function_constant(3)]];\nconstant float b [[function_constant(3)]];\nkernel void f(device int* o) { o[0] = a + b; }",
        "function constants 'a' and 'b' have the same index 3",
    ),
    "two buffers of one index": (
        "kernel void f(device int* a [[buffer(1)]], device int* b [[buffer(1)]]) {}",
        "cannot reserve 'buffer' resource location at index 1",
    ),
    "a table and a buffer of one index": (
        "kernel void f(device int* a [[buffer(1)]], visible_function_table<int(int)> t [[buffer(1)]]) {}",
        "cannot reserve 'buffer' resource location at index 1",
    ),
    "coverage after the depth test, which comes late": (
        "fragment half4 f(uint m [[sample_mask, post_depth_coverage]]) { return m; }",
        "'post_depth_coverage' attribute needs a fragment function with the 'early_fragment_tests' attribute",
    ),
    "coverage of no mask": (
        "[[early_fragment_tests]] fragment half4 f(uint m [[primitive_id, post_depth_coverage]]) { return m; }",
        "'post_depth_coverage' attribute needs the 'sample_mask' attribute beside it",
    ),
    "two types for one colour": (
        "struct O { half4 a [[color(1)]]; float4 b [[color(1), index(1)]]; };\nfragment O f() { return {}; }",
        "'b' and 'a' are for one colour attachment, 1, and must have the same type, got 'float4' and 'half4'",
    ),
    "an argument that depends on no constant": (
        "kernel void f(device int* a [[buffer(0), function_constant(3)]]) {}",
        "'function_constant' attribute of an argument requires the name of a function constant, or of a constant computed from one",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(run: Run, name: str) -> None:
    source, message = REFUSED[name]
    result = run(STDLIB + source + "\n", "--show", "reflection")
    assert result.returncode == 1
    assert f": error: {message}" in result.stderr


def test_names_of_attributes_are_names_elsewhere(run: Run) -> None:
    source = STDLIB + "\n".join(
        f"float {name}(float {name}) {{ return {name} + 1; }}"
        for name in (
            "distance_",
            "origin",
            "direction",
            "payload",
            "color",
            "position",
            "user",
            "depth",
            "patch",
            "index",
            "id",
        )
    )
    result = run(source + "\n", "--show", "reflection")
    assert (result.returncode, result.stderr) == (0, "")


def test_attributes_behind_an_arrays_brackets(run: Run) -> None:
    source = """
struct A { device float* x[2] [[id(4)]]; float scale[3] [[id(7)]]; int n [[maybe_unused]]; };
kernel void k(constant A& a [[buffer(3)]], device const float (&w)[4] [[buffer(1)]]) { a.x[0][0] = w[1]; }
"""
    done = run(source, "--show", "reflection")
    assert done.returncode == 0, done.stderr
    assert "0: device float *[2] x [[id(4)]]" in done.stdout
    assert "float[3] scale [[id(7)]]" in done.stdout
    assert "buffer(1) slot 1: device const float (&)[4] w" in done.stdout
