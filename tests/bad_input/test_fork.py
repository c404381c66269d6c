# SPDX-License-Identifier: MIT
"""A forked child: what it inherited says so, and a device of its own works."""

from __future__ import annotations

import pytest

import mtlpy_nb

from . import scripts

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(not mtlpy_nb.Device().is_software, reason="a Mac's frameworks do not allow it"),
]

FORK = """
    def in_child(work):
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            try:
                work()
                os._exit(0)
            except BaseException as error:
                print(type(error).__name__, error)
                os._exit(1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    device = mtlpy_nb.Device()
    check(device)
    kernel = library("kernel void one(device int* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }", device)["one"]
    buffer = device.buffer(np.arange(4, dtype=np.int32))
    kernel(buffer)
"""


def test_child_works_with_a_device_of_its_own():
    ended = scripts.run(FORK + "    print(in_child(lambda: check(mtlpy_nb.Device())))\n    check(device)\n")
    assert (ended.lines, ended.code) == (["0"], 0), ended


def test_default_device_of_a_child_is_its_own():
    ended = scripts.run(
        FORK
        + """
    mtlpy_nb.default_device()
    print(in_child(lambda: check(mtlpy_nb.default_device())))
    """
    )
    assert (ended.lines, ended.code) == (["0"], 0), ended


@pytest.mark.parametrize(
    "work",
    [
        "lambda: kernel(np.zeros(4, np.int32))",
        "lambda: kernel(buffer)",
        "lambda: device.library('kernel void k() {}')",
        "lambda: device.buffer(4)",
        "lambda: device.copy_buffer(buffer, buffer, size_bytes=8, dst_offset=8)",
    ],
    ids=["kernel", "kernel with a buffer", "library", "buffer", "copy"],
)
def test_inherited_objects_say_that_they_were_forked(work):
    ended = scripts.run(FORK + f"    print(in_child({work}))\n    check(device)\n    print('works')\n")
    message, code, works = ended.lines
    assert "Error" in message.split()[0], ended
    assert "fork" in message, ended
    assert (code, works) == ("1", "works"), ended


def test_child_may_end_without_touching_anything():
    ended = scripts.run(FORK + "    print([in_child(lambda: None) for _ in range(5)])\n    check(device)\n")
    assert ended.lines == ["[0, 0, 0, 0, 0]"], ended


def test_child_may_end_as_python_does():
    """Without os._exit: objects are freed and exit handlers run in the child too."""
    ended = scripts.run(
        FORK
        + """
    if os.fork() == 0:
        signal.alarm(30)
        sys.exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]))
    check(device)
    """
    )
    assert (ended.lines, ended.code) == (["0"], 0), ended


def test_fork_while_a_kernel_runs():
    ended = scripts.run(
        FORK
        + """
    x = device.buffer(np.zeros(2, np.int32))
    handle = library(ENDLESS, device)["endless"](x, grid=64, wait=False)
    print(in_child(lambda: check(mtlpy_nb.Device())))
    x.contents[0] = 1
    handle.wait(30)
    check(device)
    """
    )
    assert (ended.lines, ended.code) == (["0"], 0), ended


def test_multiprocessing_by_fork():
    ended = scripts.run(
        """
    import multiprocessing
    def work(number):
        x = np.full(3, number, np.int32)
        source = "kernel void square(device int* x, uint i [[thread_position_in_grid]]) { x[i] *= x[i]; }"
        library(source, mtlpy_nb.default_device())["square"](x)
        return x.tolist()
    check(mtlpy_nb.default_device())
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(pool.map(work, range(6)))
    """
    )
    assert ended.lines == [str([[n * n] * 3 for n in range(6)])], ended
