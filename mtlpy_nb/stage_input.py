# SPDX-License-Identifier: MIT
"""Where a kernel's ``[[stage_in]]`` comes from, in the words of NumPy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native as mtl
from .errors import ArgumentError, ValidationError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["StageBuffer"]

_FORMATS = {
    "u1": "UChar", "i1": "Char", "u2": "UShort", "i2": "Short", "u4": "UInt", "i4": "Int", "f2": "Half", "f4": "Float",
}  # fmt: skip
_STEPS = {
    "x": mtl.StepFunction.ThreadPositionInGridX,
    "y": mtl.StepFunction.ThreadPositionInGridY,
    "indexed x": mtl.StepFunction.ThreadPositionInGridXIndexed,
    "indexed y": mtl.StepFunction.ThreadPositionInGridYIndexed,
    "constant": mtl.StepFunction.Constant,
}
MOST_BUFFERS = 31


@dataclass(frozen=True)
class StageBuffer:
    """How the elements of a buffer lie that a kernel's ``[[stage_in]]`` is fetched from.

    Attributes
    ----------
    dtype : dtype_like
        A structured type; its fields have the names of the kernel's attributes. Others are skipped.
    step : str
        Which element a thread gets: that of its ``"x"`` or ``"y"`` in the grid, the one that the index buffer names
        there (``"indexed x"``, ``"indexed y"``), or ``"constant"``: the first, for all.
    rate : int
        So many threads in a row share an element.
    normalized : bool or collection of str
        Whether integers of 8 and 16 bits become numbers from 0 (or -1) to 1; or the fields for which they do.
    """

    dtype: npt.DTypeLike
    step: str = "x"
    rate: int = 1
    normalized: bool | Collection[str] = False

    def _key(self) -> tuple[Any, ...]:
        names = self.normalized if isinstance(self.normalized, bool) else tuple(self.normalized)
        dtype = np.dtype(self.dtype)
        return repr(dtype.descr), dtype.itemsize, self.step, self.rate, names

    def _is_normalized(self, field: str) -> bool:
        return self.normalized if isinstance(self.normalized, bool) else field in self.normalized


def as_buffers(stage_input: Mapping[int, StageBuffer | npt.DTypeLike]) -> dict[int, StageBuffer]:
    """Check indices and make a StageBuffer of every dtype."""
    if not isinstance(stage_input, Mapping):
        raise ArgumentError(
            f"stage_input must be a dict of buffers' indices and dtypes, got {type(stage_input).__name__}"
        )
    buffers = {}
    for index, value in stage_input.items():
        if not isinstance(index, int) or not 0 <= index < MOST_BUFFERS:
            raise ValidationError(f"stage_input: {index!r} is no index of a buffer, 0 to {MOST_BUFFERS - 1}")
        buffer = value if isinstance(value, StageBuffer) else StageBuffer(value)
        if np.dtype(buffer.dtype).fields is None:
            raise ValidationError(
                f"stage_input: buffer {index} has dtype {np.dtype(buffer.dtype)}, which has no fields to name the "
                f'attributes; write it as [("name", "{np.dtype(buffer.dtype).str[1:]}")]'
            )
        if buffer.step not in _STEPS:
            raise ValidationError(
                f"stage_input: step of buffer {index} is {buffer.step!r}, must be one of {', '.join(_STEPS)}"
            )
        buffers[index] = buffer
    return buffers


def key_of(buffers: Mapping[int, StageBuffer], indices: tuple[int, Any] | None) -> tuple[Any, ...]:
    """Return what tells two stage inputs apart."""
    where = None if indices is None else (indices[0], str(np.dtype(indices[1])))
    return (*sorted((index, buffer._key()) for index, buffer in buffers.items()), where)


def descriptor_of(
    function: mtl.Function, buffers: Mapping[int, StageBuffer], indices: tuple[int, Any] | None
) -> mtl.StageInputOutputDescriptor:
    """Describe the buffers' fields that the function has attributes for."""
    descriptor = mtl.StageInputOutputDescriptor()
    numbers = {attribute.name: attribute.index for attribute in function.stage_input_attributes}
    for index, buffer in buffers.items():
        dtype = np.dtype(buffer.dtype)
        layout = descriptor.layouts[index]
        layout.stride = dtype.itemsize
        layout.step_function = _STEPS[buffer.step]
        layout.step_rate = 0 if buffer.step == "constant" else buffer.rate
        for name, (field, offset, *_) in (dtype.fields or {}).items():
            if name not in numbers:
                continue
            attribute = descriptor.attributes[numbers[name]]
            attribute.buffer_index, attribute.offset = index, offset
            attribute.format = _format(name, field, buffer._is_normalized(name))
    if indices is not None:
        index, dtype = indices[0], np.dtype(indices[1])
        if dtype not in (np.uint16, np.uint32):
            raise ValidationError(f"stage_indices: indices are uint16 or uint32, got {dtype}")
        descriptor.index_buffer_index = index
        descriptor.index_type = mtl.IndexType.UInt16 if dtype.itemsize == 2 else mtl.IndexType.UInt32
    elif any(buffer.step.startswith("indexed") for buffer in buffers.values()):
        raise ValidationError("stage_input: an indexed step needs stage_indices=(buffer index, dtype)")
    return descriptor


def _format(name: str, field: np.dtype[Any], normalized: bool) -> mtl.AttributeFormat:
    element, shape = (field.base, field.shape)
    count = int(np.prod(shape, dtype=int))
    base = _FORMATS.get(element.str[1:]) if element.isnative else None
    if base is None or not 1 <= count <= 4 or len(shape) > 1:
        raise ValidationError(
            f"stage_input: field {name!r} has {count} x {element}, an attribute has one to four native elements of "
            f"{', '.join(_FORMATS)}"
        )
    return _named(base, count, normalized and element.kind in "iu" and element.itemsize < 4)


def attribute_format(name: str, element: np.dtype[Any], count: int, *, normalized: bool = False) -> mtl.AttributeFormat:
    """Give the format of `count` numbers of a native type: as they are, or integers of 0 to 1."""
    return _format(name, np.dtype((element, (count,))), normalized=normalized)


def _named(base: str, count: int, normalized: bool) -> mtl.AttributeFormat:
    suffix = "Normalized" if normalized else ""
    found: mtl.AttributeFormat = getattr(mtl.AttributeFormat, f"{base}{count if count > 1 else ''}{suffix}")
    return found
