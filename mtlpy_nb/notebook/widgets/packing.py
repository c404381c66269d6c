# SPDX-License-Identifier: MIT
"""Whether the pictures of a live view travel packed, chosen by how long each way takes."""

from __future__ import annotations

import statistics
from collections import deque

__all__ = ["Packing"]

_SMALL, _LARGE = 1 << 16, 1 << 23  # bytes: below, packing saves nothing; above, a slow line would be blocked too long
_KEPT = 6  # times of each way
_TRIED = 4  # pictures in a row; the first ones of them wait for pictures of the other way
_AFTER = 2  # pictures until it is known when the tried ones were seen
_FIRST_PAUSE, _LONGEST_PAUSE = 8, 1024  # pictures until the other way is tried
_GAIN = 0.9  # of the time, for which it is worth to change


class Packing:
    """Chooses for each picture whether its bytes are packed or travel as they are.

    On one machine packing takes longer than the bytes need; over a slow line it is the other way round. Both ways are
    tried, and the one whose pictures are seen sooner is kept. The other is tried again, ever more seldom, since lines
    and machines change.
    """

    def __init__(self) -> None:
        self._packs = True  # few bytes: what is wrong with the other way costs more
        self._times = {True: deque[float](maxlen=_KEPT), False: deque[float](maxlen=_KEPT)}
        self._pause = _FIRST_PAUSE
        self._left = self._pause + _TRIED + _AFTER

    def choose(self, size: int) -> bool:
        """Say whether to pack the next picture, of `size` bytes."""
        if not _SMALL < size <= _LARGE:
            return size > _LARGE
        if self._left == 0:
            self._decide()
            self._left = self._pause + _TRIED + _AFTER
        if self._left == _TRIED + _AFTER:
            self._times[not self._packs].clear()
        tries = _AFTER < self._left <= _TRIED + _AFTER
        self._left -= 1
        return self._packs != tries

    def took(self, is_packed: bool, size: int, seconds: float) -> None:
        """Take note of a picture that has been seen so long after it was begun."""
        if _SMALL < size <= _LARGE:
            self._times[is_packed].append(seconds / size)

    def _decide(self) -> None:
        """Go over to the way that was tried if it was faster."""
        kept, tried = list(self._times[self._packs]), list(self._times[not self._packs])[-_TRIED // 2 :]
        if kept and tried and statistics.median(tried) < _GAIN * statistics.median(kept):
            self._packs = not self._packs
            self._pause = _FIRST_PAUSE
        else:
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
