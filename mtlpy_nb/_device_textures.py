# SPDX-License-Identifier: MIT
"""What a Device makes besides Buffers: heaps, textures and samplers."""
# Methods of a part of Device know the whole.
# mypy: disable-error-code="misc"

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _copies
from ._arrays import as_array, with_alpha
from ._pixel_formats import can_be_filtered
from ._staging import clear_staging_heap, staging_buffer
from ._texture_kinds import kind_named
from ._texture_making import advice_on_format, format_for, spatial_shape, texture_descriptor
from ._texture_to_buffer import buffer_from_texture
from .errors import ArgumentError
from .heap import Heap, make_heap
from .sampler import Sampler, make_sampler
from .texture import Texture
from .utils import StorageMode, pixel_format_info

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

__all__ = ["TextureMaker"]


class TextureMaker:
    """The part of :class:`Device` that makes heaps, textures and samplers."""

    __slots__ = ()

    # ---- heaps ----

    def heap(self: Device, size_bytes: int, storage: StorageMode | int = StorageMode.SHARED) -> Heap:
        """Make a block of memory, in which Buffers and Textures can then be made at little cost.

        Parameters
        ----------
        size_bytes : int
        storage : StorageMode
            Of everything in it: shared or private.

        Raises
        ------
        RuntimeError
            If there is not as much memory, or the storage is managed.
        """
        return make_heap(self, size_bytes, storage)

    def _staging_buffer(self: Device, n_elements: int, dtype: npt.DTypeLike) -> Buffer:
        """Give a shared Buffer for a copy that is about to be made; see :mod:`mtlpy_nb._staging`."""
        return staging_buffer(self, n_elements, dtype)

    def clear_staging_heap(self: Device) -> int:
        """Let go of the heap that uploads and downloads of private textures and buffers go through.

        It grows to the largest of them and stays until it is let go of; the next one makes another.

        Returns
        -------
        int
            Bytes of the heap; 0 if there was none.
        """
        return clear_staging_heap(self)

    # ---- textures and samplers ----

    def empty_texture(
        self: Device,
        shape: Sequence[int],
        pixel_format: str,
        *,
        kind: str | None = None,
        mipmaps: bool | int = False,
        readable: bool = True,
        writable: bool = True,
        private: bool = False,
        format_views: bool = False,
    ) -> Texture:
        """Make a Texture whose pixels have no particular value.

        Parameters
        ----------
        shape : tuple of int
            Without channels, rows first: (width,), (height, width) or (depth, height, width); for the other kinds
            (slices, width), (slices, height, width), (6, size, size) and (cubes, 6, size, size).
        pixel_format : str
            Metal's name, such as ``"rgba8Unorm"``.
        kind : str, optional
            As in ``texture2d_array``: ``"1d"``, ``"2d"``, ``"3d"``, ``"cube"``, ``"1d_array"``, ``"2d_array"``,
            ``"cube_array"`` or ``"buffer"``. Default: 1D, 2D or 3D by the shape.
        mipmaps : bool or int
            Whether it has smaller levels, or how many levels there are.
        readable, writable : bool
            What kernels may do with it. Depths, stencils, ``gbgr422``, ``bgrg422`` and formats with several components
            in 16 bits are never writable.
        private : bool
            Whether only the device shall reach its memory; uploads and downloads work all the same.
        format_views : bool
            Whether :meth:`Texture.view` may show its pixels with components of other sizes.

        Raises
        ------
        ValueError
            If the shape, the format or the usage is not allowed.
        """
        descriptor = texture_descriptor(
            shape,
            pixel_format,
            kind=kind,
            mipmaps=mipmaps,
            readable=readable,
            writable=writable,
            private=private,
            format_views=format_views,
        )
        return Texture(self._native.new_texture(descriptor), pixel_format, self)

    def texture(
        self: Device,
        data: npt.ArrayLike,
        pixel_format: str | None = None,
        *,
        kind: str | None = None,
        mipmaps: bool | int = False,
        private: bool = False,
        format_views: bool = False,
    ) -> Texture:
        """Make a Texture with the pixels of an array, whose last axis holds the format's channels if it has several.

        Parameters
        ----------
        data : array_like
            (height, width) or (height, width, channels); for other kinds the axes that :meth:`empty_texture` names.
        pixel_format : str, optional
            Default: the format that holds the array unchanged; a picture of three channels gets an opaque fourth.
        kind : str, optional
            As in :meth:`empty_texture`: ``"2d_array"`` of an array of pictures, say.
        mipmaps : bool or int
            Whether it has smaller levels (or how many levels), which are made of the pixels where they are not
            integers, depths or stencils.
        private, format_views : bool
            As in :meth:`empty_texture`.
        """
        array = as_array(data)
        array = np.asarray(data) if array is None else array
        axes = None if kind is None else kind_named(kind).axes
        if pixel_format is None:
            array = with_alpha(array, axes or 2)
            pixel_format = format_for(array.shape, array.dtype, axes=axes or 2)
            if pixel_format is None:
                raise ArgumentError(
                    f"Device.texture: no pixel format holds {array.dtype} pixels of shape {array.shape} unchanged; "
                    + advice_on_format(array.shape, array.dtype, axes or 2)
                )
        info = pixel_format_info(pixel_format)
        texture = self.empty_texture(
            spatial_shape(array.shape, info, axes),
            pixel_format,
            kind=kind,
            mipmaps=mipmaps,
            private=private,
            format_views=format_views,
        )
        texture.upload(array)
        if texture.levels > 1 and can_be_filtered(pixel_format, texture.msl_scalar_type):
            texture.generate_mipmaps()
        return texture

    def blit_upload_texture(self: Device, buf: Buffer, tex: Texture, *, offset: int = 0, wait: bool = True) -> None:
        """Copy pixels from a Buffer into a Texture on the device; the same as :meth:`Texture.upload_from_buffer`.

        Parameters
        ----------
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        tex : Texture
        offset : int
            Byte of `buf` where the first pixel begins.
        wait : bool
            Whether to return only when it is done.
        """
        _copies.check_blit(self, "Buffer and Texture", buf, tex, offset)
        tex._copy(buf._buf, buf._offset + offset, 0, tex._part(0), to_texture=True, wait=wait)

    def blit_download_texture(self: Device, tex: Texture, buf: Buffer, *, offset: int = 0, wait: bool = True) -> None:
        """Copy a Texture's pixels into a Buffer on the device; the same as :meth:`Texture.download_to_buffer`.

        Parameters
        ----------
        tex : Texture
        buf : Buffer
            Of the type of the pixels' channels; rows follow each other without gaps.
        offset : int
            Byte of `buf` where the first pixel is to begin.
        wait : bool
            Whether to return only when it is done.
        """
        _copies.check_blit(self, "Texture and Buffer", buf, tex, offset)
        tex._copy(buf._buf, buf._offset + offset, 0, tex._part(0), to_texture=False, wait=wait)

    def buffer_from_texture(self: Device, tex: Texture) -> Buffer:
        """Copy a Texture's pixels into a new Buffer of its shape, as a kernel reads them.

        So a ``bgra8Unorm`` pixel is red, green, blue and alpha, and a ``_srgb`` one is light, where
        :meth:`Texture.download` gives what is stored. Formats that pack a pixel into one number are copied as stored.

        Raises
        ------
        ValueError
            If the texture is of another device, or was made with ``readable=False``.
        """
        return buffer_from_texture(self, tex)

    def sampler(
        self: Device,
        linear: bool = True,
        repeat: bool = False,
        *,
        address: str | Sequence[str] | None = None,
        min_filter: str | None = None,
        mag_filter: str | None = None,
        mip_filter: str = "none",
        border_color: str = "transparent_black",
        compare: str | None = None,
        reduction: str = "weighted_average",
        max_anisotropy: int = 1,
        lod_clamp: tuple[float, float] = (0, float("inf")),
        lod_bias: float = 0.0,
        lod_average: bool = False,
        normalized: bool = True,
    ) -> Sampler:
        """Make a Sampler; the words are those of a ``constexpr sampler`` in Metal's source.

        Parameters
        ----------
        linear : bool
            Whether to interpolate between pixels rather than take the nearest.
        repeat : bool
            Whether the image goes on outside by repeating itself rather than by its edge pixels.
        address : str or sequence of str, optional
            What lies outside, in place of `repeat`: ``"clamp_to_edge"``, ``"repeat"``, ``"mirrored_repeat"``,
            ``"mirror_clamp_to_edge"``, ``"clamp_to_zero"`` or ``"clamp_to_border"``; one for all dimensions or
            one each.
        min_filter, mag_filter : str, optional
            ``"nearest"`` or ``"linear"`` where the image is made smaller, and where it is made larger; default: as
            `linear` says.
        mip_filter : str
            ``"none"``, ``"nearest"`` or ``"linear"``.
        border_color : str
            ``"transparent_black"``, ``"opaque_black"`` or ``"opaque_white"``.
        compare : str, optional
            Of ``sample_compare``: ``"less"``, ``"less_equal"`` and so on.
        reduction : str
            ``"weighted_average"``, ``"minimum"`` or ``"maximum"`` of the pixels that are interpolated.
        max_anisotropy : int
            1 to 16: of how many places along the direction in which the image is squeezed a sample is the mean.
        lod_clamp : tuple of float
            Least and greatest level of detail.
        lod_bias : float
            Added to every level of detail.
        lod_average : bool
            Whether the device may take an average level of detail for neighbours. The software device never does.
        normalized : bool
            Whether coordinates run from 0 to 1 rather than count pixels.

        Raises
        ------
        ValueError
            If an option is not one of its words, or Metal does not allow them together.
        """
        return make_sampler(
            self,
            linear,
            repeat,
            address=address,
            min_filter=min_filter,
            mag_filter=mag_filter,
            mip_filter=mip_filter,
            border_color=border_color,
            compare=compare,
            reduction=reduction,
            max_anisotropy=max_anisotropy,
            lod_clamp=lod_clamp,
            lod_bias=lod_bias,
            lod_average=lod_average,
            normalized=normalized,
        )
