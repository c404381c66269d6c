# SPDX-License-Identifier: MIT
"""A live view on a page, beside what stays of it (``kept.py``); views of a cell that is run again are closed."""

# None of these has types.
# mypy: disable-error-code="import-untyped, misc, unused-ignore"

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import ipywidgets
from IPython.core.getipython import get_ipython
from IPython.display import display

__all__ = ["Shown", "cover", "hiding", "show_live"]

_WIDGET = "application/vnd.jupyter.widget-view+json"


def cover(name: str) -> ipywidgets.Widget:
    """Make a part of a live view that hides what stays of it, with JupyterLab's prompt beside it."""
    return ipywidgets.HTML(f"<style>{hiding(name)}</style>", layout={"display": "none"})


def hiding(name: str) -> str:
    """Give the style that hides what stays of a view."""
    output = ".jp-OutputArea-child"  # what a widget for outputs is in is one, too: the innermost is meant
    around = f"{output}:has(.{name}):not(:has({output} .{name}))"
    return f".{name} {{ display: none; }} {around} {{ display: none; }}"  # a browser may not know the second


def show_live(widget: ipywidgets.Widget) -> None:
    """Show a widget, where a front end can have one, as an output of its own."""
    if not hasattr(get_ipython(), "kernel") or widget.comm is None:
        return
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    # A text would say the same as what stands below it.
    display({_WIDGET: view, "text/plain": ""}, raw=True)  # type: ignore[no-untyped-call]


class Shown:
    """Which cell made a view, and which show it.

    A cell that is run again makes its views anew: those that it made and showed before are closed, unless another cell
    shows them, too.
    """

    def __init__(self, view: Any) -> None:
        self._made_by = _cell()
        self._shown_by: set[str | None] = set()
        shell = get_ipython()
        if self._made_by is not None and shell is not None:
            if _before_cell not in shell.events.callbacks["pre_run_cell"]:
                shell.events.register("pre_run_cell", _before_cell)
            _views.add(view)

    def note(self) -> None:
        """Take note that the cell which runs shows it."""
        self._shown_by.add(_cell())

    def is_left_by(self, cell: str) -> bool:
        """Whether nothing shows it any more when this cell is run again."""
        return self._made_by == cell and self._shown_by == {cell}


_views: WeakSet[Any] = WeakSet()  # of those that a cell has made; each has `_places`, a Shown


def _cell() -> str | None:
    """Give the front end's name of the cell that runs; None where there is none."""
    parent = getattr(get_ipython(), "get_parent", None)  # of a notebook's kernel: the message that it answers
    found = ((parent and parent()) or {}).get("metadata", {}).get("cellId")
    return found if isinstance(found, str) else None


def _before_cell(info: Any) -> None:
    cell = getattr(info, "cell_id", None)
    if cell is None:
        return
    for view in [view for view in _views if view._places.is_left_by(cell)]:
        view.close()
        _views.discard(view)
