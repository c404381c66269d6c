# SPDX-License-Identifier: MIT
"""Structs of arguments, and attributes behind the brackets of arrays."""

import numpy as np
import pytest


@pytest.fixture(scope="module")
def mtlpy_nb():
    return pytest.importorskip("mtlpy_nb")


MEMBERS = """
    struct Places { uint2 grid [[thread_position_in_grid]]; ushort lane [[thread_index_in_simdgroup]]; };
    struct Images {
        texture2d<float> first [[texture(1)]];
        array<texture2d<float, access::write>, 2> results [[texture(2)]];
    };
    struct Arguments {
        Images images;
        device float* out [[buffer(2)]];
        constant float4& factor [[buffer(0)]];
        sampler nearest [[sampler(0)]];
        Places at;
    };
    kernel void run(Arguments a, uint2 size [[threads_per_grid]], texture2d<float> second [[texture(0)]]) {
        float4 value = a.images.first.sample(a.nearest, (float2(a.at.grid) + 0.5f) / float2(size)) * a.factor;
        a.images.results[0].write(value, a.at.grid);
        a.images.results[1].write(second.read(a.at.grid), a.at.grid);
        a.out[a.at.grid.y * size.x + a.at.grid.x] = value.x + a.at.lane * 0;
    }
"""


def test_members_are_arguments(compiles, shared_device, mtlpy_nb):
    random = np.random.default_rng(3)
    first, second = (random.uniform(size=(5, 8, 4)).astype(np.float32) for _ in range(2))
    kernel = compiles(MEMBERS)["run"]
    assert {name: (a.kind, a.index) for name, a in kernel.arguments.items()} == {
        "first": ("texture", 1), "results": ("texture", 2), "out": ("buffer", 2), "factor": ("buffer", 0),
        "nearest": ("sampler", 0), "second": ("texture", 0),
    }  # fmt: skip
    results = [shared_device.empty_texture((5, 8), "rgba32Float") for _ in range(2)]
    out, factor = np.zeros((5, 8), np.float32), np.array([2, 3, 4, 5], np.float32)
    sampler = shared_device.sampler(linear=False)
    kernel(first=first, results=results, out=out, factor=factor, nearest=sampler, second=second, grid=(8, 5))
    np.testing.assert_allclose(results[0].numpy(), first * factor, rtol=1e-6)
    np.testing.assert_array_equal(results[1].numpy(), second)
    np.testing.assert_allclose(out, first[..., 0] * 2, rtol=1e-6)


def test_arrays_and_threadgroup_memory(compiles, shared_device):
    source = """
        struct Base { device const int* x [[buffer(0)]]; };
        struct Derived {
            Base base;
            threadgroup int* shared [[threadgroup(0)]];
            uint i [[thread_position_in_grid]];
        };
        struct Other { texture2d<int, access::write> t[2] [[texture(0)]]; device int* out [[buffer(1)]]; };
        kernel void run(Derived d, Other o) {
            d.shared[d.i] = d.base.x[d.i];
            threadgroup_barrier(mem_flags::mem_threadgroup);
            o.out[d.i] = d.shared[31 - d.i];
            o.t[d.i % 2].write(int4(o.out[d.i]), uint2(d.i / 2, 0));
        }
    """
    x, out = np.arange(32, dtype=np.int32) ** 2, np.zeros(32, np.int32)
    textures = [shared_device.empty_texture((1, 16), "r32Sint") for _ in range(2)]
    compiles(source)["run"](x=x, out=out, shared=128, t=textures, grid=32, threadgroup=32)
    np.testing.assert_array_equal(out, x[::-1])
    for i in range(2):
        np.testing.assert_array_equal(textures[i].numpy().ravel(), out[i::2])


def test_functions_of_the_other_stages_take_them(compiles):
    library = compiles("""
        struct Resources {
            texture2d<float> image [[texture(3)]];
            sampler s [[sampler(1)]];
            constant float& k [[buffer(2)]];
        };
        struct In { float4 position [[position]]; float2 uv; };
        fragment float4 shade(In in [[stage_in]], Resources r) { return r.image.sample(r.s, in.uv) * r.k; }
        vertex float4 place(Resources r, uint v [[vertex_id]]) { return r.image.read(uint2(v, 0)) * r.k; }
    """)
    assert set(library.functions) == {"shade", "place"}


ARRAYS = """
    struct Buffer {
        device float* out [[id(3)]];
        device const float* x[2] [[id(5)]];
        float scale[3] [[id(9)]];
        sampler last [[id(12)]];
    };
    struct Out { float4 position [[position]]; float clip[2] [[clip_distance]]; };
    vertex Out project(uint v [[vertex_id]]) { return {float4(v), {1, 2}}; }
    kernel void run(constant Buffer& b [[buffer(0)]], device const float (&weights)[4] [[buffer(1)]],
                    constant int more[3] [[buffer(2)]], uint i [[thread_position_in_grid]]) {
        b.out[i] = b.x[0][i] + b.x[1][i] * b.scale[2] + weights[i % 4] + more[1];
    }
"""


def test_attributes_behind_brackets(compiles):
    kernel = compiles(ARRAYS)["run"]
    assert [(a.name, a.index) for a in kernel.arguments.values()] == [("b", 0), ("weights", 1), ("more", 2)]
    members = {m.name: m.argument_index for m in kernel._function.info.arguments[0].type.members}
    assert members == {"out": 3, "x": None, "scale": None, "last": 12}  # arrays have none


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "struct P { device int* a [[buffer(0)]]; int n; }; kernel void f(P p) {}",
            "invalid type 'int' for input declaration in a kernel function",
        ),
        (
            "struct P { device int* a [[buffer(1)]]; }; kernel void f(P p, device int* b [[buffer(1)]]) {}",
            "cannot reserve 'buffer' resource location at index 1",
        ),
        (
            "kernel void f(texture2d<float> t[4] [[texture(0)]], device int* a) {}",
            "an array of these is 'array<texture2d<float>, N>'",
        ),
        (
            "struct P { float4 place [[thread_position_in_grid]]; }; kernel void f(P p) {}",
            "invalid type 'float4' for 'thread_position_in_grid'",
        ),
    ],
)
def test_members_that_cannot_be(compiles, mtlpy_nb, source, message):
    with pytest.raises(mtlpy_nb.CompileError, match=message.replace("(", r"\(")):
        compiles(source)
