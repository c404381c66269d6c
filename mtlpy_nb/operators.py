# SPDX-License-Identifier: MIT
"""Functions of whole Buffers: element by element, and sums and extremes of all elements.

They run on the Buffer's device. The operators ``+ - * /`` and comparisons are the Buffer's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from . import _elementwise, _reductions, shader
from .errors import ArgumentError
from .utils import StorageMode, to_metal

if TYPE_CHECKING:
    from .buffer import Buffer

__all__ = ["cos", "exp", "log", "max", "mean", "min", "sin", "sqrt", "sum", "tan"]

Scalar: TypeAlias = bool | int | float


def _check(buf: object, name: str) -> None:
    from .buffer import Buffer

    if not isinstance(buf, Buffer):
        made = "; device.buffer(array) makes one" if isinstance(buf, (np.ndarray, list, tuple)) else ""
        raise ArgumentError(f"operators.{name}: buf must be a Buffer, got {type(buf).__name__}{made}")


def _unary(buf: Buffer, shader_fn: Callable[[str], str], func_name: str) -> Buffer:
    _check(buf, func_name.removesuffix("_op"))
    return _elementwise.unary(shader_fn(to_metal(buf.dtype)), func_name, buf, buf.dtype, StorageMode.SHARED)


def _reduce(buf: Buffer, shader_fn: Callable[[str], str], func_name: str) -> Scalar:
    # Halves the elements in rounds, as mtlpy does: what it gives of a kernel of one's own, in the elements' own type.
    value: Scalar = _reductions.in_rounds(buf, shader_fn(to_metal(buf.dtype)), func_name)
    return value


def sqrt(buf: Buffer) -> Buffer:
    """Square root of each element, in a new Buffer in shared storage."""
    return _unary(buf, shader.sqrt_kernel, "sqrt_op")


def cos(buf: Buffer) -> Buffer:
    """Cosine of each element in radians, in a new Buffer in shared storage."""
    return _unary(buf, shader.cos_kernel, "cos_op")


def sin(buf: Buffer) -> Buffer:
    """Sine of each element in radians, in a new Buffer in shared storage."""
    return _unary(buf, shader.sin_kernel, "sin_op")


def tan(buf: Buffer) -> Buffer:
    """Tangent of each element in radians, in a new Buffer in shared storage."""
    return _unary(buf, shader.tan_kernel, "tan_op")


def exp(buf: Buffer) -> Buffer:
    """Euler's number to the power of each element, in a new Buffer in shared storage."""
    return _unary(buf, shader.exp_kernel, "exp_op")


def log(buf: Buffer) -> Buffer:
    """Natural logarithm of each element, in a new Buffer in shared storage."""
    return _unary(buf, shader.log_kernel, "log_op")


def sum(buf: Buffer) -> Scalar:
    """Sum of all elements.

    Returns
    -------
    int or float
        Exact for integers and bool, whatever their width. Floats are added in blocks (half in float), so the error
        grows with the logarithm of the size; the result is rounded to the element type.
    """
    _check(buf, "sum")
    total = _reductions.total(buf)
    return total if isinstance(total, int) else float(buf.dtype.type(total))


def mean(buf: Buffer) -> float:
    """Mean of all elements, from the sum before it is rounded to the element type."""
    _check(buf, "mean")
    return float(_reductions.total(buf) / buf.size)


def max(buf: Buffer) -> Scalar:
    """Greatest element. NaN counts only if there is nothing else, as in Metal's ``max``."""
    return _extreme(buf, "max")


def min(buf: Buffer) -> Scalar:
    """Least element. NaN counts only if there is nothing else, as in Metal's ``min``."""
    return _extreme(buf, "min")


def _extreme(buf: Buffer, name: str) -> Scalar:
    _check(buf, name)
    value: Scalar = np.asarray(_reductions.extreme(buf, name)).item()
    return value
