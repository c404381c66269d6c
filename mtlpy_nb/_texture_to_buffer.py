# SPDX-License-Identifier: MIT
"""Pixels into a Buffer as a kernel reads them: red first, and light where the format has sRGB's curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from . import _native as mtl
from . import _recording
from .errors import ArgumentError, ValidationError
from .shader import texture_to_buffer_kernel
from .texture import Texture
from .utils import PACKED_FORMATS, msl_storage_type

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device
    from .pipeline import Pipeline

__all__ = ["buffer_from_texture"]

# Of arrays, whose slices are one more coordinate; cubes are read as arrays of their faces.
_ARRAY_SOURCE = """
#include <metal_stdlib>
using namespace metal;
kernel void texture_to_buffer({kind}_array<{read_t}, access::read> t [[texture(0)]],
                              device {store_t}* out [[buffer(0)]], uint3 p [[thread_position_in_grid]])
{{
    uint width = t.get_width(), height = {height};
    if (p.x >= width || p.y >= height || p.z >= t.get_array_size()) return;
    vec<{read_t}, 4> v = t.read({place}, p.z);
    ulong first = ((ulong(p.z) * height + p.y) * width + p.x) * {channels};
    for (uint c = 0; c < {channels}; ++c) out[first + c] = {stored};
}}
"""


def buffer_from_texture(device: Device, tex: Texture) -> Buffer:
    """Copy pixels with a kernel; see :meth:`Device.buffer_from_texture`."""
    if not isinstance(tex, Texture):
        raise ArgumentError(f"Device.buffer_from_texture: expected a Texture, got {type(tex).__name__}")
    if tex._device is not device:
        raise ValidationError(
            "Texture belongs to a different Device instance -- Metal does not allow referencing resources from "
            "different MTLDevice objects in the same command buffer"
        )
    if not tex.readable:
        raise ValidationError(
            "Texture was created with readable=False (see Device.empty_texture()), so it lacks "
            "MTLTextureUsageShaderRead -- buffer_from_texture()'s copy kernel needs to read it. Create the texture "
            "with readable=True (the default), or use download_to_buffer()"
        )
    buffer = device.empty(tex.shape, tex.dtype)
    if tex.pixel_format in PACKED_FORMATS or tex.kind == "buffer":
        # Such a pixel's components have no elements of their own in the Buffer.
        device.blit_download_texture(tex, buffer)
        return buffer
    shown = tex.view(kind="2d_array") if tex.kind.startswith("cube") else tex
    grid = (tex.width, tex.height, shown.array_length if "array" in shown.kind else tex.depth)
    pipeline = _pipeline(device, shown)._pipeline
    threadgroup = (min(pipeline.max_total_threads_per_threadgroup, 32), 1, 1)
    commands = mtl.dispatch(
        device._queue, pipeline, buffers=[buffer._buf], textures=[shown._tex], grid=grid, threadgroup=threadgroup
    )
    moved = _recording.Traffic("copy", tex.nbytes, is_read=True, is_written=True)
    work = _recording.Work("texture_to_buffer", math.prod(grid), (moved,))
    _recording.submitted(device, commands, [work])
    device._pending.raise_failure()
    return buffer


def _pipeline(device: Device, tex: Texture) -> Pipeline:
    store_t = msl_storage_type(tex.dtype)
    key = (tex.kind, tex.msl_scalar_type, store_t, tex.channels, tex.normalized)
    found = device._texture_to_buffer_pipelines.get(key)
    if found is None:
        found = device.compile(_source(tex, store_t), "texture_to_buffer")
        device._texture_to_buffer_pipelines[key] = found
    return found


def _source(tex: Texture, store_t: str) -> str:
    if "array" not in tex.kind:
        return texture_to_buffer_kernel(tex.dims, tex.msl_scalar_type, store_t, tex.channels, tex.normalized)
    largest = f"{store_t}(rint(v[c] * float(numeric_limits<{store_t}>::max())))"
    return _ARRAY_SOURCE.format(
        kind=f"texture{tex.dims}d",
        read_t=tex.msl_scalar_type,
        store_t=store_t,
        height="1" if tex.dims == 1 else "t.get_height()",
        place="p.x" if tex.dims == 1 else "p.xy",
        channels=tex.channels,
        stored=largest if tex.normalized else f"{store_t}(v[c])",
    )
