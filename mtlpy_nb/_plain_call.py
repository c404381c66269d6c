# SPDX-License-Identifier: MIT
"""The short way of a kernel call that is given whole Buffers and numbers, which is what calls in loops are given.

Whatever it does not know it leaves to the long way, which says what is wrong.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native as mtl
from ._grid import MOST_THREADS, Size, good_threadgroup
from .arguments import Argument
from .buffer import Buffer

if TYPE_CHECKING:
    from ._ready import Ready
    from .device import Device

__all__ = ["NOT_PLAIN", "Plain", "call", "plain_arguments"]

NOT_PLAIN: Any = object()

# Of each argument: the type of its elements' components, how many an element has, what lays out a number for it, and
# whether it is written.
Plain = tuple[tuple["np.dtype[Any] | None", int, "struct.Struct | None", bool], ...]


def plain_arguments(arguments: tuple[Argument, ...]) -> Plain | None:
    """Give what the short way needs of the arguments; None where they are other than buffers of numbers or vectors."""
    for place, argument in enumerate(arguments):
        element = argument.element
        if argument.kind != "buffer" or argument.index != place:
            return None
        if element.scalar is None or len(element.shape) > 1 or element.is_padded:
            return None
    return tuple(
        (
            argument.element.scalar,
            math.prod(argument.element.shape),
            argument.element.packer if argument.takes_value else None,
            argument.is_writable,
        )
        for argument in arguments
    )


def _threads(grid: Any) -> Size | None:
    if type(grid) is int:
        return (grid, 1, 1) if 0 < grid <= MOST_THREADS else None
    if type(grid) is tuple and len(grid) == 2:
        x, y = grid
        if type(x) is int and type(y) is int and 0 < x <= MOST_THREADS and 0 < y <= MOST_THREADS:
            return x, y, 1
    return None


def call(device: Device, ready: Ready, plain: Plain, args: tuple[Any, ...], grid: Any) -> Any:
    """Run the kernel, wait, and give what the call returns; or :data:`NOT_PLAIN`, having done nothing."""
    if len(args) != len(plain):
        return NOT_PLAIN
    buffers: list[Any] = []
    written, elements = None, 0
    for value, (scalar, components, packer, is_writable) in zip(args, plain, strict=True):
        kind = type(value)
        if kind is Buffer:
            memory = value._memory
            if memory is None or value.dtype is not scalar or value._offset or value._device is not device:
                return NOT_PLAIN
            if not value.size or (components != 1 and (not value.shape or value.shape[-1] % components)):
                return NOT_PLAIN
            buffers.append(memory)
            if is_writable:
                if written is not None:  # several results have names
                    return NOT_PLAIN
                written, elements = value, value.size // components
        elif packer is not None and (kind is float or kind is int):
            try:
                buffers.append(packer.pack(value))
            except (struct.error, OverflowError):
                return NOT_PLAIN
        else:
            return NOT_PLAIN
    if grid is None and written is not None and ready.position_rank == 1:
        grid = elements
    threads = _threads(grid)
    if threads is None:
        return NOT_PLAIN
    group = ready.required or good_threadgroup(threads, ready.width, ready.limit)
    mtl.dispatch(device._queue, ready.pipeline, buffers, (), (), (), threads, group, wait=True)
    device._pending.raise_failure()
    return written
