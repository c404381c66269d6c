# SPDX-License-Identifier: MIT
"""Kernels compute the same on processors that lack instructions of this one."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("mtlpy_nb._native")
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="names of x86-64 processors")

# Without AVX-512, and without AVX, multiply-adds, conversions of halves and rounding to whole numbers. The processor
# that has AVX-512, if this one has it, and none of its arithmetic on halves.
PROCESSORS = ["skylake-avx512", "haswell", "x86-64"]

EXACT = [
    *(f"{name}(a, b)" for name in ("fmax", "fmin", "fmod", "copysign")),
    *(f"{name}(a)" for name in ("floor", "ceil", "round", "rint", "trunc", "abs", "fract", "sqrt")),
    "fma(a, b, c)", "a / b", "a * b", "a - c", "T(int(a))", "T(half(a))", "simd_shuffle_xor(a, 5)", "simd_max(a)",
    "T(float2(half2(float2(a, b))).y)", "mix(T(1), T(2), step(a, b))",
]  # fmt: skip
NEAR = ["exp(a)", "sin(a * T(0.1))", "tanh(a)", "powr(abs(a) + T(0.5), b * T(0.1))", "a * b + c", "simd_sum(a)"]

PROGRAM = """
import sys
import numpy as np
import mtlpy_nb

kind, dtype, *expressions = sys.argv[2:]
device = mtlpy_nb.Device(cache_path=False)
lines = "".join(f"out[i * {len(expressions)} + {n}] = {text};" for n, text in enumerate(expressions))
kernel = device.library('''
#include <metal_stdlib>
using namespace metal;
using T = %s;
kernel void all(device const T* x, device const T* y, device const T* z, device T* out,
                uint i [[thread_position_in_grid]])
{
    const T a = x[i], b = y[i], c = z[i];
    %s
}
''' % (kind, lines), options={"math": "safe"})["all"]
rng = np.random.default_rng(1)
a, b, c = (rng.normal(0, 30, 4096).astype(dtype) for _ in range(3))
a[:8] = [0, -0.0, np.nan, np.inf, -np.inf, 0.5, -2.5, 65000]
c[8:64] = np.float16(2.0) ** -np.arange(56 // 4).repeat(4)
out = np.empty((4096, len(expressions)), dtype)
kernel(a, b, c, out, grid=4096)
np.save(sys.argv[1], out)
"""


def results(path, kind, dtype, processor=None):
    environment = {key: value for key, value in os.environ.items() if key != "MTLPY_PROCESSOR"}
    if processor:
        environment["MTLPY_PROCESSOR"] = processor
    command = [sys.executable, "-c", PROGRAM, str(path), kind, dtype, *EXACT, *NEAR]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return np.load(path)


@pytest.mark.parametrize(("kind", "dtype"), [("float", "float32"), ("half", "float16")])
def test_results_of_older_processors(tmp_path, kind, dtype):
    here = results(tmp_path / "here.npy", kind, dtype)
    for processor in PROCESSORS:
        there = results(tmp_path / f"{processor}.npy", kind, dtype, processor)
        for number, text in enumerate(EXACT):
            assert np.array_equal(there[:, number], here[:, number], equal_nan=True), (processor, text)
        for number, text in enumerate(NEAR, len(EXACT)):
            tolerance = 4 * np.finfo(dtype).eps
            np.testing.assert_allclose(
                there[:, number], here[:, number], rtol=tolerance, atol=30 * tolerance, err_msg=f"{processor}: {text}"
            )


def test_a_processor_that_there_is_not(compiler, tmp_path):
    source = tmp_path / "empty.metal"
    source.write_text("")
    environment = {**os.environ, "MTLPY_PROCESSOR": "i860"}
    done = subprocess.run([compiler, str(source)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "there is no processor called 'i860'" in done.stderr


SHUFFLES = """
#include <metal_stdlib>
using namespace metal;
kernel void pass(device int* x, uint i [[thread_position_in_grid]], ushort lane [[thread_index_in_simdgroup]])
{
    int sum = 0, value = x[i];
    for (ushort n = 0; n < 6; ++n) sum += simd_shuffle(value + n, ushort(lane * 5 + n));
    x[i] = sum;
}
"""


@pytest.mark.parametrize("processor", ["haswell", "x86-64"])
def test_a_shuffle_has_no_branch_of_its_own_for_each_lane(compiler, tmp_path, processor):
    source = tmp_path / "shuffles.metal"
    source.write_text(SHUFFLES)
    command = [compiler, str(source), "--kernel", "pass", "--show", "asm"]
    done = subprocess.run(
        command, env={**os.environ, "MTLPY_PROCESSOR": processor}, capture_output=True, text=True, check=True
    )
    # A masked read would have 32 a shuffle: 400 or more of them in all.
    branches = sum(line.lstrip().startswith("j") for line in done.stdout.splitlines())
    assert branches < 200
