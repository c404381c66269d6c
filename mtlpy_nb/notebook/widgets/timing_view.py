# SPDX-License-Identifier: MIT
"""``TimingView``: a list of the kernels that run, with the time of each dispatch, while one works."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np
from IPython.core.getipython import get_ipython

from ... import _recording
from ..._checks import check_type
from ...device import Device
from ...timing import rate
from ..kept import kept, new_name
from ..picture import Bundle
from ..timing_text import seconds as in_words
from .page import Shown, cover, show_live
from .view import close_all

if TYPE_CHECKING:
    from ..._recording import Submission

__all__ = ["TimingView"]

_PAUSE = 0.25  # seconds between two looks at the list within a cell
# So many times it is drawn at this pace. Then it gets slower: a cell may run for hours after its page was closed, and
# a server keeps what it is sent meanwhile.
_DRAWN_IN_A_CELL = 100
_KEPT = 2048  # of a kernel's last times, for its percentiles
_DRAWN = 64  # of those in the line
_MOST_EVENTS = 100_000  # of a trace
_HEADS = ("kernel", "calls", "last", "median", "90 %", "99 %", "total", "GB/s", "")


@dataclass
class _Row:
    """A kernel's times."""

    calls: int = 0
    total: float = 0.0
    moved: int | None = 0
    times: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def add(self, seconds: float, moved: int | None) -> None:
        self.calls += 1
        self.total += seconds
        self.moved = None if self.moved is None or moved is None else self.moved + moved
        self.times.append(seconds)

    def percentile(self, percent: float) -> float:
        return float(np.percentile(self.times, percent))


class TimingView:
    """A live list of what runs on a device: how often, how long a dispatch takes, how much memory it moves.

    It looks from when it is made; the buttons stop and start it, empty it, and write what it has seen to a file. It is
    drawn anew while kernels are called, and after each cell.

    Parameters
    ----------
    device : Device, optional
        Whose work is listed; default: that of all devices.

    Attributes
    ----------
    widget : ipywidgets.Widget
        All of it, to be put into a layout of one's own.
    """

    def __init__(self, device: Device | None = None) -> None:
        if device is not None:
            check_type(device, Device, "TimingView: device")
        self._device = device
        self._rows: dict[str, _Row] = {}
        self._events: deque[tuple[str, float, float]] = deque(maxlen=_MOST_EVENTS)
        self._recorder = _Recorder(self._count, self._redraw)
        self._table = ipywidgets.HTML()
        self._words = ipywidgets.Label()
        self._look = ipywidgets.ToggleButton(True, description="Stop", icon="stop", tooltip="Look, or look no more")
        buttons = [
            self._look,
            _button("Reset", "trash", "Forget what was seen", self.reset),
            _button("JSON", "download", "Write the list to timing.json", lambda: self._write("timing.json")),
            _button("Trace", "download", "Write a trace to trace.json, for chrome://tracing or Perfetto", self._trace),
        ]
        self._page_name = new_name()
        self.widget = ipywidgets.VBox([ipywidgets.HBox([*buttons, self._words]), self._table, cover(self._page_name)])
        self._look.observe(self._look_changed, "value")
        self._redraw()
        self._recorder.start()
        self._places = Shown(self)

    @property
    def is_looking(self) -> bool:
        """Whether it takes note of what runs."""
        return self._recorder.is_looking

    def start(self) -> None:
        """Look again, beside what it has seen before."""
        self._look.value = True

    def stop(self) -> None:
        """Look no more; what was seen stays."""
        self._look.value = False

    def reset(self) -> None:
        """Forget what was seen."""
        with self._recorder.lock:
            self._recorder.settle()
            self._rows.clear()
            self._events.clear()
            self._redraw()

    def close(self) -> None:
        """Look no more and take the widgets away."""
        self._recorder.stop()
        close_all(self.widget)

    def to_dict(self) -> dict[str, Any]:
        """Give plain numbers and texts by kernel, as for JSON; times are in seconds."""
        with self._recorder.lock:
            self._recorder.settle()
            return {
                name: {
                    "calls": row.calls,
                    "total": row.total,
                    "median": row.percentile(50),
                    "percentile_90": row.percentile(90),
                    "percentile_99": row.percentile(99),
                    "min": min(row.times),
                    "max": max(row.times),
                    "bytes": row.moved,
                    "gb_per_s": rate(row.moved, row.total),
                    "last": list(row.times),
                }
                for name, row in self._rows.items()
            }

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write :meth:`to_dict` as JSON."""
        return _written(path, self.to_dict())

    def export_trace(self, path: str | os.PathLike[str]) -> Path:
        """Write when each dispatch ran, as a trace that chrome://tracing and Perfetto show.

        The format is that of Google's "Trace Event Format": complete events, times in microseconds.
        """
        with self._recorder.lock:
            self._recorder.settle()
            seen = list(self._events)
        first = min((start for _, start, _ in seen), default=0.0)
        events = [
            {"name": name, "ph": "X", "ts": (start - first) * 1e6, "dur": seconds * 1e6, "pid": 1, "tid": 1}
            for name, start, seconds in seen
        ]
        return _written(path, {"traceEvents": events, "displayTimeUnit": "ms"})

    def _count(self, submission: Submission) -> None:
        if self._device is not None and submission.device is not self._device:
            return
        for work, began, ended in submission.intervals():
            self._events.append((work.name, began, ended - began))
            moved = sum(item.moved for item in work.traffic) if work.traffic else None
            self._rows.setdefault(work.name, _Row()).add(ended - began, moved)

    def _redraw(self) -> None:
        with self._recorder.lock:
            self._table.value = self._html()

    def _cells(self) -> list[list[str]]:
        return [
            [
                name,
                str(row.calls),
                *map(in_words, (row.times[-1], *(row.percentile(p) for p in (50, 90, 99)), row.total)),
                "" if (gb := rate(row.moved, row.total)) is None or not row.moved else f"{gb:.3g}",
            ]
            for name, row in sorted(self._rows.items(), key=lambda item: -item[1].total)
        ]

    def _html(self) -> str:
        if not self._rows:
            return "<div>nothing has run yet</div>"
        cell = 'style="padding: 2px 8px; text-align: {}"'.format
        heads = "".join(f"<th {cell('left' if i == 0 else 'right')}>{head}</th>" for i, head in enumerate(_HEADS))
        lines = [_line(list(self._rows[cells[0]].times)[-_DRAWN:]) for cells in self._cells()]
        body = "".join(
            "<tr>"
            + "".join(f"<td {cell('left' if i == 0 else 'right')}>{escape(text)}</td>" for i, text in enumerate(cells))
            + f"<td {cell('left')}>{line}</td></tr>"
            for cells, line in zip(self._cells(), lines, strict=True)
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def _look_changed(self, change: Any) -> None:
        self._look.description, self._look.icon = ("Stop", "stop") if change["new"] else ("Start", "play")
        if change["new"]:
            self._recorder.start()
        else:
            self._recorder.stop()
            self._redraw()

    def _write(self, name: str) -> None:
        self._say(lambda: self.export(name))

    def _trace(self) -> None:
        self._say(lambda: self.export_trace("trace.json"))

    def _say(self, write: Callable[[], Path]) -> None:
        try:
            self._words.value = f"written: {write()}"
        except OSError as error:
            self._words.value = str(error)

    def __repr__(self) -> str:
        with self._recorder.lock:
            self._recorder.settle()
            rows = [list(_HEADS[:-1]), *self._cells()]
        if len(rows) == 1:
            return "nothing has run yet"
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join(
            "  ".join(f"{text:{'>' if i else '<'}{widths[i]}}" for i, text in enumerate(row)).rstrip() for row in rows
        )

    def _ipython_display_(self) -> None:
        self._places.note()
        show_live(self.widget)
        raise NotImplementedError  # what stays follows, as this value's own form

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        with self._recorder.lock:
            text = repr(self)
            self._redraw()
            return {"text/plain": text, "text/html": kept(self._page_name, self._table.value)}, {}


class _Recorder(_recording.Recorder):
    """Gives each command buffer to `count` when it has ended, and calls `redraw` now and then."""

    def __init__(self, count: Callable[[Submission], None], redraw: Callable[[], None]) -> None:
        super().__init__()
        self._count = count
        self._redraw = redraw
        self._settled = self._drawn = 0.0
        self._count_drawn = 0  # within the cell that runs
        # Of all that is counted: a front end may be answered in a thread beside a cell's (subshells).
        self.lock = threading.RLock()
        self._shell = get_ipython()
        self.is_looking = False

    def start(self) -> None:
        if not self.is_looking:
            self.is_looking = True
            _recording.begin(self)
            if self._shell is not None:
                self._shell.events.register("post_run_cell", self._after_cell)

    def stop(self) -> None:
        if self.is_looking:
            self.is_looking = False
            _recording.end(self)
            if self._shell is not None:
                self._shell.events.unregister("post_run_cell", self._after_cell)
        self.settle()

    def add(self, submission: Submission) -> None:
        with self.lock:
            self.submissions.append(submission)
        now = time.perf_counter()
        if threading.current_thread() is not threading.main_thread() or now - self._settled < _PAUSE:
            return
        self._settled = now
        self.settle()
        if now - self._drawn >= _PAUSE * max(self._count_drawn / _DRAWN_IN_A_CELL, 1):
            self._redraw()
            self._drawn = time.perf_counter()
            self._count_drawn += 1

    def settle(self) -> None:
        """Count what has ended."""
        with self.lock:
            for submission in _recording.take_ended(self.submissions):
                self._count(submission)

    def _after_cell(self, _: object) -> None:
        self.settle()
        self._redraw()
        self._count_drawn = 0


def _button(name: str, icon: str, tooltip: str, call: Callable[[], object]) -> ipywidgets.Button:
    made = ipywidgets.Button(description=name, icon=icon, tooltip=tooltip)
    made.on_click(lambda _: call())
    return made


def _line(times: Iterable[float]) -> str:
    """Draw times as a small line from 0 up, in the page's own colour."""
    values = np.fromiter(times, float)
    top = values.max() or 1.0
    xs = np.linspace(1, 99, len(values)) if len(values) > 1 else np.array([50.0])
    points = " ".join(f"{x:.1f},{19 - 18 * value / top:.1f}" for x, value in zip(xs, values, strict=True))
    return (
        '<svg width="100" height="20" role="img" aria-label="the last times">'
        f'<polyline points="{points}" fill="none" stroke="currentColor"/></svg>'
    )


def _written(path: str | os.PathLike[str], data: Any) -> Path:
    made = Path(path)
    made.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return made
