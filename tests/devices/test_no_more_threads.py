# SPDX-License-Identifier: MIT
"""A process that can have no more threads: what others would do is done by those that there are."""

import subprocess
import sys

import pytest

BEGIN = """
import resource
import numpy as np
import mtlpy_nb
device = mtlpy_nb.Device(cache_path=False)
a = device.buffer(np.zeros(4, np.uint32))
kernel = device.library("kernel void add(device uint* a, uint i [[thread_position_in_grid]]) { a[i] += 1; }")["add"]
kernel(a, grid=4)
surface = mtlpy_nb.Surface(device, size=(16, 16))
# A thread needs a stack of several MB.
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 20), resource.RLIM_INFINITY))
"""
WORK = {
    "handlers": """
called = []
handle = kernel(a, grid=4, wait=False)
handle._command_buffer.add_completed_handler(called.append)
handle.wait()
assert len(called) == 1 and (a.numpy() == 2).all()
""",
    "events": """
called = []
event = device.shared_event()
event.notify(1, lambda *_: called.append(1))
event.signal(1)
assert called == [1]
""",
    "pictures": """
called = []
surface.add_presented_handler(lambda: called.append(1))
surface.present(surface.next_frame(), wait=True)
assert called == [1]
""",
}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_without_a_thread_the_work_is_done(work: str) -> None:
    ended = subprocess.run([sys.executable, "-c", BEGIN + work], capture_output=True, text=True, timeout=150)
    assert ended.returncode == 0, ended.stderr
