# SPDX-License-Identifier: MIT
"""Six programs that do what PyMetal's examples do, from the device to the result, with its names and no others.

A Gaussian blur, three products of matrices, a triangle with depth, and what else there is: events, archives, argument
buffers, indirect commands, captures. The textures say no `usage`, which PyMetal cannot.
"""

import numpy as np
import pytest

import mtlpy_nb.metal as pm
from mtlpy_nb.metal.shader import ShaderTemplate, create_compute_kernel


def start(source):
    device = pm.create_system_default_device()
    library = device.new_library_with_source(source)
    return device, device.new_command_queue(), library


def shared(device, array):
    buffer = device.new_buffer(array.nbytes, pm.ResourceStorageModeShared)
    np.copyto(np.frombuffer(buffer.contents(), array.dtype), array.ravel())
    return buffer


def compute(queue, pipeline, buffers, groups, threads):
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    for index, buffer in enumerate(buffers):
        encoder.set_buffer(buffer, 0, index)
    encoder.dispatch_threadgroups(*groups, *threads)
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed


BLUR = """
#include <metal_stdlib>
using namespace metal;

struct Picture { uint width, height, radius; };

kernel void blur(device const float* from [[buffer(0)]], device float* to [[buffer(1)]],
                 device const float* weights [[buffer(2)]], constant Picture& picture [[buffer(3)]],
                 uint2 place [[thread_position_in_grid]])
{
    if (place.x >= picture.width || place.y >= picture.height) return;
    const int radius = picture.radius, side = 2 * radius + 1;
    float sum = 0;
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            const int column = clamp(int(place.x) + x, 0, int(picture.width) - 1);
            const int row = clamp(int(place.y) + y, 0, int(picture.height) - 1);
            sum += from[row * picture.width + column] * weights[(y + radius) * side + x + radius];
        }
    }
    to[place.y * picture.width + place.x] = sum;
}
"""


def test_1_a_gaussian_blur():
    device, queue, library = start(BLUR)
    pipeline = device.new_compute_pipeline_state(library.new_function("blur"))
    height, width, radius = 37, 51, 2
    picture = np.random.default_rng(1).random((height, width), dtype=np.float32)
    line = np.exp(-(np.arange(-radius, radius + 1) ** 2) / 2)
    weights = np.outer(line, line)
    weights = np.float32(weights / weights.sum())
    result = device.new_buffer(picture.nbytes, pm.ResourceStorageModeShared)
    facts = shared(device, np.uint32([width, height, radius]))
    buffers = [shared(device, picture), result, shared(device, weights), facts]
    compute(queue, pipeline, buffers, (4, 3, 1), (16, 16, 1))
    padded = np.pad(picture, radius, mode="edge")
    expected = sum(
        weights[y, x] * padded[y : y + height, x : x + width]
        for y in range(2 * radius + 1)
        for x in range(2 * radius + 1)
    )
    got = np.frombuffer(result.contents(), np.float32).reshape(height, width)
    np.testing.assert_allclose(got, expected, rtol=1e-5)


PLAIN = """
#include <metal_stdlib>
using namespace metal;
kernel void product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint2 place [[thread_position_in_grid]])
{
    if (place.x >= n || place.y >= n) return;
    float sum = 0;
    for (uint k = 0; k < n; ++k) sum += a[place.y * n + k] * b[k * n + place.x];
    c[place.y * n + place.x] = sum;
}
"""

# A threadgroup loads squares of both matrices once, for all of its threads.
TILED = """
#include <metal_stdlib>
using namespace metal;
constant uint side = {side};
kernel void product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint2 place [[thread_position_in_grid]], uint2 local [[thread_position_in_threadgroup]])
{{
    threadgroup float partA[side][side], partB[side][side];
    float sum = 0;
    for (uint start = 0; start < n; start += side) {{
        const uint column = start + local.x, row = start + local.y;
        partA[local.y][local.x] = place.y < n && column < n ? a[place.y * n + column] : 0;
        partB[local.y][local.x] = place.x < n && row < n ? b[row * n + place.x] : 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < side; ++k) sum += partA[local.y][k] * partB[k][local.x];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }}
    if (place.x < n && place.y < n) c[place.y * n + place.x] = sum;
}}
"""

# The same, and each thread keeps a column of four results in registers.
BLOCKED = """
#include <metal_stdlib>
using namespace metal;
constant uint side = {side}, own = 4;
kernel void product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint2 group [[threadgroup_position_in_grid]], uint2 local [[thread_position_in_threadgroup]])
{{
    threadgroup float partA[side * own][side], partB[side][side];
    const uint column = group.x * side + local.x, firstRow = (group.y * side + local.y) * own;
    float4 sum = 0;
    for (uint start = 0; start < n; start += side) {{
        for (uint i = 0; i < own; ++i) {{
            const bool isIn = firstRow + i < n && start + local.x < n;
            partA[local.y * own + i][local.x] = isIn ? a[(firstRow + i) * n + start + local.x] : 0;
        }}
        const uint row = start + local.y;
        partB[local.y][local.x] = row < n && column < n ? b[row * n + column] : 0;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < side; ++k) {{
            const float4 rows(partA[local.y * own][k], partA[local.y * own + 1][k], partA[local.y * own + 2][k],
                              partA[local.y * own + 3][k]);
            sum = fma(rows, float4(partB[k][local.x]), sum);
        }}
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }}
    for (uint i = 0; i < own; ++i)
        if (firstRow + i < n && column < n) c[(firstRow + i) * n + column] = sum[i];
}}
"""


@pytest.mark.parametrize(
    ("source", "rows_of_a_thread"),
    [(PLAIN, 1), (ShaderTemplate(TILED).render(side=8), 1), (ShaderTemplate(BLOCKED).render(side=8), 4)],
    ids=["2_plainly", "3_in_tiles", "4_in_registers"],
)
def test_a_product_of_matrices(source, rows_of_a_thread):
    device, queue, library = start(source)
    pipeline = device.new_compute_pipeline_state(library.new_function("product"))
    n, side = 45, 8
    a, b = (np.random.default_rng(seed).random((n, n), dtype=np.float32) for seed in (2, 3))
    result = device.new_buffer(a.nbytes, pm.ResourceStorageModeShared)
    buffers = [shared(device, a), shared(device, b), result, shared(device, np.uint32([n]))]
    rows = -(-n // (side * rows_of_a_thread))
    compute(queue, pipeline, buffers, (-(-n // side), rows, 1), (side, side, 1))
    product = np.frombuffer(result.contents(), np.float32).reshape(n, n)
    np.testing.assert_allclose(product, a.astype(np.float64) @ b, rtol=1e-5)


TRIANGLE = """
#include <metal_stdlib>
using namespace metal;

struct Corner { float4 position [[position]]; float4 color; };

vertex Corner corner(uint i [[vertex_id]], device const float4* places [[buffer(0)]],
                     device const float4* colors [[buffer(1)]])
{
    return {places[i], colors[i]};
}
fragment float4 shade(Corner in [[stage_in]]) { return in.color; }
"""


def test_5_triangles_with_depth():
    device, queue, library = start(TRIANGLE)
    size = 32
    color = device.new_texture(pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, size, size, False))
    depth_form = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.Depth32Float, size, size, False)
    depth_form.storage_mode = pm.StorageMode.Private
    depth = device.new_texture(depth_form)

    form = pm.RenderPipelineDescriptor.render_pipeline_descriptor()
    form.vertex_function = library.new_function("corner")
    form.fragment_function = library.new_function("shade")
    form.color_attachment(0).pixel_format = pm.PixelFormat.RGBA8Unorm
    form.depth_attachment_pixel_format = pm.PixelFormat.Depth32Float
    form.label = "triangles"
    pipeline = device.new_render_pipeline_state(form)
    assert pipeline.label == "triangles"
    tests = pm.DepthStencilDescriptor.depth_stencil_descriptor()
    tests.depth_compare_function = pm.CompareFunction.Less
    tests.depth_write_enabled = True

    render_pass = pm.RenderPassDescriptor.render_pass_descriptor()
    target = render_pass.color_attachment(0)
    target.texture, target.load_action, target.store_action = color, pm.LoadAction.Clear, pm.StoreAction.Store
    target.clear_color = pm.ClearColor(0.0, 0.0, 0.0, 1.0)
    render_pass.depth_attachment.texture = depth
    render_pass.depth_attachment.load_action = pm.LoadAction.Clear
    render_pass.depth_attachment.clear_depth = 1.0

    # The near one is drawn first, and hides the half of the far one that is behind it.
    near = [[-1, 1, 0.2, 1], [-1, -1, 0.2, 1], [0, -1, 0.2, 1]]
    far = [[-1, -1, 0.7, 1], [1, -1, 0.7, 1], [-1, 1, 0.7, 1]]
    places = np.float32(near + far)
    colors = np.float32([[1, 0, 0, 1]] * 3 + [[0, 1, 0, 1]] * 3)
    commands = queue.command_buffer()
    commands.label = "frame"
    encoder = commands.render_command_encoder(render_pass)
    encoder.set_render_pipeline_state(pipeline)
    encoder.set_depth_stencil_state(device.new_depth_stencil_state(tests))
    encoder.set_cull_mode(getattr(pm.CullMode, "None"))
    encoder.set_vertex_buffer(shared(device, places), 0, 0)
    encoder.set_vertex_buffer(shared(device, colors), 0, 1)
    encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 6)
    encoder.end_encoding()
    result = device.new_buffer(size * size * 4, pm.ResourceStorageModeShared)
    blit = commands.blit_command_encoder()
    blit.copy_from_texture_to_buffer(
        color, 0, 0, pm.Origin(0, 0, 0), pm.Size(size, size, 1), result, 0, size * 4, size * size * 4
    )
    blit.end_encoding()
    commands.commit()
    commands.wait_until_completed()

    got = np.frombuffer(result.contents(), np.uint8).reshape(size, size, 4)
    y, x = (axis + 0.5 for axis in np.mgrid[:size, :size])
    is_near = x < y / 2  # the edge from the upper left to the middle of the bottom
    is_far = x < y
    edges = (np.abs(x - y / 2) < 1) | (np.abs(x - y) < 1)
    expected = np.zeros((size, size, 4), np.uint8)
    expected[..., 3] = 255
    expected[is_far] = [0, 255, 0, 255]
    expected[is_near] = [255, 0, 0, 255]
    np.testing.assert_array_equal(got[~edges], expected[~edges])
    assert (got[is_near & ~edges] == [255, 0, 0, 255]).all()


def test_6_what_else_there_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = create_compute_kernel("double_it", "x[idx] = 2 * x[idx];", [("x", "float", "readwrite")])
    device, queue, library = start(source)
    queue.label = library.label = "advanced"
    function = library.new_function("double_it")
    assert library.new_function("no_such") is None
    assert (function.name, function.function_type) == ("double_it", pm.FunctionType.Kernel)
    pipeline = device.new_compute_pipeline_state(function)
    data = shared(device, np.arange(64, dtype=np.float32))

    # A queue waits for what another has done, told by a shared event; the processor reads how far it came.
    event, plain = device.new_shared_event(), device.new_event()
    event.signaled_value = 0
    assert event.device is plain.device is device
    manager = pm.shared_capture_manager()
    scope = manager.new_capture_scope_with_device(device)
    scope.label = "doubling"
    scope.begin_scope()
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(data, 0, 0)
    encoder.dispatch_threads(64, 1, 1, 32, 1, 1)
    encoder.end_encoding()
    commands.encode_signal_event(event, 7)
    commands.commit()
    scope.end_scope()
    commands.wait_until_completed()
    assert event.signaled_value == 7
    assert not manager.is_capturing
    np.testing.assert_array_equal(np.frombuffer(data.contents(), np.float32), 2 * np.arange(64))

    # Memory of a heap, filled and copied by the device.
    form = pm.HeapDescriptor.heap_descriptor()
    form.size, form.storage_mode, form.cpu_cache_mode = 1 << 16, pm.StorageMode.Shared, pm.CPUCacheMode.DefaultCache
    heap = device.new_heap(form)
    part = heap.new_buffer(256, pm.ResourceStorageModeShared)
    managed = device.new_buffer(128, pm.ResourceStorageModeManaged)
    blit_commands = queue.command_buffer()
    blit = blit_commands.blit_command_encoder()
    blit.fill_buffer(part, pm.Range(0, 128), 9)
    blit.copy_from_buffer(data, 0, part, 128, 128)
    blit.copy_from_buffer(data, 0, managed, 0, 128)
    blit.synchronize_resource(managed)
    blit.end_encoding()
    blit_commands.commit()
    blit_commands.wait_until_completed()
    got = np.frombuffer(part.contents(), np.uint8)
    assert (got[:128] == 9).all()
    np.testing.assert_array_equal(got[128:].view(np.float32), 2 * np.arange(32))
    np.testing.assert_array_equal(np.frombuffer(managed.contents(), np.float32), 2 * np.arange(32))

    # Descriptors of what programs prepare once and use for long.
    commands_form = pm.IndirectCommandBufferDescriptor.indirect_command_buffer_descriptor()
    commands_form.command_types = pm.IndirectCommandTypeDraw
    commands_form.inherit_buffers, commands_form.inherit_pipeline_state = True, True
    commands_form.max_vertex_buffer_bind_count = 4
    assert device.new_indirect_command_buffer(commands_form, 32, pm.ResourceStorageModeShared).size == 32
    archive = device.new_binary_archive(pm.BinaryArchiveDescriptor.binary_archive_descriptor())
    assert archive.device is device
    argument = pm.ArgumentDescriptor.argument_descriptor()
    argument.data_type, argument.index, argument.access = pm.DataType.Texture, 0, pm.BindingAccess.ReadOnly
    assert device.new_argument_encoder([argument]).encoded_length > 0


def test_the_program_of_a_person_who_says_no_usage_draws_and_writes(device, queue):
    """Nothing in PyMetal says what a texture is for: all is allowed."""
    form = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 4, 4, False)
    assert form.usage == pm.TextureUsage.Unknown
    texture = device.new_texture(form)
    library = device.new_library_with_source("""#include <metal_stdlib>
using namespace metal;
kernel void count(texture2d<float, access::write> out [[texture(0)]], uint2 p [[thread_position_in_grid]])
{ out.write(float4(p.x + 4 * p.y), p); }
""")
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(device.new_compute_pipeline_state(library.new_function("count")))
    encoder.set_texture(texture, 0)
    encoder.dispatch_threads(4, 4, 1, 4, 4, 1)
    encoder.end_encoding()
    render_pass = pm.RenderPassDescriptor.render_pass_descriptor()
    render_pass.color_attachment(0).texture = texture
    render_pass.color_attachment(0).load_action = pm.LoadAction.Load
    commands.render_command_encoder(render_pass).end_encoding()
    commands.commit()
    commands.wait_until_completed()
    out = np.empty((4, 4), np.float32)
    texture.download(out)
    np.testing.assert_array_equal(out, np.arange(16).reshape(4, 4))
    # The high level may read and write it, too.
    from mtlpy_nb import Texture

    found = Texture.from_metal(texture)
    assert (found.readable, found.writable) == (True, True)
