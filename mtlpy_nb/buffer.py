# SPDX-License-Identifier: MIT
"""Arrays in memory that kernels can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _elementwise
from . import _native as mtl
from ._allocation import element_of, shape_of
from ._arrays import Array, as_array, bytes_of, native_contiguous
from ._checks import sizes
from ._exported import remember
from ._from_metal import checked_device
from ._labels import Labelled
from ._pixel_formats import can_be_written
from ._recording import copied
from ._texture_kinds import kind_named
from .errors import ArgumentError, ResourceError, ValidationError, outside
from .utils import (
    StorageMode,
    pixel_format_info,
    resolve_dtype,
    shape_size,
    storage_mode,
    to_dlpack_dtype,
)

if TYPE_CHECKING:
    from .device import Device
    from .texture import Texture

__all__ = ["Buffer"]

_DLPACK_DEVICE = (8, 0)  # kDLMetal: on a Mac
_DLPACK_HOST = (1, 0)


class _BackedArray(np.ndarray[Any, np.dtype[Any]]):
    """A view of a Buffer's memory, which it keeps alive; what is computed of it are ordinary arrays."""

    _mtlpy_buf: mtl.Buffer | None = None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array is self:
            return self
        # NumPy before 2 does not say that it wants a number.
        return array[()] if return_scalar or array.ndim == 0 else np.asarray(array)

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))


class Buffer(mtl.Exporter, Labelled):
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

    _labelled = "_buf"
    __slots__ = ("__weakref__", "_device", "_memory", "_offset", "dtype", "shape", "size", "storage")

    # Buffers compare element by element, as NumPy's arrays do.
    __hash__ = None  # type: ignore[assignment]
    # With an array or a NumPy number on the left it is the Buffer's operator that counts.
    __array_priority__ = 1000

    def __init__(
        self, _buf: mtl.Buffer, dtype: np.dtype[Any], shape: tuple[int, ...], device: Device, *, _offset: int = 0
    ) -> None:
        self._memory: mtl.Buffer | None = _buf
        self._offset = _offset  # in bytes: of a view into another Buffer
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

    @property
    def _binding(self) -> mtl.Buffer | tuple[mtl.Buffer, int]:
        """Give what to bind for a kernel of this Buffer's own element type."""
        return (self._buf, self._offset) if self._offset else self._buf

    def _binding_aligned(self, alignment: int) -> mtl.Buffer | tuple[mtl.Buffer, int]:
        """Give what to bind for an argument whose elements lie at multiples of `alignment` bytes."""
        if alignment > 1 and self._offset % alignment:
            raise ValidationError(
                f"this part of a Buffer begins at byte {self._offset}, but the kernel's elements are aligned to "
                f"{alignment} bytes; pass a copy of it: device.buffer(part.numpy())"
            )
        return self._binding

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
    def metal(self) -> mtl.Buffer:
        """The buffer of :mod:`mtlpy_nb.metal` that it is, or that it is a part of."""
        return self._buf

    @classmethod
    def from_metal(
        cls,
        buffer: mtl.Buffer,
        dtype: npt.DTypeLike | str = np.uint8,
        shape: int | Sequence[int] | None = None,
        device: Device | None = None,
    ) -> Buffer:
        """Give a buffer of :mod:`mtlpy_nb.metal` as a Buffer, which shares its memory.

        Parameters
        ----------
        buffer : mtlpy_nb.metal.Buffer
        dtype : numpy.dtype or str
            A NumPy type, or a Metal type's name such as ``"half"``.
        shape : int or tuple of int, optional
            Default: as many elements as it holds.
        device : Device, optional
            Default: the default device if the buffer is of that, else a new Device.

        Returns
        -------
        Buffer

        Raises
        ------
        ValueError
            If it is of another device or too short, or Metal has no such elements.
        """
        if not isinstance(buffer, mtl.Buffer):
            raise ArgumentError(f"Buffer.from_metal: buffer must be a metal.Buffer, got {type(buffer).__name__}")
        owner = checked_device("Buffer.from_metal", buffer, device)
        element = element_of(dtype, "Buffer.from_metal")
        most = buffer.length // max(element.itemsize, 1)
        given = (most,) if shape is None else shape_of(shape, "Buffer.from_metal: shape")
        if shape_size(given) > most:
            raise ValidationError(
                f"Buffer.from_metal: shape {given} of {element} takes {shape_size(given) * element.itemsize} bytes, "
                f"the buffer has {buffer.length}"
            )
        return cls(buffer, element, given, owner)

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
            backed = self._view().view(_BackedArray)
            backed._mtlpy_buf = self._buf
            remember(self._buf)
            return backed
        copy = self.to_storage(StorageMode.SHARED)._view()
        copy.flags.writeable = False
        return copy

    def _view(self) -> Array:
        # Metal's own object is in .base and keeps the memory alive as long as the array.
        view: Array = self._buf.contents()[self._offset : self._offset + self.nbytes].view(self.dtype)
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

    def _exported(self) -> Array:
        """Give the array that answers for Python's buffer protocol: ``memoryview(buffer)``."""
        if self.storage != StorageMode.SHARED:
            raise BufferError(
                f"a Buffer in {self.storage.name} storage has no memory to view; call .to_storage(StorageMode.SHARED)"
            )
        return self.numpy()

    def __dlpack_device__(self) -> tuple[int, int]:
        return _DLPACK_HOST if self._device.is_software else _DLPACK_DEVICE

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
            raise BufferError(f"Cannot export mtlpy Buffer to DLPack device {dl_device}")
        code, bits = to_dlpack_dtype(self.dtype)
        if not self._device.is_software:
            return mtl.metal_array(self._buf, self._offset, code, bits, self.shape)
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
        resolved = _resolve_shape(self.size, sizes(wanted, "Buffer.reshape: shape"))
        return Buffer(self._buf, self.dtype, resolved, self._device, _offset=self._offset)

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
        from ._texture_making import format_for, spatial_shape, usage_of
        from .texture import Texture

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
        writable = can_be_written(name)
        descriptor.usage = usage_of(name, named, readable=True, writable=writable, format_views=False)
        descriptor.storage_mode = mtl.StorageMode(int(self.storage))
        row = descriptor.width * info.channels * info.dtype.itemsize
        return Texture(self._buf.new_texture(descriptor, self._offset, row), name, self._device)

    def to_storage(self, storage: StorageMode | int) -> Buffer:
        """Copy into memory of another kind; gives itself if it is of that kind already."""
        storage = storage_mode(storage, "Buffer.to_storage")
        if storage == self.storage:
            return self
        copy = self._device.empty(self.shape, self.dtype, storage)
        self._device.copy_buffer(self, copy, size_bytes=self.nbytes)
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
        """Set every element to `value`.

        Raises
        ------
        ValueError
            If no element can hold it.
        """
        try:
            elements = np.full(self.size, value, self.dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise ArgumentError(f"Buffer.fill: value must be one {self.dtype}, got {value!r:.80}: {error}") from None
        self._write(elements)

    def _write(self, array: Array) -> None:
        """Store a contiguous array of this Buffer's size, whatever the storage."""
        if self.storage == StorageMode.SHARED:
            self._buf.copy_from(bytes_of(array), self._offset)
            return
        staging = self._device._staging_buffer(array.nbytes, np.uint8)
        staging._buf.copy_from(bytes_of(array), staging._offset)
        copy = mtl.copy(
            self._device._queue, staging._buf, staging._offset, self._buf, self._offset, self.nbytes, wait=True
        )
        self._device._pending.raise_failure()
        copied(self._device, copy, self.nbytes)

    def release(self) -> None:
        """Let go of the memory now rather than with the last reference.

        Arrays made by :attr:`contents` and work under way keep it alive; any other use of this Buffer raises.
        """
        self._memory = None

    # ---- a part of it ----

    def __getitem__(self, index: Any) -> Any:
        """Give one element as a NumPy number, or a Buffer that shares this one's memory.

        Whatever NumPy's basic indexing selects in one piece can be selected: ``b[3]``, ``b[2:5]``, ``image[0]``. For
        anything else, such as every second element, index :meth:`numpy`'s array.

        Raises
        ------
        IndexError
            If the index is out of range.
        ValueError
            If the elements selected don't lie side by side, or there are none.
        """
        part, offset = self._select(index)
        if part.ndim == 0:
            return Buffer(self._buf, self.dtype, (1,), self._device, _offset=offset).contents[0]
        return Buffer(self._buf, self.dtype, part.shape, self._device, _offset=offset)

    def __setitem__(self, index: Any, value: object) -> None:
        """Write elements, as NumPy does: ``b[2:5] = 0``.

        Parameters
        ----------
        index
            With shared storage whatever NumPy takes, else what :meth:`__getitem__` takes.
        value : float, array_like or Buffer
            Broadcast to the selected shape, and cast to this Buffer's type.
        """
        if self.storage == StorageMode.SHARED:
            try:
                self.numpy()[index] = value
            except IndexError as error:
                raise outside(f"{error}; the Buffer has the shape {self.shape}") from None
            except ValueError as error:
                raise ValidationError(f"{error}; the Buffer has the shape {self.shape}") from None
            return
        part, offset = self._select(index)
        array = np.empty(part.shape, self.dtype)
        array[...] = value
        Buffer(self._buf, self.dtype, part.shape, self._device, _offset=offset)._write(array)

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise ArgumentError("a Buffer of shape () cannot be iterated over; .contents[0] is its element")
        return (self[i] for i in range(self.shape[0]))

    def _select(self, index: Any) -> tuple[Array, int]:
        """Give an array of the shape that `index` selects, and the byte of Metal's buffer where its elements begin."""
        parts = index if isinstance(index, tuple) else (index,)
        for part in parts:
            if isinstance(part, bool) or not (
                part is None or part is Ellipsis or isinstance(part, (int, np.integer, slice))
            ):
                raise ValidationError(
                    f"a Buffer's index is made of ints and slices, got {type(part).__name__}; "
                    "for other indices use the array that .numpy() gives"
                )
        whole = self.numpy() if self.storage == StorageMode.SHARED else self._untouched()
        try:
            selected = whole[parts if Ellipsis in parts else (*parts, ...)]
        except OverflowError:
            raise outside(f"the index {index} is out of range of a Buffer of shape {self.shape}") from None
        except IndexError as error:
            raise outside(f"{error}; the Buffer has the shape {self.shape}") from None
        if selected.size == 0:
            raise ValidationError(f"the index {index} selects no elements of a Buffer of shape {self.shape}")
        if not selected.flags.c_contiguous:
            raise ValidationError(
                f"the index {index} selects elements that don't lie side by side; .numpy()[...] gives them as an array"
            )
        return selected, self._offset + selected.ctypes.data - whole.ctypes.data

    def _untouched(self) -> Array:
        """Give an array of this shape without memory, for NumPy to do an index's arithmetic on."""
        strides = [self.dtype.itemsize * shape_size(self.shape[axis + 1 :]) for axis in range(self.ndim)]
        return np.lib.stride_tricks.as_strided(np.empty(1, self.dtype), self.shape, strides, writeable=False)

    # ---- arithmetic and comparison, element by element on the device ----

    def astype(self, dtype: npt.DTypeLike | str) -> Buffer:
        """Convert the elements to another type, into a new Buffer in the same storage; float64 means float32.

        Raises
        ------
        TypeError
            If Metal has no such type.
        """
        return _elementwise.cast(self, resolve_dtype(dtype))

    def __add__(self, other: Any) -> Buffer:
        return _elementwise.binary("add", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Buffer:
        return _elementwise.binary("sub", self, other)

    def __rsub__(self, other: Any) -> Buffer:
        return _elementwise.binary("rsub", self, other)

    def __mul__(self, other: Any) -> Buffer:
        return _elementwise.binary("mul", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Buffer:
        return _elementwise.binary("div", self, other)

    def __rtruediv__(self, other: Any) -> Buffer:
        return _elementwise.binary("rdiv", self, other)

    def __neg__(self) -> Buffer:
        return _elementwise.negate(self)

    def __iadd__(self, other: Any) -> Buffer:
        return _elementwise.binary("add", self, other, in_place=True)

    def __isub__(self, other: Any) -> Buffer:
        return _elementwise.binary("sub", self, other, in_place=True)

    def __imul__(self, other: Any) -> Buffer:
        return _elementwise.binary("mul", self, other, in_place=True)

    def __itruediv__(self, other: Any) -> Buffer:
        return _elementwise.binary("div", self, other, in_place=True)

    def __eq__(self, other: Any) -> Buffer:  # type: ignore[override]
        return _elementwise.binary("eq", self, other)

    def __ne__(self, other: Any) -> Buffer:  # type: ignore[override]
        return _elementwise.binary("ne", self, other)

    def __lt__(self, other: Any) -> Buffer:
        return _elementwise.binary("lt", self, other)

    def __le__(self, other: Any) -> Buffer:
        return _elementwise.binary("le", self, other)

    def __gt__(self, other: Any) -> Buffer:
        return _elementwise.binary("gt", self, other)

    def __ge__(self, other: Any) -> Buffer:
        return _elementwise.binary("ge", self, other)

    # ---- display ----

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        storage = "" if self.storage == StorageMode.SHARED else f", storage={self.storage.name.lower()}"
        return f"Buffer(shape={self.shape}, dtype={self.dtype}{storage})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        from .notebook.preview import preview_of

        return preview_of(self)._repr_mimebundle_()


def _resolve_shape(size: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Fill in the one -1 that `shape` may have."""
    known = shape_size([n for n in shape if n != -1])
    if shape.count(-1) == 1 and known > 0 and size % known == 0:
        shape = tuple(size // known if n == -1 else n for n in shape)
    if any(n < 0 for n in shape) or shape_size(shape) != size:
        raise ValidationError(f"cannot reshape Buffer of size {size} into shape {shape}")
    return shape
