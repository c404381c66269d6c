# SPDX-License-Identifier: MIT
"""Slang to Metal by slangc, from the package slangtorch, and how its kernels are started: by Slang's own names."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import mtlpy_nb

from ..fetch import fetch

VERSION = "1.3.22"
PLATFORM = "manylinux_2_27_x86_64"
SHADERS = Path(__file__).parent / "shaders"


@cache
def metal_source(name: str, entry: str, stage: str) -> str:
    """Metal's text of a function of `shaders/NAME`."""
    folder = fetch("slangtorch", VERSION, platform=PLATFORM, only="slangtorch/bin/") / "slangtorch" / "bin"
    compiler = folder / "slangc"
    compiler.chmod(0o755)
    command = [compiler, SHADERS / name, "-target", "metal", "-entry", entry, "-stage", stage]
    # Slang's own lines, so that messages would point at its text.
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def device() -> mtlpy_nb.Device:
    return mtlpy_nb.Device(cache_path=False)


@cache
def kernel(name: str, entry: str) -> Any:
    library = device().library(metal_source(name, entry, "compute"))
    return library[next(iter(library.functions))]


def run(name: str, entry: str, threads: int | tuple[int, ...], local: int | tuple[int, ...], **resources: Any) -> Any:
    """Start an entry point. Slang puts a number behind each name, and leaves out what is not used."""
    function = kernel(name, entry)
    given = {argument: resources[re.sub(r"_\d+$", "", argument)] for argument in function.arguments}
    return function(**given, grid=threads, threadgroup=local)
