# SPDX-License-Identifier: MIT
"""Work that nobody waited for and that failed: the next call that waits raises its error, once."""

import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")
from mtlpy_nb._pending import Pending  # noqa: E402

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void wild(device int* x [[buffer(0)]], device long& offset [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    x[offset] = 1;
}
kernel void tame(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }
"""


@pytest.fixture
def device():
    device = mtlpy_nb.Device(cache_path=False)
    if not device.is_software:
        pytest.skip("a GPU may let a wild write pass")
    return device


@pytest.fixture
def wild(device):
    """What writes far below a buffer, where there is nothing."""
    pipeline = device.compile(SOURCE, "wild")
    buffers = [device.buffer(4, np.int32), device.buffer(np.array([-(1 << 40)], np.int64))]
    return lambda **options: pipeline.run(buffers, 1, **options)


@pytest.fixture
def tame(device):
    pipeline, buffer = device.compile(SOURCE, "tame"), device.buffer(4, np.int32)
    return lambda **options: pipeline.run([buffer], 4, **options)


def test_the_call_that_waits_has_its_own_error(wild):
    with pytest.raises(RuntimeError, match=r"^GPU execution failed: .*wild"):
        wild()


def waits(device, tame):
    buffer = device.buffer(np.arange(4, dtype=np.int32))
    kernel = device.library(SOURCE)["tame"]

    def in_a_batch():
        with device.command_buffer() as cb:
            tame(cb=cb)

    return {
        "run": tame,
        "batch": in_a_batch,
        "operator": lambda: buffer + 1,
        "copy": lambda: device.copy_buffer(buffer, device.buffer(4, np.int32)),
        "kernel": lambda: kernel(buffer, grid=4),
        "pixels": device.empty_texture((4, 4), "rgba8Unorm").to_buffer,
        "upload": lambda: device.buffer(np.zeros(4, np.float32), storage=mtlpy_nb.StorageMode.PRIVATE),
    }


@pytest.mark.parametrize("name", ["run", "batch", "operator", "copy", "kernel", "pixels", "upload"])
def test_the_next_wait_raises_it_once(device, wild, tame, name):
    wait = waits(device, tame)[name]
    assert wild(wait=False) == (0.0, 0.0)
    with pytest.raises(RuntimeError, match=r"^GPU execution failed \(started with wait=False\): .*wild"):
        wait()
    wait()


def test_a_batch_that_nobody_waits_for(device, wild, tame):
    cb = device.command_buffer()
    wild(cb=cb)
    assert cb.commit(wait=False) == (0.0, 0.0)
    with pytest.raises(RuntimeError, match="started with wait=False"):
        tame()


def test_a_batch_that_is_waited_for_keeps_its_error(device, wild, tame):
    cb = device.command_buffer()
    wild(cb=cb)
    cb.commit(wait=False)
    with pytest.raises(RuntimeError, match=r"^GPU execution failed: .*wild"):
        cb.wait()
    assert cb.done()
    tame()


def test_the_first_of_many_is_raised(device, wild, tame):
    for _ in range(30):
        tame(wait=False)
    wild(wait=False)
    for _ in range(30):
        tame(wait=False)
    with pytest.raises(RuntimeError, match="wild"):
        tame()
    tame()


def test_other_devices_do_not_hear_of_it(wild):
    wild(wait=False)
    other = mtlpy_nb.Device(cache_path=False)
    assert (other.buffer(np.zeros(4, np.float32)) + 1).contents.tolist() == [1, 1, 1, 1]


def test_many_calls_are_not_kept(device, tame):
    for _ in range(20):
        for _ in range(50):
            tame(wait=False)
        last = device._queue.command_buffer()
        last.commit()
        last.wait()  # unseen by the device, so that nothing but the calls themselves can let go
    assert len(device._pending._under_way) < 500


def test_what_was_stopped_is_not_an_error_of_the_next_wait(device, tame):
    source = """
    #include <metal_stdlib>
    kernel void forever(device volatile int* x [[buffer(0)]]) { while (x[0] == 0) x[1] = 1; }
    """
    device.compile(source, "forever").run([device.buffer(np.zeros(4, np.int32))], 1, wait=False)
    mtlpy_nb._native.stop(device._pending._under_way[0][0])
    tame()


def test_threads_that_commit_and_wait():
    pending = Pending(is_software=True)
    errors = []

    def work():
        try:
            for _ in range(1000):
                own = SimpleNamespace(status=mtlpy_nb._native.CommandBufferStatus.Committed)
                pending.add(own)
                pending.forget(own)
        except Exception as error:
            errors.append(error)

    for _ in range(60):  # many under way, so that to look through them takes a while
        pending.add(SimpleNamespace(status=mtlpy_nb._native.CommandBufferStatus.Committed))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # so that threads meet in the middle of what they do
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert errors == []
    assert len(pending._under_way) == 60


def test_a_time_out_that_is_none_leaves_the_error_to_the_next_wait(device, wild, tame):
    cb = device.command_buffer()
    wild(cb=cb)
    cb.commit(wait=False)
    with pytest.raises(TypeError, match="timeout must be seconds or None, got str"):
        cb.wait("1")
    with pytest.raises(RuntimeError, match="started with wait=False"):
        tame()
