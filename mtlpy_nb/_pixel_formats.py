# SPDX-License-Identifier: MIT
"""What kernels can do with the pixels of each format, and the formats that textures cannot have."""

from __future__ import annotations

from . import _native as mtl

__all__ = ["SHARED_COMPONENTS", "can_be_filtered", "can_be_written", "why_missing"]

# Two pixels of a row share red and blue: each has a green of its own, and one of the others.
SHARED_COMPONENTS = frozenset({"gbgr422", "bgrg422"})
_FIELDS_OF_16_BITS = frozenset({"b5g6r5Unorm", "a1bgr5Unorm", "abgr4Unorm", "bgr5A1Unorm"})
_DEPTH_AND_STENCIL = ("depth", "stencil", "x32_stencil", "x24_stencil")
_COMPRESSED = ("BC", "PVRTC", "EAC", "ETC", "ASTC")


def can_be_written(name: str) -> bool:
    """Whether kernels can write such pixels."""
    return name not in SHARED_COMPONENTS and name not in _FIELDS_OF_16_BITS and not name.startswith(_DEPTH_AND_STENCIL)


def can_be_filtered(name: str, scalar: str) -> bool:
    """Whether smaller levels can be made of such pixels, which kernels read as `scalar`."""
    return scalar == "float" and name not in SHARED_COMPONENTS and not name.startswith(_DEPTH_AND_STENCIL)


def why_missing(name: str) -> str | None:
    """Say why textures cannot have a format that Metal has; None of a name that is not Metal's."""
    known = next((format.name for format in mtl.PixelFormat if format.name.lower() == name.lower()), None)
    if known is None:
        return None
    if known.startswith(_COMPRESSED):
        return f"{known} is a compressed format, which textures here cannot have"
    return None
