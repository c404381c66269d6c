# SPDX-License-Identifier: MIT
"""What a layer's display shows, and a drawable's picture, for the notebook."""

from __future__ import annotations

from .. import _native as mtl
from .._arrays import Array
from .._from_metal import device_of, format_name
from .._presenting import encode_picture
from ..device import Device
from ..errors import ResourceError
from ..utils import PIXEL_FORMATS

__all__ = ["picture_of"]


def picture_of(shown: mtl.MetalLayer | mtl.MetalDrawable) -> Array:
    """Give the pixels that a layer's display shows, or a drawable's, as (height, width, 4) uint8 in sRGB.

    Raises
    ------
    ResourceError
        If nothing has been presented yet, or it is a Mac's display, which cannot be read.
    """
    drawable = mtl.shown_drawable(shown) if isinstance(shown, mtl.MetalLayer) else shown
    if drawable is None:
        raise ResourceError("nothing has been presented yet")
    device = device_of(drawable.texture)
    target = device.empty_texture((drawable.texture.height, drawable.texture.width), "rgba8Unorm")
    command_buffer = device._native.new_command_queue().command_buffer()
    command_buffer.label = "layer's picture"
    source = _readable(device, command_buffer, drawable.texture)
    encode_picture(
        device, command_buffer, source, target._tex, "stretch", "nearest", colorspace=drawable.layer.colorspace
    )
    command_buffer.commit()
    command_buffer.wait()
    return target.download()


def _readable(device: Device, command_buffer: mtl.CommandBuffer, texture: mtl.Texture) -> mtl.Texture:
    """Encode a copy that kernels read: a layer's own textures may be for rendering only.

    Its numbers are those that are stored: what they mean, the layer's colour space says.
    """
    name = format_name(texture)
    height, width = int(texture.height), int(texture.width)
    copy = device.empty_texture((height, width), name.removesuffix("_srgb"))._tex
    row = width * _bytes_of(name)
    memory = device._native.new_buffer(row * height)
    encoder = command_buffer.blit_command_encoder()
    encoder.copy_from_texture_to_buffer(texture, 0, 0, (0, 0, 0), (width, height, 1), memory, 0, row, row * height)
    encoder.copy_from_buffer_to_texture(memory, 0, row, row * height, (width, height, 1), copy, 0, 0, (0, 0, 0))
    encoder.end_encoding()
    return copy


def _bytes_of(name: str) -> int:
    info = PIXEL_FORMATS[name]
    return int(info.dtype.itemsize * info.channels)
