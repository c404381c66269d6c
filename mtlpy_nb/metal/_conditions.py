# SPDX-License-Identifier: MIT
"""What ``#if`` and ``#elif`` ask."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping

from ..errors import CompileError
from ._macros import Macro, expand, macro_of
from ._tokens import Token, join

__all__ = ["PREDEFINED", "holds"]

#: What Metal's compiler defines itself; known to conditions, and left as it is in text.
PREDEFINED: Mapping[str, Macro] = {
    name: macro_of(value)
    for name, value in {
        "__METAL__": "1",
        "__METAL_MACOS__": "1",
        "__METAL_VERSION__": "320",
        "__HAVE_BFLOAT__": "1",
        "__cplusplus": "201703",
    }.items()
}

_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "|": (3, lambda a, b: a | b),
    "^": (4, lambda a, b: a ^ b),
    "&": (5, lambda a, b: a & b),
    "==": (6, lambda a, b: int(a == b)),
    "!=": (6, lambda a, b: int(a != b)),
    "<": (7, lambda a, b: int(a < b)),
    ">": (7, lambda a, b: int(a > b)),
    "<=": (7, lambda a, b: int(a <= b)),
    ">=": (7, lambda a, b: int(a >= b)),
    "<<": (8, lambda a, b: a << b if 0 <= b < 64 else 0),
    ">>": (8, lambda a, b: a >> b if 0 <= b < 64 else 0),
    "+": (9, lambda a, b: a + b),
    "-": (9, lambda a, b: a - b),
    "*": (10, lambda a, b: a * b),
    "/": (10, lambda a, b: _quotient(a, b)),
    "%": (10, lambda a, b: a - b * _quotient(a, b)),
}


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise CompileError("#if: division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def holds(line: list[Token], macros: Mapping[str, Macro], has_include: Callable[[str], bool]) -> bool:
    """Whether a condition holds. Names that stand for nothing are 0, as in C."""
    known = {**PREDEFINED, **macros}
    asked = _without_questions(line, known, has_include)
    visible = [token for token in expand(asked, known) if not token.is_blank]
    reader = _Reader(visible, join(line))
    value = reader.ternary()
    reader.finish()
    return value != 0


def _without_questions(
    line: list[Token], macros: Mapping[str, Macro], has_include: Callable[[str], bool]
) -> list[Token]:
    """Answer ``defined`` and ``__has_include``, whose operands are not expanded."""
    result: list[Token] = []
    i = 0
    while i < len(line):
        token = line[i]
        if token.text not in ("defined", "__has_include"):
            result.append(token)
            i += 1
            continue
        rest = line[i + 1 :]
        text = "".join(part.text for part in rest if part.kind != "comment")
        if token.text == "defined":
            found = re.match(r"\s*(?:\(\s*(\w+)\s*\)|(\w+))", text)
            answer = found is not None and (found.group(1) or found.group(2)) in macros
        else:
            found = re.match(r"\s*\(\s*([<\"][^>\"]*[>\"])\s*\)", text)
            answer = found is not None and has_include(found.group(1))
        if found is None:
            raise CompileError(f"#if: nothing fits behind {token.text!r} in {join(line)!r}")
        result.append(Token("number", str(int(answer))))
        taken, i = 0, i + 1
        while taken < found.end():
            taken += len(line[i].text) if line[i].kind != "comment" else 0
            i += 1
    return result


class _Reader:
    """Reads an expression of integers."""

    def __init__(self, visible: list[Token], text: str) -> None:
        self._tokens, self._text, self._at = visible, text, 0
        self._skipped = 0  # how many operators around leave this part out, which may divide by zero

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _fail(self) -> CompileError:
        found = self._peek()
        why = f"{found!r} is out of place" if found else "it ends too soon"
        return CompileError(f"#if: {self._text!r} is no condition: {why}")

    def finish(self) -> None:
        if self._at < len(self._tokens):
            raise self._fail()

    def ternary(self) -> int:
        condition = self._binary(1)
        if self._peek() != "?":
            return condition
        self._at += 1
        self._skipped += not condition
        yes = self.ternary()
        self._skipped -= not condition
        if self._peek() != ":":
            raise self._fail()
        self._at += 1
        self._skipped += bool(condition)
        no = self.ternary()
        self._skipped -= bool(condition)
        return yes if condition else no

    def _binary(self, least: int) -> int:
        left = self._unary()
        while (operator := _BINARY.get(self._peek())) is not None and operator[0] >= least:
            sign = self._peek()
            self._at += 1
            skips = (sign == "&&" and not left) or (sign == "||" and left != 0)
            self._skipped += skips
            right = self._binary(operator[0] + 1)
            self._skipped -= skips
            if sign in "/%" and right == 0 and self._skipped:
                right = 1
            left = operator[1](left, right)
        return left

    def _unary(self) -> int:
        if self._at >= len(self._tokens):
            raise self._fail()
        token = self._tokens[self._at]
        if token.text in ("!", "-", "+", "~"):
            self._at += 1
            value = self._unary()
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[token.text]
        if token.text == "(":
            self._at += 1
            value = self.ternary()
            if self._peek() != ")":
                raise self._fail()
            self._at += 1
            return value
        value = self._constant(token)
        self._at += 1
        return value

    def _constant(self, token: Token) -> int:
        if token.kind == "name":
            return int(token.text == "true")
        if token.kind == "string" and token.text.startswith("'"):
            try:
                return ord(ast.literal_eval(token.text))
            except (SyntaxError, TypeError, ValueError):
                raise self._fail() from None
        digits = token.text.rstrip("uUlLzZ").replace("'", "")
        if token.kind == "number" and re.fullmatch(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*", digits):
            return int(digits, 8 if digits.isdigit() and digits.startswith("0") else 0)
        raise self._fail()
