# SPDX-License-Identifier: MIT
"""Calls that set several arguments at once: as the calls that set one, and all or nothing."""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void gather(device const float* a [[buffer(2)]], device const float* b [[buffer(3)]],
                   device float* out [[buffer(0)]], texture2d<float> first [[texture(4)]],
                   texture2d<float> second [[texture(5)]], sampler near [[sampler(1)]], sampler smooth [[sampler(2)]],
                   uint i [[thread_position_in_grid]])
{
    out[i] = i == 0 ? a[0] : i == 1 ? b[0] : i == 2 ? first.sample(near, float2(0.5, 0.4)).x
                           : second.sample(smooth, float2(0.5, 0.5)).x;
}

struct Corner { float4 position [[position]]; float value; };
vertex Corner corner(uint i [[vertex_id]], constant float2* places [[buffer(1)]], constant float* values [[buffer(2)]],
                     texture2d<float> added [[texture(0)]], sampler s [[sampler(0)]])
{
    return {float4(places[i], 0, 1), values[0] + added.sample(s, float2(0.5)).x};
}
fragment float4 shade(Corner in [[stage_in]], constant float& scale [[buffer(5)]], constant float& more [[buffer(6)]],
                      texture2d<float> one [[texture(2)]], texture2d<float> two [[texture(3)]],
                      sampler s [[sampler(3)]])
{
    return float4(in.value * scale + more, one.sample(s, float2(0.5)).x, two.sample(s, float2(0.5)).x, 1);
}
"""


@pytest.fixture(scope="module")
def library(device):
    return device.new_library_with_source(SOURCE)


@pytest.fixture(scope="module")
def gather(device, library):
    return device.new_compute_pipeline_state(library.new_function("gather"))


def numbers(device, *values):
    return device.new_buffer_with_data(np.float32(values))


def picture(device, *rows):
    texels = np.float32(rows)
    height, width = texels.shape
    texture = device.new_texture(
        pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, width, height, False)
    )
    texture.replace_region(texels.tobytes(), width * 4, 0, 0, width, height)
    return texture


def sampler(device, **settings):
    descriptor = pm.SamplerDescriptor()
    for name, value in settings.items():
        setattr(descriptor, name, value)
    return device.new_sampler_state(descriptor)


def finish(commands):
    commands.commit()
    commands.wait_until_completed()


def test_a_compute_encoder_sets_ranges(device, queue, gather):
    out = device.new_buffer(16)
    source = numbers(device, 1, 2, 3)
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(gather)
        encoder.set_buffers([out], [0], (0, 1))
        encoder.set_buffers([source, source], [4, 8], pm.Range(2, 2))
        encoder.set_textures([picture(device, [7], [9]), picture(device, [3, 5])], pm.Range(4, 2))
        encoder.set_sampler_states([sampler(device), sampler(device, mag_filter=pm.SamplerMinMagFilter.Linear)], (1, 2))
        encoder.dispatch_threads(4, 4)
    finish(commands)
    assert np.frombuffer(out.contents(), np.float32).tolist() == [2, 3, 7, 4]


def test_a_render_encoder_sets_ranges(device, queue, library):
    form = pm.RenderPipelineDescriptor()
    form.vertex_function, form.fragment_function = library.new_function("corner"), library.new_function("shade")
    form.color_attachment(0).pixel_format = pm.PixelFormat.RGBA32Float
    pipeline = device.new_render_pipeline_state(form)
    target = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA32Float, 2, 2, False))
    render_pass = pm.RenderPassDescriptor()
    render_pass.color_attachment(0).texture = target
    render_pass.color_attachment(0).load_action = pm.LoadAction.Clear
    all_of_it = numbers(device, 0, 0, -1, -1, 3, -1, -1, 3)
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_buffers([all_of_it, numbers(device, 2)], [8, 0], pm.Range(1, 2))
        encoder.set_vertex_textures([picture(device, [0.5])], (0, 1))
        encoder.set_vertex_sampler_states([sampler(device)], (0, 1))
        encoder.set_fragment_buffers([numbers(device, 10), numbers(device, 0, 3)], [0, 4], pm.Range(5, 2))
        encoder.set_fragment_textures([picture(device, [6]), picture(device, [8])], pm.Range(2, 2))
        encoder.set_fragment_sampler_states([sampler(device)], [0.0], [0.0], pm.Range(3, 1))
        encoder.set_viewports([(0, 0, 2, 2, 0, 1)])
        encoder.set_scissor_rects([(0, 0, 2, 1)])
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    finish(commands)
    out = np.empty((2, 2, 4), np.float32)
    target.download(out)
    np.testing.assert_array_equal(out[0], np.tile(np.float32([28, 6, 8, 1]), (2, 1)))
    np.testing.assert_array_equal(out[1], np.tile(np.float32([0, 0, 0, 1]), (2, 1)))


def test_strides_may_be_told_with_the_buffers(device, queue):
    library = device.new_library_with_source("""#include <metal_stdlib>
using namespace metal;
struct In { float2 place [[attribute(0)]]; float2 value [[attribute(1)]]; };
struct Out { float4 position [[position]]; float2 value; };
vertex Out place(In in [[stage_in]]) { return {float4(in.place, 0, 1), in.value}; }
fragment float4 shade(Out in [[stage_in]]) { return float4(in.value, 0, 1); }
""")
    form = pm.RenderPipelineDescriptor()
    form.vertex_function, form.fragment_function = library.new_function("place"), library.new_function("shade")
    form.color_attachment(0).pixel_format = pm.PixelFormat.RGBA32Float
    for index in range(2):
        form.vertex_descriptor.attribute(index).format = pm.VertexFormat.Float2
        form.vertex_descriptor.attribute(index).buffer_index = index
        form.vertex_descriptor.layout(index).stride = -1
    pipeline = device.new_render_pipeline_state(form)
    target = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA32Float, 2, 2, False))
    render_pass = pm.RenderPassDescriptor()
    render_pass.color_attachment(0).texture = target
    places = numbers(device, -1, -1, 0, 3, -1, 0, -1, 3)
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        encoder.set_render_pipeline_state(pipeline)
        encoder.set_vertex_buffers([places, numbers(device, 4, 5, 4, 5, 4, 5)], [0, 0], [12, 8], (0, 2))
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)
    finish(commands)
    out = np.empty((2, 2, 4), np.float32)
    target.download(out)
    assert (out == [4, 5, 0, 1]).all()


def test_a_sampler_of_a_kernel_may_have_other_limits(device, queue):
    """Level 1 is read, whatever the kernel asks for."""
    library = device.new_library_with_source("""#include <metal_stdlib>
using namespace metal;
kernel void look(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float* out [[buffer(0)]])
{ out[0] = t.sample(s, float2(0.5), level(0)).x; }
""")
    texture = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 2, 2, True))
    texture.replace_region(np.full((2, 2), 1, np.float32).tobytes(), 8, 0, 0, 2, 2)
    texture.replace_region(np.float32([2]).tobytes(), 4, 0, 0, 1, 1, level=1)
    state = sampler(device, mip_filter=pm.SamplerMipFilter.Nearest)
    pipeline, out = device.new_compute_pipeline_state(library.new_function("look")), device.new_buffer(4)
    found = []
    for bind in (
        lambda e: e.set_sampler_state(state, 0),
        lambda e: e.set_sampler_state(state, 1.0, 4.0, 0),
        lambda e: e.set_sampler_states([state], [1.0], [4.0], (0, 1)),
    ):
        commands = queue.command_buffer()
        with commands.compute_command_encoder() as encoder:
            encoder.set_compute_pipeline_state(pipeline)
            encoder.set_buffer(out, 0, 0)
            encoder.set_texture(texture, 0)
            bind(encoder)
            encoder.dispatch_threads(1, 1)
        finish(commands)
        found.append(float(np.frombuffer(out.contents(), np.float32)[0]))
    assert found == [1, 2, 2]


def test_none_unbinds_in_a_range(device, queue, gather):
    source = numbers(device, 1)
    encoder = queue.command_buffer().compute_command_encoder()
    encoder.set_compute_pipeline_state(gather)
    encoder.set_buffers([source, source, source, source], [0, 0, 0, 0], (0, 4))
    encoder.set_textures([picture(device, [1]), picture(device, [1])], (4, 2))
    encoder.set_sampler_states([sampler(device), sampler(device)], (1, 2))
    encoder.set_buffers([None, source], [0, 0], (2, 2))
    with pytest.raises(pm.ValidationError, match="gather uses a, but no buffer is set at index 2"):
        encoder.dispatch_threads(1, 1)
    encoder.end_encoding()


REFUSED = [
    (
        lambda e, b, t, s: e.set_buffers([b], [0], (0, 2)),
        r"set_buffers: range has 2 index\(es\), but 1 buffers are given",
    ),
    (lambda e, b, t, s: e.set_buffers([b, b], [0], (0, 2)), r"offsets has 1 element\(s\), must have 2"),
    (lambda e, b, t, s: e.set_buffers([b, b], [0, 16], (0, 2)), r"offsets\[1\] is 16"),
    (lambda e, b, t, s: e.set_buffers([b, b], [0, 0], (30, 2)), r"range is \(30, 2\), must lie in \(0, 31\)"),
    (lambda e, b, t, s: e.set_buffers([b], [0], (-1, 1)), r"range is \(-1, 1\)"),
    (lambda e, b, t, s: e.set_textures([t], (128, 1)), r"range is \(128, 1\), must lie in \(0, 128\)"),
    (lambda e, b, t, s: e.set_sampler_states([s, s], (15, 2)), r"must lie in \(0, 16\)"),
    (lambda e, b, t, s: e.set_sampler_states([s], [0.0], [float("nan")], (0, 1)), r"lod_max_clamps\[0\] is nan"),
    (lambda e, b, t, s: e.set_sampler_states([s], [0.0, 1.0], [1.0], (0, 1)), r"lod_min_clamps has 2 element"),
    (lambda e, b, t, s: e.use_resources([b, None], 1), r"use_resources: resources\[1\] is None"),
    (lambda e, b, t, s: e.use_resources([b], 0), "usage is 0"),
    (lambda e, b, t, s: e.use_heaps([None]), r"heaps\[0\] is None"),
    (lambda e, b, t, s: e.memory_barrier([None]), r"memory_barrier: resources\[0\] is None"),
]


@pytest.mark.parametrize(("call", "problem"), REFUSED, ids=[problem for _, problem in REFUSED])
def test_a_compute_encoder_refuses_and_changes_nothing(device, queue, gather, call, problem):
    b = numbers(device, 1, 2, 3, 4)
    encoder = queue.command_buffer().compute_command_encoder()
    encoder.set_compute_pipeline_state(gather)
    with pytest.raises(pm.ValidationError, match=problem):
        call(encoder, b, picture(device, [1]), sampler(device))
    with pytest.raises(pm.ValidationError, match="no buffer is set at index"):
        encoder.dispatch_threads(1, 1)
    encoder.end_encoding()
    with pytest.raises(pm.ValidationError, match=r"the encoder.* has ended"):
        encoder.set_buffers([b], [0], (0, 1))


@pytest.fixture
def encoder(device, queue):
    target = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R8Unorm, 2, 2, False))
    render_pass = pm.RenderPassDescriptor()
    render_pass.color_attachment(0).texture = target
    commands = queue.command_buffer()
    with commands.render_command_encoder(render_pass) as encoder:
        yield encoder
    finish(commands)


def test_a_render_encoder_refuses_and_goes_on(device, encoder):
    b = numbers(device, 1, 2, 3, 4)
    for call, problem in (
        (lambda: encoder.set_vertex_buffers([b], [0], (0, 2)), "set_vertex_buffers: range has 2"),
        (lambda: encoder.set_vertex_buffers([None], [0], [4], (0, 1)), r"buffers\[0\] is None"),
        (lambda: encoder.set_vertex_buffers([b], [0], [-1], (0, 1)), r"strides\[0\] is -1"),
        (lambda: encoder.set_fragment_buffers([b], [16], (0, 1)), r"set_fragment_buffers: offsets\[0\] is 16"),
        (lambda: encoder.set_fragment_textures([], (0, 1)), "but 0 textures are given"),
        (lambda: encoder.set_vertex_sampler_states([None] * 17, (0, 17)), r"must lie in \(0, 16\)"),
        (lambda: encoder.set_fragment_visible_function_tables([None], (31, 1)), r"must lie in \(0, 31\)"),
        (lambda: encoder.use_resources([None], 1), r"resources\[0\] is None"),
        (lambda: encoder.use_heaps([], 0), "stages is 0"),
        (lambda: encoder.memory_barrier([b], 0, 1), "after is 0"),
        (lambda: encoder.set_viewports([(0, 0, 1, 1, 0, 1)] * 17), "17 are given"),
        (lambda: encoder.set_scissor_rects([]), "0 are given"),
    ):
        with pytest.raises(pm.ValidationError, match=problem):
            call()
    encoder.set_vertex_buffers([], [], (0, 0))  # nothing is set, which is fine


def test_resources_and_heaps_that_are_used_live_until_the_commands_end(device, encoder):
    import gc

    form = pm.HeapDescriptor()
    form.size, form.storage_mode = 1 << 16, pm.StorageMode.Shared
    heap = device.new_heap(form)
    encoder.use_heaps([heap], pm.RenderStages.Fragment)
    encoder.use_resources([heap.new_buffer(64, 0), numbers(device, 1)], pm.ResourceUsage.Read)
    encoder.memory_barrier([numbers(device, 1)], pm.RenderStages.Fragment, pm.RenderStages.Vertex)
    del heap
    gc.collect()
