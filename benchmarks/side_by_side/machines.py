# SPDX-License-Identifier: MIT
"""The two devices that run kernels here: ours, and PoCL's where OpenCL is installed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mtlpy_nb

from .contest import POCL, Contest

try:
    import pyopencl as cl
except ImportError:  # the other contestants are still worth a table
    cl = None

_KERNELS = Path(__file__).with_name("kernels")


class OpenCL:
    """PoCL's processor device: kernels of ``kernels/*.cl``, built with its fast mathematics as Metal's are."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)

    @functools.cache  # noqa: B019 one object a run
    def program(self, file: str) -> Any:
        return cl.Program(self.context, (_KERNELS / f"{file}.cl").read_text()).build(["-cl-fast-relaxed-math"])

    def buffer(self, array: np.ndarray) -> Any:
        flags = cl.mem_flags
        return cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)

    def empty(self, n_bytes: int) -> Any:
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE, n_bytes)

    def image(self, array: np.ndarray | tuple[int, int], channels: int, kind: type) -> Any:
        order = cl.channel_order.RGBA if channels == 4 else cl.channel_order.R
        types = {np.float32: cl.channel_type.FLOAT, np.uint8: cl.channel_type.UNORM_INT8}
        layout = cl.ImageFormat(order, types[kind])
        flags = cl.mem_flags
        if isinstance(array, tuple):
            return cl.create_image(self.context, flags.READ_WRITE, layout, shape=array[::-1])
        rows, columns = array.shape[:2]
        return cl.create_image(
            self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, layout, shape=(columns, rows), hostbuf=array
        )

    def bind(
        self, file: str, kernel: str, arguments: tuple[Any, ...], grid: tuple[int, ...], group: tuple[int, ...] | None
    ) -> Callable[[], None]:
        """What enqueues the kernel without waiting."""
        bound = cl.Kernel(self.program(file), kernel)
        bound.set_args(*arguments)

        # OpenCL's kernels do not keep their arguments alive.
        def enqueue(_arguments: tuple[Any, ...] = arguments) -> None:
            cl.enqueue_nd_range_kernel(self.queue, bound, grid, group)

        return enqueue

    def run(self, *steps: Callable[[], None]) -> Callable[[], None]:
        """What enqueues every step and waits."""
        finish = self.queue.finish

        def run() -> None:
            for step in steps:
                step()
            finish()

        return run

    def read(self, buffer: Any, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        out = np.empty(shape, kind)
        if isinstance(buffer, cl.Image):
            cl.enqueue_copy(self.queue, out, buffer, origin=(0, 0), region=shape[1::-1])
        else:
            cl.enqueue_copy(self.queue, out, buffer)
        return out


class Machines:
    """What a case makes its contestants with."""

    def __init__(self) -> None:
        self.metal = mtlpy_nb.Device()
        self.opencl = self._find_opencl()

    @staticmethod
    def _find_opencl() -> OpenCL | None:
        if cl is None:
            return None
        try:
            platforms = [p for p in cl.get_platforms() if p.name == "Portable Computing Language"]
        except cl.Error:
            return None
        return OpenCL(platforms[0].get_devices()[0]) if platforms else None

    @functools.cache  # noqa: B019 one object a run
    def library(self, file: str) -> mtlpy_nb.Library:
        return self.metal.library((_KERNELS / f"{file}.metal").read_text())

    @functools.cache  # noqa: B019 one object a run
    def pipeline(self, file: str, function: str) -> mtlpy_nb.Pipeline:
        return self.metal.compile((_KERNELS / f"{file}.metal").read_text(), function)

    def add_pocl(
        self,
        contest: Contest,
        file: str,
        kernel: str,
        arguments: tuple[Any, ...],
        grid: tuple[int, ...],
        group: tuple[int, ...] | None = None,
        *,
        out: np.ndarray,
    ) -> None:
        """Let PoCL take part where it is: its kernel gets arrays as buffers, of which that of `out` is the result."""
        if self.opencl is None:
            return
        opencl = self.opencl
        given = tuple(opencl.buffer(value) if isinstance(value, np.ndarray) else value for value in arguments)
        made = next(buffer for buffer, value in zip(given, arguments, strict=True) if value is out)
        contest.runs[POCL] = opencl.run(opencl.bind(file, kernel, given, grid, group))
        contest.results[POCL] = lambda: opencl.read(made, out.shape, out.dtype)

    def facts(self) -> dict[str, str]:
        facts = {"device": self.metal.name, "numpy": np.__version__}
        if self.opencl is not None:
            facts["PoCL"] = f"{self.opencl.device.platform.version} on {self.opencl.device.name}"
        return facts
