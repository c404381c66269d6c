# SPDX-License-Identifier: MIT
"""Log states: who hears what kernels write, from which level on, and in how much room."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

pm = pytest.importorskip("mtlpy_nb.metal")

SOURCE = """
#include <metal_stdlib>
#include <metal_logging>
using namespace metal;
constant os_log mine("tests", "levels");
kernel void say(device const int* x, uint i [[thread_position_in_grid]]) {
    if (x[i] == 1) mine.log_debug("debug %d", int(i));
    if (x[i] == 2) mine.log_error("error %d", int(i));
    if (x[i] == 3) os_log_default.log("plain %d", int(i));
}
"""


@pytest.fixture
def elsewhere():
    """What goes to the usual handler."""
    heard = []
    mtlpy_nb.set_log_handler(lambda message, *_: heard.append(message))
    yield heard
    mtlpy_nb.set_log_handler(None)


def state_of(device, level=None, size=None):
    descriptor = pm.LogStateDescriptor()
    if level is not None:
        descriptor.level = level
    if size is not None:
        descriptor.buffer_size = size
    state, heard = device.new_log_state(descriptor), []
    state.add_log_handler(lambda *message: heard.append(message))
    return state, heard


def say(commands, pipeline, buffer, count):
    encoder = commands.compute_command_encoder()
    encoder.set_compute_pipeline_state(pipeline)
    encoder.set_buffer(buffer, 0, 0)
    encoder.dispatch_threads(count, 32)
    encoder.end_encoding()
    commands.commit()
    commands.wait_until_completed()


def test_of_a_queue_and_of_a_command_buffer(device, pipeline, filled, elsewhere):
    of_queue, queue_heard = state_of(device)
    of_buffer, buffer_heard = state_of(device, pm.LogLevel.Notice)
    descriptor = pm.CommandQueueDescriptor()
    descriptor.log_state = of_queue
    assert descriptor.log_state is of_queue
    queue = device.new_command_queue(descriptor)
    kernel, x = pipeline(SOURCE, "say"), filled(np.array([1, 2, 3, 0], np.int32))
    say(queue.command_buffer(), kernel, x, 4)
    assert sorted(queue_heard) == [
        ("", "", pm.LogLevel.Notice, "plain 2"),
        ("tests", "levels", pm.LogLevel.Debug, "debug 0"),
        ("tests", "levels", pm.LogLevel.Error, "error 1"),
    ]
    own = pm.CommandBufferDescriptor()
    own.log_state = of_buffer
    say(queue.command_buffer(own), kernel, x, 4)
    assert sorted(message for *_, message in buffer_heard) == ["error 1", "plain 2"]
    assert len(queue_heard) == 3
    assert elsewhere == []


def test_without_a_handler_messages_go_where_others_go(device, pipeline, filled, elsewhere):
    descriptor = pm.CommandQueueDescriptor()
    descriptor.log_state = device.new_log_state(pm.LogStateDescriptor())
    queue = device.new_command_queue(descriptor)
    say(queue.command_buffer(), pipeline(SOURCE, "say"), filled(np.array([3], np.int32)), 1)
    assert elsewhere == ["plain 0"]


def test_a_small_buffer_loses_messages_and_says_so(device, pipeline, filled, elsewhere):
    state, heard = state_of(device, size=1024)
    descriptor = pm.CommandQueueDescriptor()
    descriptor.log_state = state
    queue = device.new_command_queue(descriptor)
    say(queue.command_buffer(), pipeline(SOURCE, "say"), filled(np.full(512, 3, np.int32)), 512)
    *kept, last = [message for *_, message in heard]
    assert all(message.startswith("plain ") for message in kept)
    assert 0 < len(kept) < 512
    assert last == f"{512 - len(kept)} more messages found no room in a log of 1024 bytes"


def test_a_buffer_that_is_too_small(device):
    descriptor = pm.LogStateDescriptor()
    descriptor.buffer_size = 1023
    with pytest.raises(pm.ValidationError, match="newLogState: bufferSize is 1023, must be >= 1024"):
        device.new_log_state(descriptor)


def test_a_handler_that_raises_does_no_harm(device, pipeline, filled, monkeypatch):
    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    state = device.new_log_state(pm.LogStateDescriptor())
    heard = []

    def fail(*_):
        raise RuntimeError("no")

    state.add_log_handler(fail)
    state.add_log_handler(lambda *message: heard.append(message))
    descriptor = pm.CommandQueueDescriptor()
    descriptor.log_state = state
    queue = device.new_command_queue(descriptor)
    say(queue.command_buffer(), pipeline(SOURCE, "say"), filled(np.array([3], np.int32)), 1)
    assert [str(error.exc_value) for error in unraisable] == ["no"]
    assert len(heard) == 1
