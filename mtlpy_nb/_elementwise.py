# SPDX-License-Identifier: MIT
"""A Buffer's operators: one small kernel for each operator and element type, compiled once for a device."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native as mtl
from . import shader
from ._arrays import as_array, native_contiguous
from ._pending import failed
from ._recording import Work, submitted
from .errors import ArgumentError, ExecutionError, ValidationError
from .utils import StorageMode, msl_storage_type, to_metal

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

_THREADS = 1024


def binary(name: str, a: Buffer, other: Any, *, in_place: bool = False) -> Buffer:
    """Compute ``a NAME other`` element by element, ``other`` being a Buffer, an array or a number.

    Parameters
    ----------
    name : str
        ``add`` and so on: a kernel of :mod:`mtlpy_nb.shader`. With ``rsub`` and ``rdiv`` `a` is the second operand.
    in_place : bool
        Whether to put the result into `a`.

    Returns
    -------
    Buffer or NotImplemented
        Of `a`'s shape, type and storage; of bool for a comparison.
    """
    dtype = np.dtype(bool) if name in ("eq", "ne", "lt", "le", "gt", "ge") else a.dtype
    to_metal(a.dtype)  # says so where Metal computes with no such type
    if isinstance(other, (numbers.Real, np.generic)):
        bound: Any = scalar_bytes(other, a.dtype)
        kernel = f"{name}_scalar"
    else:
        second = _operand(other, a)
        if second is None:
            return NotImplemented  # type: ignore[no-any-return]
        kernel, first = name, a
        if name in ("rsub", "rdiv"):
            kernel, a, second = name[1:], second, first
        check_alike(a, second)
        bound = second._binding
    return apply(kernel, getattr(shader, f"{kernel}_kernel"), a, bound, dtype, a if in_place else None)


def apply(
    kernel: str, source: Callable[[str], str], a: Buffer, second: Any, dtype: np.dtype[Any], out: Buffer | None
) -> Buffer:
    """Run a kernel of two operands into `out`, or a new Buffer of `a`'s shape and storage.

    Parameters
    ----------
    kernel, source
        The kernel's name, and what gives its source for a Metal type.
    second
        What is bound as the second operand.
    """
    if out is None:
        out = a._device.empty(a.shape, dtype, a.storage)
    run(a._device, source(to_metal(a.dtype)), kernel, [a._binding, second, out._binding], a.size)
    return out


def unary(source: str, kernel: str, a: Buffer, dtype: np.dtype[Any], storage: StorageMode) -> Buffer:
    """Run a kernel of one operand into a new Buffer of `a`'s shape."""
    out = a._device.empty(a.shape, dtype, storage)
    run(a._device, source, kernel, [a._binding, out._binding], a.size)
    return out


def negate(a: Buffer) -> Buffer:
    """Compute ``-a``."""
    return unary(shader.negate_kernel(to_metal(a.dtype)), "negate", a, a.dtype, a.storage)


def cast(a: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Convert `a`'s elements to another type, on the device."""
    source = shader.cast_kernel(msl_storage_type(a.dtype), msl_storage_type(dtype))
    return unary(source, "cast", a, dtype, a.storage)


def run(
    device: Device, source: str, kernel: str, buffers: Sequence[Any], threads: int, threadgroup: int = _THREADS
) -> None:
    """Run a kernel of `source`, compiled once for the device, and wait for its end."""
    pipeline = device.compile(source, kernel)._pipeline
    try:
        done = mtl.dispatch(
            device._queue, pipeline, buffers, (), (), (), (threads, 1, 1), (threadgroup, 1, 1), wait=True
        )
    except ExecutionError as error:
        raise failed("GPU execution", error) from None
    submitted(device, done, [Work(kernel, threads, ())])
    device._pending.raise_failure()


def scalar_bytes(value: Any, dtype: np.dtype[Any]) -> bytes:
    """Give a number's bytes as an element of `dtype`; a fraction is cut off for integers, as in mtlpy."""
    number: Any = value.item() if isinstance(value, np.generic) else value
    if not isinstance(number, numbers.Real):
        raise ArgumentError(f"a Buffer of {dtype} can't be combined with {number!r}: expected a real number")
    if dtype.kind in "iu":
        if not math.isfinite(number):
            raise ValidationError(f"a Buffer of {dtype} can't be combined with {number!r}: integers have no such value")
        limits = np.iinfo(dtype)
        whole: Any = math.trunc(number)
        if not limits.min <= whole <= limits.max:
            raise ValidationError(
                f"a Buffer of {dtype} can't be combined with {number!r}: it holds {limits.min} to {limits.max}"
            )
        return np.array(whole, dtype).tobytes()
    with np.errstate(over="ignore"):  # beyond the largest float is infinity, as in Metal
        return np.array(number, dtype).tobytes()


def _operand(other: Any, like: Buffer) -> Buffer | None:
    """Give the Buffer that `other` is, or one with an array's elements; None when it is neither."""
    from .buffer import Buffer

    if isinstance(other, Buffer):
        return other
    array = None if isinstance(other, (str, bytes)) else as_array(other)
    if array is None:
        return None
    if array.dtype.newbyteorder("=") != like.dtype:
        raise ArgumentError(f"Buffer dtype mismatch: {like.dtype} != {array.dtype}")
    if array.size != like.size:
        raise ValidationError(f"Buffer size mismatch: {like.size} != {array.size}")
    return like._device.buffer(native_contiguous(array)).reshape(like.shape)


def check_alike(a: Buffer, b: Buffer) -> None:
    if a._device is not b._device:
        raise ValidationError(
            "Buffers belong to different Device instances -- Metal does not allow sharing resources across MTLDevice "
            "objects"
        )
    if a.size != b.size:
        raise ValidationError(f"Buffer size mismatch: {a.size} != {b.size}")
    if a.dtype != b.dtype:
        raise ArgumentError(f"Buffer dtype mismatch: {a.dtype} != {b.dtype}")
