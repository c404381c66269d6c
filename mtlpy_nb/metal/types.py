# SPDX-License-Identifier: MIT
"""Metal's small value types."""

from .._native import (
    ClearColor,
    Origin,
    Range,
    Region,
    SamplePosition,
    ScissorRect,
    Size,
    TextureSwizzleChannels,
    Viewport,
)

__all__ = [
    "ClearColor",
    "Origin",
    "Range",
    "Region",
    "SamplePosition",
    "ScissorRect",
    "Size",
    "TextureSwizzleChannels",
    "Viewport",
]
