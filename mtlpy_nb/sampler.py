# SPDX-License-Identifier: MIT
"""How kernels sample textures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, TypeVar

from . import _native as mtl
from .errors import ValidationError

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Sampler"]

_Option = TypeVar("_Option", bound=IntEnum)

_ADDRESSES = {
    "clamp_to_edge": mtl.SamplerAddressMode.ClampToEdge,
    "mirror_clamp_to_edge": mtl.SamplerAddressMode.MirrorClampToEdge,
    "repeat": mtl.SamplerAddressMode.Repeat,
    "mirrored_repeat": mtl.SamplerAddressMode.MirrorRepeat,
    "clamp_to_zero": mtl.SamplerAddressMode.ClampToZero,
    "clamp_to_border": mtl.SamplerAddressMode.ClampToBorderColor,
}
_MIP_FILTERS = {
    "none": mtl.SamplerMipFilter.NotMipmapped,
    "nearest": mtl.SamplerMipFilter.Nearest,
    "linear": mtl.SamplerMipFilter.Linear,
}
_BORDERS = {
    "transparent_black": mtl.SamplerBorderColor.TransparentBlack,
    "opaque_black": mtl.SamplerBorderColor.OpaqueBlack,
    "opaque_white": mtl.SamplerBorderColor.OpaqueWhite,
}
_COMPARES = {
    "never": mtl.CompareFunction.Never,
    "less": mtl.CompareFunction.Less,
    "equal": mtl.CompareFunction.Equal,
    "less_equal": mtl.CompareFunction.LessEqual,
    "greater": mtl.CompareFunction.Greater,
    "not_equal": mtl.CompareFunction.NotEqual,
    "greater_equal": mtl.CompareFunction.GreaterEqual,
    "always": mtl.CompareFunction.Always,
}
_REDUCTIONS = {
    "weighted_average": mtl.SamplerReductionMode.WeightedAverage,
    "minimum": mtl.SamplerReductionMode.Minimum,
    "maximum": mtl.SamplerReductionMode.Maximum,
}
_DEFAULTS: dict[str, object] = {
    "address": None,
    "mip_filter": "none",
    "border_color": "transparent_black",
    "compare": None,
    "reduction": "weighted_average",
    "max_anisotropy": 1,
    "lod_clamp": (0, math.inf),
    "normalized": True,
}


class Sampler:
    """How a kernel reads between pixels and outside of an image; made by :meth:`Device.sampler`."""

    __slots__ = ("__weakref__", "_device", "_sampler", "linear", "options", "repeat")

    def __init__(
        self, _sampler: mtl.SamplerState, device: Device, linear: bool, repeat: bool, options: dict[str, object]
    ) -> None:
        self._sampler = _sampler
        self._device = device
        self.linear = linear
        self.repeat = repeat
        self.options = options

    def __repr__(self) -> str:
        rest = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Sampler(linear={self.linear}, repeat={self.repeat}{rest})"


def sampler_descriptor(
    linear: bool,
    address: str | Sequence[str],
    mip_filter: str,
    border_color: str,
    compare: str | None,
    reduction: str,
    max_anisotropy: int,
    lod_clamp: tuple[float, float],
    normalized: bool,
) -> mtl.SamplerDescriptor:
    """Put a sampler's options, in the words of Metal's source, into a descriptor.

    Raises
    ------
    ValidationError
        If there is no such word.
    """
    descriptor = mtl.SamplerDescriptor()
    descriptor.min_filter = descriptor.mag_filter = (
        mtl.SamplerMinMagFilter.Linear if linear else mtl.SamplerMinMagFilter.Nearest
    )
    modes = [address] * 3 if isinstance(address, str) else list(address)
    if not 1 <= len(modes) <= 3:
        raise ValidationError(f"Device.sampler: address has {len(modes)} modes, must be one, or one a dimension")
    modes += modes[-1:] * (3 - len(modes))
    descriptor.s_address_mode, descriptor.t_address_mode, descriptor.r_address_mode = (
        _word("address", mode, _ADDRESSES) for mode in modes
    )
    descriptor.mip_filter = _word("mip_filter", mip_filter, _MIP_FILTERS)
    descriptor.border_color = _word("border_color", border_color, _BORDERS)
    descriptor.reduction_mode = _word("reduction", reduction, _REDUCTIONS)
    if compare is not None:
        descriptor.compare_function = _word("compare", compare, _COMPARES)
    descriptor.max_anisotropy = max_anisotropy
    low, high = lod_clamp
    descriptor.lod_min_clamp, descriptor.lod_max_clamp = low, high if math.isfinite(high) else 3e38
    descriptor.normalized_coordinates = normalized
    descriptor.support_argument_buffers = True
    return descriptor


def given_options(**options: object) -> dict[str, object]:
    """Leave out of a sampler's options those that are as by default."""
    return {name: value for name, value in options.items() if value != _DEFAULTS[name]}


def _word(option: str, word: str, words: dict[str, _Option]) -> _Option:
    found = words.get(word) if isinstance(word, str) else None
    if found is None:
        raise ValidationError(f"Device.sampler: {option} is {word!r}, must be one of {', '.join(words)}")
    return found
