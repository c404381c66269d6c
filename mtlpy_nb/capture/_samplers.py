# SPDX-License-Identifier: MIT
"""Samplers as a capture holds them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .. import _native as mtl
from ._checked import Fields, damaged

__all__ = ["SamplerOptions"]


@dataclass(frozen=True)
class SamplerOptions:
    """All options of a sampler that was bound; enumerations are those of :mod:`mtlpy_nb.metal`."""

    name: str
    index: int | None
    min_filter: mtl.SamplerMinMagFilter
    mag_filter: mtl.SamplerMinMagFilter
    mip_filter: mtl.SamplerMipFilter
    s_address_mode: mtl.SamplerAddressMode
    t_address_mode: mtl.SamplerAddressMode
    r_address_mode: mtl.SamplerAddressMode
    border_color: mtl.SamplerBorderColor
    compare_function: mtl.CompareFunction
    reduction_mode: mtl.SamplerReductionMode
    max_anisotropy: int
    lod_min_clamp: float
    lod_max_clamp: float
    lod_bias: float
    normalized_coordinates: bool


_ENUMS = {
    "min_filter": mtl.SamplerMinMagFilter,
    "mag_filter": mtl.SamplerMinMagFilter,
    "mip_filter": mtl.SamplerMipFilter,
    "s_address_mode": mtl.SamplerAddressMode,
    "t_address_mode": mtl.SamplerAddressMode,
    "r_address_mode": mtl.SamplerAddressMode,
    "border_color": mtl.SamplerBorderColor,
    "compare_function": mtl.CompareFunction,
    "reduction_mode": mtl.SamplerReductionMode,
}


def read_sampler(name: str, index: int | None, fields: Fields) -> SamplerOptions:
    """Read one sampler."""
    chosen = {}
    for option, enum in _ENUMS.items():
        try:
            chosen[option] = enum(fields.integer(option, 1 << 16))
        except ValueError as error:
            raise damaged(f"{fields.where}: {error}") from None
    most = fields.optional_number("lod_max_clamp")
    return SamplerOptions(
        name,
        index,
        max_anisotropy=fields.integer("max_anisotropy", 1 << 16),
        lod_min_clamp=fields.number("lod_min_clamp"),
        lod_max_clamp=math.inf if most is None else most,
        lod_bias=fields.number("lod_bias"),
        normalized_coordinates=fields.flag("normalized_coordinates"),
        **chosen,  # type: ignore[arg-type]
    )
