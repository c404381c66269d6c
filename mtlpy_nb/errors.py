# SPDX-License-Identifier: MIT
"""What can go wrong, as exception classes.

All derive from :class:`MetalError`, which is a ``RuntimeError``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .diagnostics import Diagnostic

__all__ = [
    "ArgumentError",
    "CompileError",
    "ExecutionError",
    "MetalError",
    "PipelineError",
    "ResourceError",
    "ValidationError",
]


# What the software device and a Mac say of a thread that leaves its buffers.
_OUTSIDE = ("invalid memory access", "GPU Address Fault")
_CHECK_INDICES = "a thread left its buffers: let those past the end return first, as in if (i >= count) return;"


class MetalError(RuntimeError):
    """Something that Metal, or a check before Metal, refused.

    Attributes
    ----------
    log : str
        Metal's own text where it says more than the message; else empty.
    advice : str
        What to write instead, which is also the end of the message; empty where that is not known.
    """

    log: str = ""
    advice: str = ""

    def _render_traceback_(self) -> list[str]:
        from .notebook.errors import render_error

        return render_error(self)

    def _repr_html_(self) -> str:
        from .notebook.errors import error_html

        return error_html(self)


class CompileError(MetalError):
    """Source that is no valid Metal.

    In a notebook it shows the cell's lines with carets instead of Python's frames.

    Attributes
    ----------
    source : str
        The text that was compiled; empty where it is not known.
    """

    source: str = ""
    _diagnostics: tuple[Diagnostic, ...] | None = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors and warnings in the order of the source, each with its notes."""
        if self._diagnostics is None:
            from .diagnostics import parse

            self._diagnostics = parse(self.log or str(self), self.source)
        return self._diagnostics

    def _render_traceback_(self) -> list[str]:
        from .notebook.errors import render_compile_error

        return render_compile_error(self)

    def _repr_html_(self) -> str:
        from .notebook.errors import compile_error_html

        return compile_error_html(self)


class PipelineError(MetalError):
    """A function that compiled but cannot be made ready to run."""


class ResourceError(MetalError):
    """Memory, a texture or another object that Metal cannot give."""


class ValidationError(MetalError, ValueError):
    """A value that the call does not allow, found before anything ran."""


class ArgumentError(ValidationError, TypeError):
    """An argument that does not fit: of a kernel call, whose signature the message shows, or of another call."""


class ExecutionError(MetalError):
    """Work that failed while it ran."""

    def __init__(self, *args: object) -> None:
        text = str(args[0]) if args else ""
        if any(words in text for words in _OUTSIDE):
            self.advice = _CHECK_INDICES
            if not text.endswith(_CHECK_INDICES):
                args = (f"{text}\n\n    {_CHECK_INDICES}", *args[1:])
        super().__init__(*args)


class _Interrupt(KeyboardInterrupt):
    """Ctrl-C or a notebook's stop button, with what it stopped."""

    def _render_traceback_(self) -> list[str]:
        from .notebook.errors import render_error

        return render_error(self)


# People and front ends know it by this name.
_Interrupt.__name__ = _Interrupt.__qualname__ = KeyboardInterrupt.__name__


class _OutsideError(ValidationError, IndexError):
    """An index beyond what it is an index of."""

    def __reduce__(self) -> tuple[Callable[[str], IndexError], tuple[object, ...]]:
        return outside, self.args  # its class has another's name


class _UnknownNameError(ValidationError, KeyError):
    """A name that nothing has."""

    __str__ = Exception.__str__  # a KeyError would put quotes round the sentence

    def __reduce__(self) -> tuple[Callable[[str], KeyError], tuple[object, ...]]:
        return unknown_name, self.args  # as above


for _kind, _known in ((_OutsideError, IndexError), (_UnknownNameError, KeyError)):
    _kind.__name__ = _kind.__qualname__ = _known.__name__


def outside(text: str) -> IndexError:
    """Make the IndexError of an index, which a notebook shows without this package's frames."""
    return _OutsideError(text)


def unknown_name(text: str) -> KeyError:
    """Make the KeyError of a name, which a notebook shows without this package's frames."""
    return _UnknownNameError(text)


def interrupted(what: str) -> KeyboardInterrupt:
    """Make the KeyboardInterrupt of something that Ctrl-C has stopped."""
    return _Interrupt(what)


_E = TypeVar("_E", bound=MetalError)


def advised(kind: type[_E], text: str, advice: str) -> _E:
    """Make an error whose message ends with what to write instead."""
    error = kind(f"{text}\n\n    {advice}" if advice else text)
    error.advice = advice
    return error
