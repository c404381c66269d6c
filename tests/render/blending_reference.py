# SPDX-License-Identifier: MIT
"""Blending and the formats of colours in NumPy, one float32 operation after the other."""

import numpy as np

import mtlpy_nb.metal as pm

F = pm.BlendFactor


def factor(which, source, second, before, constant):
    """What a colour is multiplied with; arrays of red, green, blue, alpha."""
    alpha = slice(3, 4)
    one = np.float32(1)
    of = {
        F.Zero: lambda: np.zeros_like(source),
        F.One: lambda: np.ones_like(source),
        F.SourceColor: lambda: source,
        F.OneMinusSourceColor: lambda: one - source,
        F.SourceAlpha: lambda: source[..., alpha],
        F.OneMinusSourceAlpha: lambda: one - source[..., alpha],
        F.DestinationColor: lambda: before,
        F.OneMinusDestinationColor: lambda: one - before,
        F.DestinationAlpha: lambda: before[..., alpha],
        F.OneMinusDestinationAlpha: lambda: one - before[..., alpha],
        F.SourceAlphaSaturated: lambda: saturated(source, before),
        F.BlendColor: lambda: constant,
        F.OneMinusBlendColor: lambda: one - constant,
        F.BlendAlpha: lambda: constant[..., alpha],
        F.OneMinusBlendAlpha: lambda: one - constant[..., alpha],
        F.Source1Color: lambda: second,
        F.OneMinusSource1Color: lambda: one - second,
        F.Source1Alpha: lambda: second[..., alpha],
        F.OneMinusSource1Alpha: lambda: one - second[..., alpha],
    }[which]()
    return np.broadcast_to(of, source.shape)


def saturated(source, before):
    least = np.minimum(source[..., 3:], np.float32(1) - before[..., 3:])
    return np.concatenate([np.repeat(least, 3, -1), np.ones_like(least)], -1)


def combined(operation, source, source_factor, before, before_factor):
    match operation:
        case pm.BlendOperation.Add:
            return source * source_factor + before * before_factor
        case pm.BlendOperation.Subtract:
            return source * source_factor - before * before_factor
        case pm.BlendOperation.ReverseSubtract:
            return before * before_factor - source * source_factor
        case pm.BlendOperation.Min:
            return np.minimum(source, before)
        case pm.BlendOperation.Max:
            return np.maximum(source, before)


def blended(settings, source, second, before, constant):
    """Colours after blending, before a format rounds them. `settings`: of a colour attachment of the pipeline."""
    out = np.empty_like(source)
    for name, channels in ("rgb", slice(0, 3)), ("alpha", slice(3, 4)):
        result = combined(
            settings[f"{name}_blend_operation"],
            source,
            factor(settings[f"source_{name}_blend_factor"], source, second, before, constant),
            before,
            factor(settings[f"destination_{name}_blend_factor"], source, second, before, constant),
        )
        out[..., channels] = result[..., channels]
    return out


class Format:
    """How four components are stored: as `dtype`, read and written by functions; `low`: the least, for blending."""

    def __init__(self, pixel_format, dtype, load, store, low=None):
        self.pixel_format, self.dtype, self.load, self.store, self.low = pixel_format, dtype, load, store, low

    def clamped(self, colors):
        return colors if self.low is None else np.clip(colors, np.float32(self.low), np.float32(1))

    def __repr__(self):
        return self.pixel_format.name


def normalised(pixel_format, dtype):
    most = np.float32(np.iinfo(dtype).max)
    low = -1 if np.iinfo(dtype).min else 0
    return Format(
        pixel_format,
        dtype,
        lambda texels: np.maximum(texels.astype(np.float32) / most, np.float32(low)),
        lambda colors: np.rint(np.clip(colors, np.float32(low), np.float32(1)) * most).astype(dtype),
        low,
    )


def floating(pixel_format, dtype):
    return Format(pixel_format, dtype, lambda texels: texels.astype(np.float32), lambda colors: colors.astype(dtype))


def light_of(stored):
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


LIGHT = light_of(np.arange(256) / 255).astype(np.float32)
LEAST_LIGHT = light_of((np.arange(1, 256) - 0.5) / 255).astype(np.float32)


def load_srgb(texels):
    return np.concatenate([LIGHT[texels[..., :3]], texels[..., 3:].astype(np.float32) / np.float32(255)], -1)


def store_srgb(colors):
    clipped = np.clip(colors, np.float32(0), np.float32(1))
    color = np.searchsorted(LEAST_LIGHT, clipped[..., :3], side="right")
    return np.concatenate([color, np.rint(clipped[..., 3:] * np.float32(255))], -1).astype(np.uint8)


P = pm.PixelFormat
FORMATS = [
    normalised(P.RGBA8Unorm, np.uint8),
    normalised(P.RGBA8Snorm, np.int8),
    normalised(P.RGBA16Unorm, np.uint16),
    normalised(P.RGBA16Snorm, np.int16),
    floating(P.RGBA16Float, np.float16),
    floating(P.RGBA32Float, np.float32),
    Format(P.RGBA8Unorm_sRGB, np.uint8, load_srgb, store_srgb, 0),
]
