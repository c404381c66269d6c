# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Atomic functions of textures: every operation, type and shape, and many threads at one texel."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

SHAPES = {
    "1d": ((8,), "p.x", "ushort(p.x)"),
    "1d_array": ((3, 8), "p.x, p.y", "ushort(p.x), ushort(p.y)"),
    "2d": ((3, 8), "p.xy", "ushort2(p.xy)"),
    "2d_array": ((2, 3, 8), "p.xy, p.z", "ushort2(p.xy), ushort(p.z)"),
    "3d": ((2, 3, 8), "p", "ushort3(p)"),
    "buffer": ((8,), "p.x", "ushort(p.x)"),
}
OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": np.minimum,
    "max": np.maximum,
}


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


def type_of(kind):
    return "texture_buffer" if kind == "buffer" else f"texture{kind}"


@pytest.mark.parametrize("scalar", ["int", "uint"])
@pytest.mark.parametrize("kind", SHAPES)
def test_every_operation_once_a_texel(device, rng, kind, scalar):
    shape, wide, narrow = SHAPES[kind]
    operations = "".join(
        f"case {n}: r = t.atomic_fetch_{name}({place}, v); break;\n"
        for place, begin in ((wide, 0), (narrow, 7))
        for n, name in enumerate(OPERATIONS, begin)
    )
    library = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f({type_of(kind)}<{scalar}, access::read_write> t, device const {scalar}* in, device {scalar}* out,
                      constant int& which, uint3 p [[thread_position_in_grid]], uint3 n [[threads_per_grid]])
        {{
            uint i = (p.z * n.y + p.y) * n.x + p.x;
            {scalar}4 v = in[i], r = 0;
            switch (which) {{
                {operations}
                case 14: r = t.atomic_exchange({wide}, v); break;
                case 15: r = t.atomic_load({wide}); t.atomic_store(v, {narrow}); break;
                case 16: {{ {scalar}4 e = v; r = t.atomic_compare_exchange_weak({wide}, &e, v + 1) ? {scalar}4(-1) : e; }}
            }}
            out[i] = r.x;
        }}
    """)
    dtype = np.dtype({"int": np.int32, "uint": np.uint32}[scalar])
    name = {"int": "r32Sint", "uint": "r32Uint"}[scalar]
    info = np.iinfo(dtype)
    before = rng.integers(info.min, info.max, shape, dtype)
    grid = tuple(size + 1 for size in reversed(shape))  # one past each end
    for which in range(17):
        texture = device.texture(before, name, kind=kind)
        values = rng.integers(info.min, info.max, tuple(reversed((*grid, 1, 1)[:3])), dtype)
        inside = tuple(slice(size) for size in (1,) * (3 - len(shape)) + shape)
        given = values[inside].reshape(shape)
        if which == 16:
            given[...] = np.where(rng.random(shape) < 0.5, before, given)
        out = np.full_like(values, 77)
        library["f"](texture, values, out, which, grid=grid)
        after, returned = texture.download(), out[inside].reshape(shape).copy()
        out[inside] = 0
        outside = values.copy()  # what is not there is equal to nothing
        outside[inside] = 0
        np.testing.assert_array_equal(out, outside if which == 16 else 0)
        if which < 14:
            with np.errstate(over="ignore"):
                np.testing.assert_array_equal(after, list(OPERATIONS.values())[which % 7](before, given))
            np.testing.assert_array_equal(returned, before)
        elif which < 16:
            np.testing.assert_array_equal(after, given)
            np.testing.assert_array_equal(returned, before)
        else:
            equal = before == given
            np.testing.assert_array_equal(after, np.where(equal, given + 1, before))
            np.testing.assert_array_equal(returned, np.where(equal, np.array(-1).astype(dtype), before))


def test_many_threads_at_one_texel(device):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<uint, access::read_write> t, texture_buffer<int, access::read_write> b,
                      device atomic_uint* seen, uint i [[thread_position_in_grid]])
        {
            uint before = t.atomic_fetch_add(uint2(1, 0), uint4(1)).x;
            atomic_fetch_add_explicit(&seen[before], 1u, memory_order_relaxed);
            t.atomic_fetch_add(uint2(i % 7, 1), uint4(2));
            b.atomic_fetch_max(0u, int4(i));
            int4 expected = b.atomic_load(1u);
            while (!b.atomic_compare_exchange_weak(1u, &expected, expected + 3)) {}
        }
    """)
    texture = device.texture(np.zeros((2, 8), np.uint32), "r32Uint")
    numbers = device.texture(np.array([-5, 0], np.int32), "r32Sint", kind="buffer")
    seen = np.zeros(5000, np.uint32)
    library["f"](texture, numbers, seen, grid=5000)
    assert texture.download()[0, 1] == 5000
    np.testing.assert_array_equal(texture.download()[1], [*(2 * len(range(n, 5000, 7)) for n in range(7)), 0])
    np.testing.assert_array_equal(seen, 1)
    np.testing.assert_array_equal(numbers.download(), [4999, 15000])


def test_64_bits(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<ulong, access::read_write> low, texture1d<ulong, access::read_write> high,
                      device const ulong* in, device ulong* out, uint i [[thread_position_in_grid]])
        {
            low.atomic_min(uint2(i % 4, 0), ulong4(in[i]));
            high.atomic_max(ushort(i % 4), ulong4(in[i]));
            if (i < 4) out[i] = low.atomic_load(uint2(i, 1)).x + low.atomic_exchange(uint2(i, 1), ulong4(9)).x;
        }
    """)
    values = rng.integers(0, 2**64, 1000, np.uint64)
    first = np.full((2, 4), 2**63, np.uint64)
    low = device.texture(first.view(np.uint32).reshape(2, 4, 2), "rg32Uint")
    high = device.texture(np.zeros((4, 2), np.uint32), "rg32Uint", kind="1d")
    out = np.zeros(4, np.uint64)
    library["f"](low, high, values, out, grid=1000)
    columns = values.reshape(-1, 4)
    got = low.download().view(np.uint64)[..., 0]
    np.testing.assert_array_equal(got[0], np.minimum(columns.min(0), 2**63))
    np.testing.assert_array_equal(got[1], 9)
    np.testing.assert_array_equal(high.download().view(np.uint64).ravel(), columns.max(0))
    np.testing.assert_array_equal(out, 0)  # twice 2^63


def test_cubes(device):
    """Atomics of cubes, which Metal 4 added."""
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texturecube<uint, access::read_write> a, texturecube_array<int, access::read_write> b,
                      uint3 p [[thread_position_in_grid]])
        { a.atomic_fetch_add(p.xy, p.z, uint4(p.z + 1)); b.atomic_fetch_sub(ushort2(p.xy), ushort(p.z), ushort(1), int4(p.x)); }
    """)
    a = device.texture(np.zeros((6, 3, 3), np.uint32), "r32Uint", kind="cube")
    b = device.texture(np.zeros((2, 6, 3, 3), np.int32), "r32Sint", kind="cube_array")
    library["f"](a, b, grid=(4, 4, 7))
    np.testing.assert_array_equal(a.download(), np.broadcast_to(np.arange(1, 7)[:, None, None], (6, 3, 3)))
    want = np.zeros((2, 6, 3, 3))
    want[1] = -np.arange(3)
    np.testing.assert_array_equal(b.download(), want)
