# SPDX-License-Identifier: MIT
"""The whole file compiles, and each kernel is found by the name that its text gives it."""

from __future__ import annotations

import pytest

import mtlpy_nb

from .launch import MACROS, SPLIT_VERSION, Launcher, folder, host_names


def test_every_host_name_is_found(ggml: Launcher) -> None:
    text = (folder() / "ggml-metal" / "ggml-metal.metal").read_text()
    names = host_names(text)
    assert len(names) > 600
    assert set(ggml.library.functions) == names
    assert ggml.library.functions


@pytest.mark.parametrize("part", ["unary", "norm", "softmax", "rope", "argsort", "mul_mm", "fa_f16"])
def test_a_file_for_each_family(device: mtlpy_nb.Device, part: str) -> None:
    """The next version's split files, with `#pragma once` headers that are found beside them."""
    sources = folder(SPLIT_VERSION)
    kernels = sources / "ggml-metal" / "kernels"
    text = (kernels / f"{part}.metal").read_text()
    library = device.library(text, options={"macros": MACROS}, includes=[kernels, sources / "ggml-metal", sources])
    assert set(library.functions) == host_names(text)
