# SPDX-License-Identifier: MIT
"""What a dispatch costs by itself, what the first one costs, transfers, and what a second thread adds."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import native
from .machines import OpenCL

_EMPTY = "kernel void empty() {}"
_ONE_SCREEN = (Path(__file__).with_name("kernels") / "images.metal").read_text()


def _median(action: Callable[[], object], repeat: int) -> float:
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def empty_dispatches(device: Any, opencl: OpenCL | None) -> dict[str, float]:
    """Microseconds of an empty dispatch that is waited for, and as one of 1,000 in a command buffer."""
    kernel, pipeline = device.library(_EMPTY)["empty"], device.compile(_EMPTY, "empty")

    def batch() -> None:
        with device.command_buffer() as commands:
            for _ in range(1000):
                pipeline.run([], 1, cb=commands)

    figures = {
        "waited for, a Kernel's call": 1e6 * _median(lambda: kernel(grid=1), 3000),
        "waited for, Pipeline.run": 1e6 * _median(lambda: pipeline.run([], 1), 3000),
        "one of 1,000 in a CommandBuffer": 1e3 * _median(batch, 30),
    }
    if opencl is not None:
        import pyopencl as cl

        program = cl.Program(opencl.context, "kernel void empty() {}").build()
        bound = cl.Kernel(program, "empty")

        def enqueue() -> None:
            cl.enqueue_nd_range_kernel(opencl.queue, bound, (1,), (1,))

        def waited() -> None:
            enqueue()
            opencl.queue.finish()

        def many() -> None:
            for _ in range(1000):
                enqueue()
            opencl.queue.finish()

        figures["waited for, PoCL"] = 1e6 * _median(waited, 3000)
        figures["one of 1,000, PoCL"] = 1e3 * _median(many, 10)
    return figures


def first_dispatches() -> dict[str, float]:
    """Milliseconds from source to the first result, of a file of nine image kernels: cold, and from the disk cache.

    Each is a process of its own; its start and the import are not counted.
    """
    program = (
        "import sys, time, numpy as np, mtlpy_nb; d = mtlpy_nb.Device();"
        "d.library('kernel void warm() {}')['warm'](grid=1) if sys.argv[2] == 'warm' else None;"
        "t = time.perf_counter(); d.library(open(sys.argv[1]).read())['mandelbrot'](np.empty((64, 64), np.uint32), 9);"
        "print(time.perf_counter() - t)"
    )
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "images.metal")
        source.write_text(_ONE_SCREEN)
        for name, mode, cache in (
            ("first kernel of a process", "cold", "a"),
            ("kernel in a warm process", "warm", "b"),
            ("first of a process, from the disk cache", "cold", "a"),
            ("warm process, from the disk cache", "warm", "b"),
        ):
            environment = {**os.environ, "MTLPY_CACHE_DIR": str(Path(folder, cache))}
            done = subprocess.run(
                [sys.executable, "-c", program, str(source), mode],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
            figures[name] = 1e3 * float(done.stdout)
    return figures


def transfers(device: Any) -> dict[str, float]:
    """A 4K frame of RGBA into a Buffer and a Texture and back: the rate, relative to copying memory by one thread."""
    frame = np.random.default_rng(1).integers(0, 256, (2160, 3840, 4), np.uint8)
    copied = np.empty_like(frame)
    limit = _median(lambda: native.copy(copied, frame, 1), 15)
    buffer, texture = device.buffer(frame), device.texture(frame, "rgba8Unorm")
    private = device.empty_texture(frame.shape[:2], "rgba8Unorm", private=True)
    return {
        "into a new Buffer": limit / _median(lambda: device.buffer(frame), 15),
        "into a Buffer's contents": limit / _median(lambda: np.copyto(buffer.numpy(), frame), 15),
        "out of a Buffer": limit / _median(lambda: np.copyto(copied, buffer.numpy()), 15),
        "into a Texture": limit / _median(lambda: texture.upload(frame), 15),
        "out of a Texture": limit / _median(texture.download, 15),
        "into a private Texture": limit / _median(lambda: private.upload(frame), 15),
        "out of a private Texture": limit / _median(private.download, 15),
    }


def scaling() -> dict[str, float]:
    """How many times faster all threads are than one, each measured in a process of its own."""
    program = (
        "import json, sys, time, numpy as np, mtlpy_nb; d = mtlpy_nb.Device();"
        "source, groups = (open(name).read() for name in sys.argv[1:3]); out = d.empty((1024, 1024), np.uint32);"
        "m = d.library(source)['mandelbrot']; p = d.library(groups)['product_tiled'];"
        "a, b, c = (d.empty((512, 512), np.float32) for _ in range(3))\n"
        "def least(run):\n"
        "    times = []\n"
        "    for _ in range(9):\n"
        "        t = time.perf_counter(); run(); times.append(time.perf_counter() - t)\n"
        "    return min(times)\n"
        "print(json.dumps([least(lambda: m(out, 200, grid=(1024, 1024))),"
        " least(lambda: p(a, b, c, 512, grid=(512, 512), threadgroup=(16, 16)))]))"
    )
    kernels = Path(__file__).with_name("kernels")

    def measure(threads: int) -> list[float]:
        done = subprocess.run(
            [sys.executable, "-c", program, str(kernels / "images.metal"), str(kernels / "groups.metal")],
            env={**os.environ, "MTLPY_NUM_THREADS": str(threads)},
            check=True,
            capture_output=True,
            text=True,
        )
        return json.loads(done.stdout)

    one, all_of_them = measure(1), measure(native.THREADS)
    return {
        f"{name}, {native.THREADS} threads against 1": a / b
        for name, a, b in zip(("Mandelbrot", "tiled matrix product"), one, all_of_them, strict=True)
    }
