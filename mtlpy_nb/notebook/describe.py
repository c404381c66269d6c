# SPDX-License-Identifier: MIT
"""Kernels, other functions and libraries in words: for ``kernel?``, ``%metal info`` and as a cell's value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from ..arguments import Argument
from ..errors import MetalError
from ..kernel import Kernel
from ..library import Function, Library
from . import colours
from .signatures import marked, wrapped
from .spans import PRE

__all__ = ["Section", "is_described", "mime_bundle", "sections", "to_html", "to_text"]

# What needs no title.
PROSE = ("Comment", "Meaning", "More")

_ACCESS = {"read": "read", "write": "written", "read_write": "read and written"}


@dataclass(frozen=True)
class Section:
    """A part of a description.

    Attributes
    ----------
    language : str
        What the text is written in; empty: in words.
    rows : sequence
        The cells of a text that is a table.
    marks : sequence
        What to underline in each line of the text.
    """

    title: str
    text: str
    language: str = ""
    rows: Sequence[Sequence[str]] = ()
    marks: Sequence[tuple[int, int] | None] = ()


def is_described(thing: object) -> bool:
    """Whether :func:`sections` has something to say of it."""
    return isinstance(thing, (Kernel, Function, Library))


def sections(thing: object, *, source: bool = False, limits: bool = False) -> list[Section]:
    """Describe a Kernel, a Function or a Library; nothing else.

    Parameters
    ----------
    source : bool
        Whether to add the source.
    limits : bool
        Whether to add how many threads a threadgroup may have. The kernel is made ready to run for that.
    """
    if isinstance(thing, Kernel):
        found = _kernel(thing) + (_limits(thing) if limits else [])
    elif isinstance(thing, Function):
        found = [Section("Function", wrapped(_declared(thing)), "metal"), *_comment(thing)]
    elif isinstance(thing, Library):
        found = [section for name in thing.functions for section in sections(thing[name])[:1]]
        found = [Section("Library", "\n".join(section.text for section in found) or "no functions", "metal")]
    else:
        return []
    return found + ([Section("Source", thing.source, "metal")] if source and thing.source else [])


def mime_bundle(thing: object) -> dict[str, str]:
    """Give what a front end shows of a Kernel, a Function or a Library that is a cell's value."""
    try:
        return {"text/plain": repr(thing), "text/html": to_html(sections(thing))}
    except MetalError:  # a representation must not fail
        return {"text/plain": repr(thing)}


def to_text(parts: Sequence[Section], *, colour: bool = False) -> str:
    """Write sections below each other, with ANSI colours if `colour`."""
    blocks = []
    for i, part in enumerate(parts):
        body = "\n".join(_with_carets(part)) if part.marks else part.text
        body = colours.ansi(body, part.language) if colour else body
        blocks.append(body if i == 0 or part.title in PROSE else f"{part.title}:\n{_indented(body)}")
    return "\n\n".join(blocks)


def to_html(parts: Sequence[Section]) -> str:
    """Write sections as HTML, tables as tables."""
    blocks = []
    for i, part in enumerate(parts):
        text = "\n".join(_underlined(part)) if part.marks else colours.html(part.text, part.language)
        body = f'<pre style="{PRE}">{text}</pre>'
        if part.title in PROSE:
            body = f"<p>{escape(part.text)}</p>"
        elif part.rows:
            body = _table(part.rows)
        elif i:
            body = f"<b>{escape(part.title)}</b>{body}"
        blocks.append(body)
    return "\n".join(blocks)


def _with_carets(part: Section) -> Iterator[str]:
    for line, mark in zip(part.text.splitlines(), part.marks, strict=True):
        yield marked(line, mark) if mark else line


def _underlined(part: Section) -> Iterator[str]:
    for line, mark in zip(part.text.splitlines(), part.marks, strict=True):
        begin, end = mark or (0, 0)
        pieces = (colours.html(text, part.language) for text in (line[:begin], line[begin:end], line[end:]))
        before, middle, after = pieces
        yield f'{before}<b style="text-decoration:underline">{middle}</b>{after}' if mark else after


def _kernel(kernel: Kernel) -> list[Section]:
    found = [Section("Kernel", wrapped(_declared(kernel)), "metal"), *_comment(kernel)]
    arguments = list(kernel.arguments.values())
    if arguments:
        rows = _rows(arguments)
        found.append(Section("Arguments", _columns(rows), rows=rows))
    layouts = [layout for argument in arguments if (layout := _layout(argument))]
    if layouts:
        found.append(Section("Layouts", "\n".join(layouts)))
    if kernel.constants:
        found.append(Section("Function constants", ", ".join(f"{n}={v}" for n, v in kernel.constants.items())))
    return [*found, Section("Call", f"{kernel.name}{kernel.__signature__}", "python")]


def _declared(thing: Kernel | Function) -> str:
    kind = "kernel" if isinstance(thing, Kernel) else thing.function_type
    return f"{f'[[{kind}]]' if kind == 'visible' else kind} {thing.signature or thing.name}"


def _comment(thing: Kernel | Function) -> list[Section]:
    text = thing.comment.strip()
    return [Section("Comment", text)] if text else []


def _rows(arguments: Sequence[Argument]) -> list[list[str]]:
    rows = []
    for a in arguments:
        access = _ACCESS[a.access] if a.kind in ("buffer", "texture") else ""
        rows.append([a.name, a.type_text, f"[[{a.kind}({a.index})]]", "optional, " * a.is_optional + access])
    return rows


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    cells = ("".join(f'<td style="text-align:left"><code>{escape(c)}</code></td>' for c in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _layout(argument: Argument) -> str:
    dtype = argument.dtype
    if dtype is None or dtype.fields is None:
        return ""
    places = ", ".join(f"{name} {_kind(place[0])} at {place[1]}" for name, place in dtype.fields.items())
    return f"{argument.name}: {dtype.itemsize} bytes: {places}"


def _kind(dtype: np.dtype[Any]) -> str:
    name = "struct" if dtype.base.fields is not None else str(dtype.base)
    return f"{name}{''.join(f'[{n}]' for n in dtype.shape)}"


def _limits(kernel: Kernel) -> list[Section]:
    try:
        text = f"at most {kernel.max_threads_per_threadgroup}, {kernel.thread_execution_width} in lockstep"
    except MetalError as error:
        text = str(error)
    return [Section("Threads per threadgroup", text)]


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
