# SPDX-License-Identifier: MIT
"""os_log: what kernels write, when their commands have run."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import mtlpy_nb
from mtlpy_nb import LogLevel

HEADER = "#include <metal_stdlib>\n#include <metal_logging>\nusing namespace metal;\n"


@pytest.fixture
def messages():
    heard = []
    mtlpy_nb.set_log_handler(lambda *message: heard.append(message))
    yield heard
    mtlpy_nb.set_log_handler(None)


def run(device, body: str, *, grid: int = 1, threadgroup: int | None = None, before: str = "", **arguments) -> None:
    parameters = "".join(f"device const {type_}* {name}, " for name, (type_, _) in arguments.items())
    source = f"{HEADER}{before}kernel void k({parameters}uint i [[thread_position_in_grid]]) {{ {body} }}"
    kernel = device.library(source)["k"]
    kernel(grid=grid, threadgroup=threadgroup or grid, **{name: array for name, (_, array) in arguments.items()})


def texts(heard) -> list[str]:
    return [message[0] for message in heard]


def test_message_with_its_arguments(device, messages):
    run(device, 'os_log_default.log("i=%d x=%.2f, %u%%", int(i) - 1, 2.5f, i + 7);')
    assert messages == [("i=-1 x=2.50, 7%", LogLevel.NOTICE, "", "")]


def test_levels_and_a_log_of_ones_own(device, messages):
    body = """custom.log_debug("a"); custom.log_info("b"); os_log_default.log_error("c"); custom.log_fault("d");"""
    run(device, body, before='constant os_log custom("org.example", "blur");\n')
    assert [m[0] for m in messages] == ["a", "b", "c", "d"]
    assert [m[1] for m in messages] == [LogLevel.DEBUG, LogLevel.INFO, LogLevel.ERROR, LogLevel.FAULT]
    assert messages[0][2:] == ("org.example", "blur")
    assert messages[2][2:] == ("", "")


def test_a_level_that_the_kernel_chooses(device, messages):
    run(device, 'os_log_default.log_with_type(i == 1 ? log_type_fault : log_type(i + 1), "%u", i);', grid=5)
    assert [m[:2] for m in messages] == [
        ("0", LogLevel.DEBUG), ("1", LogLevel.FAULT), ("2", LogLevel.NOTICE),
        ("3", LogLevel.ERROR), ("4", LogLevel.FAULT),
    ]  # fmt: skip


def test_every_kind_of_argument(device, messages):
    body = """
    char c = -3; ushort s = 65535; long l = -5000000000; half h = 1.5h; bfloat b = 2.5bf; bool t = true;
    os_log_default.log("%d %u %hhx %hd %ld %lu %llx", c, s, uchar(254), short(-2), l, ulong(l), ulong(255));
    os_log_default.log("%f %g %e %5.1f|%-4d|%04d|%+d", h, b, 0.5f, 3.25f, 7, 42, 5);
    os_log_default.log("%c%c %d %v4f %v2d %v3hlu", 'o', 'k', t, float4(1, 2, 3, 4.5f), int2(-1, 1), uint3(1, 2, 3));
    """
    run(device, body)
    assert texts(messages) == [
        f"-3 65535 fe -2 -5000000000 {2**64 - 5000000000} ff",
        "1.500000 2.5 5.000000e-01   3.2|7   |0042|+5",
        "ok 1 1.000000,2.000000,3.000000,4.500000 -1,1 1,2,3",
    ]


def test_messages_of_a_simdgroup_come_in_the_order_of_its_threads(device, messages):
    run(device, 'if (i % 3 == 1) os_log_default.log("thread %u of %d", i, 40);', grid=40, threadgroup=32)
    heard = [int(text.split()[1]) for text in texts(messages)]
    assert sorted(heard) == list(range(1, 40, 3))
    for first in (0, 32):
        part = [thread for thread in heard if first <= thread < first + 32]
        assert part == sorted(part)


def test_messages_around_a_barrier_and_in_a_loop_that_threads_leave(device, messages):
    body = """
    threadgroup int shared[64];
    shared[i] = a[i];
    os_log_default.log("before %u", i);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int k = 0; k < shared[63 - i]; ++k) os_log_default.log("after %u %d", i, k);
    """
    counts = (np.arange(64) % 3).astype(np.int32)
    run(device, body, grid=64, a=("int", counts))
    heard = texts(messages)
    assert sorted(heard[:64]) == sorted(f"before {i}" for i in range(64))
    assert sorted(heard[64:]) == sorted(f"after {i} {k}" for i in range(64) for k in range(counts[63 - i]))


def test_messages_that_find_no_room_are_counted(device, messages):
    run(device, 'os_log_default.log("number %u", i);', grid=100_000, threadgroup=256)
    *heard, last = texts(messages)
    assert 10_000 < len(heard) < 100_000
    assert last == f"{100_000 - len(heard)} more messages found no room in a log of {1 << 20} bytes"
    assert messages[-1][1] == LogLevel.ERROR


def test_a_kernel_without_messages_has_no_handler_called(device, messages):
    run(device, 'if (i > 100) os_log_default.log("never");', grid=32)
    assert messages == []


def test_a_handler_that_fails_does_not_stop_the_commands(device, monkeypatch):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    mtlpy_nb.set_log_handler(lambda *message: 1 / 0)
    try:
        run(device, 'os_log_default.log("x");')
    finally:
        mtlpy_nb.set_log_handler(None)
    assert isinstance(unraisable[0].exc_value, ZeroDivisionError)


@pytest.mark.parametrize(
    ("call", "warning"),
    [
        ('log("%d", 1.0f)', "format specifies type 'int' but the argument has type 'float'"),
        ('log_error("%f", i)', "format specifies type 'float' but the argument has type 'uint'"),
        ('log("%ld", i)', "format specifies type 'long' but the argument has type 'uint'"),
        ('log("%v3f", float4(0))', "format specifies type 'float3' but the argument has type 'float4'"),
        ('log("%d %d", 1)', "more '%' conversions than data arguments"),
        ('log_with_type(log_type_info, "%d", 1.5f)', "format specifies type 'int' but the argument has type 'float'"),
        ('log("%d", 1, 2)', "data argument not used by format string"),
        ('log("%s", 1)', "invalid conversion specifier '%s' in the format of a log message"),
        ('log("100%")', "incomplete format specifier"),
    ],
)
def test_format_that_does_not_fit_its_arguments(device, call, warning):
    source = f"{HEADER}kernel void k(uint i [[thread_position_in_grid]]) {{\n    os_log_default.{call};\n}}"
    (found,) = device.library(source).diagnostics
    assert (found.severity, found.message, found.line) == ("warning", warning, 5)


def test_wrong_formats_are_harmless(device, messages):
    run(device, 'os_log_default.log("%s %d %f %n", 1, 2.0f);')
    assert len(messages) == 1


PROGRAM = f"""
import mtlpy_nb
source = '''{HEADER}kernel void k(uint i [[thread_position_in_grid]])
{{ os_log_default.log("hello %u", i); os_log_default.log_error("oh"); }}'''
mtlpy_nb.Device(cache_path=False).library(source)["k"](grid=1)
"""


def test_program_shows_messages_on_standard_error():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == ""
    assert done.stderr == "hello 0\nerror: oh\n"


def test_notebook_shows_messages_in_the_cells_output():
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(kernel_name="python3")
    try:
        heard: list[str] = []

        def listen(message) -> None:
            if message["msg_type"] == "stream" and message["content"]["name"] == "stdout":
                heard.append(message["content"]["text"])

        reply = client.execute_interactive(PROGRAM, output_hook=listen, timeout=120)
        assert reply["content"]["status"] == "ok", reply["content"]
        assert "".join(heard) == "hello 0\nerror: oh\n"
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
