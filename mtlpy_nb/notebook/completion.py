# SPDX-License-Identifier: MIT
"""Tab in ``%%metal`` cells, on their first lines and after ``%metal``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator"

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.completer import IPCompleter, SimpleCompletion, context_matcher, provisionalcompleter

from .. import _native as mtl
from ..errors import MetalError
from ..kernel import Kernel
from ..library import Function
from .commands import COMMANDS, shown_devices
from .options import options_of, place_in
from .timing import TimingMagics

if TYPE_CHECKING:
    import argparse

    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

    from .magics import MetalMagics

__all__ = ["MetalMatcher", "is_metal_cell"]

_CELL = re.compile(r"%%metal(?=\s|$)")
_LINE = re.compile(r"^\s*%metal\s+(?P<rest>.*)$")
# In a line of Python too, as in `timing = %metal_time f(x)`.
_TIME = re.compile(r"(?:^%|^\s*|^\s*[\w., ]+=\s*)%metal_time\s+(?P<rest>.*)$")
_FUNCTION = re.compile(r"\b(?:kernel|vertex|fragment)\s+[\w:<>\s*&]*?\b(\w+)\s*\(")
_CONSTANT = re.compile(r"(\w+)\s*\[\[\s*function_constant")
_CONDITION = re.compile(
    r"^[ \t]*#[ \t]*(?:ifdef|ifndef|if[ \t]+(?:!?[ \t]*defined\b[ \t(]*)?)[ \t]*(\w+)", re.MULTILINE
)
_FIRST = 1000  # before Python's own, which know nothing of Metal

_Items = Iterable[tuple[str, str]]


def is_metal_cell(text: str) -> bool:
    """Whether a cell's text is Metal below its first line."""
    return _CELL.match(text) is not None


class MetalMatcher:
    """Completes for one shell; :meth:`add` and :meth:`remove` tell the shell."""

    def __init__(self, shell: InteractiveShell, magics: MetalMagics) -> None:
        self._shell = shell
        self._magics = magics
        self._python: Any = None

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
        if timed := _TIME.match(before):
            return self._timed(timed["rest"])
        if not is_metal_cell(lines[0]):
            command = _LINE.match(before)
            return self._command(command["rest"]) if command else _result((), "", is_alone=False)
        body = "\n".join(lines[1:])
        if line == 0:
            return self._first_line(before, body)
        try:
            found = self._magics.complete(lines[0], body, line, column + 1)
        except MetalError:
            return _result((), "")
        items = ((i.text, i.kind if i.signature in ("", i.text) else i.signature) for i in found.items)
        return _result(items, before[found.column - 1 :])

    # ---- the first line ----

    def _first_line(self, before: str, body: str) -> SimpleMatcherResult:
        if before.rstrip() == before and _CELL.fullmatch(before):
            return _result((), "", is_alone=False)
        place = self._magics.place(before)
        if place.kind == "option":
            return _result(_beginning(self._magics.options(), place.word), place.word)
        if place.kind == "value" and place.action is not None:
            return _result(_beginning(self._values(place.action, place.word, body), place.word), place.word)
        return self._expression(place.word, body)

    def _values(self, action: argparse.Action, word: str, body: str) -> _Items:
        if action.choices is not None:
            return [(str(choice), action.help or "") for choice in action.choices]
        if action.dest == "folders":
            return _folders(word)
        found: dict[str, _Items] = {
            "device": [(str(number), name) for number, name in shown_devices()],
            "std": [(v.name.removeprefix("Version").replace("_", "."), "Metal") for v in mtl.LanguageVersion],
            "header": [(name, "header") for name in self._magics.session.headers],
            "constants": [(f"{name}=", "function constant") for name in dict.fromkeys(_CONSTANT.findall(body))],
            "macros": [(f"{name}=", "macro") for name in dict.fromkeys(_CONDITION.findall(body))],
        }
        return found.get(action.dest, ())

    def _expression(self, text: str, body: str) -> SimpleMatcherResult:
        """Names of Python, as in a cell of their own, after those that the cell is about to define."""
        word = re.search(r"\w*$", text)
        begun = word.group() if word else ""
        is_attribute = text[: len(text) - len(begun)].endswith(".")
        own = [] if is_attribute else [(n, "function of this cell") for n in dict.fromkeys(_FUNCTION.findall(body))]
        if not text:
            return _result([*own, *self._magics.options()], "")
        own_place = len(text) - len(begun)
        found = [(own_place, name, kind) for name, kind in _beginning(own, begun)]
        found += [(item.start, item.text, item.type or "") for item in self._of_python(text)]
        start = min((place for place, _, _ in found), default=own_place)
        items = {text[start:place] + name: kind for place, name, kind in reversed(found)}  # the first kind wins
        fragment = text[start:]
        if fragment.startswith(".") and all(name.startswith(".") for name in items):
            items, fragment = {name[1:]: kind for name, kind in items.items()}, fragment[1:]
        return _result(reversed(items.items()), fragment)

    def _timed(self, rest: str) -> SimpleMatcherResult:
        """Options of ``%metal_time``, then Python's names."""
        parser = TimingMagics.metal_time.parser
        place = place_in(rest, parser)
        if place.kind == "option":
            return _result(_beginning(options_of(parser), place.word), place.word)
        return _result((), "") if place.kind == "value" else self._expression(place.word, "")

    def _of_python(self, text: str) -> Iterator[Any]:
        if self._python is None:
            self._python = IPCompleter(
                shell=self._shell,
                namespace=self._shell.user_ns,
                global_namespace=self._shell.user_global_ns,
                use_jedi=False,
                disable_matchers=["IPCompleter.magic_matcher", "IPCompleter.file_matcher"],
            )
        with provisionalcompleter():
            yield from self._python.completions(text, len(text))

    # ---- %metal ----

    def _command(self, rest: str) -> SimpleMatcherResult:
        command, blank, word = rest.partition(" ")
        word = word.lstrip()
        if not blank:
            return _result(_beginning(((name, what) for name, (_, what) in COMMANDS.items()), command), command)
        names = self._shell.user_ns.items()
        words: dict[str, _Items] = {
            "use": [(str(number), name) for number, name in shown_devices()],
            "info": [(name, _kind(value)) for name, value in names if isinstance(value, (Kernel, Function))],
            "explain": [(name, _kind(value)) for name, value in names if isinstance(value, Kernel)],
            "cache": [("clear", "forget all compiled kernels")],
        }
        return _result(_beginning(words.get(command, ()), word), word)


def _kind(value: Kernel | Function) -> str:
    return "kernel" if isinstance(value, Kernel) else f"{value.function_type} function"


def _folders(word: str) -> _Items:
    start, slash, begun = word.lstrip("'\"").rpartition("/")
    quote = word[: len(word) - len(word.lstrip("'\""))]
    try:
        inner = sorted(p.name for p in Path(start + slash or ".").expanduser().iterdir() if p.is_dir())
    except (OSError, ValueError):
        return []
    return [(f"{quote}{start}{slash}{n}/", "folder") for n in inner if begun.startswith(".") or not n.startswith(".")]


def _beginning(items: _Items, word: str) -> _Items:
    return [(text, kind) for text, kind in items if text.startswith(word)]


class _Nothing(Sequence[SimpleCompletion]):
    """No completions that count as one: IPython asks Python's matchers where ours has found none."""

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[SimpleCompletion]:
        return iter(())

    def __getitem__(self, index: Any) -> Any:
        raise IndexError(index)


def _result(items: _Items, word: str, *, is_alone: bool = True) -> SimpleMatcherResult:
    """Make IPython's answer; `is_alone`: what Python's own matchers say is wrong here."""
    found = [SimpleCompletion(text, type=kind) for text, kind in items]
    return {
        "completions": found if found or not is_alone else _Nothing(),
        "matched_fragment": word,
        "suppress": is_alone,
        "do_not_suppress": set(),
        "ordered": True,
    }
