# SPDX-License-Identifier: MIT
"""``%%metal`` and ``%metal``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

import argparse
import linecache
import sys
from keyword import iskeyword
from types import CodeType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand, output_can_be_silenced
from IPython.core.magic_arguments import argument, magic_arguments
from IPython.display import display

from .. import _native as mtl
from ..completion import Completions
from ..device import Device, list_devices, set_default_device
from ..errors import ValidationError
from ..kernel import Kernel
from ..library import Library
from .errors import EXPRESSION, diagnostics_html, diagnostics_text
from .options import assignments, split_line
from .session import Cell, Session

__all__ = ["MetalMagics"]

_MOST_THREADS = 4096
_LINE_HELP = "%metal devices | use N | info KERNEL | cache [clear] | threads [N]"


class _Messages:
    """The compiler's warnings, shown as HTML where there is HTML."""

    def __init__(self, library: Library) -> None:
        self._diagnostics = library.diagnostics

    def __repr__(self) -> str:
        return diagnostics_text(self._diagnostics)

    def _repr_html_(self) -> str:
        return diagnostics_html(self._diagnostics)


@magics_class
class MetalMagics(Magics):
    """The magics, and the session whose cells they compile."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.session = Session(shell.user_ns)

    @magic_arguments("%metal")
    @argument("-d", "--device", type=int, metavar="N", help="Compile for device N of `%%metal devices`.")
    @argument("-o", "--name", metavar="NAME", help="Bind the library to NAME as well.")
    @argument("-D", dest="macros", action="append", metavar="NAME=VALUE", help="Define a macro.")
    @argument("-I", dest="folders", action="append", metavar="PATH", help="Look for included files in PATH.")
    @argument("--std", metavar="VERSION", help="Metal's language version, such as 3.1.")
    @argument("--math", choices=("safe", "relaxed", "fast"), help="How exact floating point must be.")
    @argument(
        "--const", dest="constants", action="append", metavar="NAME=VALUE", help="Give a function constant its value."
    )
    @argument("--show", choices=("ir", "asm", "reflection", "source"), help="Print what became of the cell.")
    @argument("--header", metavar="NAME", help='Make the cell what `#include "NAME"` means in later cells.')
    @argument(
        "--no-preamble", action="store_true", help="Do not add `#include <metal_stdlib>` and `using namespace metal;`."
    )
    @argument("--quiet", action="store_true", help="Show no warnings.")
    @argument("expression", nargs="*", help="Python expression to evaluate afterwards; its value is shown.")
    @no_var_expand
    @output_can_be_silenced
    @cell_magic("metal")
    def metal_cell(self, line: str, cell: str) -> Any:
        """Compile the cell as Metal source; each kernel becomes a callable of its name.

        With an expression after the options, evaluate that and show its value:

            %%metal invert(photo, output.like(photo))
        """
        __tracebackhide__ = True
        words, expression = split_line(line, _parser(MetalMagics.metal_cell))
        options = _parser(MetalMagics.metal_cell).parse_args(words)
        code = _expression(expression)
        if options.header:
            return self._header(options.header, cell, expression)
        source = self._cell(options, cell)
        library = self.session.compile(source)
        warnings = self.session.define(source, library)
        if not options.quiet:
            for warning in warnings:
                print(f"Warning: {warning}", file=sys.stderr)
            if library.diagnostics:
                display(_Messages(library))
        if options.show:
            print(_shown(library, options.show))
        return self._evaluate(expression, code) if code is not None else None

    def complete(self, line: str, body: str, number: int, column: int) -> Completions:
        """Find what may be written in the body of a cell: `number` and `column` of it, from 1; `line` is its first."""
        parser = _parser(MetalMagics.metal_cell)
        try:
            words, _ = split_line(line.removeprefix("%%metal"), parser)
            cell = self._cell(parser.parse_args(words), body)
        except UsageError:
            cell = Cell(text=body)  # the options are not finished yet
        return self.session.complete(cell, number, column)

    def options(self) -> list[tuple[str, str]]:
        """List the options of ``%%metal`` and what each does."""
        actions = _parser(MetalMagics.metal_cell)._actions
        return [(name, action.help or "") for action in actions for name in action.option_strings]

    @line_magic("metal")
    def metal_line(self, line: str) -> Any:
        """Look at devices and kernels: %metal devices | use N | info KERNEL | cache [clear] | threads [N]."""
        command, _, rest = line.strip().partition(" ")
        actions = {
            "devices": self._devices,
            "use": self._use,
            "info": self._info,
            "cache": self._cache,
            "threads": self._threads,
        }
        if command not in actions:
            raise UsageError(_LINE_HELP)
        return actions[command](rest.strip())

    # ---- %%metal ----

    def _cell(self, options: argparse.Namespace, text: str) -> Cell:
        if options.name is not None and (not options.name.isidentifier() or iskeyword(options.name)):
            raise UsageError(f"%%metal: --name takes a name for Python, got {options.name!r}")
        compile_options = {"macros": assignments(options.macros, "-D"), "std": options.std, "math": options.math}
        return Cell(
            text=text,
            options={name: value for name, value in compile_options.items() if value},
            constants=assignments(options.constants, "--const"),
            folders=options.folders or (),
            preamble=not options.no_preamble,
            device=None if options.device is None else self._device(options.device),
            library_name=options.name,
        )

    def _header(self, name: str, text: str, expression: str) -> None:
        if expression:
            raise UsageError("%%metal --header takes no expression: nothing is compiled yet")
        again = self.session.set_header(name, text)
        if again:
            print(f"compiled again: {', '.join(again)}")

    def _evaluate(self, expression: str, code: CodeType) -> Any:
        __tracebackhide__ = True
        shell = self._shell()
        linecache.cache[EXPRESSION] = (len(expression), None, [expression], EXPRESSION)  # for tracebacks
        value = eval(code, shell.user_global_ns, shell.user_ns)
        return None if expression.endswith(";") else value

    def _device(self, index: int) -> Device:
        if index == 0 and self.session.device.name == list_devices()[0]:
            return self.session.device  # so that its Buffers go with kernels of this cell
        return Device(index)

    # ---- %metal ----

    def _devices(self, _: str) -> None:
        used = self.session.device.name
        for i, name in enumerate(list_devices()):
            print(f"{'*' if name == used else ' '} {i}  {name}")

    def _use(self, text: str) -> None:
        if not text.isdigit():
            raise UsageError("%metal use takes a device's number; `%metal devices` lists them")
        device = Device(int(text))
        self.session.use(device)
        set_default_device(device)
        print(device.name)

    def _info(self, text: str) -> None:
        kernel = self._shell().user_ns.get(text)
        if not isinstance(kernel, Kernel):
            raise UsageError(f"%metal info takes the name of a kernel, got {text!r}")
        print(_reflection(kernel))

    def _cache(self, text: str) -> None:
        if text not in ("", "clear"):
            raise UsageError("%metal cache shows the cache of compiled kernels, %metal cache clear empties it")
        if text == "clear":
            mtl.clear_cache()
        folder = mtl.cache_path()
        print(f"{mtl.cache_size() / 1e6:.1f} MB in {folder}" if folder else "compiled kernels are not kept on disk")

    def _threads(self, text: str) -> None:
        if text:
            if not text.isdigit() or not 1 <= int(text) <= _MOST_THREADS:
                raise UsageError(f"%metal threads takes a number from 1 to {_MOST_THREADS}, got {text!r}")
            mtl.set_thread_count(int(text))
        print(f"{mtl.thread_count()} threads")

    def _shell(self) -> InteractiveShell:
        assert self.shell is not None
        return self.shell


def _expression(text: str) -> CodeType | None:
    """Compile the Python after the options, before any Metal: a slip there costs no wait."""
    if not text or text.startswith("#"):
        return None
    try:
        return compile(text.rstrip("; "), EXPRESSION, "eval")
    except SyntaxError as error:
        caret = " " * max((error.offset or 1) - 1, 0) + "^"
        raise UsageError(
            f"%%metal takes one Python expression after its options: {error.msg}\n\n    {text}\n    {caret}"
        ) from None


def _parser(magic: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = magic.parser
    return parser


def _kernels(library: Library) -> list[Kernel]:
    found = [library[name] for name in library.functions]
    return [kernel for kernel in found if isinstance(kernel, Kernel)]


def _shown(library: Library, what: str) -> str:
    if what == "source":
        return library.source
    if what == "reflection":
        return "\n\n".join(_reflection(kernel) for kernel in _kernels(library))
    text = mtl.intermediate_text if what == "ir" else mtl.assembly_text
    return "\n".join(text(kernel._prepared().pipeline) for kernel in _kernels(library))


def _reflection(kernel: Kernel) -> str:
    lines = [str(kernel.__doc__)]
    for argument_ in kernel.arguments.values():
        if argument_.dtype is not None and argument_.dtype.fields is not None:
            places = [f"{name} {place[0]} at {place[1]}" for name, place in argument_.dtype.fields.items()]
            lines.append(f"{argument_.name}: {argument_.dtype.itemsize} bytes: {', '.join(places)}")
    try:
        lines.append(
            f"threads per threadgroup: at most {kernel.max_threads_per_threadgroup}, "
            f"{kernel.thread_execution_width} in lockstep"
        )
    except ValidationError as error:
        lines.append(str(error))
    return "\n".join(lines)
