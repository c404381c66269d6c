# SPDX-License-Identifier: MIT
"""Threads that run kernels beside those of NumPy: between kernels they leave it the processors.

Each program is a process of its own, whose threads are all known.
"""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.alone

BEGIN = """
import os, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import numpy as np
import mtlpy_nb
import mtlpy_nb.metal

device = mtlpy_nb.Device(cache_path=False)
SOURCE = '''
kernel void add(device uint* a, uint i [[thread_position_in_grid]]) { a[i] += 1; }
kernel void turn(device uint* a, constant uint& turns, uint i [[thread_position_in_grid]]) {
    uint x = a[i];
    for (uint k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
    a[i] = x;
}'''
library = device.library(SOURCE)
add, turn = library["add"], library["turn"]

def name_of(task):
    try:
        return (task / "comm").read_text()
    except OSError:  # it has ended since it was listed
        return ""

def workers():
    return sorted(task for task in Path("/proc/self/task").iterdir() if name_of(task) == "metal-worker\\n")

def time_of_workers():
    return [int((task / "schedstat").read_text().split()[0]) for task in workers()]

def eventually(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
"""
WORK = {
    # Kernels that take every thread, then NumPy's product: the workers take no time at all while it is computed.
    "workers sleep while NumPy computes": """
a, numbers = device.buffer(np.zeros(1 << 16, np.uint32)), np.ones((256, 256))

def are_at_rest():
    turn(a, 2000)
    before = time_of_workers()
    time.sleep(0.01)
    if before != time_of_workers():
        return False  # not asleep yet
    for _ in range(20):
        numbers @ numbers
    return before == time_of_workers()

turn(a, 2000)
assert workers()
eventually(are_at_rest)
""",
    # Short work that a thread waits for it runs itself, however it is given to the device.
    "short work wakes no worker": """
a = device.buffer(np.zeros(64, np.uint32))
pipeline = device.compile(SOURCE, "add")
counted = 0

def calls():
    global counted
    for _ in range(1000):
        add(a)
    for _ in range(1000):
        pipeline.run([a], 64)
    for _ in range(200):
        with device.command_buffer() as commands:
            for _ in range(5):
                pipeline.run([a], 64, cb=commands)
    counted += 3000

def none_worked():
    before = time_of_workers()
    calls()
    return before == time_of_workers()

turn(a, 0)
assert workers()
eventually(none_worked)
turn(a, 0)
assert len(set(a.numpy())) == 1
assert a.numpy()[0] == counted
""",
    # Each thread of a pool calls kernels, short and long ones: there are no more workers for that.
    "callers bring no more workers": """
count = mtlpy_nb.metal.thread_count()
arrays = [np.zeros(5000, np.uint32) for _ in range(16)]

def call(array):
    for _ in range(20):
        add(array)
        np.sort(array)
        turn(array.copy(), 500)
    return array

with ThreadPoolExecutor(16) as pool:
    results = list(pool.map(call, arrays))
assert all((array == 20).all() for array in results)
assert len(workers()) <= count
""",
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_threads(work: str) -> None:
    ended = subprocess.run([sys.executable, "-c", BEGIN + work], capture_output=True, text=True, timeout=110)
    assert ended.returncode == 0, ended.stderr
