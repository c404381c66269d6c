# SPDX-License-Identifier: MIT
"""Processes that end in the middle of work, and children that begin with what their parents had."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import traceback

import numpy as np
import pytest

import mtlpy_nb

from . import peers
from .conftest import shared_memory

pytestmark = [
    pytest.mark.alone,
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
METHODS = ["fork", "spawn", "forkserver"]

# Begins everything that can be under way: an endless kernel, a batch that waits for ever, a listener, a thread that
# waits, a handler, an exported event with a waiting queue.
BUSY = """
import os, signal, sys, threading, time
import numpy as np
import mtlpy_nb
device = mtlpy_nb.Device(cache_path=False)
SOURCE = '''
#include <metal_stdlib>
using namespace metal;
kernel void endless(device atomic_uint* a) { while (atomic_load_explicit(a, memory_order_relaxed) == 0) {} }
'''
flag = device.buffer(np.zeros(1, np.uint32))
endless = device.library(SOURCE)["endless"]
gate, event = device.event(), device.shared_event()
event.export_handle()
for waited in (gate, event):
    batch = device.command_buffer(device.queue())
    batch.wait_for_event(waited, 9)
    batch.commit(wait=False)
event.notify(9, print)
handle = endless(flag, grid=1, wait=False)
handle._command_buffer.add_completed_handler(lambda _: None)
waits = threading.Thread(target=lambda: event.wait(9, timeout_ms=10**9), daemon=True)
waits.start()
held = threading.Thread(target=lambda: endless(flag, grid=1), daemon=True)
held.start()
time.sleep(0.2)
"""
ENDS = {
    "falls off the end": ("", 0),
    "sys.exit": ("sys.exit(3)", 3),
    "os._exit": ("os._exit(4)", 4),
    "an error": ("raise SystemExit('no')", 1),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)", -signal.SIGTERM),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL); time.sleep(60)", -signal.SIGKILL),
    "SIGINT while it waits": (
        "threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()\n"
        "try:\n    handle.wait()\nexcept KeyboardInterrupt:\n    sys.exit(5)",
        5,
    ),
    "a handler that exits": (
        "signal.signal(signal.SIGALRM, lambda *_: sys.exit(6)); signal.setitimer(signal.ITIMER_REAL, 0.2)\n"
        "handle.wait()",
        6,
    ),
    "sys.exit in a batch": (
        "with device.command_buffer() as made:\n    made.wait_for_event(gate, 9)\n    sys.exit(7)",
        7,
    ),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_process_that_ends_in_mid_flight(how):
    code, status = ENDS[how]
    before = shared_memory()
    command = [sys.executable, "-X", "faulthandler", "-c", BUSY + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status, done.stderr
    assert "Fatal" not in done.stderr
    assert "terminate called" not in done.stderr
    assert shared_memory() <= before


def double(numbers):
    device = mtlpy_nb.Device(cache_path=False)
    return device.library(peers.DOUBLE)["twice"](np.asarray(numbers, np.float32)).tolist()


def double_there(pipe, numbers):
    pipe.send(double(numbers))


@pytest.mark.parametrize("method", METHODS)
def test_children_of_multiprocessing(method):
    assert double([1, 2]) == [2, 4]
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=double_there, args=(theirs, [3, 4]))
    process.start()
    assert ours.recv() == [6, 8]
    process.join(60)
    assert process.exitcode == 0
    assert double([5]) == [10]


@pytest.mark.parametrize("method", METHODS)
def test_pools_of_processes(method):
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
        assert list(pool.map(double, [[i, i + 1] for i in range(4)])) == [[2 * i, 2 * i + 2] for i in range(4)]


def in_child(check):
    """Run a check in a forked child; it fails where the check does."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            check()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_all_that_is_inherited_raises(device):
    library = device.library(peers.DOUBLE)
    kernel, pipeline = library["twice"], device.compile(peers.DOUBLE, "twice")
    buffer, texture = device.buffer(np.ones(4, np.float32)), device.empty_texture((4, 4), "r32Float")
    queue, open_batch, heap = device.queue(), device.command_buffer(), device.heap(1 << 16)
    kernel(buffer)
    inherited = [
        lambda: kernel(buffer),
        lambda: kernel(np.ones(4, np.float32)),
        lambda: pipeline.run([buffer], 4),
        lambda: device.buffer(4),
        lambda: device.empty_texture((4, 4), "r32Float"),
        lambda: device.library("kernel void a() {}"),
        lambda: device.compile("kernel void b() {}", "b"),
        lambda: device.queue(),
        lambda: device.event(),
        lambda: device.shared_event(),
        lambda: device.fence(),
        lambda: device.sampler(),
        lambda: device.heap(1 << 16),
        lambda: device.binary_archive(),
        lambda: device.command_buffer(),
        lambda: device.command_buffer(queue),
        lambda: device.copy_buffer(buffer[:2], buffer[2:]),
        lambda: open_batch.commit(),
        lambda: buffer + 1,
        lambda: texture.numpy(),
        lambda: texture.upload(np.zeros((4, 4), np.float32)),
        lambda: heap.buffer(4),
        lambda: heap.empty_texture((4, 4), "r32Float"),
        lambda: device.current_allocated_size,
    ]

    def check():
        for i, use in enumerate(inherited):
            with pytest.raises(mtlpy_nb.MetalError) as raised:
                use()
            assert "fork" in str(raised.value), i
        assert buffer.numpy().tolist() == [2, 2, 2, 2], "memory itself can be read"
        assert double([1]) == [2]

    in_child(check)
    assert kernel(buffer).numpy().tolist() == [4, 4, 4, 4]


def test_fork_while_threads_work(device):
    stop = threading.Event()

    def work():
        while not stop.is_set():
            device.library(peers.DOUBLE)["twice"](np.ones(1000, np.float32))
            device.shared_event().export_handle()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            in_child(lambda: double([1]) == [2] or 1 / 0)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_children_of_children():
    def check():
        assert double([1]) == [2]
        in_child(lambda: double([2]) == [4] or 1 / 0)
        assert double([3]) == [6]

    in_child(check)
