# SPDX-License-Identifier: MIT
"""Checks of what public calls are given, with one message each."""

from __future__ import annotations

import numbers
import operator
import os
from collections.abc import Iterable
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from .errors import ArgumentError, ValidationError

__all__ = [
    "MOST_SIZES",
    "MOST_VALUE",
    "check_callable",
    "check_same_device",
    "check_timeout",
    "check_type",
    "event_value",
    "flag",
    "integer_in",
    "path_text",
    "sizes",
    "text",
    "whole",
]

MOST_VALUE = 2**63 - 1  # of an event, and of what is counted in bytes

# NumPy's own limit is less. A range may have more than there is memory for.
MOST_SIZES = 64

_Kind = TypeVar("_Kind")


def check_type(value: object, kind: type[_Kind], what: str) -> None:
    """Refuse what is not a `kind`; `what` names the call and the argument."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOUaeiou" else "a"
        raise ArgumentError(f"{what} must be {article} {kind.__name__}, got {type(value).__name__}")


def check_callable(value: object, what: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise ArgumentError(f"{what} must be callable, got {type(value).__name__}")


def path_text(path: Any, what: str) -> str:
    """Read a path that Metal is to be given."""
    try:
        return text(os.fsdecode(path), what)
    except TypeError as error:
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{what} must be a path, got {type(path).__name__}") from None


def check_timeout(value: object, what: str) -> None:
    """Refuse what is neither a number of seconds nor None."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, numbers.Real)):
        raise ArgumentError(f"{what}: timeout must be seconds or None, got {type(value).__name__}")


def check_same_device(value: Any, device: object, what: str) -> None:
    """Refuse what another Device has made."""
    if value._device is not device:
        raise ValidationError(
            f"{what} belongs to a different Device instance -- Metal does not allow sharing resources across "
            "MTLDevice objects"
        )


def integer_in(value: Any, what: str, least: int, most: int) -> int:
    """Read an int from `least` to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{what} must be an int, got {type(value).__name__}") from None
    if not least <= number <= most:
        raise ValidationError(f"{what} is {number}, must be {least} to {most}")
    return number


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
    return integer_in(whole(value, what), what, 0, MOST_VALUE)


def flag(value: Any, what: str) -> bool:
    """Read True or False, or a number that says the same."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    raise ArgumentError(f"{what} must be True or False, got {type(value).__name__}")


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
    found = tuple(whole(size, what) for size in islice(value, MOST_SIZES + 1))
    if len(found) > MOST_SIZES:
        raise ValidationError(f"{what} has more than {MOST_SIZES} sizes")
    return found
