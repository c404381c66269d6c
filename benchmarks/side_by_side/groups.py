# SPDX-License-Identifier: MIT
"""Threads that work together: reductions, scans, sorting, matrix products, bodies that attract each other."""

from __future__ import annotations

import numpy as np

from .contest import NUMBA, NUMPY, OURS, POCL, Case, Contest
from .machines import Machines
from .numba_kernels import numba_kernels

SIZES = tuple(1 << n for n in (10, 14, 18, 22, 24, 26))
MATRICES = (64, 256, 512, 1024)


def _sums(kernel_name: str) -> Case:
    def make(machines: Machines, n: int) -> Contest:
        x = np.random.default_rng(1).random(n, np.float32)
        source, sums = machines.metal.buffer(x), machines.metal.empty(n // 256, np.float32)
        kernel = machines.library("groups")[kernel_name]
        contest = Contest(
            {
                OURS: lambda: kernel(source, sums, grid=n, threadgroup=256),
                NUMPY: lambda: x.reshape(-1, 256).sum(axis=1),
            },
            {OURS: sums.numpy, NUMPY: lambda: x.reshape(-1, 256).sum(axis=1)},
            moved=x.nbytes,
        )
        # PoCL 3.1 has no sub-groups: its tree reduction stands beside both.
        out = np.empty(n // 256, np.float32)
        machines.add_pocl(contest, "groups", "tree_sum", (x, out), (n,), (256,), out=out)
        return contest

    name = {"tree_sum": "tree reduction", "simd_sums": "SIMD-group reduction"}[kernel_name]
    return Case(name, SIZES, make, barriers=True)


def _scan(machines: Machines, n: int) -> Contest:
    x = np.random.default_rng(1).integers(-9, 9, n, np.int32)
    source, out = machines.metal.buffer(x), machines.metal.empty(n, np.int32)
    kernel = machines.library("groups")["block_scan"]
    by_numpy = np.empty((n // 256, 256), np.int32)
    contest = Contest(
        {
            OURS: lambda: kernel(source, out, grid=n, threadgroup=256),
            NUMPY: lambda: np.cumsum(x.reshape(-1, 256), axis=1, out=by_numpy),
        },
        {OURS: out.numpy, NUMPY: by_numpy.ravel},
        moved=2 * x.nbytes,
        tolerance=0,
    )
    scanned = np.empty_like(x)
    machines.add_pocl(contest, "groups", "block_scan", (x, scanned), (n,), (256,), out=scanned)
    return contest


def _histogram(machines: Machines, n: int) -> Contest:
    values = np.random.default_rng(1).integers(0, 256, n, np.uint8)
    source, bins = machines.metal.buffer(values), machines.metal.buffer(np.zeros(256, np.uint32))
    kernel = machines.library("groups")["histogram"]
    contest = Contest(
        {
            OURS: lambda: kernel(source, bins, grid=n // 64, threadgroup=256),
            NUMPY: lambda: np.bincount(values, minlength=256),
        },
        {OURS: bins.numpy, NUMPY: lambda: np.bincount(values, minlength=256)},
        moved=n,
        tolerance=0,
    )
    counts = np.zeros(256, np.uint32)
    machines.add_pocl(contest, "groups", "histogram", (values, counts), (n // 64,), (256,), out=counts)
    return contest


def _bitonic(machines: Machines, n: int) -> Contest:
    """The whole network on the same array each time: its steps do not depend on what it holds."""
    x = np.random.default_rng(1).integers(0, 1 << 32, n, np.uint32)
    buffer = machines.metal.buffer(x)
    pipeline = machines.pipeline("groups", "bitonic_step")
    steps = [(1 << b, 1 << d) for b in range(1, n.bit_length()) for d in range(b - 1, -1, -1)]
    numbers = {1 << b: machines.metal.buffer(np.array([1 << b], np.uint32)) for b in range(n.bit_length())}

    def ours() -> None:
        with machines.metal.command_buffer() as batch:
            for block, distance in steps:
                pipeline.run([buffer, numbers[block], numbers[distance]], n // 2, cb=batch)

    contest = Contest(
        {OURS: ours, NUMPY: lambda: np.sort(x)}, {OURS: buffer.numpy, NUMPY: lambda: np.sort(x)}, tolerance=0
    )
    if machines.opencl is not None:
        opencl = machines.opencl
        cl_x = opencl.buffer(x)
        bound = [
            opencl.bind("groups", "bitonic_step", (cl_x, np.uint32(b), np.uint32(d)), (n // 2,), None) for b, d in steps
        ]
        contest.runs[POCL] = opencl.run(*bound)
        contest.results[POCL] = lambda: opencl.read(cl_x, (n,), np.uint32)
    return contest


def _softmax(machines: Machines, n: int) -> Contest:
    columns = 1024
    rows = n // columns
    x = np.random.default_rng(1).standard_normal((rows, columns)).astype(np.float32)
    source, out = machines.metal.buffer(x), machines.metal.empty(x.shape, np.float32)
    kernel = machines.library("groups")["softmax"]
    by_numpy = np.empty_like(x)

    def numpy_softmax() -> None:
        np.subtract(x, x.max(axis=1, keepdims=True), out=by_numpy)
        np.exp(by_numpy, out=by_numpy)
        np.divide(by_numpy, by_numpy.sum(axis=1, keepdims=True), out=by_numpy)

    contest = Contest(
        {OURS: lambda: kernel(source, out, columns, grid=rows * 256, threadgroup=256), NUMPY: numpy_softmax},
        {OURS: out.numpy, NUMPY: lambda: by_numpy},
        moved=2 * x.nbytes,
    )
    made = np.empty_like(x)
    machines.add_pocl(contest, "groups", "softmax", (x, made, np.uint32(columns)), (rows * 256,), (256,), out=made)
    return contest


def _product(kind: str) -> Case:
    def make(machines: Machines, n: int) -> Contest:
        rng = np.random.default_rng(1)
        held = np.float16 if kind == "simdgroup_half" else np.float32
        # NumPy has no fast product of halves: it multiplies the same numbers as float.
        a, b = (rng.random((n, n), np.float32).astype(held).astype(np.float32) for _ in range(2))
        x, y = (machines.metal.buffer(matrix.astype(held)) for matrix in (a, b))
        out = machines.metal.empty((n, n), np.float32)
        kernel = machines.library("groups")[f"product_{kind}"]
        grid, group = {"naive": ((n, n), None), "tiled": ((n, n), (16, 16))}.get(
            kind, ((n // 64 * 128, n // 64), (128, 1))
        )
        by_numpy = np.empty_like(a)
        contest = Contest(
            {
                OURS: lambda: kernel(x, y, out, n, grid=grid, threadgroup=group),
                NUMPY: lambda: np.matmul(a, b, out=by_numpy),
            },
            {OURS: out.numpy, NUMPY: lambda: by_numpy},
            operations=2.0 * n**3,
            tolerance=1e-4,
        )
        if kind in ("naive", "tiled"):
            product = np.empty_like(a)
            arguments = (a, b, product, np.uint32(n))
            machines.add_pocl(contest, "groups", f"product_{kind}", arguments, (n, n), group, out=product)
        return contest

    name = {"simdgroup": "simdgroup_matrix", "simdgroup_half": "simdgroup_matrix of half"}.get(kind, kind)
    return Case(f"matrix product, {name}", MATRICES, make, "rows", barriers=kind != "naive")


def _nbody(machines: Machines, n: int) -> Contest:
    bodies = np.random.default_rng(1).random((n, 4), np.float32)
    source, pull = machines.metal.buffer(bodies), machines.metal.empty((n, 4), np.float32)
    kernel = machines.library("groups")["nbody"]
    contest = Contest(
        {OURS: lambda: kernel(source, pull, n, grid=n, threadgroup=256)},
        {OURS: pull.numpy},
        operations=20.0 * n * n,  # as such benchmarks count an interaction
        tolerance=1e-4,
    )
    pulled = np.empty_like(bodies)
    machines.add_pocl(contest, "groups", "nbody", (bodies, pulled, np.uint32(n)), (n,), (256,), out=pulled)
    if (numba := numba_kernels()) is not None:
        numba_pull = np.empty_like(bodies)
        contest.runs[NUMBA] = lambda: numba.nbody(bodies, numba_pull)
        contest.results[NUMBA] = lambda: numba_pull
    return contest


CASES = (
    _sums("tree_sum"),
    _sums("simd_sums"),
    Case("prefix sums in blocks", SIZES, _scan, barriers=True),
    Case("softmax of rows", SIZES, _softmax, barriers=True),
    Case("histogram", SIZES[1:], _histogram, barriers=True),
    Case("bitonic sort", SIZES[:4], _bitonic),
    _product("naive"),
    _product("tiled"),
    _product("simdgroup"),
    _product("simdgroup_half"),
    Case("n-body", (256, 1024, 4096, 16384), _nbody, "bodies", barriers=True),
)
