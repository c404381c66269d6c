# SPDX-License-Identifier: MIT
"""A picture in the browser that is drawn anew as often as the browser keeps up."""

from __future__ import annotations

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
    views = traitlets.Int(0, help="How many of them a browser has on its pages").tag(sync=True)
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
        self._is_seen = False  # by a browser
        self._wanted = False
        self._ticked: Callable[[tuple[float, float] | None, bool], None] | None = None
        self._asked: Callable[[float, float], str] | None = None
        self.observe(self._count_pages, "views")
        self.on_msg(self._heard)

    def want(self) -> None:
        """Draw anew, at once or as soon as a browser that shows it has drawn one of those on their way."""
        self._wanted = True
        if len(self._on_their_way) < _MOST_ON_THEIR_WAY:
            self._next()

    def put(self, preview: Preview) -> None:
        """Show a picture now."""
        self.picture = preview
        self.number += 1
        if self._is_seen:
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

    def _count_pages(self, change: Any) -> None:
        self._is_seen = change["new"] > 0
        if not self._is_seen:
            self._on_their_way.clear()

    def _heard(self, _: object, message: Any, __: object) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "look":
            self._is_seen = True  # what the page says of its views may come later
            self._on_their_way.clear()
            if self.picture is not None:
                self._send_picture(self.picture)
        elif kind in ("drawn", "tick"):
            self._drawn(message.get("drawn"))
            if kind == "tick" and self.ticking and self._ticked is not None:
                place = message.get("place")
                pointed = None if place is None else (float(place[0]), float(place[1]))
                self._ticked(pointed, bool(message.get("pressed")))
            elif self._wanted and len(self._on_their_way) < _MOST_ON_THEIR_WAY:
                self._next()
        elif kind == "ask" and self._asked is not None:
            self.send({"kind": "answer", "words": self._asked(float(message["x"]), float(message["y"]))})

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
