# SPDX-License-Identifier: MIT
"""Where ggml's Metal file is, and how its kernels are started: arguments by ggml's names for sizes and strides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import mtlpy_nb

from ..fetch import fetch

VERSION = "0.3.35"  # the newest whose Metal is one file
SPLIT_VERSION = "0.3.36"  # the first that has one file for each family
FOLDER = "vendor/llama.cpp/ggml/src/"
MACROS = {"GGML_METAL_HAS_BF16": 1}

Array = np.ndarray


def folder(version: str = VERSION) -> Path:
    """Give the folder that holds `ggml-common.h`."""
    return fetch("llama-cpp-python", version, only=f"{FOLDER}ggml-") / FOLDER


def host_names(text: str) -> set[str]:
    """Find every name that the text gives a kernel, by attribute or as a plain kernel's own."""
    text = re.sub(r"//.*", "", text)
    named = set(re.findall(r'host_name\("(\w+)"\s*\)', text))
    for match in re.finditer(r"^kernel void (\w+)\(", text, re.MULTILINE):
        # A template's own name is none.
        if not text[: match.start()].rstrip().endswith(">"):
            named.add(match[1])
    return named


def dims(prefix: str, array: Array) -> dict[str, int]:
    """Name the sizes and strides of an array as ggml does: `ne` and `nb`, fastest first, of four axes."""
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    sizes = {f"ne{prefix}{i}": n for i, n in enumerate(reversed(array.shape))}
    return sizes | {f"nb{prefix}{i}": n for i, n in enumerate(reversed(array.strides))}


class Launcher:
    """Runs kernels of the library, and remembers which."""

    def __init__(self, library: mtlpy_nb.Library) -> None:
        self.library = library
        self.ran: set[str] = set()

    @staticmethod
    def fields(kernel: mtlpy_nb.Kernel, sizes: Mapping[str, Any]) -> Array:
        """Fill the kernel's struct of arguments, laid out as reflection tells."""
        fields = np.zeros((), kernel.arguments["args"].element.dtype)
        for field, value in sizes.items():
            if field in fields.dtype.names:
                fields[field] = value
        return fields

    def __call__(
        self,
        name: str,
        sizes: Mapping[str, Any],
        arrays: list[Array],
        *,
        groups: tuple[int, ...],
        threads: tuple[int, ...],
        shared: int = 0,
        **constants: Any,
    ) -> Array:
        """Start `groups` threadgroups; gives the last array with what the kernel made of it.

        `sizes` are fields of the kernel's struct of arguments; those that it does not have are left out. The same array
        given twice is one buffer.
        """
        kernel = self.library[name]
        assert isinstance(kernel, mtlpy_nb.Kernel)
        if constants:
            kernel = kernel.specialize(**constants)
        fields = self.fields(kernel, sizes)
        made: dict[int, mtlpy_nb.Buffer] = {}
        given: list[Any] = [fields]
        rest = iter(arrays)
        for argument in list(kernel.arguments.values())[1:]:
            if argument.kind == "threadgroup":
                given.append(shared)
                continue
            array = next(rest)
            if id(array) not in made:
                is_bytes = argument.element.name in ("char", "void")
                flat = array.reshape(-1)
                made[id(array)] = self.library.device.buffer(flat.view(np.int8) if is_bytes else flat)
            given.append(made[id(array)])
        grid = tuple(n * m for n, m in zip(groups, threads, strict=True))
        kernel(*given, grid=grid, threadgroup=threads)
        self.ran.add(name)
        result: Array = made[id(arrays[-1])].numpy().view(arrays[-1].dtype).reshape(arrays[-1].shape)
        return result


def check(got: Array, wanted: Array, rtol: float = 1e-5, atol: float = 1e-5) -> None:
    """Compare as numbers, whatever the types."""
    np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(wanted, np.float64), rtol=rtol, atol=atol)


def bfloat16(x: Array) -> Array:
    """Round to nearest even in the upper half of float32; the bits, as uint16."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bfloat16(bits: Array) -> Array:
    """Give the numbers that the bits stand for."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
