# SPDX-License-Identifier: MIT
"""The attributes of a kernel's ``[[stage_in]]`` as arguments of a call: an array for each, by the member's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np

from . import _native as mtl
from ._advice import KERNEL
from ._arrays import Array, as_array, native_contiguous
from ._types import ElementType, value_type
from ._values import Mismatch, describe, value_bytes
from .arguments import Argument
from .buffer import Buffer
from .device import Device
from .errors import ValidationError
from .stage_input import MOST_BUFFERS, attribute_format

__all__ = ["StageAttribute", "StageCall", "attributes_of"]

_STRIDE = 4  # a Mac wants strides that are multiples of it

Layout = tuple[int, int, mtl.AttributeFormat, int]  # attribute, buffer, format, stride: 0 for one element for all


@dataclass(frozen=True)
class StageAttribute(Argument):
    """A member of ``[[stage_in]]``: each thread gets its own element."""

    _owner: ClassVar[str] = "thread"
    _owners: ClassVar[str] = "threads"

    @classmethod
    def from_attribute(cls, native: mtl.Attribute) -> StageAttribute:
        """Read one entry of the function's attributes."""
        return cls(cast("Any", native), native.name, "attribute", int(native.index), "read")

    @property
    def is_optional(self) -> bool:
        """A call gives all attributes."""
        return False

    @cached_property
    def element(self) -> ElementType:
        """What one thread gets."""
        name = mtl.data_type_name(cast("Any", self.native).type)
        found = value_type("float" + name.removeprefix("bfloat") if name.startswith("bfloat") else name)
        assert found is not None  # the compiler lets no other type pass
        return found

    @property
    def dtype(self) -> np.dtype[Any] | None:
        """NumPy type of one element; a ``bfloat`` is given as float32."""
        return self.element.dtype

    @property
    def type_text(self) -> str:
        """The type as Metal writes it, such as ``float3``."""
        return str(mtl.data_type_name(cast("Any", self.native).type))

    def bind(self, value: object) -> tuple[Any, int | None, mtl.AttributeFormat, int]:
        """Give what to bind, for how many threads it is (None: for all), its format and stride.

        Raises
        ------
        Mismatch
            If it does not fit.
        """
        if isinstance(value, Buffer):
            if value._memory is None:
                raise Mismatch("is a Buffer that was released", "make a new one, and release it after the call")
            count, form, row = self._checked(value.dtype, value.shape)
            return value._binding, count, form, 0 if count is None else row
        array = as_array(value)
        if array is None:
            return self._bind_value(value)
        count, form, row = self._checked(array.dtype.newbyteorder("="), array.shape)
        if count is None:
            return native_contiguous(array).tobytes(), None, form, 0
        return _rows(array, count, row), count, form, -(-row // _STRIDE) * _STRIDE

    def _bind_value(self, value: object) -> tuple[Any, int | None, mtl.AttributeFormat, int]:
        scalar = self.element.scalar
        assert scalar is not None
        if isinstance(value, list) and value and isinstance(value[0], (list, tuple)):
            raise Mismatch(
                f"is {self.type_text} of each {self._owner}, got a list", f"pass np.array({self.name}, np.{scalar})"
            )
        if not isinstance(value, (bool, int, float, tuple, list)):
            raise Mismatch(f"is {self.type_text} of each {self._owner}, got {describe(value)}", self._example())
        return value_bytes(value, self.element), None, attribute_format(self.name, scalar, self._count), 0

    @property
    def _count(self) -> int:
        return self.element.components[0] if self.element.components else 1

    def _checked(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[int | None, mtl.AttributeFormat, int]:
        """Threads that an array is for, its format, and the bytes of an element."""
        scalar, components = self.element.scalar, self.element.components
        assert scalar is not None
        kinds, sizes = ("f", (2, 4)) if scalar.kind == "f" else (scalar.kind, (1, 2, 4))
        if dtype.kind != kinds or dtype.itemsize not in sizes:
            raise Mismatch(
                f"is {self.type_text} of each {self._owner}, got an array of dtype {dtype}",
                f"convert it, {self.name}.astype(np.{scalar.name})",
            )
        fits = shape == components or (len(shape) == len(components) + 1 and shape[1:] == components)
        if not fits:
            wanted = ", ".join([self._owners, *map(str, components)])
            raise Mismatch(
                f"is {self.type_text} of each {self._owner}, so the array's shape is "
                f"({wanted}{',' * (not components)}); got {shape}",
                self._one_each(),
            )
        form = attribute_format(self.name, dtype, self._count)
        return None if shape == components else shape[0], form, dtype.itemsize * self._count

    def _one_each(self) -> str:
        return f"give it one element of {self.type_text} for each thread of the grid's x"

    def _example(self) -> str:
        return f"pass an array with {self.type_text} for each {self._owner}, or one value for all"


class StageCall:
    """The attributes of one call: what is bound where, and how it lies."""

    def __init__(self) -> None:
        self.layouts: list[Layout] = []
        self.items: dict[int, Any] = {}
        self.counts: dict[str, int] = {}

    @property
    def threads(self) -> int | None:
        """Of the first array: what the grid is where nothing that is written tells."""
        return next(iter(self.counts.values()), None)

    def bind(self, attribute: StageAttribute, value: object, index: int, device: Device) -> None:
        """Take one attribute, to be bound at `index`."""
        if value is None:
            raise Mismatch("is needed, got None", attribute._example())
        if isinstance(value, Buffer) and value._device is not device:
            raise Mismatch("is a Buffer of another Device than the kernel", f"make it with {KERNEL}.device.buffer(...)")
        item, count, form, stride = attribute.bind(value)
        if count == 0:
            item = bytes(16)  # an array without elements, which Metal has no buffer for
        if count is not None:
            self.counts[attribute.name] = count
        self.layouts.append((attribute.index, index, form, stride))
        self.items[index] = item

    def check_grid(self, width: int, kernel: str) -> None:
        """Refuse a grid that is wider than an array has elements."""
        for name, count in self.counts.items():
            if count < width:
                raise ValidationError(
                    f"{kernel}: the grid is {width} threads wide, but {name} has elements for {count}; "
                    f"each thread gets the element at its x"
                )


def attributes_of(function: mtl.Function, arguments: Sequence[Argument]) -> tuple[StageAttribute, ...]:
    """List the attributes of a kernel, which must have names that its arguments do not have."""
    attributes = tuple(StageAttribute.from_attribute(native) for native in function.stage_input_attributes)
    taken = {argument.name for argument in arguments}
    for attribute in attributes:
        if attribute.name in ("grid", "threadgroup", "wait"):
            raise ValidationError(
                f"{function.name}: an attribute of its [[stage_in]] is called {attribute.name}, as an option of the "
                f"call is; give it another name"
            )
        if attribute.name in taken:
            raise ValidationError(
                f"{function.name}: both an argument and an attribute of its [[stage_in]] are called "
                f"{attribute.name}, so a call cannot tell them apart; give one another name"
            )
    return attributes


def places_of(attributes: Sequence[StageAttribute], arguments: Sequence[Argument], kernel: str) -> tuple[int, ...]:
    """Choose buffer indices that the kernel does not use itself."""
    used = {
        argument.index + i
        for argument in arguments
        if argument.kind == "buffer"
        for i in range(max(1, int(argument.native.array_length)))
    }
    free = [index for index in range(MOST_BUFFERS) if index not in used]
    if len(free) < len(attributes):
        raise ValidationError(
            f"{kernel} has {len(attributes)} attributes, for which a call needs as many buffers: only {len(free)} of "
            f"{MOST_BUFFERS} are left; use device.compile(..., stage_input=...), where attributes share buffers"
        )
    return tuple(free[: len(attributes)])


def last_places(attributes: Sequence[StageAttribute]) -> tuple[int, ...]:
    """Choose indices where a kernel's own buffers are not known yet."""
    return tuple(range(MOST_BUFFERS - len(attributes), MOST_BUFFERS))


def natural_layouts(attributes: Sequence[StageAttribute], places: Sequence[int]) -> list[Layout]:
    """How arrays of the attributes' own types lie."""
    layouts = []
    for attribute, place in zip(attributes, places, strict=True):
        scalar = attribute.element.scalar
        assert scalar is not None
        row = scalar.itemsize * attribute._count
        form = attribute_format(attribute.name, scalar, attribute._count)
        layouts.append((attribute.index, place, form, -(-row // _STRIDE) * _STRIDE))
    return layouts


def described(layouts: Sequence[Layout]) -> mtl.StageInputOutputDescriptor:
    """Make the descriptor of a call's attributes."""
    descriptor = mtl.StageInputOutputDescriptor()
    for number, buffer, form, stride in layouts:
        attribute, layout = descriptor.attributes[number], descriptor.layouts[buffer]
        attribute.buffer_index, attribute.offset, attribute.format = buffer, 0, form
        layout.stride = stride
        layout.step_function = mtl.StepFunction.ThreadPositionInGridX if stride else mtl.StepFunction.Constant
        layout.step_rate = 1 if stride else 0
    return descriptor


def split(named: dict[str, Any], attributes: Sequence[StageAttribute]) -> Mapping[str, Any]:
    """Take the attributes' values out of a call's named arguments."""
    return {attribute.name: named.pop(attribute.name) for attribute in attributes if attribute.name in named}


def _rows(array: Array, count: int, row: int) -> Any:
    """One element after the other, each at a multiple of four bytes."""
    array = native_contiguous(array)
    if row % _STRIDE == 0 or count == 0:
        return array
    padded = np.zeros((count, -(-row // _STRIDE) * _STRIDE), np.uint8)
    padded[:, :row] = array.reshape(count, -1).view(np.uint8)
    return padded
