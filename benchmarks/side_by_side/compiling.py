# SPDX-License-Identifier: MIT
"""What compiling costs: the files of ``kernels/`` beside PoCL and a C++ compiler, sources with much of one thing, and a
very large one, by phase.

Nothing is kept on disk, by nobody. Ours is compiled in a process whose compiler runs already, as a notebook's does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mtlpy_nb

_FOLDER = Path(__file__).parent
_HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
_CASES = {"elementwise": "elementwise", "images": "images", "groups": "groups"}  # file of kernels: module of cases

# The compiler's own clock (MTLPY_TIME_STAGES) counts the processor's time in stages, of which these are the phases.
_PHASES = {
    "parsing": ("parse", "entries", "instantiate"),
    "rules and reflection": ("rules", "reflect", "adjust"),
    "IR": ("IR", "module", "bitcode"),
    "optimising": ("inline", "thread", "widen", "strip", "barriers", "entry", "kernel"),
    "machine code": ("code", "link"),
}


def branches(count: int) -> str:
    """Make a kernel whose threads part at so many ifs."""
    body = "".join(f"if (x > {n} && (i & {n % 31 + 1})) x = x * 3 + a[i + {n}];\n" for n in range(count))
    return (
        f"{_HEAD}kernel void k(device int* a, uint i [[thread_position_in_grid]]) {{ int x = a[i];\n{body}a[i] = x; }}"
    )


def barriers(count: int) -> str:
    """Make a kernel whose threads meet so many times."""
    meet = "threadgroup_barrier(mem_flags::mem_threadgroup);"
    body = "".join(f"s[t] = x + {n}; {meet} x += s[(t * {n + 3}) % 256]; {meet}\n" for n in range(count // 2))
    places = "uint t [[thread_index_in_threadgroup]], uint i [[thread_position_in_grid]]"
    return f"{_HEAD}kernel void k(device int* a, {places}) {{ threadgroup int s[256]; int x = a[i];\n{body}a[i] = x; }}"


def samples(count: int) -> str:
    """Make a kernel that samples a texture so many times, by a sampler that is bound."""
    body = "".join(f"v += t.sample(s, p + float2({n}, {2 * n}));\n" for n in range(count))
    what = "texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float4* a"
    return (
        f"{_HEAD}kernel void k({what}, uint i [[thread_position_in_grid]]) "
        f"{{ float2 p = a[i].xy; float4 v = 0;\n{body}a[i] = v; }}"
    )


MUCH = {
    "1,000 branches": branches(1000),
    "250 barriers": barriers(250),
    "1 sample": samples(1),
    "16 samples": samples(16),
}

# A process of its own makes each kernel file's first results. Its standard error has the compiler's stages between
# the lines that it writes there itself.
_FIRST_RESULTS = """
import importlib, json, sys, time
sys.path.insert(0, sys.argv[1])
from side_by_side.contest import OURS, POCL
from side_by_side.machines import Machines, cl
machines, opencl = Machines(), None
machines.metal.library("kernel void warm() {}")["warm"](grid=1)
if (opencl := machines.opencl) is not None:
    cl.Kernel(cl.Program(opencl.context, "kernel void warm() {}").build(), "warm")(opencl.queue, (1,), (1,)).wait()
found = {}
for file, module in json.loads(sys.argv[2]).items():
    cases = importlib.import_module("side_by_side." + module).CASES
    times = found[file] = {}

    def timed(name, work):
        start = time.perf_counter()
        made = work()
        times[name] = times.get(name, 0) + 1e3 * (time.perf_counter() - start)
        return made

    print("begin", file, file=sys.stderr, flush=True)
    timed(OURS, lambda: machines.library(file))
    if opencl is not None:
        timed(POCL, lambda: opencl.program(file))
    for case in cases:
        contest = case.make(machines, case.sizes[0])
        for name in (OURS, POCL):
            if name in contest.runs:
                timed(name, contest.runs[name])
print(json.dumps(found))
"""


def first_results(files: dict[str, str] = _CASES) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Milliseconds from a file's source to the first results of all its kernels, by contestant; our phases of that."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "MTLPY_CACHE_DIR": folder,
            "MTLPY_TIME_STAGES": "1",
            "POCL_KERNEL_CACHE": "0",
            "POCL_CACHE_DIR": folder,
            "PYOPENCL_NO_CACHE": "1",
        }
        command = [sys.executable, "-c", _FIRST_RESULTS, str(_FOLDER.parent), json.dumps(files)]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    times = json.loads(done.stdout)
    parts = re.split(r"^begin (\w+)$", done.stderr, flags=re.MULTILINE)
    return times, {file: _phases(text) for file, text in zip(parts[1::2], parts[2::2], strict=True)}


def _phases(text: str) -> dict[str, float]:
    """Processor time of each phase in what the compiler wrote."""
    totals = dict.fromkeys(_PHASES, 0.0)
    for stage, spent in re.findall(r"^(\w+): ([\d.]+) ms$", text, re.MULTILINE):
        for phase, stages in _PHASES.items():
            if stage in stages:
                totals[phase] += float(spent)
    return totals


def compiled_alone(
    source: str, kernel: str = "", options: tuple[str, ...] = (), turns: int = 3, compiler: str | None = None
) -> dict[str, float]:
    """Phases of one kernel, compiled by a process of its own: the least of some turns.

    Its parsing includes the standard headers, which a running compiler has read already.
    """
    found: dict[str, float] = {}
    with tempfile.NamedTemporaryFile("w", suffix=".metal") as file:
        file.write(source)
        file.flush()
        command = [compiler or _compiler(), file.name, "-o", os.devnull, *options]
        for _ in range(turns):
            done = subprocess.run(
                command + (["--kernel", kernel] if kernel else []),
                env={**os.environ, "MTLPY_TIME_STAGES": "1"},
                stderr=subprocess.PIPE,
                text=True,
                check=True,
            )
            for phase, spent in _phases(done.stderr).items():
                found[phase] = min(spent, found.get(phase, spent))
    return found


def _compiler() -> str:
    return os.environ.get("MTLPY_COMPILER") or str(Path(mtlpy_nb._native.__file__).with_name("metal-compiler"))


def clang_milliseconds(turns: int = 5) -> float | None:
    """The loops of ``kernels/elementwise.cpp`` by ``clang++ -O2``, a process with its start; None without it."""
    clang = next(filter(None, map(shutil.which, ("clang++-22", "clang++"))), None)
    if clang is None:
        return None
    command = [clang, "-O2", "-march=native", "-c", str(_FOLDER / "kernels" / "elementwise.cpp"), "-o", os.devnull]
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        subprocess.run(command, check=True)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def very_large() -> dict[str, float]:
    """ggml's Metal file and one of its kernels, by phase; empty where the package registry cannot be reached."""
    sys.path.insert(0, str(_FOLDER.parents[1]))
    try:
        from tests.corpora.ggml.launch import MACROS, folder

        sources = folder()
    except Exception:
        return {}
    text = (sources / "ggml-metal" / "ggml-metal.metal").read_text()
    options = [f"-D{name}={value}" for name, value in MACROS.items()]
    options += [f"-I{folder}" for folder in (sources / "ggml-metal", sources)]
    return compiled_alone(text, "kernel_rms_norm_f32", tuple(options), turns=1)


def figures() -> dict[str, float]:
    """Milliseconds, and how many times as long the others take, by what is compiled."""
    times, phases = first_results()
    made: dict[str, float] = {}
    for file, by_contestant in times.items():
        ours = by_contestant.pop("mtlpy_nb")
        made[f"{file}: source to all first results"] = ours
        made |= {f"{file}: {name} / ours": other / ours for name, other in by_contestant.items()}
        made |= {f"{file}: {phase}, processor": spent for phase, spent in phases[file].items()}
    if (clang := clang_milliseconds()) is not None:
        made["elementwise: clang++ -O2 / ours"] = clang / made["elementwise: source to all first results"]
    alone = {name: compiled_alone(source) for name, source in MUCH.items()}
    alone["ggml"] = very_large()
    for name, parts in alone.items():
        made |= {f"{name}: {phase}, processor": spent for phase, spent in parts.items()}
    return made
