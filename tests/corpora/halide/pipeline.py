# SPDX-License-Identifier: MIT
"""Halide's Metal, and how Halide's host code would start its kernels: both stand in the LLVM assembly that it writes.

All sizes are given to Halide beforehand, so that they are numbers in that code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import halide as hl
import numpy as np

import mtlpy_nb

DTYPES = {
    np.dtype(name): kind
    for name, kind in {
        "f4": hl.Float(32), "f2": hl.Float(16), "i4": hl.Int(32), "u4": hl.UInt(32), "i2": hl.Int(16),
        "u2": hl.UInt(16), "i1": hl.Int(8), "u1": hl.UInt(8),
    }.items()
}  # fmt: skip

Algorithm = Callable[..., Any]  # parameters of images -> (result, schedule(tiles it for a GPU))


@dataclass
class Launch:
    """A call of halide_metal_run."""

    name: str
    groups: tuple[int, ...]
    threads: tuple[int, ...]
    shared: int


@cache
def device() -> mtlpy_nb.Device:
    return mtlpy_nb.Device(cache_path=False)


def build(algorithm: Algorithm, images: list[np.ndarray], size: tuple[int, ...]) -> tuple[Any, Any, list[Any]]:
    """Make the pipeline for images of these sizes; Halide's axes are NumPy's from the last on."""
    inputs = []
    for number, image in enumerate(images):
        parameter = hl.ImageParam(DTYPES[image.dtype], image.ndim, f"image{number}")
        _fix(parameter, image.shape[::-1])
        inputs.append(parameter)
    result, schedule = algorithm(*inputs)
    for variable, extent in zip(result.args(), size[::-1], strict=True):
        result.bound(variable, 0, extent)
    _fix(result.output_buffer(), size[::-1])
    return result, schedule, inputs


def _fix(parameter: Any, shape: tuple[int, ...]) -> None:
    stride = 1
    for axis, extent in enumerate(shape):
        parameter.dim(axis).set_bounds(0, extent)
        parameter.dim(axis).set_stride(stride)
        stride *= extent


def on_cpu(algorithm: Algorithm, images: list[np.ndarray], size: tuple[int, ...]) -> np.ndarray:
    result, _, inputs = build(algorithm, images, size)
    for parameter, image in zip(inputs, images, strict=True):
        parameter.set(hl.Buffer(image))
    return np.array(result.realize(list(size[::-1])))


def on_metal(algorithm: Algorithm, images: list[np.ndarray], out: np.ndarray, folder: Path) -> list[Launch]:
    result, schedule, inputs = build(algorithm, images, out.shape)
    schedule()
    target = hl.Target("x86-64-osx-metal-no_asserts-no_bounds_query-no_runtime")
    path = folder / "pipeline.ll"
    result.compile_to_llvm_assembly(str(path), inputs, "pipeline", target)
    assembly = path.read_text()
    strings = {
        name: _unescaped(text) for name, text in re.findall(r'@([\w.]+) = [^\n]* c"((?:[^"\\]|\\.)*)"', assembly)
    }
    (text,) = (text for text in strings.values() if "metal_stdlib" in text)
    library = device().library(text)
    launches = [_launch(call, strings) for call in re.findall(r"call i32 @halide_metal_run\(([^)]*)\)", assembly)]
    kept = {f"image{number}": device().buffer(np.ascontiguousarray(image).reshape(-1))
            for number, image in enumerate(images)}  # fmt: skip
    written = result.name().replace("$", "__")
    kept[written] = device().buffer(out.reshape(-1))
    for launch in launches:
        kernel = library[launch.name]
        given: list[Any] = []
        for name, argument in kernel.arguments.items():
            if argument.kind == "threadgroup":
                given.append(max(launch.shared, 16))
                continue
            # What lies between two kernels is Halide's to allocate; nothing here is larger than this.
            if name[1:] not in kept:
                kept[name[1:]] = device().buffer(np.zeros(1 << 16, argument.element.dtype))
            given.append(kept[name[1:]])
        grid = tuple(a * b for a, b in zip(launch.groups, launch.threads, strict=True))
        kernel(*given, grid=grid, threadgroup=launch.threads)
    out[...] = kept[written].numpy().reshape(out.shape)
    return launches


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), text).rstrip("\0")


def _launch(call: str, strings: dict[str, str]) -> Launch:
    """Read user context, module, name, six sizes and the bytes of threadgroup memory."""
    arguments = [argument.split()[-1] for argument in call.split(",")]
    numbers = [int(argument) for argument in arguments[3:10]]
    return Launch(strings[arguments[2].lstrip("@")], tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6])
