# SPDX-License-Identifier: MIT
"""Whether the compiler of the software device answers, and if not, why."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys

from .. import __version__
from .. import _native as mtl
from ..errors import MetalError
from .finding import Finding, fault, good, warning

__all__ = ["examine_compiler"]

_AGAIN = "install mtlpy_nb again: its wheel carries the compiler"
_SILENT = "the compiler doesn't answer: "
_PATIENCE = 20  # seconds; a program that is no compiler may wait for ever


def examine_compiler() -> Finding:
    """Ask the compiler who it is."""
    try:
        facts = mtl.compiler_information()
    except MetalError as error:
        path = str(error).removeprefix(_SILENT)
        text, remedy = _why_silent(path)
        if os.environ.get("MTLPY_COMPILER"):
            remedy = f"MTLPY_COMPILER names it: unset that to use the compiler of this package\n{remedy}"
        return fault("compiler", text, remedy, path=path)
    text = f"{facts['compiler_version']} with LLVM {facts['llvm_version']}, for {facts['cpu']}; {facts['path']}"
    if facts["compiler_version"] != __version__:
        return warning(
            "compiler",
            f"{text}; it is another version than this package's {__version__}",
            "unset MTLPY_COMPILER" if os.environ.get("MTLPY_COMPILER") else _AGAIN,
            **facts,
        )
    return good("compiler", text, **facts)


def _why_silent(path: str) -> tuple[str, str]:
    """Find out why the program at `path` is no compiler that runs, and what to do."""
    if not path:
        return "metal-compiler was found neither beside this package nor in PATH", _AGAIN
    if not os.path.exists(path):
        found = shutil.which(path)
        return f"there is no file {path}", _AGAIN if found is None else f"write its whole path: {found}"
    if os.path.isdir(path):
        return f"{path} is a folder, not a program", _AGAIN
    if _is_on_noexec(path):
        return (
            f"{path} lies on a file system that is mounted noexec, so no program there may run",
            "install mtlpy_nb into an environment on another file system, or mount that one with exec",
        )
    if not os.access(path, os.X_OK):
        return f"{path} may not be executed", f"chmod +x {path}"
    return _how_it_ends(path)


def _is_on_noexec(path: str) -> bool:
    flag = getattr(os, "ST_NOEXEC", 0)
    return bool(os.statvfs(path).f_flag & flag)


def _how_it_ends(path: str) -> tuple[str, str]:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=_PATIENCE, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return f"{path} neither answers nor ends", _AGAIN
    except OSError as error:
        reason = error.strerror or str(error)
        advice = f"it is no program for this processor ({os.uname().machine}); {_AGAIN}"
        return f"{path} cannot be started: {reason}", advice
    said = done.stderr.decode(errors="replace").strip().splitlines()
    last = f": {said[-1]}" if said else ""
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        advice = f"this processor lacks an instruction that it uses; {_AGAIN}" if name == "SIGILL" else _AGAIN
        return f"{path} was ended by {name} when it was started{last}", advice
    if "error while loading shared libraries" in last:
        advice = "a development build needs LLVM's packages (`.ci/setup test` installs them); a wheel needs none"
        return f"{path} lacks a library{last}", advice
    if done.returncode:
        return f"{path} ended with exit code {done.returncode} when it was started{last}", _AGAIN
    return (
        f"{path} runs, but does not answer as a compiler of this version ({__version__}) would",
        f"{_AGAIN}, for {sys.executable}",
    )
