# SPDX-License-Identifier: MIT
"""What lies at the edges of kernels: nothing to do, numbers that are none, much private memory, threads that left."""

from __future__ import annotations

import numpy as np
import pytest

from mtlpy_nb import PipelineError

from .by_hand import HEADER, MEET, check
from .runner import compiled, device

LAUNCHES = [((64,), (32,)), ((70,), (35,)), ((96,), (96,)), ((40,), (8,))]


def run(body: str, **arrays: np.ndarray) -> None:
    count = max(array.size for array in arrays.values())
    types = {"float32": "float", "float16": "half", "int32": "int", "uint32": "uint", "int64": "long"}
    parameters = ", ".join(f"device {types[array.dtype.name]}* {name}" for name, array in arrays.items())
    kernel = compiled(f"{HEADER}kernel void k({parameters}, uint i [[thread_position_in_grid]]) {{ {body} }}", "k")
    kernel(**arrays, grid=count)


# ---- Nothing to do ----


@pytest.mark.parametrize("parameters", ["", "uint i [[thread_position_in_grid]]", "device float* unused"])
def test_empty_kernel(parameters):
    kernel = compiled(f"{HEADER}kernel void k({parameters}) {{}}", "k")
    arrays = {"unused": np.ones(8, np.float32)} if "unused" in parameters else {}
    kernel(**arrays, grid=8)
    kernel(**arrays, grid=(1000, 3), threadgroup=(7, 2))


def test_kernel_of_barriers_only():
    kernel = compiled(
        f"{HEADER}kernel void k() {{ threadgroup_barrier(mem_flags::mem_none); "
        "threadgroup_barrier(mem_flags::mem_device); simdgroup_barrier(mem_flags::mem_none); }",
        "k",
    )
    kernel(grid=100, threadgroup=64)


def test_kernel_that_leaves_at_once():
    out = np.zeros(32, np.int32)
    run("return; out[i] = 1;", out=out)
    assert not out.any()


def test_dispatch_of_no_threads_runs_none():
    pm = pytest.importorskip("mtlpy_nb.metal")
    native = pm.create_system_default_device()
    source = f"{HEADER}kernel void k(device int* out) {{ out[0] = 1; }}"
    state = native.new_compute_pipeline_state(native.new_library_with_source(source).new_function("k"))
    buffer = native.new_buffer_with_data(np.zeros(4, np.int32))
    sizes = native.new_buffer_with_data(np.zeros(3, np.uint32))
    commands = native.new_command_queue().command_buffer()
    with commands.compute_command_encoder() as encoder:
        encoder.set_compute_pipeline_state(state)
        encoder.set_buffer(buffer, 0, 0)
        encoder.dispatch_threadgroups_indirect(sizes, 0, (8, 1, 1))
    commands.commit()
    commands.wait_until_completed()
    assert commands.error is None
    assert not np.asarray(buffer.contents()).any()


# ---- Numbers ----


def test_denormals_are_zero_going_in_and_coming_out():
    x = np.array([1e-40, -1e-40, 1.5e-38, 3e-38, 1.0, 0.0] * 8, np.float32)
    sums, halves, kept = (np.full_like(x, 7) for _ in range(3))
    run("sums[i] = x[i] + x[i]; halves[i] = x[i] * 0.5f; kept[i] = x[i];", x=x, sums=sums, halves=halves, kept=kept)
    normal = np.where(abs(x) < 1.17549435e-38, 0, x)
    np.testing.assert_array_equal(sums, normal + normal)
    np.testing.assert_array_equal(halves, np.where(abs(normal * 0.5) < 1.17549435e-38, 0, normal * 0.5))
    np.testing.assert_array_equal(kept.view(np.uint32), x.view(np.uint32), "copies keep their bits")


def test_nan_and_infinity_stay_what_they_are():
    x = np.array([np.nan, np.inf, -np.inf, 1, 0] * 8, np.float32)
    flags, least, total = np.zeros(x.size, np.int32), np.zeros_like(x), np.zeros_like(x)
    body = """
    float v = x[i];
    flags[i] = int(isnan(v)) | int(isinf(v)) << 1 | int(v != v) << 2 | int(v == v) << 3 | int(v < 2.0f) << 4;
    least[i] = fmin(v, 0.5f);
    total[i] = v - v;
    """
    run(body, x=x, flags=flags, least=least, total=total)
    np.testing.assert_array_equal(flags, [5, 10, 26, 24, 24] * 8)
    np.testing.assert_array_equal(least, [0.5, 0.5, -np.inf, 0.5, 0] * 8)
    np.testing.assert_array_equal(total, [np.nan, np.nan, np.nan, 0, 0] * 8)


@pytest.mark.parametrize("type_", [np.int32, np.uint32, np.int64])
def test_division_without_a_result_does_not_trap(type_):
    a = np.array([1, -7, np.iinfo(type_).min, 0, 5, np.iinfo(type_).min] * 8).astype(type_)
    b = np.array([0, 0, -1, 0, 2, 3] * 8).astype(type_)
    quotient, rest = np.full_like(a, 9), np.full_like(a, 9)
    run("quotient[i] = a[i] / b[i]; rest[i] = a[i] % b[i];", a=a, b=b, quotient=quotient, rest=rest)
    good = (b != 0) & ~((b == type_(-1)) if np.issubdtype(type_, np.signedinteger) else np.zeros(a.size, bool))
    pairs = zip(map(int, a[good]), map(int, b[good]), strict=True)
    wanted = np.array([abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in pairs], type_)
    np.testing.assert_array_equal(quotient[good], wanted)
    np.testing.assert_array_equal(rest[good], a[good] - wanted * b[good])


def test_division_by_a_uniform_and_by_a_constant_zero():
    a, zero, out = np.arange(1, 33, dtype=np.int32), np.zeros(1, np.int32), np.zeros(32, np.int32)
    run("int z = zero[0]; out[i] = (a[i] / z & 0) + (a[i] % z & 0) + a[i];", a=a, zero=zero, out=out)
    np.testing.assert_array_equal(out, a)


# ---- Threads that left ----


def test_return_in_a_loop_with_barriers_after_it():
    """Threads that are gone are not waited for, as on Apple's processors."""
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[128];
        t[index] = a[id];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        for (int i = 0; i < 4; i++) {
            if (a[id] % 5 == i && index % 2 == 1) { out[id] = -i - 1; return; }
            int x = t[(index + 2 * i) % (count & ~1u)];
            threadgroup_barrier(mem_flags::mem_threadgroup);
            if (index % 2 == 0) t[index] = x + i;
            threadgroup_barrier(mem_flags::mem_threadgroup);
        }
        out[id] = t[index & ~1u];
    }"""
    launches = [((64,), (32,)), ((96,), (96,)), ((40,), (8,)), ((100,), (20,))]
    a = np.random.default_rng(5).integers(0, 40, 128, dtype=np.int32)
    for grid, group in launches:
        out = np.zeros(128, np.int32)
        compiled(HEADER + source, "k")(a=a, out=out, grid=grid, threadgroup=group)
        for first in range(0, grid[0], group[0]):
            t = [int(v) for v in a[first : first + group[0]]]
            gone: dict[int, int] = {}
            for i in range(4):
                gone |= {k: i for k in range(group[0]) if k not in gone and a[first + k] % 5 == i and k % 2 == 1}
                read = [t[(k + 2 * i) % (group[0] & ~1)] for k in range(group[0])]
                t = [read[k] + i if k % 2 == 0 else t[k] for k in range(group[0])]
            wanted = [-gone[k] - 1 if k in gone else t[k & ~1] for k in range(group[0])]
            assert list(out[first : first + group[0]]) == wanted


# ---- Private memory ----


def test_large_private_arrays_across_barriers():
    """A thousand floats of each of a thousand threads lie in scratch memory, never on a stack."""
    source = """
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]],
                  uint index [[thread_index_in_threadgroup]], uint count [[threads_per_threadgroup]]) {
        threadgroup int t[1024];
        int own[1000];
        for (int i = 0; i < 1000; i++) own[i] = i * int(index + 1);
        t[index] = own[a[id] % 1000];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        own[(a[id] + 1) % 1000] += t[count - 1 - index];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        int total = 0;
        for (int i = a[id] % 7; i < 1000; i += 7) total += own[i];
        out[id] = total;
    }"""
    a = np.random.default_rng(2).integers(0, 10_000, 2048, dtype=np.int32)
    kernel = compiled(HEADER + source, "k")
    for grid, group in ((2048, 1024), (96, 32), (50, 40)):
        out = np.zeros(2048, np.int32)
        kernel(a=a, out=out, grid=grid, threadgroup=group)
        for first in range(0, grid, group):
            size = min(group, grid - first)
            t = [a[first + k] % 1000 * (k + 1) for k in range(size)]
            for k in range(size):
                own = np.arange(1000) * (k + 1)
                own[(a[first + k] + 1) % 1000] += t[size - 1 - k]
                assert out[first + k] == own[a[first + k] % 7 :: 7].sum()


def test_more_private_memory_than_a_thread_can_have_is_an_error_when_the_pipeline_is_made():
    source = f"""{HEADER}kernel void k(device int* a, uint i [[thread_position_in_grid]]) {{
        int large[20000];
        for (int k = 0; k < 20000; k++) large[k] = a[k % 8] + k;
        a[i] = large[a[i] & 16383];
    }}"""
    library = device().library(source)
    with pytest.raises(
        PipelineError, match=r"a private variable of 80000 bytes, more than the 65536 a thread can have"
    ):
        library["k"](a=np.zeros(32, np.int32), grid=32)


def test_pointers_into_private_memory_through_functions_and_conditions():
    source = """
    static void swap(thread int* a, thread int* b) { int t = *a; *a = *b; *b = t; }
    static int sum(thread const int* p, int n) {
        int total = 0;
        while (n-- > 0) total = total * 3 + *p++;
        return total;
    }
    kernel void k(device const int* a, device int* out, uint id [[thread_position_in_grid]]) {
        int x[6], y[6];
        for (int i = 0; i < 6; i++) { x[i] = a[id] + i; y[i] = a[id] * i; }
        thread int* p = a[id] % 2 ? x + a[id] % 3 : y;
        for (int i = 0; i < a[id] % 4; i++) swap(p + i, p + (a[id] + i) % 4);
        swap(&x[a[id] % 6], &y[(a[id] + 1) % 6]);
        out[id] = sum(x, 6) ^ sum(y + 1, 5) ^ sum(p, 3);
    }"""

    def thread(t, m):
        a = m.a[t.id]
        memory = [*(a + i for i in range(6)), *(a * i for i in range(6))]  # x, then y
        p = a % 3 if a % 2 else 6

        def swap(i, j):
            memory[i], memory[j] = memory[j], memory[i]

        def sum_(start, count):
            total = 0
            for value in memory[start : start + count]:
                total = total * 3 + value
            return total

        for i in range(a % 4):
            swap(p + i, p + (a + i) % 4)
        swap(a % 6, 6 + (a + 1) % 6)
        m.out[t.id] = sum_(0, 6) ^ sum_(7, 5) ^ sum_(p, 3)
        yield MEET(1)

    a = np.random.default_rng(9).integers(0, 100, 128, dtype=np.int32)
    check(source, thread, {"a": a, "out": np.zeros(128, np.int32)}, *LAUNCHES)
