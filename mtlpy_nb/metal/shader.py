# SPDX-License-Identifier: MIT
"""Making source text: a preprocessor, templates, and kernels from their bodies.

A library compiles with macros and headers of its own (:meth:`mtlpy_nb.Device.library`): these are for programs that
want the text itself.

>>> from mtlpy_nb.metal.shader import ShaderPreprocessor
>>> ShaderPreprocessor().define("BLOCK", "256").process("int size = BLOCK;")
'int size = 256;'
"""

from __future__ import annotations

import hashlib
import os
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..errors import ArgumentError, ValidationError
from ._clang import preprocess
from ._macros import Macro, macro_of
from ._preprocess import Preprocessing

__all__ = [
    "COMMON_SNIPPETS",
    "ShaderPreprocessor",
    "ShaderTemplate",
    "compute_shader_hash",
    "create_compute_kernel",
]

#: Pieces of source by name: ``metal_stdlib``, ``float_constants``, ``int_constants``.
COMMON_SNIPPETS: dict[str, str] = {
    "metal_stdlib": "\n#include <metal_stdlib>\nusing namespace metal;\n",
    "float_constants": (
        "\nconstant float PI = 3.14159265358979323846;\n"
        "constant float TAU = 6.28318530717958647692;\n"
        "constant float E = 2.71828182845904523536;\n"
        "constant float SQRT2 = 1.41421356237309504880;\n"
    ),
    "int_constants": (
        "\nconstant int INT_MAX_VALUE = 2147483647;\n"
        "constant int INT_MIN_VALUE = (-2147483647 - 1);\n"
        "constant uint UINT_MAX_VALUE = 4294967295u;\n"
    ),
}


def _checked_text(where: str, name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{where}: {name} must be a str, got {type(value).__name__}")
    return value


def _checked_name(where: str, name: object) -> str:
    text = _checked_text(where, "name", name)
    if not text.isidentifier():
        raise ValidationError(f"{where}: name is {text!r}, which is no name in C")
    return text


def _checked_path(where: str, name: str, value: object) -> Path:
    if not isinstance(value, (str, os.PathLike)):
        raise ArgumentError(f"{where}: {name} must be a str or a path, got {type(value).__name__}")
    return Path(value)


class ShaderPreprocessor:
    """Includes files, chooses between parts, and replaces macros, as the C preprocessor does.

    Where Metal's compiler is at hand and all three are asked for, Clang's own preprocessor does it; else one in Python
    that keeps the same rules. Headers that the compiler brings along (``<metal_stdlib>`` and the like) stay as
    ``#include``, unless a folder has a file of that name.

    Parameters
    ----------
    include_paths : sequence of paths, optional
        Folders that ``#include`` searches, behind the folder of the file itself.
    """

    def __init__(self, include_paths: Sequence[str | os.PathLike[str]] | None = None) -> None:
        if isinstance(include_paths, (str, bytes)):
            raise ArgumentError("ShaderPreprocessor: include_paths must be a list of folders, got one str")
        self._folders: list[Path] = []
        self._macros: dict[str, str] = {}
        self._functions: dict[str, Callable[[str], str]] = {}
        self._texts: dict[Path, str] = {}
        for path in include_paths or ():
            self.add_include_path(path)

    def add_include_path(self, path: str | os.PathLike[str]) -> ShaderPreprocessor:
        """Search one more folder, after those that are there.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        ShaderPreprocessor
            Itself, so that calls can follow one another.
        """
        self._folders.append(_checked_path("add_include_path", "path", path))
        return self

    def define(self, name: str, value: str = "1") -> ShaderPreprocessor:
        """Define a macro before the first line.

        Parameters
        ----------
        name : str
            With parameters behind it, ``"TWICE(x)"``, it is a macro that is called.
        value : str

        Returns
        -------
        ShaderPreprocessor
            Itself.
        """
        text = _checked_text("define", "name", name)
        _checked_name("define", text.split("(", 1)[0].strip())
        if not isinstance(value, (str, int, float)):
            raise ArgumentError(f"define: value of {text!r} must be a str, got {type(value).__name__}")
        self._macros[text.strip()] = str(int(value)) if isinstance(value, bool) else str(value)
        return self

    def define_many(self, defines: Mapping[str, str]) -> ShaderPreprocessor:
        """Define several macros.

        Parameters
        ----------
        defines : mapping
            Values by name.

        Returns
        -------
        ShaderPreprocessor
            Itself.
        """
        if not isinstance(defines, Mapping):
            raise ArgumentError(f"define_many: defines must be a mapping, got {type(defines).__name__}")
        for name, value in defines.items():
            self.define(name, value)
        return self

    def undefine(self, name: str) -> ShaderPreprocessor:
        """Forget a macro; does nothing when there is none of that name.

        Parameters
        ----------
        name : str

        Returns
        -------
        ShaderPreprocessor
            Itself.
        """
        wanted = _checked_text("undefine", "name", name)
        for known in [known for known in self._macros if known.split("(", 1)[0].strip() == wanted]:
            del self._macros[known]
        self._functions.pop(wanted, None)
        return self

    def register_macro_function(self, name: str, func: Callable[[str], str]) -> ShaderPreprocessor:
        """Let a Python function give what ``NAME(...)`` is replaced by.

        Parameters
        ----------
        name : str
        func : callable
            Takes the text between the parentheses and returns text, in which macros are replaced, too.

        Returns
        -------
        ShaderPreprocessor
            Itself.
        """
        if not callable(func):
            raise ArgumentError(f"register_macro_function: func must be callable, got {type(func).__name__}")
        self._functions[_checked_name("register_macro_function", name)] = func
        return self

    def process(
        self,
        source: str,
        source_file: str | os.PathLike[str] | None = None,
        process_includes: bool = True,
        process_defines: bool = True,
        process_conditionals: bool = True,
    ) -> str:
        """Give the text as the compiler would see it.

        Parameters
        ----------
        source : str
        source_file : str or path, optional
            Where the source comes from: ``#include "..."`` looks beside it first.
        process_includes, process_defines, process_conditionals : bool
            What is done; what is not stays in the text. A ``#define`` in a conditional that stays does, too.

        Returns
        -------
        str

        Raises
        ------
        FileNotFoundError
            If an included file is in none of the folders.
        RecursionError
            If files are included more than 50 deep.
        CompileError
            If a directive is no valid one, or an ``#error`` is reached.
        """
        text = _checked_text("process", "source", source)
        file = _checked_path("process", "source_file", source_file) if source_file is not None else None
        if process_includes and process_defines and process_conditionals and not self._functions:
            folders = [file.parent, *self._folders] if file is not None else self._folders
            done = preprocess(text, self._macros, folders)
            if done is not None:
                return done
        return Preprocessing(
            self._all_macros(),
            find=self._find,
            searched=lambda including: [str(folder) for folder in self._searched(including)],
            read=self._read,
            includes=process_includes,
            defines=process_defines,
            conditionals=process_conditionals,
        ).run(text, file)

    def process_file(
        self,
        filepath: str | os.PathLike[str],
        *,
        process_includes: bool = True,
        process_defines: bool = True,
        process_conditionals: bool = True,
    ) -> str:
        """Give the text of a file as the compiler would see it.

        Parameters
        ----------
        filepath : str or path
        process_includes, process_defines, process_conditionals : bool
            As of :meth:`process`.

        Returns
        -------
        str
        """
        path = _checked_path("process_file", "filepath", filepath)
        return self.process(
            path.read_text(encoding="utf-8"), path, process_includes, process_defines, process_conditionals
        )

    def clear_cache(self) -> ShaderPreprocessor:
        """Forget the texts of included files, so that they are read again.

        Returns
        -------
        ShaderPreprocessor
            Itself.
        """
        self._texts.clear()
        return self

    def _all_macros(self) -> dict[str, Macro]:
        from ._macros import parse_define
        from ._tokens import tokens

        macros: dict[str, Macro] = {}
        for name, value in self._macros.items():
            if "(" in name:
                parsed, macro = parse_define(tokens(f"{name} {value}"))
                macros[parsed] = macro
            else:
                macros[name] = macro_of(value)
        macros.update({name: Macro(function=func) for name, func in self._functions.items()})
        return macros

    def _searched(self, including: Path | None) -> list[Path]:
        return [including.parent, *self._folders] if including is not None else list(self._folders)

    def _find(self, name: str, including: Path | None) -> Path | None:
        return next((path for folder in self._searched(including) if (path := folder / name).is_file()), None)

    def _read(self, path: Path) -> str:
        if path not in self._texts:
            self._texts[path] = path.read_text(encoding="utf-8")
        return self._texts[path]


class ShaderTemplate:
    """Source text with places for values: ``{name}``; ``{{`` and ``}}`` stand for braces.

    Parameters
    ----------
    template : str
    """

    def __init__(self, template: str) -> None:
        self._template = _checked_text("ShaderTemplate", "template", template)
        self._defaults: dict[str, str] = {}
        try:
            fields = [field for _, field, _, _ in string.Formatter().parse(self._template) if field is not None]
        except ValueError as error:
            raise ValidationError(f"ShaderTemplate: {error}; write braces that are meant as {{{{ and }}}}") from None
        for field in fields:
            if not field.isidentifier():
                raise ValidationError(
                    f"ShaderTemplate: {{{field}}} names no value; write braces that are meant as {{{{ and }}}}"
                )
        self._fields = frozenset(fields)

    def set_default(self, name: str, value: str) -> ShaderTemplate:
        """Give a value that :meth:`render` takes when it is told no other.

        Parameters
        ----------
        name : str
        value : str

        Returns
        -------
        ShaderTemplate
            Itself, so that calls can follow one another.
        """
        self._defaults[_checked_name("set_default", name)] = value
        return self

    def set_defaults(self, defaults: Mapping[str, str]) -> ShaderTemplate:
        """Give several.

        Parameters
        ----------
        defaults : mapping
            Values by name.

        Returns
        -------
        ShaderTemplate
            Itself.
        """
        if not isinstance(defaults, Mapping):
            raise ArgumentError(f"set_defaults: defaults must be a mapping, got {type(defaults).__name__}")
        for name, value in defaults.items():
            self.set_default(name, value)
        return self

    def render(self, **kwargs: object) -> str:
        """Give the text with values in their places.

        Parameters
        ----------
        **kwargs
            Values by name.

        Returns
        -------
        str

        Raises
        ------
        ValidationError
            If a value is missing.
        """
        values = {**self._defaults, **kwargs}
        missing = sorted(self._fields - values.keys())
        if missing:
            raise ValidationError(f"render: no value for {', '.join(missing)}")
        return self._template.format_map(values)

    def render_with_preprocessor(self, preprocessor: ShaderPreprocessor, **kwargs: object) -> str:
        """Render, then preprocess.

        Parameters
        ----------
        preprocessor : ShaderPreprocessor
        **kwargs
            Values by name.

        Returns
        -------
        str
        """
        return preprocessor.process(self.render(**kwargs))


def compute_shader_hash(source: str) -> str:
    """Give a name to a source text: its SHA-256 as 64 hexadecimal digits.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
    """
    return hashlib.sha256(_checked_text("compute_shader_hash", "source", source).encode()).hexdigest()


_QUALIFIERS = {"read": "device const", "write": "device", "readwrite": "device"}


def create_compute_kernel(
    name: str,
    body: str,
    buffers: Sequence[tuple[str, str, str]],
    threads_per_grid: bool = True,
    include_stdlib: bool = True,
) -> str:
    """Write a kernel around its body.

    Parameters
    ----------
    name : str
    body : str
        Statements; ``idx`` is the thread's position in the grid.
    buffers : sequence of (name, type, access)
        In the order of their indices; access is ``"read"``, ``"write"`` or ``"readwrite"``.
    threads_per_grid : bool
        Whether there is an ``idx``.
    include_stdlib : bool
        Whether ``<metal_stdlib>`` is included and its namespace used.

    Returns
    -------
    str
    """
    where = "create_compute_kernel"
    parameters = []
    for index, buffer in enumerate(buffers):
        if not isinstance(buffer, (tuple, list)) or len(buffer) != 3:
            raise ArgumentError(f"{where}: buffers[{index}] is {buffer!r}, must be (name, type, access)")
        argument, element, access = buffer
        if access not in _QUALIFIERS:
            raise ValidationError(f"{where}: access of {argument!r} is {access!r}, must be read, write or readwrite")
        parameters.append(f"{_QUALIFIERS[access]} {element}* {_checked_name(where, argument)} [[buffer({index})]]")
    if threads_per_grid:
        parameters.append("uint idx [[thread_position_in_grid]]")
    lines = "\n".join(f"    {line}".rstrip() for line in _checked_text(where, "body", body).strip("\n").split("\n"))
    head = COMMON_SNIPPETS["metal_stdlib"].lstrip() + "\n" if include_stdlib else ""
    separator = ",\n" + " " * (len("kernel void (") + len(_checked_name(where, name)))
    return f"{head}kernel void {name}({separator.join(parameters)})\n{{\n{lines}\n}}\n"
