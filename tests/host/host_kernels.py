# SPDX-License-Identifier: MIT
"""Compiles a kernel written in C++ twice, by the host target and for the slow reference, and runs both."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
from kernel_records import Info, Launch

HERE = Path(__file__).resolve().parent
ABI = HERE.parents[1] / "metal-cpp" / "executor"
WIDEN = os.environ.get("METAL_WIDEN") or shutil.which("metal-widen")
CLANG = os.environ.get("METAL_TEST_CLANG") or shutil.which("clang-22") or shutil.which("clang")

ROWS, LINEAR = 0, 1


def three(sizes: int | tuple[int, ...]) -> tuple[int, int, int]:
    sizes = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return (*sizes, 1, 1)[:3]


def aligned(size: int) -> np.ndarray:
    """`size` bytes at a 64-byte boundary, filled with what a worker's memory may hold: rubbish."""
    raw = np.full(size + 64, 0xA5, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


class HostKernel:
    """A kernel `test` of a C++ source that includes metal_test.h."""

    def __init__(self, source: str, folder: Path, flags: tuple[str, ...] = (), cpu: str | None = None) -> None:
        self.folder = folder
        name = hashlib.sha1(source.encode()).hexdigest()[:12]
        self.source = folder / f"{name}.cpp"
        self.source.write_text('#include "metal_test.h"\n' + source)
        self.flags = [
            "-std=c++17",
            "-O2",
            f"-I{HERE}",
            "-fwrapv",
            "-fno-exceptions",
            "-fno-rtti",
            "-fno-finite-loops",
            "-fno-math-errno",
            "-ffp-contract=off",
            "-fno-strict-aliasing",
            *flags,
        ]
        self.options = [f"cpu={cpu}"] if cpu else []
        self.variants: dict[tuple[int, int], ctypes.CDLL] = {}

    def ir(self) -> Path:
        path = self.source.with_suffix(".ll")
        if not path.exists():
            run(CLANG, "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", *self.flags, self.source, "-o", path)
        return path

    def variant(self, mapping: int, width: int) -> ctypes.CDLL:
        if (mapping, width) not in self.variants:
            path = self.source.with_suffix(f".{mapping}.{width}.so")
            if not path.exists():  # else it may be loaded already
                path.write_bytes(run(WIDEN, self.ir(), "test", f"mapping={mapping}", f"width={width}", *self.options))
            self.variants[mapping, width] = ctypes.CDLL(str(path))
        return self.variants[mapping, width]

    def reference(self) -> ctypes.CDLL:
        path = self.source.with_suffix(".reference.so")
        if not path.exists():
            run(
                CLANG,
                "-shared",
                "-fPIC",
                "-DREFERENCE",
                *self.flags,
                f"-I{ABI}",
                self.source,
                HERE / "reference.cpp",
                "-lstdc++",
                "-o",
                path,
            )
        return ctypes.CDLL(str(path))

    def run(self, arrays, grid, threadgroup, mapping=ROWS, width=0, origin=(0, 0, 0), threadgroup_memory=32768) -> Info:
        library = self.variant(mapping, width)
        info = Info.in_dll(library, "metal_kernel_info")
        launch, keep = make_launch(arrays, grid, threadgroup, origin)
        memory, scratch = aligned(threadgroup_memory), aligned(info.scratch_size)
        pointer = ctypes.c_void_p
        groups = int(np.prod(launch.threadgroups_per_grid[:]))
        kernel = library.metal_kernel
        kernel.restype = None
        kernel.argtypes = [pointer, ctypes.c_uint64, ctypes.c_uint64, pointer, pointer]
        half = groups // 2  # two calls, as two workers would
        for first, count in ((0, half), (half, groups - half)):
            kernel(ctypes.addressof(launch), first, count, memory.ctypes.data, scratch.ctypes.data)
        del keep
        return info

    def run_reference(self, arrays, grid, threadgroup, origin=(0, 0, 0)) -> None:
        library = self.reference()
        launch, keep = make_launch(arrays, grid, threadgroup, origin)
        library.reference_run(library.test, ctypes.byref(launch))
        del keep

    def check(self, arrays, grid, threadgroup, mapping=ROWS, width=0, origin=(0, 0, 0)) -> None:
        """Runs both on copies of `arrays` and compares them bit for bit."""
        expected = [np.array(array, copy=True) for array in arrays]
        actual = [np.array(array, copy=True) for array in arrays]
        self.run_reference(expected, grid, threadgroup, origin)
        self.run(actual, grid, threadgroup, mapping, width, origin)
        for slot, (want, got) in enumerate(zip(expected, actual, strict=True)):
            same = want.view(np.uint8) == got.view(np.uint8)
            where = np.unique(np.flatnonzero(~same) // want.itemsize)
            assert same.all(), (
                f"argument {slot} differs at {where[:8]} of {want.size}: {got.ravel()[where[:8]]},"
                f" expected {want.ravel()[where[:8]]}"
                f" (grid {grid}, threadgroup {threadgroup}, mapping {mapping}, width {width}; {self.source})"
            )


def make_launch(arrays, grid, threadgroup, origin) -> tuple[Launch, object]:
    grid, threadgroup = three(grid), three(threadgroup)
    pointers = (ctypes.c_void_p * max(len(arrays), 1))(*[array.ctypes.data for array in arrays])
    launch = Launch(ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p)))
    launch.threads_per_grid[:] = grid
    launch.threads_per_threadgroup[:] = threadgroup
    launch.threadgroups_per_grid[:] = [-(-size // step) for size, step in zip(grid, threadgroup, strict=True)]
    launch.grid_origin[:] = origin
    launch.grid_size[:] = grid
    return launch, pointers


def run(*command: object) -> bytes:
    done = subprocess.run([str(part) for part in command], capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(part) for part in command)}\n{done.stderr.decode()}")
    return done.stdout
