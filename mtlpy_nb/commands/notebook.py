# SPDX-License-Identifier: MIT
"""``mtlpy-nb notebook``: execute notebooks and keep their pictures."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .terminal import add_command

__all__ = ["add"]

_DETAILS = """\
The executed notebook and a PNG file of each of its pictures are written to the folder.

example:
  mtlpy-nb notebook notebooks/01_first_kernel.ipynb --pictures out
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(commands, "notebook", "execute notebooks and write their pictures to files", _DETAILS)
    parser.add_argument("paths", type=Path, nargs="+", metavar="NOTEBOOK")
    parser.add_argument(
        "--pictures", type=Path, default=Path("out"), metavar="FOLDER", help="where to write (default: out)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Execute the notebooks one after the other; stop at the first that fails."""
    for path in options.paths:
        code = _execute(path, options.pictures)
        if code:
            return code
    return 0


def _execute(path: Path, folder: Path) -> int:
    try:
        from nbclient.exceptions import CellExecutionError

        from ..notebook.execute import execute_notebook
    except ImportError as error:
        print(f"mtlpy-nb notebook needs {error.name}: pip install 'mtlpy_nb[notebooks]'", file=sys.stderr)
        return 2
    if not path.is_file():
        print(f"mtlpy-nb notebook: there is no file {path}", file=sys.stderr)
        return 2
    start = time.monotonic()
    try:
        written = execute_notebook(path, folder)
    except CellExecutionError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{path} executed in {time.monotonic() - start:.1f} s")
    for file in written:
        print(f"  {file}")
    return 0
