// SPDX-License-Identifier: MIT
//
// Forms of the language that the chapters 3 to 6 of the specification name, a namespace for each section.

#include <metal_stdlib>
using namespace metal;

// 3 operators
namespace s3_operators {
kernel void k(device int* o) {
    int a = 7, b = 2;
    a += b;
    a -= b;
    a *= b;
    a /= b;
    a %= b;
    a <<= 1;
    a >>= 1;
    a &= 3;
    a |= 4;
    a ^= 1;
    int c = a ? b : -a;
    c = (a, b);
    c = sizeof(float4);
    c = a && b || !a;
    thread int* p = &c;
    *p = 3;
    int2 v(1);
    v *= 2;
    v = -v;
    v = v % 3;
    v = v / int2(2);
    o[0] = c + v.x + (a == b) + (a <= b);
    o[1] = (v == int2(1)).x;
}
}  // namespace s3_operators

// 4.1 device pointers
namespace s4_1_device_pointers {
struct N {
    device N* next;
    device float* data;
};
device float* pick(device float* a, device float* b, bool c) {
    return c ? a : b;
}
kernel void k(device float* a, device float* b, device N* n) {
    pick(a, b, n->next != nullptr)[0] = n->next->data[1];
    device float4* v = (device float4*)a;
    device float& r = *a;
    r = v[0].x;
    v->y = 2;
    device auto* q = a;
    q[0] = 1;
}
}  // namespace s4_1_device_pointers

// 4.2 constant
namespace s4_2_constant {
constant float t[] = {1, 2, 3};
constant float4x4 m = float4x4(1);
constant struct {
    int a;
    float b;
} s = {1, 2};
constant constexpr int n = 3;
constexpr constant float e = 2.5;
static constant float f[n] = {1, 2, 3};
namespace q {
constant int z = n * 2;
}
enum class E : uint { a = 1, b };
kernel void k(device float* o, uint i [[thread_position_in_grid]]) {
    constant float* p = i ? t : f;
    o[i] = p[1] + m[0][0] + s.b + e + q::z + uint(E::b);
    static constant int w[2] = {1, 2};
    o[1] = w[i & 1];
}
}  // namespace s4_2_constant

// 4.4 threadgroup
namespace s4_4_threadgroup {
kernel void k(device float* o, threadgroup float4* d [[threadgroup(0)]], threadgroup float& r [[threadgroup(1)]],
              uint i [[thread_index_in_threadgroup]]) {
    threadgroup float a[4][8];
    threadgroup struct {
        float x;
        atomic_int n;
    } s;
    threadgroup float4x4 m;
    threadgroup array<float, 4> q;
    a[i & 3][i & 7] = i;
    s.x = 1;
    q[0] = 2;
    r = 3;
    m[0] = float4(1);
    threadgroup float* p = &a[0][0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    o[i] = p[3] + d[0].x + s.x + q[0] + r + m[0].x;
}
}  // namespace s4_4_threadgroup

// 5.1 namespaces and attributes
namespace s5_1_namespaces_and_attributes {
namespace outer {
[[kernel]] void a(device int* o) {
    o[0] = 1;
}
namespace inner {
kernel void b(device int* o) {
    o[0] = 2;
}
}  // namespace inner
}  // namespace outer
[[host_name("c"), kernel, max_total_threads_per_threadgroup(64)]] void d(device int* o) {
    o[0] = 3;
}
template <typename T>
[[kernel]] void e(device T* o) {
    o[0] = 4;
}
template [[host_name("e_int")]] [[kernel]] void e<int>(device int*);
template [[host_name("e_float")]] kernel void e(device float*);
typedef decltype(e<half>) e_t;
template [[host_name("e_half")]] [[kernel]] e_t e<half>;
}  // namespace s5_1_namespaces_and_attributes

// 5.2 positions
namespace s5_2_positions {
kernel void k(device uint* o, ushort2 a [[thread_position_in_grid]], ushort2 b [[threads_per_grid]],
              uint2 c [[thread_position_in_threadgroup]], uint d [[thread_index_in_threadgroup]],
              ushort e [[thread_index_in_simdgroup]], uint2 f [[threads_per_threadgroup]],
              uint2 g [[dispatch_threads_per_threadgroup]], ushort h [[simdgroups_per_threadgroup]],
              ushort i [[quadgroup_index_in_threadgroup]], uint2 j [[grid_origin]], uint2 l [[grid_size]]) {
    o[d] = a.x + b.x + c.x + e + f.x + g.x + h + i + j.x + l.x;
}
}  // namespace s5_2_positions

// 5.2.1 auto indices
namespace s5_2_1_auto_indices {
kernel void k(texture2d<half> src, texture2d<half, access::write> dst, sampler s, device float* u,
              device float* f [[buffer(10)]], constant float3x3& m) {
    dst.write(src.sample(s, float2(0)), uint2(0));
    u[0] = f[1] + m[0].x;
}
}  // namespace s5_2_1_auto_indices

// 5.3 storage
namespace s5_3_storage {
static int helper(int x) {
    static constant int a[2] = {1, 2};
    return a[x & 1];
}
inline float g(float x) {
    return x;
}
extern float h(float x);
float h(float x) {
    return x * 2;
}
struct S {
    static constexpr constant int n = 4;
    int m[n];
    static int f() { return n; }
};
kernel void k(device float* o) {
    o[0] = helper(1) + g(1) + h(2) + S::n + S::f();
}
}  // namespace s5_3_storage

// 5.8 function constants
namespace s5_8_function_constants {
constant int a [[function_constant(0)]];
constant bool b [[function_constant(1)]];
constant float4 c [[function_constant(2)]];
constant bool d = is_function_constant_defined(a);
constant int e = d ? a : 3;
constant uchar2 f [[function_constant(5)]];
kernel void k(device float* o, texture2d<float> t [[texture(0), function_constant(b)]],
              constant float& u [[buffer(1), function_constant(d)]]) {
    o[0] = e + c.x + f.y;
    if (b) o[1] = t.read(uint2(0)).x;
    if (d) o[2] = u;
    switch (e) {
        case 1:
            o[3] = 1;
            break;
        default:
            o[3] = 2;
    }
}
}  // namespace s5_8_function_constants

// 6.2 common
namespace s6_2_common {
kernel void k(device float* o) {
    float3 v(0.5);
    o[0] = clamp(v, 0.0f, 1.0f).x + mix(v, v, 0.5f).x + saturate(v).x + sign(v).x +
           smoothstep(float3(0), float3(1), v).x + step(v, v).x + precise::clamp(1.0f, 0.0f, 2.0f) +
           fast::saturate(2.0f) + mix(1.0h, 2.0h, 0.5h) + clamp(2, 1, 3);
}
}  // namespace s6_2_common

// 6.3 integer
namespace s6_3_integer {
kernel void k(device int* o) {
    int4 v(3), w(4);
    uint u = 5;
    o[0] = abs(v).x + absdiff(v, w).x + addsat(v, w).y + clz(v).x + ctz(u) + hadd(v, w).x + madhi(v, w, v).x +
           madsat(v, w, v).x + mulhi(v, w).x + popcount(u) + rhadd(v, w).x + rotate(v, w).x + subsat(v, w).x +
           extract_bits(u, 1, 2) + insert_bits(u, u, 1, 2) + reverse_bits(u) + mad24(1, 2, 3) + mul24(2, 3) +
           max3(1, 2, 3) + median3(v, w, v).x + min3(1, 2, 3) + clz((short)1) + popcount(ulong(7)) +
           absdiff(uchar(1), uchar(3));
}
}  // namespace s6_3_integer

// 6.4 relational
namespace s6_4_relational {
kernel void k(device int* o) {
    float4 v(1);
    half h = 1;
    bfloat b = 1.0bf;
    o[0] = all(isfinite(v)) + any(isinf(v)) + isnan(h) + isnormal(1.0f) + isordered(1.0f, 2.0f) + isunordered(h, h) +
           !all(not(isnan(v))) + signbit(-1.0f) + select(v, v, isnan(v)).x + select(1, 2, true) + isnan(b) +
           int(select(b, b, false));
}
}  // namespace s6_4_relational

// 6.5 math
namespace s6_5_math {
kernel void k(device float* o) {
    float x = 0.5f, c;
    int e;
    float3 v(0.5);
    half h = 0.5h;
    o[0] = acos(x) + acosh(2.0f) + asin(v).x + asinh(h) + atan(x) + atan2(x, x) + atanh(x) + ceil(v).x +
           copysign(x, -x) + cos(x) + cosh(x) + cospi(x) + divide(x, x) + exp(x) + exp2(v).x + exp10(x) + fabs(x) +
           abs(v).x + fdim(x, x) + floor(x) + fma(x, x, x) + fmax(x, x) + fmax3(x, x, x) + fmedian3(x, x, x) +
           fmin3(x, x, x) + fmod(x, x) + fract(x) + frexp(x, e) + ilogb(x) + ldexp(x, 2) + log(x) + log2(x) + log10(x) +
           modf(x, c) + nextafter(x, x) + pow(x, x) + powr(x, x) + rint(x) + round(x) + rsqrt(x) + sin(x) +
           sincos(x, c) + sinh(x) + sinpi(x) + sqrt(x) + tan(x) + tanh(x) + tanpi(x) + trunc(x) + max(x, x) +
           min3(x, x, x) + median3(h, h, h) + precise::sin(x) + fast::exp(x) + M_PI_F + M_E_H + MAXFLOAT + HUGE_VALF +
           INFINITY + NAN;
    int3 e3;
    o[1] = frexp(v, e3).x + ldexp(v, e3).y;
    float3 i3;
    o[2] = modf(v, i3).z + sincos(v, i3).x;
}
}  // namespace s6_5_math

// 6.8 geometric
namespace s6_8_geometric {
kernel void k(device float* o) {
    float3 a(1), b(2);
    half3 h(1);
    o[0] = cross(a, b).x + distance(a, b) + distance_squared(a, b) + dot(a, b) + faceforward(a, b, a).x + length(a) +
           length_squared(h) + normalize(a).x + reflect(a, b).x + refract(a, b, 0.5f).x + fast::length(a) +
           precise::normalize(b).y + dot(h, h) + fast::distance(a, b);
}
}  // namespace s6_8_geometric

// 6.9 barriers and simd
namespace s6_9_barriers_and_simd {
kernel void k(device uint* o, uint i [[thread_index_in_threadgroup]]) {
    threadgroup_barrier(mem_flags::mem_none);
    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
    simdgroup_barrier(mem_flags::mem_texture);
    uint x = i;
    o[i] = simd_all(x > 1) + simd_any(x > 2) + (ulong)simd_ballot(x > 1) +
           (ulong)(simd_vote::vote_t)simd_active_threads_mask() + simd_broadcast(x, 3) + simd_broadcast_first(x) +
           simd_shuffle(x, 3) + simd_shuffle_up(x, 1) + simd_shuffle_down(x, 1) + simd_shuffle_xor(x, 1) +
           simd_shuffle_rotate_up(x, 2) + simd_shuffle_rotate_down(x, 2) + simd_shuffle_and_fill_up(x, x, 1) +
           simd_shuffle_and_fill_down(x, x, 1, 8) + simd_sum(x) + simd_product(x) + simd_min(x) + simd_max(x) +
           simd_and(x) + simd_or(x) + simd_xor(x) + simd_prefix_inclusive_sum(x) + simd_prefix_exclusive_sum(x) +
           simd_prefix_inclusive_product(x) + simd_prefix_exclusive_product(x) + simd_is_first() + quad_all(x > 1) +
           quad_any(x > 1) + quad_broadcast(x, 1) + quad_broadcast_first(x) + quad_shuffle(x, 1) +
           quad_shuffle_xor(x, 1) + quad_shuffle_up(x, 1) + quad_shuffle_rotate_down(x, 1) +
           quad_shuffle_and_fill_up(x, x, 1) + quad_sum(x) + quad_prefix_exclusive_sum(x) + quad_min(x) + quad_and(x) +
           quad_is_first() + (ushort)(quad_vote::vote_t)quad_ballot(x > 1) +
           (ushort)(quad_vote::vote_t)quad_active_threads_mask();
}
}  // namespace s6_9_barriers_and_simd

// 6.10 graphics
namespace s6_10_graphics {
struct I {
    float4 p [[position]];
    float2 uv;
};
fragment float4 f(I i [[stage_in]], uint s [[sample_id]], uint m [[sample_mask]]) {
    if (i.uv.x > 1) discard_fragment();
    return float4(dfdx(i.uv), dfdy(i.uv)) + fwidth(i.uv.x) + get_num_samples() + get_sample_position(s).x + m +
           simd_is_helper_thread() + quad_is_helper_thread();
}
}  // namespace s6_10_graphics

// 6.12 texture methods
namespace s6_12_texture_methods {
kernel void k(texture2d<float, access::read_write> a, texture2d<float> b, texture2d_array<float> c,
              texturecube<float> d, texture3d<float, access::sample> e, depth2d<float> f, sampler s,
              texture2d<float, access::write> w, texture2d<half> h, texture2d<uint, access::read_write> n,
              device float4* o) {
    a.fence();
    o[0] = a.read(ushort2(0)) + b.read(uint2(0), 1) + b.sample(s, float2(0), bias(1)) +
           b.sample(s, float2(0), min_lod_clamp(1)) + b.gather(s, float2(0), int2(1), component::y) +
           c.sample(s, float2(0), 1, level(2), int2(1)) + c.read(uint2(0), 1) +
           d.sample(s, float3(1), gradientcube(float3(0), float3(0))) +
           e.sample(s, float3(0), gradient3d(float3(0), float3(0)), int3(0)) + f.sample(s, float2(0)) +
           f.gather_compare(s, float2(0), 0.5f) + f.sample_compare(s, float2(0), 0.5f, level(0)) + f.read(uint2(0)) +
           b.calculate_clamped_lod(s, float2(0)) + float4(h.sample(s, float2(0))) + f.gather(s, float2(0));
    w.write(float4(1), uint2(0), 0);
    w.write(2.0f, ushort2(1));
    n.atomic_fetch_add(uint2(0), uint4(1));
    o[1] = float4(n.atomic_load(uint2(0)));
    n.atomic_store(uint4(2), uint2(0));
    o[2] = b.sample(s, float2(0), level(0), int2(1)) + is_null_texture(b);
    sparse_color<float4> sc = b.sparse_sample(s, float2(0));
    o[3] = sc.value() * sc.resident();
}
}  // namespace s6_12_texture_methods

// 6.14 pack
namespace s6_14_pack {
kernel void k(device float* o, device uint* u) {
    o[0] = unpack_unorm4x8_to_float(u[0]).x + unpack_snorm4x8_to_float(1).x + unpack_unorm4x8_srgb_to_float(1).x +
           unpack_unorm2x16_to_float(1).x + unpack_snorm2x16_to_float(1).x + unpack_unorm10a2_to_float(1).x +
           unpack_unorm565_to_float(1).x + float(unpack_unorm4x8_to_half(1).x) + float(unpack_unorm565_to_half(1).x);
    u[1] = pack_float_to_unorm4x8(float4(1)) + pack_float_to_snorm4x8(float4(1)) +
           pack_float_to_srgb_unorm4x8(float4(1)) + pack_float_to_unorm2x16(float2(1)) +
           pack_float_to_unorm10a2(float4(1)) + pack_float_to_unorm565(float3(1)) + pack_half_to_unorm4x8(half4(1)) +
           pack_half_to_srgb_unorm4x8(half4(1)) + pack_half_to_snorm2x16(half2(1));
}
}  // namespace s6_14_pack

// 1.5 user literal and lambda
namespace s1_5_user_literal_and_lambda {
kernel void k(device float* o) {
    auto f = [](float x) { return x * 2; };
    auto g = [=](auto y) -> float { return f(y) + o[0]; };
    o[1] = g(2);
    if constexpr (sizeof(float) == 4) o[2] = 1;
    struct {
        float a, b;
    } s = {1, 2};
    auto [a, b] = s;
    o[3] = a + b;
}
}  // namespace s1_5_user_literal_and_lambda

// 1.6 macros
#if __METAL_VERSION__ < 300 || !defined(__METAL__) || !defined(__METAL_MACOS__)
#error no
#endif
namespace s1_6_macros {
static_assert(__METAL_VERSION__ >= 320);
kernel void k(device int* o) {
    o[0] = __LINE__ + sizeof(__FILE__);
}
}  // namespace s1_6_macros
