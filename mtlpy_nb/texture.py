# SPDX-License-Identifier: MIT
"""Images that kernels read, sample and write."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native as mtl
from ._arrays import Array, as_array, bytes_of, native_contiguous
from ._blit import Blit
from ._checks import whole
from ._from_metal import checked_device, format_name
from ._labels import Labelled
from ._pixel_formats import SHARED_COMPONENTS, can_be_filtered, can_be_written
from ._texture_kinds import CUBE_FACES, TextureKind, kind_of
from ._texture_regions import Part, part_of
from ._texture_views import make_view, swizzle_text
from .errors import ArgumentError, ResourceError, ValidationError
from .sampler import Sampler
from .utils import (
    TEXTURE_USAGE_SHADER_READ,
    TEXTURE_USAGE_SHADER_WRITE,
    StorageMode,
    pixel_format_info,
    shape_size,
)

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

__all__ = ["Sampler", "Texture"]


class Texture(Labelled):
    """An image, an array of images, a volume or a cube.

    Made by :meth:`Device.texture`, :meth:`Device.empty_texture`, :meth:`Heap.empty_texture`, :meth:`Buffer.texture`
    and, of another one's pixels, :meth:`view`. Its pixels have no address in Python's memory: they are copied in and
    out, after all that runs on the device's own queue.

    Attributes
    ----------
    kind : str
        ``"2d"`` of ``texture2d``; also ``"1d"``, ``"3d"``, ``"cube"``, ``"1d_array"``, ``"2d_array"``,
        ``"cube_array"`` and ``"buffer"``.
    dims : int
        Of one image.
    width, height, depth : int
    array_length : int
        Slices of an array, or cubes of one.
    levels : int
        Levels of detail, each of half the size of the one before.
    pixel_format : str
        Metal's name, such as ``"rgba8Unorm"``.
    channels : int
    dtype : numpy.dtype
        Of one channel as stored.
    normalized : bool
        Whether integers are read as 0 to 1.
    msl_scalar_type : str
        ``T`` of ``texture2d<T>`` that fits.
    readable, writable, is_private : bool
        What kernels may do with it; whether only the device reaches its memory.
    parent : Texture or None
        Whose pixels a view shows.
    swizzle : str
        What kernels read as red, green, blue and alpha: ``"rgba"`` unless it is a view that says otherwise.
    """

    _labelled = "_tex"
    __slots__ = (
        "__weakref__",
        "_device",
        "_kind",
        "_memory",
        "array_length",
        "channels",
        "depth",
        "dims",
        "dtype",
        "height",
        "is_private",
        "levels",
        "msl_scalar_type",
        "normalized",
        "parent",
        "pixel_format",
        "readable",
        "swizzle",
        "width",
        "writable",
    )

    def __init__(self, _tex: mtl.Texture, pixel_format: str, device: Device, *, _parent: Texture | None = None) -> None:
        info = pixel_format_info(pixel_format)
        self._memory: mtl.Texture | None = _tex
        self._device = device
        kind = kind_of(_tex.texture_type)
        if kind is None:
            raise ValidationError(f"Texture: type {_tex.texture_type!r} has no pixels that the CPU can reach")
        self._kind: TextureKind = kind
        self.dims = kind.dims
        self.width, self.height, self.depth = int(_tex.width), int(_tex.height), int(_tex.depth)
        self.array_length = int(_tex.array_length)
        self.levels = int(_tex.mipmap_level_count)
        self.pixel_format = pixel_format
        self.channels = info.channels
        self.dtype = info.dtype
        self.normalized = info.normalized
        self.msl_scalar_type = info.msl_scalar_type
        # Metal's Unknown, zero, is any use.
        usage = int(_tex.usage) or TEXTURE_USAGE_SHADER_READ | TEXTURE_USAGE_SHADER_WRITE
        self.readable = bool(usage & TEXTURE_USAGE_SHADER_READ)
        self.parent = _parent
        self.swizzle = swizzle_text(_tex.swizzle)
        self.writable = (
            bool(usage & TEXTURE_USAGE_SHADER_WRITE) and self.swizzle == "rgba" and can_be_written(pixel_format)
        )
        self.is_private = int(_tex.storage_mode) == StorageMode.PRIVATE

    @property
    def _tex(self) -> mtl.Texture:
        if self._memory is None:
            raise ResourceError("this Texture was released; make a new one")
        return self._memory

    # ---- what it is ----

    @property
    def kind(self) -> str:
        """``"2d_array"`` of ``texture2d_array``."""
        return self._kind.name

    @property
    def spatial_shape(self) -> tuple[int, ...]:
        """Shape without the channels: slices and faces, then depth, height and width."""
        return self._spatial(0)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that :meth:`numpy` gives: (height, width, channels), channels only where more than 1."""
        return self.level_shape(0)

    def level_shape(self, level: int) -> tuple[int, ...]:
        """Shape of the array that :meth:`numpy` gives of a level."""
        spatial = self._spatial(level)
        return (*spatial, self.channels) if self.channels > 1 else spatial

    def _spatial(self, level: int) -> tuple[int, ...]:
        level = whole(level, "Texture: level")
        if not 0 <= level < self.levels:
            raise ValidationError(f"Texture: level is {level}, must be 0 to {self.levels - 1}")
        sizes = tuple(max(1, size >> level) for size in (self.depth, self.height, self.width)[3 - self.dims :])
        faces = (CUBE_FACES,) if self._kind.is_cube else ()
        slices = (self.array_length,) if self._kind.is_array else ()
        return (*slices, *faces, *sizes)

    @property
    def _slice_count(self) -> int:
        return self.array_length * (CUBE_FACES if self._kind.is_cube else 1)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements."""
        return shape_size(self.shape) * self.dtype.itemsize

    @property
    def device(self) -> Device:
        """The device it belongs to."""
        return self._device

    @property
    def metal(self) -> mtl.Texture:
        """The same texture as :mod:`mtlpy_nb.metal` has it, to draw into, bind or copy."""
        return self._tex

    @classmethod
    def from_metal(cls, texture: mtl.Texture, device: Device | None = None) -> Texture:
        """Give a texture of :mod:`mtlpy_nb.metal` as a Texture, which shares its pixels.

        What queues of one's own do to it, a program waits for itself: a Texture's methods only wait for the device's
        own queue.

        Parameters
        ----------
        texture : mtlpy_nb.metal.Texture
        device : Device, optional
            Whose queue copies its pixels. Default: the default device if the texture is of that, else a new Device.

        Returns
        -------
        Texture

        Raises
        ------
        ValueError
            If it is of another device, or its pixels are of a kind that a Texture has not: multisampled, compressed.
        """
        if not isinstance(texture, mtl.Texture):
            raise ArgumentError(f"Texture.from_metal: texture must be a metal.Texture, got {type(texture).__name__}")
        owner = checked_device("Texture.from_metal", texture, device)
        return cls(texture, format_name(texture), owner)

    @property
    def mtl_ptr(self) -> int:
        """Address of Metal's own object; valid while this Texture lives."""
        return self._tex.mtl_ptr

    # ---- reading and writing ----

    def upload(self, data: npt.ArrayLike, level: int = 0, *, region: Any = ...) -> None:
        """Overwrite the pixels of a level.

        Parameters
        ----------
        data : array_like
            Of the level's shape (:meth:`level_shape`), or of the region's; other element types are cast.
        level : int
            Level of detail: 0 is the largest.
        region : optional
            A part of the level: the index that it has in the array of :meth:`numpy`, without channels, of ints and
            slices: ``np.s_[10:20, 5:9]`` of a picture, ``np.s_[3]`` the fourth of an array of pictures.

        Raises
        ------
        ValueError
            If the shape is not that level's, or that region's.
        """
        part = self._part(level, region)
        array = self._checked(data, part, level, is_whole=region is ...)
        if self._is_reached():
            for start, end, place in self._after_the_queue("GPU blit upload", level, part):
                self._tex.upload(bytes_of(array)[start:end], **place)
            return
        staging = self._device._staging_buffer(array.nbytes, np.uint8)
        staging._buf.copy_from(bytes_of(array), staging._offset)
        self._copy(staging._buf, staging._offset, level, part, to_texture=True, wait=True, is_told=self.is_private)

    def _checked(self, data: npt.ArrayLike, part: Part, level: int, *, is_whole: bool) -> Array:
        """Give pixels of a part as they are stored."""
        array = as_array(data)
        array = np.asarray(data) if array is None else array
        shape = self._with_channels(part.shape)
        if array.shape not in (shape, (*part.shape, self.channels)):
            what = "texture" if is_whole and level == 0 else f"level {level}'s"
            what = what if is_whole else "region's"
            raise ValidationError(f"Data shape {array.shape} does not match {what} shape {shape}")
        if array.dtype.kind not in "biuf":
            raise ArgumentError(f"Texture.upload: data is of {array.dtype}, pixels are numbers: {self.dtype}")
        return native_contiguous(array.astype(self.dtype, copy=False))

    def _fill(self, data: npt.ArrayLike) -> None:
        """Upload to a texture that no work uses, without waiting for the device's other work."""
        array = self._checked(data, self._part(0), 0, is_whole=True).reshape(self._slice_count, -1)
        for index, pixels in enumerate(array):
            self._tex.upload(bytes_of(pixels), slice=index)

    def _fetch(self) -> Array:
        """Download from such a texture."""
        array = np.empty(self.shape, self.dtype)
        for index, pixels in enumerate(array.reshape(self._slice_count, -1)):
            self._tex.download(bytes_of(pixels), slice=index)
        return array

    def download(self, level: int = 0, *, region: Any = ...) -> Array:
        """Copy the pixels of a level into a new array.

        Parameters
        ----------
        level : int
            Level of detail: 0 is the largest.
        region : optional
            A part of the level, as :meth:`upload` takes it.
        """
        part = self._part(level, region)
        shape = self._with_channels(part.shape)
        if self._is_reached():
            array = np.empty(shape, self.dtype)
            for start, end, place in self._after_the_queue("GPU blit download", level, part):
                self._tex.download(bytes_of(array)[start:end], **place)
            return array
        staging = self._device._staging_buffer(shape_size(shape) * self.dtype.itemsize, np.uint8)
        self._copy(staging._buf, staging._offset, level, part, to_texture=False, wait=True, is_told=self.is_private)
        copied: Array = staging._view().view(self.dtype).reshape(shape).copy()
        return copied

    def numpy(self, level: int = 0) -> Array:
        """Copy the pixels into a new array; the same as :meth:`download`."""
        return self.download(level)

    def generate_mipmaps(self, wait: bool = True) -> None:
        """Fill the smaller levels from the largest.

        Raises
        ------
        ValueError
            If there is one level only, or its pixels have no means: integers, depths.
        """
        if self.levels < 2 or not can_be_filtered(self.pixel_format, self.msl_scalar_type):
            raise ValidationError(
                f"Texture.generate_mipmaps: needs several levels of pixels that can be filtered; {self!r} has "
                f"{self.levels} of {self.pixel_format}"
            )
        with Blit(self._device, "GPU mipmap generation", wait) as encoder:
            encoder.generate_mipmaps(self._tex)

    def _bytes_per_row_and_image(self) -> tuple[int, int]:
        width, height, _ = self._part(0).size
        row = width * self.channels * self.dtype.itemsize
        return row, row * height

    def _check_data_shape(self, data: Array) -> None:
        self._checked(data, self._part(0), 0, is_whole=True)

    def _check_same_device(self, other: Buffer | Texture, kind: str) -> None:
        if other._device is not self._device:
            raise ValidationError(
                f"{kind} belongs to a different Device instance -- Metal does not allow referencing resources from "
                "different MTLDevice objects in the same command buffer"
            )

    def _part(self, level: int, region: Any = ...) -> Part:
        part = part_of(self._spatial(level), self.dims, region)
        if self.pixel_format in SHARED_COMPONENTS and (part.origin[0] % 2 or part.size[0] % 2):
            raise ValidationError(
                f"region: begins at {part.origin[0]} and has {part.size[0]} of the last axis; both must be even, since "
                f"two pixels of {self.pixel_format} have components together"
            )
        return part

    def _with_channels(self, spatial: tuple[int, ...]) -> tuple[int, ...]:
        return (*spatial, self.channels) if self.channels > 1 else spatial

    def _copy(
        self,
        buffer: mtl.Buffer,
        offset: int,
        level: int,
        part: Part,
        *,
        to_texture: bool,
        wait: bool,
        is_told: bool = True,
    ) -> None:
        """Copy a part's pixels from or to a native buffer, in which they are tight, in one command buffer."""
        width, height, depth = part.size
        row = width * self.channels * self.dtype.itemsize
        image = row * height
        context = "GPU blit upload" if to_texture else "GPU blit download"
        with Blit(self._device, context, wait, image * depth * len(part.slices), is_told=is_told) as encoder:
            for start, index, origin, size in self._pieces(part):
                begin = offset + start
                if to_texture:
                    encoder.copy_from_buffer_to_texture(
                        buffer, begin, row, image, size, self._tex, index, level, origin
                    )
                else:
                    encoder.copy_from_texture_to_buffer(
                        self._tex, index, level, origin, size, buffer, begin, row, image
                    )

    def _is_reached(self) -> bool:
        """Whether the processor copies pixels itself, which it does not see of managed storage until they are copied.

        A capture has copies as commands, to show them.
        """
        return int(self._tex.storage_mode) == StorageMode.SHARED and not self._device.is_capturing

    def _after_the_queue(self, context: str, level: int, part: Part) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Wait for what is on the device's queue, then give the part's pieces: first and last byte, and the place."""
        with Blit(self._device, context, wait=True, is_told=False):
            pass
        for start, index, origin, size in self._pieces(part):
            place = {"level": level, "slice": index, "region": (mtl.Origin(*origin), mtl.Size(*size))}
            yield start, start + math.prod(size) * self.channels * self.dtype.itemsize, place

    def _pieces(self, part: Part) -> Iterator[tuple[int, int, tuple[int, int, int], tuple[int, int, int]]]:
        """Cut a part into what one copy takes: its first byte where all are tight, its slice, origin and size."""
        texel = self.channels * self.dtype.itemsize
        for number, index in enumerate(part.slices):
            for first, origin, size in part.strips():
                yield (number * math.prod(part.size) + first) * texel, index, origin, size

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValidationError(
                "Texture data isn't directly addressable from the CPU (see the class docstring), so copy=False can "
                "never be satisfied"
            )
        array = self.download()
        return array if dtype is None else array.astype(dtype, copy=False)

    # ---- GPU-side copies ----

    def upload_from_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy pixels from a Buffer, on the device.

        Parameters
        ----------
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        offset : int
            Byte where the first pixel begins.
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        TypeError
            If the Buffer's type is not that of the channels.
        ValueError
            If the Buffer is of another device, or too small.
        """
        self._device.blit_upload_texture(buf, self, offset=offset, wait=wait)

    def download_to_buffer(self, buf: Buffer, offset: int = 0, wait: bool = True) -> None:
        """Copy the pixels into a Buffer, on the device.

        Parameters
        ----------
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        offset : int
            Byte where the first pixel is to begin.
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        TypeError
            If the Buffer's type is not that of the channels.
        ValueError
            If the Buffer is of another device, or too small.
        """
        self._device.blit_download_texture(self, buf, offset=offset, wait=wait)

    def to_buffer(self) -> Buffer:
        """Copy the pixels, as a kernel reads them, into a new Buffer; see :meth:`Device.buffer_from_texture`."""
        return self._device.buffer_from_texture(self)

    def copy_to(self, dst: Texture, wait: bool = True) -> None:
        """Copy all pixels into another texture of the same shape and format, on the device.

        Smaller levels are copied as far as both have them.

        Parameters
        ----------
        dst : Texture
        wait : bool
            Whether to return only when it is done.

        Raises
        ------
        TypeError
            If the formats differ.
        ValueError
            If the shapes differ, or `dst` is of another device.
        """
        if not isinstance(dst, Texture):
            raise ArgumentError(f"Texture.copy_to: expected a Texture, got {type(dst).__name__}")
        self._check_same_device(dst, "Destination texture")
        if dst.pixel_format != self.pixel_format:
            raise ArgumentError(
                f"Destination pixel_format {dst.pixel_format!r} doesn't match source pixel_format {self.pixel_format!r}"
            )
        if dst.shape != self.shape:
            raise ValidationError(f"Destination shape {dst.shape} doesn't match source shape {self.shape}")
        with Blit(self._device, "GPU texture-to-texture copy", wait, self.nbytes) as encoder:
            for level in range(min(self.levels, dst.levels)):
                part = self._part(level)
                for index in part.slices:
                    for _, origin, size in part.strips():
                        encoder.copy_from_texture_to_texture(
                            self._tex, index, level, origin, size, dst._tex, index, level, origin
                        )

    def optimize_for_gpu_access(self, wait: bool = True) -> None:
        """Let the device arrange the pixels as it reads them best; what they are stays the same."""
        with Blit(self._device, "GPU texture optimization", wait) as encoder:
            encoder.optimize_contents_for_gpu_access(self._tex)

    # ---- other views of the same pixels ----

    def view(
        self,
        pixel_format: str | None = None,
        *,
        kind: str | None = None,
        levels: int | range | None = None,
        slices: int | range | None = None,
        swizzle: str | None = None,
    ) -> Texture:
        """Give a Texture of the same pixels, without a copy: what is written to one is in the other.

        Parameters
        ----------
        pixel_format : str, optional
            Another format of the same size. If its components are not as many and as large, this texture must have
            been made with ``format_views=True``.
        kind : str, optional
            ``"2d"`` of one slice, ``"2d_array"``, ``"cube"`` of six or ``"cube_array"``. Default: this one's, or
            ``"2d"`` if `slices` is a number.
        levels, slices : int or range, optional
            Which it shows; default: all. The faces of cubes are slices, six of each.
        swizzle : str, optional
            What kernels read as red, green, blue and alpha, such as ``"bgra"`` or ``"rrr1"``. Such a view can't be
            written.

        Raises
        ------
        ValueError
            If Metal has no such view of this texture.
        """
        return make_view(self, pixel_format, kind, levels, slices, swizzle)

    def release(self) -> None:
        """Let go of the memory now rather than with the last reference; any later use of this Texture raises."""
        self._memory = None

    # ---- display ----

    def __repr__(self) -> str:
        kind = "" if self.kind in ("1d", "2d", "3d") else f", kind={self.kind!r}"
        levels = f", levels={self.levels}" if self.levels > 1 else ""
        private = ", private=True" if self.is_private else ""
        view = ", view=True" if self.parent is not None else ""
        swizzle = f", swizzle={self.swizzle!r}" if self.swizzle != "rgba" else ""
        rest = f"{kind}{levels}{private}{view}{swizzle}"
        return f"Texture(shape={self.shape}, pixel_format={self.pixel_format!r}{rest})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        from .notebook.preview import preview_of

        return preview_of(self)._repr_mimebundle_()
