# SPDX-License-Identifier: MIT
"""Macros, and what becomes of text that names them.

A token remembers which macros it came from, and none of them is expanded in it again: that is what ends recursion, as
the C standard wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..errors import CompileError
from ._tokens import Token, join, tokens, trimmed

__all__ = ["Macro", "expand", "macro_of", "parse_define"]


@dataclass(frozen=True)
class Macro:
    """What a name stands for.

    Attributes
    ----------
    body : tuple of Token
    parameters : tuple of str or None
        None: the name alone is replaced.
    rest : str or None
        Name of the parameter that takes all further arguments.
    function : callable or None
        Gives the text, from what stands between the parentheses.
    """

    body: tuple[Token, ...] = ()
    parameters: tuple[str, ...] | None = None
    rest: str | None = None
    function: Callable[[str], str] | None = None


def macro_of(value: str) -> Macro:
    """Make a macro without parameters."""
    return Macro(tuple(trimmed(tokens(value))))


def parse_define(line: list[Token]) -> tuple[str, Macro]:
    """Read what follows ``#define``."""
    if not line or line[0].kind != "name":
        raise CompileError(f"#define: expected a name, got {join(line)!r}")
    name = line[0].text
    if len(line) < 2 or line[1].text != "(":
        return name, Macro(tuple(trimmed(line[1:])))
    close = next((i for i, token in enumerate(line) if token.text == ")"), None)
    if close is None:
        raise CompileError(f"#define {name}: the list of parameters has no end")
    inner = [token for token in line[2:close] if not token.is_blank]
    rest = None
    if inner and inner[-1].text == "...":
        inner.pop()
        rest = inner.pop().text if inner and inner[-1].kind == "name" else "__VA_ARGS__"
    parameters = tuple(token.text for token in inner if token.kind == "name")
    return name, Macro(tuple(trimmed(line[close + 1 :])), parameters, rest)


def expand(text: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    """Replace all macros in it, and in what they are replaced by."""
    pending = list(reversed(text))
    result: list[Token] = []
    while pending:
        token = pending.pop()
        macro = macros.get(token.text) if token.kind == "name" and token.text not in token.hidden else None
        if macro is None:
            result.append(token)
        elif macro.parameters is None and macro.function is None:
            body = _substitute(macro, {}, macros)
            pending.extend(reversed(_hide(body, token.hidden | {token.text})))
        elif (call := _take_call(pending)) is None:
            result.append(token)
        else:
            inner, close = call
            hidden = (token.hidden & close.hidden) | {token.text}
            pending.extend(reversed(_hide(_called(token.text, macro, inner, macros), hidden)))
    return result


def _hide(body: list[Token], names: frozenset[str]) -> list[Token]:
    return [replace(token, hidden=token.hidden | names) for token in body]


def _take_call(pending: list[Token]) -> tuple[list[Token], Token] | None:
    """Take ``( ... )`` off the stack, if that is what comes next: what is in it, and its end."""
    at = len(pending) - 1
    while at >= 0 and pending[at].is_blank:
        at -= 1
    if at < 0 or pending[at].text != "(":
        return None
    depth = 0
    inner: list[Token] = []
    for i in range(at, -1, -1):
        token = pending[i]
        if token.text == "(" and token.kind == "mark":
            depth += 1
        elif token.text == ")" and token.kind == "mark":
            depth -= 1
            if depth == 0:
                del pending[i:]
                return inner[1:], token
        inner.append(token)
    return None


def _called(name: str, macro: Macro, inner: list[Token], macros: Mapping[str, Macro]) -> list[Token]:
    if macro.function is not None:
        text = macro.function("".join(token.text for token in inner))
        if not isinstance(text, str):
            raise TypeError(f"macro function {name!r} gave a {type(text).__name__}, expected a str")
        return tokens(text)
    return _substitute(macro, _arguments(name, macro, inner), macros)


def _arguments(name: str, macro: Macro, inner: list[Token]) -> dict[str, list[Token]]:
    parameters = macro.parameters or ()
    given: list[list[Token]] = [[]]
    depth = 0
    for token in inner:
        if token.text in "([{" and token.kind == "mark":
            depth += token.text == "("
        elif token.text == ")" and token.kind == "mark":
            depth -= 1
        takes_all = macro.rest is not None and len(given) > len(parameters)
        if token.text == "," and token.kind == "mark" and depth == 0 and not takes_all:
            given.append([])
        else:
            given[-1].append(token)
    given = [trimmed(argument) for argument in given]
    if given == [[]] and not parameters:
        given = []
    if macro.rest is not None and len(given) == len(parameters):
        given.append([])
    names = (*parameters, macro.rest) if macro.rest is not None else parameters
    if len(given) != len(names):
        raise CompileError(f"macro {name!r} takes {len(parameters)} arguments, got {len(given)}")
    return dict(zip(names, given, strict=True))


def _stringified(argument: list[Token]) -> Token:
    parts: list[str] = []
    for token in argument:
        if token.is_blank:
            parts.append("" if parts and parts[-1] == " " else " ")
        elif token.kind == "string":
            parts.append(token.text.replace("\\", "\\\\").replace('"', '\\"'))
        else:
            parts.append(token.text)
    text = "".join(parts)
    return Token("string", f'"{text}"')


def _optional(body: list[Token], at: int, has_rest: bool) -> tuple[list[Token], int]:
    """Of ``__VA_OPT__(...)`` at a place of the body: what of it stays, and where it ends."""
    depth, i = 0, at + 1
    while i < len(body):
        depth += {"(": 1, ")": -1}.get(body[i].text, 0)
        i += 1
        if depth == 0 and body[i - 1].text == ")":
            break
    open_at = next((k for k in range(at + 1, i) if body[k].text == "("), at)
    return (body[open_at + 1 : i - 1] if has_rest else []), i


def _substitute(macro: Macro, arguments: dict[str, list[Token]], macros: Mapping[str, Macro]) -> list[Token]:
    """Give the macro's body with arguments in the place of parameters."""
    body = list(macro.body)
    if macro.rest is not None:
        i = 0
        while i < len(body):
            if body[i].text == "__VA_OPT__":
                kept, end = _optional(body, i, bool(arguments.get(macro.rest)))
                body[i:end] = kept
            else:
                i += 1
    result: list[Token] = []
    i = 0
    while i < len(body):
        token = body[i]
        after = _next_visible(body, i + 1)
        if token.text == "#" and arguments and after is not None and body[after].text in arguments:
            result.append(_stringified(arguments[body[after].text]))
            i = after + 1
        elif token.text == "##" and after is not None and result:
            _paste(result, body[after], arguments, macro.rest)
            i = after + 1
        elif token.text in arguments and token.kind == "name":
            pasted = after is not None and body[after].text == "##"
            argument = arguments[token.text]
            result.extend(argument if pasted else expand(argument, macros))
            if pasted and not argument:
                result.append(Token("space", ""))  # what follows is pasted to nothing
            i += 1
        else:
            result.append(token)
            i += 1
    return [token for token in result if token.text]


def _next_visible(body: list[Token], at: int) -> int | None:
    return next((i for i in range(at, len(body)) if not body[i].is_blank), None)


def _paste(result: list[Token], right: Token, arguments: dict[str, list[Token]], rest: str | None) -> None:
    while len(result) > 1 and result[-1].is_blank and result[-1].text:
        result.pop()
    left = result.pop()
    is_argument = right.kind == "name" and right.text in arguments
    following = list(arguments[right.text]) if is_argument else [right]
    if left.text == "," and is_argument and right.text == rest:
        # As GCC has it: the comma goes when there are no further arguments.
        result.extend([left, *following] if following else [])
        return
    if not following:
        result.append(left)
        return
    made = tokens(left.text + following[0].text)
    result.extend(replace(token, hidden=left.hidden & following[0].hidden) for token in made)
    result.extend(following[1:])
