# SPDX-License-Identifier: MIT
"""What a function's name means while its cell does not compile with a changed header."""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors import ValidationError

__all__ = ["Broken"]


class Broken:
    """Stands where a kernel or library was, so that nobody runs old code without knowing it."""

    def __init__(self, name: str, header: str) -> None:
        self.__name__ = self.__qualname__ = name
        self._header = header

    def __call__(self, *args: Any, **named: Any) -> NoReturn:
        """Refuse, and say what to do."""
        __tracebackhide__ = True
        raise ValidationError(self._reason())

    def __getitem__(self, name: str) -> NoReturn:
        __tracebackhide__ = True
        raise ValidationError(self._reason())

    def __getattr__(self, name: str) -> NoReturn:
        __tracebackhide__ = True
        if name.startswith("_"):
            raise AttributeError(name)
        raise ValidationError(self._reason())

    def __repr__(self) -> str:
        return f"<{self._reason()}>"

    def _reason(self) -> str:
        return (
            f"{self.__name__} does not compile with the changed {self._header}; "
            "mend its cell or the header, and run that again"
        )
