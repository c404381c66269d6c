# SPDX-License-Identifier: MIT
"""Checks of what public calls are given, with one message each."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeVar

from .errors import ArgumentError, ValidationError

__all__ = ["check_callable", "check_type", "event_value", "sizes", "text", "whole"]

_Kind = TypeVar("_Kind")


def check_type(value: object, kind: type[_Kind], what: str) -> None:
    """Refuse what is not a `kind`; `what` names the call and the argument."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise ArgumentError(f"{what} must be {article} {kind.__name__}, got {type(value).__name__}")


def check_callable(value: object, what: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise ArgumentError(f"{what} must be callable, got {type(value).__name__}")


def whole(value: Any, what: str) -> int:
    """Read an int, or a float that is one."""
    try:
        return operator.index(value)
    except TypeError:
        if not isinstance(value, float):
            raise ArgumentError(f"{what} must be an int, got {type(value).__name__}") from None
    if not value.is_integer():
        raise ValidationError(f"{what} is {value}, must be a whole number")
    return int(value)


def event_value(value: Any, what: str) -> int:
    """Read a value of an event."""
    number = whole(value, what)
    if not 0 <= number < 2**63:
        raise ValidationError(f"{what} is {number}, must be 0 to {2**63 - 1}")
    return number


def text(value: object, what: str) -> str:
    """Read text that Metal can take: it must be Unicode, without half of a surrogate pair."""
    if not isinstance(value, str):
        raise ArgumentError(f"{what} must be a str, got {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValidationError(
            f"{what} is no valid Unicode: {value[error.start]!r} at position {error.start} is half of a surrogate pair"
        ) from None
    return value


def sizes(value: Any, what: str) -> tuple[int, ...]:
    """Read the sizes of a shape."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ArgumentError(f"{what} must be a sequence of ints, got {type(value).__name__}")
    return tuple(whole(size, what) for size in value)
