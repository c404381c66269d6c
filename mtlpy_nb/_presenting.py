# SPDX-License-Identifier: MIT
"""Pictures fitted into others: into a drawable of the window's size, and from a layer's colours into a notebook's."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from . import _native as mtl

if TYPE_CHECKING:
    from .device import Device

__all__ = ["encode_picture", "placement"]

_SOURCE = """
#include <metal_stdlib>
using namespace metal;

struct Placement {
    float2 origin;  // of the picture in the target, in pixels
    float2 size;
    uint colours;
};

static float3 to_linear(float3 c)
{
    return select(powr((c + 0.055f) / 1.055f, float3(2.4f)), c / 12.92f, c <= 0.04045f);
}

static float3 from_linear(float3 c)
{
    return select(1.055f * powr(c, float3(1 / 2.4f)) - 0.055f, c * 12.92f, c <= 0.0031308f);
}

static float3 shown(float3 c, uint colours)
{
    if (colours == 0) return c;
    c = max(c, 0.0f);
    if (colours == 2) return from_linear(c);
    // Display P3 has the same white and the same curve, and other primaries.
    const float3x3 p3_to_srgb(float3(1.2249401f, -0.0420569f, -0.0196376f),
                              float3(-0.2249404f, 1.0420571f, -0.0786361f), float3(0.0f, 0.0f, 1.0982735f));
    return from_linear(max(p3_to_srgb * to_linear(c), 0.0f));
}

kernel void place_picture(texture2d<float, access::sample> source [[texture(0)]],
                          texture2d<float, access::write> target [[texture(1)]],
                          sampler filtering [[sampler(0)]], constant Placement& place [[buffer(0)]],
                          uint2 position [[thread_position_in_grid]])
{
    if (position.x >= target.get_width() || position.y >= target.get_height()) return;
    float2 at = (float2(position) + 0.5f - place.origin) / place.size;
    float4 colour(0, 0, 0, 1);
    if (all(at >= 0.0f) && all(at < 1.0f)) {
        colour = source.sample(filtering, at);
        if (place.colours != 3) colour = float4(saturate(shown(colour.rgb, place.colours)), 1);
    }
    target.write(colour, position);
}
"""

# How `shown` reads a layer's numbers; 3 leaves them alone.
_COLOURS = {None: 0, "srgb": 0, "display_p3": 1, "linear_srgb": 2, "extended_linear_srgb": 2}
_UNCHANGED = 3


def placement(
    scaling: str, source: tuple[int, int], target: tuple[int, int]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Say where a picture of one size lies in one of another: origin and size in pixels."""
    (width, height), (wide, high) = source, target
    if scaling == "stretch":
        return (0.0, 0.0), (float(wide), float(high))
    if scaling == "center":
        return (float((wide - width) // 2), float((high - height) // 2)), (float(width), float(height))
    factors = (wide / width, high / height)
    factor = max(factors) if scaling == "fill" else min(factors)
    size = (width * factor, height * factor)
    return ((wide - size[0]) / 2, (high - size[1]) / 2), size


def encode_picture(
    device: Device,
    command_buffer: mtl.CommandBuffer,
    source: mtl.Texture,
    target: mtl.Texture,
    scaling: str,
    filtering: str,
    colorspace: str | bool | None = False,
) -> None:
    """Encode the drawing of `source` into all of `target`, black where it does not reach.

    Parameters
    ----------
    scaling, filtering : str
        As of :class:`Surface`.
    colorspace : str or None, optional
        What the source's numbers mean; they are turned into sRGB. Default: they are copied as they are.
    """
    size = (int(source.width), int(source.height))
    origin, placed = placement(scaling, size, (int(target.width), int(target.height)))
    colours = _UNCHANGED if colorspace is False else _COLOURS[colorspace]  # type: ignore[index]
    pipeline = device.compile(_SOURCE, "place_picture")._pipeline
    encoder = command_buffer.compute_command_encoder()
    mtl.encode_dispatch(
        encoder,
        pipeline,
        [struct.pack("4f2I", *origin, *placed, colours, 0)],
        [source, target],
        [device.sampler(linear=filtering == "linear")._sampler],
        (),
        (target.width, target.height, 1),
        (32, 8, 1),
    )
    encoder.end_encoding()
