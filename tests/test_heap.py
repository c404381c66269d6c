# SPDX-License-Identifier: MIT
"""Device.heap, and the heap that copies go through."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import StorageMode


def test_buffers_and_textures_of_a_heap(device):
    heap = device.heap(1 << 20)
    assert heap.size >= 1 << 20
    assert (heap.used_size, heap.storage, heap.device) == (0, StorageMode.SHARED, device)
    values = np.arange(1000, dtype=np.float32)
    buffer = heap.buffer(values)
    np.testing.assert_array_equal(buffer.contents, values)
    assert (heap.buffer(7).dtype, heap.buffer([1, 2]).shape) == (np.float32, (2,))
    texture = heap.empty_texture((5, 6), "rgba8Unorm")
    pixels = np.arange(120, dtype=np.uint8).reshape(5, 6, 4)
    texture.upload(pixels)
    np.testing.assert_array_equal(texture.download(), pixels)
    np.testing.assert_array_equal((buffer * 2).numpy(), values * 2)
    assert repr(heap) == f"Heap(size={heap.size}, used_size={heap.used_size}, storage=shared)"


def test_used_size_falls_with_the_last_reference(device):
    heap = device.heap(1 << 16)
    buffer = heap.empty((4, 4), np.float32)
    used = heap.used_size
    assert used >= 64
    part, array = buffer[1], buffer.contents
    del buffer
    assert heap.used_size == used
    del part
    assert heap.used_size == used
    del array
    assert heap.used_size == 0
    texture = heap.empty_texture((8, 8), "r32Float", mipmaps=True)
    view = texture.view(levels=1)
    del texture
    assert heap.used_size > 0
    del view
    assert heap.used_size == 0


def test_a_private_heap(device):
    heap = device.heap(1 << 16, StorageMode.PRIVATE)
    buffer = heap.buffer(np.arange(8, dtype=np.int32))
    assert buffer.storage == StorageMode.PRIVATE
    np.testing.assert_array_equal(buffer.contents, np.arange(8))
    texture = heap.empty_texture((2, 2), "r8Uint")
    texture.upload([[1, 2], [3, 4]])
    assert texture.is_private
    np.testing.assert_array_equal(texture.numpy(), [[1, 2], [3, 4]])
    assert "storage=private" in repr(heap)


def test_what_does_not_fit(device):
    heap = device.heap(4096)
    full = r"Heap.buffer\(\)/.empty\(\): insufficient free space for a 8000-byte buffer \(heap size: \d+"
    with pytest.raises(RuntimeError, match=full):
        heap.empty(2000, np.float32)
    with pytest.raises(RuntimeError, match="insufficient free space for a 40000-byte buffer"):
        heap.buffer(np.zeros(10000, np.float32))
    with pytest.raises(RuntimeError, match=r"Heap.empty_texture\(\): insufficient free space for a \d+-byte texture"):
        heap.empty_texture((100, 100), "rgba32Float")
    assert heap.used_size == 0
    held = [heap.empty(64, np.float32) for _ in range(heap.size // 256)]
    with pytest.raises(RuntimeError, match="insufficient free space"):
        heap.empty(64, np.float32)
    held.pop()
    heap.empty(64, np.float32)


def test_what_is_refused(device):
    with pytest.raises(RuntimeError, match="not supported on this GPU"):
        device.heap(4096, storage=StorageMode.MANAGED)
    for size in (0, -1, 1 << 60):
        with pytest.raises(RuntimeError, match=f"Failed to allocate Metal heap: size_bytes is {size}"):
            device.heap(size)
    for wrong in (1.5, "4096", True, None):
        with pytest.raises(TypeError, match="size_bytes must be an int"):
            device.heap(wrong)
    with pytest.raises(ValueError, match="7 is not a valid StorageMode"):
        device.heap(4096, 7)
    heap = device.heap(np.int64(4096))
    with pytest.raises(RuntimeError, match="Failed to allocate Metal buffer"):
        heap.empty(0, np.float32)
    with pytest.raises(TypeError, match="expected an array or a number"):
        heap.buffer("text")
    with pytest.raises(ValueError, match="must have 1, 2, or 3 dims"):
        heap.empty_texture((1, 2, 3, 4), "r8Unorm")
    with pytest.raises(ValueError, match="at least one of readable/writable"):
        heap.empty_texture((1, 2), "r8Unorm", readable=False, writable=False)


def test_lifetimes_without_the_cyclic_collector():
    gc.disable()
    try:
        device = mtlpy_nb.Device(cache_path=False)
        gone = weakref.ref(device)
        heap = device.heap(4096)
        device.empty_texture((4, 4), "r32Float", private=True).download()
        assert device._staging_heap is not None
        del device
        assert gone() is not None  # the heap keeps it
        buffer = heap.empty(4, np.float32)
        del heap
        buffer.contents[:] = 1
        del buffer
        assert gone() is None
    finally:
        gc.enable()


def test_memory_goes_back(device):
    before = settled_size(device)
    heap = device.heap(1 << 20)
    buffer = heap.buffer(np.zeros(100, np.float32))
    assert device.current_allocated_size >= before + (1 << 20)
    del heap
    assert device.current_allocated_size >= before + (1 << 20)
    del buffer
    assert device.current_allocated_size == before


def test_the_staging_heap_grows_and_is_let_go(device):
    assert device._staging_heap is None
    assert device.clear_staging_heap() == 0
    device.empty_texture((16, 16), "r32Float", private=True).download()
    first = device._staging_heap.size
    assert first >= 1024
    assert device._staging_heap.used_size == 0  # what was staged is gone when the call returns
    device.empty_texture((64, 64), "r32Float", private=True).download()
    second = device._staging_heap.size
    assert second >= 64 * 64 * 4 > first
    texture = device.empty_texture((16, 16), "r32Float", private=True)
    texture.upload(np.ones((16, 16), np.float32))
    assert device._staging_heap.size == second
    assert device.clear_staging_heap() == second
    assert device._staging_heap is None
    np.testing.assert_array_equal(texture.download(), np.ones((16, 16)))


def test_private_buffers_are_written_through_it(device):
    device.buffer(np.zeros(5000, np.float32), storage=StorageMode.PRIVATE)
    assert device._staging_heap.size >= 20000


def test_staging_buffers_that_are_kept(device):
    first = device._staging_buffer(1000, np.float32)
    first.contents[:] = 1
    second = device._staging_buffer(1000, np.float32)
    second.contents[:] = 2
    assert (first.contents == 1).all()
    assert first.dtype == np.float32
    assert first.shape == (1000,)
    full = device._staging_buffer(5120, np.float32)
    size = device._staging_heap.size
    device._staging_buffer(10, np.float32)
    assert device._staging_heap.size >= size  # it never becomes smaller by itself
    del full


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 3000)), min_size=1, max_size=40))
def test_no_two_buffers_share_bytes(steps):
    heap = mtlpy_nb.default_device().heap(1 << 15)
    held = []
    for number, (is_new, count) in enumerate(steps):
        if is_new or not held:
            try:
                buffer = heap.empty(count, np.uint32)
            except mtlpy_nb.ResourceError:
                assert heap.max_available_size < count * 4 + 256
                continue
            buffer.contents[:] = number
            held.append((number, buffer))
        else:
            held.pop(count % len(held))
        assert all((one.contents == value).all() for value, one in held)
        buffer = None  # a name is a reference
        assert heap.used_size == sum(-(-one.nbytes // 256) * 256 for _, one in held)
    held.clear()
    assert heap.used_size == 0
