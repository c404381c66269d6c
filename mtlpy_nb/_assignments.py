# SPDX-License-Identifier: MIT
"""``NAME=VALUE`` as people write it behind ``-D`` and ``--const``, in a notebook's cell and in a shell."""

from __future__ import annotations

import ast

__all__ = ["constant", "split"]


def split(text: str) -> tuple[str, str | None]:
    """Give the name, and the value's text; None where there is no equals sign.

    Raises
    ------
    ValueError
        If there is no name of Metal's.
    """
    name, equals, value = text.partition("=")
    if not (name.isidentifier() and name.isascii()):
        raise ValueError(f"{text!r} has no name before an equals sign")
    return name, value if equals else None


def constant(text: str) -> bool | int | float | tuple[bool | int | float, ...]:
    """Read a function constant's value: a number, true or false, or a tuple of these for a vector.

    Raises
    ------
    ValueError
        If it is none.
    """
    if text in ("true", "false"):
        return text == "true"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    parts = value if isinstance(value, tuple) else (value,)
    if not parts or not all(isinstance(part, (bool, int, float)) for part in parts):
        raise ValueError(f"{text!r} is no number, truth value or vector")
    return value  # type: ignore[no-any-return]
