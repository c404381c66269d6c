# SPDX-License-Identifier: MIT
"""An endless kernel that nobody waits for any more doesn't block those after it."""

import asyncio
import contextlib
import os
import signal
import threading

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import metal as pm

pytestmark = pytest.mark.alone

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void endless(device atomic_uint* a) { while (atomic_load_explicit(a, memory_order_relaxed) == 0) {} }
kernel void more(device float* a, uint i [[thread_position_in_grid]]) { a[i] += 1; }
vertex float4 everywhere(uint i [[vertex_id]]) { return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1); }
fragment float4 waiting(device atomic_uint* a) {
    while (atomic_load_explicit(a, memory_order_relaxed) == 0) {}
    return 1;
}
"""


@contextlib.contextmanager
def interrupt():
    """Ctrl-C while the block waits; it must end the block."""
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        yield
    timer.join()


def test_cancelled_await_stops_the_kernel(device):
    library = device.library(SOURCE)

    async def wait_a_little():
        async def endless():
            await library["endless"](np.zeros(1, np.uint32), grid=1, wait=False)

        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(endless(), 0.2)

    asyncio.run(wait_a_little())
    assert library["more"](np.zeros(2, np.float32)).tolist() == [1, 1]


@pytest.mark.timeout(60)
def test_interrupt_stops_a_drawing(device):
    library = device.library(SOURCE)

    def draw(a):
        return mtlpy_nb.render(library["everywhere"], library["waiting"], size=4, vertices=3, a=np.uint32([a]))

    draw(1)
    with interrupt():
        draw(0)
    assert (draw(1).numpy() == 255).all()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("is_kept", [True, False])
def test_interrupt_stops_what_was_started_before(device, is_kept):
    library = device.library(SOURCE)
    handle = library["endless"](np.zeros(1, np.uint32), grid=1, wait=False)
    if not is_kept:
        handle = None
    library["more"]._prepared()
    with interrupt():
        library["more"](np.zeros(2, np.float32))
    assert library["more"](np.zeros(2, np.float32)).tolist() == [1, 1]
    assert handle is None or handle.done()


@pytest.fixture
def begin(device):
    """Begin an endless kernel in each way that leaves nobody waiting for it."""
    pipeline = device.compile(SOURCE, "endless")
    flag = device.buffer(np.zeros(1, np.uint32))

    def batch(commit):
        made = device.command_buffer()
        pipeline.run([flag], 1, cb=made)
        commit(made)

    return {
        "run": lambda: pipeline.run([flag], 1, wait=False),
        "commit": lambda: batch(lambda made: made.commit(wait=False)),
        "metal": lambda: batch(lambda made: (made._end_encoding(), made._buffer.commit())),
    }


@pytest.mark.timeout(60)
@pytest.mark.parametrize("how", ["run", "commit", "metal"])
@pytest.mark.parametrize("waiting", ["run", "commit", "call", "copy"])
def test_interrupt_stops_what_nobody_waits_for(device, begin, how, waiting):
    more, kernel = device.compile(SOURCE, "more"), device.library(SOURCE)["more"]
    kernel._prepared()  # so that what is interrupted is the waiting
    numbers = device.buffer(np.zeros(32, np.float32))

    def wait():
        if waiting == "run":
            more.run([numbers], 32)
        elif waiting == "commit":
            with device.command_buffer() as made:
                more.run([numbers], 32, cb=made)
        elif waiting == "call":
            kernel(numbers)
        else:
            device.copy_buffer(numbers, device.buffer(32))

    begin[how]()
    with interrupt():
        wait()
    assert (numbers.numpy() == 0).all()
    wait()
    assert waiting == "copy" or (numbers.numpy() == 1).all()


@pytest.mark.timeout(60)
def test_interrupt_stops_it_for_an_event_too(device, begin):
    event = device.shared_event()
    begin["run"]()
    made = device.command_buffer()
    made.signal_event(event, 1)
    made.commit(wait=False)
    with interrupt():
        event.wait(1, timeout_ms=60_000)
    with device.command_buffer():
        pass  # nothing is in its way any more


@pytest.mark.timeout(60)
def test_interrupt_while_the_queue_is_full(device):
    """Metal lets a queue have 64 unfinished command buffers; the next one waits before it is made."""
    queue, gate = device.queue(), device.event()

    def commit():
        made = device.command_buffer(queue)
        made.wait_for_event(gate, 1)
        made.commit(wait=False)

    with interrupt():
        for _ in range(65):
            commit()
    with device.command_buffer(queue):
        pass


@pytest.mark.timeout(60)
def test_interrupt_leaves_what_another_thread_waits_for(device, begin):
    other = mtlpy_nb.Device()
    flag, failures = other.buffer(np.zeros(1, np.uint32)), []
    pipeline = other.compile(SOURCE, "endless")

    def wait():
        try:
            pipeline.run([flag], 1)
        except mtlpy_nb.ExecutionError as error:
            failures.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    more, numbers = device.compile(SOURCE, "more"), device.buffer(32)
    begin["run"]()
    with interrupt():
        more.run([numbers], 32)
    assert thread.is_alive()
    flag.fill(1)
    thread.join()
    assert not failures


@pytest.mark.timeout(60)
def test_stopped_command_buffer_says_so(device, begin):
    queue = pm.create_system_default_device().new_command_queue()
    gate = queue.device.new_event()
    waiting = queue.command_buffer()
    waiting.encode_wait_for_event(gate, 1)
    waiting.commit()
    with interrupt():
        waiting.wait_until_completed()
    assert waiting.done()
    assert waiting.status == pm.CommandBufferStatus.Error
    after = queue.command_buffer()
    after.commit()
    after.wait_until_completed()


@pytest.mark.timeout(60)
def test_interrupt_stops_what_was_short_before(device):
    """A thread that waits runs short work itself, but none that could hold it up."""
    kernel = device.library(
        "#include <metal_stdlib>\nusing namespace metal;\n"
        "kernel void count(device atomic_uint* a, constant uint& until) {\n"
        "    while (atomic_load_explicit(a, memory_order_relaxed) < until)\n"
        "        if (until < 100) atomic_fetch_add_explicit(a, 1, memory_order_relaxed);\n"
        "}"
    )["count"]
    counted = device.buffer(np.zeros(1, np.uint32))
    for until in range(1, 50):
        kernel(counted, until, grid=1)
    with interrupt():
        kernel(counted, 1000, grid=1)
    kernel(counted, 60, grid=1)
    assert counted.numpy() == [60]
