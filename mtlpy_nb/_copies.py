# SPDX-License-Identifier: MIT
"""Copies on the device, between Buffers and between a Buffer and a Texture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native as mtl
from . import _recording
from ._checks import check_type, flag, whole
from ._pending import failed
from .buffer import Buffer
from .errors import ArgumentError, ExecutionError, ValidationError
from .texture import Texture

if TYPE_CHECKING:
    from .device import Device

__all__ = ["check_blit", "copy_buffer"]

_COPY = "GPU buffer-to-buffer copy"


def copy_buffer(
    device: Device, src: Buffer, dst: Buffer, src_offset: int, dst_offset: int, size_bytes: int | None, wait: bool
) -> None:
    """Copy bytes, after a check that both Buffers are the device's and have as many; see :meth:`Device.copy_buffer`."""
    for name, buffer in (("src", src), ("dst", dst)):
        check_type(buffer, Buffer, f"Device.copy_buffer: {name}")
    waits = flag(wait, "Device.copy_buffer: wait")
    src_offset = whole(src_offset, "Device.copy_buffer: src_offset")
    dst_offset = whole(dst_offset, "Device.copy_buffer: dst_offset")
    if src._device is not device or dst._device is not device:
        raise ValidationError(
            "Buffers belong to different Device instances -- Metal does not allow sharing resources across MTLDevice "
            "objects"
        )
    size = src.nbytes - src_offset if size_bytes is None else whole(size_bytes, "Device.copy_buffer: size_bytes")
    if src_offset < 0 or size < 0 or src_offset + size > src.nbytes:
        raise ValidationError("copy_buffer: src_offset + size_bytes exceeds source buffer's size_bytes")
    if dst_offset < 0 or dst_offset + size > dst.nbytes:
        raise ValidationError("copy_buffer: dst_offset + size_bytes exceeds destination buffer's size_bytes")
    if size:
        source, destination = src._offset + src_offset, dst._offset + dst_offset
        try:
            copy = mtl.copy(device._queue, src._buf, source, dst._buf, destination, size, wait=waits)
        except ExecutionError as error:
            raise failed(_COPY, error) from None
        if waits:
            device._pending.raise_failure()
        else:
            device._pending.add(copy, _COPY)
        _recording.copied(device, copy, size)


def check_blit(device: Device, what: str, buf: Buffer, tex: Texture, offset: int) -> None:
    """Refuse a copy of a Texture's pixels from or to a Buffer that does not hold as many, or not such.

    Raises
    ------
    ValidationError
        If one is not the device's, or the pixels do not fit behind `offset`.
    ArgumentError
        If the types of their elements differ.
    """
    if not isinstance(buf, Buffer) or not isinstance(tex, Texture):
        raise ArgumentError(
            f"{what}: expected a Buffer and a Texture, got {type(buf).__name__} and {type(tex).__name__}"
        )
    if buf._device is not device or tex._device is not device:
        raise ValidationError(
            f"{what} belong to different Device instances -- Metal does not allow referencing resources from "
            "different MTLDevice objects in the same command buffer"
        )
    texture_buffer_layout(tex, buf, whole(offset, f"{what}: offset"))


def texture_buffer_layout(tex: Texture, buf: Buffer, offset: int) -> tuple[int, int]:
    """Give the bytes of a row and of an image of a Texture's pixels in a Buffer, after a check that they fit."""
    if buf.dtype != tex.dtype:
        raise ArgumentError(
            f"Buffer dtype {buf.dtype} doesn't match texture pixel_format {tex.pixel_format!r}'s "
            f"per-channel dtype {tex.dtype}"
        )
    if offset < 0 or offset + tex.nbytes > buf.nbytes:
        raise ValidationError(
            f"Buffer has {buf.nbytes} bytes, but offset={offset} plus this {tex.shape} texture's {tex.nbytes} "
            f"bytes needs {offset + tex.nbytes}"
        )
    return tex._bytes_per_row_and_image()
