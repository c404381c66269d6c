# SPDX-License-Identifier: MIT
"""tinygrad with this package's device as its METAL."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

import mtlpy_nb

from ..fetch import fetch

VERSION = "0.14.0"


@pytest.fixture(scope="session")
def made() -> list[tuple[str, str]]:
    """Import tinygrad; every kernel that it makes from then on, as (name, source)."""
    if sys.version_info < (3, 11):
        pytest.skip("this tinygrad needs Python 3.11")
    sys.path.insert(0, str(fetch("tinygrad", VERSION, platform="any")))
    # No cache on disk, no processes that compile, and no other device.
    os.environ.update(CACHELEVEL="0", PARALLEL="0", DEV="METAL")
    from .metal_device import install

    return install(mtlpy_nb.Device(cache_path=False))


@pytest.fixture(scope="session")
def tensor(made: list[tuple[str, str]]) -> Any:
    from tinygrad import Tensor

    return Tensor


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many checks of each family passed."""
    families: dict[str, int] = {}
    for report in terminalreporter.stats.get("passed", []):
        folder, _, test = report.nodeid.partition("corpora/tinygrad/test_")
        if folder != report.nodeid:
            family = (
                test.partition("test_operation[")[2].partition("-")[0] or test.partition("::test_")[2].partition("[")[0]
            )
            families[family] = families.get(family, 0) + 1
    for family, count in sorted(families.items()):
        terminalreporter.write_line(f"tinygrad: {family.replace('_', ' ')}: {count} checks agree")
