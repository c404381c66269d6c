# SPDX-License-Identifier: MIT
"""Variables in program scope that kernels find set: places, buffers, textures, samplers (Metal 3.1 and 3.2)."""

import numpy as np
import pytest

SOURCE = """
    uint2 place [[thread_position_in_grid]];
    ushort3 inGroup [[thread_position_in_threadgroup]];
    uint lane [[thread_index_in_simdgroup]];
    device float* constant out [[buffer(1)]];
    constant float4* constant factors [[buffer(4)]];
    threadgroup void* constant shared [[threadgroup(0)]];
    texture2d<float> constant image [[texture(2)]];
    constant array<texture2d<float, access::write>, 2> results [[texture(3)]];
    sampler constant nearest [[sampler(1)]];

    float4 colour() {
        return image.sample(nearest, (float2(place) + 0.5f) / float2(image.get_width(), image.get_height()));
    }
    uint number() { return place.y * image.get_width() + place.x; }

    kernel void paint(constant float& scale [[buffer(0)]]) {
        results[0].write(colour() * factors[1], place);
        results[1].write(float4(place.x, place.y, inGroup.x, inGroup.y), place);
        out[number()] = colour().x * scale;
    }
    kernel void turn(uint i [[thread_index_in_threadgroup]]) {
        ((threadgroup uint*)shared)[i] = place.x;
        threadgroup_barrier(mem_flags::mem_threadgroup);
        out[place.x] = ((threadgroup uint*)shared)[31 - i] * 100 + lane;
    }
    kernel void plain(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = i; }
"""


@pytest.fixture(scope="module")
def library(compiles):
    return compiles(SOURCE)


def test_a_kernel_has_those_that_it_uses(library):
    def arguments(name):
        return {a.name: (a.kind, a.index) for a in library[name].arguments.values()}

    assert arguments("paint") == {
        "scale": ("buffer", 0), "out": ("buffer", 1), "factors": ("buffer", 4), "image": ("texture", 2),
        "results": ("texture", 3), "nearest": ("sampler", 1),
    }  # fmt: skip
    assert arguments("turn") == {"out": ("buffer", 1), "shared": ("threadgroup", 0)}
    assert arguments("plain") == {"x": ("buffer", 0)}


def test_textures_samplers_and_buffers(library, shared_device):
    image = np.random.default_rng(4).uniform(size=(6, 10, 4)).astype(np.float32)
    factors = np.arange(8, dtype=np.float32).reshape(2, 4)
    results = [shared_device.empty_texture((6, 10), "rgba32Float") for _ in range(2)]
    out = np.zeros(60, np.float32)
    library["paint"](
        scale=3, out=out, factors=factors, image=image, results=results,
        nearest=shared_device.sampler(linear=False), grid=(10, 6), threadgroup=(4, 3),
    )  # fmt: skip
    np.testing.assert_allclose(results[0].numpy(), image * factors[1], rtol=1e-6)
    np.testing.assert_allclose(out.reshape(6, 10), image[..., 0] * 3, rtol=1e-6)
    y, x = np.mgrid[:6, :10]
    np.testing.assert_array_equal(results[1].numpy(), np.stack([x, y, x % 4, y % 3], -1))


def test_threadgroup_memory_and_places(library):
    out = np.zeros(64, np.float32)
    library["turn"](out=out, shared=128, grid=64, threadgroup=32)
    i = np.arange(64)
    np.testing.assert_array_equal(out, (i // 32 * 32 + 31 - i % 32) * 100 + i % 32)


def test_two_names_for_one_texture(compiles, shared_device):
    library = compiles("""
        extern constant texture2d<float> first [[texture(0)]];
        constant texture2d<float> first [[texture(0)]];
        constant texture2d<float> second [[texture(0)]];
        kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
            out[i] = first.read(uint2(i, 0)).x + second.read(uint2(i, 0)).x;
        }
    """)
    image, out = np.arange(8, dtype=np.float32).reshape(1, 8), np.zeros(8, np.float32)
    library["k"](out=out, first=image, second=image, grid=8)
    np.testing.assert_array_equal(out, image[0] * 2)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "constant texture2d<float, access::write> a [[texture(1)]];"
            "constant texture2d<float, access::read_write> b [[texture(1)]];",
            "'b' and 'a' have the same index, but not the same type",
        ),
        ("float2 p [[thread_position_in_grid]];", "invalid type 'float2' for 'thread_position_in_grid'"),
        ("device int* constant b [[buffer(31)]];", "'buffer' attribute parameter is out of bounds"),
        ("constant float x [[buffer(0)]];", "invalid type"),
        (
            "kernel void k() { uint i [[thread_position_in_grid]]; }",
            "'thread_position_in_grid' attribute only applies to variables of the program's scope, parameters and",
        ),
    ],
)
def test_what_is_wrong_with_them(compiles, source, message):
    mtlpy_nb = pytest.importorskip("mtlpy_nb")
    with pytest.raises(mtlpy_nb.CompileError) as caught:
        compiles(source)
    assert message in str(caught.value)


COHERENT = """
    kernel void k(coherent device float* a, coherent(device) device float4* b, device coherent(device) int* c,
                  texture2d<float, access::read_write, memory_coherence_device> t,
                  texture2d<float, access::read, memory_coherence::memory_coherence_device> u,
                  uint i [[thread_position_in_grid]]) {
        int coherent = 1;
        a[i] = b[i].x + c[i] * coherent;
        t.write(u.read(uint2(i, 0)), uint2(i, 0));
    }
"""


def test_coherence(compiles, shared_device):
    a, b, c = np.zeros(4, np.float32), np.ones((4, 4), np.float32), np.arange(4, dtype=np.int32)
    image, result = np.random.default_rng(1).uniform(size=(1, 4, 4)).astype(np.float32), None
    result = shared_device.empty_texture((1, 4), "rgba32Float")
    compiles(COHERENT)["k"](a, b, c, result, image, grid=4)
    np.testing.assert_array_equal(a, 1 + c)
    np.testing.assert_array_equal(result.numpy(), image)


def test_templates_over_coherence(compiles, shared_device):
    library = compiles("""
        template <typename T, access a, memory_coherence c>
        vec<T, 4> fetch(texture2d<T, a, c> t, uint2 p) { return t.read(p); }
        template <memory_coherence... all> struct Several {};
        template <memory_coherence> struct One { Several<memory_coherence_device, memory_coherence_threadgroup> s; };
        template <typename T, access a, metal::memory_coherence c = memory_coherence_device> struct Holder {
            texture2d<T, a, c> t;
        };
        kernel void k(texture2d<float, access::read_write, memory_coherence_device> t, texture2d<float, access::read> u,
                      device float2* out, uint i [[thread_position_in_grid]]) {
            Holder<float, access::read_write> h{t};
            One<memory_coherence_device> one; (void)one;
            out[i] = float2(fetch(h.t, uint2(i, 0)).x, fetch(u, uint2(i, 0)).x);
        }
    """)
    image, out = np.arange(4, dtype=np.float32).reshape(1, 4), np.zeros((4, 2), np.float32)
    texture = shared_device.texture(image, "r32Float")
    library["k"](texture, image + 7, out, grid=4)
    np.testing.assert_array_equal(out, np.stack([image[0], image[0] + 7], -1))


def test_assert_is_checked_and_not_run(compiles):
    mtlpy_nb = pytest.importorskip("mtlpy_nb")
    source = """
        #include <metal_assert>
        static_assert(sizeof(float3) == 16);
        static_assert(sizeof(half) == 2, "a half has two bytes");
        kernel void k(device int* x, uint i [[thread_position_in_grid]]) { assert(x[i]++ == 0 && "never run"); }
    """
    x = np.zeros(4, np.int32)
    compiles(source)["k"](x, grid=4)
    assert not x.any()
    with pytest.raises(mtlpy_nb.CompileError, match="undeclared identifier 'nothing'"):
        compiles(source.replace("x[i]++ == 0", "nothing"))
