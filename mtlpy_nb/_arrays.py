# SPDX-License-Identifier: MIT
"""Arrays as Metal can take them: contiguous, in the processor's byte order, of types that Metal has."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_WHY_NOT = {
    "O": "it holds Python objects; convert it to numbers first, for instance with .astype(np.float32)",
    "U": "it holds text",
    "S": "it holds text",
    "M": "it holds dates; .view(np.int64) gives numbers",
    "m": "it holds time spans; .view(np.int64) gives numbers",
}


def as_array(data: object) -> Array | None:
    """Give the array that `data` is or wraps, sharing memory where possible; None when it is no array."""
    if isinstance(data, np.ndarray):
        return data
    if isinstance(data, np.generic):
        return np.asarray(data)
    if isinstance(data, (bool, int, float, complex, str)):
        return None
    if hasattr(data, "__array__") or hasattr(data, "__array_interface__"):
        return np.asarray(data)
    if hasattr(data, "__dlpack__"):
        return of_dlpack(data)
    try:
        return np.asarray(memoryview(data))  # type: ignore[arg-type]
    except TypeError:
        return None


class _Writable:
    """The memory of an array that NumPy takes for read-only; keeps it."""

    def __init__(self, array: Array) -> None:
        self._array = array
        self.__array_interface__ = {**array.__array_interface__, "data": (array.ctypes.data, False)}


def of_dlpack(data: Any) -> Array:
    """Give an array in the memory of what has ``__dlpack__``.

    Before DLPack 1.0 an exporter had no means to say whether its memory may be written, and NumPy then takes it for
    read-only. Other libraries write to it, and so do kernels.
    """
    array: Array = np.from_dlpack(data)
    if array.flags.writeable:
        return array
    try:
        tells = "_versioned" in repr(data.__dlpack__(max_version=(1, 0)))
    except TypeError:  # it knows no versions
        tells = False
    return array if tells else np.asarray(_Writable(array))


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether `dtype` is ml_dtypes' bfloat16, which NumPy itself does not have."""
    return dtype.itemsize == 2 and dtype.kind in "Vf" and str(dtype.name) == "bfloat16"


def storage_problem(dtype: np.dtype[Any]) -> str | None:
    """Say why Metal cannot hold `dtype`; None when it can."""
    if dtype.names is not None:
        for name in dtype.names:
            problem = storage_problem(dtype[name])
            if problem:
                return f"field {name!r}: {problem}"
        return None
    if dtype.subdtype is not None:
        return storage_problem(dtype.subdtype[0])
    if dtype.kind in _WHY_NOT:
        return _WHY_NOT[dtype.kind]
    if dtype.kind == "f" and dtype.itemsize > 4:
        return f"Metal has no {dtype}; convert it with .astype(np.float32)"
    if dtype.kind == "c" and dtype.itemsize > 8:
        return f"Metal has no {dtype}; convert it with .astype(np.complex64)"
    if dtype.kind == "V" and not is_bfloat16(dtype):
        return "its elements are bytes without a type"
    return None


def native_dtype(array: Array) -> np.dtype[Any]:
    """Give an array's type in the processor's byte order."""
    return array.dtype if array.dtype.isnative else array.dtype.newbyteorder("=")


def native_contiguous(array: Array) -> Array:
    """Give `array` in C order and the processor's byte order; itself when it is so already."""
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return np.ascontiguousarray(array)


def bytes_of(array: Array) -> Any:
    """View a contiguous array as bytes, for consumers that know no dtype."""
    # Any: NumPy's stubs declare the buffer protocol from Python 3.12 on only.
    return array.reshape(-1).view(np.uint8)


def with_alpha(array: Array, axes: int = 2) -> Array:
    """Give a picture of three channels an opaque fourth, which Metal's formats have; other arrays unchanged.

    Parameters
    ----------
    array : numpy.ndarray
    axes : int
        Number of axes before the channels.
    """
    if array.ndim != axes + 1 or array.shape[-1] != 3:
        return array
    opaque = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else 1
    alpha = np.full((*array.shape[:-1], 1), opaque, array.dtype)
    return np.concatenate([array, alpha], axis=-1)
