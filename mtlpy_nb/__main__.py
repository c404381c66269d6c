# SPDX-License-Identifier: MIT
"""The command ``mtlpy-nb``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from . import __version__

__all__ = ["main"]

_SELF_TEST = """
#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    parser = argparse.ArgumentParser(prog="mtlpy-nb", description="Metal kernels from a Jupyter notebook.")
    parser.add_argument("--version", action="version", version=f"mtlpy_nb {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    notebook = commands.add_parser("notebook", help="execute a notebook and write its pictures to files")
    notebook.add_argument("path", type=Path)
    notebook.add_argument(
        "--pictures", type=Path, default=Path("out"), metavar="FOLDER", help="where to write (default: out)"
    )
    commands.add_parser("doctor", help="say what device there is, and whether a kernel runs on it")
    options = parser.parse_args(arguments)
    if options.command == "notebook":
        return _notebook(options.path, options.pictures)
    return _doctor()


def _notebook(path: Path, folder: Path) -> int:
    try:
        from nbclient.exceptions import CellExecutionError

        from .notebook.execute import execute_notebook
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


def _doctor() -> int:
    import numpy as np

    from . import _native as mtl
    from .device import default_device, list_devices

    print(f"mtlpy_nb {__version__}, Python {sys.version.split()[0]}")
    for i, name in enumerate(list_devices()):
        print(f"device {i}: {name}")
    device = default_device()
    if device.is_software:
        print(f"threads: {mtl.thread_count()}")
        for key, value in mtl.compiler_information().items():
            print(f"compiler {key}: {value}")
        print(f"cache: {mtl.cache_path() or 'none'}")
    start = time.perf_counter()
    twice = device.library(_SELF_TEST)["twice"]
    result = twice(np.arange(1000, dtype=np.float32))  # type: ignore[operator]
    good = bool((result == 2 * np.arange(1000)).all())
    verdict = "yes" if good else "NO, its result is wrong"
    print(f"a kernel compiles and runs: {verdict} ({time.perf_counter() - start:.3f} s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
