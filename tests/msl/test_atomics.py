# SPDX-License-Identifier: MIT
"""Atomic functions of every type, in both memories, against NumPy; and fences."""

from __future__ import annotations

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")

DTYPES = {"int": np.int32, "uint": np.uint32, "float": np.float32, "bool": np.bool_, "ulong": np.uint64}
UPDATES = {
    "add": np.add, "sub": np.subtract, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip
INTEGERS = [(kind, name) for kind in ("int", "uint") for name in UPDATES]
OPERATIONS = [*INTEGERS, ("float", "add"), ("float", "sub")]
RELAXED = "memory_order_relaxed"


def random(rng, kind, count):
    """Values whose sums are exact in any order."""
    if kind == "float":
        return rng.integers(-1000, 1000, count).astype(np.float32)
    limits = np.iinfo(DTYPES[kind])
    return rng.integers(limits.min, limits.max, count, DTYPES[kind], endpoint=True)


def updated(name, start, values, places):
    """What is left when each value updated the element at its place."""
    expected = start.copy()
    with np.errstate(over="ignore"):
        UPDATES[name].at(expected, np.broadcast_to(places, values.shape), values)
    return expected


@pytest.mark.parametrize(("kind", "name"), OPERATIONS)
@pytest.mark.parametrize("used", [False, True], ids=["", "result used"])
def test_update_in_device_memory(kind, name, used, compiles, rng):
    """At places of the thread's choice and at one for all; in arrays, through references and casts, volatile or not."""
    store = "old[i] = " if used else ""
    library = compiles(
        f"struct Box {{ atomic_{kind} n[8]; }};\n"
        f"kernel void k(device atomic_{kind}* a, device Box& box, device {kind}* plain, device const {kind}* v,\n"
        f"              device const uint* place, device {kind}* old, uint i [[thread_position_in_grid]]) {{\n"
        f"  {store}atomic_fetch_{name}_explicit(&a[place[i]], v[i], {RELAXED});\n"
        f"  volatile device atomic_{kind}* p = &box.n[place[i] % 8];\n"
        f"  atomic_fetch_{name}_explicit(p, v[i], {RELAXED});\n"
        f"  if (v[i] != 7) atomic_fetch_{name}_explicit((device atomic<{kind}>*)plain, v[i], {RELAXED});\n"
        "}"
    )
    count = 1000
    values, places = random(rng, kind, count), rng.integers(0, 50, count).astype(np.uint32)
    starts = [random(rng, kind, size) for size in (50, 8, 1)]
    a, box, plain = (start.copy() for start in starts)
    old = np.zeros(count, DTYPES[kind])
    library["k"](a, box.view(np.uint8), plain, values, places, old, grid=count, threadgroup=100)
    np.testing.assert_array_equal(a, updated(name, starts[0], values, places))
    np.testing.assert_array_equal(box, updated(name, starts[1], values, places % 8))
    np.testing.assert_array_equal(plain, updated(name, starts[2], values[values != 7], 0))
    if used and name in ("add", "xor", "sub"):
        # Some order of the updates explains what each thread saw: what was seen and what was left are the same values.
        for place in range(50):
            here = places == place
            with np.errstate(over="ignore"):
                left = UPDATES[name](old[here], values[here])
            seen = sorted([*old[here].tolist(), a[place].item()])
            assert seen == sorted([*left.tolist(), starts[0][place].item()])


@pytest.mark.parametrize(("kind", "name"), INTEGERS)
def test_update_in_threadgroup_memory(kind, name, compiles, rng):
    library = compiles(
        f"kernel void k(device const {kind}* v, device const {kind}* start, device {kind}* out,\n"
        "              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],\n"
        "              uint group [[threadgroup_position_in_grid]]) {\n"
        f"  threadgroup atomic_{kind} a[4];\n"
        f"  if (t < 4) atomic_store_explicit(a + t, start[t], {RELAXED});\n"
        "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
        f"  atomic_fetch_{name}_explicit(&a[i % 3], v[i], {RELAXED});\n"
        f"  atomic_fetch_{name}_explicit(&a[3], v[i], {RELAXED});\n"
        "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
        f"  if (t < 4) out[group * 4 + t] = atomic_load_explicit(a + t, {RELAXED});\n"
        "}"
    )
    values, start = random(rng, kind, 96 * 5), random(rng, kind, 4)
    out = np.zeros((5, 4), DTYPES[kind])
    library["k"](values, start, out.ravel(), grid=96 * 5, threadgroup=96)
    for group in range(5):
        part = slice(group * 96, group * 96 + 96)
        expected = updated(name, start, values[part], np.arange(part.start, part.stop) % 3)
        expected[3] = updated(name, start, values[part], 3)[3]
        np.testing.assert_array_equal(out[group], expected)


@pytest.mark.parametrize(
    ("kind", "space"),
    [(kind, "device") for kind in ("int", "uint", "float", "bool")]
    + [(kind, "threadgroup") for kind in ("int", "uint", "bool")],
)
def test_load_store_exchange_and_compare(kind, space, compiles):
    """Each thread has an element of its own, so that every result is known."""
    cell = "shared[t]" if space == "threadgroup" else "a[i]"
    library = compiles(
        f"kernel void k(device atomic_{kind}* a, device const {kind}* v, device {kind}* seen, device uint* done,\n"
        "              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {\n"
        f"  threadgroup atomic_{kind} shared[64];\n"
        f"  {space} atomic_{kind}& cell = {cell};\n"
        f"  atomic_store_explicit(&cell, v[4 * i], {RELAXED});\n"
        f"  seen[4 * i] = atomic_exchange_explicit(&cell, v[4 * i + 1], {RELAXED});\n"
        f"  {kind} expected = v[4 * i + 2];\n"
        f"  done[i] = atomic_compare_exchange_weak_explicit(&cell, &expected, v[4 * i + 3], {RELAXED}, {RELAXED});\n"
        "  seen[4 * i + 1] = expected;\n"
        f"  const volatile {space} atomic_{kind}* looked = &cell;\n"
        f"  seen[4 * i + 2] = atomic_load_explicit(looked, {RELAXED});\n"
        "}"
    )
    values = np.random.default_rng(3).integers(0, 2, (256, 4)).astype(DTYPES[kind])
    seen, done, a = np.zeros((256, 4), DTYPES[kind]), np.zeros(256, np.uint32), np.zeros(256, DTYPES[kind])
    library["k"](a, values.ravel(), seen.reshape(-1), done, grid=256, threadgroup=64)
    same = values[:, 1] == values[:, 2]
    np.testing.assert_array_equal(done, same)
    np.testing.assert_array_equal(seen[:, 0], values[:, 0])
    np.testing.assert_array_equal(seen[:, 1], values[:, 1])
    np.testing.assert_array_equal(seen[:, 2], np.where(same, values[:, 3], values[:, 1]))


def test_compare_exchange_in_a_loop_makes_any_update(compiles, rng):
    library = compiles(
        "kernel void k(device atomic_float* most, device const float* v, uint i [[thread_position_in_grid]]) {\n"
        f"  float seen = atomic_load_explicit(most, {RELAXED});\n"
        "  while (seen < v[i] &&\n"
        f"         !atomic_compare_exchange_weak_explicit(most, &seen, v[i], {RELAXED}, {RELAXED})) {{}}\n"
        "}"
    )
    values = rng.normal(size=5000).astype(np.float32)
    most = np.full(1, -10, np.float32)
    library["k"](most, values, grid=5000, threadgroup=256)
    assert most[0] == values.max()


@pytest.mark.parametrize(
    "call",
    [
        "atomic_store_explicit(a, 1, {0})", "atomic_load_explicit(a, {0})", "atomic_exchange_explicit(a, 1, {0})",
        "atomic_fetch_add_explicit(a, 1, {0})", "atomic_fetch_sub_explicit(a, 1, {0})",
        "atomic_compare_exchange_weak_explicit(a, &b, 1, {0}, {0})",
    ],
)  # fmt: skip
def test_threadgroup_memory_has_no_functions_of_atomic_float(call, compiles):
    with pytest.raises(mtlpy_nb.CompileError, match=f"no matching function for call to '{call.split('(')[0]}'"):
        compiles(
            "kernel void k(threadgroup atomic_float* a [[threadgroup(0)]]) { float b = 0; "
            + call.format(RELAXED)
            + "; }"
        )


@pytest.mark.parametrize("name", ["min", "max"])
def test_min_and_max_of_64_bits(name, compiles, rng):
    library = compiles(
        "kernel void k(device atomic_ulong* a, device const ulong* v, uint i [[thread_position_in_grid]]) {\n"
        f"  atomic_{name}_explicit(a + i % 3, v[i], {RELAXED}); atomic_{name}_explicit(a + 3, v[i], {RELAXED}); }}"
    )
    values, start = random(rng, "ulong", 700), random(rng, "ulong", 4)
    a = start.copy()
    library["k"](a, values, grid=700, threadgroup=64)
    expected = updated(name, start, values, np.arange(700) % 3)
    expected[3] = updated(name, start, values, 3)[3]
    np.testing.assert_array_equal(a, expected)


def test_fences_between_threadgroups(compiles):
    """The last threadgroup to arrive, wherever it runs, sees what all others wrote."""
    library = compiles(
        "kernel void total(device const uint* v, device uint* parts, device atomic_uint& arrived, device uint& sum,\n"
        "                  uint t [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]],\n"
        "                  uint groups [[threadgroups_per_grid]], uint i [[thread_position_in_grid]]) {\n"
        "  threadgroup bool last;\n"
        "  uint s = simd_sum(v[i]);\n"
        "  if (t == 0) {\n"
        "    parts[group] = s;\n"
        "    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst);\n"
        f"    last = atomic_fetch_add_explicit(&arrived, 1, {RELAXED}) == groups - 1;\n"
        "    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);\n"
        "  }\n"
        "  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);\n"
        "  if (!last) return;\n"
        "  uint all = 0;\n"
        "  for (uint k = t; k < groups; k += 32) all += parts[k];\n"
        "  all = simd_sum(all);\n"
        "  if (simd_is_first()) sum = all;\n"
        "}"
    )
    for round_ in range(20):
        values = np.random.default_rng(round_).integers(0, 1000, 32 * 500).astype(np.uint32)
        parts, arrived, total = np.zeros(500, np.uint32), np.zeros(1, np.uint32), np.zeros(1, np.uint32)
        library["total"](values, parts, arrived, total, grid=len(values), threadgroup=32)
        assert total[0] == values.sum()


def test_every_flag_order_and_scope(compiles):
    flags = [
        "mem_none",
        "mem_device",
        "mem_threadgroup",
        "mem_texture",
        "mem_threadgroup_imageblock",
        "mem_object_data",
    ]
    scopes = ["thread", "simdgroup", "threadgroup", "device"]
    both = " | ".join(f"mem_flags::{flag}" for flag in flags)
    lines = [
        f"{barrier}(mem_flags::{flag});" for barrier in ("threadgroup_barrier", "simdgroup_barrier") for flag in flags
    ]
    lines += [
        f"atomic_thread_fence({both}, memory_order_{order}, thread_scope_{scope});"
        for order in ("relaxed", "seq_cst")
        for scope in scopes
    ]
    library = compiles(
        "kernel void k(device uint* a, uint i [[thread_position_in_grid]]) {\n"
        "  threadgroup uint t[64]; t[i] = a[i];\n  " + "\n  ".join(lines) + "\n  a[i] = t[63 - i];\n}"
    )
    a = np.arange(64, dtype=np.uint32)
    library["k"](a, grid=64, threadgroup=64)
    np.testing.assert_array_equal(a, np.arange(64)[::-1])


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("atomic_fetch_and_explicit(f, 1.0f, memory_order_relaxed);", "no matching function"),
        ("atomic_fetch_add_explicit(l, 1ul, memory_order_relaxed);", "no matching function"),
        ("atomic_store_explicit(f, 1.0f, memory_order_seq_cst);", "memory order is not 'memory_order_relaxed'"),
        ("atomic<short> s;", r"atomic<T> is of int, uint, bool, ulong or float"),
        ("*f = *f;", "deleted"),
    ],
)
def test_what_metal_refuses(statement, message, compiles):
    with pytest.raises(mtlpy_nb.CompileError, match=message):
        compiles(f"kernel void k(device atomic_float* f, device atomic_ulong* l) {{ {statement} }}")
