# SPDX-License-Identifier: MIT
"""What all live views have: a screen, controls, an error's place, and a picture for where there are no widgets."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets

from ...errors import CompileError
from ..errors import compile_error_html, error_html
from ..picture import Bundle, Preview
from .screen import Screen

__all__ = ["View"]


class View:
    """A live picture with its controls.

    Attributes
    ----------
    widget : ipywidgets.Widget
        All of it, to be put into a layout of one's own.
    """

    def __init__(self, controls: Sequence[ipywidgets.Widget]) -> None:
        self._screen = Screen(self.refresh)
        self._error = ipywidgets.HTML()
        self._shown: Preview | None = None
        self.widget = ipywidgets.VBox([*controls, self._screen, self._error])

    def _picture(self) -> Preview:
        """Make the picture as it is now."""
        raise NotImplementedError

    def snapshot(self) -> Preview:
        """Give the last picture; it needs no widget and no device any more."""
        if self._shown is None:
            self._shown = self._picture()
        return self._shown

    @property
    def is_on_a_page(self) -> bool:
        """Whether a browser shows it."""
        return bool(self._screen.views)

    def close(self) -> None:
        """Take the widgets away and let go of what they show."""
        self._screen.close()
        self.widget.close()

    def refresh(self) -> None:
        """Make the picture anew and show it.

        What goes wrong is shown in its place, once: a widget's callback has no cell for it.
        """
        try:
            self._shown = self._picture()
        # Whatever a person's own function raises, Ctrl-C in an endless kernel too.
        except (Exception, KeyboardInterrupt) as error:
            self._failed(error)
            return
        self._error.value = ""
        self._put(self._shown)

    def _put(self, preview: Preview) -> None:
        """Show a picture that was made."""
        self._screen.put(preview)

    def _failed(self, error: BaseException) -> None:
        self._error.value = compile_error_html(error) if isinstance(error, CompileError) else error_html(error)

    def _start(self) -> None:
        """Show the first picture; an error in it is the caller's."""
        self._put(self.snapshot())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        data, metadata = self.snapshot()._repr_mimebundle_()
        live = self.widget._repr_mimebundle_() or {}
        return {**live, **data}, metadata

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.snapshot().text.splitlines()[0]}"
