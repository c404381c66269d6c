# SPDX-License-Identifier: MIT
"""The first line of a ``%%metal`` cell: options, then a Python expression."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from IPython.core.error import UsageError

from .._assignments import constant, split

__all__ = ["Place", "constants", "macros", "options_of", "parse_line", "place_in", "short"]

_WORD = re.compile(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""")
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
_OPTION = re.compile(r"^(?:--\w|-[A-Za-z]$)")
_LONGEST = 60


@dataclass(frozen=True)
class Place:
    """Where a cursor stands in such a line.

    Attributes
    ----------
    kind : str
        ``"option"``, ``"value"`` or ``"expression"``.
    word : str
        What of it is written before the cursor.
    action : argparse.Action or None
        The option whose value it is.
    """

    kind: str
    word: str
    action: argparse.Action | None = None


@dataclass(frozen=True)
class _Item:
    """An option with its value, also `raw` as it stands in the line; `value` is None where it is not written yet."""

    name: str
    action: argparse.Action
    value: str | None
    raw: str
    end: int


def parse_line(line: str, parser: argparse.ArgumentParser, magic: str = "%%metal") -> tuple[argparse.Namespace, str]:
    """Split a line into the options' values and the expression after them.

    Options end at the first word that is none; the rest of the line is the expression as it was written, so that
    ``-1`` and blanks within it stay. ``--`` ends the options by force.

    Raises
    ------
    UsageError
        If an option is unknown, lacks its value or has a wrong one.
    """
    found = parser.parse_args([])
    position = 0
    for item in _items(line, parser, magic):
        position = item.end
        unread = line[position : position + 1]
        if (item.value is None and line[position:].strip()) or (unread and not unread.isspace()):
            raise UsageError(f"{magic}: a quote is not closed: {short(line[position:].strip())}")
        if item.value is None:
            raise UsageError(f"{magic}: option {item.name} needs a value")
        item.action(parser, found, _checked(item, magic), item.name)
    rest = line[position:].strip()
    return found, re.sub(r"^--(?=\s|$)", "", rest).strip()


def place_in(line: str, parser: argparse.ArgumentParser) -> Place:
    """Find what is being written at the end of `line`."""
    position = 0
    try:
        for item in _items(line, parser, ""):
            position = item.end
            rest = line[position:]
            if item.action.nargs == 0 or (item.value is None and not rest):
                if not rest:
                    return Place("option", item.name)
            elif item.value is None or (rest and not rest[0].isspace()):  # a quote is open
                return Place("value", item.raw + rest.lstrip(), item.action)
            elif not rest:
                return Place("value", item.raw, item.action)
    except UsageError:
        return Place("option", re.split(r"\s", line)[-1])
    rest = line[position:].lstrip()
    return Place("option" if re.match(r"-[\w-]*$", rest) else "expression", rest)


def options_of(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    """List a magic's options and what each does."""
    return [(name, action.help or "") for action in parser._actions for name in action.option_strings]


def macros(items: Sequence[str] | None) -> dict[str, str | int]:
    """Read the ``NAME=VALUE`` of ``-D``; a value stays the text it is, and is 1 where there is none.

    Raises
    ------
    UsageError
        If there is no name.
    """
    pairs = [_pair(item, "-D") for item in items or ()]
    return {name: 1 if text is None else text for name, text in pairs}


def constants(items: Sequence[str] | None) -> dict[str, Any]:
    """Read the ``NAME=VALUE`` of ``--const``: numbers, true and false, tuples of these for vectors.

    Raises
    ------
    UsageError
        If there is no name or no such value.
    """
    found: dict[str, Any] = {}
    for name, text in (_pair(item, "--const") for item in items or ()):
        try:
            found[name] = constant(text or "")
        except ValueError:
            shown = "" if text is None else f", got {short(text)}"
            raise UsageError(
                f"%%metal: --const {name}= takes a number, true, false or a tuple of these{shown}"
            ) from None
    return found


def _items(line: str, parser: argparse.ArgumentParser, magic: str) -> Iterator[_Item]:
    actions = {option: action for action in parser._actions for option in action.option_strings}
    position = 0
    while match := _WORD.match(line, _skip_blanks(line, position)):
        word = match.group()
        name, equals, raw = word.partition("=")
        if word == "--":
            return
        if name not in actions and word[:2] in actions and not word.startswith("--"):  # -DNAME=VALUE
            name, equals, raw = word[:2], "=", word[2:]
        if name not in actions:
            if _OPTION.match(word):
                raise UsageError(f"{magic} has no option {short(word)}; see {magic}? for those it has")
            return
        action, position = actions[name], match.end()
        is_given = bool(equals)
        if action.nargs == 0 and is_given:
            raise UsageError(f"{magic}: option {name} takes no value, got {short(raw)}")
        if action.nargs == 0:
            is_given = True
        elif not is_given:
            following = _WORD.match(line, _skip_blanks(line, position))
            if following:
                is_given, raw, position = True, following.group(), following.end()
        yield _Item(name, action, _unquote(raw) if is_given else None, raw, position)


def _checked(item: _Item, magic: str) -> Any:
    """Give an option's value in its type, as argparse would, but with a message in the project's own words."""
    action, value = item.action, item.value
    if action.nargs == 0:
        return []
    assert value is not None
    if callable(action.type):
        try:
            return action.type(value)
        except (ValueError, argparse.ArgumentTypeError) as error:
            expected = "a whole number" if action.type is int else str(error)
            raise UsageError(f"{magic}: option {item.name} takes {expected}, got {short(value)}") from None
    if action.choices is not None and value not in action.choices:
        *first, last = action.choices
        known = f"{', '.join(first)} or {last}"
        raise UsageError(f"{magic}: option {item.name} takes {known}, got {short(value)}")
    return value


def _pair(item: str, option: str) -> tuple[str, str | None]:
    try:
        return split(item)
    except ValueError:
        raise UsageError(f"%%metal: {option} takes NAME=VALUE, got {short(item)}") from None


def _skip_blanks(line: str, position: int) -> int:
    while position < len(line) and line[position].isspace():
        position += 1
    return position


def _unquote(word: str) -> str:
    return _QUOTED.sub(lambda match: match[1] if match[1] is not None else match[2], word)


def short(text: str) -> str:
    """Quote what was given, cut where it is long."""
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...")
