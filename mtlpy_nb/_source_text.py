# SPDX-License-Identifier: MIT
"""Places in Metal source, found without a compiler: a function's own text, the word at a cursor."""

from __future__ import annotations

import re

__all__ = ["function_text", "is_in_attribute", "word_at"]

_HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)
# What an instantiation names: `decltype(add<half>) add<half>` or `void add<float>(device float*)`.
_DECLARED = re.compile(r"\bdecltype\s*\(\s*(\w+)|\b(\w+)\s*(?:<[^()]*>)?\s*\(")
_COMMENT_ABOVE = re.compile(
    r"(?:(?:^[ \t]*//[^\n]*\n)+|^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n)\Z", re.DOTALL | re.MULTILINE
)


def function_text(source: str, name: str) -> str:
    """Give a function's declaration and body with the comment above it; empty where it is not found.

    A name that an explicit instantiation gives (``[[host_name("...")]]``) finds its template and the instantiation.
    """
    # Comments, strings and directives hide nothing from a search for names and braces.
    plain = _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)
    host = re.search(rf'\bhost_name\s*\(\s*"{re.escape(name)}"\s*\)', source)
    if host is None:
        return _definition(source, plain, name)
    end = re.compile(r"[;{]").search(plain, host.end())
    declared = _DECLARED.search(plain, plain.find("]]", host.end()) + 2)
    if end is None or declared is None:
        return ""
    text = _definition(source, plain, declared[1] or declared[2])
    is_instantiation = bool(text) and end.group() == ";"
    return f"{text}\n\n{source[_begin(plain, host.start()) : end.end()]}" if is_instantiation else text


def word_at(text: str, place: int) -> tuple[int, int]:
    """Find where the word of a line begins and ends that a place, counted from 0, is in or beside."""
    begin = end = min(max(place, 0), len(text))
    while begin > 0 and _is_of_word(text[begin - 1]):
        begin -= 1
    while end < len(text) and _is_of_word(text[end]):
        end += 1
    return begin, end


def is_in_attribute(before: str) -> bool:
    """Whether what stands before a place in a line opens ``[[`` and does not close it."""
    opened = before.rfind("[[")
    return opened >= 0 and "]]" not in before[opened:]


def _is_of_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _definition(source: str, plain: str, name: str) -> str:
    for match in re.finditer(rf"\b{re.escape(name)}\s*\(", plain):
        end = _close(plain, match.end() - 1)
        body = re.match(r"(?:\s|\[\[.*?\]\])*(?=\{)", plain[end:]) if end else None
        if body is None:
            continue
        begin = _begin(plain, match.start())
        end = _close(plain, end + body.end())
        above = _COMMENT_ABOVE.search(source[: source.rfind("\n", 0, begin) + 1])
        return source[above.start() if above else begin : end or len(source)].strip()
    return ""


def _begin(plain: str, position: int) -> int:
    """Find where a declaration begins: after what ended the one before."""
    begin = max(plain.rfind(mark, 0, position) for mark in ";}{") + 1
    while begin < position and plain[begin].isspace():
        begin += 1
    return begin


def _close(plain: str, position: int) -> int:
    """Find the place behind the bracket that closes the one at `position`; 0 where there is none."""
    depth = 0
    for i in range(position, len(plain)):
        depth += (plain[i] in "({[") - (plain[i] in ")}]")
        if depth == 0:
            return i + 1
    return 0
