# SPDX-License-Identifier: MIT
"""``%%metal`` and ``%metal``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

import argparse
import sys
from keyword import iskeyword
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments
from IPython.display import display

from ..completion import Completions
from ..device import Device, list_devices
from ..errors import ValidationError
from ..library import Library, language_version
from .commands import Commands, device_number
from .errors import diagnostics_html, diagnostics_text
from .expression import read_expression
from .options import Place, constants, macros, options_of, parse_line, place_in, short
from .session import Cell, Session
from .shown import check_constants, shown

__all__ = ["MetalMagics"]


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
        self._commands = Commands(shell, self.session)
        self._place: str | None = None
        self._run = 0

    # Not `output_can_be_silenced`: IPython would look for the `;` at the end of the Metal source, where it stands after
    # every explicit instantiation. A `;` after the expression is what hides its value.
    @magic_arguments("%metal")
    @argument("-d", "--device", metavar="N", help="Compile for device N of `%%metal devices`.")
    @argument(
        "-o", "--name", metavar="NAME", help="Bind the library to NAME as well: NAME['kernel'] is a kernel of it."
    )
    @argument("-D", dest="macros", action="append", metavar="NAME=VALUE", help="Define a macro; 1 without a value.")
    @argument("-I", dest="folders", action="append", metavar="PATH", help="Look for included files in this folder.")
    @argument("--std", metavar="VERSION", help="Metal's language version, such as 3.1.")
    @argument("--math", choices=("safe", "relaxed", "fast"), help="How exact floating point must be.")
    @argument(
        "--const",
        dest="constants",
        action="append",
        metavar="NAME=VALUE",
        help="Give a function constant its value: a number, true, false or a tuple for a vector.",
    )
    @argument("--show", choices=("ir", "asm", "reflection", "source"), help="Print what became of the cell.")
    @argument("--header", metavar="NAME", help='Make the cell what `#include "NAME"` means in other cells.')
    @argument(
        "--no-preamble", action="store_true", help="Do not add `#include <metal_stdlib>` and `using namespace metal;`."
    )
    @argument("--quiet", action="store_true", help="Show no warnings.")
    @argument("expression", nargs="*", help="Python expression to evaluate afterwards; its value is shown.")
    @no_var_expand
    @cell_magic("metal")
    def metal_cell(self, line: str, cell: str) -> Any:
        """Compile the cell as Metal source; each kernel becomes a Python function of its name.

        Options come first, then a Python expression, if you like. It is evaluated with the new kernels, and its value
        is shown; end it with ``;`` to hide it. Examples of the first line:

            %%metal
            %%metal invert(photo, output.like(photo))       run it at once and see the picture
            %%metal --quiet invert(photo, output.like(photo));
            %%metal -D RADIUS=3 -D FAST                     #define RADIUS 3, #define FAST 1
            %%metal --const SIZE=8 --const EXACT=true       values of function constants
            %%metal --header noise.h                        for `#include "noise.h"` in other cells
            %%metal -I shaders                              for `#include "x.h"` of files in a folder
            %%metal --std 3.1 --math safe
            %%metal --show reflection                       arguments and struct layouts; also ir, asm, source
            %%metal -o filters                              then filters["invert"] is the kernel
            %%metal -d 1                                    for device 1 of `%metal devices`
            %%metal --no-preamble                           exactly this source

        Running a cell again replaces its kernels. A cell that does not compile leaves them as they were. When a header
        changes, the cells that include it are compiled again.
        """
        __tracebackhide__ = True
        options, text = parse_line(line, _parser(MetalMagics.metal_cell))
        expression = read_expression(text)
        source = self._cell(options, cell)
        if options.header is not None:
            return self._header(options, source, text)
        library = self.session.compile(source)
        check_constants(library, source.constants)
        # Before any name changes: what is wrong with it must leave the notebook as it was.
        to_print = shown(library, options.show, self._shell()) if options.show else ""
        warnings = self.session.define(source, library)
        if not library.functions and not options.quiet:
            warnings.append(
                "this cell has no function for Python: is `kernel` missing before one? See --header in %%metal?"
            )
        if not options.quiet:
            _warn(warnings)
            if library.diagnostics:
                display(_Messages(library))
        if to_print:
            print(to_print)
        if expression is None:
            return None
        value = expression.evaluate(self._shell().user_global_ns, self._shell().user_ns)
        return None if expression.is_silent else value

    @line_magic("metal")
    def metal_line(self, line: str) -> None:
        """Look at devices and kernels, and choose.

        %metal devices          list the devices; a star marks the one that cells compile for
        %metal use 1            compile for device 1 from now on
        %metal info blur        declaration, arguments, struct layouts and thread limits of the kernel blur
        %metal explain blur     why the kernel blur is slow, line by line; blur(...) with arguments runs it and counts
        %metal cache            how much room compiled kernels take on disk, and where
        %metal cache clear      forget them
        %metal threads          how many threads run kernels on the software device
        %metal threads 2        change that

        %%metal, with two %, at the top of a cell compiles the cell: see %%metal?
        """
        self._commands.run(line)

    # ---- for completion and help ----

    def complete(self, line: str, body: str, number: int, column: int) -> Completions:
        """Find what may be written in the body of a cell: `number` and `column` of it, from 1; `line` is its first."""
        try:
            options, _ = parse_line(line.removeprefix("%%metal"), _parser(MetalMagics.metal_cell))
            cell = self._cell(options, body)
        except UsageError:
            cell = Cell(text=body)  # the options are not finished yet
        return self.session.complete(cell, number, column)

    def place(self, line: str) -> Place:
        """Find what is being written at the end of a cell's first line."""
        return place_in(line.removeprefix("%%metal"), _parser(MetalMagics.metal_cell))

    def options(self) -> list[tuple[str, str]]:
        """List the options of ``%%metal`` and what each does."""
        return options_of(_parser(MetalMagics.metal_cell))

    def begin_cell(self, info: Any) -> None:
        """Remember which cell runs, where the front end says so; IPython calls it before each."""
        self._place = getattr(info, "cell_id", None)
        self._run += 1

    # ---- %%metal ----

    def _cell(self, options: argparse.Namespace, text: str) -> Cell:
        if options.name is not None and (not options.name.isidentifier() or iskeyword(options.name)):
            raise UsageError(f"%%metal: --name takes a name for Python, got {short(options.name)}")
        if options.std is not None:
            try:
                language_version(options.std)
            except ValidationError as error:
                raise UsageError(f"%%metal: --{error}") from None
        compile_options = {"macros": macros(options.macros), "std": options.std, "math": options.math}
        return Cell(
            text=text,
            options={name: value for name, value in compile_options.items() if value},
            constants=constants(options.constants),
            folders=options.folders or (),
            preamble=not options.no_preamble,
            device=self.session.device if options.device is None else self._device(options.device),
            library_name=options.name,
            place=self._place,
            run=self._run,
        )

    def _header(self, options: argparse.Namespace, cell: Cell, expression: str) -> None:
        __tracebackhide__ = True
        if expression:
            raise UsageError("%%metal --header takes no expression: nothing is compiled yet")
        if not options.header.strip():
            raise UsageError('%%metal: --header takes the name that #include "NAME" will give, got an empty one')
        change = self.session.set_header(cell, options.header)
        if change.again and not options.quiet:
            print(f"compiled again: {', '.join(change.again)}")
        if change.error is not None:
            names = ", ".join(change.broken)
            _warn([f"no longer compiling with {options.header}, and not to be called until mended: {names}"])
            raise change.error

    def _device(self, text: str) -> Device:
        index = device_number(text, "%%metal -d")
        if index == 0 and self.session.device.name == list_devices()[0]:
            return self.session.device  # so that its Buffers go with kernels of this cell
        return Device(index)

    def _shell(self) -> InteractiveShell:
        assert self.shell is not None
        return self.shell


def _warn(warnings: list[str]) -> None:
    for warning in warnings:
        print(f"Warning: {warning}", file=sys.stderr)


def _parser(magic: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = magic.parser
    return parser
