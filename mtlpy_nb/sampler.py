# SPDX-License-Identifier: MIT
"""How kernels sample textures."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from . import _native as mtl
from ._checks import flag, integer_in
from .errors import ArgumentError, ValidationError

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
_FILTERS = {"nearest": mtl.SamplerMinMagFilter.Nearest, "linear": mtl.SamplerMinMagFilter.Linear}
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
COMPARES = {
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
    "min_filter": None,
    "mag_filter": None,
    "mip_filter": "none",
    "border_color": "transparent_black",
    "compare": None,
    "reduction": "weighted_average",
    "max_anisotropy": 1,
    "lod_clamp": (0, math.inf),
    "lod_bias": 0.0,
    "lod_average": False,
    "normalized": True,
}
_LARGEST = 3e38  # of Metal's own, a float's largest


class Sampler:
    """How a kernel reads between pixels and outside of an image; made by :meth:`Device.sampler`."""

    __slots__ = ("__weakref__", "_device", "_sampler", "linear", "options", "repeat")

    def __init__(
        self,
        _sampler: mtl.SamplerState,
        linear: bool,
        repeat: bool,
        device: Device,
        options: dict[str, object] | None = None,
    ) -> None:
        self._sampler = _sampler
        self._device = device
        self.linear = linear
        self.repeat = repeat
        self.options = options or {}

    def __repr__(self) -> str:
        rest = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Sampler(linear={self.linear}, repeat={self.repeat}{rest})"


def make_sampler(device: Device, linear: bool, repeat: bool, **options: Any) -> Sampler:
    """Make a Sampler of options in the words of Metal's source; see :meth:`Device.sampler`.

    Raises
    ------
    ValidationError
        If there is no such word, or Metal has no such sampler.
    """
    linear, repeat = flag(linear, "Device.sampler: linear"), flag(repeat, "Device.sampler: repeat")
    chosen = options["address"]
    modes = ("repeat" if repeat else "clamp_to_edge") if chosen is None else chosen
    descriptor = mtl.SamplerDescriptor()
    descriptor.s_address_mode, descriptor.t_address_mode, descriptor.r_address_mode = _addresses(modes)
    both = "linear" if linear else "nearest"
    for name in ("min_filter", "mag_filter"):
        setattr(descriptor, name, _word(name, both if options[name] is None else options[name], _FILTERS))
    descriptor.mip_filter = _word("mip_filter", options["mip_filter"], _MIP_FILTERS)
    descriptor.border_color = _word("border_color", options["border_color"], _BORDERS)
    descriptor.reduction_mode = _word("reduction", options["reduction"], _REDUCTIONS)
    if options["compare"] is not None:
        descriptor.compare_function = _word("compare", options["compare"], COMPARES)
    descriptor.max_anisotropy = integer_in(options["max_anisotropy"], "Device.sampler: max_anisotropy", 1, 16)
    descriptor.lod_min_clamp, descriptor.lod_max_clamp = _clamps(options["lod_clamp"])
    descriptor.lod_bias = _number("lod_bias", options["lod_bias"])
    descriptor.lod_average = bool(options["lod_average"])
    descriptor.normalized_coordinates = bool(options["normalized"])
    # A kernel's argument buffer may hold any sampler that Python makes.
    descriptor.support_argument_buffers = True
    given = {name: value for name, value in options.items() if value != _DEFAULTS[name]}
    return Sampler(device._native.new_sampler_state(descriptor), linear, repeat, device, given)


def _addresses(modes: str | Sequence[str]) -> list[mtl.SamplerAddressMode]:
    """Give one for each of three dimensions; the last counts for those that are missing."""
    if not isinstance(modes, (str, list, tuple)):
        raise ArgumentError(f"Device.sampler: address must be a str or a sequence of str, got {type(modes).__name__}")
    words = [modes] if isinstance(modes, str) else list(modes)
    if not 1 <= len(words) <= 3:
        raise ValidationError(f"Device.sampler: address has {len(words)} modes, must be one, or one a dimension")
    words += words[-1:] * (3 - len(words))
    return [_word("address", word, _ADDRESSES) for word in words]


def _clamps(pair: Any) -> tuple[float, float]:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise ArgumentError(f"Device.sampler: lod_clamp must be a least and a greatest level, got {pair!r}")
    low, high = (_number("lod_clamp", value, is_finite=False) for value in pair)
    if not 0 <= low <= high:
        raise ValidationError(f"Device.sampler: lod_clamp is ({low}, {high}), the least must be 0 to the greatest")
    return min(low, _LARGEST), min(high, _LARGEST)


def _number(option: str, value: Any, *, is_finite: bool = True) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ArgumentError(f"Device.sampler: {option} must be a number, got {type(value).__name__}")
    if math.isnan(value) or (is_finite and math.isinf(value)):
        raise ValidationError(f"Device.sampler: {option} is {value}, must be finite")
    return float(value)


def _word(option: str, word: Any, words: dict[str, _Option]) -> _Option:
    if not isinstance(word, str):
        raise ArgumentError(f"Device.sampler: {option} must be a str, got {type(word).__name__}")
    if word not in words:
        raise ValidationError(f"Device.sampler: {option} is {word!r}, must be one of {', '.join(words)}")
    return words[word]
