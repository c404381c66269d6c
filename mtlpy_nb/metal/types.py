# SPDX-License-Identifier: MIT
"""Metal's small value types."""

from .._native import (
    Origin,
    Range,
    Region,
    Size,
    TextureSwizzleChannels,
)

__all__ = [
    "Origin",
    "Range",
    "Region",
    "Size",
    "TextureSwizzleChannels",
]
