# SPDX-License-Identifier: MIT
"""Metal's small value types."""

from .._native import (
    Origin,
    Range,
    Region,
    Size,
)

__all__ = [
    "Origin",
    "Range",
    "Region",
    "Size",
]
