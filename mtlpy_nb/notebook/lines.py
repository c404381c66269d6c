# SPDX-License-Identifier: MIT
"""The lines of Python below a cell magic: compiled once, run among the notebook's names, shown by tracebacks."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from .errors import LINES, show_without_callers
from .statements import shown_lines

__all__ = ["read_lines"]


def read_lines(shell: InteractiveShell, cell: str, magic: str, does: str) -> Callable[[], None]:
    """Give what runs the lines.

    Parameters
    ----------
    shell : InteractiveShell
    cell : str
    magic, does : str
        For messages: ``"%%metal_time"``, ``"times"``.

    Raises
    ------
    UsageError
        If there are none, or no Python.
    """
    text: str = shell.transform_cell(cell)  # type: ignore[no-untyped-call]
    code = compile(shown_lines(_parsed(text, magic, does)), LINES, "exec")

    def run() -> None:
        __tracebackhide__ = True
        linecache.cache[LINES] = (len(text), None, text.splitlines(keepends=True), LINES)  # for tracebacks
        try:
            exec(code, shell.user_global_ns, shell.user_ns)
        except BaseException as error:
            show_without_callers(error)
            raise

    return run


def _parsed(text: str, magic: str, does: str) -> ast.Module:
    if not text.strip():
        raise UsageError(f"{magic} {does} the lines below it, and there are none")
    try:
        compile(text, LINES, "exec")  # which finds more than parsing does
        return ast.parse(text, LINES)
    except SyntaxError as error:
        wrong = text.splitlines()[(error.lineno or 1) - 1]
        advice = "; instead of awaiting a call, write .wait()" if "await" in wrong else ""
        caret = " " * max((error.offset or 1) - 1, 0) + "^"
        raise UsageError(f"{magic} takes lines of Python: {error.msg}{advice}\n\n    {wrong}\n    {caret}") from None
