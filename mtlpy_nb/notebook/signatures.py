# SPDX-License-Identifier: MIT
"""Metal's declarations in parts: broken into lines where they are long, and with one argument marked."""

from __future__ import annotations

__all__ = ["marked", "split", "wrapped"]

_WIDTH = 100
_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}


def split(signature: str) -> tuple[str, list[str], str]:
    """Split ``"float dot(float2 x, float2 y) (+5)"`` into ``"float dot("``, its arguments and ``") (+5)"``."""
    start = _start(signature)
    if start is None:
        return signature, [], ""
    arguments, depth, begin = [], 0, start + 1
    for i in range(start + 1, len(signature)):
        letter = signature[i]
        if depth == 0 and letter in ",)":
            arguments.append(signature[begin:i].strip())
            begin = i + 1
            if letter == ")":
                return signature[: start + 1], [a for a in arguments if a], signature[i:]
        elif letter in _OPEN:
            depth += 1
        elif letter in _OPEN.values() and signature[i - 1] != "-":
            depth -= 1
    return signature, [], ""


def wrapped(signature: str, width: int = _WIDTH) -> str:
    """Put each argument on a line of its own where the whole does not fit into one."""
    head, arguments, tail = split(signature)
    if len(signature) <= width or not arguments:
        return signature
    return "\n".join(
        [head, *(f"    {a}{',' if i + 1 < len(arguments) else ''}" for i, a in enumerate(arguments)), tail]
    )


def marked(signature: str, argument: int) -> str:
    """Underline the argument that is being written, counted from 0."""
    head, arguments, tail = split(signature)
    if argument >= len(arguments):
        return signature
    before = head + "".join(f"{a}, " for a in arguments[:argument])
    line = head + ", ".join(arguments) + tail
    return f"{line}\n{' ' * len(before)}{'^' + '~' * (len(arguments[argument]) - 1)}"


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
