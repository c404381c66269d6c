# SPDX-License-Identifier: MIT
"""``mtlpy-nb cmake-dir``: where CMake finds the C++ library, its headers and the compiler."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from .terminal import add_command

__all__ = ["add", "cmake_folder"]

_DETAILS = """\
A CMakeLists.txt of a program in C++ has these two lines, and is configured as shown:

  find_package(metal-cpp-portable REQUIRED)
  target_link_libraries(program PRIVATE metal-cpp-portable::metal-cpp)

examples:
  mtlpy-nb cmake-dir
  cmake -S . -B build -D CMAKE_PREFIX_PATH="$(mtlpy-nb cmake-dir)"
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the word to the command."""
    parser = add_command(commands, "cmake-dir", "print the folder in which CMake finds metal-cpp-portable", _DETAILS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the folder, or say that this installation has none."""
    folder = cmake_folder()
    if folder is None:
        print("mtlpy-nb cmake-dir: this installation has no C++ library; install mtlpy_nb again", file=sys.stderr)
        return 1
    print(folder)
    return 0


def cmake_folder() -> Path | None:
    """Find the folder of ``metal-cpp-portable-config.cmake``: it lies beside the native module."""
    native = find_spec("mtlpy_nb._native")
    if native is None or native.origin is None:
        return None
    folder = Path(native.origin).parent / "cpp" / "lib" / "cmake" / "metal-cpp-portable"
    return folder if (folder / "metal-cpp-portable-config.cmake").is_file() else None
