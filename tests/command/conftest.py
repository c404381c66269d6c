# SPDX-License-Identifier: MIT
"""The command as a person runs it: in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def command(tmp_path) -> Callable[..., Done]:
    """Run ``mtlpy-nb`` with arguments, in a folder of the test's own."""

    def run(
        *arguments: str | Path,
        environment: dict[str, str] | None = None,
        before: Sequence[str] = (),
        stdin: str = "",
    ) -> Done:
        program = [sys.executable, "-W", "error", "-m", "mtlpy_nb", *map(str, arguments)]
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "MTLPY_COMPILER")}
        return subprocess.run(
            [*before, *program],
            cwd=tmp_path,
            env={**clean, **(environment or {})},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def mounting() -> Callable[[str], list[str]]:
    """Give what to put before a command so that it sees file systems mounted by a shell script."""
    probe = ["unshare", "--map-root-user", "--mount", "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount file systems of their own")

    def prefix(script: str) -> list[str]:
        return [*probe[:-1], "sh", "-ec", f'{script}\nexec "$@"', "sh"]

    return prefix
