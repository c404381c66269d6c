# SPDX-License-Identifier: MIT
"""Clang's preprocessor, where Metal's compiler is a program on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from .._native import compiler_information
from ..errors import MetalError

__all__ = ["preprocess"]

#: Nobody waits longer than this for text.
_SECONDS = 60


@cache
def _program() -> str:
    """Give the compiler's path; empty where there is none."""
    try:
        return str(compiler_information().get("path", ""))
    except MetalError:
        return ""


def preprocess(source: str, macros: Mapping[str, str], folders: Sequence[Path]) -> str | None:
    """Preprocess with the compiler; None without one, and when it finds fault with the source."""
    program = _program()
    if not program:
        return None
    command = [program, "--preprocess", "-"]
    for name, value in macros.items():
        command += ["-D", f"{name}={value}"]
    for folder in folders:
        command += ["-I", str(folder)]
    try:
        done = subprocess.run(command, input=source.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
