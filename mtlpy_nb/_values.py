# SPDX-License-Identifier: MIT
"""Python values as the bytes of a ``constant T&`` argument."""

from __future__ import annotations

import math
import numbers
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._advice import struct_example, value_example, wide_enough
from ._arrays import Array, as_array, is_bfloat16, native_contiguous
from ._records import what_differs
from ._types import ElementType, metal_name

_NUMBERS = (int, float)


class Mismatch(Exception):  # noqa: N818 - never leaves the package: a kernel call turns it into an ArgumentError
    """A value that does not fit an argument.

    Parameters
    ----------
    problem : str
        What is wrong: ``"is int, got the float 2.5"``.
    advice : str
        What to write instead.
    """

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


def describe(value: object) -> str:
    """Name a value in a message: ``the float 2.5``, ``an array of shape (3,) and dtype float64``."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return f"the {type(value).__name__} {value}"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, str):
        return f"the text {value[:20]!r}"
    if isinstance(value, (tuple, list)) and len(value) <= 4:
        return f"the {type(value).__name__} {value}"
    article = "an" if type(value).__name__[:1].lower() in "aeiou" else "a"
    return f"{article} {type(value).__name__}"


def value_bytes(value: object, element: ElementType) -> bytes:
    """Lay out one value as Metal does.

    Raises
    ------
    Mismatch
        If it is of another type, or does not fit.
    """
    packer = element.packer
    if packer is not None and type(value) in _NUMBERS:
        try:
            return packer.pack(value)
        except (struct.error, OverflowError):
            pass  # it needs a closer look
    if element.is_struct:
        assert element.dtype is not None
        return _struct(value, element.dtype).tobytes()
    if element.scalar is None:
        return _whole_array(value, element)
    if not element.shape:
        return _scalar(value, element.scalar, element.name).tobytes()
    return _vector(value, element).tobytes()


def _scalar(value: object, dtype: np.dtype[Any], name: str) -> Array:
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise Mismatch(
                f"is one {name}, got {describe(value)}",
                f"pass a single number, or declare it as a pointer: constant {name}*",
            )
        if name.startswith("bfloat") and value.dtype == np.uint16:  # an array's are bits, a number is a number
            return value.reshape(()).view(dtype)
        value = value.reshape(-1)[0]
    if dtype.kind == "b":
        if isinstance(value, (bool, np.bool_)) or (isinstance(value, numbers.Integral) and int(value) in (0, 1)):
            return np.array(bool(value), dtype)
        raise Mismatch(f"is bool, got {describe(value)}", "pass True or False")
    if dtype.kind in "iu" and not name.startswith("bfloat"):  # whose bits are uint16 where ml_dtypes is missing
        return _integer(value, dtype, name)
    return _real(value, dtype, name)


def _integer(value: object, dtype: np.dtype[Any], name: str) -> Array:
    if not isinstance(value, (numbers.Integral, np.bool_)):
        raise Mismatch(f"is {name}, got {describe(value)}", _whole_number(value))
    limits = np.iinfo(dtype)
    if not limits.min <= int(value) <= limits.max:
        raise Mismatch(
            f"is {name}, which holds {limits.min} to {limits.max}, got {value}", wide_enough(int(value), dtype)
        )
    return np.array(int(value), dtype)


def _whole_number(value: object) -> str:
    """Say what to give for an integer instead of `value`."""
    if not isinstance(value, numbers.Real):
        return "pass an int"
    if not math.isfinite(value):
        return f"pass an int; {value} is no whole number"
    whole = int(float(value))
    return f"pass {whole}" if whole == value else f"pass a whole number, such as {whole}, or declare it as float"


def _real(value: object, dtype: np.dtype[Any], name: str) -> Array:
    if not isinstance(value, numbers.Real) and not (isinstance(value, np.generic) and is_bfloat16(value.dtype)):
        raise Mismatch(f"is {name}, got {describe(value)}", "pass a number")
    try:
        number = float(value)
    except OverflowError:
        raise Mismatch(f"is {name}, got an int too large for it") from None
    if is_bfloat16(dtype) or dtype.kind == "u":
        return _bfloat16(number).view(dtype)
    with np.errstate(over="ignore"):
        result = np.array(number, dtype)
    if np.isinf(result) and np.isfinite(number):
        wider = " or declare it as float" if dtype.itemsize == 2 else ""
        raise Mismatch(
            f"is {name}, which holds at most {np.finfo(dtype).max:g}, got {number:g}",
            f"pass a smaller number{',' if wider else ''}{wider}",
        )
    return result


def _bfloat16(number: float) -> Array:
    # Round to nearest even in the upper half of the float32.
    bits = int(np.array(number, np.float32).view(np.uint32))
    if np.isnan(number):
        return np.array(0x7FC0, np.uint16)
    return np.array((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16, np.uint16)


def _vector(value: object, element: ElementType) -> Array:
    assert element.scalar is not None
    given = np.asarray(value, dtype=object) if isinstance(value, (tuple, list)) else as_array(value)
    wanted = element.components
    example = "(" + ", ".join("0" for _ in range(wanted[-1])) + ")"
    advice = (
        f"pass {wanted[0]} numbers, such as {example}"
        if len(wanted) == 1
        else f"pass an array of shape {wanted}: its columns"
    )
    if given is None or given.shape not in (wanted, (1, *wanted)):
        shape = (
            ""
            if given is None or given.ndim == 0
            else f" of shape {given.shape}"
            if not isinstance(value, np.ndarray)
            else ""
        )
        raise Mismatch(f"is {element.name}, got {describe(value)}{shape}", advice)
    result = np.zeros(element.shape, element.scalar)
    if element.name.startswith("bfloat") and given.dtype == np.uint16:
        flat = list(given.reshape(-1).view(element.scalar))
    else:
        flat = [_scalar(item, element.scalar, element.name) for item in given.reshape(-1)]
    result[tuple(slice(0, n) for n in wanted)] = np.array(flat, element.scalar).reshape(wanted)
    return result


def _struct(value: object, dtype: np.dtype[Any]) -> Array:
    if isinstance(value, Mapping):
        return _struct_from_mapping(value, dtype)
    array = as_array(value)
    if array is not None and array.size == 1:
        native = native_contiguous(array)
        if array.dtype.names is not None:
            if array.dtype.itemsize == dtype.itemsize and not what_differs(native.dtype, dtype):
                return native.reshape(())
            return _struct_from_mapping({name: array.reshape(())[name] for name in array.dtype.names}, dtype)
    raise Mismatch(f"is a struct, got {describe(value)}", f"pass a dict: {struct_example(dtype)}")


def _struct_from_mapping(value: Mapping[Any, Any], dtype: np.dtype[Any]) -> Array:
    assert dtype.names is not None
    unknown = [name for name in value if name not in dtype.names]
    missing = [name for name in dtype.names if name not in value]
    if unknown:
        raise Mismatch(f"has no field {unknown[0]!r}", f"its fields are {', '.join(dtype.names)}")
    if missing:
        raise Mismatch(
            f"lacks {', '.join(map(repr, missing))}", f"pass a dict with all fields: {struct_example(dtype)}"
        )
    result = np.zeros((), dtype)
    for name in dtype.names:
        result[name] = _field(name, value[name], dtype[name])
    return result


def _field(name: str, value: object, dtype: np.dtype[Any]) -> Array:
    try:
        if dtype.names is not None:
            return _struct(value, dtype)
        base, shape = _base_and_shape(dtype)
        if not shape:
            return _scalar(value, base, metal_name(base))
        return _field_array(value, base, shape)
    except Mismatch as mismatch:
        gap = "" if mismatch.problem.startswith(".") else " "  # .inner.x, not .inner .x
        raise Mismatch(f".{name}{gap}{mismatch.problem}", mismatch.advice) from None


def _field_array(value: object, base: np.dtype[Any], shape: tuple[int, ...]) -> Array:
    given: Array = np.asarray(value)
    if given.shape != shape and len(shape) == 1:
        example = value_example(np.dtype((base, shape)))
        raise Mismatch(
            f"takes {shape[0]} numbers, got {describe(value)}", f"pass {shape[0]} numbers, such as {example}"
        )
    if given.shape != shape:
        raise Mismatch(f"has shape {shape}, got {describe(value)}", f"pass an array of shape {shape}")
    if base.names is not None:
        return given.astype(base)
    flat = [_scalar(item, base, metal_name(base)) for item in given.reshape(-1)]
    return np.array(flat, base).reshape(shape)


def _base_and_shape(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Take apart arrays of arrays: two ``float3`` are (2, 4) of float32."""
    shape: tuple[int, ...] = ()
    while dtype.subdtype is not None:
        dtype, inner = dtype.subdtype
        shape += inner
    return dtype, shape


def _whole_array(value: object, element: ElementType) -> bytes:
    """Give the bytes of an argument of a type that reflection does not break down."""
    array = as_array(value)
    base, shape = _base_and_shape(element.dtype) if element.dtype is not None else (None, ())
    if array is None and isinstance(value, (list, tuple, int, float)) and base is not None and base.names is None:
        return _field_array(value, base, shape).tobytes()
    if array is not None and base is not None and base.kind != "V" and array.dtype not in (base, np.dtype(np.uint8)):
        raise Mismatch(f"holds elements of dtype {base}, got {describe(value)}", f"cast them: .astype(np.{base.name})")
    if array is None or array.nbytes != element.size:
        raise Mismatch(f"takes {element.size} bytes, got {describe(value)}", "pass an array of that many bytes")
    return native_contiguous(array).tobytes()
