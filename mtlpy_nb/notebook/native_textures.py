# SPDX-License-Identifier: MIT
"""Metal's own textures, as :mod:`mtlpy_nb.metal` makes them, multisampled ones among them."""

from __future__ import annotations

from .. import _native as mtl
from .._from_metal import device_of, format_name
from ..device import Device
from ..texture import Texture
from ..utils import PIXEL_FORMATS, TEXTURE_USAGE_SHADER_READ, TEXTURE_USAGE_SHADER_WRITE, PixelFormatInfo
from .texels import texels_of

__all__ = ["texture_of"]

_ARRAY = mtl.TextureType.Type2DMultisampleArray
_MULTISAMPLED = (mtl.TextureType.Type2DMultisample, _ARRAY)
_IS_DEPTH = "depth"
# The mean of numbers that are no quantities (stencils, identifiers) is none of them: of those, the first.
_RESOLVE = """
#include <metal_stdlib>
using namespace metal;
kernel void resolve({source}<{scalar}, access::read> source [[texture(0)]],
                    texture2d{array}<{scalar}, access::write> result [[texture(1)]],
                    uint3 place [[thread_position_in_grid]])
{{
    uint count = {count};
    vec<{scalar}, 4> sum = 0;
    for (uint sample = 0; sample < count; ++sample) sum += vec<{scalar}, 4>({read});
    result.write(sum / count, place.xy{slice});
}}
"""


def texture_of(native: mtl.Texture) -> tuple[Texture, str | None]:
    """Give the same texture as one of the high-level API; of a multisampled one, the mean of each pixel's samples.

    Returns
    -------
    texture : Texture
    note : str or None
        Of what the texture is the mean.

    Raises
    ------
    ValidationError
        If its pixels are of a format that has no numbers, such as a compressed one.
    """
    name = format_name(native)
    device = device_of(native)
    if native.texture_type not in _MULTISAMPLED:
        return Texture(native, name, device), None
    resolved = _resolved_format(name)
    shown = "the mean" if PIXEL_FORMATS[name].msl_scalar_type == "float" else "the first"
    note = f"{shown} of {native.sample_count} samples of {name}"
    return Texture(_resolved(native, name, resolved, device), resolved, device), note


def _resolved_format(name: str) -> str:
    """Choose what holds a mean: floats, or bytes of sRGB."""
    info = PIXEL_FORMATS[name]
    channels = texels_of(name).channels
    if name.endswith("_srgb") and info.channels > 1:
        return "rgba8Unorm_srgb"
    letters = {1: "r", 2: "rg"}.get(channels, "rgba")
    return letters + {"float": "32Float", "int": "32Sint", "uint": "32Uint"}[info.msl_scalar_type]


def _resolved(native: mtl.Texture, name: str, format_name: str, device: Device) -> mtl.Texture:
    info = PIXEL_FORMATS[name]
    is_array = native.texture_type == _ARRAY
    descriptor = mtl.TextureDescriptor()
    descriptor.texture_type = mtl.TextureType.Type2DArray if is_array else mtl.TextureType.Type2D
    descriptor.pixel_format = mtl.PixelFormat(PIXEL_FORMATS[format_name].mtl_value)
    descriptor.width, descriptor.height, descriptor.array_length = native.width, native.height, native.array_length
    descriptor.usage = TEXTURE_USAGE_SHADER_READ | TEXTURE_USAGE_SHADER_WRITE
    result = device._native.new_texture(descriptor)
    pipeline = device.compile(_source(name, info, is_array), "resolve")._pipeline
    grid = (native.width, native.height, native.array_length)
    mtl.dispatch(device._queue, pipeline, textures=[native, result], grid=grid, threadgroup=(16, 16, 1))
    return result


def _source(name: str, info: PixelFormatInfo, is_array: bool) -> str:
    dimension = "depth2d_ms" if name.startswith(_IS_DEPTH) else "texture2d_ms"
    array, place = ("_array", ", place.z") if is_array else ("", "")
    is_mean = info.msl_scalar_type == "float"
    return _RESOLVE.format(
        source=dimension + array,
        scalar=info.msl_scalar_type,
        array=array,
        count="source.get_num_samples()" if is_mean else "1",
        read=f"source.read(place.xy{place}, sample)",
        slice=place,
    )
