# SPDX-License-Identifier: MIT
"""Kernels for tests of the Metal standard headers."""

from __future__ import annotations

import numpy as np
import pytest

PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"


@pytest.fixture(scope="session")
def shared_device():
    """One device for all tests of this folder: they change nothing about it."""
    return pytest.importorskip("mtlpy_nb").Device(cache_path=False)


@pytest.fixture(scope="session")
def compiles(shared_device):
    """Compile declarations, after the usual two lines; raises mtlpy_nb's CompileError.

    By default in relaxed mode, which keeps infinities and NaN and otherwise allows the optimiser the most.
    """

    def compile_text(text, math="relaxed"):
        return shared_device.library(PRELUDE + text, options={"math": math})

    return compile_text


@pytest.fixture(scope="session")
def evaluate(compiles):
    """Run an expression (or statements that assign `r`) over arrays `a`, `b`, `c`; return the results."""

    def run(result, body, *inputs):
        """`result` and each input's first item name Metal types; the second is an array of their elements."""
        letters = "abc"[: len(inputs)]
        parameters = "".join(
            f"device const {kind}* p{letter}, " for letter, (kind, _) in zip(letters, inputs, strict=True)
        )
        loads = " ".join(f"{kind} {letter} = p{letter}[i];" for letter, (kind, _) in zip(letters, inputs, strict=True))
        statement = body if body.rstrip().endswith(";") else f"r = {body};"
        library = compiles(
            f"kernel void run({parameters}device {result}* out, uint i [[thread_position_in_grid]]) {{\n"
            f"    {loads}\n    {result} r; {statement}\n    out[i] = r;\n}}\n"
        )
        count = len(inputs[0][1]) // lanes(inputs[0][0])
        out = np.zeros(count * lanes(result), element(result))
        arrays = [np.ascontiguousarray(values).reshape(shape(kind)) for kind, values in inputs]
        library["run"](*arrays, out.reshape(shape(result)), grid=count)
        return out

    return run


_ELEMENTS = {
    "bool": np.bool_, "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32,
    "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32,
}  # fmt: skip


def element(kind):
    """Return the NumPy type of a Metal scalar or vector's elements."""
    return _ELEMENTS[kind.rstrip("234")]


def lanes(kind):
    """Return how many elements one value takes in memory."""
    return {"2": 2, "3": 4, "4": 4}.get(kind[-1], 1)


def shape(kind):
    """Return how an array of such values is laid out."""
    return (-1, lanes(kind)) if lanes(kind) > 1 else (-1,)
