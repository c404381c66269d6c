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

    if not hasattr(get_ipython(), "kernel") or find_spec("anywidget") is None:
        return
    from .view import CaptureView

    CaptureView(file)._show()
