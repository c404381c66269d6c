# SPDX-License-Identifier: MIT
"""Buffers: how they are made, what they share and what they copy."""

import gc
import weakref

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb as mtlpy
from mtlpy_nb.buffer import _BackedArray

SHARED, MANAGED, PRIVATE = mtlpy.StorageMode.SHARED, mtlpy.StorageMode.MANAGED, mtlpy.StorageMode.PRIVATE


# ---- making ----


def test_attributes(device):
    buffer = device.buffer(np.arange(6, dtype=np.int16).reshape(2, 3))
    assert isinstance(buffer.dtype, np.dtype)
    assert buffer.dtype == np.int16
    assert buffer.shape == (2, 3)
    assert buffer.size == len(buffer) == 6
    assert buffer.storage is SHARED
    assert buffer._device is device
    assert buffer._buf.size_bytes == 12
    assert buffer._buf.data_ptr == buffer.contents.ctypes.data
    assert buffer._buf.mtl_ptr == buffer.mtl_ptr != 0
    assert int(buffer._buf.storage_mode) == 0


def test_an_array_is_copied(device):
    array = np.arange(4, dtype=np.float32)
    buffer = device.buffer(array)
    array[0] = 9
    assert buffer.contents[0] == 0


def test_an_arrays_own_type_counts(device):
    assert device.buffer(np.arange(4, dtype=np.int32), dtype=np.float32).dtype == np.int32
    assert device.buffer(np.arange(4, dtype=np.float64)).dtype == np.float32
    assert device.buffer(np.array(3, np.float32)).shape == (1,)


@pytest.mark.parametrize("array", [np.arange(12).reshape(3, 4)[:, ::2], np.arange(5)[::-1], np.arange(4, dtype=">i4")])
def test_arrays_in_any_order(device, array):
    buffer = device.buffer(array)
    assert buffer.shape == array.shape
    np.testing.assert_array_equal(buffer.numpy(), array)


def test_a_number_is_a_number_of_elements(device):
    for size in (5, np.int64(5), 5.0):
        buffer = device.buffer(size)
        assert (buffer.shape, buffer.dtype) == ((5,), np.float32)
    assert device.buffer(5, dtype=np.int32).dtype == np.int32
    assert device.buffer(5, dtype="half").dtype == np.float16
    assert device.buffer(5, dtype=np.float64).dtype == np.float32


def test_empty(device):
    assert device.empty((2, 3), np.float32).shape == (2, 3)
    assert device.empty(np.int32(7), "uint").shape == (7,)
    assert device.empty(4, np.uint8, storage=PRIVATE).storage is PRIVATE
    for size in (0, (3, 0)):
        with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
            device.empty(size, np.float32)
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        device.buffer(np.zeros(0, np.float32))


# ---- contents ----


def test_shared_contents_are_live(device):
    buffer = device.buffer(np.zeros((2, 3), np.float32))
    contents = buffer.contents
    assert isinstance(contents, _BackedArray)
    assert contents._mtlpy_buf is buffer._buf
    assert contents.shape == (6,)
    contents[:] = np.arange(6)
    assert buffer.numpy()[1, 2] == 5
    buffer += 1
    assert contents[5] == 6
    assert np.shares_memory(contents, buffer.numpy())


def test_contents_keep_the_memory(device):
    buffer = device.buffer(np.arange(1000, dtype=np.float32))
    contents, gone = buffer.contents, weakref.ref(buffer)
    del buffer
    assert gone() is None
    others = [device.buffer(np.zeros(1000, np.float32)) for _ in range(8)]
    assert contents.sum() == 499500
    del others


def test_what_is_computed_of_contents_is_an_ordinary_array(device):
    contents = device.buffer(np.arange(4, dtype=np.float32)).contents
    assert type(contents * 2) is np.ndarray
    assert type(contents.sum()) is np.float32
    same = contents
    same += 0
    assert same is contents
    assert repr(contents) == "array([0., 1., 2., 3.], dtype=float32)"


@pytest.mark.parametrize("storage", [MANAGED, PRIVATE])
def test_other_storage_gives_snapshots(device, storage):
    buffer = device.buffer(np.arange(4, dtype=np.float32), storage=storage)
    snapshot = buffer.contents
    np.testing.assert_array_equal(snapshot, np.arange(4))
    with pytest.raises(ValueError, match="read-only"):
        snapshot[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        buffer.numpy()[0] = 5
    buffer += 1
    np.testing.assert_array_equal(snapshot, np.arange(4))
    np.testing.assert_array_equal(buffer.contents, np.arange(4) + 1)


@pytest.mark.parametrize("source", [SHARED, MANAGED, PRIVATE])
@pytest.mark.parametrize("target", [SHARED, MANAGED, PRIVATE])
def test_to_storage(device, source, target):
    buffer = device.buffer(np.arange(6, dtype=np.int32).reshape(2, 3), storage=source)
    other = buffer.to_storage(target)
    assert other.storage is target
    assert (other is buffer) == (source is target)
    assert (other.mtl_ptr == buffer.mtl_ptr) == (source is target)
    np.testing.assert_array_equal(other.numpy(), buffer.numpy())


# ---- NumPy ----


def test_asarray_shares(device):
    buffer = device.buffer(np.arange(6, dtype=np.float32).reshape(2, 3))
    array = np.asarray(buffer)
    assert array.shape == (2, 3)
    array[0, 0] = 8
    assert buffer.contents[0] == 8


def test_copies_and_types_of_arrays(device):
    buffer = device.buffer(np.arange(4, dtype=np.float32))
    assert np.array(buffer, dtype=np.float64).dtype == np.float64
    assert not np.shares_memory(buffer.__array__(copy=True), buffer.contents)
    assert np.shares_memory(buffer.__array__(), buffer.contents)
    assert np.shares_memory(buffer.__array__(np.float32, copy=False), buffer.contents)
    assert buffer.__array__(np.int32).dtype == np.int32
    message = r"Cannot convert Buffer's dtype \(float32\) to float64 without copying, but copy=False was requested"
    with pytest.raises(ValueError, match=message):
        buffer.__array__(np.float64, copy=False)
    with pytest.raises(ValueError, match="copy"):
        np.array(buffer, dtype=np.float64, copy=False)


def test_reshape_shares(device):
    buffer = device.buffer(np.arange(6, dtype=np.float32))
    for shaped in (buffer.reshape(2, 3), buffer.reshape((2, 3))):
        assert shaped.shape == (2, 3)
        assert shaped._buf is buffer._buf
    with pytest.raises(ValueError, match=r"cannot reshape Buffer of size 6 into shape \(4, 2\)"):
        buffer.reshape(4, 2)


def test_device_of_dlpack(device):
    expected = (1, 0) if device.is_software else (8, 0)
    assert device.buffer(4).__dlpack_device__() == expected


# ---- copies on the device ----


def test_copy_buffer(device):
    source, target = device.buffer(np.arange(8, dtype=np.int32)), device.buffer(np.zeros(8, np.int32))
    assert device.copy_buffer(source, target, src_offset=8, dst_offset=4, size_bytes=12) is None
    assert target.contents.tolist() == [0, 2, 3, 4, 0, 0, 0, 0]
    device.copy_buffer(source, target, src_offset=24)
    assert target.contents.tolist() == [6, 7, 3, 4, 0, 0, 0, 0]
    device.copy_buffer(source, target, wait=False)
    source += 0
    assert target.contents.tolist() == list(range(8))


def test_copies_that_do_not_fit(device, other_device):
    source, target = device.buffer(np.arange(4, dtype=np.int32)), device.buffer(np.zeros(4, np.int32))
    with pytest.raises(RuntimeError, match=r"copy_buffer: src_offset \+ size_bytes exceeds source buffer's size_bytes"):
        device.copy_buffer(source, target, src_offset=8, size_bytes=12)
    with pytest.raises(RuntimeError, match=r"copy_buffer: dst_offset \+ size_bytes exceeds destination buffer's"):
        device.copy_buffer(source, target, dst_offset=4)
    with pytest.raises(ValueError, match="Buffers belong to different Device instances"):
        device.copy_buffer(source, other_device.buffer(4))
    assert not target.contents.any()


def test_the_inner_device_copies_too(device):
    source, target = device.buffer(np.arange(4, dtype=np.int32)), device.buffer(np.zeros(4, np.int32))
    device._dev.copy_buffer(source._buf, 0, target._buf, 0, 16, True)
    assert target.contents.tolist() == [0, 1, 2, 3]
    device._dev.copy_buffer(source._buf, 8, target._buf, 0, 8, False)
    source += 0
    assert target.contents.tolist() == [2, 3, 2, 3]


# ---- the rest ----


def test_text(device):
    assert repr(device.empty((2, 3), np.float32)) == "Buffer(shape=(2, 3), dtype=float32)"
    assert repr(device.empty(4, np.int16, storage=PRIVATE)) == "Buffer(shape=(4,), dtype=int16, storage=private)"


def test_buffers_go_without_the_collector(device):
    gc.disable()
    try:
        before = settled_size(device)
        buffer = device.buffer(np.zeros(1 << 16, np.float32))
        assert device.current_allocated_size > before
        gone = weakref.ref(buffer)
        del buffer
        assert gone() is None
        assert device.current_allocated_size == before
    finally:
        gc.enable()
