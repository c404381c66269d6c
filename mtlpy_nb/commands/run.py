# SPDX-License-Identifier: MIT
"""``mtlpy-nb run``: a kernel from the shell, on .npy files and pictures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .._advice import counted, did_you_mean
from .._assignments import constant, split
from ..arguments import Argument
from ..device import Device
from ..diagnostics import Diagnostic
from ..errors import ArgumentError, CompileError, MetalError, ValidationError
from ..kernel import Kernel
from ..library import Library
from .files import ARRAY_SUFFIXES, PICTURE_SUFFIXES, FileError, write
from .terminal import add_command, paint, shows_colour
from .values import UsageError, default_shape, element_shape, make_output, named, parse_shape, parse_value, split_pair

__all__ = ["add"]

_DETAILS = """\
arguments of the kernel, by their names in the source:
  radius=3   tint=1,0.5,0.2   p="{'scale': 2.0, 'limit': 100}"    numbers, vectors, structs
  source=photo.png   x=data.npy   x=@any.name                    a picture or an array from a file
  x=1,2,3                                                        an array
  smooth=linear,repeat                                           a sampler

An output has the shape of the first array or picture that is given, if --shape does not say otherwise. One that is
not written to a file is printed. Without KERNEL, the kernels of the file are listed.

examples:
  mtlpy-nb run filters.metal
  mtlpy-nb run filters.metal blur source=photo.jpg radius=4 -o result=soft.png
  mtlpy-nb run waves.metal waves -o picture=waves.png --shape picture=480,640
  mtlpy-nb run saxpy.metal saxpy x=x.npy y=y.npy a=2 -o y=sum.npy
"""
Arguments: TypeAlias = Mapping[str, Argument]
Shape: TypeAlias = tuple[tuple[int, ...], int]  # of the elements; and channels

_SUFFIXES = (*ARRAY_SUFFIXES, *PICTURE_SUFFIXES)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(commands, "run", "run a kernel of a .metal file on arrays and pictures", _DETAILS)
    parser.add_argument("file", type=Path, metavar="FILE.metal", help="the source; - for the standard input")
    parser.add_argument("kernel", nargs="?", metavar="KERNEL", help="the kernel's name")
    parser.add_argument("arguments", nargs="*", metavar="NAME=VALUE", help="the kernel's arguments")
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="[NAME=]FILE",
        help="write what the kernel wrote there to a .npy file or a picture; NAME only if there are several",
    )
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=ROWS,COLUMNS",
        help="shape of an output; or NAME=OTHER, like another argument",
    )
    parser.add_argument("--grid", metavar="X,Y,Z", help="number of threads (default: one for each element)")
    parser.add_argument("--threadgroup", metavar="X,Y,Z", help="threads of a threadgroup")
    parser.add_argument(
        "--const", action="append", default=[], metavar="NAME=VALUE", help="value of a function constant"
    )
    parser.add_argument("-D", dest="macros", action="append", default=[], metavar="NAME[=VALUE]", help="macro")
    parser.add_argument(
        "-I", dest="folders", action="append", default=[], metavar="FOLDER", help="look there for files"
    )
    parser.add_argument("--std", metavar="VERSION", help="Metal's language version, such as 3.1")
    parser.add_argument("--math", choices=("safe", "relaxed", "fast"), help="how exact floating point must be")
    parser.add_argument(
        "-d", "--device", type=int, metavar="N", help="device N, counted from 0 (default: the system's)"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no warnings of the compiler")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compile the file, call the kernel, write its outputs; gives the exit code."""
    if options.kernel is None and options.arguments:  # what stands after an option
        options.kernel = options.arguments.pop(0)
    try:
        library = _compile(options)
        if options.kernel is None:
            _list(library, options.file)
            return 0
        _call(_kernel(library, options), options)
    except CompileError as error:
        _show(error.diagnostics, options.file)
        errors = sum(diagnostic.severity == "error" for diagnostic in error.diagnostics)
        print(f"\n{options.file} does not compile: {counted(errors, 'error')}", file=sys.stderr)
        return 1
    except (UsageError, FileError, ArgumentError, ValidationError) as error:
        print(f"{paint('mtlpy-nb run:', 'error', sys.stderr)} {error}", file=sys.stderr)
        return 2
    except MetalError as error:
        print(f"{paint('mtlpy-nb run:', 'error', sys.stderr)} {error}", file=sys.stderr)
        return 1
    return 0


# ---- the source ----


def _compile(options: argparse.Namespace) -> Library:
    path: Path = options.file
    if str(path) == "-":
        text, folders = sys.stdin.read(), options.folders
    else:
        if not path.is_file():
            raise FileError(f"there is no file {path}")
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"{path} cannot be read: {error}") from None
        folders = [str(path.parent), *options.folders]
    for folder in options.folders:
        if not Path(folder).is_dir():
            raise UsageError(f"-I {folder}: there is no such folder")
    compile_options = {"macros": _macros(options.macros), "std": options.std, "math": options.math}
    device = Device(options.device)
    library = device.library(
        text, options={name: value for name, value in compile_options.items() if value}, includes=folders
    )
    if not options.quiet:
        _show(library.diagnostics, path)
    return library


def _macros(words: list[str]) -> dict[str, str]:
    pairs = [_assignment("-D", word) for word in words]
    return {name: "1" if value is None else value for name, value in pairs}


def _assignment(option: str, word: str) -> tuple[str, str | None]:
    try:
        return split(word)
    except ValueError:
        raise UsageError(f"{option} takes NAME=VALUE, got {word!r}") from None


def _show(diagnostics: tuple[Diagnostic, ...], path: Path) -> None:
    from ..notebook.errors import diagnostics_text

    if diagnostics:
        text = diagnostics_text([_in_file(d, path) for d in diagnostics], colour=shows_colour(sys.stderr))
        print(text, file=sys.stderr)


def _in_file(diagnostic: Diagnostic, path: Path) -> Diagnostic:
    notes = tuple(_in_file(note, path) for note in diagnostic.notes)
    return replace(diagnostic, file=str(path) if diagnostic.is_in_source else diagnostic.file, notes=notes)


def _kernel(library: Library, options: argparse.Namespace) -> Kernel:
    kernels = _kernels(library)
    found = kernels.get(options.kernel)
    if found is None:
        hint = did_you_mean(options.kernel, kernels) or "."
        raise UsageError(f"{options.file} has no kernel {options.kernel}{hint} It has: {', '.join(kernels) or 'none'}")
    constants: dict[str, object] = {}
    for word in options.const:
        name, value = _assignment("--const", word)
        try:
            constants[name] = constant(value or "")
        except ValueError as error:
            raise UsageError(f"--const {name}=VALUE: {error}") from None
    kernel = found.specialize(**constants) if constants else found
    required = found._function.function_constants.items() if found._function is not None else ()
    missing = [name for name, constant in required if constant.required and name not in constants]
    if missing:
        words = " ".join(f"--const {name}=VALUE" for name in missing)
        raise UsageError(f"{kernel.name} needs values for its function constants: add {words}")
    return kernel


def _kernels(library: Library) -> dict[str, Kernel]:
    functions = {name: library[name] for name in library.functions}
    return {name: function for name, function in functions.items() if isinstance(function, Kernel)}


def _list(library: Library, path: Path) -> None:
    kernels = _kernels(library)
    if not kernels:
        print(f"{path} has no kernels")
    for i, kernel in enumerate(kernels.values()):
        print("\n" * (i > 0) + str(kernel.__doc__))


# ---- the call ----


def _call(kernel: Kernel, options: argparse.Namespace) -> None:
    arguments = kernel.arguments
    values: dict[str, Any] = {}
    for word in options.arguments:
        argument, text = split_pair(word, arguments)
        if argument.name in values:
            raise UsageError(f"{argument.name} is given twice")
        values[argument.name] = parse_value(argument, text, kernel.device)
    _check_complete(kernel, values)
    files = _files(options.output, arguments)
    grid = parse_shape(options.grid, "--grid") if options.grid else None
    _add_outputs(values, arguments, files, _shapes(options.shape, arguments, values), grid)
    made = [name for name, value in values.items() if not isinstance(value, np.ndarray)]
    result = kernel(
        # By position, since one may be named `grid`; an attribute may not.
        *(values.get(name) for name, argument in arguments.items() if argument.kind != "attribute"),
        **{name: values[name] for name, argument in arguments.items() if argument.kind == "attribute"},
        grid=grid,
        threadgroup=parse_shape(options.threadgroup, "--threadgroup") if options.threadgroup else None,
    )
    results = _results(arguments, values, made, result)
    for name, array in results.items():
        if name in files:
            note = write(files[name], array)
            print(f"{name}: {files[name]}, shape {array.shape}, {array.dtype}" + (f" ({note})" if note else ""))
        elif not files:
            print(f"{name} = {np.array2string(array, separator=', ', prefix=f'{name} = ')}")


def _check_complete(kernel: Kernel, values: dict[str, Any]) -> None:
    missing = [a for a in kernel.arguments.values() if a.name not in values and not (a.is_writable or a.is_optional)]
    if missing:
        words = " ".join(f"{argument.name}=..." for argument in missing)
        table = "\n".join(f"    {argument.declaration}" for argument in missing)
        raise UsageError(f"{kernel.name} also needs {words}\n\n{table}")


def _files(words: list[str], arguments: Arguments) -> dict[str, Path]:
    writable = [name for name, argument in arguments.items() if argument.is_writable]
    files: dict[str, Path] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if not equals:
            if len(writable) != 1:
                which = f"one of {', '.join(writable)}" if writable else "but this kernel writes to nothing"
                raise UsageError(f"-o {word}: write -o NAME={word}, {which}")
            name, file = writable[0], word
        if not named(name, arguments).is_writable:
            raise UsageError(f"-o {word}: the kernel only reads {name}, it writes {', '.join(writable) or 'nothing'}")
        path = Path(file).expanduser()
        if path.suffix.lower() not in _SUFFIXES:
            raise UsageError(f"-o {word}: the file's name must end in {', '.join(_SUFFIXES)}")
        if not path.parent.is_dir():
            raise UsageError(f"-o {word}: there is no folder {path.parent}")
        files[name] = path
    return files


def _shapes(words: list[str], arguments: Arguments, values: dict[str, Any]) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {}
    like = default_shape(values, arguments)
    for word in words:
        argument, text = split_pair(word, arguments)
        other = values.get(text)
        if isinstance(other, np.ndarray):
            shapes[argument.name] = element_shape(arguments[text], other)
        elif text.isidentifier():
            raise UsageError(f"--shape {word}: {named(text, arguments).name} is given no array")
        else:
            shapes[argument.name] = parse_shape(text, f"--shape {argument.name}"), like[1] if like else 4
    return shapes


def _add_outputs(
    values: dict[str, Any],
    arguments: Arguments,
    files: dict[str, Path],
    shapes: dict[str, Shape],
    grid: tuple[int, ...] | None,
) -> None:
    """Give every argument that the kernel writes, and that nobody gave, an output."""
    like = default_shape(values, arguments)
    if like is None and grid is not None:
        like = tuple(reversed(grid)), 4
    for name, argument in arguments.items():
        if not argument.is_writable or name in values:
            continue
        wanted = shapes.get(name, like)
        if wanted is None:
            raise UsageError(
                f"{name} is written by the kernel, and no array tells how large it shall be: "
                f"add --shape {name}=ROWS,COLUMNS"
            )
        values[name] = make_output(argument, *wanted, files.get(name))


def _results(
    arguments: Arguments, values: dict[str, Any], made: list[str], result: Any
) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """Put what was written into arrays by name: what the call made, and what it was given and changed."""
    outputs = [name for name in arguments if name in made and arguments[name].is_writable]
    items = [] if not outputs else [result] if len(outputs) == 1 else list(result)
    found = dict(zip(outputs, items, strict=True))
    return {
        name: np.asarray(found[name] if name in found else values[name])
        for name, argument in arguments.items()
        if argument.is_writable and name in values
    }
