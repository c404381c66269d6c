# SPDX-License-Identifier: MIT
# ruff: noqa: E501
"""What public Metal code uses in three projects or more, but for ray tracing, mesh shading and tensors: each name, used."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

STDLIB = "#include <metal_stdlib>\nusing namespace metal;\n"


def kernel(*statements: str, parameters: str = "") -> str:
    """A kernel with the statements in blocks of their own, so that one line's error names one use."""
    body = "\n".join(f"    {{ {statement} }}" for statement in statements)
    return f"{STDLIB}kernel void k(device float* out, uint i [[thread_position_in_grid]]{parameters}) {{\n{body}\n}}\n"


def calls(names: str, arguments: str) -> list[str]:
    return [f"auto r = {name}({arguments}); (void)r;" for name in names.split()]


SCALARS = (
    "float uint half ushort uint32_t uchar uint8_t int32_t uint16_t uint64_t ulong size_t int64_t int8_t bfloat int16_t"
)
VECTORS = (
    "float4 float2 uint2 float3 half4 uint3 int2 half2 uint4 half3 int4 ushort2 int3 ulong2 uchar4 short2 ushort4 bool4 "
    "ushort3 uchar2 bool3 ulong4 bool2 ulong3 bfloat4 short4 short3 long2 long4 char4 long3 char2 uchar3 "
    "packed_float3 packed_float2 packed_float4 packed_uint3 packed_int3 packed_half3"
)
MATRICES = (
    "float4x4 float3x3 float2x2 half3x3 half4x4 float2x4 float3x2 half2x4 float4x2 float4x3 half2x3 float2x3 float3x4 "
    "half4x2 half4x3 half3x2 half2x2 half3x4 bfloat4x4"
)
ONE_FLOAT = (
    "sqrt exp abs sin cos floor round saturate fract log ceil rsqrt sign exp2 fabs tanh log2 acos tan asin atan trunc rint "
    "cosh sinh sinpi acosh asinh cospi atanh log10 exp10 tanpi isnan isfinite isinf signbit normalize length"
)
TWO_FLOATS = "max min pow step atan2 powr fmod fmax fmin copysign divide nextafter fdim"
THREE_FLOATS = "clamp mix smoothstep fma max3 min3 median3 fmax3 fmedian3 fmin3 select"
FAST = "fast::exp2 fast::exp fast::cos fast::sin precise::tanh precise::sqrt precise::exp precise::rsqrt precise::sin"
TRAITS = (
    "enable_if_t<is_same_v<T, int>, int> a; typename enable_if<is_same<T, int>::value, T>::type b; decay_t<const T> c = 0;",
    "conditional_t<is_convertible_v<T, float>, T, half> a; typename conditional<is_signed_v<T>, T, T>::type b;",
    "integral_constant<T, 3> a; bool_constant<is_integral_v<T>> b; static_assert(b() && a.value == 3);",
    "static_assert(is_same_v<true_type, bool_constant<true>> && !false_type::value && is_integral<T>::value);",
    "remove_cv_t<const T> a = 0; is_floating_point<float> b; static_assert(b.value && is_unsigned_v<uint>);",
    "T a = 1, b = 2; swap(a, b); pair<T, float> p{a, 1.5f}; array<T, 2> c{{a, b}}; c[0] = p.first; T d = move(b);",
    "T highest = numeric_limits<T>::max(), lowest = numeric_limits<T>::lowest(); float e = numeric_limits<float>::epsilon();",
    "vec<T, 4> v = 1; matrix<float, 2, 3> m(0); packed_vec<float, 3> p = 0;",
    "T a = forward<T>(3); typename decay<const T&>::type b = a;",
)
SIMD = (
    "simd_sum simd_max simd_min simd_product simd_prefix_exclusive_sum simd_prefix_inclusive_sum "
    "simd_prefix_exclusive_product simd_prefix_inclusive_product simd_broadcast_first quad_sum"
)
ATOMICS = "fetch_add exchange fetch_max fetch_sub fetch_min fetch_or fetch_and fetch_xor"

PROGRAMS = {
    "scalars and vectors": kernel(
        *(f"{name} v = 0; (void)v;" for name in (SCALARS + " " + VECTORS).split()),
        "float4 v = as_type<float4>(uint4(1)); half2 h = static_cast<half2>(v.xy); uint u = as_type<uint>(h);",
    ),
    "matrices": kernel(
        *(f"{name} m; m[1].y = 2; (void)(m * 2);" for name in MATRICES.split()),
        "float2x2 m(1); float d = determinant(m); m = transpose(m) * m; float2 v = m * float2(1, 2);",
    ),
    "constants": kernel(
        *(
            f"float v = {name}; (void)v;"
            for name in ["INFINITY", "NAN", "M_PI_F", "M_PI_2_F", "M_LOG2E_F", "FLT_MAX", "FLT_MIN", "MAXFLOAT"]
        ),
        "half h = MAXHALF; uint u = UINT_MAX; int n = INT_MAX; half p = M_PI_H;",
    ),
    "math functions": kernel(
        *calls(ONE_FLOAT, "float2(0.5f)"),
        *calls(ONE_FLOAT.replace("length", "").replace("normalize", ""), "half(0.5h)"),
        *calls(TWO_FLOATS, "float3(1), float3(2)"),
        *calls(THREE_FLOATS.replace("select", ""), "float4(1), float4(2), float4(3)"),
        *calls("dot distance distance_squared reflect", "float3(1), float3(2)"),
        *calls(FAST, "0.5f"),
        *calls("fast::max fast::min precise::atan2 cross", "float3(0.5f), float3(2)"),
        "float c, s = sincos(1.0f, c); int e; float f = frexp(3.0f, e); float w; f = modf(1.5f, w); f = ldexp(f, e);",
        "float3 r = refract(float3(1), float3(0, 1, 0), 0.5f); r = select(r, float3(0), r > 1); bool b = any(r > 0) && all(r < 9);",
        "float a = precise::acos(0.5f) + precise::log(2.0f) + precise::cos(1.0f);",
    ),
    "integer functions": kernel(
        *calls("clz ctz popcount reverse_bits abs", "int3(5)"),
        *calls("mulhi max min", "uint(5), uint(7)"),
        *calls("clamp max3 min3 median3", "5, 6, 7"),
        "uint x = extract_bits(0xf0u, 4u, 4u); x = insert_bits(x, 3u, 2u, 2u);",
    ),
    "packing": kernel(
        "uint u = pack_float_to_unorm4x8(float4(1)) + pack_float_to_snorm4x8(float4(1));",
        "float4 v = unpack_snorm4x8_to_float(1u) + unpack_unorm4x8_to_float(2u); float2 w = unpack_snorm2x16_to_float(3u);",
    ),
    "type traits": STDLIB
    + "template <typename T> void use() {\n"
    + "\n".join(f"    {{ {line} }}" for line in TRAITS)
    + "\n}\nkernel void k() { use<int>(); }\n",
    "SIMD-group functions": kernel(
        *calls(SIMD, "float(i)"),
        *calls("simd_and simd_or simd_xor", "i"),
        *calls("simd_shuffle_down simd_shuffle_xor simd_shuffle simd_broadcast simd_shuffle_up", "half2(1), ushort(2)"),
        *calls("simd_shuffle_rotate_down simd_shuffle_rotate_up", "i, ushort(2)"),
        *calls("simd_shuffle_and_fill_down simd_shuffle_and_fill_up", "i, i, ushort(2)"),
        "simd_vote v = simd_ballot(i > 3); bool b = v.all() || simd_any(i > 3) || simd_all(i > 3) || simd_is_first();",
        "ulong mask = (simd_vote::vote_t)simd_active_threads_mask(); (void)mask;",
        parameters=", uint lane [[thread_index_in_simdgroup]], uint width [[threads_per_simdgroup]], uint quad "
        "[[quadgroup_index_in_threadgroup]], uint place [[thread_index_in_quadgroup]], uint groups "
        "[[simdgroups_per_threadgroup]], uint group [[simdgroup_index_in_threadgroup]]",
    ),
    "SIMD-group matrices": kernel(
        "simdgroup_float8x8 a = make_filled_simdgroup_matrix<float, 8, 8>(1.0f), b(2); simdgroup_half8x8 h; "
        "simdgroup_bfloat8x8 f; simdgroup_matrix<float, 8, 8> c; simdgroup_load(a, out, 8); simdgroup_multiply(c, a, b); "
        "simdgroup_multiply_accumulate(c, a, b, c); c.thread_elements()[0] += 1; simdgroup_store(c, out, 8, ulong2(0));",
    ),
    "atomics and barriers": kernel(
        *(f"uint r = atomic_{name}_explicit(n, 1u, memory_order_relaxed);" for name in ATOMICS.split()),
        "int e = 0; bool b = atomic_compare_exchange_weak_explicit(s, &e, 2, memory_order_relaxed, memory_order_relaxed);",
        "atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_relaxed);",
        "atomic_fetch_add_explicit(f, 1.5f, memory_order_relaxed); atomic_min_explicit(l, 3ul, memory_order_relaxed);",
        "threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device); simdgroup_barrier(mem_flags::mem_none);",
        "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);",
        "memory_order order = memory_order_relaxed; atomic_exchange_explicit(g, 1.5f, order);",
        "device atomic_uint* p = reinterpret_cast<device atomic_uint*>(out); atomic_store_explicit(p, 1u, memory_order_relaxed);",
        parameters=", device atomic_uint* n, device atomic_int* s, device atomic<float>* f, device atomic_ulong* l, "
        "device atomic_float* g",
    ),
    "textures": STDLIB
    + """
constexpr sampler linear(coord::normalized, address::clamp_to_edge, filter::linear, mip_filter::linear);
constexpr sampler other(s_address::repeat, t_address::mirrored_repeat, mag_filter::nearest, min_filter::linear,
                        compare_func::less, coord::pixel);
kernel void k(texture2d<float, access::sample> a [[texture(0)]], texture2d<half, access::write> b [[texture(1)]],
              texture2d_array<float> c [[texture(2)]], texturecube<float> d [[texture(3)]], texture3d<uint> e [[texture(4)]],
              depth2d<float> f [[texture(5)]], texture2d_ms<float> g [[texture(6)]], depth2d_array<float> h [[texture(7)]],
              texture1d<float> l [[texture(8)]], texturecube_array<half> m [[texture(9)]], depthcube<float> n [[texture(10)]],
              texture_buffer<float, access::read> o [[texture(11)]], texture2d<uint, access::read_write> p [[texture(12)]],
              sampler s [[sampler(0)]], uint2 i [[thread_position_in_grid]]) {
    float2 uv = float2(i) / float2(a.get_width(), a.get_height());
    float4 v = a.sample(s, uv) + a.sample(linear, uv, level(1)) + a.sample(s, uv, bias(0.5f), int2(1)) + a.read(i);
    v += a.gather(s, uv, int2(0), component::y) + a.sample(s, uv, gradient2d(uv, uv)) + c.sample(s, uv, 1) + c.read(i, 0);
    v += d.sample(s, float3(uv, 1)) + float4(e.read(uint3(i, 0))) + g.read(i, 1) + l.read(i.x) + o.read(i.x);
    v += f.sample_compare(other, uv, 0.5f) + h.sample(s, uv, 1) + f.gather_compare(other, uv, 0.5f);
    v += float4(m.sample(s, float3(1), 0)) + n.sample(s, float3(1));
    v += a.get_num_mip_levels() + c.get_array_size() + e.get_depth() + g.get_num_samples();
    p.fence(); p.write(p.read(i) + 1, i);
    if (!is_null_texture(b)) b.write(half4(v), i);
}
""",
    "stages": STDLIB
    + """
struct In { float3 p [[attribute(0)]]; float2 uv [[attribute(1)]]; };
struct Out {
    float4 position [[position, invariant]]; float size [[point_size]]; float2 uv [[user(uv)]]; float3 c [[flat]];
    float a [[center_no_perspective]]; float b [[centroid_perspective]]; float d [[sample_perspective]];
    float e [[center_perspective]]; float f [[centroid_no_perspective]]; float g [[sample_no_perspective]];
};
vertex Out v(In in [[stage_in]], uint id [[vertex_id]], uint instance [[instance_id]], constant float4x4& m [[buffer(1)]]) {
    Out o = {}; o.position = m * float4(in.p, 1); o.uv = in.uv; o.size = id + instance; return o;
}
struct Pixel { float4 color [[color(0)]]; float depth [[depth(any)]]; uint stencil [[stencil]]; uint mask [[sample_mask]]; };
[[early_fragment_tests]] fragment float4 early(Out in [[stage_in]]) { return in.position; }
fragment Pixel f(Out in [[stage_in]], bool front [[front_facing]], uint sample [[sample_id]], float2 at [[point_coord]],
                 uint primitive [[primitive_id]], float3 weights [[barycentric_coord]]) {
    Pixel p; if (in.uv.x > 1) discard_fragment();
    p.color = float4(dfdx(in.uv.x), dfdy(in.uv.y), fwidth(in.uv.x), 1); p.color.xy += at + weights.xy;
    p.depth = 1; p.stencil = primitive; p.mask = sample + front; return p;
}
""",
    "layers, patches and raster order": STDLIB
    + """
struct Out { float4 position [[position]]; uint layer [[render_target_array_index]]; uint port [[viewport_array_index]]; };
vertex Out v(uint id [[vertex_id]], ushort view [[amplification_id]], ushort views [[amplification_count]]) {
    Out o = {}; o.layer = id; o.port = view + views; return o;
}
struct Point { float3 p [[attribute(0)]]; };
struct Patch { patch_control_point<Point> points; };
[[patch(quad, 4)]] vertex Out t(Patch in [[stage_in]], float2 uv [[position_in_patch]], uint patch [[patch_id]]) {
    Out o = {}; o.position = float4(in.points[0].p * uv.x + patch, 1); return o;
}
struct Pixel { float4 color [[color(0), raster_order_group(0)]]; float4 second [[color(0), index(1)]]; };
fragment Pixel f(Out in [[stage_in]], texture2d<float, access::read_write> x [[texture(0), raster_order_group(1)]]) {
    Pixel p; p.color = p.second = in.layer + in.port; x.write(p.color, uint2(0)); return p;
}
""",
    "commands that kernels write": STDLIB
    + """
struct Commands { command_buffer buffer [[id(0)]]; render_pipeline_state pipeline; compute_pipeline_state other; };
kernel void k(device Commands* c [[buffer(0)]], device uint* indices [[buffer(1)]], constant ushort* small [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
    render_command draw(c->buffer, i); draw.set_render_pipeline_state(c->pipeline); draw.set_vertex_buffer(indices, 0);
    draw.draw_primitives(primitive_type::point, 0, 1, 1, 0);
    draw.draw_indexed_primitives(primitive_type::triangle, 3, indices + 3, 1, 0, i);
    draw.draw_indexed_primitives(primitive_type::triangle, 3, small, 1, 0, 0);
    compute_command run(c->buffer, i); run.set_compute_pipeline_state(c->other); run.set_kernel_buffer(small, 0);
    run.concurrent_dispatch_threads(uint3(1), uint3(1));
}
""",
    "messages": "#include <metal_logging>\n"
    + kernel('os_log_default.log("%f", out[i]); os_log_default.log_debug("%u", i);')
    + 'constant os_log own("a", "b");\n',
    "values that all threads share": STDLIB
    + "kernel void k(constant uniform<float>& a, device float* out, uint i [[threadgroup_position_in_grid]]) {\n"
    + "    uniform<float> b = a + a; out[i] = b * 2; }\n",
    "what projects define themselves": STDLIB
    + """
#define M_PI 3.14159265358979323846f
typedef bfloat bfloat16_t; typedef half float16_t;
template <typename T> T lerp(T a, T b, T t) { return a + (b - a) * t; }
inline float frac(float x) { return x - floor(x); }
float erf(float x) { return x; }
float log1p(float x) { return log(1.0f + x); }
float remainder(float x, float y) { return x - y * rint(x / y); }
float3 remainder(float3 x, float3 y) { return x - y * rint(x / y); }
template <typename T> struct range { T first, last; thread T* begin() { return &first; } };
template <typename F> float apply(F f, float x) { return f(x); }
template <typename T> T get(device const T* a, uint i) { return a[i]; }
namespace metal {
    template <typename... T> using void_t = void;
    template <typename T> struct is_empty : bool_constant<__is_empty(T)> {};
}
static_assert(is_same_v<void_t<int>, void> && !is_empty<int>::value);
kernel void k(device float* out, device const float* in, uint i [[thread_position_in_grid]]) {
    range<float> r = {float(M_PI), 2};
    out[i] = lerp(erf(get(in, i)), frac(log1p(in[i])), 0.5f) + remainder(float3(in[i]), float3(2)).x + *r.begin()
           + apply([](float x) { return x * 2; }, 3) + float(bfloat16_t(1.0f)) + float16_t(2);
}
""",
    "attributes of kernels": STDLIB
    + """
constant int size [[function_constant(0)]];
constant bool has = is_function_constant_defined(size);
struct Arguments { device float* data [[id(0)]]; texture2d<float> picture [[id(1)]]; sampler s [[id(3)]]; };
[[stitchable]] float twice([[maybe_unused]] float x) { return 2 * x; }
[[kernel, max_total_threads_per_threadgroup(64)]] void k(device Arguments& a [[buffer(0)]],
    threadgroup float* shared [[threadgroup(0)]], uint3 p [[threadgroup_position_in_grid]],
    uint3 t [[thread_position_in_threadgroup]], uint i [[thread_index_in_threadgroup]],
    uint3 n [[threads_per_threadgroup]], uint3 g [[threadgroups_per_grid]], uint3 all [[threads_per_grid]]) {
    shared[i] = twice(size + has);
    a.data[p.x * n.x + t.x] = shared[i] + g.x + all.x;
}
template <typename T> kernel void generic(device T* x [[buffer(0)]]) { x[0] = T(1); }
template [[host_name("generic_half")]] kernel void generic<half>(device half*);
""",
    "simd.h": """
#include <simd/simd.h>
#include <metal_stdlib>
using namespace metal;
struct Uniforms {
    vector_float2 a; vector_float3 b; matrix_float4x4 m; vector_float4 c; matrix_float3x3 n; vector_uint2 d; vector_int2 e;
    simd_float3 f; simd_float2 g; simd_float4 h; simd::float4 i; simd::float4x4 j;
};
kernel void k(constant Uniforms& u, device float* out) { out[0] = (u.m * u.c).x + u.b.y + u.n[0].x + u.d.x + u.j[1].y; }
""",
    "predefined macros": STDLIB
    + """
#if !defined(__METAL__) || !defined(__METAL_VERSION__) || !defined(__METAL_MACOS__) || defined(__METAL_IOS__)
#error
#endif
#if __METAL_VERSION__ < 300 || !__HAVE_BFLOAT__ || defined(__OBJC__)
#error
#endif
METAL_FUNC float f(float x) { return x; }
kernel void k(device float* o) { o[0] = f(__METAL_FAST_MATH__ + __METAL_PRECISE_MATH__ + __METAL_MAYBE_FAST_MATH__); }
""",
}

HEADERS = (
    "metal_stdlib simd/simd.h metal_math metal_atomic metal_simdgroup metal_simdgroup_matrix metal_common metal_integer "
    "stdint.h cstdint metal_texture metal_compute cstddef metal_matrix metal_geometric metal_relational metal_logging "
    "metal_graphics metal_pack metal_types metal_limits metal_type_traits metal_array metal_uniform "
    "metal_command_buffer metal_interpolate metal_curves metal_quadgroup metal_visible_function_table"
)


@pytest.mark.parametrize("group", PROGRAMS)
def test_names_in_public_use_are_known(run: Run, group: str) -> None:
    result = run(PROGRAMS[group], "--show", "reflection")
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert (result.returncode, errors) == (0, []), result.stderr


@pytest.mark.parametrize("header", HEADERS.split())
def test_headers_in_public_use_stand_alone(run: Run, header: str) -> None:
    result = run(f"#include <{header}>\nkernel void k(device int* a) {{ a[0] = 1; }}\n", "--show", "reflection")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("header", ["metal_raytracing", "metal_tensor", "metal_mesh", "metal_imageblocks"])
def test_headers_of_what_is_not_supported_say_so(run: Run, header: str) -> None:
    result = run(f"#include <{header}>\n", "--show", "reflection")
    assert result.returncode != 0
    assert f"'{header}' file not found: " in result.stderr
    assert "not available on this device" in result.stderr
