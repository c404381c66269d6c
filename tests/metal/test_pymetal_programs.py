# SPDX-License-Identifier: MIT
"""Programs as they are written for PyMetal, in its forms of the calls alone: what its examples do, ours do too.

Vector addition is in test_vector_addition.py, triangles and textured squares are in test_render.py.
"""

import numpy as np
import pytest

import mtlpy_nb.metal as pm

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void blur(texture2d<float, access::read> source [[texture(0)]],
                 texture2d<float, access::write> result [[texture(1)]], uint2 gid [[thread_position_in_grid]])
{
    int2 size = int2(result.get_width(), result.get_height());
    if (gid.x >= uint(size.x) || gid.y >= uint(size.y)) return;
    float4 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += source.read(uint2(clamp(int2(gid) + int2(x, y), int2(0), size - 1)));
    result.write(sum / 9, gid);
}

constant uint side = 8;
kernel void product(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint2 group [[threadgroup_position_in_grid]], uint2 local [[thread_position_in_threadgroup]])
{
    threadgroup float partA[side][side], partB[side][side];
    uint row = group.y * side + local.y, column = group.x * side + local.x;
    float sum = 0;
    for (uint start = 0; start < n; start += side) {
        partA[local.y][local.x] = a[row * n + start + local.x];
        partB[local.y][local.x] = b[(start + local.y) * n + column];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < side; ++k) sum += partA[local.y][k] * partB[k][local.x];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    c[row * n + column] = sum;
}

kernel void increase(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }

struct Scene { device uint* values [[id(0)]]; uint step [[id(1)]]; };
kernel void step(constant Scene& scene [[buffer(0)]], uint i [[thread_position_in_grid]])
{
    scene.values[i] += scene.step;
}
"""


@pytest.fixture(scope="module")
def functions(device):
    library = device.new_library_with_source(SOURCE)
    return {name: library.new_function(name) for name in library.function_names}


@pytest.fixture(scope="module")
def pipelines(device, functions):
    return {name: device.new_compute_pipeline_state(function) for name, function in functions.items()}


def run(commands):
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed


def test_blur_a_picture(device, queue, pipelines):
    width, height = 13, 9
    picture = np.random.default_rng(1).integers(0, 256, (height, width, 4), dtype=np.uint8)
    textures = []
    for usage in (pm.TextureUsage.ShaderRead, pm.TextureUsage.ShaderWrite):
        descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.RGBA8Unorm, width, height, False)
        descriptor.usage = usage
        textures.append(device.new_texture(descriptor))
    textures[0].replace_region(picture.tobytes(), width * 4, 0, 0, width, height)
    result = device.new_buffer(width * height * 4, pm.ResourceStorageModeShared)

    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipelines["blur"])
    encoder.set_texture(textures[0], 0)
    encoder.set_texture(textures[1], 1)
    encoder.dispatch_threadgroups(2, 2, 1, 8, 8, 1)
    encoder.end_encoding()
    blit = commands.blit_command_encoder()
    blit.copy_from_texture_to_buffer(
        textures[1], 0, 0, pm.Origin(0, 0, 0), pm.Size(width, height, 1), result, 0, width * 4, width * height * 4
    )
    blit.end_encoding()
    run(commands)

    padded = np.pad(picture.astype(np.float64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    mean = sum(padded[y : y + height, x : x + width] for y in range(3) for x in range(3)) / 9
    blurred = np.frombuffer(result.contents(), np.uint8).reshape(height, width, 4)
    assert np.abs(blurred - mean).max() <= 0.5 + 1e-3


def test_multiply_matrices(device, queue, pipelines):
    n = 24
    a, b = (np.random.default_rng(seed).random((n, n), dtype=np.float32) for seed in (2, 3))
    buffers = [device.new_buffer_with_data(x.tobytes(), x.nbytes, pm.ResourceStorageModeShared) for x in (a, b)]
    buffers.append(device.new_buffer(a.nbytes, pm.ResourceStorageModeShared))
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipelines["product"])
    for index, buffer in enumerate(buffers):
        encoder.set_buffer(buffer, 0, index)
    encoder.set_bytes(np.uint32(n).tobytes(), 3)
    encoder.dispatch_threadgroups(n // 8, n // 8, 1, 8, 8, 1)
    encoder.end_encoding()
    run(commands)
    product = np.frombuffer(buffers[2].contents(), np.float32).reshape(n, n)
    assert np.allclose(product, a.astype(np.float64) @ b, rtol=1e-5)


def encode(commands, pipeline, buffer, count=4):
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(buffer, 0, 0)
    encoder.dispatch_threads(count, 1, 1, count, 1, 1)
    encoder.end_encoding()


def values(buffer):
    return np.frombuffer(buffer.contents(), np.uint32).tolist()


def test_queues_wait_for_each_other_by_events(device, queue, pipelines):
    buffer = device.new_buffer_with_data(bytes(16), 16, 0)
    event = device.new_shared_event()
    second = device.new_command_queue().command_buffer()
    second.encode_wait_for_event(event, 1)
    encode(second, pipelines["increase"], buffer)
    second.commit()
    first = queue.command_buffer()
    blit = first.blit_command_encoder()
    blit.fill_buffer(buffer, pm.Range(0, 16), 1)
    blit.end_encoding()
    first.encode_signal_event(event, 1)
    first.commit()
    second.wait_until_completed()
    assert event.signaled_value == 1
    assert values(buffer) == [0x01010102] * 4


def test_a_heap_and_a_fence(device, queue, pipelines):
    descriptor = pm.HeapDescriptor.heap_descriptor()
    descriptor.size = 1 << 16
    descriptor.storage_mode = pm.StorageMode.Shared
    heap = device.new_heap(descriptor)
    buffer = heap.new_buffer(16, pm.ResourceStorageModeShared)
    assert heap.used_size >= 16
    assert heap.max_available_size(256) < heap.size
    np.frombuffer(buffer.contents(), np.uint32)[:] = 5
    fence = device.new_fence()
    commands = queue.command_buffer()
    for _ in range(2):
        encoder = commands.compute_command_encoder()
        encoder.wait_for_fence(fence)
        encoder.set_compute_pipeline_state(pipelines["increase"])
        encoder.set_buffer(buffer, 0, 0)
        encoder.dispatch_threads(4, 1, 1, 4, 1, 1)
        encoder.update_fence(fence)
        encoder.end_encoding()
    run(commands)
    assert values(buffer) == [7] * 4


def test_an_argument_buffer(device, queue, functions, pipelines):
    numbers = device.new_buffer_with_data(bytes(16), 16, 0)
    encoder = functions["step"].new_argument_encoder(0)
    arguments = device.new_buffer(encoder.encoded_length, pm.ResourceStorageModeShared)
    encoder.set_argument_buffer(arguments, 0)
    encoder.set_buffer(numbers, 0, 0)
    offset = encoder.constant_data(1) - arguments.data_ptr
    np.frombuffer(arguments.contents(), np.uint32, 1, offset)[:] = 3
    commands = queue.command_buffer()
    compute = commands.compute_command_encoder()
    compute.use_resource(numbers, pm.ResourceUsage.Read | pm.ResourceUsage.Write)
    compute.set_compute_pipeline_state(pipelines["step"])
    compute.set_buffer(arguments, 0, 0)
    compute.dispatch_threads(4, 1, 1, 4, 1, 1)
    compute.end_encoding()
    run(commands)
    assert values(numbers) == [3] * 4


def test_an_indirect_command_buffer_for_draws(device):
    descriptor = pm.IndirectCommandBufferDescriptor.indirect_command_buffer_descriptor()
    descriptor.command_types = pm.IndirectCommandTypeDraw | pm.IndirectCommandTypeDrawIndexed
    descriptor.inherit_buffers = False
    descriptor.inherit_pipeline_state = True
    descriptor.max_vertex_buffer_bind_count = 4
    commands = device.new_indirect_command_buffer(descriptor, 16, pm.ResourceStorageModeShared)
    commands.label = "draws"
    assert (commands.size, commands.label) == (16, "draws")
    commands.reset(pm.Range(0, 16))


def test_a_binary_archive(device, functions, tmp_path):
    archive = device.new_binary_archive(pm.BinaryArchiveDescriptor.binary_archive_descriptor())
    archive.label = "kernels"
    descriptor = pm.ComputePipelineDescriptor()
    descriptor.compute_function = functions["increase"]
    archive.add_compute_pipeline_functions(descriptor)
    archive.serialize_to_url(str(tmp_path / "kernels.bin"))
    again = pm.BinaryArchiveDescriptor.binary_archive_descriptor()
    again.set_url(str(tmp_path / "kernels.bin"))
    assert device.new_binary_archive(again).device is device


def test_a_capture_of_a_scope(device, queue, pipelines, tmp_path, monkeypatch):
    if not pm.is_software(device):
        pytest.skip("on a Mac Xcode takes the capture")
    monkeypatch.chdir(tmp_path)
    manager = pm.shared_capture_manager()
    scope = manager.new_capture_scope_with_command_queue(queue)
    scope.label = "increase"
    manager.default_capture_scope = scope
    buffer = device.new_buffer_with_data(bytes(16), 16, 0)
    manager.start_capture_with_scope(scope)
    try:
        assert manager.is_capturing
        scope.begin_scope()
        commands = queue.command_buffer()
        encode(commands, pipelines["increase"], buffer)
        run(commands)
        scope.end_scope()
    finally:
        manager.stop_capture()
        manager.default_capture_scope = None
    assert not manager.is_capturing
    assert [path.suffix for path in tmp_path.iterdir()] == [".metalcapture"]
    assert values(buffer) == [1] * 4


def test_objects_know_their_device_and_it_is_the_same(device, queue):
    assert queue.device is device
    assert queue.command_buffer().device is device
    assert device.new_event().device is device
    assert device.new_buffer(4, 0).device is device
