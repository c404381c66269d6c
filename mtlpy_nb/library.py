# SPDX-License-Identifier: MIT
"""Compiled source: what its functions are, and how to get at them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from . import _native as mtl
from ._advice import did_you_mean
from ._function_constants import Specializable
from ._includes import Includes, resolve_includes
from ._recording import compiling
from ._source_text import function_text
from .arguments import signature_in
from .diagnostics import Diagnostic, parse
from .errors import ArgumentError, CompileError, ValidationError, advised, interrupted

if TYPE_CHECKING:
    from .device import Device
    from .kernel import Kernel

__all__ = ["Function", "FunctionNotFoundError", "Library"]

_MATH_MODES = {"safe": "Safe", "relaxed": "Relaxed", "fast": "Fast"}
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_OPTIONS = ("macros", "std", "math", "preserve_invariance")


class FunctionNotFoundError(ValidationError, KeyError, AttributeError):
    """A library asked for a function that it does not have."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@dataclass(frozen=True)
class Code:
    """Compiled source with all that it was made of; what a Library and its kernels share."""

    native: mtl.Library
    device: Device
    source: str
    options: Mapping[str, Any]


class Function(Specializable):
    """A function that is no kernel: :func:`draw` takes a vertex and a fragment function, and :func:`render` draws.

    Attributes
    ----------
    name : str
        Metal's name of the function.
    """

    def __init__(self, _code: Code, _function: mtl.Function, constants: Mapping[str, Any] | None = None) -> None:
        self._code = _code
        self._function: mtl.Function = _function
        self.name = _function.name
        self.constants: Mapping[str, Any] = MappingProxyType(dict(constants or {}))
        self.__doc__ = "\n\n".join(filter(None, (self.signature or self.name, self.comment)))

    @property
    def device(self) -> Device:
        """The device that it is compiled for."""
        return self._code.device

    @property
    def function_type(self) -> str:
        """``"vertex"``, ``"fragment"`` or another of Metal's kinds."""
        return self._function.function_type.name.lower()

    @property
    def signature(self) -> str:
        """The declaration as the source has it, on one line; empty where it is not known."""
        info = self._function.info
        return " ".join(info.signature.split()) if info is not None else signature_in(self._code.source, self.name)

    @property
    def comment(self) -> str:
        """The comment above the function in the source."""
        info = self._function.info
        return info.comment.strip() if info is not None else ""

    @property
    def source(self) -> str:
        """Its own text in the source, with the comment above it; empty where it is not found there."""
        return function_text(self._code.source, self.name)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from .notebook.describe import mime_bundle

        return mime_bundle(self)

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Refuse: only kernels can be called.

        Parameters
        ----------
        *_, **__
            Anything.

        Raises
        ------
        ValidationError
            Always.
        """
        text = f"{self.name} is a {self.function_type} function, which cannot be called: only kernels run by themselves"
        advice = {
            "vertex": f"draw with it: render({self.name}, a fragment function, size=(width, height), ...)",
            "fragment": f"draw with it: render(a vertex function, {self.name}, size=(width, height), ...)",
        }
        raise advised(ValidationError, text, advice.get(self.function_type, ""))

    def specialize(self, **constants: Any) -> Function:
        """Give the same function with values for its function constants; those given before stay.

        Raises
        ------
        ValidationError
            If there is no such constant, or the value is not of its type.
        """
        return Function(self._code, self._function, self._merged(constants))

    def __repr__(self) -> str:
        return f"<{self.function_type} function {self.name}>"


class Library:
    """Compiled source; made by :meth:`Device.library`. ``library["name"]`` gives a function.

    Attributes
    ----------
    constants : dict
        Function constants given to every function of it.
    """

    def __init__(self, _code: Code, constants: Mapping[str, Any] | None = None) -> None:
        if constants is not None and not isinstance(constants, Mapping):
            raise ArgumentError(f"constants must be a dict, got {type(constants).__name__}")
        self._code = _code
        self.constants = dict(constants or {})
        self._found: dict[str, Kernel | Function] = {}

    @property
    def device(self) -> Device:
        """The device that its kernels run on."""
        return self._code.device

    @property
    def source(self) -> str:
        """The text compiled, includes put in."""
        return self._code.source

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions, in Metal's order."""
        return tuple(self._code.native.function_names)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The compiler's warnings."""
        return parse(self._code.native.diagnostics, self.source)

    def __getitem__(self, name: str) -> Kernel | Function:
        """Give the function of that name: a :class:`Kernel`, or a :class:`Function` that cannot be called.

        Raises
        ------
        FunctionNotFoundError
            If there is none; it is a KeyError, too.
        """
        if not isinstance(name, str):
            raise FunctionNotFoundError(_not_found(name, self.functions))
        found = self._found.get(name)
        if found is None:
            found = self._found.setdefault(name, self._make(name))
        return found

    def _make(self, name: str) -> Kernel | Function:
        from .kernel import Kernel

        function = self._code.native.new_function(name) if _HALF_PAIR.search(name) is None else None
        if function is None:
            raise FunctionNotFoundError(_not_found(name, self.functions))
        if function.function_type != mtl.FunctionType.Kernel:
            return Function(self._code, function, self.constants)
        return Kernel(self._code, name, self.constants)

    def __getattr__(self, name: str) -> Kernel | Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def __contains__(self, name: object) -> bool:
        """Whether it has a function of that name."""
        return name in self.functions

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.functions]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from .notebook.describe import mime_bundle

        return mime_bundle(self)

    def __repr__(self) -> str:
        return f"Library({', '.join(self.functions)})"


def compile_library(
    device: Device,
    source: str,
    *,
    options: Mapping[str, Any] | None = None,
    includes: Includes | None = None,
    constants: Mapping[str, Any] | None = None,
) -> Library:
    """Compile `source`; see :meth:`Device.library`."""
    if not isinstance(source, str):
        raise ArgumentError(f"Device.library: source is the text to compile, got {type(source).__name__}")
    text = resolve_includes(source, includes)
    code = Code(compile_native(device, text, options), device, text, dict(options or {}))
    return Library(code, constants)


def compile_native(device: Device, source: str, options: Mapping[str, Any] | None = None) -> mtl.Library:
    """Compile `source` as it stands.

    Raises
    ------
    CompileError
        With the source, so that it can show the lines.
    """
    __tracebackhide__ = True
    if not isinstance(source, str):
        raise ArgumentError(f"source is the text to compile, got {type(source).__name__}")
    _check_letters(source)
    try:
        with compiling():
            return device._native.new_library_with_source(
                source, _native_options(options, device.pipeline_cache_path != "")
            )
    except CompileError as error:
        renamed = CompileError(f"Shader compilation failed: {error.log or error}")
        renamed.log, renamed.source = error.log or str(error), source
        raise renamed from None
    except KeyboardInterrupt:
        raise interrupted("compiling was stopped") from None


def _check_letters(source: str) -> None:
    """Refuse half a surrogate pair, which no compiler's text can hold."""
    bad = _HALF_PAIR.search(source)
    if bad is None:
        return
    line = source.count("\n", 0, bad.start()) + 1
    column = bad.start() - source.rfind("\n", 0, bad.start())
    log = f"program_source:{line}:{column}: error: the source holds half of a surrogate pair"
    error = CompileError(f"Shader compilation failed: {log}")
    error.log, error.source = log, source
    raise error


def _native_options(options: Mapping[str, Any] | None, is_kept: bool) -> mtl.CompileOptions | None:
    if not options and is_kept:
        return None
    native = native_options(options)
    native.set_kept_on_disk(is_kept)
    return native


def native_options(options: Mapping[str, Any] | None) -> mtl.CompileOptions:
    """Make Metal's options of :meth:`Device.library`'s."""
    if options is not None and not isinstance(options, Mapping):
        raise ArgumentError(f"options must be a dict, got {type(options).__name__}")
    options = options or {}
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ValidationError(f"options: unknown {', '.join(map(repr, unknown))}; known are {', '.join(_OPTIONS)}")
    native = mtl.CompileOptions()
    if options.get("macros"):
        native.preprocessor_macros = {str(name): _macro(value) for name, value in options["macros"].items()}
    if options.get("std") is not None:
        native.language_version = language_version(str(options["std"]))
    if options.get("math") is not None:
        native.math_mode = math_mode(options["math"])
    if options.get("preserve_invariance") is not None:
        native.preserve_invariance = bool(options["preserve_invariance"])
    return native


def _macro(value: object) -> str | int | float | bool:
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def math_mode(name: str) -> mtl.MathMode:
    """Find Metal's math mode by its name: safe, relaxed or fast."""
    if name not in _MATH_MODES:
        raise ValidationError(f"math is {name!r}, must be one of {', '.join(_MATH_MODES)}")
    found: mtl.MathMode = getattr(mtl.MathMode, _MATH_MODES[name])
    return found


def language_version(text: str) -> mtl.LanguageVersion:
    """Find Metal's language version by its number, as in ``"3.1"``, ``"metal3.1"`` or ``"macos-metal2.4"``."""
    number = text.lower().rpartition("metal")[2]
    major, _, minor = number.partition(".")
    name = f"Version{major}_{minor or 0}"
    version: mtl.LanguageVersion | None = getattr(mtl.LanguageVersion, name, None)
    if version is None:
        known = [v.name.removeprefix("Version").replace("_", ".") for v in mtl.LanguageVersion]
        raise ValidationError(f"std is {text!r}, must be one of {', '.join(known)}")
    return version


def _not_found(name: object, functions: tuple[str, ...]) -> str:
    hint = did_you_mean(name, functions) or "."
    has = (
        f" It has: {', '.join(functions)}."
        if functions
        else " It has no functions at all: is `kernel` missing before one?"
    )
    return f"no function {name!r} in this library{hint}{has}"
