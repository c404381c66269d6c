#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIMD-group kernels beside NumPy, in one process: dot products by simd_sum, matrix products by simdgroup_matrix.

    python benchmarks/simdgroups.py [--json FILE]

Compares seconds of processor time, so that neither the number of threads nor other programs decide.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import mtlpy_nb

SOURCE = """
#include <metal_stdlib>
using namespace metal;

// A SIMD-group a row.
kernel void rows_dot(device const float* a, device const float* x, device float* y, constant uint& columns,
                     uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float sum = 0;
    for (uint k = lane; k < columns; k += 32) sum += a[row * columns + k] * x[k];
    sum = simd_sum(sum);
    if (simd_is_first()) y[row] = sum;
}

// Four SIMD-groups for 64 x 64 elements, each with 4 x 4 matrices.
template <typename T>
kernel void product(device const T* a, device const T* b, device float* c, constant uint3& size,
                    uint2 group [[threadgroup_position_in_grid]], uint simd [[simdgroup_index_in_threadgroup]],
                    uint index [[thread_index_in_threadgroup]]) {
    threadgroup T as[64 * 32], bs[32 * 64];
    simdgroup_matrix<T, 8, 8> x[4], y[4];
    simdgroup_float8x8 sum[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] = make_filled_simdgroup_matrix<float, 8>(0);
    const uint row = simd / 2 * 32, column = simd % 2 * 32;
    for (uint k0 = 0; k0 < size.z; k0 += 32) {
        for (uint i = index; i < 2048; i += 128) {
            as[i] = a[(group.y * 64 + i / 32) * size.z + k0 + i % 32];
            bs[i] = b[(k0 + i / 64) * size.x + group.x * 64 + i % 64];
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (uint k = 0; k < 32; k += 8) {
            for (int i = 0; i < 4; ++i) simdgroup_load(x[i], as + (row + 8 * i) * 32 + k, 32);
            for (int j = 0; j < 4; ++j) simdgroup_load(y[j], bs + k * 64 + column + 8 * j, 64);
            simdgroup_barrier(mem_flags::mem_none);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) simdgroup_multiply_accumulate(sum[i][j], x[i], y[j], sum[i][j]);
        }
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    c += (group.y * 64 + row) * size.x + group.x * 64 + column;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) simdgroup_store(sum[i][j], c + 8 * i * size.x + 8 * j, size.x);
}
template [[host_name("product_float")]] kernel void product<float>(device const float*, device const float*,
    device float*, constant uint3&, uint2, uint, uint);
template [[host_name("product_half")]] kernel void product<half>(device const half*, device const half*,
    device float*, constant uint3&, uint2, uint, uint);
"""


def least(action: Callable[[], object], repeat: int = 9) -> float:
    """Seconds of processor time, all threads together."""
    action()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def measure(device: mtlpy_nb.Device) -> dict[str, dict[str, float]]:
    library = device.library(SOURCE)
    rng = np.random.default_rng(1)
    results: dict[str, dict[str, float]] = {}

    def compare(name: str, ours: Callable[[], object], numpy: Callable[[], object], operations: float) -> None:
        a, b = least(ours), least(numpy)
        results[name] = {"GFLOP/s": operations / a / 1e9, "NumPy GFLOP/s": operations / b / 1e9, "ratio": b / a}

    rows, columns = 2048, 4096
    matrix, vector = rng.random((rows, columns), np.float32), rng.random(columns, np.float32)
    a, x, y = device.buffer(matrix), device.buffer(vector), device.empty(rows, np.float32)
    compare(
        f"{rows} dot products of {columns} by simd_sum",
        lambda: library["rows_dot"](a, x, y, columns, grid=rows * 32, threadgroup=32),
        lambda: matrix @ vector,
        2.0 * rows * columns,
    )
    n = 1024
    for kind, dtype in (("float", np.float32), ("half", np.float16)):
        left, right = (rng.random((n, n), np.float32) for _ in range(2))
        p, q, c = (
            device.buffer(left.astype(dtype)),
            device.buffer(right.astype(dtype)),
            device.empty((n, n), np.float32),
        )
        kernel = library[f"product_{kind}"]
        compare(
            f"{n} x {n} matrix product, {kind}",
            lambda k=kernel, p=p, q=q, c=c: k(p, q, c, (n, n, n), grid=(n // 64 * 128, n // 64), threadgroup=(128, 1)),
            lambda left=left, right=right: left @ right,  # NumPy has no fast product of half
            2.0 * n**3,
        )
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    device = mtlpy_nb.Device()
    results = measure(device)
    for name, value in results.items():
        ours, numpy, ratio = value["GFLOP/s"], value["NumPy GFLOP/s"], value["ratio"]
        print(f"{name:45} {ours:7.1f} GFLOP/s   NumPy {numpy:7.1f} GFLOP/s   ratio {ratio:5.2f}")
    if arguments.json:
        record = {"machine": {"device": device.name, "numpy": np.__version__}, "kernels": results}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
