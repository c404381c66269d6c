# SPDX-License-Identifier: MIT
"""Which Buffers' memory arrays of other libraries have, so that it is known again when it comes back."""

from __future__ import annotations

import weakref

from . import _native as mtl

__all__ = ["exported", "remember"]

# By address. What Metal's buffer is gone of has no arrays any more.
_buffers: weakref.WeakValueDictionary[int, mtl.Buffer] = weakref.WeakValueDictionary()


def remember(native: mtl.Buffer) -> None:
    """Note that arrays in a buffer's memory are about to be given away."""
    _buffers[native.data_ptr] = native


def exported() -> list[mtl.Buffer]:
    """Give the buffers that arrays were given away of."""
    return list(_buffers.values())
