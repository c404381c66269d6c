# SPDX-License-Identifier: MIT
"""``%metal_time`` and ``%%metal_time``."""

# IPython's decorators have no types.
# mypy: disable-error-code="no-untyped-call, untyped-decorator, arg-type"

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand, output_can_be_silenced
from IPython.core.magic_arguments import argument, magic_arguments

from ..timing import NothingRanError, Timing, measure
from .expression import read_expression
from .lines import read_lines
from .options import parse_line, short

__all__ = ["TimingMagics"]

_MOST_RUNS = 1_000_000


def _count(least: int) -> Callable[[str], int]:
    """Make what reads an option's number of runs."""

    def read(text: str) -> int:
        if not text.isdigit() or not least <= int(text) <= _MOST_RUNS:
            raise argparse.ArgumentTypeError(f"a number from {least} to {_MOST_RUNS}")
        return int(text)

    return read


@magics_class
class TimingMagics(Magics):
    """The magics that time kernels."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)

    @magic_arguments("%metal_time")
    @argument(
        "-r",
        "--repeat",
        type=_count(1),
        metavar="N",
        help="Measure N runs; default: as many as fill about 0.3 s, 5 to 100.",
    )
    @argument("-w", "--warmup", type=_count(0), metavar="N", default=1, help="Run N times before, unmeasured.")
    @argument("--bytes", metavar="EXPR", help="Bytes that a run reads and writes; default: inferred from its arrays.")
    @argument("--flops", metavar="EXPR", help="Floating point operations of a run.")
    @argument("expression", nargs="*", help="Python expression that calls kernels; of a cell, its lines are timed.")
    @no_var_expand
    @output_can_be_silenced
    @line_cell_magic("metal_time")
    def metal_time(self, line: str, cell: str | None = None) -> Timing:
        """Time kernels: on the device, around it, and the compiler, apart.

        The expression runs several times, so what it changes, it changes as often:

            %metal_time blur(photo, output.like(photo))

        A cell is timed whole:

            %%metal_time --repeat 20
            blurred = blur(photo, output.like(photo))
            edges(blurred, output.like(photo))
        """
        __tracebackhide__ = True
        magic = "%metal_time" if cell is None else "%%metal_time"
        options, expression = parse_line(line, TimingMagics.metal_time.parser, magic)
        run, name = self._line(expression, magic) if cell is None else self._cell(expression, cell, magic)
        nbytes, flops = (self._number(getattr(options, n), f"{magic} --{n}") for n in ("bytes", "flops"))
        try:
            return measure(run, name, repeat=options.repeat, warmup=options.warmup, bytes=nbytes, flops=flops)
        except NothingRanError as error:
            raise UsageError(f"{magic}: {error}") from None

    def _line(self, text: str, magic: str) -> tuple[Callable[[], object], str]:
        """Make what is timed of an expression, and its name."""
        assert self.shell is not None
        shell = self.shell
        expression = read_expression(text, magic)
        if expression is None:
            raise UsageError(f"{magic} takes an expression that calls kernels: {magic} blur(photo, output.like(photo))")
        return lambda: expression.evaluate(shell.user_global_ns, shell.user_ns), text.rstrip("; ")

    def _cell(self, rest: str, cell: str, magic: str) -> tuple[Callable[[], object], str]:
        """Make what is timed of a cell's lines; it is named by the first."""
        if rest:
            raise UsageError(f"{magic} times the cell's lines and takes only options, got {short(rest)}")
        assert self.shell is not None
        lines = [line.strip() for line in cell.splitlines() if line.strip()]
        return read_lines(self.shell, cell, magic, "times"), lines[0] + " ..." * (len(lines) > 1)

    def _number(self, text: str | None, what: str) -> Any:
        """Compute what `--bytes` and `--flops` say: ``2*n**3``, or ``a.nbytes``."""
        if text is None:
            return None
        assert self.shell is not None
        try:
            value = eval(text, self.shell.user_global_ns, self.shell.user_ns)
            number = int(value) if value == int(value) else float(value)
        except Exception as error:
            raise UsageError(f"{what} takes a number or an expression of one, got {short(text)}: {error}") from None
        if number < 0:
            raise UsageError(f"{what} takes a number that is not negative, got {number}")
        return number
