# SPDX-License-Identifier: MIT
"""Whole programs, written for PyMetal or for Metal itself."""

import numpy as np

import mtlpy_nb.metal as pm


def test_vector_addition_as_in_pymetals_readme():
    device = pm.create_system_default_device()
    queue = device.new_command_queue()
    size = 1024
    a = np.random.randn(size).astype(np.float32)
    b = np.random.randn(size).astype(np.float32)
    shader = """
    #include <metal_stdlib>
    using namespace metal;

    kernel void vector_add(
        device const float* a [[buffer(0)]],
        device const float* b [[buffer(1)]],
        device float* c [[buffer(2)]],
        uint id [[thread_position_in_grid]])
    {
        c[id] = a[id] + b[id];
    }
    """
    library = device.new_library_with_source(shader)
    function = library.new_function("vector_add")
    pipeline = device.new_compute_pipeline_state(function)
    a_buffer = device.new_buffer(a.nbytes, pm.ResourceStorageModeShared)
    b_buffer = device.new_buffer(b.nbytes, pm.ResourceStorageModeShared)
    c_buffer = device.new_buffer(a.nbytes, pm.ResourceStorageModeShared)
    np.copyto(np.frombuffer(a_buffer.contents(), dtype=np.float32), a)
    np.copyto(np.frombuffer(b_buffer.contents(), dtype=np.float32), b)
    cmd_buffer = queue.command_buffer()
    encoder = cmd_buffer.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(a_buffer, 0, 0)
    encoder.set_buffer(b_buffer, 0, 1)
    encoder.set_buffer(c_buffer, 0, 2)
    encoder.dispatch_threadgroups(16, 1, 1, 64, 1, 1)
    encoder.end_encoding()
    cmd_buffer.commit()
    cmd_buffer.wait_until_completed()
    result = np.frombuffer(c_buffer.contents(), dtype=np.float32, count=size)
    np.testing.assert_array_equal(result, a + b)
    assert cmd_buffer.status == pm.CommandBufferStatus.Completed
    assert 0 < cmd_buffer.gpu_start_time <= cmd_buffer.gpu_end_time
    assert cmd_buffer.error is None


def test_several_dispatches_in_one_encoder_run_in_order(device, queue, pipeline, filled):
    source = """
    #include <metal_stdlib>
    kernel void square(device int* x, uint i [[thread_position_in_grid]]) { x[i] *= x[i]; }
    kernel void increment(device int* x, uint i [[thread_position_in_grid]]) { x[i] += 1; }
    """
    buffer = filled(np.arange(1000, dtype=np.int32))
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        for name in ("square", "increment", "square"):
            encoder.set_compute_pipeline_state(pipeline(source, name))
            encoder.set_buffer(buffer, 0, 0)
            encoder.dispatch_threads(1000, 64)
    commands.commit()
    assert commands.wait(timeout=60)
    expected = (np.arange(1000, dtype=np.int32) ** 2 + 1) ** 2
    np.testing.assert_array_equal(np.frombuffer(buffer, np.int32), expected)


def test_bytes_offsets_and_threadgroup_memory(device, queue, pipeline, filled):
    source = """
    #include <metal_stdlib>
    using namespace metal;
    kernel void sum_groups(device const float* x [[buffer(0)]], device float* out [[buffer(1)]],
                           constant float& scale [[buffer(2)]], threadgroup float* scratch [[threadgroup(0)]],
                           uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                           uint group [[threadgroup_position_in_grid]], uint n [[threads_per_threadgroup]])
    {
        scratch[t] = x[i] * scale;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        if (t == 0) {
            float total = 0;
            for (uint j = 0; j < n; ++j) total += scratch[j];
            out[group] = total;
        }
    }
    """
    x = np.arange(320, dtype=np.float32)
    out = device.new_buffer(4 * 4)
    commands = queue.command_buffer()
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline(source, "sum_groups"))
    encoder.set_buffer(filled(x), 64 * 4, 0)
    encoder.set_buffer(out, 0, 1)
    encoder.set_bytes(np.float32(2), 2)
    encoder.set_threadgroup_memory_length(64 * 4, 0)
    encoder.dispatch_threadgroups((4, 1, 1), (64, 1, 1))
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    np.testing.assert_array_equal(np.frombuffer(out, np.float32), 2 * x[64:].reshape(4, 64).sum(axis=1))


def test_indirect_dispatch(device, queue, pipeline, filled):
    source = """
    #include <metal_stdlib>
    kernel void mark(device int* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }
    """
    x = filled(np.zeros(100, np.int32))
    size = filled(np.array([0, 3, 1, 1], np.uint32))
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(pipeline(source, "mark"))
        encoder.set_buffer(x, 0, 0)
        encoder.dispatch_threadgroups_indirect(size, 4, (16, 1, 1))
    commands.commit()
    commands.wait_until_completed()
    assert np.frombuffer(x, np.int32).sum() == 48
