# SPDX-License-Identifier: MIT
"""``#include "..."`` of texts and of files in named folders, put in before the compiler sees the source.

Metal compiles one text and knows no folders, so this is done here, in the same way on every device, with ``#line``
marks, so that messages name the file and the line that a person wrote.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from .diagnostics import lines_of
from .errors import ArgumentError, CompileError, ValidationError

Includes: TypeAlias = Mapping[str, str] | Sequence["str | os.PathLike[str] | Mapping[str, str]"]

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*(?:include|(import))[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)')
_LINE = re.compile(r'^[ \t]*#[ \t]*line[ \t]+(\d+)(?:[ \t]+"([^"\n]+)")?')
_PRAGMA_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
_GUARD = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*#[ \t]*(?:ifndef\b|if[ \t]+!)", re.DOTALL)
_MAIN_FILE = "program_source"


def resolve_includes(source: str, includes: Includes | None) -> str:
    """Put the texts that `source` includes in their places.

    Parameters
    ----------
    source : str
    includes : mapping or sequence, optional
        Names and their text, or folders to look in, or a list of both; texts go first. What is found in neither stays
        as it is, for the compiler to find (``<metal_stdlib>``) or to complain about.
    """
    if not includes:
        return source
    return _Resolver(includes).expand(source, _MAIN_FILE)


def split_includes(includes: Includes | None) -> tuple[dict[str, str], list[Path]]:
    """Give the texts by name and the folders of what was given to include."""
    if isinstance(includes, (str, os.PathLike)):
        raise ValidationError("includes: expected a list of folders or a dict of names and texts, got one path")
    if includes is not None and not isinstance(includes, (Mapping, list, tuple)):
        raise ArgumentError(f"includes must be a list of folders or a dict of texts, got {type(includes).__name__}")
    items = [includes] if isinstance(includes, Mapping) else list(includes or ())
    texts: dict[str, str] = {}
    folders: list[Path] = []
    for item in items:
        if isinstance(item, Mapping):
            texts = {**item, **texts}
        elif not isinstance(item, (str, os.PathLike)):
            raise ArgumentError(f"includes must hold folders and dicts of texts, got {type(item).__name__}")
        else:
            folders.append(Path(item))
    return texts, folders


class _Resolver:
    def __init__(self, includes: Includes) -> None:
        self._texts, self._folders = split_includes(includes)
        self._once: set[str] = set()  # files that say `#pragma once`, or were imported, and are in already
        self._open: list[str] = []  # files being put in, the outermost first

    def expand(self, text: str, name: str, folder: Path | None = None) -> str:
        lines: list[str] = []
        number, shown = 0, name
        for line in lines_of(text):
            number += 1
            mark = _LINE.match(line)
            if mark:
                number, shown = int(mark[1]) - 1, mark[2] or shown
            match = _INCLUDE.match(line)
            found = self._find(match[2] or match[3], folder) if match else None
            if match and found:
                lines += [*self._included(*found, is_once=match[1] is not None), f'#line {number + 1} "{shown}"']
            else:
                lines.append("" if self._open and _PRAGMA_ONCE.match(line) else line)
        return "\n".join(lines) + "\n"

    def _included(self, name: str, text: str, folder: Path | None, *, is_once: bool) -> list[str]:
        key = str(folder / Path(name).name) if folder else name
        if key in self._once:
            return []
        if is_once or _PRAGMA_ONCE.search(text):
            self._once.add(key)
        if key in self._open:
            if _GUARD.match(text):  # its own guard would leave it out
                return []
            raise _circle([*self._open[self._open.index(key) :], key])
        self._open.append(key)
        lines = [f'#line 1 "{name}"', self.expand(text, name, folder).rstrip("\n")]
        self._open.pop()
        return lines

    def _find(self, name: str, folder: Path | None) -> tuple[str, str, Path | None] | None:
        if name in self._texts:
            return name, self._texts[name], None
        for place in ([folder] if folder else []) + self._folders:
            path = place / name
            try:
                return name, path.read_text(encoding="utf-8", errors="replace"), path.parent
            except (OSError, ValueError):  # no such file, a folder, not ours to read, a name that can't be one
                continue
        return None


def _circle(names: list[str]) -> CompileError:
    error = CompileError(f"Shader compilation failed: error: files include each other: {' -> '.join(names)}")
    error.log = f"error: files include each other: {' -> '.join(names)}; add #pragma once to the first"
    return error
