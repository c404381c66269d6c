# SPDX-License-Identifier: MIT
"""Kernel calls under way."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from . import _native as mtl
from ._checks import check_timeout
from .errors import interrupted

__all__ = ["Handle"]

_SLICE = 0.1  # seconds


class Handle:
    """A kernel call that was started with ``wait=False``.

    Arrays given for writable arguments hold the results after :meth:`wait` or ``await``, not before.
    """

    __slots__ = ("__weakref__", "_command_buffer", "_finish", "_result")

    def __init__(self, _command_buffer: mtl.CommandBuffer | None, finish: Callable[[], None], result: Any) -> None:
        self._command_buffer = _command_buffer
        self._finish: Callable[[], None] | None = finish
        self._result = result

    def done(self) -> bool:
        """Whether it has ended, well or badly; never waits."""
        return self._command_buffer is None or self._command_buffer.done()

    def wait(self, timeout: float | None = None) -> Any:
        """Wait for the end and give what the call returns.

        Parameters
        ----------
        timeout : float, optional
            Seconds; None waits as long as it takes.

        Raises
        ------
        TimeoutError
            If it has not ended by then; it goes on.
        ExecutionError
            If it failed.
        """
        check_timeout(timeout, "Handle.wait")
        try:
            ended = self._command_buffer is None or self._command_buffer.wait(timeout)
        except KeyboardInterrupt:
            raise interrupted("what it waited for was stopped") from None
        if not ended:
            raise TimeoutError(f"the kernel has not ended after {timeout} s")
        if self._finish is not None:
            self._finish()
            self._finish = None
        return self._result

    @property
    def gpu_time(self) -> float:
        """Seconds on the device; 0 until it has ended."""
        if self._command_buffer is None or not self._command_buffer.done():
            return 0.0
        return self._command_buffer.gpu_end_time - self._command_buffer.gpu_start_time

    def __await__(self) -> Generator[Any, None, Any]:
        return self._wait_in_loop().__await__()

    async def _wait_in_loop(self) -> Any:
        import asyncio  # here: it takes long, and who awaits has it

        if self._command_buffer is not None and not self._command_buffer.done():
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[None] = loop.create_future()

            def resolve() -> None:
                if not ended.done():
                    ended.set_result(None)

            # The handler runs on Metal's thread.
            def tell(_: mtl.CommandBuffer) -> None:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(resolve)

            self._command_buffer.add_completed_handler(tell)
            try:
                # A signal's handler does not wake a loop that sleeps, so that ipykernel's would cancel nothing.
                while not ended.done():
                    await asyncio.wait([ended], timeout=_SLICE)
            except BaseException:  # cancelled or interrupted: an endless kernel must not block those after it
                mtl.stop(self._command_buffer)
                raise
        return self.wait()

    def __repr__(self) -> str:
        return f"<Handle {'done' if self.done() else 'running'}>"
