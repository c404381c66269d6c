# SPDX-License-Identifier: MIT
"""Kernels that never end, and kernels that write where they must not."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import mtlpy_nb

from . import scripts
from .conftest import HEADER, works

SOFTWARE = mtlpy_nb.Device().is_software
pytestmark = [pytest.mark.alone, pytest.mark.timeout(120)]
on_software = pytest.mark.skipif(not SOFTWARE, reason="a Mac's GPU ends such kernels in its own way")


def interrupted(body: str) -> scripts.Ended:
    process = scripts.start(body)
    try:
        scripts.interrupt_after(process, "running")
        return scripts.end(process)
    finally:
        process.kill()


@on_software
@pytest.mark.parametrize(
    "loop", ["while (x[0] == 0) x[1] += 1;", "for (;;) {}", "while (true) threadgroup_barrier(mem_flags::mem_none);"]
)
def test_endless_kernel_is_interrupted(loop):
    source = f"kernel void endless(device int* x, uint i [[thread_position_in_grid]]) {{ {loop} }}"
    ended = interrupted(f"""
        device = mtlpy_nb.Device()
        kernel = library({source!r}, device)["endless"]
        kernel.thread_execution_width
        pressed = []
        signal.signal(signal.SIGINT, lambda *_: (pressed.append(time.monotonic()), signal.default_int_handler(*_)))
        try:
            print("running")
            kernel(np.zeros(2, np.int32), grid=1000)
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - pressed[0] < 1)
        check(device)
        print("works")
    """)
    assert ended.lines == ["interrupted True", "works"], ended


@on_software
def test_interrupt_comes_within_a_fifth_of_a_second():
    """From the signal to the exception, measured where the signal is sent: in a thread of the same process."""
    ended = scripts.run("""
        device = mtlpy_nb.Device()
        kernel = library(ENDLESS, device)["endless"]
        kernel.thread_execution_width
        sent = []
        def press():
            time.sleep(0.3)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        for _ in range(3):
            threading.Thread(target=press).start()
            try:
                kernel(np.zeros(2, np.int32), grid=64)
            except KeyboardInterrupt:
                print(round(time.monotonic() - sent[-1], 3))
            check(device)
    """)
    waited = [float(line) for line in ended.lines]
    assert len(waited) == 3, ended
    assert max(waited) < 0.5, "0.2 s on a quiet machine"


@on_software
def test_waiting_for_a_handle_is_interrupted():
    ended = interrupted("""
        device = mtlpy_nb.Device()
        x = np.zeros(2, np.int32)
        handle = library(ENDLESS, device)["endless"](x, grid=64, wait=False)
        try:
            print("running")
            handle.wait()
        except KeyboardInterrupt:
            print("interrupted")
        check(device)
        try:
            handle.wait()
        except mtlpy_nb.ExecutionError as error:
            print("stopped", handle.done())
    """)
    assert ended.lines == ["interrupted", "stopped True"], ended


@on_software
def test_endless_kernel_of_another_thread_lets_the_process_end():
    ended = interrupted("""
        device = mtlpy_nb.Device()
        kernel = library(ENDLESS, device)["endless"]
        thread = threading.Thread(target=lambda: kernel(np.zeros(2, np.int32), grid=64), daemon=True)
        thread.start()
        time.sleep(0.3)
        try:
            print("running")
            thread.join()
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert ended.lines == ["interrupted"], ended
    assert ended.code == 0, ended


@on_software
def test_waiting_with_a_timeout(device):
    x = device.buffer(np.zeros(2, np.int32))
    handle = device.library(scripts.ENDLESS)["endless"](x, grid=64, wait=False)
    with pytest.raises(TimeoutError, match=r"not ended after 0\.05 s"):
        handle.wait(timeout=0.05)
    assert not handle.done()
    x.contents[0] = 1
    handle.wait(timeout=30)


@on_software
def test_interrupted_compilation():
    ended = interrupted("""
        device = mtlpy_nb.Device()
        check(device)
        try:
            print("running")
            library(SLOW, device)
        except KeyboardInterrupt:
            print("interrupted")
        check(device)
        print("works")
    """)
    assert ended.lines == ["interrupted", "works"], ended


FAR = {
    "write far away": "x[i + (1ul << 44)] = 1;",
    "read far away": "x[i] = x[i + (1ul << 44)];",
    "write to null": "device int* p = nullptr; if (x[0] == 1) p += 1; p[i] = 1;",
    "one thread of many": "if (i == 777) x[1ul << 44] = 1;",
    "in a loop": "for (int j = 0; j < 100; j++) x[ulong(j) << 40] = j;",
}


@on_software
@pytest.mark.parametrize("what", FAR)
def test_wild_pointer(device, what):
    source = f"{HEADER}kernel void wild(device int* x, uint i [[thread_position_in_grid]]) {{ {FAR[what]} }}"
    kernel = device.library(source)["wild"]
    for _ in range(3):
        with pytest.raises(mtlpy_nb.ExecutionError, match="wild"):
            kernel(np.ones(1000, np.int32))
        assert works(device)


@on_software
def test_far_too_large_a_grid():
    """What lies behind an array of the process' own memory is not written to: it used to end some of the runs."""
    source = "kernel void fill(device float* y, uint i [[thread_position_in_grid]]) { y[i] = 7; }"
    ended = scripts.run(f"""
        import gc
        device = mtlpy_nb.Device()
        fill = library({source!r}, device)["fill"]
        for round in range(10):
            for size in (5, 100, 2000, 100_000):
                for grid in (10 ** 6, 10 ** 7):
                    try: fill(np.ones(size, np.float32), grid=grid)
                    except mtlpy_nb.ExecutionError as error: assert "the nearest buffer has" in str(error), error
                    else: print("not noticed:", size, grid)
            gc.collect()
            made = [[str(i)] * 100 for i in range(1000)]
        check(device)
        print("works")
    """)
    assert ended.lines == ["works"], ended


@on_software
def test_null_pointer(device):
    source = "kernel void null(device float* x) { device float* none = x[0] == 0 ? nullptr : x; none[0] = 1; }"
    kernel = device.library(HEADER + source)["null"]
    with pytest.raises(mtlpy_nb.ExecutionError, match=r"null: invalid memory access at address 0x0; a null pointer"):
        kernel(np.zeros(4, np.float32))


@on_software
def test_wild_pointer_of_a_kernel_nobody_waits_for(device):
    source = "kernel void wild(device int* x, uint i [[thread_position_in_grid]]) { x[i + (1ul << 44)] = 1; }"
    handle = device.library(source)["wild"](device.buffer(np.ones(10, np.int32)), wait=False)
    with pytest.raises(mtlpy_nb.ExecutionError, match="wild"):
        handle.wait()
    assert handle.done()


@on_software
def test_private_arrays_too_large_for_any_stack(device):
    """Either it runs, or it is an error that says why; never the end of the process."""
    source = f"""{HEADER}
    kernel void deep(device int* x, uint i [[thread_position_in_grid]]) {{
        int a[1 << 22];
        for (int j = 0; j < (1 << 22); j++) a[j] = x[(i + j) % 8];
        x[i] = a[x[i]] + a[(1 << 22) - 1 - i];
    }}"""
    with contextlib.suppress(mtlpy_nb.PipelineError, mtlpy_nb.ExecutionError):
        device.library(source)["deep"](np.arange(8, dtype=np.int32))
