# SPDX-License-Identifier: MIT
"""Metal's declarations in parts: broken into lines where they are long, and with one parameter marked."""

from __future__ import annotations

__all__ = ["marked", "parameters", "wrapped"]

_WIDTH = 100
_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}


def parameters(signature: str) -> list[tuple[int, int]]:
    """Find where each parameter of ``"float dot(float2 x, float2 y) (+5)"`` begins and ends."""
    start = _start(signature)
    if start is None:
        return []
    places: list[tuple[int, int]] = []
    depth, begin = 0, start + 1
    for i in range(start + 1, len(signature)):
        letter = signature[i]
        if depth == 0 and letter in ",)":
            text = signature[begin:i]
            if text.strip():
                begin += len(text) - len(text.lstrip())
                places.append((begin, begin + len(text.strip())))
            begin = i + 1
            if letter == ")":
                return places
        elif letter in _OPEN:
            depth += 1
        elif letter in _OPEN.values() and signature[i - 1] != "-":
            depth -= 1
    return []


def wrapped(signature: str, width: int = _WIDTH) -> str:
    """Put each parameter on a line of its own where the whole does not fit into one."""
    places = parameters(signature)
    if len(signature) <= width or not places:
        return signature
    lines = [signature[begin:end] for begin, end in places]
    head, tail = signature[: places[0][0]].rstrip(), signature[places[-1][1] :].lstrip()
    return "\n".join([head, *(f"    {line}," for line in lines[:-1]), f"    {lines[-1]}", tail])


def marked(signature: str, place: tuple[int, int]) -> str:
    """Underline a part."""
    begin, end = place
    return f"{signature}\n{' ' * begin}{'^' + '~' * (end - begin - 1)}"


def _start(signature: str) -> int | None:
    """Find the parenthesis before the arguments; template arguments and ``operator()`` may have some before it."""
    depth = 0
    for i, letter in enumerate(signature):
        if letter == "<":
            depth += 1
        elif letter == ">" and depth:
            depth -= 1
        elif letter == "(" and depth == 0 and not signature[:i].endswith("operator"):
            return i
    return None
