# SPDX-License-Identifier: MIT
"""Measures compile times of a small source and of a very large one (ggml's Metal file), cold and warm.

``python benchmarks/compile.py [--json FILE]``. Cold: nothing kept on disk, the compiler's process already running;
warm: both were made before, and are kept. The large file comes from the package registry, as in ``tests/corpora/ggml``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ["MTLPY_CACHE_DIR"] = tempfile.mkdtemp(prefix="mtlpy-benchmark-")

import mtlpy_nb
from tests.corpora.ggml.launch import MACROS, folder

SMALL = """
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float* a [[buffer(0)]], constant float& s [[buffer(1)]],
                  uint i [[thread_position_in_grid]])
{ a[i] = s * a[i] + NUMBER; }
"""


def milliseconds(work: Callable[[], Any]) -> float:
    """Time one run."""
    start = time.perf_counter()
    work()
    return round((time.perf_counter() - start) * 1e3, 2)


def measure(name: str, source: str, kernels: list[str], options: dict[str, Any]) -> dict[str, float]:
    """Time the library and its kernels, with nothing kept and then with everything kept."""
    found: dict[str, float] = {}
    cold = mtlpy_nb.Device(cache_path=False)
    cold.library(SMALL.replace("NUMBER", f"{len(name)}.125f"))  # the process is there
    library = None

    def compile_cold() -> None:
        nonlocal library
        library = cold.library(source, **options)

    found["library, cold"] = milliseconds(compile_cold)
    for kernel in kernels:
        found[f"{kernel}, cold"] = milliseconds(library[kernel]._prepared)  # type: ignore[index]
    kept = mtlpy_nb.Device()
    first = kept.library(source, **options)
    for kernel in kernels:
        first[kernel]._prepared()
    again = mtlpy_nb.Device()
    found["library, warm"] = milliseconds(lambda: again.library(source, **options))
    warm = again.library(source, **options)
    for kernel in kernels:
        found[f"{kernel}, warm"] = milliseconds(warm[kernel]._prepared)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers there, too")
    arguments = parser.parse_args()
    sources = folder()
    large = (sources / "ggml-metal" / "ggml-metal.metal").read_text()
    includes = [sources / "ggml-metal", sources]
    results: dict[str, Any] = {
        "machine": {"processors": os.cpu_count(), "load before": round(os.getloadavg()[0], 1)},
        "one kernel (ms)": measure("small", SMALL.replace("NUMBER", "1.0f"), ["scale"], {}),
        "ggml-metal.metal (ms)": measure(
            "large",
            large,
            ["kernel_arange_f32", "kernel_rms_norm_f32"],
            {"options": {"macros": MACROS}, "includes": includes},
        ),
    }
    print(f"{len(large.splitlines())} lines in the large source")
    for source, numbers in results.items():
        print(source)
        for what, number in numbers.items():
            print(f"  {what:45} {number:10.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
