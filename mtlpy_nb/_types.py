# SPDX-License-Identifier: MIT
"""Metal's types as NumPy dtypes, laid out as Metal lays them out."""

from __future__ import annotations

import importlib
import re
import struct
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ._arrays import is_bfloat16

__all__ = ["ElementType", "element_type", "metal_name", "numpy_dtype", "value_type"]

_SCALARS: dict[str, Any] = {
    "bool": np.bool_,
    "char": np.int8,
    "uchar": np.uint8,
    "short": np.int16,
    "ushort": np.uint16,
    "int": np.int32,
    "uint": np.uint32,
    "long": np.int64,
    "ulong": np.uint64,
    "half": np.float16,
    "float": np.float32,
}
# As <metal_pixel> stores them: by their names up to "<", with the integer type and how many there are.
_PIXELS: dict[str, tuple[Any, int]] = {
    **{f"{p}{bits}{kind}": (f"{'iu'[kind == 'unorm']}{bits // 8}", n)
       for p, n in (("r", 1), ("rg", 2), ("rgba", 4)) for bits in (8, 16) for kind in ("unorm", "snorm")},
    "srgba8unorm": ("u1", 4), "rgb10a2": ("u4", 1), "rg11b10f": ("u4", 1), "rgb9e5": ("u4", 1),
}  # fmt: skip
_NAME = re.compile(r"^(?:packed_)?(bool|u?char|u?short|u?int|u?long|half|bfloat|float)(\d)?(?:x(\d))?$")


_FORMATS = {np.dtype(scalar): letter for scalar, letter in zip(_SCALARS.values(), "?bBhHiIqQef", strict=True)}


class TypeLike(Protocol):
    """What is read of the native module's ``TypeInfo``."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def members(self) -> list[Any]: ...
    @property
    def element(self) -> Any: ...
    @property
    def array_length(self) -> int: ...
    @property
    def stride(self) -> int: ...
    @property
    def data_type(self) -> Any: ...


@dataclass(frozen=True)
class ElementType:
    """One element of a buffer argument.

    Attributes
    ----------
    name : str
        As Metal writes it.
    dtype : numpy.dtype or None
        Of one element, structured or with a sub-shape; None where Metal does not say.
    scalar : numpy.dtype or None
        Of one component of a scalar, vector or matrix; None for structs.
    shape : tuple of int
        Of one element in memory: () for a scalar, (4,) for ``float4``, also (4,) for ``float3``, which Metal pads.
    components : tuple of int
        The same without padding: (3,) for ``float3``.
    size : int
        Bytes.
    """

    name: str
    dtype: np.dtype[Any] | None
    scalar: np.dtype[Any] | None
    shape: tuple[int, ...]
    components: tuple[int, ...]
    size: int

    @cached_property
    def packer(self) -> struct.Struct | None:
        """What lays out a Python number of this type, where one number is all there is; a bool's takes any."""
        if self.scalar is None or self.shape or is_bfloat16(self.scalar) or self.name == "bfloat":
            return None
        return None if self.scalar.kind == "b" else struct.Struct(f"={_FORMATS[self.scalar]}")

    @property
    def is_struct(self) -> bool:
        """Whether it has named fields."""
        return self.dtype is not None and self.dtype.names is not None

    @property
    def is_padded(self) -> bool:
        """Whether memory holds components that mean nothing, as ``float3`` does."""
        return self.shape != self.components


def element_type(info: TypeLike | None, type_name: str, size: int) -> ElementType:
    """Describe what a buffer argument points at.

    Parameters
    ----------
    info : TypeInfo or None
        The reflection.
    type_name : str
        Metal's name of its data type (``data_type_name``), such as ``"float4"``; empty for structs and arrays.
    size : int
        Bytes of one element.
    """
    if info is None:
        return ElementType("void", None, None, (), (), size)
    if info.members:
        return ElementType(info.name or "struct", numpy_dtype(info, type_name), None, (), (), size)
    if info.element is not None and info.array_length:
        return ElementType(info.name or "array", numpy_dtype(info, type_name), None, (), (), size)
    parsed = _parse(type_name or info.name, info.size or size)
    if parsed is None:
        return ElementType(info.name or "void", None, None, (), (), size)
    scalar, shape, components = parsed
    dtype = np.dtype((scalar, shape)) if shape else scalar
    return ElementType(info.name or type_name, dtype, scalar, shape, components, info.size or size)


def value_type(type_name: str) -> ElementType | None:
    """Describe a scalar or vector by its name alone, such as ``"float2"``; None for other types."""
    parsed = _parse(type_name, 0)
    if parsed is None:
        return None
    scalar, shape, components = parsed
    dtype = np.dtype((scalar, shape)) if shape else scalar
    return ElementType(type_name, dtype, scalar, shape, components, dtype.itemsize)


def metal_name(dtype: np.dtype[Any]) -> str:
    """Give Metal's name of a scalar type: ``float`` for float32; NumPy's where Metal has none."""
    return next((name for name, scalar in _SCALARS.items() if dtype == np.dtype(scalar)), dtype.name)


def numpy_dtype(info: TypeLike, type_name: str = "") -> np.dtype[Any]:
    """Lay out a Metal type as a NumPy dtype; what NumPy cannot name becomes bytes of the same size."""
    if info.members:
        return np.dtype(
            {
                "names": [member.name for member in info.members],
                "formats": [_member_dtype(member.type) for member in info.members],
                "offsets": [member.offset for member in info.members],
                "itemsize": info.size,
            }
        )
    if info.element is not None and info.array_length:
        return np.dtype((_padded_dtype(info.element, info.stride), (info.array_length,)))
    parsed = _parse(type_name or _name_of(info), info.size)
    if parsed is None:
        return np.dtype(np.uint64) if info.size == 8 else np.dtype((np.void, info.size))
    scalar, shape, _ = parsed
    return np.dtype((scalar, shape)) if shape else scalar


def _member_dtype(info: TypeLike) -> np.dtype[Any]:
    """Of a field, whose padding the struct's offsets already leave out: ``float3`` is three floats there."""
    if not info.members and info.element is None:
        parsed = _parse(_name_of(info), info.size)
        if parsed is not None and len(parsed[2]) == 1:
            return np.dtype((parsed[0], parsed[2]))
    return numpy_dtype(info)


def _padded_dtype(info: TypeLike, stride: int) -> np.dtype[Any]:
    dtype = numpy_dtype(info)
    return dtype if not stride or dtype.itemsize == stride else np.dtype((np.void, stride))


def _name_of(info: TypeLike) -> str:
    if _NAME.match(info.name) or info.name.partition("<")[0] in _PIXELS:
        return info.name
    from . import _native as mtl

    return mtl.data_type_name(info.data_type)


def _parse(name: str, size: int) -> tuple[np.dtype[Any], tuple[int, ...], tuple[int, ...]] | None:
    """Read ``float3`` or ``half4x3``: component type, shape in memory, shape that is meant."""
    pixel = _PIXELS.get(name.partition("<")[0])
    if pixel is not None:
        shape = (pixel[1],) if pixel[1] > 1 else ()
        return np.dtype(pixel[0]), shape, shape
    match = _NAME.match(name)
    scalar = _scalar(match[1]) if match else None
    if match is None or scalar is None:
        return None
    components = tuple(int(n) for n in match.groups()[1:] if n)
    if not components:
        return scalar, (), ()
    rows = components[-1]
    columns = components[0] if len(components) == 2 else 1
    # Vectors of three take the room of four unless packed; the size says which.
    in_memory = size // (columns * scalar.itemsize) if size else rows
    return scalar, (*components[:-1], in_memory), components


def _scalar(name: str) -> np.dtype[Any] | None:
    if name != "bfloat":
        found: np.dtype[Any] = np.dtype(_SCALARS[name])
        return found
    try:
        bfloat16: np.dtype[Any] = np.dtype(importlib.import_module("ml_dtypes").bfloat16)
    except ImportError:
        return np.dtype(np.uint16)
    return bfloat16
