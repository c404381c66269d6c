# SPDX-License-Identifier: MIT
"""The heap that a Device keeps for copies between Python's memory and what only the device reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .errors import ResourceError
from .heap import make_heap
from .utils import StorageMode, to_numpy

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

__all__ = ["clear_staging_heap", "staging_buffer"]


def staging_buffer(device: Device, n_elements: int, dtype: npt.DTypeLike) -> Buffer:
    """Give a shared Buffer of the device's staging heap, which is made larger where it has no room."""
    heap = device._staging_heap
    if heap is not None:
        try:
            return heap.empty(n_elements, dtype)
        except ResourceError:
            pass
    # What is still in the old heap keeps its block; the heap itself is not needed again.
    needed = int(n_elements) * np.dtype(to_numpy(dtype)).itemsize
    heap = make_heap(device, max(needed, heap.size if heap else 0), StorageMode.SHARED, weak=True)
    device._staging_heap = heap
    return heap.empty(n_elements, dtype)


def clear_staging_heap(device: Device) -> int:
    """Let the staging heap go; the bytes of it, 0 where there was none."""
    heap, device._staging_heap = device._staging_heap, None
    return heap.size if heap is not None else 0
