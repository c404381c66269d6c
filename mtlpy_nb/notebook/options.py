# SPDX-License-Identifier: MIT
"""The first line of a ``%%metal`` cell: options, then a Python expression."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from typing import Any

from IPython.core.error import UsageError

__all__ = ["assignments", "split_line"]

_WORD = re.compile(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""")
_OPTION = re.compile(r"^(?:--\w|-[A-Za-z]$)")


def split_line(line: str, parser: argparse.ArgumentParser) -> tuple[list[str], str]:
    """Split a line into the words of its options and the expression after them.

    Options end at the first word that is none; the rest of the line is the expression as it was written, so that
    ``-1`` and blanks within it stay. ``--`` ends the options by force.

    Raises
    ------
    UsageError
        If an option is unknown or lacks its value.
    """
    actions = {option: action for action in parser._actions for option in action.option_strings}
    words: list[str] = []
    position = 0
    while match := _WORD.match(line, _skip_blanks(line, position)):
        word = match.group()
        if word == "--":
            position = match.end()
            break
        name, _, attached = word.partition("=")
        action = actions.get(name) or actions.get(word)
        if action is None and word[:2] in actions and not word.startswith("--") and len(word) > 2:
            action, attached = actions[word[:2]], word[2:]  # -DNAME=VALUE
        if action is None:
            if _OPTION.match(word):
                raise UsageError(f"%%metal has no option {word}; see %%metal? for those it has")
            break
        words.append(_unquote(word))
        position = match.end()
        if action.nargs == 0 or attached:
            continue
        value = _WORD.match(line, _skip_blanks(line, position))
        if value is None:
            raise UsageError(f"%%metal: option {word} needs a value")
        words.append(_unquote(value.group()))
        position = value.end()
    return words, line[position:].strip()


def assignments(items: list[str] | None, option: str) -> dict[str, Any]:
    """Read ``NAME=VALUE`` options; values are Python literals where they look like one, else text.

    Raises
    ------
    UsageError
        If there is no name.
    """
    found: dict[str, Any] = {}
    for item in items or []:
        name, equals, text = item.partition("=")
        if not name.isidentifier():
            raise UsageError(f"%%metal: {option} takes NAME=VALUE, got {item!r}")
        found[name] = _literal(text) if equals else 1
    return found


def _literal(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _skip_blanks(line: str, position: int) -> int:
    while position < len(line) and line[position].isspace():
        position += 1
    return position


def _unquote(word: str) -> str:
    return "".join(shlex.split(word)) if "'" in word or '"' in word else word
