# SPDX-License-Identifier: MIT
"""MLX's headers compiled, each once, and the table of what was compiled and run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import mtlpy_nb

from ..fetch import fetch
from .instantiations import HEADERS, Header, Instance

VERSION = "0.32.4"
FOLDER = "mlx/include/mlx/backend/metal/kernels/"


@pytest.fixture(scope="session")
def include_folder() -> Path:
    """What MLX's own `#include`s are relative to."""
    return fetch("mlx-metal", VERSION, platform="macosx_14_0_arm64", only=FOLDER) / "mlx" / "include"


class Kernels:
    """Every kernel of the headers; a header is compiled when the first kernel of it is asked for."""

    def __init__(self, include_folder: Path) -> None:
        self.device = mtlpy_nb.Device(cache_path=False)
        self.include_folder = include_folder
        self._libraries: dict[str, object] = {}

    def compile(self, text: str):
        """Compile a program that may include MLX's headers."""
        # As MLX has them compiled: its functions for large arguments depend on the order of operations.
        options = {"math": "safe"}
        return self.device.library(text, options=options, includes=[self.include_folder])

    def library(self, header: Header):
        """Give the library with all kernels of a header."""
        if header.name not in self._libraries:
            self._libraries[header.name] = self.compile(header.source)
        return self._libraries[header.name]

    def get(self, name: str, function: str, *arguments: object, **constants: object):
        """Give one kernel: the header's name, the template's and its arguments."""
        header = next(header for header in HEADERS if header.name.rpartition("/")[2] == name)
        wanted = Instance(function, arguments)
        assert wanted in header.instances, f"{wanted.host_name} is not among the kernels made of {name}.h"
        kernel = self.library(header)[wanted.host_name]
        # One header's constants are not all for each of its kernels.
        known = {name: value for name, value in constants.items() if name in kernel._constant_names()}
        return kernel.specialize(**known) if known else kernel


@pytest.fixture(scope="session")
def kernels(include_folder: Path) -> Kernels:
    return Kernels(include_folder)


@pytest.fixture
def kernel(kernels: Kernels, record_property):
    """Give a kernel that the test runs; counted by family once the test has passed."""

    def get(name: str, function: str, *arguments: object, **constants: object):
        found = kernels.get(name, function, *arguments, **constants)
        family = next(header.family for header in HEADERS if header.name.rpartition("/")[2] == name)
        record_property("mlx run", f"{family}:{found.name}")
        return found

    return get


def pytest_terminal_summary(terminalreporter) -> None:
    """Print how many kernels of each family were compiled and run."""
    compiled: Counter[str] = Counter()
    ran: set[str] = set()
    for report in terminalreporter.stats.get("passed", []):
        for kind, value in report.user_properties:
            if kind == "mlx compiled":
                compiled[value.partition(":")[0]] += int(value.partition(":")[2])
            elif kind == "mlx run":
                ran.add(value)
    families = Counter(name.partition(":")[0] for name in ran)
    if not compiled and not families:
        return
    terminalreporter.section("MLX's kernels")
    for family in sorted({*compiled, *families}):
        terminalreporter.write_line(f"{family:15} {compiled[family]:5} compiled {families[family]:4} run and right")
    total = sum(compiled.values()), sum(families.values())
    terminalreporter.write_line(f"{'all':15} {total[0]:5} compiled {total[1]:4} run and right")
