# SPDX-License-Identifier: MIT
"""Counter sample buffers: timestamps where encoders begin and end, and between their commands."""

from __future__ import annotations

import numpy as np
import pytest

from .conftest import ADD

pm = pytest.importorskip("mtlpy_nb.metal")


@pytest.fixture
def samples(device):
    """Make room for timestamps: `samples(count)`."""

    def make(count, storage_mode=pm.StorageMode.Shared):
        descriptor = pm.CounterSampleBufferDescriptor()
        descriptor.counter_set = device.counter_sets[0]
        descriptor.sample_count = count
        descriptor.storage_mode = storage_mode
        descriptor.label = "times"
        return device.new_counter_sample_buffer(descriptor)

    return make


@pytest.fixture
def dispatch(device, pipeline):
    """Encode a dispatch that adds 64 numbers."""
    add = pipeline(ADD, "add")
    buffers = [device.new_buffer_with_data(np.ones(64, np.float32)) for _ in range(3)]

    def encode(encoder):
        encoder.set_compute_pipeline_state(add)
        for i, buffer in enumerate(buffers):
            encoder.set_buffer(buffer, 0, i)
        encoder.dispatch_threads((64, 1, 1), (64, 1, 1))

    return encode


def times(buffer, start=0, count=None):
    data = buffer.resolve_counter_range((start, buffer.sample_count - start if count is None else count))
    return np.frombuffer(data, np.uint64)


def test_a_device_says_what_it_samples_and_where(device):
    (timestamps,) = device.counter_sets
    assert (timestamps.name, timestamps.counters) == ("timestamp", ["GPUTimestamp"])
    assert repr(timestamps) == "<CounterSet timestamp>"
    assert device.counter_sets[0] is timestamps
    point = pm.CounterSamplingPoint
    for supported in (point.AtStageBoundary, point.AtDrawBoundary, point.AtDispatchBoundary, point.AtBlitBoundary):
        assert device.supports_counter_sampling(supported)
    assert not device.supports_counter_sampling(point.AtTileDispatchBoundary)


def test_a_buffer_is_what_its_descriptor_says(device, samples):
    buffer = samples(5)
    assert (buffer.sample_count, len(buffer), buffer.label) == (5, 5, "times")
    assert buffer.device is device
    assert (times(buffer) == pm.COUNTER_ERROR_VALUE).all()  # none is taken yet
    assert times(buffer, 3, 0).size == 0


def test_samples_between_dispatches_rise(device, queue, samples, dispatch):
    buffer = samples(4)
    before, _ = device.sample_timestamps()
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        for i in range(3):
            encoder.sample_counters_in_buffer(buffer, i)
            dispatch(encoder)
        encoder.sample_counters_in_buffer(buffer, 3, barrier=False)
    commands.commit()
    commands.wait_until_completed()
    _, after = device.sample_timestamps()
    taken = times(buffer)
    assert (np.diff(taken.astype(np.int64)) > 0).all()
    assert before <= taken[0]
    assert taken[-1] <= after
    # On the clock of the command buffer's own times.
    assert commands.gpu_start_time <= taken[0] * 1e-9 + 1e-9
    assert taken[-1] * 1e-9 <= commands.gpu_end_time + 1e-9


def test_a_pass_samples_where_its_encoder_begins_and_ends(queue, samples, dispatch):
    buffer, other = samples(3), samples(2)
    descriptor = pm.ComputePassDescriptor()
    attachment = descriptor.sample_buffer_attachments[0]
    attachment.sample_buffer = buffer
    attachment.start_of_encoder_sample_index, attachment.end_of_encoder_sample_index = 2, 0
    second = pm.ComputePassSampleBufferAttachmentDescriptor()
    assert (second.sample_buffer, second.start_of_encoder_sample_index) == (None, pm.COUNTER_DONT_SAMPLE)
    second.sample_buffer = other
    second.end_of_encoder_sample_index = 1
    descriptor.sample_buffer_attachments[3] = second
    second.end_of_encoder_sample_index = 0  # a copy was taken
    assert descriptor.sample_buffer_attachments[3].end_of_encoder_sample_index == 1
    commands = queue.command_buffer()
    with commands.compute_command_encoder(descriptor) as encoder:
        dispatch(encoder)
    commands.commit()
    commands.wait_until_completed()
    end, none, start = times(buffer)
    assert start < end
    assert none == pm.COUNTER_ERROR_VALUE
    nothing, also_end = times(other)
    assert nothing == pm.COUNTER_ERROR_VALUE
    assert start < also_end


def test_blits_sample_and_resolve(device, queue, samples):
    buffer = samples(4, pm.StorageMode.Private)
    memory, resolved = device.new_buffer(1 << 16), device.new_buffer(48)
    descriptor = pm.BlitPassDescriptor()
    attachment = descriptor.sample_buffer_attachments[1]
    attachment.sample_buffer = buffer
    attachment.start_of_encoder_sample_index = 0
    attachment.end_of_encoder_sample_index = 2
    commands = queue.command_buffer()
    with commands.blit_command_encoder(descriptor) as encoder:
        encoder.fill_buffer(memory, (0, 1 << 16), 7)
        encoder.sample_counters_in_buffer(buffer, 1)
        encoder.fill_buffer(memory, (0, 1 << 16), 8)
    with commands.blit_command_encoder() as encoder:
        encoder.resolve_counters(buffer, (0, 4), resolved, 16)
    commands.commit()
    commands.wait_until_completed()
    first, second, start, between, end, missing = np.frombuffer(resolved.contents(), np.uint64)
    assert (first, second) == (0, 0)
    assert start < between < end
    assert missing == pm.COUNTER_ERROR_VALUE
    with pytest.raises(pm.ValidationError, match="storage is private; BlitCommandEncoder::resolveCounters copies"):
        buffer.resolve_counter_range((0, 1))


def test_a_render_pass_samples_where_it_begins_and_ends(device, queue, samples):
    buffer = samples(5)
    target = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R8Unorm, 64, 64, False)
    target.usage = pm.TextureUsage.RenderTarget
    descriptor = pm.RenderPassDescriptor()
    descriptor.color_attachment(0).texture = device.new_texture(target)
    descriptor.color_attachment(0).load_action = pm.LoadAction.Clear
    attachment = descriptor.sample_buffer_attachments[2]
    attachment.sample_buffer = buffer
    assert attachment.end_of_vertex_sample_index == pm.COUNTER_DONT_SAMPLE
    attachment.start_of_vertex_sample_index, attachment.start_of_fragment_sample_index = 4, 0
    attachment.end_of_fragment_sample_index = 1
    with pytest.raises(pm.ValidationError, match="end_of_vertex_sample_index is 5"):
        attachment.end_of_vertex_sample_index = 5
    attachment.end_of_vertex_sample_index = 2
    commands = queue.command_buffer()
    commands.render_command_encoder(descriptor).end_encoding()
    commands.commit()
    commands.wait_until_completed()
    fragments, end, no_more_vertices, none, vertices = times(buffer)
    assert vertices <= no_more_vertices <= fragments <= end
    assert vertices < end
    assert none == pm.COUNTER_ERROR_VALUE


DRAWS = """
#include <metal_stdlib>
using namespace metal;
vertex float4 corner(uint i [[vertex_id]], device atomic_uint* done [[buffer(0)]]) {
    atomic_fetch_add_explicit(done, 1, memory_order_relaxed);
    return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1);
}
fragment float4 add(float4 before [[color(0)]]) { return before + 0.25; }
"""


@pytest.fixture(scope="module")
def drawing(device):
    """A pass of 70 x 70 pixels (several tiles), with what it draws: `begin()`, then `draw(encoder)`."""
    library = device.new_library_with_source(DRAWS)
    descriptor = pm.RenderPipelineDescriptor()
    descriptor.vertex_function, descriptor.fragment_function = (
        library.new_function("corner"),
        library.new_function("add"),
    )
    descriptor.color_attachment(0).pixel_format = pm.PixelFormat.R32Float
    state = device.new_render_pipeline_state(descriptor)
    target = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 70, 70, False)
    target.usage = pm.TextureUsage.RenderTarget
    counted = device.new_buffer(64)

    def begin():
        descriptor = pm.RenderPassDescriptor()
        descriptor.color_attachment(0).texture = device.new_texture(target)
        descriptor.color_attachment(0).load_action = pm.LoadAction.Clear
        descriptor.color_attachment(0).clear_color = pm.ClearColor(0, 0, 0, 0)
        return descriptor

    def draw(encoder):
        encoder.set_render_pipeline_state(state)
        encoder.set_vertex_buffer(counted, 0, 0)
        encoder.draw_primitives(pm.PrimitiveType.Triangle, 0, 3)

    return begin, draw


def picture(descriptor):
    texels = np.zeros((70, 70, 1), np.float32)
    descriptor.color_attachment(0).texture.download(texels)
    return texels


def test_samples_between_draws_rise_and_change_nothing(device, queue, samples, drawing):
    begin, draw = drawing
    buffer, descriptor = samples(5), begin()
    before, _ = device.sample_timestamps()
    commands = queue.command_buffer()
    encoder = commands.render_command_encoder(descriptor)
    for i in range(4):
        encoder.sample_counters_in_buffer(buffer, i)
        if i != 3:
            draw(encoder)
    encoder.sample_counters_in_buffer(buffer, 4, barrier=False)
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed, commands.error
    _, after = device.sample_timestamps()
    taken = times(buffer).astype(np.int64)
    assert (np.diff(taken[:4]) > 0).all()  # a draw lies in between
    assert before <= taken[0]
    assert taken[3] <= taken[4] <= after
    np.testing.assert_array_equal(picture(descriptor), 0.75)


def test_encoders_of_a_parallel_pass_sample_in_their_order(device, queue, samples, drawing):
    begin, draw = drawing
    buffer, descriptor = samples(3), begin()
    commands = queue.command_buffer()
    parallel = commands.parallel_render_command_encoder(descriptor)
    first, second = parallel.render_command_encoder(), parallel.render_command_encoder()
    second.sample_counters_in_buffer(buffer, 1)
    draw(second)
    second.sample_counters_in_buffer(buffer, 2)
    second.end_encoding()
    first.sample_counters_in_buffer(buffer, 0)
    draw(first)
    first.end_encoding()
    parallel.end_encoding()
    commands.commit()
    commands.wait_until_completed()
    assert (np.diff(times(buffer).astype(np.int64)) > 0).all()
    np.testing.assert_array_equal(picture(descriptor), 0.5)


def test_a_wrong_sample_of_a_pass_is_refused(queue, samples, drawing):
    begin, draw = drawing
    buffer = samples(2)
    commands = queue.command_buffer()
    encoder = commands.render_command_encoder(begin())
    with pytest.raises(pm.ValidationError, match="sample_index is 2"):
        encoder.sample_counters_in_buffer(buffer, 2)
    draw(encoder)
    encoder.end_encoding()
    with pytest.raises(pm.ValidationError, match="the encoder has ended"):
        encoder.sample_counters_in_buffer(buffer, 0)
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed
    assert (times(buffer) == pm.COUNTER_ERROR_VALUE).all()


def test_what_a_command_buffer_samples_outlives_the_sample_buffer(queue, samples, dispatch):
    commands = queue.command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.sample_counters_in_buffer(samples(1), 0)
        dispatch(encoder)
    commands.commit()
    commands.wait_until_completed()
    assert commands.status == pm.CommandBufferStatus.Completed


def test_wrong_descriptors_are_refused(device):
    descriptor = pm.CounterSampleBufferDescriptor()
    assert (descriptor.counter_set, descriptor.sample_count, descriptor.label) == (None, 0, "")
    assert descriptor.storage_mode == pm.StorageMode.Shared
    with pytest.raises(pm.ValidationError, match="the descriptor has no counter_set"):
        device.new_counter_sample_buffer(descriptor)
    descriptor.counter_set = device.counter_sets[0]
    with pytest.raises(pm.ValidationError, match="sample_count is 0, must be 1 or more"):
        device.new_counter_sample_buffer(descriptor)
    with pytest.raises(pm.ValidationError, match="sample_count is 0, must be 1 to"):
        descriptor.sample_count = 0
    descriptor.sample_count = 4097
    with pytest.raises(pm.ValidationError, match=r"sampleCount\(4097\) must be 1 to 4096"):
        device.new_counter_sample_buffer(descriptor)
    descriptor.sample_count = 4096
    descriptor.storage_mode = pm.StorageMode.Managed
    with pytest.raises(pm.ValidationError, match="must be shared or private"):
        device.new_counter_sample_buffer(descriptor)
    descriptor.storage_mode = pm.StorageMode.Private
    assert device.new_counter_sample_buffer(descriptor).sample_count == 4096


def test_wrong_places_are_refused_and_change_nothing(device, queue, samples):
    buffer = samples(2)
    with pytest.raises(
        pm.ValidationError, match=r"range is \(1, 2\), must be in the sample buffer, which has 2 samples"
    ):
        buffer.resolve_counter_range((1, 2))
    with pytest.raises(pm.ValidationError, match="index is 4"):
        pm.ComputePassDescriptor().sample_buffer_attachments[4]
    descriptor = pm.ComputePassDescriptor()
    attachment = descriptor.sample_buffer_attachments[0]
    attachment.start_of_encoder_sample_index = 9  # of which buffer, shows later
    attachment.sample_buffer = buffer
    with pytest.raises(pm.ValidationError, match="end_of_encoder_sample_index is 2"):
        attachment.end_of_encoder_sample_index = 2
    commands = queue.command_buffer()
    with pytest.raises(pm.ValidationError, match="start_of_encoder_sample_index is 9"):
        commands.compute_command_encoder(descriptor)
    small = device.new_buffer(16)
    with commands.blit_command_encoder() as encoder:
        with pytest.raises(pm.ValidationError, match="sample_index is 2"):
            encoder.sample_counters_in_buffer(buffer, 2)
        with pytest.raises(pm.ValidationError, match="destination_offset is 4, must be a multiple of 8"):
            encoder.resolve_counters(buffer, (0, 1), small, 4)
        with pytest.raises(pm.ValidationError, match="16 bytes at offset 8 don't fit the destination of 16 bytes"):
            encoder.resolve_counters(buffer, (0, 2), small, 8)
    with pytest.raises(pm.ValidationError, match="the encoder has ended"):
        encoder.sample_counters_in_buffer(buffer, 0)
    commands.commit()
    commands.wait_until_completed()
    assert (times(buffer) == pm.COUNTER_ERROR_VALUE).all()
