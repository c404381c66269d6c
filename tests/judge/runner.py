# SPDX-License-Identifier: MIT
"""The compiled path, as a user takes it: `Device.library(source)[name](...)`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from . import memory
from . import syntax as s
from .metal_text import metal_text
from .reference import Reference


@lru_cache(maxsize=1)
def device() -> Any:
    """One device for all kernels; each is new, so the cache on disk would only fill up."""
    mtlpy_nb = pytest.importorskip("mtlpy_nb")
    return mtlpy_nb.Device(cache_path=False)


def run(kernel: Any, arrays: Mapping[str, np.ndarray], launch: s.Launch) -> None:
    """Launch a compiled kernel on arrays, which it changes in place."""
    kernel(**arrays, grid=launch.grid, threadgroup=launch.threadgroup)


def compiled(source: str, name: str) -> Any:
    return device().library(source)[name]


def difference(name: str, got: list, expected: list) -> str:
    """The first few places where a buffer is wrong; empty when it is right."""
    wrong = [(i, g, e) for i, (g, e) in enumerate(zip(got, expected, strict=True)) if g != e]
    lines = [f"  {name}[{i}]: got {g}, expected {e}" for i, g, e in wrong[:6]]
    if len(wrong) > 6:
        lines.append(f"  and {len(wrong) - 6} more of {len(got)}")
    return "\n".join(lines)


def judge(program: s.Program, source: str | None = None) -> None:
    """Run a program both ways.

    Raises
    ------
    AssertionError
        If a buffer differs, with the launch and the places.
    """
    kernel = program.kernel
    compare(program, compiled(metal_text(kernel) if source is None else source, kernel.name))


def compare(program: s.Program, function: Any) -> None:
    """Run a program by the reference and by `function`, its compiled form."""
    kernel = program.kernel
    reference = Reference(kernel)
    for launch in program.launches:
        expected = memory.initial(kernel, launch)
        arrays = {b.name: memory.to_array(expected[b.name], b.type) for b in kernel.buffers}
        reference.execute(launch, expected)
        vectors = {
            b.name: expected[b.name][0] for b in kernel.buffers if b.kind == "value" and isinstance(b.type, s.Vector)
        }
        run(function, {**arrays, **vectors}, launch)
        got = {b.name: memory.to_values(arrays[b.name], b.type) for b in kernel.buffers}
        wrong = [difference(b.name, got[b.name], expected[b.name]) for b in kernel.buffers]
        if any(wrong):
            places = "\n".join(filter(None, wrong))
            raise AssertionError(f"grid {launch.grid}, threadgroup {launch.threadgroup}\n{places}")
