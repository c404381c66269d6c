# SPDX-License-Identifier: MIT
"""Whether a capture that a cell shows comes alive: in a notebook's kernel, where anywidget is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....capture import CaptureFile

__all__ = ["show_view"]


def show_view(file: CaptureFile) -> None:
    """Show the capture view, where a front end can have one."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if not hasattr(shell, "kernel") or find_spec("anywidget") is None:
        return
    from IPython.display import display

    from .view import CaptureView

    view = CaptureView(file)
    # Its own text would say the same as the page below it, where no widget can be shown.
    widget = view._repr_mimebundle_()
    data = dict(widget[0] if isinstance(widget, tuple) else widget or {}, **{"text/plain": ""})
    display(data, raw=True)  # type: ignore[no-untyped-call]
