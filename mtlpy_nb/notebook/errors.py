# SPDX-License-Identifier: MIT
"""How errors look in a notebook: the cell's own lines with a caret, a wrong call's signature, none of our frames."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from traceback import format_exception, format_exception_only
from types import TracebackType

from .._advice import counted
from ..diagnostics import Diagnostic, has_more
from ..errors import CompileError, MetalError
from .snippets import cut
from .spans import ANSI, RESET, Line, Span, as_ansi, as_html, as_text, printable

__all__ = [
    "EXPRESSION",
    "LINES",
    "compile_error_html",
    "diagnostics_html",
    "diagnostics_text",
    "error_html",
    "render_compile_error",
    "render_error",
    "show_without_callers",
]

# The file name that tracebacks give to the Python expression of a %%metal line.
EXPRESSION = "<%%metal>"
# That of the lines below a cell magic.
LINES = "<lines of the cell>"
# The module whose functions IPython calls for a cell.
MAGICS = f"{__package__}.magics"
# Those whose functions stand between a person's call and a function of this package that they decorate.
_DECORATORS = ("numpy._core._ufunc_config", "contextlib")

_MOST_SHOWN = 10
_FIRST_NOTES, _LAST_NOTES = 5, 2
_LONGEST_MESSAGE = 1000
_MARKED = re.compile(r"^--> .*$", re.MULTILINE)
_FLAG = re.compile(r" \[-W[\w#=+-]+\]$")
_SKIPPED = re.compile(r"\(skipping (\d+) contexts? in backtrace; use -f\S+ to see all\)")


# ---- errors of the compiler ----


def render_compile_error(error: CompileError) -> list[str]:
    """Lines for IPython's traceback area."""
    return [as_ansi(_error_lines(error))]


def compile_error_html(error: CompileError) -> str:
    """Show the same as HTML."""
    return as_html(_error_lines(error))


def diagnostics_text(diagnostics: Sequence[Diagnostic], *, colour: bool = False) -> str:
    """Show messages as text, with ANSI colours if `colour`."""
    lines = _diagnostics(diagnostics)
    return as_ansi(lines) if colour else as_text(lines)


def diagnostics_html(diagnostics: Sequence[Diagnostic]) -> str:
    """Show messages as HTML."""
    return as_html(_diagnostics(diagnostics))


def _error_lines(error: CompileError) -> Iterator[Line]:
    errors = sum(d.severity == "error" for d in error.diagnostics)
    warnings = sum(d.severity == "warning" for d in error.diagnostics)
    counts = [counted(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    more = ", and then the compiler stopped" if has_more(error.log) else ""
    summary = " and ".join(counts) + more if counts else "the source does not compile"
    yield [Span(type(error).__name__, "error"), Span(f": {summary}")]
    yield []
    yield from _diagnostics(error.diagnostics)


def _diagnostics(diagnostics: Sequence[Diagnostic]) -> Iterator[Line]:
    shown = _most_important(diagnostics)
    for i, diagnostic in enumerate(shown):
        if i:
            yield []
        yield from _diagnostic(diagnostic)
    hidden = len(diagnostics) - len(shown)
    if hidden:
        yield []
        advice = "; some may go when the first are mended" if shown[0].severity == "error" else ""
        yield [Span(f"... and {hidden} more{advice}", "gutter")]


def _most_important(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Take the first ones, errors before warnings, in their order."""
    ranked = sorted(range(len(diagnostics)), key=lambda i: diagnostics[i].severity != "error")
    return [diagnostics[i] for i in sorted(ranked[:_MOST_SHOWN])]


def _diagnostic(diagnostic: Diagnostic) -> Iterator[Line]:
    message, flag = _message(diagnostic)
    yield _spans(
        (_place(diagnostic), "bold"), (f"{diagnostic.severity}: ", diagnostic.severity), (message, "bold"), flag
    )
    yield from _source(diagnostic)
    before = diagnostic
    for note in _notes(diagnostic.notes):
        yield from _note(note, before)
        before = note if note.line else before


def _notes(notes: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Leave out the middle of many: the first are the nearest, the last is what the person wrote."""
    hidden = len(notes) - _FIRST_NOTES - _LAST_NOTES
    if hidden < 2:
        return list(notes)
    left_out = Diagnostic("note", f"... {hidden} more notes ...")
    return [*notes[:_FIRST_NOTES], left_out, *notes[-_LAST_NOTES:]]


def _note(note: Diagnostic, before: Diagnostic) -> Iterator[Line]:
    """Show a note; at the place shown just before it is only a sentence."""
    message, _ = _message(note)
    same = (note.file, note.line, note.column) == (before.file, before.line, before.column)
    adds_nothing = same and not note.fix_its and (note.underline.strip() in ("", "^") or before.severity == "note")
    if not note.line or adds_nothing:
        yield [Span(" " * 6 + "= ", "gutter"), Span("note: ", "note"), Span(message)]
        return
    yield _spans((_place(note), "bold"), ("note: ", "note"), (message, "bold"))
    yield from _source(note)


def _place(diagnostic: Diagnostic) -> str:
    if not diagnostic.line:
        return ""
    file = "" if diagnostic.is_in_source else f"{printable(diagnostic.file)}, "
    return f"{file}line {diagnostic.line}, column {diagnostic.column}: "


def _message(diagnostic: Diagnostic) -> tuple[str, tuple[str, str]]:
    """Give the message, and the compiler's name for the warning."""
    message = printable(diagnostic.message)
    message = _SKIPPED.sub(r"... and \1 more of these ...", message)
    flag = _FLAG.search(message)
    message = message[: flag.start()] if flag else message
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}..."
    return message, (flag.group() if flag else "", "gutter")


def _source(diagnostic: Diagnostic) -> Iterator[Line]:
    """Show the source line, what is underlined, and what to write instead."""
    if not diagnostic.source_line:
        return
    number, blank = f"{diagnostic.line:5d} | ", " " * 5 + " | "
    line, underline, moved = cut(diagnostic.source_line, diagnostic.underline)
    yield _spans((number, "gutter"), (line, ""))
    yield _spans((blank, "gutter"), (underline, diagnostic.severity))
    for fix in diagnostic.fix_its:
        yield _spans((blank, "gutter"), (" " * max(fix.column - 1 - moved, 0) + printable(fix.text), "fix"))


def _spans(*parts: tuple[str, str]) -> list[Span]:
    return [Span(text, style) for text, style in parts if text]


# ---- other errors: a wrong call, work that failed ----


def render_error(error: BaseException) -> list[str]:
    """Lines for IPython's traceback area, without the frames within this package."""
    from IPython.core.getipython import get_ipython

    traceback = _outer_frames(error)
    error.__context__ = _outer_context(error)
    shell = get_ipython()
    if traceback is None:
        return [as_ansi(_short_lines(error))]
    if shell is None:
        return format_exception(type(error), error, traceback)
    # The first frame is IPython's own, unless the expression of a %%metal cell failed.
    offset = 0 if traceback.tb_frame.f_code.co_filename in (EXPRESSION, LINES) else None
    lines: list[str] = shell.InteractiveTB.structured_traceback(type(error), error, traceback, tb_offset=offset)
    if shell.colors.lower() == "nocolor":
        return lines
    return [_coloured(line, error) for line in lines]


def show_without_callers(error: BaseException) -> None:
    """Let IPython show an error of a person's own lines from these lines on, as :func:`render_error` does."""
    if hasattr(error, "_render_traceback_"):
        return
    # Errors without a place for more attributes keep their looks.
    with suppress(AttributeError, TypeError):
        error._render_traceback_ = partial(render_error, error)  # type: ignore[attr-defined]


def error_html(error: BaseException) -> str:
    """Show an error without its frames as HTML."""
    return as_html(_short_lines(error))


def _short_lines(error: BaseException) -> list[Line]:
    text = "".join(format_exception_only(type(error), error)).rstrip("\n")
    text = text.removeprefix(f"{type(error).__module__}.")
    name, colon, message = text.partition(":")
    body, _, advice = _parted(message, error)
    lines: list[Line] = [[Span(name, "error"), Span(colon + line)] for line in body.split("\n")[:1]]
    lines += [[Span(line, "error" if _MARKED.match(line) else "")] for line in body.split("\n")[1:]]
    if advice:
        lines += [[], [Span("    "), Span(advice, "fix")]]
    return lines


def _parted(text: str, error: BaseException) -> tuple[str, str, str]:
    """Part a message from the advice that ends it."""
    given = error.advice if isinstance(error, MetalError) else ""
    end = f"\n\n    {given}"
    return (text[: -len(end)], end, given) if given and text.endswith(end) else (text, "", "")


def _coloured(text: str, error: BaseException) -> str:
    """Mark the argument that is meant, and what to write instead."""
    body, end, advice = _parted(text, error)
    body = _MARKED.sub(lambda line: as_ansi([[Span(line.group(), "error")]]), body)
    return body + end[: -len(advice)] + ANSI["fix"] + advice + RESET if advice else body


def _outer_frames(error: BaseException) -> TracebackType | None:
    """Cut a traceback to what a person wrote: from a cell's expression on, up to the call into this package.

    Of an error that this package does not make on purpose, the frames within it are left: it may be its own fault.
    Nothing is left of a ``%%metal`` cell that fails before its expression: what calls the magic is IPython's own.
    """
    is_meant = hasattr(type(error), "_render_traceback_")
    frames = [error.__traceback__] if error.__traceback__ is not None else []
    while frames and frames[-1].tb_next is not None:
        frames.append(frames[-1].tb_next)
    starts = [i for i, frame in enumerate(frames) if frame.tb_frame.f_code.co_filename in (EXPRESSION, LINES)]
    frames = frames[starts[0] :] if starts else frames
    while is_meant and frames and (_is_ours(frames[-1]) or _module(frames[-1]) in _DECORATORS):
        if _module(frames.pop()) == MAGICS:
            return None
    cut_off: TracebackType | None = None
    for frame in reversed(frames):
        cut_off = TracebackType(cut_off, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return cut_off


def _outer_context(error: BaseException) -> BaseException | None:
    """Give what led to an error, leaving out what happened within this package."""
    context = error.__context__
    while context is not None and context.__traceback__ is not None and _is_ours(context.__traceback__):
        context = context.__context__
    return context


def _is_ours(frame: TracebackType) -> bool:
    return _module(frame).partition(".")[0] == "mtlpy_nb"


def _module(frame: TracebackType) -> str:
    return str(frame.tb_frame.f_globals.get("__name__", ""))
