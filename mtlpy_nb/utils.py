# SPDX-License-Identifier: MIT
"""NumPy's types and Metal's: the tables, and the small functions over them."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._advice import did_you_mean
from ._pixel_formats import why_missing
from .errors import ArgumentError, ValidationError, advised

__all__ = [
    "PIXEL_FORMATS",
    "TEXTURE_USAGE_SHADER_READ",
    "TEXTURE_USAGE_SHADER_WRITE",
    "PixelFormatInfo",
    "StorageMode",
    "msl_storage_type",
    "pixel_format_info",
    "shape_size",
    "to_dlpack_dtype",
    "to_metal",
    "to_numpy",
]

TEXTURE_USAGE_SHADER_READ = 1
TEXTURE_USAGE_SHADER_WRITE = 2


class StorageMode(enum.IntEnum):
    """Where a resource lives; Metal's own values."""

    SHARED = 0
    MANAGED = 1
    PRIVATE = 2


def storage_mode(value: StorageMode | int, where: str) -> StorageMode:
    """Read a storage mode that the call `where` was given.

    Raises
    ------
    ValueError
        If there is no such mode.
    """
    try:
        return StorageMode(value)
    except ValueError as error:
        modes = ", ".join(f"{mode.name} ({mode.value})" for mode in StorageMode)
        raise ValidationError(f"{where}: storage: {error}; there are {modes}") from None


class PixelFormatInfo(NamedTuple):
    """What a pixel format means on the NumPy side."""

    mtl_value: int
    channels: int
    dtype: np.dtype[Any]
    normalized: bool
    msl_scalar_type: str


_TABLE: list[tuple[str, Any]] = [
    ("float", np.float32),
    ("half", np.float16),
    ("int", np.int32),
    ("uint", np.uint32),
    ("short", np.int16),
    ("ushort", np.uint16),
    ("long", np.int64),
    ("ulong", np.uint64),
    ("bool", np.bool_),
]
_NUMPY_TO_METAL: dict[np.dtype[Any], str] = {np.dtype(scalar): name for name, scalar in _TABLE}
_METAL_TO_NUMPY: dict[str, np.dtype[Any]] = {name: np.dtype(scalar) for name, scalar in _TABLE}
# Stored and copied, but without operators, as in mtlpy.
_STORAGE_TYPE = {**_NUMPY_TO_METAL, np.dtype(np.int8): "char", np.dtype(np.uint8): "uchar"}
# DLPack's code of a type's kind: 0 signed, 1 unsigned, 2 floating point, 5 complex, 6 bool.
_DLPACK_CODE: dict[np.dtype[Any], tuple[int, int]] = {
    dtype: ({"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[dtype.kind], dtype.itemsize * 8)
    for dtype in (*_STORAGE_TYPE, np.dtype(np.complex64))
}


def _format(value: int, channels: int, dtype: npt.DTypeLike, scalar: str, normalized: bool = False) -> PixelFormatInfo:
    return PixelFormatInfo(value, channels, np.dtype(dtype), normalized, scalar)


PIXEL_FORMATS: dict[str, PixelFormatInfo] = {
    "r8Unorm": _format(10, 1, np.uint8, "float", normalized=True),
    "rgba8Unorm": _format(70, 4, np.uint8, "float", normalized=True),
    "bgra8Unorm": _format(80, 4, np.uint8, "float", normalized=True),
    "bgra8Unorm_srgb": _format(81, 4, np.uint8, "float", normalized=True),
    "r8Uint": _format(13, 1, np.uint8, "uint"),
    "rgba8Uint": _format(73, 4, np.uint8, "uint"),
    "r16Uint": _format(23, 1, np.uint16, "uint"),
    "rgba16Uint": _format(113, 4, np.uint16, "uint"),
    "r32Uint": _format(53, 1, np.uint32, "uint"),
    "rgba32Uint": _format(123, 4, np.uint32, "uint"),
    "r16Float": _format(25, 1, np.float16, "float"),
    "rgba16Float": _format(115, 4, np.float16, "float"),
    "r32Float": _format(55, 1, np.float32, "float"),
    "rgba32Float": _format(125, 4, np.float32, "float"),
    "r8Sint": _format(14, 1, np.int8, "int"),
    "rgba8Sint": _format(74, 4, np.int8, "int"),
    "r16Sint": _format(24, 1, np.int16, "int"),
    "rgba16Sint": _format(114, 4, np.int16, "int"),
    "r32Sint": _format(54, 1, np.int32, "int"),
    "rgba32Sint": _format(124, 4, np.int32, "int"),
    "rg8Unorm": _format(30, 2, np.uint8, "float", normalized=True),
    "rg8Uint": _format(33, 2, np.uint8, "uint"),
    "rg8Sint": _format(34, 2, np.int8, "int"),
    "rg16Uint": _format(63, 2, np.uint16, "uint"),
    "rg16Sint": _format(64, 2, np.int16, "int"),
    "rg16Float": _format(65, 2, np.float16, "float"),
    "rg32Uint": _format(103, 2, np.uint32, "uint"),
    "rg32Sint": _format(104, 2, np.int32, "int"),
    "rg32Float": _format(105, 2, np.float32, "float"),
    "r16Unorm": _format(20, 1, np.uint16, "float", normalized=True),
    "rg16Unorm": _format(60, 2, np.uint16, "float", normalized=True),
    "rgba16Unorm": _format(110, 4, np.uint16, "float", normalized=True),
    "r8Snorm": _format(12, 1, np.int8, "float", normalized=True),
    "rg8Snorm": _format(32, 2, np.int8, "float", normalized=True),
    "rgba8Snorm": _format(72, 4, np.int8, "float", normalized=True),
    "r16Snorm": _format(22, 1, np.int16, "float", normalized=True),
    "rg16Snorm": _format(62, 2, np.int16, "float", normalized=True),
    "rgba16Snorm": _format(112, 4, np.int16, "float", normalized=True),
    "a8Unorm": _format(1, 1, np.uint8, "float", normalized=True),
    "r8Unorm_srgb": _format(11, 1, np.uint8, "float", normalized=True),
    "rg8Unorm_srgb": _format(31, 2, np.uint8, "float", normalized=True),
    "rgba8Unorm_srgb": _format(71, 4, np.uint8, "float", normalized=True),
    "depth16Unorm": _format(250, 1, np.uint16, "float", normalized=True),
    "depth32Float": _format(252, 1, np.float32, "float"),
    "stencil8": _format(253, 1, np.uint8, "uint"),
    # One number holds all components of a pixel.
    "b5g6r5Unorm": _format(40, 1, np.uint16, "float", normalized=True),
    "a1bgr5Unorm": _format(41, 1, np.uint16, "float", normalized=True),
    "abgr4Unorm": _format(42, 1, np.uint16, "float", normalized=True),
    "bgr5A1Unorm": _format(43, 1, np.uint16, "float", normalized=True),
    "rgb10a2Unorm": _format(90, 1, np.uint32, "float", normalized=True),
    "rgb10a2Uint": _format(91, 1, np.uint32, "uint"),
    "rg11b10Float": _format(92, 1, np.uint32, "float"),
    "rgb9e5Float": _format(93, 1, np.uint32, "float"),
    "bgr10a2Unorm": _format(94, 1, np.uint32, "float", normalized=True),
    "bgra10_xr": _format(552, 1, np.uint64, "float", normalized=True),
    "bgra10_xr_srgb": _format(553, 1, np.uint64, "float", normalized=True),
    "bgr10_xr": _format(554, 1, np.uint32, "float", normalized=True),
    "bgr10_xr_srgb": _format(555, 1, np.uint32, "float", normalized=True),
    "depth24Unorm_stencil8": _format(255, 1, np.uint32, "float", normalized=True),
    "depth32Float_stencil8": _format(260, 1, np.uint64, "float"),
    "x32_stencil8": _format(261, 1, np.uint64, "uint"),
    "x24_stencil8": _format(262, 1, np.uint32, "uint"),
    # Two pixels of a row have red and blue together: (green, blue), (green, red) and the other way round.
    "gbgr422": _format(240, 2, np.uint8, "float", normalized=True),
    "bgrg422": _format(241, 2, np.uint8, "float", normalized=True),
}
_PIXEL_FORMATS = PIXEL_FORMATS
_PIXEL_FORMAT_TABLE = [
    (name, info.mtl_value, info.channels, info.dtype.type, info.normalized, info.msl_scalar_type)
    for name, info in PIXEL_FORMATS.items()
]
_first_packed = list(PIXEL_FORMATS).index("b5g6r5Unorm")
PACKED_FORMATS = frozenset(list(PIXEL_FORMATS)[_first_packed:])


def shape_size(shape: int | Sequence[int]) -> int:
    """Count the elements of an array of `shape`."""
    return int(shape) if isinstance(shape, (int, np.integer)) else math.prod(int(n) for n in shape)


def to_metal(dtype: npt.DTypeLike) -> str:
    """Name the Metal type that computes with `dtype`.

    Raises
    ------
    TypeError
        If Metal has none.
    """
    name = _NUMPY_TO_METAL.get(np.dtype(dtype))
    if name is None:
        raise ArgumentError(f"No Metal equivalent for dtype: {np.dtype(dtype)}")
    return name


def msl_storage_type(dtype: npt.DTypeLike) -> str:
    """Name the Metal type that stores `dtype`, 8-bit integers included.

    Raises
    ------
    TypeError
        If Metal has none.
    """
    name = _STORAGE_TYPE.get(np.dtype(dtype))
    if name is None:
        raise ArgumentError(f"No MSL storage type for dtype: {np.dtype(dtype)}")
    return name


def to_numpy(hint: npt.DTypeLike | str | None) -> np.dtype[Any]:
    """Turn a Metal type's name or a NumPy dtype into a dtype that Metal can hold.

    ``None`` means float32, and float64 becomes float32, which is the widest that Metal has.

    Raises
    ------
    TypeError
        If a string is not the name of a Metal type.
    """
    if hint is None:
        return np.dtype(np.float32)
    if isinstance(hint, str):
        if hint not in _METAL_TO_NUMPY:
            raise ArgumentError(f"Unknown Metal type string: {hint!r}; known are {', '.join(_METAL_TO_NUMPY)}")
        return _METAL_TO_NUMPY[hint]
    dtype = np.dtype(hint)
    return np.dtype(np.float32) if dtype == np.float64 else dtype


def resolve_dtype(dtype: npt.DTypeLike | str | None) -> np.dtype[Any]:
    """Turn a NumPy type, or the name of a NumPy or Metal type, into a dtype that Metal can hold."""
    try:
        return to_numpy(dtype)
    except TypeError as unknown:
        try:
            return to_numpy(np.dtype(dtype))
        except (TypeError, UnicodeEncodeError):
            if isinstance(dtype, str):
                raise ArgumentError(f"{unknown}, and NumPy's, such as np.uint8") from None
            from ._values import describe

            advice = "give a shape of several sizes as one tuple: (rows, columns)" if isinstance(dtype, int) else ""
            text = f"dtype is {describe(dtype)}, expected a type of NumPy's, such as np.float32, or a Metal type's name"
            raise advised(ArgumentError, text, advice) from None


def pixel_format_info(name: str) -> PixelFormatInfo:
    """Look up a pixel format by its Metal name, such as ``"rgba8Unorm"``.

    Raises
    ------
    ValueError
        If the name is unknown.
    """
    info = PIXEL_FORMATS.get(name) if isinstance(name, str) else None
    if info is None:
        reason = why_missing(name) if isinstance(name, str) else None
        why = f": {reason}." if reason else did_you_mean(name, PIXEL_FORMATS) or "."
        raise ValidationError(f"Unknown pixel format: {name!r}{why} Supported: {', '.join(sorted(PIXEL_FORMATS))}")
    return info


def to_dlpack_dtype(dtype: npt.DTypeLike) -> tuple[int, int]:
    """Give DLPack's type code and bits for `dtype`.

    Raises
    ------
    TypeError
        If DLPack has no such type.
    """
    found = _DLPACK_CODE.get(np.dtype(dtype))
    if found is None:
        raise ArgumentError(f"No DLPack equivalent for dtype: {np.dtype(dtype)}")
    return found


def from_dlpack_dtype(code: int, bits: int) -> np.dtype[Any]:
    """Give the dtype of DLPack's type code and bits.

    Raises
    ------
    TypeError
        If Metal has no such type.
    """
    for dtype, known in _DLPACK_CODE.items():
        if known == (code, bits):
            return dtype
    raise ArgumentError(f"No dtype for DLPack type code {code} of {bits} bits")
