# SPDX-License-Identifier: MIT
"""An endless kernel that nobody waits for any more doesn't block those after it."""

import asyncio
import os
import signal
import threading
import time

import numpy as np
import pytest

from mtlpy_nb.handle import _left_alone

SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void endless(device atomic_uint* a) { while (atomic_load_explicit(a, memory_order_relaxed) == 0) {} }
kernel void more(device float* a, uint i [[thread_position_in_grid]]) { a[i] += 1; }
"""


def test_cancelled_await_stops_the_kernel(device):
    library = device.library(SOURCE)

    async def wait_a_little():
        async def endless():
            await library["endless"](np.zeros(1, np.uint32), grid=1, wait=False)

        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(endless(), 0.2)

    asyncio.run(wait_a_little())
    assert library["more"](np.zeros(2, np.float32)).tolist() == [1, 1]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("is_kept", [True, False])
def test_interrupt_stops_what_was_started_before(device, is_kept):
    library = device.library(SOURCE)
    handle = library["endless"](np.zeros(1, np.uint32), grid=1, wait=False)
    if not is_kept:
        handle = None
    library["more"]._prepared()
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        library["more"](np.zeros(2, np.float32))
    assert library["more"](np.zeros(2, np.float32)).tolist() == [1, 1]
    assert handle is None or handle.done()
    while _left_alone:  # its end is told on another thread
        time.sleep(0.01)
