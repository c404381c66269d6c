# SPDX-License-Identifier: MIT
"""The capture view: a frame debugger in the notebook. Needs anywidget, the ``widgets`` extra."""

# Neither has types.
# mypy: disable-error-code="import-untyped, import-not-found, misc, unused-ignore"

from __future__ import annotations

import os
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ....capture import SUFFIX, CaptureFile, load
from ....capture._archive import Source
from ....device import Device
from ....errors import ArgumentError, ResourceError, ValidationError
from ...kept import kept, new_name
from ...picture import Bundle, Preview, words_html
from ..page import Shown, hiding, show_live
from .answers import Answers
from .snapshot import snapshot_of

__all__ = ["CaptureView"]

_FOLDER = Path(__file__).parent / "script"
_MODULES = ("talk", "list", "pictures", "details", "history", "view")
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


@cache
def _script() -> str:
    """Join the modules to the one that a front end loads; each imports those before it only."""
    texts = [(_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _MODULES]
    return "".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


class CaptureView(anywidget.AnyWidget):  # type: ignore[misc]
    """Look at a capture, command by command: what each was given, what it changed, where, and a pixel's history.

    Parameters
    ----------
    source : Device, CaptureFile, path, bytes or binary file object
        With a device, buttons begin and end a capture of what it runs meanwhile. Otherwise a capture, or its file.

    Attributes
    ----------
    capture : CaptureFile or None
        What is looked at.
    selected : int
        Number of the command that is looked at; setting it moves the view.
    is_recording : bool

    Raises
    ------
    OSError
        If there is no such file.
    ValueError
        If it is no capture; if the device is not this package's own: Apple's captures are for Xcode.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    selected = traitlets.Int(0, min=0).tag(sync=True)
    captured = traitlets.Int(0, read_only=True).tag(sync=True)
    can_record = traitlets.Bool(False, read_only=True).tag(sync=True)
    is_recording = traitlets.Bool(False, read_only=True).tag(sync=True)
    problem = traitlets.Unicode("", read_only=True).tag(sync=True)
    hiding = traitlets.Unicode("", read_only=True).tag(sync=True)

    def __init__(self, source: Device | CaptureFile | Source) -> None:
        self.capture: CaptureFile | None = None
        self._answers: Answers | None = None
        self._running: Any = None
        device = source if isinstance(source, Device) else None
        if device is not None and not device.is_software:
            raise ValidationError(
                "CaptureView: on a Mac, captures are Apple's: use device.start_capture(path) and open it with Xcode"
            )
        if not isinstance(source, (Device, CaptureFile, str, os.PathLike, bytes)) and not hasattr(source, "read"):
            raise ArgumentError(f"CaptureView: expected a Device, a capture or its file, got {type(source).__name__}")
        self._device = device
        found = None if device is not None else source if isinstance(source, CaptureFile) else load(source)  # type: ignore[arg-type]
        super().__init__(_esm=_script(), _css=(_FOLDER / "capture.css").read_text(encoding="utf-8"))
        self._page_name = new_name()
        self.set_trait("can_record", device is not None)
        self.on_msg(self._hear)
        self.set_trait("hiding", hiding(self._page_name))
        if found is not None:
            self._look_at(found)
        self._places = Shown(self)

    def _look_at(self, capture: CaptureFile) -> None:
        self.capture = capture
        self._answers = Answers(capture)
        self.set_trait("hiding", hiding(self._page_name) + hiding(capture._page_name))
        self.selected = 0
        self.set_trait("captured", self.captured + 1)

    # ---- on a page ----

    def _show(self) -> None:
        """Show it alive, where a front end can."""
        self._places.note()
        show_live(self)

    def _ipython_display_(self) -> None:
        self._show()
        raise NotImplementedError  # what stays follows, as this value's own form

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle | dict[str, Any]:
        """Give the page of the capture; where there is none yet, words."""
        if self.capture is None:
            return {"text/plain": repr(self), "text/html": kept(self._page_name, words_html(repr(self)))}, {}
        return {"text/plain": str(self.capture), "text/html": self.capture._repr_html_()}, {}

    def __repr__(self) -> str:
        return f"CaptureView: {'nothing is captured yet' if self.capture is None else repr(self.capture)}"

    # ---- recording ----

    def record(self) -> None:
        """Begin a capture; what the Record button does.

        Raises
        ------
        ValueError
            If the view was made with no device.
        RuntimeError
            If a capture is under way.
        """
        if self._device is None:
            raise ValidationError("CaptureView.record: the view was made of a capture; CaptureView(device) records")
        if self._device.is_capturing:
            raise ResourceError("CaptureView.record: a capture is under way; one can be at a time in a process")
        folder = tempfile.TemporaryDirectory(prefix="mtlpy-capture-")
        capture = self._device.start_capture(os.path.join(folder.name, f"view{SUFFIX}"))
        self._running = folder, capture
        self.set_trait("is_recording", True)
        self.set_trait("problem", "")

    def stop(self) -> None:
        """End the capture and look at it; what the Stop button does.

        Raises
        ------
        RuntimeError
            If none was begun here.
        """
        if self._running is None:
            raise ResourceError("CaptureView.stop: nothing is recorded; begin with record()")
        (folder, capture), self._running = self._running, None
        self.set_trait("is_recording", False)
        # The file stays open, and is gone when nobody holds the capture any more.
        with folder:
            capture.stop()
            found = load(capture.path or "")
        found.path = "this view"
        self._look_at(found)

    # ---- the front end ----

    def _hear(self, _: object, question: Any, __: object) -> None:
        """Answer a question of the front end; what is wrong is in the answer: no cell is there to show it."""
        asked = question.get("ask") if isinstance(question, dict) else None
        if asked in ("record", "stop"):
            answer: dict[str, Any] = {"kind": asked, "id": question.get("id")}
            try:
                self.record() if asked == "record" else self.stop()
            except Exception as error:
                answer["error"] = str(error)
            self.send(answer, [])
        elif self._answers is None:
            self.send({"kind": asked, "id": question.get("id"), "error": "nothing was captured yet"}, [])
        else:
            answer, buffers = self._answers.answer(question)
            self.send(answer, buffers)

    def snapshot(self, command: int | None = None) -> Preview:
        """Picture what a command changed, before and after, as it would be in the view; needs no front end.

        Parameters
        ----------
        command : int, optional
            Default: the one that is looked at.

        Raises
        ------
        ValueError
            If there is no such command, or no capture yet.
        """
        if self.capture is None:
            raise ValidationError("CaptureView.snapshot: nothing was captured yet")
        number = self.selected if command is None else command
        if not 0 <= number < len(self.capture):
            raise ValidationError(f"CaptureView.snapshot: command is {number}, must be 0 to {len(self.capture) - 1}")
        return snapshot_of(self.capture[number])

    def close(self) -> None:
        """Take the view away, and let go of the capture."""
        if self._running is not None:
            (folder, capture), self._running = self._running, None
            with folder:
                capture.stop()
        self._answers = None
        self.capture = None
        super().close()
