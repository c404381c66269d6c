# SPDX-License-Identifier: MIT
"""Thousands of objects, many threads, many queues: memory does not grow, and nothing gets lost."""

import gc
import os
import threading

import numpy as np
import pytest
from settling import settled_size

import mtlpy_nb
from mtlpy_nb import metal as pm

pytestmark = [pytest.mark.alone, pytest.mark.timeout(300)]

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void add(device float* x, uint i [[thread_position_in_grid]]) { x[i] += 1; }
kernel void shade(texture2d<float, access::read> t, device float* x) { x[0] = t.read(uint2(0)).r; }
"""
MEBIBYTE = 1 << 20


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def batch(device, kernel):
    with device.command_buffer() as made:
        kernel.run([device.buffer(64)], 64, cb=made)


MAKERS = {
    "buffer": (2000, lambda d, k: d.buffer(10_000)),
    "private buffer": (500, lambda d, k: d.buffer(np.ones(1000, np.float32), storage=mtlpy_nb.StorageMode.PRIVATE)),
    "view": (2000, lambda d, k: d.buffer(100)[10:20].contents),
    "texture": (1000, lambda d, k: d.empty_texture((32, 32), "rgba8Unorm")),
    "heap": (1000, lambda d, k: d.heap(1 << 16).buffer(100)),
    "sampler": (2000, lambda d, k: d.sampler()),
    "queue": (1000, lambda d, k: d.queue()),
    "event": (2000, lambda d, k: d.event()),
    "shared event": (1000, lambda d, k: d.import_shared_event(d.shared_event().export_handle())),
    "fence": (2000, lambda d, k: d.fence()),
    "archive": (1000, lambda d, k: d.binary_archive()),
    "batch": (500, batch),
    "batch that is never committed": (1000, lambda d, k: d.command_buffer()),
    "run": (500, lambda d, k: k.run([d.buffer(64)], 64)),
    "run that nobody waits for": (500, lambda d, k: k.run([d.buffer(64)], 64, wait=False)),
    "call": (500, lambda d, k: d.library(SOURCE)["add"](np.zeros(1000, np.float32))),
    "handle": (500, lambda d, k: d.library(SOURCE)["add"](np.zeros(1000, np.float32), wait=False)),
    "library": (200, lambda d, k: d.library(SOURCE)),
    "pipeline": (200, lambda d, k: d.compile(SOURCE, "add")),
    "descriptor": (2000, lambda d, k: pm.ComputePipelineDescriptor()),
    "device": (300, lambda d, k: mtlpy_nb.Device(cache_path=False)),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_nothing_is_left_of_objects_without_the_cyclic_collector(device, kind):
    """Each is made so often that a leak of a page each would show."""
    times, make = MAKERS[kind]
    kernel = device.compile(SOURCE, "add")

    def some(count):
        for _ in range(count):
            make(device, kernel)
        device.command_buffer().commit()  # behind all that nobody waited for

    gc.collect()
    gc.disable()
    try:
        some(times // 2)  # tables and caches get their sizes
        allocated = settled_size(device)
        memory, alive = resident(), len(mtlpy_nb.live_objects())
        files = len(os.listdir("/proc/self/fd"))
        some(times)
        assert device.current_allocated_size == allocated
        assert len(mtlpy_nb.live_objects()) <= alive + 1
        assert len(os.listdir("/proc/self/fd")) <= files
        assert resident() - memory < max(times * 1024, MEBIBYTE)
    finally:
        gc.enable()


def test_eight_threads_compile_and_run(device):
    failures = []

    def work(number):
        try:
            for i in range(6):
                source = f"kernel void k(device int* x) {{ x[0] = x[0] + {number * 10 + i % 3}; }}"
                buffer = device.buffer(np.zeros(1, np.int32))
                library = device.library(source)
                for _ in range(20):
                    library["k"](buffer, grid=1)
                    device.compile(source, "k").run([buffer], 1)
                assert buffer.numpy()[0] == 40 * (number * 10 + i % 3)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    assert not failures


def test_resources_whose_last_reference_goes_while_they_are_used(device):
    gate, done = device.event(), device.shared_event()
    queue = device.queue()
    before = settled_size(device)
    kept = device.buffer(np.zeros(64, np.float32))
    for i in range(20):
        made = device.command_buffer(queue)
        made.wait_for_event(gate, 1)
        for _ in range(5):
            device.compile(SOURCE, "add").run([device.buffer(np.zeros(100_000, np.float32))], 100_000, cb=made)
            texture = device.texture(np.full((4, 4), 0.5, np.float32))
            device.compile(SOURCE, "shade").run([kept], 1, textures=[texture], cb=made)
        made.signal_event(done, i + 1)
        made.commit(wait=False)
    del made, texture
    assert device.current_allocated_size - before > 20 * 5 * 400_000, "they are kept while they are needed"
    with device.command_buffer() as opening:
        opening.signal_event(gate, 1)
    assert done.wait(20, timeout_ms=60_000)
    device.command_buffer(queue).commit()
    assert kept.numpy()[0] == 0.5
    del kept
    assert device.current_allocated_size == before


def test_many_queues_wait_for_events(device):
    """None of them holds a thread, so that two hundred can wait for each other in a ring."""
    count = 200
    events = [device.event() for _ in range(count + 1)]
    numbers = device.buffer(np.zeros(32, np.float32))
    add, end = device.compile(SOURCE, "add"), device.shared_event()
    for i in reversed(range(count)):
        made = device.command_buffer(device.queue())
        made.wait_for_event(events[i], 1)
        add.run([numbers], 32, cb=made)
        made.signal_event(events[i + 1], 1)
        made.commit(wait=False)
    last = device.command_buffer(device.queue())
    last.wait_for_event(events[count], 1)
    last.signal_event(end, 1)
    last.commit(wait=False)
    assert not end.wait(1, timeout_ms=50)
    with device.command_buffer() as first:
        first.signal_event(events[0], 1)
    assert end.wait(1, timeout_ms=60_000)
    assert (numbers.numpy() == count).all()
