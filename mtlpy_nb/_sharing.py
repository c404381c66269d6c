# SPDX-License-Identifier: MIT
"""Buffers in memory that is there already: other libraries' arrays, as far as Metal takes them, and Buffers' own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native as mtl
from ._arrays import Array, as_array, of_dlpack, storage_problem
from ._exported import exported
from .buffer import Buffer
from .errors import ArgumentError, ValidationError
from .utils import from_dlpack_dtype

if TYPE_CHECKING:
    from .device import Device

__all__ = ["from_dlpack", "shared"]

_CPU, _METAL = 1, 8


def from_dlpack(device: Device, data: object) -> Buffer:
    """Make a Buffer of what has ``__dlpack__``, without a copy; see :meth:`Device.buffer_from_dlpack`."""
    if isinstance(data, Buffer):
        return shared(device, data)
    if not hasattr(data, "__dlpack__") or not hasattr(data, "__dlpack_device__"):
        raise ArgumentError(f"Device.buffer_from_dlpack: expected an object with __dlpack__, got {type(data).__name__}")
    kind = int(data.__dlpack_device__()[0])
    if kind == _METAL:
        native, offset, code, bits, shape = mtl.metal_memory(data)
        if native.device is not device._native:
            raise ValidationError("Device.buffer_from_dlpack: the memory belongs to another device")
        return Buffer(native, from_dlpack_dtype(code, bits), tuple(shape), device, _offset=offset)
    if kind != _CPU:
        raise BufferError(f"Device.buffer_from_dlpack: the memory is of DLPack device type {kind}, not the CPU's (1)")
    return shared(device, of_dlpack(data))


def shared(device: Device, data: object) -> Buffer:
    """Make a Buffer in `data`'s own memory.

    Raises
    ------
    TypeError
        If `data` is no array, or Metal has no such elements.
    ValueError
        If the memory is not such as Metal can use.
    """
    if isinstance(data, Buffer):
        if data._device is not device:
            raise ValidationError("Device.buffer: copy=False, but the Buffer belongs to a different Device")
        return Buffer(data._buf, data.dtype, data.shape, device, _offset=data._offset)
    array = as_array(data)
    if array is None or isinstance(data, np.generic):
        raise ArgumentError(f"Device.buffer: copy=False needs an array, got {type(data).__name__}")
    array = np.atleast_1d(array)
    _check(array)
    address = array.ctypes.data
    own = _own_memory(device, address, array.nbytes)
    if own is None:
        own = _wrapped(device, array, address)
    return Buffer(own, array.dtype, array.shape, device, _offset=address - own.data_ptr)


def _check(array: Array) -> None:
    problem = storage_problem(array.dtype)
    if problem:
        raise ArgumentError(f"Device.buffer: the array's dtype is {array.dtype}: {problem}")
    for is_right, what in (
        (array.dtype.isnative, "its bytes are swapped"),
        (array.flags.c_contiguous, "it is not contiguous"),
        (array.flags.writeable, "it is read-only"),
        (array.size > 0, "it has no elements"),
    ):
        if not is_right:
            raise ValidationError(f"Device.buffer: copy=False can't share this array's memory: {what}")


def _own_memory(device: Device, address: int, length: int) -> mtl.Buffer | None:
    """Find the Buffer that the memory is of."""
    for native in exported():
        start = native.data_ptr
        if start <= address and address + length <= start + native.length and native.device is device._native:
            return native
    return None


def _wrapped(device: Device, array: Array, address: int) -> mtl.Buffer:
    """Have Metal use the memory, or the whole of what it is a part of; that must begin at a page and end at one."""
    for owner, start, length in _owners(array):
        if start % mtl.page_size == 0 and length % mtl.page_size == 0 and start <= address:
            return device._native.new_buffer_no_copy(owner)
    raise ValidationError(
        f"Device.buffer: copy=False needs memory that begins at a page and has whole pages of {mtl.page_size} bytes; "
        f"this array begins {address % mtl.page_size} bytes past a page and has {array.nbytes} bytes. An array over "
        "mmap.mmap(-1, length) has such memory"
    )


def _owners(array: Array) -> Iterator[tuple[Any, int, int]]:
    """Give what the memory belongs to, from the array outwards, with address and length."""
    owner: Any = array
    while owner is not None:
        try:
            view = memoryview(owner)
            part = np.frombuffer(view.cast("B") if view.contiguous else view, np.uint8)
        except (TypeError, ValueError, BufferError):
            return
        if view.readonly:
            return
        yield part, part.ctypes.data, part.nbytes
        owner = owner.obj if isinstance(owner, memoryview) else getattr(owner, "base", None)
