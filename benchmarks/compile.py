# SPDX-License-Identifier: MIT
"""Measures compile times of a small source and of a very large one (ggml's Metal file), cold and warm.

``python benchmarks/compile.py [--json FILE] [--before COMPILER]``. Cold: nothing kept on disk, the compiler's process
already running; warm: both were made before, and are kept. The large file comes from the package registry, as in
``tests/corpora/ggml``. Then the processor time of kernels that have much of one thing, and with ``--before`` how many
times as long another metal-compiler takes: both in turns, so that the machine's other work does not tell.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
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


HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"


def branches(count: int) -> str:
    """Make a kernel whose threads part at so many ifs."""
    body = "".join(f"if (x > {n} && (i & {n % 31 + 1})) x = x * 3 + a[i + {n}];\n" for n in range(count))
    return (
        f"{HEAD}kernel void k(device int* a, uint i [[thread_position_in_grid]]) {{ int x = a[i];\n{body}a[i] = x; }}"
    )


def barriers(count: int) -> str:
    """Make a kernel whose threads meet so many times."""
    meet = "threadgroup_barrier(mem_flags::mem_threadgroup);"
    body = "".join(f"s[t] = x + {n}; {meet} x += s[(t * {n + 3}) % 256]; {meet}\n" for n in range(count // 2))
    places = "uint t [[thread_index_in_threadgroup]], uint i [[thread_position_in_grid]]"
    return f"{HEAD}kernel void k(device int* a, {places}) {{ threadgroup int s[256]; int x = a[i];\n{body}a[i] = x; }}"


def samples(count: int) -> str:
    """Make a kernel that samples a texture so many times, by a sampler that is bound."""
    body = "".join(f"v += t.sample(s, p + float2({n}, {2 * n}));\n" for n in range(count))
    what = "texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* a"
    return (
        f"{HEAD}kernel void k({what}, uint i [[thread_position_in_grid]]) "
        f"{{ float2 p = a[i].xy; float4 v = 0;\n{body}a[i] = v; }}"
    )


MUCH = {
    "small": SMALL.replace("NUMBER", "1.0f"),
    **{f"{count} branches": branches(count) for count in (250, 500, 1000)},
    **{f"{count} barriers": barriers(count) for count in (16, 64, 250)},
    **{f"{count} samples": samples(count) for count in (1, 4, 16)},
}


def pipeline_milliseconds(compiler: str, source: str) -> float:
    """Processor time from the kernel's IR to its code, by the compiler's own clock."""
    with tempfile.NamedTemporaryFile("w", suffix=".metal") as file:
        file.write(source)
        file.flush()
        environment = {**os.environ, "MTLPY_TIME_STAGES": "1"}
        command = [compiler, file.name, "-o", os.devnull]
        text = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=True).stderr
    stages = dict(re.findall(r"^(\w+): ([\d.]+) ms$", text, re.MULTILINE))
    return sum(float(stages.get(stage, 0)) for stage in STAGES)


STAGES = ("inline", "thread", "widen", "strip", "barriers", "entry", "kernel", "code", "link")


def much_of_one_thing(before: str | None, count: int) -> dict[str, dict[str, float]]:
    """Give the least of `count` turns for each source; with `before`, the other compiler's time divided by ours."""
    now = str(Path(mtlpy_nb._native.__file__).with_name("metal-compiler"))
    results: dict[str, dict[str, float]] = {}
    for name, source in MUCH.items():
        turns: list[tuple[float, float]] = []
        for _ in range(count):
            turns.append((pipeline_milliseconds(now, source), pipeline_milliseconds(before, source) if before else 0.0))
        ours = min(turn[0] for turn in turns)
        results[name] = {"ms": round(ours, 1)}
        if before:
            results[name]["before / now"] = round(min(turn[1] for turn in turns) / ours, 2)
    return results


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
    parser.add_argument("--before", help="another metal-compiler, to compare with")
    parser.add_argument("--turns", type=int, default=3, help="of each source, from IR to code")
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
    much = much_of_one_thing(arguments.before, arguments.turns)
    results["from IR to code (ms of the processor)"] = much
    print("from IR to code (ms of the processor)")
    for name, numbers in much.items():
        ratio = f"   before / now {numbers['before / now']:.2f}" if "before / now" in numbers else ""
        print(f"  {name:45} {numbers['ms']:10.1f}{ratio}")
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
