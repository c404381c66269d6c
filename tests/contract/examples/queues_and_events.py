# SPDX-License-Identifier: MIT
"""Two queues, one of which waits for the other; and the CPU, which lets both go."""

import mtlpy
import numpy as np

device = mtlpy.Device()
source = """
#include <metal_stdlib>
kernel void fill(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = i; }
kernel void twice(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""
fill, twice = device.compile(source, "fill"), device.compile(source, "twice")
data = device.buffer(np.zeros(64, np.int32))
first, second = device.queue(), device.queue()
made, start = device.event(), device.shared_event()

consumer = device.command_buffer(queue=second)
consumer.wait_for_event(made, 1)
twice.run([data], 64, cb=consumer)
consumer.signal_event(start, 2)
consumer.commit(wait=False)

with device.command_buffer(queue=first) as producer:
    producer.wait_for_event(start, 1)
    fill.run([data], 64, cb=producer)
    producer.signal_event(made, 1)
    start.signal(1)
assert start.wait(2, timeout_ms=10000)
assert start.signaled_value == 2
assert (data.contents == 2 * np.arange(64)).all()
