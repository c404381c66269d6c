# SPDX-License-Identifier: MIT
"""Tests that need a process of their own: what would kill, stop or fork the interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass

# Until somebody writes x[0]; a plain read might be taken out of the loop.
ENDLESS = """
#include <metal_atomic>
kernel void endless(device metal::atomic_int* x) {
    while (metal::atomic_load_explicit(&x[0], metal::memory_order_relaxed) == 0) {}
}
"""

# Some seconds of work for a compiler: 64,000 instantiations, none of them deep.
SLOW = """
template <int a, int b, int c> struct T {
    enum { v = (T<a - 1, b, c>::v + T<a, b - 1, c>::v + T<a, b, c - 1>::v) & 7 };
};
template <int b, int c> struct T<0, b, c> { enum { v = b ^ c }; };
template <int a, int c> struct T<a, 0, c> { enum { v = a ^ c }; };
template <int a, int b> struct T<a, b, 0> { enum { v = a ^ b }; };
template <int c> struct T<0, 0, c> { enum { v = 1 }; };
template <int b> struct T<0, b, 0> { enum { v = 1 }; };
template <int a> struct T<a, 0, 0> { enum { v = 1 }; };
template <> struct T<0, 0, 0> { enum { v = 1 }; };
kernel void k(device int* x) { x[0] = T<40, 40, 40>::v; }
"""

PREAMBLE = (
    f"ENDLESS, SLOW = {ENDLESS!r}, {SLOW!r}\n"
    + """
import os, signal, sys, threading, time
import numpy as np
import mtlpy_nb

def library(body, device):
    return device.library("#include <metal_stdlib>\\nusing namespace metal;\\n" + body)

def check(device, salt=None):
    salt = time.time_ns() if salt is None else salt  # else no cache knows it
    source = "kernel void twice(device int* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }"
    twice = library(f"{source} constant long salt = {salt};", device)["twice"]
    x = np.arange(5, dtype=np.int32)
    twice(x)
    assert x.tolist() == [0, 2, 4, 6, 8], x
"""
)


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


def start(body: str, **environment: str | None) -> subprocess.Popen[str]:
    """Run Python code in a new interpreter, after `PREAMBLE`; None takes a variable out of the environment."""
    merged = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    given = {name: value for name, value in merged.items() if value is not None}
    code = PREAMBLE + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code], env=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def end(process: subprocess.Popen[str], timeout: float = 60) -> Ended:
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"still running after {timeout} s\n{out}\n{err}") from None
    return Ended(process.returncode, out, err)


def run(body: str, timeout: float = 60, **environment: str | None) -> Ended:
    return end(start(body, **environment), timeout)


def interrupt_after(process: subprocess.Popen[str], line: str) -> None:
    """Wait until the script prints `line`, then press Ctrl-C."""
    assert process.stdout is not None
    while (said := process.stdout.readline()) != f"{line}\n":
        if not said:
            raise AssertionError(f"the script ended before it said {line!r}: {process.communicate()[1]}")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
