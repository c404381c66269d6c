# SPDX-License-Identifier: MIT
"""Work that nobody waited for: what goes wrong in it is raised by the next call that waits."""

from __future__ import annotations

import threading
from collections import deque

from . import _native as mtl
from .errors import ExecutionError

__all__ = ["Pending", "failed"]

# So many are kept before it is looked which have ended; twice as many as are then under way.
_FEW = 8

_DONE = (mtl.CommandBufferStatus.Completed, mtl.CommandBufferStatus.Error)


class Pending:
    """The command buffers of a device that were committed with ``wait=False``.

    Parameters
    ----------
    is_software : bool
        Whether a kernel of the device can be stopped.
    """

    def __init__(self, is_software: bool) -> None:
        self._is_software = is_software
        self._under_way: deque[tuple[mtl.CommandBuffer, str]] = deque()
        self._enough = _FEW
        self._failure: ExecutionError | None = None
        self._lock = threading.Lock()

    def add(self, command_buffer: mtl.CommandBuffer, what: str = "GPU execution") -> None:
        """Remember a command buffer that was just committed; `what` names its work in an error."""
        with self._lock:
            self._under_way.append((command_buffer, what))
            if len(self._under_way) > self._enough:
                self._look()
                self._enough = max(_FEW, 2 * len(self._under_way))

    def forget(self, command_buffer: mtl.CommandBuffer) -> None:
        """Leave the errors of a command buffer to somebody who waits for it."""
        with self._lock:
            self._under_way = deque(entry for entry in self._under_way if entry[0] is not command_buffer)

    def raise_failure(self) -> None:
        """Raise the first error of what has ended since the last call.

        Raises
        ------
        ExecutionError
        """
        if not self._under_way and self._failure is None:
            return
        with self._lock:
            self._look()
            failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _look(self) -> None:
        """Take out what has ended, keeping the first error and not the memory that it worked on; the lock is held."""
        for _ in range(len(self._under_way)):
            command_buffer, what = self._under_way.popleft()
            if command_buffer.status not in _DONE:
                self._under_way.append((command_buffer, what))
            elif self._failure is None and self._is_failure(command_buffer):
                self._failure = failed(what, command_buffer.error or "unknown error", " (started with wait=False)")

    def _is_failure(self, command_buffer: mtl.CommandBuffer) -> bool:
        if command_buffer.status != mtl.CommandBufferStatus.Error:
            return False
        # What a person has stopped with Ctrl-C is no news.
        return not (self._is_software and command_buffer.error_code == mtl.CommandBufferError.Timeout)


def failed(what: str, error: object, when: str = "") -> ExecutionError:
    """Make the error of work on the device: ``GPU execution failed: ...``."""
    return ExecutionError(f"{what} failed{when}: {error}")
