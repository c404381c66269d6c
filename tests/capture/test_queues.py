# SPDX-License-Identifier: MIT
"""Captures of several queues, of one queue, of a scope; of work that has not ended."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from settling import eventually

import mtlpy_nb
import mtlpy_nb.metal as pm

from .conftest import SOURCE


@pytest.fixture(scope="module")
def twice(device):
    return device.compile(SOURCE, "twice")


def many(device, twice, x, queue, count):
    for _ in range(count):
        with device.command_buffer(queue) as batch:
            twice.run([x], x.size, cb=batch)


def test_queues_at_the_same_time(device, twice, capturing):
    """Each command's before is what the one before it left, on that buffer, whatever other queues do."""
    buffers = [device.buffer(np.ones(50_000, np.float32)) for _ in range(3)]
    with capturing() as captured:
        threads = [threading.Thread(target=many, args=(device, twice, x, device.queue(), 8)) for x in buffers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(captured.commands) == 24
    assert len(captured.queues) == 3
    for queue in captured.queues:
        commands = [command for command in captured.commands if command.queue is queue]
        values = [(float(c.buffers["x"].before[-1]), float(c.buffers["x"].after[-1])) for c in commands]
        assert values == [(2.0**i, 2.0 ** (i + 1)) for i in range(8)]
    times = [(command.start, command.end) for command in captured.commands]
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(times))


def test_one_buffer_on_two_queues(device, twice, capturing):
    x = device.buffer(np.ones(20_000, np.float32))
    with capturing() as captured:
        threads = [threading.Thread(target=many, args=(device, twice, x, device.queue(), 5)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert captured.history("x", 7).values == [2.0**i for i in range(1, 11)]


def test_work_that_nobody_waited_for(device, twice, capturing):
    x = device.buffer(np.ones(1000, np.float32))
    with capturing() as captured:
        for _ in range(20):
            twice.run([x], 1000, wait=False)
    assert captured.is_complete
    assert len(captured.commands) == 20
    assert float(captured[19].buffers["x"].after[0]) == 2.0**20


def test_one_queue_only(device, twice, capturing):
    x, queue = device.buffer(np.ones(64, np.float32)), device.queue()
    with capturing(queue=queue) as captured:
        many(device, twice, x, queue, 2)
        twice.run([x], 64)
    assert captured.of == "queue"
    assert len(captured.commands) == 2


def test_a_scope_only(device, twice, capturing):
    x, scope = device.buffer(np.ones(64, np.float32)), device.capture_scope("what matters")
    with capturing(scope=scope) as captured:
        twice.run([x], 64)
        for _ in range(2):
            with scope:
                twice.run([x], 64)
            twice.run([x], 64)
        with scope:
            reaching_out = device.command_buffer()
            twice.run([x], 64, cb=reaching_out)
        with scope:
            reaching_out.commit()
    assert captured.of == "scope"
    assert [float(command.buffers["x"].before[0]) for command in captured.commands] == [2, 8]
    assert {scope.label for command in captured.commands for scope in command.scopes} == {"what matters"}


def test_a_scope_of_a_queue_only(device, twice, capturing):
    x, queue = device.buffer(np.ones(64, np.float32)), device.queue()
    with capturing(scope=device.capture_scope("one", queue)) as captured:
        many(device, twice, x, queue, 1)
    assert len(captured.commands) == 0


def test_events_between_queues(device, twice, capturing):
    x, event = device.buffer(np.ones(64, np.float32)), device.event()
    with capturing() as captured:
        later = device.command_buffer(device.queue())
        later.wait_for_event(event, 1)
        twice.run([x], 64, cb=later)
        later.commit(wait=False)
        with device.command_buffer() as first:
            twice.run([x], 64, cb=first)
            first.signal_event(event, 1)
    assert captured.is_complete
    assert sorted(command.kind for command in captured.commands) == ["dispatch", "dispatch", "signal", "wait"]
    by_kind = {command.kind: command for command in captured.commands if command.kind != "dispatch"}
    assert by_kind["wait"].end >= by_kind["signal"].start
    assert captured.history("x", 0).values == [2, 4]


def test_what_waits_for_ever_leaves_the_capture_incomplete(device, twice, tmp_path):
    x, event = device.buffer(np.ones(64, np.float32)), device.shared_event()
    capture = device.start_capture(tmp_path / "c.metalcapture")
    twice.run([x], 64)
    batch = device.command_buffer(device.queue())
    twice.run([x], 64, cb=batch)
    batch.wait_for_event(event, 1)
    twice.run([x], 64, cb=batch)
    batch.commit(wait=False)
    with pytest.warns(RuntimeWarning, match=r"1 command buffer had not ended, so .*c\.metalcapture is incomplete"):
        device.stop_capture()
    event.signal(1)
    batch._buffer.wait()
    np.testing.assert_array_equal(x.numpy(), np.full(64, 8))
    captured = capture.load()
    assert not captured.is_complete
    assert captured.unfinished == 1
    assert [command.kind for command in captured.commands] == ["dispatch", "dispatch", "wait"]
    last = captured[2]
    assert not last.is_finished
    assert last.end is None
    assert last.duration is None
    assert captured.command_buffers[1].status == "committed"
    assert "incomplete: 1 command buffer had not ended" in str(captured)


def test_what_is_behind_a_command_buffer_that_nobody_commits(device, twice, tmp_path):
    x, queue = device.buffer(np.ones(64, np.float32)), device.queue()
    capture = device.start_capture(tmp_path / "c.metalcapture")
    in_front = queue._queue.command_buffer()
    in_front.enqueue()
    behind = device.command_buffer(queue)
    twice.run([x], 64, cb=behind)
    behind.commit(wait=False)
    with pytest.warns(RuntimeWarning, match=r"1 command buffer had not ended, so .*c\.metalcapture is incomplete"):
        device.stop_capture()
    in_front.commit()
    behind._buffer.wait()
    np.testing.assert_array_equal(x.numpy(), np.full(64, 2))
    captured = capture.load()
    assert (captured.unfinished, len(captured.commands)) == (1, 0)


def test_an_event_signalled_by_the_host_is_waited_for(device, twice, capturing):
    x, event = device.buffer(np.ones(64, np.float32)), device.shared_event()
    with capturing() as captured:
        batch = device.command_buffer(device.queue())
        batch.wait_for_event(event, 1)
        twice.run([x], 64, cb=batch)
        batch.commit(wait=False)
        event.signal(1)
    assert captured.is_complete
    assert float(captured[1].buffers["x"].after[0]) == 2


@pytest.mark.alone
def test_an_interrupt_stops_the_capture(device, kernels, tmp_path):
    x = device.buffer(np.zeros(1, np.int32))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt), device.start_capture(tmp_path / "c.metalcapture") as capture:
            kernels["for_ever"](x, grid=1)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not device.is_capturing
    captured = capture.load()
    assert captured.is_complete
    assert captured[0].kernel == "for_ever"
    assert "stopped" in captured[0].error


@pytest.mark.alone
def test_an_interrupt_while_the_end_is_waited_for(device, tmp_path):
    """The kernel goes on: what was known of it when the person lost patience is in the file."""
    state = device._native.new_compute_pipeline_state(
        device._native.new_library_with_source(SOURCE).new_function("for_ever")
    )
    x = device._native.new_buffer(4)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        capture = device.start_capture(tmp_path / "c.metalcapture")
        running = pm.dispatch(
            device._native.new_command_queue(), state, [x], [], grid=(1, 1, 1), threadgroup=(1, 1, 1), wait=False
        )
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            device.stop_capture()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
        np.frombuffer(x.contents(), np.int32)[0] = 1
    running.wait(60)
    assert not device.is_capturing
    captured = capture.load()
    assert captured.unfinished == 1
    (command,) = captured.commands
    assert command.kernel == "for_ever"
    assert not command.is_finished
    assert command.buffers["x"].before.tolist() == [0]
    with pytest.raises(ValueError, match="no content of 'x' in command 0: the capture ended before the command did"):
        _ = command.buffers["x"].after
    assert command.changed == ()


def test_an_exception_stops_the_capture(device, twice, tmp_path):
    x = device.buffer(np.ones(64, np.float32))
    with pytest.raises(TypeError, match="grid"), device.start_capture(tmp_path / "c.metalcapture") as capture:
        twice.run([x], (64, twice.run([x], 64)))
    assert not device.is_capturing
    assert len(capture.load().commands) == 1


def test_captures_and_threads_that_begin_and_end(device, twice, tmp_path):
    """Work of other threads goes on while captures begin and end around it."""
    x, over = device.buffer(np.ones(64, np.float32)), threading.Event()

    def work():
        queue = device.queue()
        while not over.is_set():
            many(device, twice, x, queue, 1)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for i in range(10):
            with device.start_capture(tmp_path / f"{i}.metalcapture"):
                time.sleep(0.01)
    finally:
        over.set()
        for thread in threads:
            thread.join()
    for i in range(10):
        with mtlpy_nb.capture.load(tmp_path / f"{i}.metalcapture") as captured:
            assert captured.is_complete
            assert all(command.is_finished for command in captured.commands)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_has_no_capture(device, twice, tmp_path):
    x = device.buffer(np.ones(64, np.float32))
    with device.start_capture(tmp_path / "c.metalcapture") as capture:
        twice.run([x], 64)
        child = os.fork()
        if child == 0:
            ok = not mtlpy_nb.metal.shared_capture_manager().is_capturing
            os._exit(0 if ok else 1)
        assert os.waitpid(child, 0)[1] == 0
        twice.run([x], 64)
    assert len(capture.load().commands) == 2


def threads():
    names = []
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/comm") as file:
            names.append(file.read().strip())
    return names


@pytest.mark.alone
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are listed on Linux")
def test_a_capture_leaves_no_threads_and_no_memory(device, twice, tmp_path):
    def once():
        with device.start_capture(tmp_path / "c.metalcapture"):
            for _ in range(3):
                twice.run([device.buffer(np.arange(1 << 20, dtype=np.float32))], 1 << 20)
            eventually(lambda: "metal-capture" in threads())  # it names itself

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    for _ in range(3):
        once()
    before = resident()
    for _ in range(12):
        once()
    eventually(lambda: "metal-capture" not in threads())  # a thread that was joined is listed a moment longer
    # A capture that stayed would hold 24 MB of blocks and buffers.
    assert resident() - before < 60e6


TWO_DEVICES = """
import sys
import numpy as np
import mtlpy_nb
source = "kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
first, second = (mtlpy_nb.Device(i, cache_path=False) for i in range(2))
kernels = [device.library(source)["twice"] for device in (first, second)]
with second.start_capture(sys.argv[1]) as capture:
    kernels[0](np.ones(4, np.float32))
    kernels[1](np.ones(5, np.float32))
print(first.is_capturing, [command.grid for command in capture.load().dispatches])
"""


def test_one_device_of_several(tmp_path):
    end = subprocess.run(
        [sys.executable, "-c", TWO_DEVICES, tmp_path / "c.metalcapture"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "MTLPY_SOFTWARE_DEVICES": "2"},
    )
    assert end.stdout == "False [(5, 1, 1)]\n", end.stderr
