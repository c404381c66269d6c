# SPDX-License-Identifier: MIT
"""The headers, and kernels that call one of their functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mtlpy_nb
from tests.corpora.fetch import fetch

VERSION = "2.13.0"
HEADERS = ["utils", "expm1f", "igamma", "special_math", "random", "reduction_utils", "atomic", "indexing", "error"]
PRELUDE = "#include <metal_stdlib>\n" + "".join(f"#include <c10/metal/{name}.h>\n" for name in HEADERS)


@pytest.fixture(scope="session")
def torch_library() -> Callable[[str], Any]:
    """Compile a source behind torch's headers, in the safe math mode, as torch compiles its own."""
    folder = fetch("torch", VERSION, platform="macosx_14_0_arm64", only="torch/include/c10/metal/")
    device = mtlpy_nb.Device(cache_path=False)
    include = str(folder / "torch" / "include")

    def compile_text(text: str) -> Any:
        source = PRELUDE + "using namespace metal;\nusing namespace c10::metal;\n" + text
        return device.library(source, options={"math": "safe"}, includes=[include])

    return compile_text


@pytest.fixture(scope="session")
def over(torch_library: Callable[[str], Any]) -> Callable[..., np.ndarray]:
    """Run an expression of `a` and `b`, a float each or of the type named, over arrays of floats."""

    def run(expression: str, *arrays: np.ndarray, kind: str = "float", result: str = "float") -> np.ndarray:
        letters = "ab"[: len(arrays)]
        parameters = "".join(f"device const float* p{x}, " for x in letters)
        loads = " ".join(f"{kind} {x} = {kind}(p{x}[i]);" for x in letters)
        library = torch_library(
            f"kernel void run({parameters}device {result}* out, uint i [[thread_position_in_grid]]) "
            f"{{ {loads} out[i] = {result}({expression}); }}"
        )
        size = 2 if result.endswith("2") else 1
        dtype = {"float": np.float32, "int": np.int32, "uint": np.uint32, "long": np.int64}[result.rstrip("24")]
        lanes = {"2": 2, "4": 4}.get(result[-1], size)
        out = np.zeros(len(arrays[0]) * lanes, dtype)
        inputs = [np.ascontiguousarray(x, np.float32) for x in arrays]
        library["run"](*inputs, out.reshape(-1, lanes) if lanes > 1 else out, grid=len(arrays[0]))
        return out.reshape(-1, lanes) if lanes > 1 else out

    return run


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many checks of each family of torch's functions passed."""
    families: dict[str, int] = {}
    for report in terminalreporter.stats.get("passed", []):
        folder, _, test = report.nodeid.partition("torch_metal/test_")
        if folder != report.nodeid:
            family = test.partition(".py")[0].replace("_", " ")
            families[family] = families.get(family, 0) + 1
    for family, count in sorted(families.items()):
        terminalreporter.write_line(f"torch c10/metal: {family}: {count} checks agree")
