# SPDX-License-Identifier: MIT
"""What buffers hold before a launch, and buffers as NumPy arrays with Metal's layout."""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np

from . import syntax as s
from .integers import limits, wrap

Value = int | float | tuple  # a vector's or a struct's value is a tuple, structs' fields may be tuples again

_NUMPY = {
    "bool": np.bool_, "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16,
    "int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "float": np.float32, "half": np.float16,
    "bfloat": ml_dtypes.bfloat16,
}  # fmt: skip


def scalar_content(type_: s.Scalar, rng: random.Random) -> int:
    """Mostly small values (they make loops and branches interesting), sometimes extremes and arbitrary bits."""
    low, high = limits(type_)
    if type_.real:
        return float(rng.randrange(low, high + 1) if rng.randrange(4) == 0 else rng.randrange(-3, 8))
    kind = rng.randrange(8)
    if kind < 5:
        return wrap(rng.randrange(-4, 12), type_)
    if kind < 6:
        return rng.choice((low, high, low + 1, high - 1, wrap(1 << (type_.bits - 1), type_)))
    return rng.randint(low, high)


def content(type_: s.Type, rng: random.Random) -> Value:
    match type_:
        case s.Scalar():
            return scalar_content(type_, rng)
        case s.Vector(element, count):
            return tuple(scalar_content(element, rng) for _ in range(count))
        case s.Struct(_, fields):
            return tuple(content(field, rng) for _, field in fields)


def length(buffer: s.Buffer, launch: s.Launch) -> int:
    return launch.thread_count * buffer.per_thread if buffer.length is None else buffer.length


def initial(kernel: s.Kernel, launch: s.Launch) -> dict[str, list[Value]]:
    """Fresh contents of all buffers, always the same for the same kernel and launch."""
    buffers = {}
    for buffer in kernel.buffers:
        rng = random.Random(f"{buffer.name} {buffer.content}")
        buffers[buffer.name] = [content(buffer.type, rng) for _ in range(length(buffer, launch))]
    return buffers


def numpy_type(type_: s.Type) -> np.dtype:
    match type_:
        case s.Scalar(name):
            return np.dtype(_NUMPY[name])
        case s.Vector(element, count):
            # A three-vector takes the room of four; its fourth element is padding and stays out of `to_values`.
            return np.dtype((_NUMPY[element.name], (4 if count == 3 else count,)))
        case s.Struct(_, fields):
            return np.dtype({
                "names": [name for name, _ in fields],
                "formats": [numpy_type(field) for _, field in fields],
                "offsets": list(type_.offsets),
                "itemsize": type_.size,
            })  # fmt: skip


def _padded(value: Value, type_: s.Type) -> Value:
    match type_:
        case s.Vector(_, 3):
            return (*value, 0)
        case s.Struct(_, fields):
            return tuple(_padded(part, field) for part, (_, field) in zip(value, fields, strict=True))
        case _:
            return value


def to_array(values: list[Value], type_: s.Type) -> np.ndarray:
    base = numpy_type(type_)
    shape, base = (base.shape, base.base) if base.shape else ((), base)
    return np.array([_padded(value, type_) for value in values], dtype=base).reshape(len(values), *shape)


def _plain(item: object, type_: s.Type) -> Value:
    match type_:
        case s.Scalar():
            return float(item) if type_.real else int(item)  # type: ignore[arg-type, call-overload]
        case s.Vector(element, count):
            return tuple(_plain(part, element) for part in item[:count])  # type: ignore[index]
        case s.Struct(_, fields):
            return tuple(_plain(item[name], field) for name, field in fields)  # type: ignore[index]


def to_values(array: np.ndarray, type_: s.Type) -> list[Value]:
    if isinstance(type_, s.Scalar):
        return array.astype(object).tolist() if type_ != s.BOOL else [int(v) for v in array.view(np.uint8)]
    return [_plain(item, type_) for item in array]
