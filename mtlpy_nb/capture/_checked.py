# SPDX-License-Identifier: MIT
"""Reading what a file claims: everything is looked at before it is believed."""

from __future__ import annotations

from typing import Any

from ..errors import ValidationError

__all__ = ["Fields", "damaged"]

MOST = 2**63 - 1
_MISSING: Any = object()


def damaged(what: str) -> ValidationError:
    """Make the error of a file that is no capture, or a damaged one."""
    return ValidationError(f"damaged capture: {what}")


class Fields:
    """The members of a JSON object, each taken as what it must be.

    Parameters
    ----------
    value : object
        What was read.
    where : str
        For messages, such as ``"commands.json[3]"``.
    """

    __slots__ = ("_members", "where")

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise damaged(f"{where} is {_kind(value)}, expected an object")
        self._members = value
        self.where = where

    def __contains__(self, name: str) -> bool:
        return self._members.get(name) is not None

    def _take(self, name: str, kinds: tuple[type, ...], words: str, default: Any) -> Any:
        value = self._members.get(name, default)
        if value is _MISSING:
            raise damaged(f"{self.where} has no {name!r}")
        if value is default:
            return value
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise damaged(f"{self.where}: {name!r} is {_kind(value)}, expected {words}")
        return value

    def text(self, name: str, default: Any = _MISSING) -> str:
        """Take a string."""
        return str(self._take(name, (str,), "a text", default))

    def integer(self, name: str, below: int = MOST, default: Any = _MISSING) -> int:
        """Take a whole number from 0 to `below` - 1."""
        value = self._take(name, (int,), "a whole number", default)
        if value is not default and not 0 <= value < below:
            raise damaged(f"{self.where}: {name!r} is {value}, must be 0 to {below - 1}")
        return value  # type: ignore[no-any-return]

    def optional_integer(self, name: str, below: int = MOST) -> int | None:
        """Take the same, or None where it is missing."""
        return self.integer(name, below) if name in self else None

    def number(self, name: str, default: Any = _MISSING) -> float:
        """Take a number."""
        return float(self._take(name, (int, float), "a number", default))

    def optional_number(self, name: str) -> float | None:
        """Take the same, or None where it is missing."""
        return self.number(name) if name in self else None

    def flag(self, name: str, default: Any = _MISSING) -> bool:
        """Take true or false."""
        return bool(self._take(name, (bool,), "true or false", default))

    def items(self, name: str, default: Any = _MISSING) -> list[Any]:
        """Take a list of anything."""
        found: list[Any] = self._take(name, (list,), "a list", default)
        return found

    def objects(self, name: str, default: Any = _MISSING) -> list[Fields]:
        """Take a list of objects."""
        return [Fields(value, f"{self.where}.{name}[{i}]") for i, value in enumerate(self.items(name, default))]

    def object(self, name: str) -> Fields:
        """Take an object."""
        return Fields(self._take(name, (dict,), "an object", _MISSING), f"{self.where}.{name}")

    def texts(self, name: str, default: Any = _MISSING) -> tuple[str, ...]:
        """Take a list of strings."""
        values = self.items(name, default)
        for value in values:
            if not isinstance(value, str):
                raise damaged(f"{self.where}: {name!r} holds {_kind(value)}, expected texts")
        return tuple(values)

    def integers(self, name: str, below: int = MOST, default: Any = _MISSING) -> tuple[int, ...]:
        """Take a list of whole numbers from 0 to `below` - 1."""
        values = self.items(name, default)
        for value in values:
            if type(value) is not int or not 0 <= value < below:
                raise damaged(f"{self.where}: {name!r} holds {value!r:.40}, must be 0 to {below - 1}")
        return tuple(values)

    def sizes(self, name: str) -> tuple[int, int, int]:
        """Take three whole numbers."""
        values = self.integers(name, 2**64)
        if len(values) != 3:
            raise damaged(f"{self.where}: {name!r} has {len(values)} numbers, expected 3")
        return values[0], values[1], values[2]

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """Take one of some texts."""
        value = self.text(name)
        if value not in allowed:
            raise damaged(f"{self.where}: {name!r} is {value!r:.60}")
        return value

    def raw(self, name: str) -> Any:
        """Take a member as it was read; None where it is missing."""
        return self._members.get(name)

    def members(self) -> dict[str, Any]:
        """Take all members as they were read."""
        return dict(self._members)

    def mapping(self, name: str) -> dict[str, str]:
        """Take an object whose members are texts."""
        members = self.object(name)
        return {key: members.text(key) for key in members._members}


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return names.get(type(value), type(value).__name__)
