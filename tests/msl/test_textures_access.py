# SPDX-License-Identifier: MIT
# ruff: noqa: E501 (kernels are kept dense)
"""Reading, writing and asking textures of every type; what lies outside; how textures reach functions."""

from __future__ import annotations

import numpy as np
import pytest

import mtlpy_nb

# For each type: an array's shape without channels, the place that a kernel reads or writes (`p` is a uint4 made of the
# place's numbers in the order of the array's axes, last first), and the same in ushorts.
KINDS = {
    "1d": ((23,), "p.x", "ushort(p.x)"),
    "1d_array": ((3, 21), "p.x, p.y", "ushort(p.x), ushort(p.y)"),
    "2d": ((9, 11), "p.xy", "ushort2(p.xy)"),
    "2d_array": ((4, 5, 7), "p.xy, p.z", "ushort2(p.xy), ushort(p.z)"),
    "3d": ((4, 5, 7), "p.xyz", "ushort3(p.xyz)"),
    "cube": ((6, 5, 5), "p.xy, p.z", "ushort2(p.xy), ushort(p.z)"),
    "cube_array": ((2, 6, 4, 4), "p.xy, p.z, p.w", "ushort2(p.xy), ushort(p.z), ushort(p.w)"),
}
SCALARS = {
    "float": np.float32,
    "half": np.float16,
    "int": np.int32,
    "uint": np.uint32,
    "short": np.int16,
    "ushort": np.uint16,
}


def texture_name(kind):
    return f"texture_{kind}" if kind == "buffer" else f"texture{kind}"


@pytest.fixture(scope="module")
def device():
    return mtlpy_nb.Device(cache_path=False)


def pixels_of(shape, scalar, rng):
    dtype = np.dtype(SCALARS[scalar])
    if dtype.kind == "f":
        return rng.standard_normal((*shape, 4)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, (*shape, 4), dtype, endpoint=True)


def places(shape):
    """Every place in an array of that shape and one past each end, as (n, 4) numbers, last axis first."""
    axes = [np.arange(size + 1) for size in reversed(shape)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(shape))
    return np.pad(grid, ((0, 0), (0, 4 - len(shape)))).astype(np.uint32)


def taken(pixels, shape, at):
    """What reading there gives: zero outside, for formats that have all four components."""
    index = tuple(at[:, axis].astype(np.int64) for axis in reversed(range(len(shape))))
    inside = np.all([i < size for i, size in zip(index, shape, strict=True)], axis=0)
    clipped = tuple(np.minimum(i, size - 1) for i, size in zip(index, shape, strict=True))
    return np.where(inside[:, None], pixels[clipped], 0)


@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("kind", KINDS)
def test_read_inside_and_outside(device, rng, kind, scalar):
    shape, wide, narrow = KINDS[kind]
    library = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void wide({texture_name(kind)}<{scalar}, access::read> t, device const uint4* at,
                         device {scalar}4* out, uint i [[thread_position_in_grid]])
        {{ uint4 p = at[i]; out[i] = t.read({wide}); }}
        kernel void narrow({texture_name(kind)}<{scalar}> t, device const uint4* at,
                           device {scalar}4* out, uint i [[thread_position_in_grid]])
        {{ uint4 p = at[i]; out[i] = t.read({narrow}); }}
    """)
    pixels = pixels_of(shape, scalar, rng)
    texture = device.texture(pixels, rgba_format(scalar), kind=kind)
    np.testing.assert_array_equal(texture.download(), pixels)
    at = places(shape)
    at = np.concatenate([at, np.full((1, 4), 0xFFFFFFFF, np.uint32)])
    for name in ("wide", "narrow"):
        out = np.zeros((len(at), 4), pixels.dtype)
        library[name](texture, at, out, grid=len(at))
        np.testing.assert_array_equal(out, taken(pixels, shape, at))


def rgba_format(scalar):
    return {
        "float": "rgba32Float", "half": "rgba16Float", "int": "rgba32Sint", "uint": "rgba32Uint",
        "short": "rgba16Sint", "ushort": "rgba16Uint",
    }[scalar]  # fmt: skip


@pytest.mark.parametrize("scalar", ["float", "half", "int", "ushort"])
@pytest.mark.parametrize("kind", KINDS)
def test_write_inside_and_drop_outside(device, rng, kind, scalar):
    shape, wide, narrow = KINDS[kind]
    library = device.library(f"""
        #include <metal_stdlib>
        using namespace metal;
        kernel void wide({texture_name(kind)}<{scalar}, access::write> t, device const uint4* at,
                         device const {scalar}4* in, uint i [[thread_position_in_grid]])
        {{ uint4 p = at[i]; t.write(in[i], {wide}); }}
        kernel void narrow({texture_name(kind)}<{scalar}, access::write> t, device const uint4* at,
                           device const {scalar}4* in, uint i [[thread_position_in_grid]])
        {{ uint4 p = at[i]; t.write(in[i], {narrow}); }}
    """)
    at = places(shape)
    values = pixels_of((len(at),), scalar, rng)
    index = tuple(at[:, axis].astype(np.int64) for axis in reversed(range(len(shape))))
    inside = np.all([i < size for i, size in zip(index, shape, strict=True)], axis=0)
    expected = np.zeros((*shape, 4), values.dtype)
    expected[tuple(i[inside] for i in index)] = values[inside]
    for name in ("wide", "narrow"):
        texture = device.texture(np.zeros((*shape, 4), values.dtype), rgba_format(scalar), kind=kind)
        library[name](texture, at, values, grid=len(at))
        np.testing.assert_array_equal(texture.download(), expected)


def test_alpha_outside_is_one_where_the_format_has_none(device):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<float, access::read> t, device float4* out, uint i [[thread_position_in_grid]])
        { out[i] = t.read(uint2(5, i)); }
    """)
    for name, alpha in (
        ("r8Unorm", 1), ("rg16Float", 1), ("rg11b10Float", 1), ("rgb9e5Float", 1), ("b5g6r5Unorm", 1), ("bgr10_xr", 1),
        ("rgba8Unorm", 0), ("bgra8Unorm_srgb", 0), ("a8Unorm", 0), ("rgb10a2Unorm", 0), ("bgr10a2Unorm", 0),
        ("abgr4Unorm", 0), ("bgra10_xr", 0), ("rgba16Snorm", 0),
    ):  # fmt: skip
        out = np.full((3, 4), 7, np.float32)
        library["f"](device.empty_texture((4, 4), name), out, grid=3)
        np.testing.assert_array_equal(out, [[0, 0, 0, alpha]] * 3, err_msg=name)


def test_levels_are_read_and_written(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void read(texture2d_array<float> t, device float4* out, constant uint& level,
                         uint3 p [[thread_position_in_grid]])
        { out[(p.z * 8 + p.y) * 8 + p.x] = t.read(p.xy, p.z, level); }
        kernel void write(texture2d_array<float, access::write> t, constant uint& level,
                          uint3 p [[thread_position_in_grid]])
        { t.write(float4(p.x, p.y, p.z, level), p.xy, p.z, level); }
    """)
    texture = device.empty_texture((2, 8, 8), "rgba32Float", kind="2d_array", mipmaps=3)
    assert texture.levels == 3
    for level in range(4):  # one that there is not
        library["write"](texture, level, grid=(8, 8, 2))
    z, y, x = np.meshgrid(np.arange(2), np.arange(8), np.arange(8), indexing="ij")
    for level in range(4):
        size = 8 >> level
        out = np.zeros((2, 8, 8, 4), np.float32)
        library["read"](texture, out, level, grid=(8, 8, 2))
        inside = (x < size) & (y < size) & (level < 3)
        expected = np.where(inside[..., None], np.stack([x, y, z, np.full_like(x, level)], -1), 0)
        np.testing.assert_array_equal(out, expected)
        if level < 3:
            np.testing.assert_array_equal(texture.download(level), expected[:, :size, :size])


def test_queries(device):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture1d<float> a, texture1d_array<float> b, texture2d<float> c, texture2d_array<float> d,
                      texture3d<float> e, texturecube<float> f, texturecube_array<float> g, depth2d<float> h,
                      texture_buffer<float> i, device uint* out)
        {
            uint all[] = {
                a.get_width(), a.get_num_mip_levels(), b.get_width(), b.get_array_size(), c.get_width(), c.get_height(),
                c.get_width(1), c.get_height(2), c.get_num_mip_levels(), d.get_width(), d.get_height(),
                d.get_array_size(), d.get_num_mip_levels(), e.get_width(), e.get_height(), e.get_depth(),
                e.get_depth(1), f.get_width(), f.get_height(), g.get_width(), g.get_array_size(), h.get_width(),
                h.get_height(1), i.get_width(), is_null_texture(a), is_null_texture(g), is_null_texture(i)};
            for (int n = 0; n < 27; n++) out[n] = all[n];
        }
    """)
    textures = [
        device.empty_texture((31,), "r32Float"),
        device.empty_texture((3, 17), "r32Float", kind="1d_array"),
        device.empty_texture((13, 40), "r32Float", mipmaps=True),
        device.empty_texture((5, 9, 8), "r32Float", kind="2d_array"),
        device.empty_texture((6, 7, 8), "r32Float", mipmaps=2),
        device.empty_texture((6, 12, 12), "r32Float", kind="cube"),
        device.empty_texture((4, 6, 10, 10), "r32Float", kind="cube_array"),
        device.empty_texture((6, 20), "depth32Float", mipmaps=2),
        device.empty_texture((100000,), "r32Float", kind="buffer"),
    ]
    out = np.zeros(27, np.uint32)
    library["f"](*textures, out, grid=1)
    assert out.tolist() == [
        31, 0, 17, 3, 40, 13, 20, 3, 6, 8, 9, 5, 1, 8, 7, 6, 3, 12, 12, 10, 4, 20, 3, 100000, 0, 0, 0
    ]  # fmt: skip


def test_texture_buffers_convert_and_share_memory(device):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture_buffer<float, access::read> a, texture_buffer<float, access::read_write> b,
                      uint i [[thread_position_in_grid]])
        { b.write(a.read(i) * 2 + b.read(i), i); b.fence(); }
    """)
    bytes_ = np.arange(4 * 40000, dtype=np.uint32).astype(np.uint8).reshape(-1, 4)
    buffer = device.buffer(np.ones(40000, np.float32))
    library["f"](device.texture(bytes_, kind="buffer"), buffer.texture(kind="buffer"), grid=40003)
    expected = bytes_[:, 0].astype(np.float32) / np.float32(255) * 2 + 1
    np.testing.assert_array_equal(buffer.numpy(), expected)


def test_a_buffer_seen_as_a_picture(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture2d<half, access::read_write> t, uint2 p [[thread_position_in_grid]])
        { t.write(t.read(p) + half4(p.x, p.y, 0, 1), p); }
    """)
    pixels = rng.integers(-50, 50, (6, 8, 4)).astype(np.float16)
    buffer = device.buffer(pixels)
    library["f"](buffer.texture(), grid=(8, 6))
    y, x = np.mgrid[:6, :8]
    np.testing.assert_array_equal(buffer.numpy(), pixels + np.stack([x, y, 0 * x, 0 * x + 1], -1).astype(np.float16))
    with pytest.raises(mtlpy_nb.ValidationError, match=r"bytesPerRow\(12\) must be a multiple of 16"):
        device.buffer(np.zeros((4, 3), np.float32)).texture()


def test_arrays_of_textures_and_samplers_by_varying_index(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(array<texture2d<float>, 5> t [[texture(1)]], array<sampler, 2> s [[sampler(0)]],
                      device const uint2* which, device float4* out, uint i [[thread_position_in_grid]])
        {
            out[i] = t[which[i].x].sample(s[which[i].y], float2(1.3, 0.5)) + t[which[i].x].read(uint2(1, 0));
        }
    """)
    images = [rng.random((3, 3, 4), np.float32) for _ in range(5)]
    samplers = [device.sampler(linear=False), device.sampler(linear=False, repeat=True)]
    which = rng.integers(0, [5, 2], (300, 2)).astype(np.uint32)
    out = np.zeros((300, 4), np.float32)
    library["f"]([device.texture(image) for image in images], samplers, which, out, grid=300)
    expected = [images[a][1, (2, 0)[b]] + images[a][0, 1] for a, b in which]
    np.testing.assert_array_equal(out, np.array(expected))


def test_textures_reach_functions_in_every_way(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        float4 byValue(texture2d<float> t, sampler s, float2 p) { return t.sample(s, p); }
        float4 byReference(thread const texture2d<float>& t, thread const sampler& s, float2 p) { return t.sample(s, p); }
        float4 byConst(const texture2d<float, access::sample> t, const sampler s, float2 p) { return t.sample(s, p); }
        template <typename Texture> float4 ofAnyType(Texture t, uint2 p) { return float4(t.read(p)); }
        template <typename T, access a> vec<T, 4> ofAnyElement(texture2d<T, a> t, uint2 p) { return t.read(p); }
        struct Bundle { texture2d<float> t; sampler s; float4 get(float2 p) const { return t.sample(s, p); } };
        kernel void f(texture2d<float> t, texture2d<half, access::read> h, sampler s, device float4* out)
        {
            float2 p(0.6, 0.2); uint2 q(1, 0);
            texture2d<float> local = t;
            Bundle bundle{local, s};
            out[0] = byValue(t, s, p); out[1] = byReference(t, s, p); out[2] = byConst(t, s, p);
            out[3] = bundle.get(p); out[4] = ofAnyType(t, q); out[5] = ofAnyType(h, q);
            out[6] = ofAnyElement(t, q); out[7] = float4(ofAnyElement(h, q));
        }
    """)
    image = rng.integers(-8, 8, (2, 3, 4)).astype(np.float32)
    out = np.zeros((8, 4), np.float32)
    library["f"](image, image.astype(np.float16), device.sampler(linear=False), out, grid=1)
    np.testing.assert_array_equal(out, np.broadcast_to(image[0, 1], (8, 4)))


def test_divergent_and_looping_reads(device, rng):
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        kernel void f(texture3d<float> a, texture2d_array<float> b, texturecube<float> c, sampler s,
                      device const uint* n, device float* out, uint i [[thread_position_in_grid]])
        {
            float sum = 0;
            for (uint k = 0; k < n[i]; k++) {
                if (k % 3 == 0) sum += a.sample(s, float3(k, i, 2) / 16).x;
                else if (k % 3 == 1) sum += b.sample(s, float2(k, i) / 16, k).x;
                else { if (i % 7 == 1) continue; sum += c.sample(s, float3(1, 0.5, -0.25 * k)).x; }
                if (sum > 9) return;
                out[i] = sum;
            }
        }
    """)
    ones = {
        "3d": np.full((2, 2, 2), 1, np.float32),
        "2d_array": np.full((3, 2, 2), 2, np.float32),
        "cube": np.full((6, 2, 2), 4, np.float32),
    }
    counts = rng.integers(0, 12, 200).astype(np.uint32)
    out = np.zeros(200, np.float32)
    library["f"](*(device.texture(pixels, kind=kind) for kind, pixels in ones.items()), device.sampler(), counts, out,
                 grid=200)  # fmt: skip
    expected = np.zeros(200)
    for i, count in enumerate(counts):
        total = 0
        for k in range(count):
            if k % 3 == 2 and i % 7 == 1:
                continue
            total += (1, 2, 4)[k % 3]
            if total > 9:
                break
            expected[i] = total
    np.testing.assert_array_equal(out, expected)


def test_textures_as_templates_of_templates(device, rng):
    """As SPIRV-Cross names them, and with the coherence that Metal 3.2 added."""
    library = device.library("""
        #include <metal_stdlib>
        using namespace metal;
        template <typename T, template <typename, access = access::sample, typename = void> class Tex, typename... Rest>
        inline vec<T, 4> gathered(const thread Tex<T>& t, sampler s, component c, Rest... rest)
        { return c == component::x ? t.gather(s, rest..., component::x) : t.gather(s, rest..., component::w); }
        kernel void f(texture2d<float> a, texture2d_array<float> b, sampler s, device float4* out)
        {
            out[0] = gathered(a, s, component::w, float2(0.5), int2(0));
            out[1] = gathered(b, s, component::x, float2(0.5), 1u, int2(0));
        }
        kernel void g(texture2d<float, access::read_write, memory_coherence_device> t,
                      texture2d<float, access::read, memory_coherence::memory_coherence_threadgroup> u)
        { t.write(t.read(uint2(0)) + u.read(uint2(0)), uint2(0)); }
    """)
    image = rng.integers(0, 9, (2, 2, 2, 4)).astype(np.float32)
    out = np.zeros((2, 4), np.float32)
    library["f"](image[0], image, device.sampler(), out, grid=1)
    order = [(1, 0), (1, 1), (0, 1), (0, 0)]
    np.testing.assert_array_equal(out, [[image[0][p][3] for p in order], [image[1][p][0] for p in order]])
    texture = device.texture(image[0])
    library["g"](texture, image[1], grid=1)
    np.testing.assert_array_equal(texture.download()[0, 0], image[0, 0, 0] + image[1, 0, 0])
