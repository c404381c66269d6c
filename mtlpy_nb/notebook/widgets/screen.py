# SPDX-License-Identifier: MIT
"""A picture in the browser that is drawn anew as often as the browser keeps up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..picture import Preview

__all__ = ["Screen"]


class Screen(anywidget.AnyWidget):  # type: ignore[misc]
    """Shows one Preview after another, of which at most one is on its way.

    The browser answers each picture when it has drawn it. What is wanted until then is drawn once, afterwards: so a
    browser that lags, or a slider that is dragged, leaves pictures out instead of lining them up. Answers come behind
    all that the browser has sent before, so the next picture is of the newest state.

    Parameters
    ----------
    draw : callable
        Puts the picture as it is now, or leaves the last one.
    """

    # The text and not its path, for which anywidget would hold each of them for ever.
    _esm = Path(__file__).with_name("screen.js").read_text(encoding="utf-8")

    frame = traitlets.Bytes(b"", help="PNG").tag(sync=True)
    number = traitlets.Int(0, help="Of the picture, from 1").tag(sync=True)
    width = traitlets.Int(0, help="On the screen, in pixels").tag(sync=True)
    height = traitlets.Int(0).tag(sync=True)
    words = traitlets.Unicode("", help="What is said of the picture").tag(sync=True)
    ticking = traitlets.Bool(False, help="Whether the browser asks for pictures by itself").tag(sync=True)
    views = traitlets.Int(0, help="How many of them a browser has on its pages").tag(sync=True)
    answers = traitlets.Bool(False, help="Whether pixels under the pointer are asked for").tag(sync=True)
    zooms = traitlets.Bool(False, help="Whether wheel, mouse and keys zoom and move").tag(sync=True)
    rate = traitlets.Float(30.0, help="How often it asks, a second at most").tag(sync=True)

    def __init__(self, draw: Callable[[], None], **traits: Any) -> None:
        super().__init__(**traits)
        self._draw = draw
        self._under_way = False
        self._wanted = False
        self._ticked: Callable[[tuple[float, float] | None, bool], None] | None = None
        self._asked: Callable[[float, float], str] | None = None
        self.on_msg(self._heard)

    def want(self) -> None:
        """Draw anew, at once or as soon as a browser that shows it has drawn the last picture."""
        self._wanted = True
        if not self._under_way or not self.views:
            self._next()

    def put(self, preview: Preview) -> None:
        """Show a picture now."""
        self._under_way = True
        with self.hold_sync():
            self.frame = preview._quick_png() or b""
            self.width, self.height = preview.width, preview.height
            self.words = preview.text
            self.number += 1

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

    def _heard(self, _: object, message: Any, __: object) -> None:
        kind = message.get("kind") if isinstance(message, dict) else None
        if kind == "drawn" and message["number"] == self.number:
            self._under_way = False
            if self._wanted:
                self._next()
        elif kind == "tick" and self.ticking and self._ticked is not None:
            place = message.get("place")
            self._ticked(None if place is None else (float(place[0]), float(place[1])), bool(message.get("pressed")))
        elif kind == "ask" and self._asked is not None:
            self.send({"kind": "answer", "words": self._asked(float(message["x"]), float(message["y"]))})
