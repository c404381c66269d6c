# SPDX-License-Identifier: MIT
"""Heaps in Metal's own words: sizes, places, aliasing, and what is refused."""

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb.metal as pm

KERNEL = """
#include <metal_stdlib>
using namespace metal;
struct Arguments { device float* in; };
kernel void twice(constant Arguments& a [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]])
{
    out[i] = 2 * a.in[i];
}
"""


@pytest.fixture(scope="module")
def device():
    return pm.create_system_default_device()


def heap_of(device, size=1 << 16, storage=pm.StorageMode.Shared, kind=pm.HeapType.Automatic):
    descriptor = pm.HeapDescriptor.heap_descriptor()
    descriptor.size, descriptor.storage_mode, descriptor.type = size, storage, kind
    return device.new_heap(descriptor)


def picture(width, height, storage=pm.StorageMode.Shared):
    descriptor = pm.TextureDescriptor.texture2d_descriptor(pm.PixelFormat.R32Float, width, height, False)
    descriptor.storage_mode = storage
    return descriptor


def test_what_a_heap_tells_of_itself(device):
    heap = heap_of(device)
    assert heap.device is device
    assert heap.size >= 1 << 16
    assert (heap.used_size, heap.current_allocated_size) == (0, heap.size)
    assert heap.max_available_size(256) == heap.size
    assert (heap.storage_mode, heap.type) == (pm.StorageMode.Shared, pm.HeapType.Automatic)
    assert heap.hazard_tracking_mode == pm.HazardTrackingMode.Untracked
    assert heap.label == ""
    heap.label = "pool"
    assert heap.label == "pool"
    descriptor = pm.HeapDescriptor()
    assert (descriptor.storage_mode, descriptor.size) == (pm.StorageMode.Private, 0)


def test_used_size_is_that_of_the_queries_and_falls(device):
    heap = heap_of(device)
    size, align = device.heap_buffer_size_and_align(1000)
    assert size >= 1000
    assert size % align == 0
    buffer = heap.new_buffer(1000, pm.ResourceStorageModeShared)
    assert heap.used_size == size
    texture_size, _ = device.heap_texture_size_and_align(picture(9, 7))
    texture = heap.new_texture(picture(9, 7))
    assert heap.used_size == size + texture_size
    assert buffer.heap is heap
    assert texture.heap_offset % align == 0
    view = texture.new_texture_view(pm.PixelFormat.R32Float)
    del texture
    assert heap.used_size == size + texture_size
    del view
    assert heap.used_size == size
    del buffer
    assert heap.used_size == 0


def test_arrays_of_a_buffer_keep_its_place(device):
    heap = heap_of(device)
    array = heap.new_buffer(64).contents()
    assert heap.used_size > 0
    array[:] = 3
    del array
    assert heap.used_size == 0


def test_a_block_lives_as_long_as_what_is_in_it(device):
    before = settled_size(device)
    heap = heap_of(device, 1 << 20)
    array = heap.new_buffer(16).contents()
    array[:] = np.arange(16)
    del heap
    assert device.current_allocated_size > before
    np.testing.assert_array_equal(array, np.arange(16))
    del array
    assert device.current_allocated_size == before


def test_aliasable_bytes_are_seen_by_two(device):
    heap = heap_of(device, 4096)
    first = heap.new_buffer(heap.size)
    with pytest.raises(pm.ResourceError, match="insufficient free space for 256 bytes"):
        heap.new_buffer(256)
    first.make_aliasable()
    assert first.is_aliasable
    assert heap.used_size == 0
    second = heap.new_buffer(heap.size)
    first.contents()[:4] = [1, 2, 3, 4]
    np.testing.assert_array_equal(second.contents()[:4], [1, 2, 3, 4])
    with pytest.raises(pm.ValidationError, match="not in a heap"):
        device.new_buffer(16).make_aliasable()
    view = heap_of(device).new_texture(picture(4, 4)).new_texture_view(pm.PixelFormat.R32Float)
    with pytest.raises(pm.ValidationError, match="the texture is a view"):
        view.make_aliasable()


def test_resources_lie_where_they_are_placed(device):
    heap = heap_of(device, kind=pm.HeapType.Placement)
    texture = heap.new_texture(picture(8, 8), offset=512)
    buffer = heap.new_buffer(256, offset=512)
    assert (texture.heap_offset, buffer.heap_offset) == (512, 512)
    texture.upload(np.arange(64, dtype=np.float32))
    np.testing.assert_array_equal(buffer.contents().view(np.float32), np.arange(64))
    for offset, message in [(100, "must be a multiple of 256"), (1 << 16, "don't fit"), (-256, "offset is -256")]:
        with pytest.raises(pm.ValidationError, match=message):
            heap.new_buffer(256, offset=offset)
    with pytest.raises(pm.ValidationError, match="an offset must be given"):
        heap.new_buffer(256)
    with pytest.raises(pm.ValidationError, match="this one chooses"):
        heap_of(device).new_texture(picture(8, 8), offset=0)


def test_what_is_refused(device):
    for storage in (pm.StorageMode.Managed, pm.StorageMode.Memoryless):
        with pytest.raises(pm.ValidationError, match="shared or private"):
            heap_of(device, storage=storage)
    with pytest.raises(pm.ValidationError, match="type is 2"):
        heap_of(device, kind=pm.HeapType.Sparse)
    with pytest.raises(pm.ValidationError, match="size is 0"):
        device.new_heap(pm.HeapDescriptor())
    with pytest.raises(pm.ValidationError, match="size is 1152921504606846976"):
        heap_of(device, 1 << 60)
    heap = heap_of(device)
    with pytest.raises(pm.ValidationError, match="must be the heap's"):
        heap.new_buffer(16, pm.ResourceStorageModePrivate)
    with pytest.raises(pm.ValidationError, match="must be the heap's"):
        heap.new_texture(picture(4, 4, pm.StorageMode.Private))
    with pytest.raises(pm.ValidationError, match="length is 0"):
        heap.new_buffer(0)
    with pytest.raises(pm.ValidationError, match="power of two"):
        heap.max_available_size(3)
    with pytest.raises(pm.ResourceError, match="insufficient free space"):
        heap.new_texture(picture(512, 512))
    assert heap.used_size == 0


def test_private_storage_has_no_contents(device):
    heap = heap_of(device, storage=pm.StorageMode.Private)
    with pytest.raises(pm.ResourceError, match="private storage"):
        heap.new_buffer(16).contents()


def test_purgeable_state_is_the_heaps(device):
    heap = heap_of(device)
    buffer = heap.new_buffer(16)
    buffer.contents()[:] = 1
    assert heap.set_purgeable_state(pm.PurgeableState.Volatile) == pm.PurgeableState.NonVolatile
    assert buffer.set_purgeable_state(pm.PurgeableState.KeepCurrent) == pm.PurgeableState.Volatile
    with pytest.raises(pm.ValidationError, match="set the heap's state"):
        buffer.set_purgeable_state(pm.PurgeableState.Empty)
    assert heap.set_purgeable_state(pm.PurgeableState.Empty) == pm.PurgeableState.Volatile
    np.testing.assert_array_equal(buffer.contents(), 0)


def test_kernels_reach_a_heap_that_is_used(device):
    heap = heap_of(device)
    source = heap.new_buffer(16)
    source.contents().view(np.float32)[:] = [1, 2, 3, 4]
    address = device.new_buffer_with_data(np.uint64([source.gpu_address]))
    out = device.new_buffer(16)
    function = device.new_library_with_source(KERNEL).new_function("twice")
    commands = device.new_command_queue().command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(device.new_compute_pipeline_state(function))
        encoder.set_buffer(address, 0, 0)
        encoder.set_buffer(out, 0, 1)
        encoder.use_heap(heap)
        encoder.use_resource(source, pm.ResourceUsage.Read)
        encoder.dispatch_threads(4, 4)
        with pytest.raises(pm.ValidationError, match="usage is 0"):
            encoder.use_resource(source, 0)
    with pytest.raises(pm.ValidationError, match="has ended"):
        encoder.use_heap(heap)
    commands.commit()
    commands.wait_until_completed()
    np.testing.assert_array_equal(out.contents().view(np.float32), [2, 4, 6, 8])


def test_a_command_buffer_in_flight_keeps_its_resources(device):
    heap = heap_of(device)
    queue, event = device.new_command_queue(), device.new_shared_event()
    source, target = heap.new_buffer(256), heap.new_buffer(512)
    source.contents()[:] = 5
    commands = queue.command_buffer()
    commands.encode_wait_for_event(event, 1)
    with commands.blit_command_encoder() as encoder:
        encoder.copy_from_buffer(source, 0, target, 0, 256)
    commands.commit()
    del source
    assert heap.used_size == 768
    event.signaled_value = 1
    commands.wait_until_completed()
    del commands, encoder
    np.testing.assert_array_equal(target.contents()[:256], 5)
    assert heap.used_size == 512
