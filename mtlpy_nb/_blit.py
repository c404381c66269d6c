# SPDX-License-Identifier: MIT
"""Copies of textures in a command buffer of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _native as mtl
from . import _recording
from ._checks import flag
from ._pending import failed
from .errors import ExecutionError

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Blit"]


class Blit:
    """One command buffer of copies: ``with`` gives its encoder, and commits it unless the block failed.

    Parameters
    ----------
    device : Device
    context : str
        What failed, if it does.
    wait : bool
    nbytes : int
        How much it moves.
    is_told : bool
        Whether those who time kernels are told of it: what a call uploads is no work of its kernel.
    """

    def __init__(self, device: Device, context: str, wait: bool, nbytes: int = 0, *, is_told: bool = True) -> None:
        self._device = device
        self._context = context
        self._wait = flag(wait, f"{context}: wait")
        self._nbytes = nbytes
        self._is_told = is_told
        self._commands = device._queue.command_buffer()
        self._encoder = self._commands.blit_command_encoder()

    def __enter__(self) -> mtl.BlitCommandEncoder:
        return self._encoder

    def __exit__(self, kind: object, *rest: object) -> None:
        self._encoder.end_encoding()
        if kind is not None:
            return
        waits_at_once = self._wait and not _recording.recorders
        if not waits_at_once:
            self._commands.commit()
            if self._is_told:
                name = "copy" if self._nbytes else self._context
                _recording.copied(self._device, self._commands, self._nbytes, name)
        pending = self._device._pending
        if not self._wait:
            pending.add(self._commands, self._context)
            return
        try:
            if waits_at_once:
                mtl.commit_and_wait(self._commands)
            else:
                self._commands.wait_until_completed()
        except ExecutionError as error:
            raise failed(self._context, error) from None
        pending.raise_failure()
