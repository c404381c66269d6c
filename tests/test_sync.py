# SPDX-License-Identifier: MIT
import threading
import weakref

import numpy as np
import pytest

import mtlpy_nb

SOURCE = """
kernel void fill(device int* x, device const int* value, uint i [[thread_position_in_grid]]) { x[i] = value[0]; }
kernel void twice(device int* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


@pytest.fixture
def device():
    return mtlpy_nb.Device()


@pytest.fixture
def buffer(device):
    return device.buffer(np.ones(1000, np.int32))


def test_a_command_buffer_waits_for_an_event_of_another_queue(device, buffer):
    fill, twice = device.compile(SOURCE, "fill"), device.compile(SOURCE, "twice")
    event = device.event()
    later = device.command_buffer(device.queue())
    later.wait_for_event(event, 1)
    twice.run([buffer], 1000, cb=later)
    later.commit(wait=False)
    with device.command_buffer() as first:
        fill.run([buffer, device.buffer(np.array([21], np.int32))], 1000, cb=first)
        first.signal_event(event, 1)
    done = device.shared_event()
    with device.command_buffer() as last:
        last.wait_for_event(event, 1)
        last.signal_event(done, 1)
    later._buffer.wait()
    assert done.wait(1, 60_000)
    np.testing.assert_array_equal(buffer.numpy(), np.full(1000, 42))


def test_a_callback_for_a_value_that_never_comes_goes_with_the_event(device):
    class Callback:
        def __call__(self, event, value):
            raise AssertionError("nobody signals it")

    callback, event = Callback(), device.shared_event()
    event.notify(1, callback)
    gone = [weakref.ref(callback), weakref.ref(event), weakref.ref(event._event)]
    del callback
    assert gone[0]() is not None
    del event
    assert [reference() for reference in gone] == [None, None, None]


def test_a_callback_comes_when_only_a_command_buffer_has_the_event(device):
    heard, batch, event = threading.Event(), device.command_buffer(), device.shared_event()
    seen = []

    def listen(event, value):
        seen.append((event.signaled_value, value))
        heard.set()

    event.notify(3, listen)
    batch.signal_event(event, 3)
    del event
    batch.commit()
    assert heard.wait(60)
    assert seen == [(3, 3)]


def test_python_holds_work_back_and_lets_it_go(device, buffer):
    twice = device.compile(SOURCE, "twice")
    event = device.shared_event()
    batch = device.command_buffer(device.queue())
    batch.wait_for_event(event, 5)
    twice.run([buffer], 1000, cb=batch)
    batch.signal_event(event, 6)
    batch.commit(wait=False)
    assert not event.wait(6, timeout_ms=20)
    assert event.signaled_value == 0
    np.testing.assert_array_equal(buffer.numpy(), np.ones(1000))
    event.signal(5)
    assert event.wait(6, timeout_ms=60_000)
    assert event.signaled_value == 6
    np.testing.assert_array_equal(buffer.numpy(), np.full(1000, 2))


def test_a_thread_signals_while_another_waits(device):
    event = device.shared_event()
    timer = threading.Timer(0.05, event.signal, (3,))
    timer.start()
    assert event.wait(3, timeout_ms=60_000)
    timer.join()


def test_an_event_through_its_handle(device):
    event = device.shared_event()
    same = device.import_shared_event(event.export_handle())
    event.signal(9)
    assert same.signaled_value == 9
    same.signal(12)
    assert event.wait(12, 0)


def test_fences_order_dispatches(device, buffer):
    twice = device.compile(SOURCE, "twice")
    fence = device.fence()
    start, end = twice.run([buffer], 1000, signal_fences=[fence])
    assert 0 < start <= end
    assert twice.run([buffer], 1000, wait=False, wait_fences=[fence]) == (0.0, 0.0)
    with device.command_buffer() as batch:
        twice.run([buffer], 1000, cb=batch, wait_fences=[fence], signal_fences=[fence])
        twice.run([buffer], 1000, cb=batch, wait_fences=[fence])
    np.testing.assert_array_equal(buffer.numpy(), np.full(1000, 16))


def test_objects_of_other_devices(device, buffer):
    other = mtlpy_nb.Device()
    twice = device.compile(SOURCE, "twice")
    with pytest.raises(ValueError, match="Queue belongs to a different Device instance"):
        device.command_buffer(other.queue())
    with pytest.raises(ValueError, match="Fence belongs to a different Device instance"):
        twice.run([buffer], 1000, wait_fences=[other.fence()])
    batch = device.command_buffer()
    with pytest.raises(ValueError, match="Event belongs to a different Device instance"):
        batch.wait_for_event(other.event(), 1)
    with pytest.raises(ValueError, match="Event belongs to a different Device instance"):
        batch.signal_event(other.shared_event(), 1)
    np.testing.assert_array_equal(buffer.numpy(), np.ones(1000))


def test_events_after_commit(device):
    batch = device.command_buffer()
    batch.commit()
    with pytest.raises(RuntimeError, match="already committed"):
        batch.signal_event(device.event(), 1)


def test_values_of_events(device):
    event = device.shared_event()
    with pytest.raises(ValueError, match="value is -1, must be 0 to"):
        event.signal(-1)
    with pytest.raises(TypeError):
        event.wait("soon")
