# SPDX-License-Identifier: MIT
"""What all live views have: a screen, controls, an error's place, and a picture for where there are no widgets."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

import ipywidgets

from ...errors import CompileError
from ..errors import compile_error_html, error_html
from ..kept import kept_picture, new_name
from ..picture import Bundle, Preview
from .page import Shown, cover, show_live
from .screen import Screen

__all__ = ["View", "close_all"]


def close_all(widget: ipywidgets.Widget, kept: Collection[ipywidgets.Widget] = ()) -> None:
    """Close a widget and those in it, except `kept`; ipywidgets holds each one until it is closed itself."""
    if widget in kept:
        return
    for child in getattr(widget, "children", ()):
        close_all(child, kept)
    widget.close()


class View(ABC):
    """A live picture with its controls.

    Attributes
    ----------
    widget : ipywidgets.Widget
        All of it, to be put into a layout of one's own.
    """

    def __init__(self, controls: Sequence[ipywidgets.Widget], kept: Collection[ipywidgets.Widget] = ()) -> None:
        self._kept = kept  # somebody else's, which are not to be closed
        self._lock = threading.RLock()  # a front end may be answered in a thread beside a cell's (subshells)
        self._screen = Screen(self.refresh)
        self._error = ipywidgets.HTML()
        self._shown: Preview | None = None
        self._page_name = new_name()
        self.widget = ipywidgets.VBox([*controls, self._screen, self._error, cover(self._page_name)])

    @abstractmethod
    def _picture(self) -> Preview:
        """Make the picture as it is now; the lock is held."""

    def snapshot(self) -> Preview:
        """Give the last picture; it needs no widget and no device any more."""
        __tracebackhide__ = True  # of an error in a person's own function, only that is shown
        with self._lock:
            if self._shown is None:
                self._shown = self._picture()
            return self._shown

    @property
    def is_on_a_page(self) -> bool:
        """Whether a browser shows it."""
        return self._screen.is_seen

    def close(self) -> None:
        """Take the widgets away and let go of what they show."""
        close_all(self.widget, self._kept)

    def refresh(self) -> None:
        """Make the picture anew and show it.

        What goes wrong is shown in its place, once: a widget's callback has no cell for it. Ctrl-C ends the cell, too.
        """
        with self._lock:
            try:
                self._shown = self._picture()
                self._put(self._shown)
            except KeyboardInterrupt as error:
                self._failed(error)
                raise
            except Exception as error:  # whatever a person's own function raises
                self._failed(error)
            else:
                self._error.value = ""

    def _put(self, preview: Preview) -> None:
        """Show a picture that was made."""
        self._screen.put(preview)

    def _failed(self, error: BaseException) -> None:
        self._error.value = compile_error_html(error) if isinstance(error, CompileError) else error_html(error)

    def _start(self) -> None:
        """Show the first picture; an error in it is the caller's, who gets no view to close."""
        __tracebackhide__ = True
        try:
            self._put(self.snapshot())
        except BaseException:
            View.close(self)
            raise
        self._places = Shown(self)

    def _ipython_display_(self) -> None:
        self._places.note()
        show_live(self.widget)
        raise NotImplementedError  # what stays follows, as this value's own form

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        return kept_picture(self._page_name, self.snapshot())

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.snapshot().text.splitlines()[0]}"
