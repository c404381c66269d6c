# SPDX-License-Identifier: MIT
"""A picture in the browser that is drawn anew as often as the browser keeps up."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..picture import Preview
from .packing import Packing

__all__ = ["Screen"]

_MOST_ON_THEIR_WAY = 2  # one is made while the one before it travels; screen.js has the same number
_SOON = 0.9  # of the time between two pictures: until then a picture that another page asks for is the same one


@dataclass(frozen=True)
class _Sent:
    number: int
    is_packed: bool
    size: int
    begun: float


class Screen(anywidget.AnyWidget):  # type: ignore[misc]
    """Shows one Preview after another, of which at most two are on their way.

    The browser answers each picture when it has drawn it. What is wanted while two are on their way is drawn once,
    afterwards: so a browser that lags, or a slider that is dragged, leaves pictures out instead of lining them up.
    Pictures are messages and no part of the widget's state, which is kept, compared and sent as a whole; a browser
    that has none asks for the last one.

    Several browsers, or pages of one, may show it, each of which says how many views it has. All are sent the same
    pictures; the first to have drawn one is the one that is waited for, so that none that sleeps keeps the others.

    Parameters
    ----------
    draw : callable
        Puts the picture as it is now, or leaves the last one.

    Attributes
    ----------
    picture : Preview or None
        The last one.
    number : int
        Of that picture, from 1.
    """

    # The text and not its path, for which anywidget would hold each of them for ever.
    _esm = Path(__file__).with_name("screen.js").read_text(encoding="utf-8")

    ticking = traitlets.Bool(False, help="Whether the browser asks for pictures by itself").tag(sync=True)
    answers = traitlets.Bool(False, help="Whether pixels under the pointer are asked for").tag(sync=True)
    zooms = traitlets.Bool(False, help="Whether wheel, mouse and keys zoom and move").tag(sync=True)
    rate = traitlets.Float(30.0, help="How often it asks, a second at most").tag(sync=True)

    def __init__(self, draw: Callable[[], None], **traits: Any) -> None:
        super().__init__(**traits)
        self.picture: Preview | None = None
        self.number = 0
        self._draw = draw
        self._on_their_way: deque[_Sent] = deque()
        self._packing = Packing()
        self._views: dict[str, int] = {}  # of each browser's page that shows it
        self._wanted = False
        self._ticked: Callable[[tuple[float, float] | None, bool], None] | None = None
        self._asked: Callable[[float, float], str] | None = None
        self._pointer: tuple[tuple[float, float] | None, bool] = (None, False)
        self._paced_by: str | None = None  # the page that asked last, by itself
        self._paced_at = -math.inf
        self.on_msg(self._heard)

    @property
    def is_seen(self) -> bool:
        """Whether a browser shows it."""
        return bool(self._views)

    @property
    def unanswered(self) -> int:
        """How many pictures were sent since the last one that a browser has said to have drawn."""
        return len(self._on_their_way)

    @property
    def is_behind(self) -> bool:
        """Whether another picture is wanted than the last one that was made."""
        return self._wanted

    def want(self) -> None:
        """Draw anew, at once or as soon as a browser that shows it has drawn one of those on their way."""
        self._wanted = True
        if len(self._on_their_way) < _MOST_ON_THEIR_WAY:
            self._next()

    def put(self, preview: Preview) -> None:
        """Show a picture now."""
        self.picture = preview
        self.number += 1
        if self.is_seen:
            self._send_picture(self.picture)

    def on_tick(self, call: Callable[[tuple[float, float] | None, bool], None]) -> None:
        """Call it when the browser asks for a picture: with the pointer's place, 0 to 1, and whether it presses."""
        self._ticked = call

    def on_ask(self, call: Callable[[float, float], str]) -> None:
        """Call it for the words to say of the place under the pointer: (x, y), each from 0 up to 1."""
        self._asked = call
        self.answers = True

    def _next(self) -> None:
        self._wanted = False
        self._draw()

    def _send_picture(self, picture: Preview) -> None:
        begun = time.perf_counter()
        said: dict[str, Any] = {
            "kind": "picture",
            "number": self.number,
            "width": picture.width,
            "height": picture.height,
            "words": picture.text,
        }
        data: bytes | memoryview | None
        pixels = picture._bytes()
        size = 0 if pixels is None else pixels.nbytes
        if pixels is None or pixels.shape[2] != 3 or self._packing.choose(size):
            data, is_packed = picture._quick_png(), True
        else:
            said["pixels"] = [pixels.shape[1], pixels.shape[0]]
            data, is_packed = pixels.reshape(-1).data, False
        self._on_their_way.append(_Sent(self.number, is_packed, size, begun))
        self.send(said, buffers=None if data is None else [data])

    def _count(self, page: str, views: int) -> None:
        """Take note of how many views a page has."""
        if views > 0:
            self._views[page] = views
        else:
            self._views.pop(page, None)
        if not self._views:
            self._on_their_way.clear()

    def _heard(self, _: object, message: Any, __: object) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "views":
            self._count(message["page"], message["views"])
        elif kind == "look":
            self._on_their_way.clear()
            if self.picture is not None:
                self._send_picture(self.picture)
        elif kind in ("drawn", "tick"):
            self._drawn(message.get("drawn"))
            if kind == "tick" and self.ticking and self._ticked is not None:
                self._tick(self._ticked, message)
            elif self._wanted and len(self._on_their_way) < _MOST_ON_THEIR_WAY:
                self._next()
        elif kind == "ask" and self._asked is not None:
            words = self._asked(float(message["x"]), float(message["y"]))
            self.send({"kind": "answer", "words": words, "by": message.get("by")})

    def _tick(self, ticked: Callable[[tuple[float, float] | None, bool], None], message: dict[str, Any]) -> None:
        """Ask for a picture, unless another page has just had one asked for, which this one is sent, too."""
        place, page, now = message.get("place"), message.get("page"), time.perf_counter()
        if place is not None:  # the pointer has moved, on this page
            self._pointer = (float(place[0]), float(place[1])), bool(message.get("pressed"))
        if page != self._paced_by and now - self._paced_at < _SOON / self.rate:
            self.send({"kind": "passed", "page": page})  # it waits for pictures, and the other page may have gone
            return
        self._paced_by, self._paced_at = page, now
        ticked(*self._pointer)

    def _drawn(self, drawn: Any) -> None:
        """Take note of the last picture that a browser has drawn, and those before it."""
        if drawn is None:
            return
        now, number = time.perf_counter(), drawn["number"]
        sent = None
        while self._on_their_way and self._on_their_way[0].number <= number:
            sent = self._on_their_way.popleft()
        if sent is not None and sent.number == number:
            self._packing.took(sent.is_packed, sent.size, now - sent.begun - drawn["ago"] / 1000)
