# SPDX-License-Identifier: MIT
"""Memory of textures: what there is too little of, many of them, and several threads."""

import gc
import threading

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import output

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void add(texture2d<float, access::read> from, texture2d<float, access::write> to,
                uint2 p [[thread_position_in_grid]])
{
    to.write(from.read(p) + 1, p);
}
"""


def test_too_large(device):
    before = settled_size(device)
    with pytest.raises(RuntimeError, match="Failed to allocate Metal texture"):
        device.empty_texture((2048, 16384, 16384), "rgba32Float", kind="2d_array")
    with pytest.raises(ValueError, match="width is 16385, must be 1 to 16384"):
        device.empty_texture((1, 16385), "r8Unorm")
    with pytest.raises(ValueError, match="depth is 2049, must be 1 to 2048"):
        device.empty_texture((2049, 1, 1), "r8Unorm")
    with pytest.raises(ValueError, match="array_length is 2049, must be 1 to 2048"):
        device.empty_texture((2049, 1, 1), "r8Unorm", kind="2d_array")
    assert device.current_allocated_size == before


def test_thousands_leave_nothing_behind():
    gc.collect()
    gc.disable()
    try:
        device = mtlpy_nb.Device(cache_path=False)
        before = settled_size(device)
        for _ in range(1000):
            texture = device.empty_texture((32, 32), "r32Float", mipmaps=True, private=True)
            view = texture.view(levels=1)
            view.upload(np.zeros((16, 16)))
            device.sampler(mip_filter="linear")
        del texture, view
        device.clear_staging_heap()
        assert device.current_allocated_size == before
    finally:
        gc.enable()


def test_threads_share_the_heap_of_copies(device):
    device.clear_staging_heap()
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(30):
            pixels = rng.random(tuple(rng.integers(1, 64, 2)), dtype=np.float32)
            texture = device.texture(pixels)
            if not np.array_equal(texture.download(), pixels):
                wrong.append(seed)
            if rng.random() < 0.1:
                device.clear_staging_heap()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_arrays_for_textures_do_not_wait_for_other_work(device):
    """A call's own textures are filled and read while the queue is held up."""
    add = device.library(SOURCE)["add"]
    event = device.shared_event()
    held = device.command_buffer()
    held.wait_for_event(event, 1)
    held.commit(wait=False)
    handle = add(np.zeros((4, 4), np.float32), output((4, 4), np.float32), wait=False)
    assert not handle.done()
    event.signal(1)
    handle.wait()
    np.testing.assert_array_equal(
        add(np.ones((4, 4), np.float32), output((4, 4), np.float32)).numpy(), np.full((4, 4), 2)
    )
