# SPDX-License-Identifier: MIT
"""tinygrad's METAL device on this package: its renderer, heuristics and schedules, and our compiler and device.

tinygrad looks its devices up as modules, ``tinygrad.runtime.ops_metal`` for this one, whose own text asks macOS's
libraries for everything. :func:`install` puts a module with the same classes in its place.
"""

from __future__ import annotations

import sys
import types
from typing import Any

import mtlpy_nb
from mtlpy_nb import _native as mtl


def install(device: mtlpy_nb.Device) -> list[tuple[str, str]]:
    """Make ``METAL`` mean `device`; gives the list that every kernel run is written to as (name, source)."""
    from tinygrad.device import Compiled, Compiler, LRUAllocator, Program
    from tinygrad.renderer.cstyle import MetalRenderer

    made: list[tuple[str, str]] = []
    queue = device._native.new_command_queue()

    class MetalBuffer:
        def __init__(self, memory: Any, size: int, offset: int = 0) -> None:
            self.memory, self.size, self.offset = memory, size, offset

        def view(self) -> memoryview:
            return memoryview(self.memory.contents())[self.offset : self.offset + self.size]

    class MetalAllocator(LRUAllocator):
        def _alloc(self, size: int, options: Any) -> MetalBuffer:
            return MetalBuffer(device._native.new_buffer(size), size)

        def _offset(self, buffer: MetalBuffer, size: int, offset: int) -> MetalBuffer:
            return MetalBuffer(buffer.memory, size, buffer.offset + offset)

        def _as_buffer(self, source: MetalBuffer) -> memoryview:
            return source.view()

        def _copyin(self, target: MetalBuffer, source: memoryview) -> None:
            target.view()[:] = source

        def _copyout(self, target: memoryview, source: MetalBuffer) -> None:
            target[:] = source.view()

    class MetalCompiler(Compiler):
        def __init__(self) -> None:
            super().__init__(None)

    class MetalProgram(Program):
        def __init__(self, owner: Any, program: Any) -> None:
            source = program.lib.decode()
            self.signature = program.signature
            options = {"math": "safe"}
            self.kernel = device.library(source, options=options)[program.name]
            self.pipeline = self.kernel._prepared().pipeline
            made.append((program.name, source))

        def __call__(
            self, *buffers: MetalBuffer, global_size=(1, 1, 1), local_size=(1, 1, 1), vals=(), wait=False, **_
        ):
            arguments: list[Any] = [(buffer.memory, buffer.offset) for buffer in buffers]
            for value, (_, index, dtype, _) in zip(vals, self.signature[len(buffers) :], strict=True):
                arguments += [None] * (index + 1 - len(arguments))
                arguments[index] = int(value).to_bytes(dtype.itemsize, sys.byteorder, signed=True)
            mtl.dispatch(queue, self.pipeline, arguments, (), (), (), global_size, local_size, threadgroups=True)

    class MetalDevice(Compiled):
        def __init__(self, name: str) -> None:
            super().__init__(name, MetalAllocator(self), [MetalRenderer], MetalProgram, None, arch="Apple9")

    module = types.ModuleType("tinygrad.runtime.ops_metal")
    for item in (MetalDevice, MetalCompiler, MetalProgram, MetalAllocator):
        setattr(module, item.__name__, item)
    sys.modules[module.__name__] = module
    return made
