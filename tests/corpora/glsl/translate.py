# SPDX-License-Identifier: MIT
"""GLSL to Metal as others do it: glslangValidator makes SPIR-V, spirv-cross makes Metal's language of that."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

SHADERS = Path(__file__).parent / "shaders"


def _run(*command: str) -> bytes:
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout.decode()}{done.stderr.decode()}"
    return done.stdout


@cache
def metal_source(name: str, *options: str) -> str:
    """Metal's text of `shaders/NAME`; resources keep the numbers of their bindings."""
    for tool in ("glslangValidator", "spirv-cross"):
        assert shutil.which(tool), f"{tool} is not installed (Debian: glslang-tools, spirv-cross)"
    kind = Path(name).suffix[1:]
    with tempfile.TemporaryDirectory() as folder:
        spirv = f"{folder}/{name}.spv"
        _run("glslangValidator", "-V", "--target-env", "vulkan1.1", "-S", kind, "-o", spirv, str(SHADERS / name))
        wanted = ("--msl", "--msl-version", "30200", *(options or ("--msl-decoration-binding",)))
        return _run("spirv-cross", *wanted, spirv).decode()
