# SPDX-License-Identifier: MIT
"""Arrays in memory that kernels can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native as mtl
from ._arrays import Array, as_array, bytes_of, native_contiguous
from ._texture_kinds import kind_named
from .errors import ArgumentError, ResourceError, ValidationError
from .utils import (
    TEXTURE_USAGE_SHADER_READ,
    TEXTURE_USAGE_SHADER_WRITE,
    StorageMode,
    pixel_format_info,
    shape_size,
    to_dlpack_dtype,
)

if TYPE_CHECKING:
    from .device import Device
    from .texture import Texture

__all__ = ["Buffer"]

_DLPACK_METAL = 8
_DLPACK_CPU = 1


class Buffer:
    """An array in memory that kernels can reach; made by :meth:`Device.buffer` and :meth:`Device.empty`.

    Attributes
    ----------
    dtype : numpy.dtype
    shape : tuple of int
        Kept on the Python side; Metal itself sees bytes.
    size : int
        Number of elements.
    storage : StorageMode
    """

    __slots__ = ("__weakref__", "_device", "_memory", "dtype", "shape", "size", "storage")

    # Buffers compare element by element, as NumPy's arrays do.
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, _buf: mtl.Buffer, dtype: np.dtype[Any], shape: tuple[int, ...], device: Device) -> None:
        self._memory: mtl.Buffer | None = _buf
        self._device = device
        self.dtype = np.dtype(dtype)
        self.shape = tuple(shape)
        self.size = shape_size(self.shape)
        self.storage = StorageMode(int(_buf.storage_mode))

    @property
    def _buf(self) -> mtl.Buffer:
        if self._memory is None:
            raise ResourceError("this Buffer was released; make a new one")
        return self._memory

    # ---- what it is ----

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return self.size * self.dtype.itemsize

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def device(self) -> Device:
        """The device it belongs to."""
        return self._device

    @property
    def mtl_ptr(self) -> int:
        """Address of Metal's own object; valid while this Buffer lives."""
        return self._buf.mtl_ptr

    # ---- reading and writing ----

    @property
    def contents(self) -> Array:
        """The elements as a flat array.

        Shared storage: a live view that can be written; what is written there, kernels see, and the other way
        round. Private or managed storage: a copy that is read-only.
        """
        if self.storage == StorageMode.SHARED:
            return self._view()
        copy = self.to_storage(StorageMode.SHARED)._view()
        copy.flags.writeable = False
        return copy

    def _view(self) -> Array:
        # Metal's own object is in .base and keeps the memory alive as long as the array.
        view: Array = self._buf.contents()[: self.nbytes].view(self.dtype)
        return view

    def numpy(self) -> Array:
        """Give the elements in their shape; see :attr:`contents` for what is shared."""
        return self.contents.reshape(self.shape)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValidationError(
                    f"Cannot convert Buffer's dtype ({array.dtype}) to {np.dtype(dtype)} without copying, "
                    "but copy=False was requested"
                )
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_DLPACK_CPU, 0) if self._device.is_software else (_DLPACK_METAL, 0)

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if self.storage != StorageMode.SHARED:
            raise BufferError(
                f"Buffer.__dlpack__ requires Shared storage for zero-copy export (this Buffer is {self.storage.name}) "
                "-- call .to_storage(StorageMode.SHARED) first to get an exportable copy."
            )
        if copy:
            raise BufferError("Buffer.__dlpack__ does not support copy=True (already zero-copy)")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"Cannot export Buffer to DLPack device {dl_device}")
        to_dlpack_dtype(self.dtype)
        if not self._device.is_software:
            raise BufferError(
                "exporting a Buffer as Metal memory isn't available yet; use .numpy(), which shares memory"
            )
        return self.numpy().__dlpack__(max_version=max_version) if max_version else self.numpy().__dlpack__()

    # ---- other views of the same memory, and copies ----

    def reshape(self, *shape: int | tuple[int, ...]) -> Buffer:
        """Give the same memory another shape; one dimension may be -1.

        Raises
        ------
        ValueError
            If the sizes differ.
        """
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        resolved = _resolve_shape(self.size, tuple(int(n) for n in wanted))  # type: ignore[arg-type]
        return Buffer(self._buf, self.dtype, resolved, self._device)

    def texture(self, pixel_format: str | None = None, *, kind: str = "2d") -> Texture:
        """Give a Texture whose pixels are this buffer's elements: what is written to one is in the other.

        Parameters
        ----------
        pixel_format : str, optional
            Default: the format that holds the elements unchanged.
        kind : str
            ``"2d"``, rows of which must be a multiple of 16 bytes, or ``"buffer"``: one long row.

        Raises
        ------
        ValueError
            If Metal has no such texture of these elements.
        """
        from .texture import Texture, format_for, spatial_shape

        if kind not in ("2d", "buffer"):
            raise ValidationError(f"Buffer.texture: kind is {kind!r}, must be '2d' or 'buffer'")
        named = kind_named(kind)
        name = pixel_format or format_for(self.shape, self.dtype, axes=named.axes)
        if name is None:
            raise ValidationError(f"Buffer.texture: no pixel format holds {self.dtype} elements of shape {self.shape}")
        info = pixel_format_info(name)
        if info.dtype != self.dtype:
            raise ValidationError(f"Buffer.texture: {name} holds {info.dtype}, this Buffer {self.dtype}")
        spatial = spatial_shape(self.shape, info, named.axes)
        descriptor = mtl.TextureDescriptor()
        descriptor.texture_type = named.value
        descriptor.pixel_format = mtl.PixelFormat(info.mtl_value)
        descriptor.width, descriptor.height, descriptor.depth, _ = named.sizes(spatial)
        descriptor.usage = TEXTURE_USAGE_SHADER_READ | TEXTURE_USAGE_SHADER_WRITE
        descriptor.storage_mode = mtl.StorageMode(int(self.storage))
        row = descriptor.width * info.channels * info.dtype.itemsize
        return Texture(self._buf.new_texture(descriptor, 0, row), name, self._device)

    def to_storage(self, storage: StorageMode | int) -> Buffer:
        """Copy into memory of another kind; gives itself if it is of that kind already."""
        storage = StorageMode(storage)
        if storage == self.storage:
            return self
        copy = self._device.empty(self.shape, self.dtype, storage)
        mtl.copy(self._device._queue, self._buf, 0, copy._buf, 0, self.nbytes, wait=True)
        return copy

    def copy_from(self, data: object) -> None:
        """Overwrite the elements with those of an array or another Buffer of the same size and type.

        Raises
        ------
        ValueError
            If the sizes differ.
        TypeError
            If the types differ.
        """
        array = as_array(data)
        if array is None:
            raise ArgumentError(f"copy_from: expected an array, got {type(data).__name__}")
        if array.dtype.newbyteorder("=") != self.dtype:
            raise ArgumentError(f"Buffer dtype mismatch: {self.dtype} != {array.dtype}")
        if array.size != self.size:
            raise ValidationError(f"Buffer size mismatch: {self.size} != {array.size}")
        self._write(native_contiguous(array))

    def fill(self, value: object) -> None:
        """Set every element to `value`."""
        self._write(np.full(self.size, value, self.dtype))

    def _write(self, array: Array) -> None:
        """Store a contiguous array of this Buffer's size, whatever the storage."""
        if self.storage == StorageMode.SHARED:
            self._buf.copy_from(bytes_of(array))
            return
        staging = self._device._native.new_buffer_with_data(bytes_of(array))
        mtl.copy(self._device._queue, staging, 0, self._buf, 0, self.nbytes, wait=True)

    def release(self) -> None:
        """Let go of the memory now rather than with the last reference.

        Arrays made by :attr:`contents` and work under way keep it alive; any other use of this Buffer raises.
        """
        self._memory = None

    # ---- display ----

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        storage = "" if self.storage == StorageMode.SHARED else f", storage={self.storage.name.lower()}"
        return f"Buffer(shape={self.shape}, dtype={self.dtype}{storage})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        from .notebook.preview import buffer_bundle

        return buffer_bundle(self)


def _resolve_shape(size: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Fill in the one -1 that `shape` may have."""
    known = shape_size([n for n in shape if n != -1])
    if shape.count(-1) == 1 and known > 0 and size % known == 0:
        shape = tuple(size // known if n == -1 else n for n in shape)
    if any(n < 0 for n in shape) or shape_size(shape) != size:
        raise ValidationError(f"cannot reshape Buffer of size {size} into shape {shape}")
    return shape
