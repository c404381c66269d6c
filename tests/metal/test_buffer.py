# SPDX-License-Identifier: MIT
import mmap

import numpy as np
import pytest

import mtlpy_nb.metal as pm


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


def test_no_copy_needs_whole_pages(device):
    with pytest.raises(pm.ValidationError, match="whole pages"):
        device.new_buffer_no_copy(np.zeros(3, np.uint8))
    with pytest.raises(pm.ValidationError, match="writable"):
        device.new_buffer_no_copy(bytes(pm.page_size))
