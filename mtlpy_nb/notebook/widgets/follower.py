# SPDX-License-Identifier: MIT
"""Draws a view anew when work on the device has ended."""

from __future__ import annotations

import threading
import time

from IPython.core.getipython import get_ipython

from ... import _recording
from .view import View

__all__ = ["Follower"]

_PAUSE = 0.1  # seconds between two pictures within a cell, where the browser's answers may not be read
# So many are sent at this pace without an answer. Then it gets slower: a cell may run for hours after its page was
# closed, and a server keeps what it is sent meanwhile.
_UNANSWERED = 25


class Follower(_recording.Recorder):
    """Refreshes `view` behind each call that has waited for its kernel, and behind each cell, while a page shows it."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view
        self._is_drawing = False
        self._drawn = 0.0
        self._shell = get_ipython()
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)
        _recording.begin(self)

    def stop(self) -> None:
        """Follow no more."""
        _recording.end(self)
        if self._shell is not None and self._after_cell in self._shell.events.callbacks["post_run_cell"]:
            self._shell.events.unregister("post_run_cell", self._after_cell)

    def add(self, submission: _recording.Submission) -> None:
        """Refresh if the work is done; a widget speaks on the main thread only."""
        if self._is_drawing or not self._view.is_on_a_page:
            return
        if threading.current_thread() is not threading.main_thread() or not submission.command_buffer.done():
            return
        # A call does not wait for a picture that another thread makes.
        if time.perf_counter() - self._drawn >= self._pause() and self._view._lock.acquire(blocking=False):
            self._is_drawing = True  # reading the image is work on the device, too
            try:
                self._view.refresh()
            finally:
                self._view._lock.release()
                self._is_drawing = False
                self._drawn = time.perf_counter()

    def _pause(self) -> float:
        return _PAUSE * max(self._view._screen.unanswered / _UNANSWERED, 1)

    def _after_cell(self, _: object) -> None:
        if self._view.is_on_a_page:
            self._view._screen.want()
