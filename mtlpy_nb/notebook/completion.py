# SPDX-License-Identifier: MIT
"""Tab in ``%%metal`` cells, in the options of ``%%metal`` and after ``%metal``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator"

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from IPython.core.completer import SimpleCompletion, context_matcher

from ..errors import MetalError
from ..kernel import Kernel

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

    from .magics import MetalMagics

__all__ = ["MetalMatcher"]

_CELL = re.compile(r"%%metal(?=\s|$)")
_LINE = re.compile(r"^\s*%metal\s+(?P<rest>.*)$")
_COMMANDS = {
    "devices": "list devices",
    "use": "use N: compile for device N",
    "info": "info KERNEL: arguments and layouts",
    "cache": "cache [clear]: compiled kernels on disk",
    "threads": "threads [N]: threads that run kernels",
}
_FIRST = 1000  # before Python's own, which know nothing of Metal


class MetalMatcher:
    """Completes for one shell; :meth:`add` and :meth:`remove` tell the shell."""

    def __init__(self, shell: InteractiveShell, magics: MetalMagics) -> None:
        self._shell = shell
        self._magics = magics

        @context_matcher(identifier="mtlpy_nb", priority=_FIRST)
        def match(context: CompletionContext) -> SimpleMatcherResult:
            return self._match(context)

        self._matcher = match

    def add(self) -> None:
        """Let the shell ask."""
        self._shell.Completer.custom_matchers.append(self._matcher)

    def remove(self) -> None:
        """Let it ask no more."""
        matchers = self._shell.Completer.custom_matchers
        if self._matcher in matchers:
            matchers.remove(self._matcher)

    def _match(self, context: CompletionContext) -> SimpleMatcherResult:
        lines = context.full_text.split("\n")
        line, column = context.cursor_line, context.cursor_position
        before = lines[line][:column] if line < len(lines) else ""
        if not _CELL.match(lines[0]):
            command = _LINE.match(before)
            return self._command(command["rest"]) if command else _result((), "")
        if line == 0:
            return self._option(before)
        try:
            found = self._magics.complete(lines[0], "\n".join(lines[1:]), line, column + 1)
        except MetalError:
            return _result((), "")
        items = ((item.text, item.signature or item.kind) for item in found.items)
        return _result(items, before[found.column - 1 :])

    def _option(self, before: str) -> SimpleMatcherResult:
        """Options of the magic; the expression after them is Python's."""
        word = re.split(r"\s", before)[-1]
        if not word.startswith("-"):
            return _result((), "")
        return _result(((name, text) for name, text in self._magics.options() if name.startswith(word)), word)

    def _command(self, rest: str) -> SimpleMatcherResult:
        command, blank, word = rest.partition(" ")
        if not blank:
            return _result(((name, text) for name, text in _COMMANDS.items() if name.startswith(command)), command)
        words: Iterable[tuple[str, str]] = ()
        if command == "info":
            words = ((n, "kernel") for n, value in self._shell.user_ns.items() if isinstance(value, Kernel))
        elif command == "cache":
            words = [("clear", "forget all compiled kernels")]
        return _result((pair for pair in words if pair[0].startswith(word)), word)


def _result(items: Iterable[tuple[str, str]], word: str) -> SimpleMatcherResult:
    return {
        "completions": [SimpleCompletion(text, type=kind) for text, kind in items],
        "matched_fragment": word,
        "suppress": True,
        "do_not_suppress": set(),
        "ordered": True,
    }
