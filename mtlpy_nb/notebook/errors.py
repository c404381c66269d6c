# SPDX-License-Identifier: MIT
"""How the compiler's messages look: the cell's own lines, with a caret, and none of Python's frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from traceback import format_exception
from types import TracebackType

from ..diagnostics import Diagnostic
from ..errors import CompileError, MetalError

__all__ = [
    "EXPRESSION",
    "compile_error_html",
    "diagnostics_html",
    "diagnostics_text",
    "render_compile_error",
    "render_error",
]

# The file name that tracebacks give to the Python expression of a %%metal line.
EXPRESSION = "<%%metal>"

_MOST_SHOWN = 10
_LONGEST_LINE = 160
_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;35m",
    "note": "\x1b[1;36m",
    "fix": "\x1b[32m",
    "gutter": "\x1b[2m",
    "bold": "\x1b[1m",
}
_RESET = "\x1b[0m"
# Readable on light and dark backgrounds alike.
_STYLES = {
    "error": "color:#d73a49",
    "warning": "color:#b35fd4",
    "note": "color:#2f8fa8",
    "fix": "color:#2e9a47",
    "gutter": "opacity:.55",
    "bold": "",
}


@dataclass(frozen=True)
class _Span:
    """Text of one look, so that the same lines become ANSI, HTML or plain text."""

    text: str
    style: str = ""


def render_compile_error(error: CompileError) -> list[str]:
    """Lines for IPython's traceback area."""
    return ["\n".join(_ansi(line) for line in _error_lines(error))]


def render_error(error: MetalError) -> list[str]:
    """Lines for IPython's traceback area, without the frames within this package."""
    from IPython.core.getipython import get_ipython

    traceback = _outer_frames(error.__traceback__)
    shell = get_ipython()
    if shell is None:
        return format_exception(type(error), error, traceback)
    # The first frame is IPython's own, unless the expression of a %%metal cell failed.
    offset = 0 if traceback is not None and traceback.tb_frame.f_code.co_filename == EXPRESSION else None
    lines: list[str] = shell.InteractiveTB.structured_traceback(type(error), error, traceback, tb_offset=offset)
    return lines


def _outer_frames(traceback: TracebackType | None) -> TracebackType | None:
    """Cut a traceback to what a person wrote: from a cell's expression on, up to the call into this package."""
    frames = [traceback] if traceback is not None else []
    while frames and frames[-1].tb_next is not None:
        frames.append(frames[-1].tb_next)
    starts = [i for i, frame in enumerate(frames) if frame.tb_frame.f_code.co_filename == EXPRESSION]
    frames = frames[starts[0] :] if starts else frames
    while frames and _is_ours(frames[-1]):
        frames.pop()
    cut: TracebackType | None = None
    for frame in reversed(frames):
        cut = TracebackType(cut, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return cut


def _is_ours(frame: TracebackType) -> bool:
    return str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == "mtlpy_nb"


def compile_error_html(error: CompileError) -> str:
    """Show the same as HTML."""
    return _html(_error_lines(error))


def diagnostics_text(diagnostics: Sequence[Diagnostic], *, colour: bool = False) -> str:
    """Show messages as text, with ANSI colours if `colour`."""
    lines = list(_diagnostics(diagnostics))
    return "\n".join(_ansi(line) if colour else "".join(span.text for span in line) for line in lines)


def diagnostics_html(diagnostics: Sequence[Diagnostic]) -> str:
    """Show messages as HTML."""
    return _html(_diagnostics(diagnostics))


def _error_lines(error: CompileError) -> Iterator[list[_Span]]:
    errors = sum(d.severity == "error" for d in error.diagnostics)
    warnings = sum(d.severity == "warning" for d in error.diagnostics)
    counts = [f"{n} {word}{'s' * (n > 1)}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    yield [_Span(type(error).__name__, "error"), _Span(": " + (" and ".join(counts) or "the source does not compile"))]
    yield []
    yield from _diagnostics(error.diagnostics)


def _diagnostics(diagnostics: Sequence[Diagnostic]) -> Iterator[list[_Span]]:
    for i, diagnostic in enumerate(diagnostics[:_MOST_SHOWN]):
        if i:
            yield []
        yield from _diagnostic(diagnostic)
    if len(diagnostics) > _MOST_SHOWN:
        yield []
        yield [_Span(f"... and {len(diagnostics) - _MOST_SHOWN} more", "gutter")]


def _diagnostic(diagnostic: Diagnostic) -> Iterator[list[_Span]]:
    place = ""
    if diagnostic.line:
        place = f"line {diagnostic.line}" if diagnostic.is_in_source else f"{diagnostic.file}, line {diagnostic.line}"
        place += f", column {diagnostic.column}: "
    message = [
        _Span(place, "bold"),
        _Span(f"{diagnostic.severity}: ", diagnostic.severity),
        _Span(diagnostic.message, "bold"),
    ]
    yield [span for span in message if span.text]
    if diagnostic.source_line:
        yield from _source(diagnostic)
    for note in diagnostic.notes:
        yield from _diagnostic(note)


def _source(diagnostic: Diagnostic) -> Iterator[list[_Span]]:
    """Show the source line, what is underlined, and what to write instead."""
    number = f"{diagnostic.line:5d} | "
    blank = " " * 5 + " | "
    start, line, underline = _window(diagnostic.source_line, diagnostic.underline, diagnostic.column)
    yield [_Span(number, "gutter"), _Span(line)]
    yield [_Span(blank, "gutter"), _Span(underline, diagnostic.severity)]
    for fix in diagnostic.fix_its:
        yield [_Span(blank, "gutter"), _Span(" " * max(fix.column - 1 - start, 0) + fix.text, "fix")]


def _window(line: str, underline: str, column: int) -> tuple[int, str, str]:
    """Cut a very long line to the part around the caret; tabs become blanks so that the caret stands right."""
    line = "".join(" " if c == "\t" else c if c.isprintable() else "\ufffd" for c in line)
    if len(line) <= _LONGEST_LINE:
        return 0, line, underline[: len(line) + 1]
    start = max(min(column - _LONGEST_LINE // 2, len(line) - _LONGEST_LINE), 0)
    return start, line[start : start + _LONGEST_LINE], underline[start : start + _LONGEST_LINE]


def _ansi(line: Sequence[_Span]) -> str:
    return "".join(f"{_COLOURS[span.style]}{span.text}{_RESET}" if span.style else span.text for span in line)


def _html(lines: Iterator[list[_Span]]) -> str:
    text = "\n".join("".join(_html_span(span) for span in line) for line in lines)
    return f'<pre style="line-height:1.35;overflow-x:auto">{text}</pre>'


def _html_span(span: _Span) -> str:
    if not span.style:
        return escape(span.text)
    weight = "" if span.style == "gutter" else "font-weight:600;"
    return f'<span style="{weight}{_STYLES[span.style]}">{escape(span.text)}</span>'
