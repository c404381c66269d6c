# SPDX-License-Identifier: MIT
"""Keeps ``Out[]`` from holding the device's memory: what a cell showed stays, as a picture."""

from __future__ import annotations

import weakref
from typing import Any, TypeAlias

from IPython.core.interactiveshell import InteractiveShell

from .. import _native as mtl
from ..buffer import Buffer
from ..texture import Texture
from .picture import Bundle, Preview
from .preview import preview_of

__all__ = ["History"]

_Value: TypeAlias = "Buffer | Texture | mtl.Texture"
_KINDS = (Buffer, Texture, mtl.Texture)
_DISPLAYS = (mtl.MetalLayer, mtl.MetalDrawable)  # what they show changes, so they stay what they are
_LAST, _EARLIER = "_", ("__", "___")


class History:
    """After each cell, puts a Preview in the place of a Buffer or Texture that IPython has kept.

    IPython keeps the value of every cell, as ``Out[3]`` and ``_3``. Buffers and Textures are large, and nobody sees
    that they are still there; a name that the person gave to one keeps it as ever. ``_`` is the value itself until
    another cell shows one.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        # By the cell that runs, and what is `_`; weakly, for a loop may show very many.
        self._shown: list[tuple[weakref.ref[_Value], Preview]] = []

    def add(self) -> None:
        """Begin."""
        for kind in _KINDS:
            self._formatter().for_type(kind, self._show)
        for display in _DISPLAYS:
            self._formatter().for_type(display, lambda x: preview_of(x)._repr_mimebundle_())
        self._shell.events.register("post_run_cell", self._after_cell)

    def remove(self) -> None:
        """End."""
        for shown in (*_KINDS, *_DISPLAYS):
            self._formatter().pop(shown, None)
        self._shell.events.unregister("post_run_cell", self._after_cell)
        self._shown.clear()

    def _formatter(self) -> Any:
        assert self._shell.display_formatter is not None
        return self._shell.display_formatter.mimebundle_formatter

    def _show(self, x: _Value) -> Bundle:
        preview = preview_of(x)
        self._shown = [(value, kept) for value, kept in self._shown if value() is not None]
        self._shown.append((weakref.ref(x), preview))
        return preview._repr_mimebundle_()

    def _after_cell(self, _: object) -> None:
        names = self._shell.user_ns
        for reference, preview in self._shown:
            value = reference()
            if value is not None:
                self._put(preview, value)
        last = names.get(_LAST)
        self._shown = [(value, preview) for value, preview in self._shown if last is not None and value() is last]

    def _put(self, preview: Preview, value: _Value) -> None:
        names = self._shell.user_ns
        outputs: dict[Any, Any] = names.get("_oh", {})
        numbers = [number for number, kept in outputs.items() if kept is value]
        for number in numbers:
            outputs[number] = preview
        for places in (names, self._shell.user_ns_hidden, vars(self._shell.displayhook)):
            for name in (*_EARLIER, *(f"_{number}" for number in numbers)):
                if places.get(name) is value:
                    places[name] = preview
