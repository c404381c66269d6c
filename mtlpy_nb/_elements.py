# SPDX-License-Identifier: MIT
"""Whether an array's type and shape are what a kernel's buffer argument holds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._advice import KERNEL
from ._arrays import is_bfloat16
from ._records import what_differs
from ._types import ElementType
from ._values import Mismatch

__all__ = ["check_elements", "default_output"]


def check_elements(element: ElementType, dtype: np.dtype[Any], shape: tuple[int, ...], name: str) -> tuple[int, ...]:
    """Compare an array's type and shape with what the kernel declares.

    Returns
    -------
    tuple of int
        Shape in elements as the kernel counts them: an array of shape (64, 64, 4) is (64, 64) of ``float4``.

    Raises
    ------
    Mismatch
        If the types differ, or the array holds no whole number of elements.
    """
    if element.dtype is None or (dtype is element.scalar and not element.shape):
        return shape
    if element.scalar is None:
        return _check_records(element, dtype, shape, name)
    if dtype.kind == "c" and dtype.itemsize == 8 and element.scalar == np.float32:
        dtype, shape = np.dtype(np.float32), (*shape, 2)
    # Without ml_dtypes a bfloat is known by its bits, so its bits are always fine.
    is_bfloat = "bfloat" in element.name and (is_bfloat16(dtype) or dtype == np.uint16)
    if dtype != element.scalar and not is_bfloat:
        raise _wrong_dtype(element, dtype, name)
    return _fold_components(element, shape, name)


def _fold_components(element: ElementType, shape: tuple[int, ...], name: str) -> tuple[int, ...]:
    if not element.shape:
        return shape
    count, axes = math.prod(element.shape), len(element.shape)
    if shape[-axes:] == element.shape and len(shape) > axes:
        return shape[:-axes]
    if shape == element.shape:
        return (1,)
    if element.is_padded:
        wanted = ", ".join(map(str, element.shape))
        raise Mismatch(
            f"holds {element.name}, which takes {element.size} bytes, so the array's last axis must be "
            f"{wanted}; its shape is {shape}",
            _how_to_pad(element, shape, name),
        )
    if shape and shape[-1] % count == 0:
        return (*shape[:-1], shape[-1] // count)
    raise Mismatch(
        f"holds {element.name}, {count} components each, but the array's shape is {shape}",
        f"give it a last axis of {count}",
    )


def _how_to_pad(element: ElementType, shape: tuple[int, ...], name: str) -> str:
    missing = element.shape[-1] - element.components[-1]
    packed = f"declare it as packed_{element.name}*"
    if len(element.shape) > 1 or not shape or shape[-1] != element.components[-1]:
        return f"pad the last axis, or {packed}"
    axes = ", ".join([*["(0, 0)"] * (len(shape) - 1), f"(0, {missing})"])
    return f"pad it, np.pad({name}, ({axes}{',' * (len(shape) == 1)})), or {packed}"


def _check_records(element: ElementType, dtype: np.dtype[Any], shape: tuple[int, ...], name: str) -> tuple[int, ...]:
    if dtype.names is not None or dtype.subdtype is not None:
        advice = f"make the array with dtype={KERNEL}.arguments[{name!r}].dtype, which has Metal's layout"
        if dtype.itemsize != element.size:
            raise Mismatch(
                f"holds {element.name}, {element.size} bytes each, but the array's records have {dtype.itemsize}",
                advice,
            )
        difference = element.dtype and what_differs(dtype, element.dtype)
        if difference:
            raise Mismatch(f"holds {element.name}, which {difference}", advice)
        return shape
    length = math.prod(shape) * dtype.itemsize
    if element.is_struct and dtype != np.uint8:
        raise Mismatch(
            f"holds the struct {element.name}, got elements of dtype {dtype}",
            f"make the array with dtype={KERNEL}.arguments[{name!r}].dtype",
        )
    # A struct's last member may be an array of any length.
    has_tail = element.is_struct and length >= element.size
    if length % max(element.size, 1) and not has_tail:
        raise Mismatch(f"holds elements of {element.size} bytes, but the array has {length} bytes")
    return (length // max(element.size, 1),)


def _wrong_dtype(element: ElementType, dtype: np.dtype[Any], name: str) -> Mismatch:
    scalar = element.scalar
    assert scalar is not None
    wanted = f"np.{scalar.name}"
    problem = f"holds {element.name} ({scalar.name}), got elements of dtype {dtype}"
    if dtype.names is not None:
        return Mismatch(problem, "pass an array of plain numbers")
    if dtype == np.float64 and scalar == np.float32:
        return Mismatch(f"{problem}, which Metal does not have", f"cast it: {name}.astype(np.float32)")
    if dtype.itemsize == scalar.itemsize and dtype.kind in "iu" and scalar.kind in "iu":
        return Mismatch(problem, f"cast it, {name}.astype({wanted}), or take the same bits, {name}.view({wanted})")
    if scalar.kind in "iu" and dtype.kind == "f":
        return Mismatch(problem, f"cast it, {name}.astype({wanted}), or declare it as {_float_name(dtype)}*")
    return Mismatch(problem, f"cast it: {name}.astype({wanted})")


def _float_name(dtype: np.dtype[Any]) -> str:
    return "half" if dtype.itemsize == 2 else "float"


def default_output(element: ElementType, shape: tuple[int, ...]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Type and shape of an output that names only its shape: elements as the kernel writes them."""
    if element.dtype is None:
        raise Mismatch("is an output without a type", "name it: output(shape, dtype)")
    if element.scalar is None:
        return element.dtype, shape
    axes = len(element.shape)
    complete = not axes or (len(shape) > axes and shape[-axes:] == element.shape)
    return element.scalar, shape if complete else (*shape, *element.shape)
