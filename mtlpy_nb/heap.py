# SPDX-License-Identifier: MIT
"""Blocks of memory that Buffers and Textures are made in."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native as mtl
from ._allocation import buffer_of, layout
from ._labels import Labelled
from ._texture_making import texture_descriptor
from .buffer import Buffer
from .errors import ArgumentError, ResourceError, ValidationError
from .texture import Texture
from .utils import StorageMode, storage_mode

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Heap"]

_NO_LIMIT = 2**63 - 1


class Heap(Labelled):
    """A block of memory that Buffers and Textures are made in; made by :meth:`Device.heap`.

    What is made in it takes no memory of its own, and gives its bytes back to the heap when the last reference to it
    goes: Python's, a view's, or that of a command buffer that has not ended. The block lives as long as the Heap or
    anything in it.

    Attributes
    ----------
    storage : StorageMode
        Of everything in it.
    """

    _labelled = "_heap"
    __slots__ = ("__weakref__", "_device_of", "_heap", "storage")

    def __init__(self, _heap: mtl.Heap, storage: StorageMode, device: Device, *, _weak_device: bool = False) -> None:
        self._heap = _heap
        self.storage = StorageMode(storage)
        # The heap that a Device keeps for itself must not keep the Device.
        self._device_of: Callable[[], Device | None] = weakref.ref(device) if _weak_device else lambda: device

    @property
    def _device(self) -> Device:
        device = self._device_of()
        if device is None:
            raise ResourceError("this Heap belonged to a Device that is gone")
        return device

    # ---- what it is ----

    @property
    def device(self) -> Device:
        """The device it belongs to."""
        return self._device

    @property
    def size(self) -> int:
        """Bytes of the block: as many as asked for, or a little more."""
        return int(self._heap.size)

    @property
    def used_size(self) -> int:
        """Bytes that Buffers and Textures have of it at present."""
        return int(self._heap.used_size)

    @property
    def max_available_size(self) -> int:
        """Bytes of the largest Buffer that there is room for now: what is free may be in several pieces."""
        return int(self._heap.max_available_size(0))

    @property
    def mtl_ptr(self) -> int:
        """Address of Metal's own object; valid while this Heap lives."""
        return int(self._heap.mtl_ptr)

    # ---- what is made in it ----

    def buffer(self, data: npt.ArrayLike | int, dtype: npt.DTypeLike | str | None = None) -> Buffer:
        """Make a Buffer in the heap: a copy of an array, or `data` elements of `dtype`.

        Parameters
        ----------
        data : array_like or int
            As in :meth:`Device.buffer`.
        dtype : optional
            Type of the elements when `data` is a number; default float32.

        Raises
        ------
        RuntimeError
            If the heap has no room for it, or it would have no elements.
        TypeError
            If Metal cannot hold such elements.
        """
        return buffer_of(data, dtype, "Heap.buffer", self.empty)

    def empty(self, size: int | Sequence[int], dtype: npt.DTypeLike | str) -> Buffer:
        """Make a Buffer in the heap, whose elements are whatever the bytes held before.

        Parameters
        ----------
        size, dtype
            As in :meth:`Device.empty`.

        Raises
        ------
        RuntimeError
            If the heap has no room for it, or it would have no elements.
        """
        element, shape, length = layout(size, dtype, _NO_LIMIT, "Heap.empty")
        device = self._device
        _ = device._native  # raises in a forked child, which would find no room
        try:
            memory = self._heap.new_buffer(length)
        except ResourceError:
            raise ResourceError(
                f"Heap.buffer()/.empty(): insufficient free space for a {length}-byte buffer (heap size: {self.size}, "
                f"used: {self.used_size}, largest free piece: {self.max_available_size})"
            ) from None
        return Buffer(memory, element, shape, device)

    def empty_texture(
        self,
        shape: Sequence[int],
        pixel_format: str,
        *,
        kind: str | None = None,
        mipmaps: bool | int = False,
        readable: bool = True,
        writable: bool = True,
        format_views: bool = False,
    ) -> Texture:
        """Make a Texture in the heap, whose pixels are whatever the bytes held before.

        Parameters
        ----------
        shape, pixel_format, kind, mipmaps, readable, writable, format_views
            As in :meth:`Device.empty_texture`.

        Raises
        ------
        ValueError
            If the shape, the format or the usage is not allowed.
        RuntimeError
            If the heap has no room for it.
        """
        descriptor = texture_descriptor(
            shape,
            pixel_format,
            kind=kind,
            mipmaps=mipmaps,
            readable=readable,
            writable=writable,
            private=self.storage == StorageMode.PRIVATE,
            format_views=format_views,
        )
        try:
            memory = self._heap.new_texture(descriptor)
        except ValidationError:
            raise
        except ResourceError:
            needed, _ = self._device._native.heap_texture_size_and_align(descriptor)
            raise ResourceError(
                f"Heap.empty_texture(): insufficient free space for a {needed}-byte texture (heap size: {self.size}, "
                f"used: {self.used_size}, largest free piece: {self.max_available_size})"
            ) from None
        return Texture(memory, pixel_format, self._device)

    def __repr__(self) -> str:
        return f"Heap(size={self.size}, used_size={self.used_size}, storage={self.storage.name.lower()})"


def make_heap(device: Device, size_bytes: Any, storage: StorageMode | int, *, weak: bool = False) -> Heap:
    """Make a Heap of a device; see :meth:`Device.heap`."""
    if isinstance(size_bytes, bool) or not isinstance(size_bytes, (int, np.integer)):
        raise ArgumentError(f"Device.heap: size_bytes must be an int, got {type(size_bytes).__name__}")
    mode = storage_mode(storage, "Device.heap")
    if mode == StorageMode.MANAGED:
        raise ResourceError(
            "Device.heap(storage=StorageMode.MANAGED) is not supported on this GPU: a heap is shared or private"
        )
    if not 1 <= size_bytes <= device.max_buffer_length:
        raise ValidationError(
            f"Failed to allocate Metal heap: size_bytes is {size_bytes}, must be 1 to {device.max_buffer_length}"
        )
    descriptor = mtl.HeapDescriptor()
    descriptor.size = int(size_bytes)
    descriptor.storage_mode = mtl.StorageMode(int(mode))
    return Heap(device._native.new_heap(descriptor), mode, device, _weak_device=weak)
