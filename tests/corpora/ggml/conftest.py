# SPDX-License-Identifier: MIT
"""One library for all tests: the file is compiled once."""

from __future__ import annotations

from typing import Any

import pytest

import mtlpy_nb

from .launch import MACROS, Launcher, folder


@pytest.fixture(scope="session")
def ggml() -> Launcher:
    sources = folder()
    device = mtlpy_nb.Device()
    text = (sources / "ggml-metal" / "ggml-metal.metal").read_text()
    includes = [sources / "ggml-metal", sources]
    return Launcher(device.library(text, options={"macros": MACROS}, includes=includes))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many checks of each family passed."""
    families: dict[str, int] = {}
    for report in terminalreporter.stats.get("passed", []):
        folder, _, test = report.nodeid.partition("corpora/ggml/test_")
        if folder != report.nodeid:
            family = test.partition(".py")[0]
            families[family] = families.get(family, 0) + 1
    for family, count in sorted(families.items()):
        terminalreporter.write_line(f"ggml: {family.replace('_', ' ')}: {count} checks agree")
