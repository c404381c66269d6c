# SPDX-License-Identifier: MIT
"""Names that a person gives to objects, for errors, captures and :func:`mtlpy_nb.live_objects`."""

from __future__ import annotations

from ._checks import text as checked_text

__all__ = ["Labelled"]


class Labelled:
    """What has Metal's own object, and that a label."""

    __slots__ = ()

    _labelled: str  # the attribute that holds Metal's own object

    @property
    def label(self) -> str:
        """A name of one's own for it, shown in errors and by :func:`mtlpy_nb.live_objects`; "" until it is set."""
        return str(getattr(self, self._labelled).label or "")

    @label.setter
    def label(self, text: str) -> None:
        getattr(self, self._labelled).label = checked_text(text, f"{type(self).__name__}.label")
