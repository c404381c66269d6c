# SPDX-License-Identifier: MIT
"""Visible functions called through tables, from Metal's own objects."""

from __future__ import annotations

import numpy as np
import pytest

pm = pytest.importorskip("mtlpy_nb.metal")

SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Pair { float3 a; int b; };

[[visible]] float twice(float x) { return 2 * x; }
[[visible]] float root(float x) { if (x < 0) return -1; return sqrt(x); }
constant float factor [[function_constant(0)]];
[[visible]] float scaled(float x) { return x * factor; }
[[visible]] Pair swizzled(Pair p, device const float* table, half4 h) {
    float local[4];
    for (int i = 0; i < 4; ++i) local[i] = table[(p.b + i) % 4];
    return {p.a.zyx + local[1] + float(h.w), p.b * 2};
}
[[visible]] float4 vectors(float2 a, int4 b) { return float4(a, float2(b.xw)); }

kernel void map(visible_function_table<float(float)> functions [[buffer(0)]], device const float* x [[buffer(1)]],
                device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    y[i] = functions[i % functions.size()](x[i]);
    if (i % 3 == 0) y[i] += functions[0](1);
}
kernel void wide(visible_function_table<Pair(Pair, device const float*, half4)> f [[buffer(0)]],
                 visible_function_table<float4(float2, int4)> g [[buffer(3)]], device const float* table [[buffer(1)]],
                 device float4* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    Pair p = f[0]({float3(i, 1, 2), int(i)}, table, half4(0.5h));
    out[i] = float4(p.a, p.b) + g[0](float2(i), int4(i, 0, 0, 7));
}
struct Arguments { visible_function_table<float(float)> functions [[id(0)]]; device float* y [[id(1)]]; };
kernel void inBuffer(constant Arguments& a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    if (!is_null_visible_function_table(a.functions) && !a.functions.empty()) a.y[i] = a.functions[0](a.y[i]);
}
kernel void direct(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = twice(y[i]); }
"""


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


def pipeline(device, library, kernel, functions):
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = library.new_function(kernel)
    linked = pm.LinkedFunctions()
    linked.functions = functions
    descriptor.linked_functions = linked
    return device.new_compute_pipeline_state(descriptor)


def table(state, functions):
    descriptor = pm.VisibleFunctionTableDescriptor()
    descriptor.function_count = len(functions)
    made = state.new_visible_function_table(descriptor)
    for i, function in enumerate(functions):
        made.set_function(state.function_handle(function), i)
    return made


def run(device, state, count, bind):
    commands = device.new_command_queue().command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(state)
    bind(encoder)
    encoder.dispatch_threads((count, 1, 1), (64, 1, 1))
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()


def buffer_of(device, array):
    made = device.new_buffer(array.nbytes, pm.ResourceStorageModeShared)
    made.contents()[:] = array.view(np.uint8).reshape(-1)
    return made


def test_each_lane_calls_its_own(device, library):
    functions = [library.new_function("twice"), library.new_function("root"), library.new_function("scaled", {0: 0.25})]
    state = pipeline(device, library, "map", functions)
    x = np.linspace(-4, 90, 100).astype(np.float32)
    source, target = buffer_of(device, x), buffer_of(device, np.zeros_like(x))
    functions_table = table(state, functions)

    def bind(encoder):
        encoder.set_visible_function_table(functions_table, 0)
        encoder.set_buffer(source, 0, 1)
        encoder.set_buffer(target, 0, 2)

    run(device, state, 100, bind)
    i = np.arange(100)
    with np.errstate(invalid="ignore"):
        expected = np.choose(i % 3, [2 * x, np.where(x < 0, -1, np.sqrt(x)), x / 4]) + np.where(i % 3 == 0, 2, 0)
    np.testing.assert_allclose(target.contents().view(np.float32), expected, rtol=1e-6)


def test_structs_vectors_and_pointers_pass(device, library):
    functions = [library.new_function("swizzled"), library.new_function("vectors")]
    state = pipeline(device, library, "wide", functions)
    values = np.array([10, 20, 30, 40], np.float32)
    source, target = buffer_of(device, values), buffer_of(device, np.zeros((70, 4), np.float32))
    first, second = table(state, functions[:1]), table(state, functions[1:])

    def bind(encoder):
        encoder.set_visible_function_table(first, 0)
        encoder.set_buffer(source, 0, 1)
        encoder.set_buffer(target, 0, 2)
        encoder.set_visible_function_table(second, 3)

    run(device, state, 70, bind)
    i = np.arange(70)
    added = values[(i + 1) % 4] + 0.5
    expected = np.stack([2 + added + i, 1 + added + i, i + added + i, 2 * i + 7], 1)
    np.testing.assert_allclose(target.contents().view(np.float32).reshape(-1, 4), expected)


def test_a_table_in_an_argument_buffer(device, library):
    functions = [library.new_function("twice")]
    state = pipeline(device, library, "inBuffer", functions)
    values = buffer_of(device, np.arange(64, dtype=np.float32))
    made = table(state, functions)
    arguments = buffer_of(device, np.array([made.gpu_resource_id, values.gpu_address], np.uint64))
    run(device, state, 64, lambda encoder: encoder.set_buffer(arguments, 0, 0))
    np.testing.assert_array_equal(values.contents().view(np.float32), 2 * np.arange(64))


def test_visible_functions_are_called_by_name_without_a_table(device, library):
    state = pipeline(device, library, "direct", [])
    values = buffer_of(device, np.arange(8, dtype=np.float32))
    run(device, state, 8, lambda encoder: encoder.set_buffer(values, 0, 0))
    np.testing.assert_array_equal(values.contents().view(np.float32), 2 * np.arange(8))


def test_reflection_names_the_table(device, library):
    state = pipeline(device, library, "map", [library.new_function("twice")])
    first = state.arguments[0]
    assert (first.name, first.kind, first.index) == ("functions", pm.BindingType.VisibleFunctionTable, 0)


def test_a_missing_table_is_an_error(device, library):
    state = pipeline(device, library, "map", [library.new_function("twice")])
    values = buffer_of(device, np.zeros(8, np.float32))

    def bind(encoder):
        encoder.set_buffer(values, 0, 1)
        encoder.set_buffer(values, 0, 2)

    with pytest.raises(pm.ValidationError, match="uses functions, but no visible function table is set at index 0"):
        run(device, state, 8, bind)


def test_only_visible_functions_are_linked(device, library):
    with pytest.raises(pm.ValidationError, match="function direct isn't a visible function"):
        pipeline(device, library, "map", [library.new_function("direct")])


def test_a_function_that_there_is_not_cannot_be_linked(library):
    functions = [library.new_function("twice"), library.new_function("no_such")]
    linked = pm.LinkedFunctions()
    with pytest.raises(pm.ValidationError, match=r"LinkedFunctions: functions\[1\] is None"):
        linked.functions = functions
    with pytest.raises(pm.ValidationError, match=r"LinkedFunctions: private_functions\[1\] is None"):
        linked.private_functions = functions


def test_a_descriptor_has_a_copy_of_what_is_linked(library):
    descriptor, linked = pm.ComputePipelineDescriptor(), pm.LinkedFunctions()
    linked.functions = [library.new_function("twice")]
    descriptor.linked_functions = linked
    linked.functions = []
    assert [function.name for function in descriptor.linked_functions.functions] == ["twice"]
    descriptor.linked_functions = None
    assert descriptor.linked_functions is None


def test_functions_that_are_not_linked_have_no_handle(device, library):
    state = pipeline(device, library, "map", [library.new_function("twice")])
    assert state.function_handle(library.new_function("root")) is None


def test_a_function_that_needs_its_pipeline_is_refused(device):
    source = """
#include <metal_stdlib>
using namespace metal;
[[visible]] float sum(float x) { return simd_sum(x); }
kernel void map(visible_function_table<float(float)> f [[buffer(0)]], device float* y [[buffer(1)]]) {
    y[0] = f[0](y[0]);
}
"""
    library = device.new_library_with_source(source)
    with pytest.raises(pm.PipelineError, match="a visible function that is called through a table asks for"):
        pipeline(device, library, "map", [library.new_function("sum")])


def test_a_call_through_a_table_is_explained(device, library):
    mtl = pytest.importorskip("mtlpy_nb._native")
    first = SOURCE[: SOURCE.index("y[i] = functions")].count("\n") + 1
    state = pipeline(device, library, "map", [library.new_function("twice")])
    explained = mtl.explained_pipeline(state, False)
    found = mtl.explanation(explained)["findings"]
    assert {(f["kind"], f["line"]) for f in found if f["reason"] == "table"} == {
        ("scalar", first),
        ("scalar", first + 1),
    }
    direct = pipeline(device, library, "direct", [])
    explained = mtl.explained_pipeline(direct, False)
    assert [f for f in mtl.explanation(explained)["findings"] if f["reason"] == "table"] == []


STAGES = """
#include <metal_stdlib>
using namespace metal;
[[visible]] float2 left(float2 corner) { return float2(corner.x * 0.5 - 0.5, corner.y); }
[[visible]] float2 all(float2 corner) { return corner; }
[[visible]] float warm(float x) { return x; }
[[visible]] float cold(float x) { return -x; }
vertex float4 placed(uint i [[vertex_id]], constant uint& which [[buffer(0)]],
                     visible_function_table<float2(float2)> places [[buffer(1)]]) {
    const float2 corners[] = {float2(-1, -1), float2(1, -1), float2(-1, 1), float2(1, 1)};
    return float4(places[which](corners[i]), 0, 1);
}
fragment float4 shaded(float4 at [[position]], visible_function_table<float(float)> shades [[buffer(3)]]) {
    return shades[int(at.x + at.y) % 2](at.x);
}
"""


def test_vertex_and_fragment_functions_call_through_tables(device):
    assert device.supports_function_pointers
    assert device.supports_function_pointers_from_render
    library = device.new_library_with_source(STAGES)
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function, descriptor.fragment_function = (library.new_function(n) for n in ("placed", "shaded"))
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.R32Float
    names = {pm.RenderStages.Vertex: ("left", "all"), pm.RenderStages.Fragment: ("warm", "cold")}
    linked = {}
    for stage, pair in names.items():
        linked[stage] = pm.LinkedFunctions()
        linked[stage].functions = [library.new_function(name) for name in pair]
    descriptor.vertex_linked_functions = linked[pm.RenderStages.Vertex]
    descriptor.fragment_linked_functions = linked[pm.RenderStages.Fragment]
    state = device.new_render_pipeline_state(descriptor)
    tables = {}
    for stage, functions in linked.items():
        size = pm.VisibleFunctionTableDescriptor()
        size.function_count = 2
        tables[stage] = state.new_visible_function_table(size, stage)
        for i, function in enumerate(functions.functions):
            tables[stage].set_function(state.function_handle(function, stage), i)
    image = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 8, 4, False)
    image.usage = pm.TextureUsage.RenderTarget
    x, y = np.meshgrid(np.arange(8), np.arange(4))
    shades = np.where((x + y + 1) % 2 == 0, x + 0.5, -x - 0.5)
    for which in range(2):
        target = pm.RenderPassDescriptor()
        target.color_attachment(0).texture = device.new_texture(image)
        target.color_attachment(0).load_action = pm.LoadAction.Clear
        target.color_attachment(0).clear_color = pm.ClearColor(0, 0, 0, 0)
        commands = device.new_command_queue().command_buffer()
        with commands.render_command_encoder(target) as encoder:
            encoder.set_render_pipeline_state(state)
            encoder.set_vertex_bytes(np.uint32(which).tobytes(), 0)
            encoder.set_vertex_visible_function_table(tables[pm.RenderStages.Vertex], 1)
            encoder.set_fragment_visible_function_table(tables[pm.RenderStages.Fragment], 3)
            encoder.draw_primitives(pm.PrimitiveType.TriangleStrip, 0, 4)
        commands.commit()
        commands.wait_until_completed()
        texels = np.zeros((4, 8, 1), np.float32)
        target.color_attachment(0).texture.download(texels)
        np.testing.assert_array_equal(texels[..., 0], np.where((x < 4) | (which == 1), shades, 0))
