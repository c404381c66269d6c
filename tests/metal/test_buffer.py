# SPDX-License-Identifier: MIT
import gc
import mmap

import numpy as np
import pytest
from settling import eventually

import mtlpy_nb.metal as pm

DOUBLE = """
#include <metal_stdlib>
using namespace metal;
kernel void twice(texture2d<float, access::read_write> x, uint2 i [[thread_position_in_grid]]) {
    x.write(x.read(i) * 2, i);
}
"""


def test_contents_is_live(device):
    buffer = device.new_buffer(64)
    view = buffer.contents()
    assert view.dtype == np.uint8
    assert view.shape == (64,)
    view[:] = 3
    assert bytes(buffer) == b"\3" * 64
    np.frombuffer(buffer, np.float32)[:] = 1
    np.testing.assert_array_equal(view.view(np.float32), np.ones(16, np.float32))
    assert memoryview(buffer).nbytes == len(buffer) == buffer.length == 64
    assert buffer.data_ptr == view.ctypes.data
    assert buffer.gpu_address


def test_data_is_copied(device):
    data = np.arange(10, dtype=np.int16)
    buffer = device.new_buffer_with_data(data)
    data[:] = 0
    np.testing.assert_array_equal(np.frombuffer(buffer, np.int16), np.arange(10))
    assert bytes(device.new_buffer_with_data(b"abcdef", 3)) == b"abc"
    assert bytes(device.new_buffer_with_data(b"abcdef", 3, pm.ResourceStorageModeShared)) == b"abc"


def test_bad_data_is_refused(device):
    with pytest.raises(pm.ValidationError, match="length is 7, data has 6 bytes"):
        device.new_buffer_with_data(b"abcdef", 7)
    with pytest.raises(pm.ValidationError, match="length is 0"):
        device.new_buffer_with_data(b"")
    with pytest.raises(pm.ValidationError, match="C-contiguous"):
        device.new_buffer_with_data(np.arange(10)[::2])
    with pytest.raises(pm.ValidationError, match="may not be private"):
        device.new_buffer_with_data(b"abc", 3, pm.ResourceStorageModePrivate)
    with pytest.raises(TypeError):
        device.new_buffer_with_data([1, 2, 3])


def test_private_bytes_are_out_of_reach(device):
    buffer = device.new_buffer(64, pm.ResourceStorageModePrivate)
    assert buffer.storage_mode == pm.StorageMode.Private
    assert buffer.data_ptr == 0
    with pytest.raises(pm.ResourceError, match="private storage"):
        buffer.contents()
    with pytest.raises(BufferError, match="private storage"):
        memoryview(buffer)
    with pytest.raises(pm.ResourceError):
        buffer.copy_from(b"abc")


def test_copies_in_and_out(device):
    buffer = device.new_buffer(16)
    buffer.contents()[:] = 0
    buffer.copy_from(b"abcd", 4)
    out = bytearray(6)
    buffer.copy_to(out, 3)
    assert out == b"\0abcd\0"
    with pytest.raises(pm.ValidationError, match="copy_from: 4 bytes at offset 13 don't fit the buffer of 16 bytes"):
        buffer.copy_from(b"abcd", 13)
    with pytest.raises(pm.ValidationError, match="offset -1"):
        buffer.copy_to(out, -1)
    with pytest.raises(pm.ValidationError, match="writable"):
        buffer.copy_to(b"abc")


def test_managed_buffers_are_told_of_changes(device):
    buffer = device.new_buffer(16, pm.ResourceStorageModeManaged)
    if buffer.storage_mode != pm.StorageMode.Managed:
        pytest.skip("the device has no managed storage")
    buffer.contents()[:4] = 1
    buffer.did_modify_range(0, 4)
    buffer.did_modify_range(pm.Range(0, 4))
    with pytest.raises(pm.ValidationError, match="don't fit"):
        buffer.did_modify_range(10, 10)
    with pytest.raises(pm.ValidationError, match="isn't managed"):
        device.new_buffer(16).did_modify_range(0, 4)


def test_no_copy_buffers_share_memory_and_keep_it(device, queue, pipeline):
    memory = mmap.mmap(-1, 4 * pm.page_size)
    array = np.frombuffer(memory, np.int32)
    array[:] = 5
    buffer = device.new_buffer_no_copy(array)
    source = """
    #include <metal_stdlib>
    kernel void twice(device int* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
    """
    commands = pm.dispatch(queue, pipeline(source, "twice"), [buffer], grid=len(array), threadgroup=256, wait=False)
    del buffer
    commands.wait()
    assert (array == 10).all()
    del commands
    with pytest.raises(BufferError):
        memory.close()
    del array
    memory.close()


class Shared:
    """A texture of 16 x 16 floats on a page of Python's memory, seen through a view."""

    def __init__(self, device):
        self.memory = mmap.mmap(-1, pm.page_size)
        self.memory[:] = np.full(pm.page_size // 4, 3, np.float32).tobytes()
        descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, 16, 16, False)
        descriptor.usage = pm.TextureUsage.ShaderRead | pm.TextureUsage.ShaderWrite | pm.TextureUsage.RenderTarget
        texture = device.new_buffer_no_copy(self.memory).new_texture(descriptor, 0, 64)
        self.view = texture.new_texture_view(pm.PixelFormat.R32Float)

    def is_held(self):
        gc.collect()
        try:
            self.memory.close()
        except BufferError:
            return True
        return False

    def texels(self):
        return np.frombuffer(self.memory[: 16 * 64], np.float32)


def test_a_texture_keeps_the_memory_that_it_is_on(device):
    shared = Shared(device)
    assert shared.is_held()  # by the view alone: buffer and texture have gone
    texels = np.zeros((16, 16), np.float32)
    shared.view.download(texels)
    assert (texels == 3).all()
    del shared.view
    assert not shared.is_held()


@pytest.mark.parametrize("use", ["argument", "copy", "attachment"])
def test_commands_keep_the_memory_that_a_texture_is_on(device, queue, pipeline, use):
    shared = Shared(device)
    commands = queue.command_buffer()
    if use == "argument":
        encoder = commands.compute_command_encoder()
        encoder.set_compute_pipeline_state(pipeline(DOUBLE, "twice"))
        encoder.set_texture(shared.view, 0)
        encoder.dispatch_threads((16, 16, 1), (16, 16, 1))
    elif use == "copy":
        encoder = commands.blit_command_encoder()
        sixes = device.new_buffer_with_data(np.full(256, 6, np.float32))
        encoder.copy_from_buffer_to_texture(sixes, 0, 64, 1024, (16, 16, 1), shared.view, 0, 0, (0, 0, 0))
    else:
        target = pm.RenderPassDescriptor()
        target.color_attachment(0).texture = shared.view
        target.color_attachment(0).load_action = pm.LoadAction.Clear
        target.color_attachment(0).clear_color = pm.ClearColor(6, 0, 0, 0)
        encoder = commands.render_command_encoder(target)
        del target
    encoder.end_encoding()
    del encoder, shared.view
    assert shared.is_held()
    commands.commit()
    commands.wait_until_completed()
    assert (shared.texels() == 6).all()
    del commands
    eventually(lambda: not shared.is_held())


def test_commands_keep_what_they_use_whatever_their_descriptor_says(device, queue):
    shared = Shared(device)
    descriptor = pm.CommandBufferDescriptor()
    descriptor.retained_references = False
    commands = queue.command_buffer(descriptor)
    with commands.blit_command_encoder() as encoder:
        encoder.fill_buffer(shared.view.parent_texture.buffer, (0, pm.page_size), 0)
    del encoder, shared.view
    assert shared.is_held()
    commands.commit()
    commands.wait_until_completed()
    assert not shared.texels().any()


@pytest.mark.parametrize("holder", ["pass", "visibility", "commands", "buffer"])
def test_whatever_holds_a_no_copy_buffer_holds_its_memory(device, holder):
    """Not only objects of Python's: Metal's own hold one another, and give one back later."""
    shared = Shared(device)
    if holder == "pass":
        held = pm.RenderPassDescriptor()
        held.color_attachment(0).texture = shared.view
    elif holder == "visibility":
        held = pm.RenderPassDescriptor()
        held.visibility_result_buffer = shared.view.parent_texture.buffer
    elif holder == "commands":
        descriptor = pm.IndirectCommandBufferDescriptor()
        descriptor.command_types = pm.IndirectCommandTypeConcurrentDispatch
        descriptor.inherit_pipeline_state, descriptor.inherit_buffers = True, False
        descriptor.max_kernel_buffer_bind_count = 1
        held = device.new_indirect_command_buffer(descriptor, 1, 0)
        held.indirect_compute_command(0).set_kernel_buffer(shared.view.parent_texture.buffer, 0, 0)
    else:
        held = shared.view.parent_texture.buffer
    del shared.view
    assert shared.is_held()
    del held
    eventually(lambda: not shared.is_held())


def test_no_copy_needs_whole_pages(device):
    with pytest.raises(pm.ValidationError, match="whole pages"):
        device.new_buffer_no_copy(np.zeros(3, np.uint8))
    with pytest.raises(pm.ValidationError, match="writable"):
        device.new_buffer_no_copy(bytes(pm.page_size))
