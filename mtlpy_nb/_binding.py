# SPDX-License-Identifier: MIT
"""From the arguments of a kernel call to what the native dispatch takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _native as mtl
from . import _recording
from ._advice import KERNEL, how_to_give, read_the_file
from ._arrays import (
    Array,
    as_array,
    bytes_of,
    is_bfloat16,
    native_contiguous,
    native_dtype,
    storage_problem,
    with_alpha,
)
from ._elements import check_elements, default_output
from ._texture_arguments import WHOLE_TYPES, check_axes, check_texture, texture_kind, texture_like, texture_scalar
from ._texture_making import spatial_shape
from ._values import Mismatch, describe, value_bytes
from .arguments import Argument
from .buffer import Buffer
from .device import Device
from .output import output
from .sampler import Sampler
from .texture import Texture
from .utils import pixel_format_info

_EMPTY = bytes(16)  # bound for an array without elements, which Metal has no buffer for
_NUMBERS = (int, float)

# The arrays that are written, by where they lie, each with the one buffer that all arguments share.
Written = dict[tuple[Any, ...], tuple[mtl.Buffer, Array]]


class Call:
    """One call of a kernel under way: what is bound so far, and what to do when it is done.

    Calls that run together may be given the same `shared`: an array that several of them write is then one.

    Attributes
    ----------
    buffers, textures, samplers, lengths : list
        By Metal's index, as the native dispatch takes them.
    sizes : dict of int to int
        Bytes of the Buffers given, by index, while somebody looks.
    outputs : list of (Argument, object)
        What the call made, to be returned.
    written : list of (Argument, object)
        What the call was given to write to.
    shape : tuple of int or None
        Of the elements of the first output, else of the first written argument: the default grid.
    """

    __slots__ = (
        "_finish",
        "_shared",
        "buffers",
        "device",
        "lengths",
        "output_shape",
        "outputs",
        "samplers",
        "sizes",
        "textures",
        "written",
        "written_shape",
    )

    def __init__(self, device: Device, shared: Written | None = None) -> None:
        self.device = device
        self.buffers: list[Any] = []
        self.textures: list[Any] = []
        self.samplers: list[Any] = []
        self.lengths: list[int] = []
        self.sizes: dict[int, int] = {}
        self.outputs: list[tuple[Argument, Any]] = []
        self.written: list[tuple[Argument, Any]] = []
        self.output_shape: tuple[int, ...] | None = None
        self.written_shape: tuple[int, ...] | None = None
        self._finish: list[Callable[[], None]] = []
        self._shared: Written = {} if shared is None else shared

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Of the elements of the first output, else of the first written argument."""
        return self.written_shape if self.output_shape is None else self.output_shape

    @property
    def tells_no_grid(self) -> bool:
        """Whether the kernel writes nothing, or one element that many threads may share."""
        return self.output_shape is None and (self.written_shape is None or math.prod(self.written_shape) == 1)

    def finish(self) -> None:
        """Bring what was written back into the arrays given; after the device is done."""
        for step in self._finish:
            step()
        self._finish.clear()

    def traffic(self, arguments: Sequence[Argument]) -> tuple[_recording.Traffic, ...]:
        """List the arrays and textures that the kernel works on."""
        made = [argument.name for argument, _ in self.outputs]
        return _recording.traffic(arguments, self.buffers, self.textures, self.sizes, made)

    def put_buffers(self, items: Mapping[int, object]) -> None:
        """Take what is no argument of the kernel, by Metal's index."""
        for index, item in items.items():
            _put(self.buffers, index, item)

    def bind(self, argument: Argument, value: object) -> None:
        """Take one argument.

        Raises
        ------
        Mismatch
            If it does not fit.
        """
        if value is None:
            if argument.is_optional or not argument.native.is_used:
                return
            raise Mismatch("is needed, got None", how_to_give(argument))
        _BINDERS[argument.kind](self, argument, value)

    def _bind_function_table(self, argument: Argument, value: object) -> None:
        raise Mismatch(
            "is a table of visible functions, which a call has no place for",
            "dispatch it with mtlpy_nb.metal: set_visible_function_table(table, index)",
        )

    # ---- buffers ----

    def _bind_buffer(self, argument: Argument, value: object) -> None:
        # Buffers and plain numbers are what calls that must be quick are given.
        if isinstance(value, Buffer):
            if value._device is not self.device:
                self._check_device(value)
            memory = value._memory
            if memory is None:
                raise Mismatch("is a Buffer that was released", "make a new one, and release it after the call")
            shape = check_elements(argument.element, value.dtype, value.shape, argument.name)
            if not value.size:
                _put(self.buffers, argument.index, _EMPTY)
            else:
                whole = memory if not value._offset else value._binding_aligned(argument.alignment)
                _put(self.buffers, argument.index, whole)
            if _recording.recorders:
                self.sizes[argument.index] = value.nbytes
            if argument.is_writable:
                self._note_written(argument, value, shape)
            return
        if type(value) in _NUMBERS and argument.takes_value:
            _put(self.buffers, argument.index, value_bytes(value, argument.element))
            return
        if isinstance(value, output):
            self._bind_output_buffer(argument, value)
            return
        if isinstance(value, Texture):
            raise Mismatch(f"is {argument.type_text}, got a Texture", f"pass {argument.name}.to_buffer(), or an array")
        if argument.takes_value and _is_value(value, argument):
            _put(self.buffers, argument.index, value_bytes(value, argument.element))
            return
        array = as_array(value)
        if array is None:
            raise _not_an_array(argument, value)
        self._bind_array(argument, array)

    def _bind_array(self, argument: Argument, array: Array) -> None:
        problem = storage_problem(array.dtype)
        if problem and not argument.element.is_struct and array.dtype.kind != "f":
            raise Mismatch(f"got an array of dtype {array.dtype}: {problem}")
        shape = check_elements(argument.element, native_dtype(array), array.shape, argument.name)
        if not argument.is_writable:
            _put(self.buffers, argument.index, _readable(native_contiguous(array)) if array.size else _EMPTY)
            return
        if not array.flags.writeable:
            raise Mismatch(
                "is written by the kernel, but the array is read-only",
                f"pass a copy, {argument.name}.copy(), or output.like({argument.name})",
            )
        _put(self.buffers, argument.index, self._writable(array) if array.size else _EMPTY)
        self._note_written(argument, array, shape)

    def _writable(self, array: Array) -> mtl.Buffer:
        """Make a buffer with the array's elements, and see to it that they come back."""
        place = _place(array)
        known = self._shared.get(place)
        if known is not None:
            return known[0]
        if any(_overlap(array, other) for _, other in self._shared.values()):
            raise Mismatch(
                "overlaps another array that the kernel writes, so one would undo what was written to the other",
                "pass the same array twice, views that do not overlap, or copies",
            )
        memory = self.device._native.new_buffer_with_data(_readable(native_contiguous(array)))
        self._shared[place] = memory, array

        def bring_back() -> None:
            if array.flags.c_contiguous and array.dtype.isnative:
                memory.copy_to(bytes_of(array))
                return
            dtype = native_dtype(array)
            np.copyto(array, memory.contents()[: array.nbytes].view(dtype).reshape(array.shape))

        self._finish.append(bring_back)
        return memory

    def _bind_output_buffer(self, argument: Argument, wanted: output) -> None:
        if not argument.is_writable:
            raise Mismatch(
                "is only read by the kernel, so it can't be an output",
                "pass an array with values; if the kernel shall write to it, declare it without const",
            )
        element = argument.element
        shape, dtype = wanted.shape, wanted.dtype
        if wanted.pixel_format is not None:
            dtype = pixel_format_info(wanted.pixel_format).dtype
        if dtype is None:
            dtype, shape = default_output(element, shape)
        if element.scalar is not None and dtype != element.scalar and not is_bfloat16(dtype):
            raise Mismatch(
                f"holds {element.name} ({element.scalar.name}), got an output of dtype {dtype}",
                f"leave the dtype out, output({wanted.shape}), or name this one, "
                f"output({wanted.shape}, {element.scalar.name!r})",
            )
        elements = check_elements(element, dtype, shape, argument.name)
        length = math.prod(shape) * dtype.itemsize
        buffer = (
            self.device.empty(shape, dtype)
            if length
            else Buffer(self.device._native.new_buffer(16), dtype, shape, self.device)
        )
        _put(self.buffers, argument.index, buffer._buf)
        self._note_output(argument, buffer, elements)

    # ---- textures, samplers, threadgroup memory ----

    def _bind_texture(self, argument: Argument, value: object) -> None:
        count = int(argument.native.array_length)
        if count == 1:
            self._bind_one_texture(argument, value, argument.index)
            return
        if not isinstance(value, (list, tuple)) or len(value) > count:
            raise Mismatch(f"is an array of {count} textures, got {describe(value)}", f"pass a list of up to {count}")
        for i, item in enumerate(value):
            self._bind_one_texture(argument, item, argument.index + i)

    def _bind_one_texture(self, argument: Argument, value: object, index: int) -> None:
        if isinstance(value, Texture):
            self._check_device(value)
            check_texture(argument, value)
            _put(self.textures, index, value._tex)
            self._note_written(argument, value, value.spatial_shape)
            return
        if isinstance(value, output):
            texture = self._output_texture(argument, value)
            _put(self.textures, index, texture._tex)
            self._note_output(argument, texture, texture.spatial_shape)
            return
        array = as_array(value)
        if isinstance(value, Buffer):
            raise Mismatch(
                f"is {argument.type_text}, got a Buffer", f"pass an array, {argument.name}.numpy(), or a Texture"
            )
        if array is None:
            raise Mismatch(
                f"is {argument.type_text}, got {describe(value)}",
                read_the_file(value, is_picture=True) or _no_array(argument, value, "a Texture or an array"),
            )
        self._bind_picture(argument, array, index)

    def _bind_picture(self, argument: Argument, array: Array, index: int) -> None:
        texture = texture_like(self.device, argument, array.shape, native_dtype(array))
        texture._fill(with_alpha(array, texture_kind(argument).axes))
        _put(self.textures, index, texture._tex)
        if not argument.is_writable:
            return
        if not array.flags.writeable:
            raise Mismatch(
                "is written by the kernel, but the array is read-only",
                f"pass a copy, {argument.name}.copy(), or output.like({argument.name})",
            )
        self._note_written(argument, array, texture.spatial_shape)

        def bring_back() -> None:
            pixels = texture._fetch()
            np.copyto(
                array,
                pixels[..., :3]
                if pixels.shape != array.shape and array.shape[-1] == 3
                else pixels.reshape(array.shape),
            )

        self._finish.append(bring_back)

    def _output_texture(self, argument: Argument, wanted: output) -> Texture:
        if not argument.is_writable:
            raise Mismatch(
                "is only read by the kernel, so it can't be an output", "pass a Texture or an array with values"
            )
        if wanted.pixel_format is not None:
            info, kind = pixel_format_info(wanted.pixel_format), texture_kind(argument)
            fits = info.channels == 1 or (len(wanted.shape) > kind.axes and wanted.shape[-1] == info.channels)
            spatial = spatial_shape(wanted.shape, info, kind.axes) if fits else wanted.shape
            check_axes(argument, kind, spatial)
            texture = self.device.empty_texture(spatial, wanted.pixel_format, kind=kind.name)
            check_texture(argument, texture)
            return texture
        dtype = wanted.dtype
        if dtype is None:
            dtype = WHOLE_TYPES[texture_scalar(argument)]
        return texture_like(self.device, argument, wanted.shape, dtype)

    def _bind_sampler(self, argument: Argument, value: object) -> None:
        count = int(argument.native.array_length)
        items = [value] if count == 1 else value
        if not isinstance(items, (list, tuple)) or len(items) > count:
            raise Mismatch(f"is an array of {count} samplers, got {describe(value)}", f"pass a list of up to {count}")
        for i, item in enumerate(items):
            if not isinstance(item, Sampler):
                raise Mismatch(f"is a sampler, got {describe(item)}", f"pass {KERNEL}.device.sampler()")
            self._check_device(item)
            _put(self.samplers, argument.index + i, item._sampler)

    def _bind_threadgroup(self, argument: Argument, value: object) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            array = as_array(value)
            size = "" if array is None else f", {array.nbytes} for such an array"
            raise Mismatch(f"is threadgroup memory, got {describe(value)}", f"pass its size in bytes{size}")
        limit = int(self.device._native.max_threadgroup_memory_length)
        if value > limit:
            raise Mismatch(
                f"is threadgroup memory, got a size of {value} bytes; a threadgroup has at most {limit}",
                "let a threadgroup work on a smaller part at a time",
            )
        if value <= 0:
            raise Mismatch(f"is threadgroup memory, got a size of {value} bytes", "pass a size of at least 1 byte")
        while len(self.lengths) <= argument.index:
            self.lengths.append(0)
        self.lengths[argument.index] = -(-int(value) // 16) * 16  # Metal counts it in steps of 16 bytes

    # ---- helpers ----

    def _check_device(self, resource: Buffer | Texture | Sampler) -> None:
        if resource._device is not self.device:
            kind = type(resource).__name__
            raise Mismatch(
                f"is a {kind} of another Device than the kernel",
                f"make it with {KERNEL}.device.{kind.lower()}(...)",
            )

    def _note_written(self, argument: Argument, value: object, shape: tuple[int, ...]) -> None:
        if argument.is_writable:
            self.written.append((argument, value))
            if self.written_shape is None:
                self.written_shape = shape

    def _note_output(self, argument: Argument, value: object, shape: tuple[int, ...]) -> None:
        self.outputs.append((argument, value))
        if self.output_shape is None:
            self.output_shape = shape


_BINDERS: dict[str, Callable[[Call, Argument, object], None]] = {
    "buffer": Call._bind_buffer,
    "texture": Call._bind_texture,
    "sampler": Call._bind_sampler,
    "threadgroup": Call._bind_threadgroup,
    "function_table": Call._bind_function_table,
}


def _is_value(value: object, argument: Argument) -> bool:
    """Whether a ``constant T&`` shall be made of this value; arrays of a pointer on a Mac are no value."""
    if argument.native.is_reference:
        return True
    array = as_array(value)
    return isinstance(value, (bool, int, float, Mapping, np.generic, tuple, list)) or (
        array is not None and array.ndim == 0
    )


def _not_an_array(argument: Argument, value: object) -> Mismatch:
    example = f"np.zeros(1, np.{argument.element.scalar.name})" if argument.element.scalar is not None else "an array"
    if isinstance(value, (list, tuple)):
        scalar = argument.element.scalar
        return Mismatch(
            f"is {argument.type_text}, got a {type(value).__name__}",
            f"pass np.array({argument.name}, np.{scalar.name if scalar else 'float32'})",
        )
    if isinstance(value, (bool, int, float)) and argument.is_writable:
        return Mismatch(
            f"is {argument.type_text}, which the kernel writes to, got {describe(value)}", f"pass an array: {example}"
        )
    if isinstance(value, (bool, int, float)):
        return Mismatch(
            f"is {argument.type_text}, got {describe(value)}",
            f"pass an array, or declare it for one value: constant {argument.element.name}& {argument.name}",
        )
    return Mismatch(
        f"is {argument.type_text}, got {describe(value)}",
        read_the_file(value, is_picture=False) or _no_array(argument, value, "an array or a Buffer"),
    )


def _no_array(argument: Argument, value: object, wanted: str) -> str:
    if value is output:
        return "pass output.like(x), which has the shape of x, or output(shape)"
    return f"pass {wanted}{', or output.like(...)' if argument.is_writable else ''}"


def _readable(array: Array) -> Any:
    """Give an array in a form whose memory others can read: bfloat16 has no buffer protocol."""
    return bytes_of(array) if is_bfloat16(array.dtype) else array


def _place(array: Array) -> tuple[Any, ...]:
    """Tell apart arrays that need buffers of their own: views of all of the same memory share one."""
    address = array.__array_interface__["data"][0]
    if array.flags.c_contiguous and array.dtype.isnative:
        return address, array.nbytes
    return address, array.shape, array.strides, array.dtype.str


def _overlap(one: Array, other: Array) -> bool:
    if not np.may_share_memory(one, other):
        return False
    try:
        return bool(np.shares_memory(one, other, max_work=10_000))  # type: ignore[arg-type]  # NumPy takes any
    except RuntimeError:  # NumPy's TooHardError: strides too intricate to tell
        return False


def _put(items: list[Any], index: int, item: object) -> None:
    if len(items) == index:
        items.append(item)
        return
    while len(items) <= index:
        items.append(None)
    items[index] = item
