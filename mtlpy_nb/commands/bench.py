# SPDX-License-Identifier: MIT
"""``mtlpy-nb bench``: a few kernels on this machine, beside NumPy."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import __version__
from .._default_device import default_device
from ..device import Device
from ..library import Library
from .terminal import add_command

__all__ = ["add", "measure"]

_DETAILS = """\
Each figure is the median of many runs after some that warm up, the kernel's and NumPy's by turns; before that, the
kernel's result is compared with NumPy's. A ratio says how many times as fast as NumPy the kernel is, on the same
arrays, with the time that Python needs for the call, and without that for compiling. NumPy uses one thread for this,
the device all it has.

examples:
  mtlpy-nb bench
  mtlpy-nb bench --seconds 0.2 --json
"""
_SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void nothing() {}
kernel void saxpy(device const float* x, device float* y, constant float& a, uint i [[thread_position_in_grid]])
{ y[i] = a * x[i] + y[i]; }
kernel void edges(device const float* source, device float* result, uint2 p [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]])
{
    if (p.x == 0 || p.y == 0 || p.x + 1 == size.x || p.y + 1 == size.y) return;
    device const float* s = source + p.y * size.x + p.x;
    int w = size.x;
    float x = s[1 - w] + 2 * s[1] + s[1 + w] - s[-1 - w] - 2 * s[-1] - s[w - 1];
    float y = s[w - 1] + 2 * s[w] + s[w + 1] - s[-w - 1] - 2 * s[-w] - s[1 - w];
    result[p.y * size.x + p.x] = sqrt(x * x + y * y);
}
"""
_ELEMENTS = 1 << 22
_SIDE = 1024
_BATCH = 200


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(commands, "bench", "time a few kernels on this machine, beside NumPy", _DETAILS)
    parser.add_argument(
        "--seconds", type=_seconds, default=1.0, metavar="S", help="how long to time each one (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print the figures for a program to read")
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= 60:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 60")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Measure and print; 1 if a kernel's result is wrong."""
    device = default_device()
    try:
        figures = measure(device, options.seconds)
    except ArithmeticError as error:
        print(f"mtlpy-nb bench: {error}", file=sys.stderr)
        return 1
    machine = {"device": device.name, "mtlpy_nb": __version__, "numpy": np.__version__, "system": platform.platform()}
    if options.json:
        print(json.dumps({"machine": machine, **figures}, indent=1))
        return 0
    print(f"{device.name}, NumPy {np.__version__}\n")
    print("a call that does nothing")
    for name, seconds in figures["calls"].items():
        print(f"  {name:42} {1e6 * seconds:9.1f} us")
    print("\nkernels" + " " * 37 + "     kernel      NumPy   ratio")
    for name, row in figures["kernels"].items():
        rate = f"   {row['gb_per_second']:.1f} GB/s" if "gb_per_second" in row else ""
        print(
            f"  {name:40} {1e3 * row['seconds']:9.2f} ms {1e3 * row['numpy_seconds']:7.2f} ms {row['ratio']:7.2f}{rate}"
        )
    return 0


def measure(device: Device, seconds: float) -> dict[str, Any]:
    """Time everything, each for about so many seconds.

    Raises
    ------
    ArithmeticError
        If a kernel's result is not NumPy's.
    """
    library = device.library(_SOURCE)
    return {
        "calls": _calls(device, library, seconds),
        "kernels": {
            f"saxpy, {_ELEMENTS >> 20} M floats": _saxpy(device, library, seconds),
            f"edges of a picture, {_SIDE} x {_SIDE}": _edges(device, library, seconds),
        },
    }


def _calls(device: Device, library: Library, seconds: float) -> dict[str, float]:
    nothing: Any = library["nothing"]
    pipeline = device.compile(_SOURCE, "nothing")

    def batch() -> None:
        with device.command_buffer() as commands:
            for _ in range(_BATCH):
                pipeline.run([], 1, cb=commands)

    return {
        "one, and wait for it": _median(lambda: nothing(grid=1), seconds),
        f"one of {_BATCH} in a command buffer": _median(batch, seconds) / _BATCH,
    }


def _saxpy(device: Device, library: Library, seconds: float) -> dict[str, float]:
    saxpy: Any = library["saxpy"]
    x, y = np.linspace(-1, 1, _ELEMENTS, dtype=np.float32), np.ones(_ELEMENTS, np.float32)
    scratch = np.empty_like(x)
    on_x, on_y = device.buffer(x), device.buffer(y)
    a = np.float32(1e-3)

    def numpy() -> None:
        np.multiply(x, a, out=scratch)
        np.add(scratch, y, out=y)

    def kernel() -> None:
        saxpy(on_x, on_y, a)

    numpy()
    kernel()
    _check("saxpy", on_y.numpy(), y)
    row = _beside(kernel, numpy, seconds)
    row["gb_per_second"] = 3 * x.nbytes / row["seconds"] / 1e9  # two read, one written
    return row


def _edges(device: Device, library: Library, seconds: float) -> dict[str, float]:
    edges: Any = library["edges"]
    rows, columns = np.mgrid[:_SIDE, :_SIDE].astype(np.float32) / _SIDE
    picture = np.sin(40 * rows * columns).astype(np.float32)
    source, result = device.buffer(picture), device.buffer(np.zeros_like(picture))
    expected = np.zeros_like(picture)

    def numpy() -> None:
        s = picture
        x = s[:-2, 2:] + 2 * s[1:-1, 2:] + s[2:, 2:] - s[:-2, :-2] - 2 * s[1:-1, :-2] - s[2:, :-2]
        y = s[2:, :-2] + 2 * s[2:, 1:-1] + s[2:, 2:] - s[:-2, :-2] - 2 * s[:-2, 1:-1] - s[:-2, 2:]
        np.sqrt(x * x + y * y, out=expected[1:-1, 1:-1])

    def kernel() -> None:
        edges(source, result)

    numpy()
    kernel()
    _check("edges", result.numpy(), expected)
    return _beside(kernel, numpy, seconds)


def _check(name: str, ours: np.ndarray[Any, Any], numpys: np.ndarray[Any, Any]) -> None:
    if not np.allclose(ours, numpys, rtol=1e-3, atol=1e-4):
        worst = float(np.abs(ours - numpys).max())
        raise ArithmeticError(f"the kernel {name} gives other numbers than NumPy: they differ by up to {worst:g}")


def _beside(kernel: Callable[[], None], numpy: Callable[[], None], seconds: float) -> dict[str, float]:
    """Time both by turns, so that what else the machine does slows both alike."""
    ours, numpys = _medians([kernel, numpy], 2 * seconds)
    return {"seconds": ours, "numpy_seconds": numpys, "ratio": numpys / ours}


def _median(action: Callable[[], None], seconds: float) -> float:
    return _medians([action], seconds)[0]


def _medians(actions: list[Callable[[], None]], seconds: float) -> list[float]:
    """Seconds that each action takes: the median of as many rounds as fit into `seconds`, at least five."""
    for _ in range(3):
        for action in actions:
            action()
    times: list[list[float]] = [[] for _ in actions]
    end = time.perf_counter() + seconds
    while len(times[0]) < 5 or time.perf_counter() < end:
        for action, its_times in zip(actions, times, strict=True):
            start = time.perf_counter()
            action()
            its_times.append(time.perf_counter() - start)
    return [statistics.median(its_times) for its_times in times]
