# SPDX-License-Identifier: MIT
"""What the other process does in the tests of events between processes; imported there by name."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np

import mtlpy_nb

DOUBLE = """
#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


def imported(handle):
    return mtlpy_nb.Device(cache_path=False).import_shared_event(handle)


def answer(handle, rounds=1):
    """The device here waits for each odd value and signals the even one after it."""
    device = mtlpy_nb.Device(cache_path=False)
    event = device.import_shared_event(handle)
    for i in range(rounds):
        with device.command_buffer() as batch:
            batch.wait_for_event(event, 2 * i + 1)
            batch.signal_event(event, 2 * i + 2)
    return event.signaled_value


def wait_and_signal(handle):
    """The processor here waits for 1 and signals 2."""
    event = imported(handle)
    if event.wait(1, timeout_ms=60_000):
        event.signal(2)


def compute_and_signal(handle, numbers):
    device = mtlpy_nb.Device(cache_path=False)
    event = device.import_shared_event(handle)
    buffer = device.buffer(np.asarray(numbers, np.float32))
    batch = device.command_buffer()
    device.compile(DOUBLE, "twice").run([buffer], len(numbers), cb=batch)
    batch.signal_event(event, 1)
    batch.commit()
    return buffer.numpy().tolist()


def die_waiting(handle):
    """The device and the processor here wait for what never comes, when the process is killed."""
    device = mtlpy_nb.Device(cache_path=False)
    event = device.import_shared_event(handle)
    batch = device.command_buffer()
    batch.wait_for_event(event, 1000)
    batch.commit(wait=False)
    event.signal(1)
    os.kill(os.getpid(), signal.SIGKILL)


def send_back(handle, pipe):
    """Pass a handle on, and end."""
    pipe.send(imported(handle).export_handle())
    pipe.recv()


def export_and_end(pipe):
    """Export an event, and end without keeping it."""
    event = mtlpy_nb.Device(cache_path=False).shared_event()
    event.label = "of the child"
    event.signal(41)
    pipe.send((event.export_handle().name, event.export_handle()))
    del event
    pipe.recv()


if __name__ == "__main__":
    kind, word = sys.argv[1:]
    make = mtlpy_nb.SharedEventHandle.from_name if kind == "name" else mtlpy_nb.SharedEventHandle.from_fileno
    wait_and_signal(make(word if kind == "name" else int(word)))
