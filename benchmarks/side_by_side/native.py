# SPDX-License-Identifier: MIT
"""The machine's own limits, by ``native.cpp``: copying memory, multiply-adds, a Mandelbrot set by hand."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def _library() -> ctypes.CDLL:
    source = Path(__file__).with_name("native.cpp")
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "native.so")
        compiler = os.environ.get("CXX", "c++")
        # -ffast-math by its parts: as one word it would have GCC flush denormals in whatever process loads the library.
        fast = ["-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros", "-fassociative-math", "-freciprocal-math"]
        options = ["-std=c++20", "-O3", "-march=native", *fast, "-fPIC", "-shared", "-pthread"]
        subprocess.run([compiler, *options, str(source), "-o", str(built)], check=True)
        library = ctypes.CDLL(str(built))
    library.multiply_adds.restype = ctypes.c_double
    return library


def copy(to: np.ndarray, source: np.ndarray, threads: int = THREADS) -> None:
    """Copy an array's bytes by ``memcpy``, in as many parts as threads."""
    _library().copy(
        ctypes.c_void_p(to.ctypes.data),
        ctypes.c_void_p(source.ctypes.data),
        ctypes.c_size_t(source.nbytes),
        ctypes.c_int(threads),
    )


def copy_rate(n_bytes: int, threads: int = THREADS, repeat: int = 9) -> float:
    """Bytes read and written in a second while ``n_bytes`` are copied: the best of ``repeat``."""
    source = np.zeros(n_bytes, np.uint8)
    to = np.ones_like(source)
    source.fill(3)
    rounds = max(1, (1 << 26) // n_bytes)
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(rounds):
            copy(to, source, threads)
        best = min(best, (time.perf_counter() - start) / rounds)
    return 2 * n_bytes / best


def multiply_add_rate(threads: int = THREADS, repeat: int = 50) -> float:
    """Floating-point operations in a second, when each is half of a multiply-add in registers."""
    sink = np.zeros(threads, np.float32)
    best = 0.0
    for _ in range(repeat):
        start = time.perf_counter()
        operations = _library().multiply_adds(
            ctypes.c_long(500_000), ctypes.c_int(threads), ctypes.c_void_p(sink.ctypes.data)
        )
        best = max(best, operations / (time.perf_counter() - start))
    return best


def mandelbrot(out: np.ndarray, limit: int, threads: int = THREADS) -> None:
    """Rounds until each point of ``out``'s rows and columns leaves, at most ``limit``."""
    rows, columns = out.shape
    _library().mandelbrot(
        ctypes.c_void_p(out.ctypes.data),
        *(ctypes.c_int(value) for value in (columns, rows, limit, threads)),
    )
