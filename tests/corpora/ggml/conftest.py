# SPDX-License-Identifier: MIT
"""One library for all tests: the file is compiled once."""

from __future__ import annotations

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
