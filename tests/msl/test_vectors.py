# SPDX-License-Identifier: MIT
"""Vectors: names of components, constructors, operators; what a kernel may not say about them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")

SCALARS = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float"]


def swizzles(n):
    """All swizzles of n components, as indices."""
    for length in (2, 3, 4):
        yield from itertools.product(range(n), repeat=length)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("letters", ["xyzw", "rgba"])
def test_every_swizzle_reads_its_components(compiles, n, letters):
    lines = [f"constexpr constant int{n} v({', '.join('1234'[:n])});"]
    for s in swizzles(n):
        name = "".join(letters[i] for i in s)
        lines.append(f"static_assert(all(v.{name} == int{len(s)}({', '.join(str(i + 1) for i in s)})));")
    compiles("\n".join(lines))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("letters", ["xyzw", "rgba"])
def test_every_swizzle_without_repetition_assigns_its_components(compiles, n, letters):
    lines = []
    for k, s in enumerate(s for s in swizzles(n) if len(set(s)) == len(s)):
        name = "".join(letters[i] for i in s)
        after = list(range(1, n + 1))
        for value, i in enumerate(s):
            after[i] = 10 + value
        new = ", ".join(str(10 + value) for value in range(len(s)))
        lines.append(
            f"constexpr int{n} f{k}() {{ int{n} v({', '.join('1234'[:n])}); v.{name} = int{len(s)}({new}); return v; }}"
        )
        lines.append(f"static_assert(all(f{k}() == int{n}({', '.join(map(str, after))})));")
    compiles("\n".join(lines))


def test_sizes_and_alignments(compiles):
    lines = []
    for scalar in SCALARS:
        for n in (2, 3, 4):
            lanes = 4 if n == 3 else n
            lines.append(f"static_assert(sizeof({scalar}{n}) == {lanes} * sizeof({scalar}));")
            lines.append(f"static_assert(alignof({scalar}{n}) == {lanes} * sizeof({scalar}));")
            if scalar != "bool":
                lines.append(f"static_assert(sizeof(packed_{scalar}{n}) == {n} * sizeof({scalar}));")
                lines.append(f"static_assert(alignof(packed_{scalar}{n}) == sizeof({scalar}));")
    compiles("\n".join(lines))


EXPRESSIONS = [
    # Constructors.
    "all(float4(1) == float4(1, 1, 1, 1))",
    "all(float4(float2(1, 2), 3, 4) == float4(1, 2, 3, 4))",
    "all(float4(1, float2(2, 3), 4) == float4(1, 2, 3, 4))",
    "all(float4(1, 2, float2(3, 4)) == float4(1, 2, 3, 4))",
    "all(float4(float2(1, 2), float2(3, 4)) == float4(1, 2, 3, 4))",
    "all(float4(float3(1, 2, 3), 4) == float4(1, 2, 3, 4))",
    "all(float4(1, float3(2, 3, 4)) == float4(1, 2, 3, 4))",
    "all(float3(float2(1, 2), 3) == float3(1, float2(2, 3)))",
    "all(int2(float2(1.9f, -1.9f)) == int2(1, -1))",
    "all(uchar4(int4(256, 257, -1, 5)) == uchar4(0, 1, 255, 5))",
    "all(half3(float3(0.5f)) == half3(0.5h))",
    "all(float3(packed_float3(1, 2, 3)) == float3(1, 2, 3))",
    "all(float4(packed_float3(1, 2, 3), 4) == float4(1, 2, 3, 4))",
    "all(float2(true, 2u) == float2(1, 2))",
    # Operators and scalars beside vectors.
    "all(float2(1, 2) + 1 == float2(2, 3))",
    "all(2 * float2(1, 2) - float2(1) == float2(1, 3))",
    "all(half2(1, 2) * 0.5f == half2(0.5h, 1))",
    "all(1.0f / float2(2, 4) == float2(0.5f, 0.25f))",
    "all(-int3(1, -2, 3) == int3(-1, 2, -3))",
    "all(int2(7, -7) / 2 == int2(3, -3))",
    "all(int2(7, -7) % 4 == int2(3, -3))",
    "all((uint2(1, 2) << 3u) == uint2(8, 16))",
    "all((uint4(1, 2, 3, 4) >> uint4(0, 1, 0, 2)) == uint4(1, 1, 3, 1))",
    "all(((~uint2(0) & 0xf0u) ^ 0xffu) == uint2(0xf))",
    "all((uint2(1) | 2u) == uint2(3))",
    "all(uchar2(250, 1) + uchar2(10, 1) == uchar2(4, 2))",
    "all((float2(1, 2) < float2(2, 2)) == bool2(true, false))",
    "all((int3(1, 2, 3) >= 2) == bool3(false, true, true))",
    "all((bool2(true, false) && bool2(true)) == bool2(true, false))",
    "all(!bool2(true, false) == bool2(false, true))",
    "any(bool3(false, false, true)) && !any(bool3(false))",
    "!all(float2(1, 2) != float2(1, 3))",
    "all(packed_float3(1, 2, 3) * 2 + packed_float3(1, 1, 1) == float3(3, 5, 7))",
    # Indices.
    "float4(1, 2, 3, 4)[2] == 3",
    "float4(1, 2, 3, 4).zw[1] == 4",
    # Conversions to other types of the same bits.
    "as_type<uint>(1.0f) == 0x3f800000u",
    "as_type<float>(0x40490fdbu) == M_PI_F",
    "as_type<ushort>(1.0h) == 0x3c00",
    "as_type<uint>(half2(1, 2)) == 0x40003c00u",
    "all(as_type<uchar4>(0x04030201u) == uchar4(1, 2, 3, 4))",
    "all(select(int2(1, 2), int2(3, 4), bool2(true, false)) == int2(3, 2))",
    # Matrices.
    "float2x2(1)[0][0] == 1 && float2x2(1)[1][0] == 0",
    "all(float2x2(1, 2, 3, 4)[1] == float2(3, 4))",
    "all(float2x2(float2(1, 2), float2(3, 4)) * float2(1, 1) == float2(4, 6))",
    "all(float2(1, 1) * float2x2(1, 2, 3, 4) == float2(3, 7))",
    "float2x2(1, 2, 3, 4) * float2x2(0, 1, 1, 0) == float2x2(3, 4, 1, 2)",
    "transpose(float2x3(1, 2, 3, 4, 5, 6)) == float3x2(1, 4, 2, 5, 3, 6)",
    "2 * float2x2(1, 2, 3, 4) + float2x2(1) - float2x2(1) == float2x2(2, 4, 6, 8)",
    "determinant(float2x2(1, 2, 3, 4)) == -2",
    "determinant(float3x3(2, 0, 0, 0, 3, 0, 1, 0, 4)) == 24",
    "determinant(float4x4(1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 5, 0, 0, 4)) == 24",
    "sizeof(float3x3) == 48 && sizeof(half2x3) == 16 && alignof(float4x4) == 16",
    # Limits and constants.
    "numeric_limits<int>::max() == INT_MAX && numeric_limits<ulong>::max() == ~0ul",
    "numeric_limits<char>::min() == -128 && numeric_limits<bool>::max()",
    "numeric_limits<float>::max() == FLT_MAX && numeric_limits<float>::epsilon() == FLT_EPSILON",
    "numeric_limits<half>::max() == HALF_MAX && float(HALF_MAX) == 65504.0f",
    "isinf(INFINITY) && isnan(NAN) && isfinite(MAXFLOAT) && !isnormal(0.0f)",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_constant_expression_holds(compiles, expression):
    compiles(f"static_assert({expression});")


STATEMENTS = [
    "float4 v = 1; v.xy = v.zw; v.rg *= 2; v.w++; out[0] = v;",
    "float4 v(1); v.xy = v.zw = float2(2); out[0] = v;",
    "float4 v = {1, 2, 3, 4}; out[0] = v; float2 w = {1.0f, 2.0f}; out[1].xy += w;",
    "auto w = out[0].zyx; float3 u = w; out[0] = float4(u, 1);",
    "out[0].yz = 3; out[1][2] = out[0][i]; device float& r = out[2][1]; r = 4; device float* p = &out[3].x; *p = 1;",
    "uint2 g = uint2(i, 2); g += 1; g <<= 1; g &= 7u; --g; out[0].xy = float2(g);",
    "float4 v = i > 3 ? out[0] : 0.0f; out[1] = v;",
    "float v[3]; v[0] = 1; float3x3 m(1); m[1] = float3(2); m[1][2] = v[0]; m *= 2; m = m * m; out[0].xyz = m[1];",
    "half4 h = half4(out[0]); h = max(h, 0.5h) + mix(h, half4(1), 0.25h); out[0] = float4(h);",
    "out[0] = clamp(out[0], 0, 1) + pow(out[0], 2) + max(out[0], 0.5f) + smoothstep(0.0f, 1.0f, out[1]);",
    "float x = pow(out[0].x, 2) + metal::fast::sin(1.0f) + precise::exp(2.0f); out[0] = x;",
    "out[0] = length(out[0]) + dot(out[0].xyz, packed_float3(1, 2, 3)) + normalize(out[1]);",
    "array<float, 4> a = {{1, 2, 3, 4}}; a[1] = a[i & 3]; out[0].x = a[1] + a.size();",
    "bfloat b = bfloat(1.5f); bfloat4 v(b); out[0] = float4(v);",
]


@pytest.mark.parametrize("statements", STATEMENTS)
def test_statements_compile(compiles, statements):
    compiles(f"kernel void f(device float4* out, uint i [[thread_position_in_grid]]) {{ {statements} }}")


WRONG = [
    ("float3 v = float4(1);", "float3"),
    ("int2 v(1); float2 w(1); v + w;", r"'int2'.*'float2'"),
    ("float4 v = float4(1).xyz;", "float3"),
    ("uint2 v(1); uint2 w = v * 0.5f;", "uint2"),
    ("float2 v(1); v.z = 1;", "no member named 'z'"),
    ("float4 v(1); v.xx = float2(1);", "xx|setter"),
    ("float4 v(1); v.yx[0] = 1;", "assign"),
    ("float2 v(1); v % v;", "float2"),
    ("if (float2(1) == float2(1)) {}", "bool2"),
    ("max(1, 2.0f);", "ambiguous"),
    ("sqrt(2);", "ambiguous"),
    ("dot(float3(1), float2(1));", "dot"),
    ("as_type<uint>(1.0h);", "same size"),
    ("float3x3 m(1); float2 v = m * float2(1);", "float3x3"),
    ("constexpr sampler s(coord::sideways);", "sideways"),
]


@pytest.mark.parametrize(("statements", "message"), WRONG)
def test_what_metal_does_not_allow_is_an_error(compiles, statements, message):
    with pytest.raises(mtlpy_nb.CompileError, match=message):
        compiles(f"kernel void f(device float* out) {{ {statements} }}")


@pytest.mark.parametrize("kind", ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"])
def test_integer_operators_wrap(evaluate, kind):
    dtype = np.dtype({"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4",
                      "long": "i8", "ulong": "u8"}[kind])  # fmt: skip
    rng = np.random.default_rng(3)
    a, b = (rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, 400, dtype, endpoint=True) for _ in range(2))
    for op in "+-*&|^":
        want = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]
        np.testing.assert_array_equal(evaluate(kind + "4", f"a {op} b", (kind + "4", a), (kind + "4", b)), want)


def test_dynamic_index_reads_and_writes(evaluate):
    a = np.arange(64, dtype=np.float32)
    got = evaluate("float4", "r = a; r[i & 3] = a[(i + 1) & 3] + 100;", ("float4", a)).reshape(-1, 4)
    want = a.reshape(-1, 4).copy()
    for i, row in enumerate(want):
        row[i & 3] = a.reshape(-1, 4)[i, (i + 1) & 3] + 100
    np.testing.assert_array_equal(got, want)


def test_types_have_global_names_before_any_header(shared_device):
    shared_device.library("""
        struct Before { int32_t a; uint64_t b; half h; float4 v; packed_float3 p; half4x4 m; ulong2 u; size_t s; };
        static_assert(sizeof(Before) == 128, "laid out as with the headers");
        #include <metal_stdlib>
        typedef half2 pair_of_half;
        static_assert(metal::is_same_v<metal::float4x4, float4x4> && metal::is_same_v<packed_int2, metal::packed_int2>);
        kernel void run(device float4* v, constant float3x3& m) { v[0] = float4(m * v[0].xyz, 1); }
    """)


def test_names_of_the_simd_library_and_uniform_values(shared_device):
    shared_device.library("""
        #include <metal_stdlib>
        #include <metal_uniform>
        #include <simd/simd.h>
        using namespace metal;
        struct Shared { simd_float4x4 m; vector_float3 v; simd_uint2 n; simd::packed_float3 p; simd_float1 f; };
        static_assert(sizeof(Shared) == 112 && is_same_v<simd_packed_float4, packed_float4>);
        static_assert(make_uniform(3) + 1 == 4 && is_same_v<decltype(make_uniform(2u) * 2u), uint>);
        kernel void run(constant Shared& s, device float4* out) { out[0] = s.m * float4(s.v, s.f); }
    """)


NESTED = """
struct Pixel { float4 color; float3 xy; };
struct alignas(16) Aligned { float2 zw; };
template <int N> struct Base {};
struct Derived : Base<(1)> { float2 yz; };
kernel void run(device float4* v, device packed_float3* p, device Pixel* s, device Aligned* a, device Derived* d) {
    a->zw.y = a[0].zw[0];  // members of that name, no swizzles
    d->yz.y = d[0].yz[0];
    v[0].rgb.r = 5;
    v[1].wzyx.xy = float2(1, 2);
    v[2].xyz.y += 2;
    v[3].rgb.bgr.r = 3;
    v[4].xyz.zy *= float2(2, 3);
    v[5].ba.r++;
    ++v[5].ba.g;
    p->zyx.x = 4;
    s->color.rgb.g = 6;
    s->xy.x = 7;  // a member of that name, no swizzle
    v[6].x = v[0].zyx.zx.x;
    for (uint i = 1; i < 3; ++i) v[6].xyz[i] = v[0].xy[i - 1] + 1;
    v[6].rgba[3] += 5;
}
"""


def test_a_swizzle_of_a_swizzle_is_a_place_to_write_to(compiles):
    v, p = np.ones((7, 4), np.float32), np.ones(3, np.float32)
    library = compiles(NESTED)
    s = np.zeros(1, library["run"].arguments["s"].element.dtype)
    a = np.zeros(1, library["run"].arguments["a"].element.dtype)
    d = np.zeros(1, library["run"].arguments["d"].element.dtype)
    a["zw"], d["yz"] = (3, 4), (5, 6)
    library["run"](v, p, s, a, d, grid=1)
    assert (a["zw"].tolist(), d["yz"].tolist()) == ([[3, 3]], [[5, 5]])
    want = np.ones((7, 4), np.float32)
    want[0, 0], want[1, [3, 2]], want[2, 1], want[3, 2] = 5, (1, 2), 3, 3
    want[4, [2, 1]], want[5, 2:], want[6] = (2, 3), 2, (5, 6, 2, 6)
    np.testing.assert_array_equal(v, want)
    assert p.tolist() == [1, 1, 4]
    assert s["color"].tolist() == [[0, 6, 0, 0]]
    assert s["xy"][0].tolist()[:3] == [7, 0, 0]
