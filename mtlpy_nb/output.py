# SPDX-License-Identifier: MIT
"""Arguments that a kernel call shall make itself and give back."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ._checks import MOST_SIZES
from ._values import describe
from .errors import ArgumentError, ValidationError, advised

__all__ = ["output"]


class output:  # noqa: N801 - reads as a word in a call: blur(image, output.like(image))
    """Stand in a kernel call for an array or texture that the call makes and returns.

    Parameters
    ----------
    shape : int or tuple of int
        Rows first; for a texture the last axis of 4 holds its channels.
    dtype : optional
        NumPy type or Metal type's name; for a texture also a pixel format's name. Default: what the kernel writes.

    Examples
    --------
    >>> waves(output((64, 64), "float32"))  # doctest: +SKIP
    >>> blurred = blur(image, output.like(image), radius=3)  # doctest: +SKIP
    """

    __slots__ = ("dtype", "pixel_format", "shape")

    def __init__(self, shape: int | Sequence[int], dtype: npt.DTypeLike | str | None = None) -> None:
        from .utils import PIXEL_FORMATS, resolve_dtype

        self.shape: tuple[int, ...] = _shape(shape)
        if len(self.shape) > MOST_SIZES:
            raise ValidationError(f"output: shape has more than {MOST_SIZES} sizes")
        if any(n < 0 for n in self.shape):
            raise ValidationError(f"output: shape is {self.shape}, must not be negative")
        self.pixel_format: str | None = dtype if isinstance(dtype, str) and dtype in PIXEL_FORMATS else None
        self.dtype: np.dtype[Any] | None = None
        if self.pixel_format is None and dtype is not None:
            self.dtype = np.dtype(np.float64) if _is_double(dtype) else resolve_dtype(dtype)

    @classmethod
    def like(cls, x: object) -> output:
        """Stand for something of the shape and type of `x`: an array, a Buffer or a Texture."""
        from ._arrays import as_array
        from .buffer import Buffer
        from .texture import Texture

        if isinstance(x, Texture):
            return cls(x.shape, x.pixel_format)
        if isinstance(x, Buffer):
            return cls(x.shape, x.dtype)
        array = as_array(x)
        if array is None:
            raise ArgumentError(f"output.like: expected an array, a Buffer or a Texture, got {type(x).__name__}")
        return cls(array.shape, array.dtype.newbyteorder("="))

    def __repr__(self) -> str:
        kind = self.pixel_format or self.dtype
        return f"output({self.shape}, {str(kind)!r})" if kind else f"output({self.shape})"


def _shape(shape: Any) -> tuple[int, ...]:
    try:
        try:
            return (operator.index(shape),)
        except TypeError:
            return tuple(operator.index(n) for n in islice(shape, MOST_SIZES + 1))
    except TypeError:
        error = ValidationError(f"output: shape is {describe(shape)}, must be an int or a tuple of ints")
        if hasattr(shape, "shape"):
            error = advised(ValidationError, str(error), "for the shape of another array write output.like(x)")
        raise error from None


def _is_double(dtype: Any) -> bool:
    # Kept as it is, so that the kernel call says what to do about it. "float" is Metal's, of 32 bits.
    if isinstance(dtype, str) and dtype == "float":
        return False
    try:
        return bool(np.dtype(dtype) == np.float64)
    except TypeError:
        return False
