# SPDX-License-Identifier: MIT
"""CommandBuffer: several runs in one submission, committed, discarded or refused whole."""

import threading

import numpy as np
import pytest

import mtlpy_nb as mtlpy
from mtlpy_nb.pipeline import CommandBuffer

ADD_ONE = """
#include <metal_stdlib>
using namespace metal;
kernel void add_one(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }
"""


@pytest.fixture
def add_one(device):
    return device.compile(ADD_ONE, "add_one")


@pytest.fixture
def zeros(device):
    return device.buffer(np.zeros(4, np.float32))


def test_nothing_runs_before_the_commit(device, add_one, zeros):
    with device.command_buffer() as cb:
        assert isinstance(cb, CommandBuffer)
        add_one.run([zeros], 4, cb=cb)
        add_one.run([zeros], 4, cb=cb)
        device.buffer(np.zeros(1, np.float32)) + 1
        assert not zeros.contents.any()
    assert (zeros.contents == 2).all()


def test_times_of_the_whole(device, add_one, zeros):
    cb = device.command_buffer()
    add_one.run([zeros], 4, cb=cb)
    start, end = cb.commit()
    assert 0 < start <= end
    cb = device.command_buffer()
    add_one.run([zeros], 4, cb=cb)
    assert cb.commit(wait=False) == (0.0, 0.0)
    assert cb.wait()
    assert cb.done()
    assert (zeros.contents == 2).all()


def test_an_empty_batch(device):
    with device.command_buffer():
        pass


def test_a_block_that_raises_commits_nothing(device, add_one, zeros):
    cb = device.command_buffer()

    def block():
        with cb:
            add_one.run([zeros], 4, cb=cb)
            raise KeyError("no")

    with pytest.raises(KeyError):
        block()
    device.buffer(np.zeros(1, np.float32)) + 1
    assert not zeros.contents.any()
    for call in (cb.commit, lambda: add_one.run([zeros], 4, cb=cb)):
        with pytest.raises(RuntimeError, match="CommandBuffer already committed"):
            call()
    with pytest.raises(RuntimeError, match="it was not committed"):
        cb.wait()


def test_nothing_after_the_commit(device, add_one, zeros):
    cb = device.command_buffer()
    add_one.run([zeros], 4, cb=cb)
    cb.commit()
    with pytest.raises(RuntimeError, match="CommandBuffer already committed"):
        cb.commit()
    with pytest.raises(RuntimeError, match="cannot encode more work into it"):
        add_one.run([zeros], 4, cb=cb)
    assert (zeros.contents == 1).all()


@pytest.mark.parametrize("wrong", [{"buffers": []}, {"grid": 0}, {"threadgroup": 33}, {"grid": np.int64(4)}])
def test_a_failed_dispatch_poisons_the_batch(device, add_one, zeros, wrong):
    cb = device.command_buffer()
    add_one.run([zeros], 4, cb=cb)
    with pytest.raises((RuntimeError, TypeError)):
        add_one.run(**{"buffers": [zeros], "grid": 4, "cb": cb, **wrong})
    with pytest.raises(RuntimeError, match="Cannot commit: a dispatch encoded into this CommandBuffer failed"):
        cb.commit()
    device.buffer(np.zeros(1, np.float32)) + 1
    assert not zeros.contents.any()


def test_a_poisoned_batch_is_refused_at_the_end_of_its_block(device, add_one, zeros):
    def block():
        with device.command_buffer() as cb:
            with pytest.raises(RuntimeError):
                add_one.run([], 4, cb=cb)
            add_one.run([zeros], 4, cb=cb)

    with pytest.raises(RuntimeError, match="Cannot commit"):
        block()
    assert not zeros.contents.any()


def test_batches_of_other_devices(device, other_device, add_one, zeros):
    with pytest.raises(ValueError, match="different Device"):
        add_one.run([zeros], 4, cb=other_device.command_buffer())
    with pytest.raises(ValueError, match="Queue belongs to a different Device instance"):
        device.command_buffer(queue=other_device.queue())
    cb = device.command_buffer()
    for call in (cb.wait_for_event, cb.signal_event):
        with pytest.raises(ValueError, match="Event belongs to a different Device instance"):
            call(other_device.event(), 1)


def test_queues_and_events(device, add_one, zeros):
    first, second, event = device.queue(), device.queue(), device.event()
    late = device.command_buffer(queue=second)
    late.wait_for_event(event, 1)
    add_one.run([zeros], 4, cb=late)
    late.commit(wait=False)
    assert not late.done()
    with device.command_buffer(queue=first) as early:
        add_one.run([zeros], 4, cb=early)
        early.signal_event(event, 1)
    late.wait()
    assert (zeros.contents == 2).all()


def test_shared_events(device, add_one, zeros):
    event = device.shared_event()
    assert isinstance(event, mtlpy.SharedEvent)
    assert isinstance(event, mtlpy.Event)
    assert event.signaled_value == 0
    cb = device.command_buffer()
    cb.wait_for_event(event, 1)
    add_one.run([zeros], 4, cb=cb)
    cb.signal_event(event, 2)
    cb.commit(wait=False)
    assert event.wait(2, timeout_ms=20) is False
    event.signal(1)
    assert event.wait(2) is True
    assert event.signaled_value == 2
    assert (zeros.contents == 1).all()
    handle = event.export_handle()
    assert isinstance(handle, mtlpy.SharedEventHandle)
    again = device.import_shared_event(handle)
    again.signal(7)
    assert event.signaled_value == 7


def test_labels_and_handlers(device, add_one, zeros):
    cb, heard = device.command_buffer(), []
    cb.label = "first pass"
    assert cb.label == "first pass"
    cb.add_completed_handler(heard.append)
    add_one.run([zeros], 4, cb=cb)
    cb.commit()
    assert heard == [cb]
    cb.add_completed_handler(heard.append)
    assert heard == [cb, cb]


def test_other_threads_go_on_while_one_waits(device, add_one, zeros):
    event = device.shared_event()
    cb = device.command_buffer()
    cb.wait_for_event(event, 1)
    add_one.run([zeros], 4, cb=cb)
    thread = threading.Timer(0.05, event.signal, [1])
    thread.start()
    cb.commit()
    thread.join()
    assert (zeros.contents == 1).all()


def test_what_a_batch_uses_lives_until_its_end(device, add_one):
    event, contents = device.shared_event(), None
    cb = device.command_buffer()
    cb.wait_for_event(event, 1)
    buffer = device.buffer(np.zeros(4, np.float32))
    contents = buffer.contents
    add_one.run([buffer], 4, cb=cb)
    cb.commit(wait=False)
    del buffer
    others = [device.buffer(np.full(4, 5, np.float32)) for _ in range(4)]
    event.signal(1)
    cb.wait()
    assert (contents == 1).all()
    assert all((other.contents == 5).all() for other in others)


@pytest.mark.parametrize(
    "wrong",
    [
        {"buffers": [3]},
        {"buffers": [None]},
        {"buffers": 3},
        {"buffers": []},
        {"grid": 0},
        {"grid": -1},
        {"grid": 1 << 32},
        {"grid": "4"},
        {"threadgroup": 0},
        {"threadgroup": 33},
        {"textures": [3]},
        {"samplers": [3]},
    ],
    ids=str,
)
def test_a_mistake_is_told_as_outside_of_a_batch(device, add_one, zeros, wrong):
    arguments = {"buffers": [zeros], "grid": 4, **wrong}
    with pytest.raises((ValueError, TypeError, RuntimeError)) as alone:
        add_one.run(**arguments)
    cb = device.command_buffer()
    with pytest.raises(alone.type) as batched:
        add_one.run(**arguments, cb=cb)
    assert str(batched.value) == str(alone.value)
    with pytest.raises(RuntimeError, match="incomplete"):
        cb.commit()


def test_parts_of_buffers(device, add_one):
    whole = device.buffer(np.zeros(8, np.float32))
    with device.command_buffer() as cb:
        add_one.run([whole[4:]], 4, cb=cb)
        add_one.run([whole[2:6]], 4, cb=cb)
    assert whole.contents.tolist() == [0, 0, 1, 1, 2, 2, 1, 1]
