# SPDX-License-Identifier: MIT
"""Checks of what public calls are given, with one message each."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeVar

from .errors import ArgumentError, ValidationError

__all__ = ["check_callable", "check_type", "sizes", "whole"]

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


def sizes(value: Any, what: str) -> tuple[int, ...]:
    """Read the sizes of a shape."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ArgumentError(f"{what} must be a sequence of ints, got {type(value).__name__}")
    return tuple(whole(size, what) for size in value)
