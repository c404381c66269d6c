# SPDX-License-Identifier: MIT
"""What a Buffer is made of: elements that Metal can hold, and as many as the device has memory for."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import Array, as_array, native_contiguous, storage_problem
from ._checks import sizes, whole
from .errors import ArgumentError, ResourceError, ValidationError
from .utils import resolve_dtype, shape_size, to_numpy

if TYPE_CHECKING:
    from .buffer import Buffer

__all__ = ["buffer_of", "layout"]


def buffer_of(
    data: npt.ArrayLike | int,
    dtype: npt.DTypeLike | str | None,
    where: str,
    empty: Callable[..., Buffer],
    copy: Callable[[Array], Buffer] | None = None,
) -> Buffer:
    """Make a Buffer of an array, or of so many elements; see :meth:`Device.buffer`.

    Parameters
    ----------
    data, dtype
        What the call was given.
    where : str
        The call, for messages.
    empty : callable
        Makes a Buffer of a size and a dtype.
    copy : callable, optional
        Makes a Buffer of a contiguous array, where that takes less time than filling an empty one.
    """
    array = np.asarray(data) if isinstance(data, (list, tuple)) else as_array(data)
    if array is not None and not isinstance(data, np.generic):
        elements = _elements_of(array, where)
        if copy is not None:
            return copy(elements)
        buffer = empty(elements.shape, elements.dtype)
        buffer._write(elements)
        return buffer
    if not isinstance(data, (numbers.Real, np.number)):
        raise ArgumentError(f"{where}: expected an array or a number of elements, got {type(data).__name__}")
    return empty(_count(data, f"{where}: data"), to_numpy(dtype))


def _count(number: Any, what: str) -> int:
    """Read a number of elements; what is left of a fraction is cut off, as mtlpy does.

    Raises
    ------
    ValidationError
        If it is infinite or not a number.
    """
    if not math.isfinite(number):
        raise ValidationError(f"{what} is {number}, must be an array or a finite number of elements")
    return int(number)


def _elements_of(array: Array, where: str) -> Array:
    """Give an array as a Buffer holds it: contiguous, with an axis at least, float32 in place of float64.

    Raises
    ------
    ArgumentError
        If Metal cannot hold such elements.
    """
    if array.dtype == np.float64:
        array = array.astype(np.float32)
    problem = storage_problem(array.dtype)
    if problem:
        raise ArgumentError(f"{where}: the array's dtype is {array.dtype}: {problem}")
    return native_contiguous(np.atleast_1d(array))


def element_of(dtype: npt.DTypeLike | str, where: str) -> np.dtype[Any]:
    """Read the type of a Buffer's elements; raises ArgumentError for those that Metal cannot hold."""
    element = resolve_dtype(dtype)
    problem = storage_problem(element)
    if problem:
        raise ArgumentError(f"{where}: dtype is {element}: {problem}")
    return element


def shape_of(size: int | Sequence[int], what: str) -> tuple[int, ...]:
    """Read a shape, or a number of elements; raises ValidationError where one is negative."""
    shape = (whole(size, what),) if isinstance(size, numbers.Real) else sizes(size, what)
    if any(n < 0 for n in shape):
        raise ValidationError(f"{what} is {size}, must not be negative")
    return shape


def layout(
    size: int | Sequence[int], dtype: npt.DTypeLike | str, most: int, where: str
) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Work out the dtype, the shape and the length in bytes of an empty Buffer, of `most` bytes at the most.

    Raises
    ------
    ArgumentError
        If Metal cannot hold such elements.
    ValidationError
        If the size is negative.
    ResourceError
        If there would be no elements, or too many.
    """
    element, shape = element_of(dtype, where), shape_of(size, f"{where}: size")
    length = shape_size(shape) * element.itemsize
    if length == 0:
        raise ResourceError("Failed to allocate Metal buffer: it would have no elements")
    if length > most:
        raise ResourceError(
            f"Failed to allocate Metal buffer: {length} bytes are more than the {most} that this device can give now"
        )
    return element, shape, length
