# SPDX-License-Identifier: MIT
"""Where the attributes of a vertex function come from: the fields of an array of records, arrays, or one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from . import _native as mtl
from ._arrays import Array, as_array, bytes_of
from ._stage_arguments import StageAttribute
from ._values import Mismatch, describe
from .buffer import Buffer
from .device import Device
from .stage_input import attribute_format

__all__ = ["Slot", "VertexAttribute", "VertexInput", "records"]

_STRIDE = 4  # a Mac wants strides and offsets that are multiples of it
_STEPS = {
    "vertex": mtl.VertexStepFunction.PerVertex,
    "instance": mtl.VertexStepFunction.PerInstance,
    "constant": mtl.VertexStepFunction.Constant,
}


@dataclass(frozen=True)
class VertexAttribute(StageAttribute):
    """A member of a vertex function's ``[[stage_in]]``.

    As Metal's vertex formats have it, bytes and 16-bit integers for a ``float`` are read as 0 to 1 (or -1 to 1), and
    where an array has fewer components than the function takes, the others are 0, and the fourth is 1.
    """

    _owner: ClassVar[str] = "vertex"
    _owners: ClassVar[str] = "vertices"

    def format(self, dtype: np.dtype[Any], count: int) -> mtl.AttributeFormat | None:
        """Give the format of `count` numbers of a type; None if the function cannot read those."""
        scalar = self.element.scalar
        assert scalar is not None
        if not 1 <= count <= self._count:
            return None
        if scalar.kind == "f":
            fits = dtype.itemsize in {"f": (2, 4), "i": (1, 2), "u": (1, 2)}.get(dtype.kind, ())
        else:
            fits = dtype.kind == scalar.kind and dtype.itemsize in (1, 2, 4)
        if not fits:
            return None
        normalized = scalar.kind == "f" and dtype.kind != "f"
        return attribute_format(self.name, dtype, count, normalized=normalized)

    def _checked(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[int | None, mtl.AttributeFormat, int]:
        components = self.element.components
        is_one = len(shape) == len(components)
        count = shape[-1] if components and shape else 1
        form = self.format(dtype, count) if is_one or len(shape) == len(components) + 1 else None
        if form is None:
            return super()._checked(dtype, shape)  # which says what is wrong
        return None if is_one else shape[0], form, dtype.itemsize * count

    def _one_each(self) -> str:
        return f"give it one element of {self.type_text} for each vertex"


@dataclass(frozen=True)
class Slot:
    """How the elements of one vertex buffer lie.

    Attributes
    ----------
    stride : int
    step : str
        ``"vertex"``, ``"instance"`` or ``"constant"``.
    attributes : tuple of (int, AttributeFormat, int)
        Number, format and offset of each that is fetched from it.
    """

    stride: int
    step: str
    attributes: tuple[tuple[int, mtl.AttributeFormat, int], ...]


@dataclass
class VertexInput:
    """All vertex buffers of a draw.

    Attributes
    ----------
    slots : list of Slot
    items : list of callable
        Give what is bound for each; of an array, what it then holds.
    counts : dict of str to int
        For how many vertices each source has elements.
    """

    slots: list[Slot] = field(default_factory=list)
    items: list[Callable[[], Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def add_records(self, what: str, value: Buffer | Array, attributes: Sequence[VertexAttribute]) -> set[str]:
        """Take the attributes that have a field of their name in an array of records; give their names.

        Raises
        ------
        Mismatch
            If a field does not fit its attribute.
        """
        dtype = value.dtype
        assert dtype.fields is not None
        taken = [attribute for attribute in attributes if attribute.name in dtype.fields]
        for attribute in taken:
            _check_field(what, attribute, dtype.fields[attribute.name][0])
        if not taken:
            return set()
        layout = dtype
        if isinstance(value, Buffer):
            if not _is_aligned(dtype, taken):
                raise Mismatch(
                    "has fields at places that are no multiples of 4 bytes",
                    "make its dtype with np.dtype([...], align=True), and colours of four bytes",
                )
            binding = value._binding
            self.items.append(lambda: binding)
        else:
            is_usable = _is_aligned(dtype, taken) and not dtype.hasobject
            layout = dtype.newbyteorder("=") if is_usable else _packed(dtype, taken)
            self.items.append(partial(_laid_out, value, layout))
        assert layout.fields is not None
        places = []
        for attribute in taken:
            of, offset, *_ = layout.fields[attribute.name]
            form = attribute.format(of.base, _count(of))
            assert form is not None
            places.append((attribute.index, form, int(offset)))
        self.slots.append(Slot(layout.itemsize, "instance" if what == "instances" else "vertex", tuple(places)))
        if what == "vertices":
            self.counts[what] = int(value.size)
        return {attribute.name for attribute in taken}

    def add(self, attribute: VertexAttribute, value: object, device: Device) -> None:
        """Take an array with an element for each vertex, or one value for all.

        Raises
        ------
        Mismatch
            If it does not fit.
        """
        if value is None:
            raise Mismatch("is needed, got None", attribute._example())
        if isinstance(value, Buffer) and value._device is not device:
            raise Mismatch("is a Buffer of another Device than the function", "make it on the same device")
        item, count, form, stride = attribute.bind(value)
        if count is None:
            size = item.nbytes if isinstance(item, np.ndarray) else value.nbytes if isinstance(value, Buffer) else None
            size = len(item) if size is None else size
            self.slots.append(Slot(-(-size // _STRIDE) * _STRIDE, "constant", ((attribute.index, form, 0),)))
        else:
            if count == 0:
                raise Mismatch("has no elements", attribute._example())
            if stride % _STRIDE:
                raise Mismatch("has rows of no multiple of 4 bytes", "pass an array, which is copied with gaps")
            self.slots.append(Slot(stride, "vertex", ((attribute.index, form, 0),)))
            self.counts[attribute.name] = count
        is_array = not isinstance(value, Buffer) and as_array(value) is not None
        self.items.append((lambda: attribute.bind(value)[0]) if is_array else lambda: item)

    def descriptor(self, places: Sequence[int]) -> mtl.VertexDescriptor | None:
        """Describe it to Metal, each slot at its buffer index; None where there is nothing."""
        if not self.slots:
            return None
        descriptor = mtl.VertexDescriptor()
        for slot, place in zip(self.slots, places, strict=True):
            layout = descriptor.layouts[place]
            layout.stride, layout.step_function = slot.stride, _STEPS[slot.step]
            layout.step_rate = 0 if slot.step == "constant" else 1
            for number, form, offset in slot.attributes:
                attribute = descriptor.attributes[number]
                attribute.format = getattr(mtl.VertexFormat, form.name)
                attribute.buffer_index, attribute.offset = place, offset
        return descriptor


def records(what: str, value: object, device: Device, attributes: Sequence[VertexAttribute]) -> Buffer | Array:
    """Check that a value is an array, or a Buffer, of records.

    Raises
    ------
    Mismatch
        If it is not.
    """
    if isinstance(value, Buffer) and value._device is not device:
        raise Mismatch("is a Buffer of another Device than the function", "make it on the same device")
    if isinstance(value, Buffer) and value._memory is None:
        raise Mismatch("is a Buffer that was released", "make a new one, and release it after the call")
    array = value if isinstance(value, Buffer) else as_array(value)
    if array is None:
        raise Mismatch(f"is {describe(value)}", "pass a number, or an array with a field for each attribute")
    if array.dtype.fields is None:
        raise Mismatch(
            f"is an array of {array.dtype} without fields, which does not say which attribute it is for",
            _where_it_goes(what, attributes),
        )
    if array.ndim != 1 or not array.size:
        raise Mismatch(f"has shape {array.shape}", f"pass a record for each of the {what}: one axis, at least one")
    return array


def _where_it_goes(what: str, attributes: Sequence[VertexAttribute]) -> str:
    if not attributes:
        return f"the function has no attributes: {what} is a number, and the array goes by an argument's name"
    attribute = attributes[0]
    name, first = attribute.name, f"('{attribute.name}', np.{attribute.element.scalar}, {attribute._count})"
    return f"pass it by the attribute's name, {name}=..., or make fields: [{first}, ...]"


def _check_field(what: str, attribute: VertexAttribute, of: np.dtype[Any]) -> None:
    if len(of.shape) <= 1 and attribute.format(of.base.newbyteorder("="), _count(of)) is not None:
        return
    scalar = attribute.element.scalar
    assert scalar is not None
    size = f", {attribute._count}" if attribute._count > 1 else ""
    given = f"{_count(of)} x {of.base.name}" if of.shape else of.base.name
    raise Mismatch(
        f"has a field {attribute.name} of {given}, the function takes {attribute.type_text}",
        f"make the field ('{attribute.name}', np.{scalar.name}{size})",
    )


def _count(of: np.dtype[Any]) -> int:
    return int(np.prod(of.shape, dtype=int))


def _is_aligned(dtype: np.dtype[Any], taken: Sequence[VertexAttribute]) -> bool:
    fields: Mapping[str, Any] = dtype.fields or {}
    return dtype.itemsize % _STRIDE == 0 and all(fields[attribute.name][1] % _STRIDE == 0 for attribute in taken)


def _packed(dtype: np.dtype[Any], taken: Sequence[VertexAttribute]) -> np.dtype[Any]:
    """Lay out the fields that are needed where a Mac takes them."""
    fields: Mapping[str, Any] = dtype.fields or {}
    names, formats, offsets, end = [], [], [], 0
    for attribute in taken:
        of = fields[attribute.name][0].newbyteorder("=")
        names.append(attribute.name)
        formats.append(of)
        offsets.append(end)
        end += -(-of.itemsize // _STRIDE) * _STRIDE
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end})


def _laid_out(records: Array, layout: np.dtype[Any]) -> Any:
    """Give the bytes of records as they are now; fields in any order have no buffer protocol of their own."""
    if records.dtype == layout:
        return bytes_of(np.ascontiguousarray(records))
    copy = np.zeros(records.shape, layout)
    for name in layout.names or ():
        copy[name] = records[name]
    return bytes_of(copy)
