# SPDX-License-Identifier: MIT
"""Measures compile times, dispatch times and a few kernels beside NumPy, in one process, and prints a table.

``python benchmarks/spine.py [--json FILE]``. Kernels are compared as ratios of medians: a ratio above 1 means
faster than NumPy.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mtlpy_nb

ONE_SCREEN = """
#include <metal_stdlib>
using namespace metal;

struct Params { float2 center; float scale; uint limit; };

static float3 palette(float t)
{
    return 0.5f + 0.5f * cos(6.28318f * (float3(1.0f, 0.7f, 0.4f) * t + float3(0.0f, 0.15f, 0.2f)));
}

kernel void fractal_SUFFIX(device float4* out [[buffer(0)]], constant Params& p [[buffer(1)]],
                    uint2 gid [[thread_position_in_grid]], uint2 size [[threads_per_grid]])
{
    float2 c = p.center + (float2(gid) / float2(size) - 0.5f) * p.scale;
    float2 z = 0.0f;
    uint n = 0;
    while (n < p.limit && dot(z, z) < 4.0f) {
        z = float2(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        n++;
    }
    float t = float(n) / float(p.limit);
    out[gid.y * size.x + gid.x] = float4(n == p.limit ? float3(0.0f) : palette(t), 1.0f);
}
"""

KERNELS = """
#include <metal_stdlib>
using namespace metal;
kernel void empty() {}
kernel void saxpy(device const float* x, device float* y, constant float& a, uint i [[thread_position_in_grid]])
{ y[i] = a * x[i] + y[i]; }
kernel void mandelbrot(device uint* out, constant uint& limit, uint2 gid [[thread_position_in_grid]],
                       uint2 size [[threads_per_grid]])
{
    float2 c = float2(gid) / float2(size) * float2(3, 2) - float2(2, 1);
    float a = 0, b = 0;
    uint n = 0;
    while (n < limit && a * a + b * b < 4) { float t = a * a - b * b + c.x; b = 2 * a * b + c.y; a = t; n++; }
    out[gid.y * size.x + gid.x] = n;
}
kernel void block_sum(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                      uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]])
{
    threadgroup float s[256];
    s[t] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = 128; n > 0; n /= 2) {
        if (t < n) s[t] += s[t + n];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (t == 0) sums[g] = s[0];
}
"""


def median(action: Callable[[], object], repeat: int = 15) -> float:
    """Seconds that ``action`` takes, the median of ``repeat`` runs after one that warms up."""
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def mandelbrot_numpy(width: int, height: int, limit: int) -> np.ndarray:
    x = (np.arange(width, dtype=np.float32) / width * 3 - 2)[None, :]
    y = (np.arange(height, dtype=np.float32) / height * 2 - 1)[:, None]
    c = x + 1j * y
    z = np.zeros_like(c)
    n = np.zeros(c.shape, np.uint32)
    for _ in range(limit):
        inside = z.real**2 + z.imag**2 < 4
        z = np.where(inside, z * z + c, z)
        n += inside
    return n


def compile_times() -> dict[str, float]:
    """Source to runnable, in milliseconds: cold in a fresh process, warm in this one, and from the disk cache."""
    program = (
        "import sys, time, mtlpy_nb; d = mtlpy_nb.Device(); src = open(sys.argv[1]).read();"
        "d.library('kernel void warm() {}')['warm'](grid=1) if sys.argv[2] == 'warm' else None;"
        "t = time.perf_counter(); k = d.library(src)['fractal_a']; k.max_threads_per_threadgroup;"
        "print(time.perf_counter() - t)"
    )
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "one_screen.metal")
        source.write_text(ONE_SCREEN.replace("SUFFIX", "a"))

        def run(name: str, mode: str, cache: str) -> None:
            environment = {**os.environ, "MTLPY_CACHE_DIR": str(Path(folder, cache))}
            output = subprocess.run(
                [sys.executable, "-c", program, str(source), mode],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
            results[name] = 1e3 * float(output.stdout)

        run("first kernel of a process", "cold", "a")
        run("kernel in a warm process", "warm", "b")
        run("from the disk cache, first of a process", "cold", "a")
        run("from the disk cache, warm process", "warm", "b")
    return results


def kernel_times(device: mtlpy_nb.Device) -> dict[str, dict[str, float]]:
    """Milliseconds of each kernel and of NumPy on the same arrays, and the ratio."""
    library = device.library(KERNELS)
    results = {}

    def compare(name: str, ours: Callable[[], object], numpy: Callable[[], object]) -> None:
        a, b = median(ours), median(numpy)
        results[name] = {"ms": 1e3 * a, "numpy_ms": 1e3 * b, "ratio": b / a}

    n = 1 << 24
    x, y = np.ones(n, np.float32), np.ones(n, np.float32)
    bx, by, sums = device.buffer(x), device.buffer(y), device.empty(n // 256, np.float32)
    saxpy, block_sum, mandelbrot = library["saxpy"], library["block_sum"], library["mandelbrot"]
    scratch = np.empty_like(x)
    compare(
        "saxpy, 16 M floats",
        lambda: saxpy(bx, by, 0.5, grid=n),
        lambda: (np.multiply(x, np.float32(0.5), out=scratch), np.add(scratch, y, out=y)),
    )
    compare(
        "block sums by tree reduction, 16 M floats",
        lambda: block_sum(bx, sums, grid=n, threadgroup=256),
        lambda: x.reshape(-1, 256).sum(axis=1),
    )
    out = device.empty((512, 768), np.uint32)
    compare(
        "Mandelbrot, 768 x 512, 100 rounds",
        lambda: mandelbrot(out, 100, grid=(768, 512)),
        lambda: mandelbrot_numpy(768, 512, 100),
    )
    return results


def dispatch_times(device: mtlpy_nb.Device) -> dict[str, float]:
    """Microseconds of an empty dispatch that Python waits for, alone and as one of 1,000 in a command buffer."""
    library = device.library(KERNELS)
    empty = library["empty"]
    pipeline = device.compile(KERNELS, "empty")

    def batch() -> None:
        with device.command_buffer() as commands:
            for _ in range(1000):
                pipeline.run([], 1, cb=commands)

    return {
        "Kernel call": 1e6 * median(lambda: empty(grid=1), 2000),
        "Pipeline.run": 1e6 * median(lambda: pipeline.run([], 1), 2000),
        "one of 1,000 in a command buffer": 1e3 * median(batch, 20),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    device = mtlpy_nb.Device()
    report = {
        "machine": {"device": device.name, "python": platform.python_version(), "numpy": np.__version__},
        "compile (ms)": compile_times(),
        "empty dispatch (us)": dispatch_times(device),
        "kernels": kernel_times(device),
    }
    for section, values in report.items():
        print(section)
        for name, value in values.items():
            if isinstance(value, dict):
                ours, numpy, ratio = value["ms"], value["numpy_ms"], value["ratio"]
                print(f"  {name:46} {ours:9.2f} ms   NumPy {numpy:9.2f} ms   ratio {ratio:6.2f}")
            else:
                print(f"  {name:46} {value if isinstance(value, str) else format(value, '9.2f')}")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
