# SPDX-License-Identifier: MIT
"""Every form that the specification's chapters 2 to 6 name compiles, to machine code where it is a kernel's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = ["specification_types.metal", "specification_functions.metal"]


@pytest.mark.parametrize("file", FILES)
def test_each_section_compiles(file: str) -> None:
    mtlpy_nb = pytest.importorskip("mtlpy_nb")
    source = (HERE / file).read_text()
    library = mtlpy_nb.Device(cache_path=False).library(source)
    sections = re.findall(r"^namespace (s\d\w+) \{", source, re.MULTILINE)
    found = set(library.functions)
    for section in sections:
        assert any(name.startswith(section) or section.startswith("s5_1_") for name in found), section
    kernels = [name for name in library if isinstance(library[name], mtlpy_nb.Kernel)]
    constants = {"s5_8_function_constants::k": {"a": 1, "b": True, "c": (1, 2, 3, 4), "f": (5, 6)}}
    for name in kernels:
        kernel = library[name].specialize(**constants[name]) if name in constants else library[name]
        assert kernel.max_threads_per_threadgroup > 0, name  # which the machine code says
