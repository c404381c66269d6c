# SPDX-License-Identifier: MIT
"""Names of mtlpy's own that are private there, and that programs and tests reach for all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _elementwise
from . import _native as mtl

if TYPE_CHECKING:
    from .buffer import Buffer
    from .device import Device

__all__ = ["MtlpyNames"]

_Source = Callable[[str], str]


class _Dev:
    """mtlpy's inner device: copies between the inner buffers of Buffers."""

    __slots__ = ("_device",)

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def mtl_ptr(self) -> int:
        return self._device.mtl_ptr

    def copy_buffer(
        self, src: mtl.Buffer, src_offset: int, dst: mtl.Buffer, dst_offset: int, size_bytes: int, wait: bool
    ) -> None:
        copy = mtl.copy(self._device._queue, src, src_offset, dst, dst_offset, size_bytes, wait=wait)
        if not wait:
            self._device._pending.add(copy)


class MtlpyNames:
    """What :class:`Device` has under mtlpy's private names."""

    __slots__ = ()

    @property
    def _dev(self: Device) -> _Dev:  # type: ignore[misc]
        return _Dev(self)

    def _binary_op(  # type: ignore[misc]
        self: Device, name: str, shader_fn: _Source, a: Buffer, b: Buffer, out: Buffer | None = None
    ) -> Buffer:
        _elementwise.check_alike(a, b)
        return _elementwise.apply(name, shader_fn, a, b._binding, a.dtype, out)

    def _scalar_op(  # type: ignore[misc]
        self: Device, name: str, shader_fn: _Source, a: Buffer, scalar: Any, out: Buffer | None = None
    ) -> Buffer:
        return _elementwise.apply(name, shader_fn, a, _elementwise.scalar_bytes(scalar, a.dtype), a.dtype, out)

    def _negate_op(self, a: Buffer) -> Buffer:
        return _elementwise.negate(a)

    def _compare_op(self: Device, name: str, shader_fn: _Source, a: Buffer, b: Buffer) -> Buffer:  # type: ignore[misc]
        _elementwise.check_alike(a, b)
        return _elementwise.apply(name, shader_fn, a, b._binding, np.dtype(bool), None)

    def _compare_scalar_op(  # type: ignore[misc]
        self: Device, name: str, shader_fn: _Source, a: Buffer, scalar: Any
    ) -> Buffer:
        return _elementwise.apply(name, shader_fn, a, _elementwise.scalar_bytes(scalar, a.dtype), np.dtype(bool), None)
