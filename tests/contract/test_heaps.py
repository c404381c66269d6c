# SPDX-License-Identifier: MIT
"""Heaps: one piece of memory that Buffers and Textures are parts of."""

import gc
import weakref

import numpy as np
import pytest

import mtlpy_nb as mtlpy

MANAGED, PRIVATE, SHARED = mtlpy.StorageMode.MANAGED, mtlpy.StorageMode.PRIVATE, mtlpy.StorageMode.SHARED


def test_sizes(device):
    heap = device.heap(100_000)
    assert heap.size >= 100_000
    assert heap.used_size == 0
    assert heap.storage is SHARED
    buffer = heap.empty(1000, np.float32)
    assert 4000 <= heap.used_size <= heap.size
    del buffer
    assert heap.used_size == 0


def test_buffers(device):
    heap = device.heap(1 << 20)
    data = np.arange(12, dtype=np.int32).reshape(3, 4)
    buffer = heap.buffer(data)
    assert isinstance(buffer, mtlpy.Buffer)
    assert (buffer.shape, buffer.dtype, buffer.storage) == ((3, 4), np.int32, SHARED)
    np.testing.assert_array_equal((buffer + 1).numpy(), data + 1)
    assert heap.buffer(5).shape == (5,)
    assert heap.buffer(5, dtype="half").dtype == np.float16
    assert heap.empty((2, 3), np.uint8).shape == (2, 3)
    private = device.heap(1 << 16, storage=PRIVATE).buffer(data)
    assert private.storage is PRIVATE
    np.testing.assert_array_equal(private.numpy(), data)


def test_textures(device, rng):
    data = rng.random((8, 9), dtype=np.float32)
    for storage in (SHARED, PRIVATE):
        heap = device.heap(1 << 18, storage=storage)
        texture = heap.empty_texture((8, 9), "r32Float")
        assert heap.used_size >= 8 * 9 * 4
        assert texture.is_private == (storage is PRIVATE)
        texture.upload(data)
        np.testing.assert_array_equal(texture.download(), data)
    heap = device.heap(1 << 16)
    with pytest.raises(ValueError, match="Texture shape must have 1, 2, or 3 dims"):
        heap.empty_texture((1, 2, 3, 4), "r32Float")
    with pytest.raises(ValueError, match="at least one of readable/writable"):
        heap.empty_texture((2, 2), "r32Float", readable=False, writable=False)


def test_what_does_not_fit(device):
    heap = device.heap(1 << 16)
    kept = heap.empty(12_000, np.float32)
    for call in (heap.empty, heap.buffer):
        with pytest.raises(
            RuntimeError,
            match=r"Heap\.buffer\(\)/\.empty\(\): insufficient free space for a 48000-byte buffer \(heap size: ",
        ):
            call(12_000, np.float32)
    with pytest.raises(RuntimeError, match=r"Heap\.empty_texture\(\): insufficient free space"):
        heap.empty_texture((200, 200), "r32Float")
    assert kept.size == 12_000
    del kept
    assert heap.empty(12_000, np.float32).size == 12_000


def test_heaps_that_there_are_not(device):
    with pytest.raises(RuntimeError, match="not supported on this GPU"):
        device.heap(1 << 16, storage=MANAGED)
    with pytest.raises(RuntimeError, match="Failed to allocate Metal heap"):
        device.heap(1 << 60)


def test_text(device):
    assert repr(device.heap(1 << 16, storage=PRIVATE)).startswith("Heap(size=")
    assert repr(device.heap(1 << 16, storage=PRIVATE)).endswith("storage=private)")


def test_lifetimes():
    gc.disable()
    try:
        device = mtlpy.Device(cache_path=False)
        heap = device.heap(1 << 16)
        buffer = heap.buffer(np.arange(4, dtype=np.float32))
        device_gone, heap_gone = weakref.ref(device), weakref.ref(heap)
        del device
        assert device_gone() is not None
        del heap
        assert buffer.contents.tolist() == [0, 1, 2, 3]
        del buffer
        assert heap_gone() is None
        assert device_gone() is None
        device = mtlpy.Device(cache_path=False)
        device.empty_texture((4, 4), "r32Float", private=True).upload(np.zeros((4, 4), np.float32))
        device_gone = weakref.ref(device)
        del device
        assert device_gone() is None
    finally:
        gc.enable()
