// SPDX-License-Identifier: MIT
//
// Forms of the language that chapter 2 of the specification name, a namespace for each section.

#include <metal_stdlib>
using namespace metal;

// 2.1 long literals
namespace s2_1_long_literals {
constant long a = 0x7fffffffffffffffL;
constant ulong b = 18446744073709551615UL;
kernel void k(device long* o) {
    o[0] = a + long(b & 1) - 1ll - 2LL;
}
}  // namespace s2_1_long_literals

// 2.2 vector constructors
namespace s2_2_vector_constructors {
kernel void k(device float* o) {
    float2 a(1);
    float3 b(a, 2);
    float4 c(b, 3), d(1, a, 2), e(a, a), f = {1, 2, 3, 4};
    float4 g = float4{1, 2, 3, 4};
    int4 i = int4(c);
    bool3 m = bool3(true, false, true);
    o[0] = c.x + d.y + e.z + f.w + g.r + i.a + m.x;
}
}  // namespace s2_2_vector_constructors

// 2.2 swizzles
namespace s2_2_swizzles {
kernel void k(device float* o) {
    float4 v(1, 2, 3, 4);
    v.xy = v.zw;
    v.rg = float2(1);
    v.wzyx = v;
    v.x = 3;
    v.xz += 1;
    v[2] = 5;
    float3 w = v.xxx;
    v.xyz *= 2;
    o[0] = w.x + v.a + v.bgr.x + (v.xy + v.zw).x;
}
}  // namespace s2_2_swizzles

// 2.7 pixel data types
namespace s2_7_pixels {
struct Foo {
    rgba8unorm<half4> a;
};
kernel void k(device rgba8unorm<half4>* p, device Foo* q, device r8unorm<half>* r, device r8snorm<float>* s,
              device r16unorm<float>* t, device r16snorm<float>* u, device rg8unorm<half2>* v,
              device rg8snorm<float2>* w, device rg16unorm<float2>* x, device rg16snorm<float2>* y,
              device srgba8unorm<half4>* z, device rgba8snorm<float4>* aa, device rgba16unorm<float4>* ab,
              device rgba16snorm<float4>* ac, device rgb10a2<half4>* ad, device rg11b10f<half3>* ae,
              device rgb9e5<float3>* af, uint gid [[thread_position_in_grid]]) {
    rgba8unorm<half4> pixel = p[gid + 1];
    half4 value = p[gid];
    p[gid] = value;
    p[gid + 2] = pixel;
    half4 a = q[gid].a;
    q[gid].a = a;
    r[0] = a.x;
    s[0] = float(t[0]) + float(u[0]);
    v[0] = a.xy;
    w[0] = float2(x[0]) + float2(y[0]);
    z[0] = a;
    aa[0] = float4(ab[0]) + float4(ac[0]);
    ad[0] = a;
    ae[0] = a.xyz;
    af[0] = float3(a.xyz);
    if (r[0] == a.x && s[0] != 1.0f) r[1] = r[0];
}
}  // namespace s2_7_pixels

// 2.2.3 packed
namespace s2_2_3_packed {
struct S {
    packed_float3 a;
    packed_half2 b;
    packed_uchar4 c;
    packed_short3 d;
};
kernel void k(device S* s, device float* o) {
    static_assert(sizeof(S) == 28);
    float3 x = s[0].a;
    s[1].a = x * 2;
    s[0].a[1] = 3;
    s[0].a.x = 2;
    packed_float3 p(1, 2, 3);
    packed_float3 q = packed_float3(x);
    q = float3(p) + x;
    o[0] = q.z + p[0] + s[0].b.y + s[0].c.z + s[0].d[2];
    o[1] = dot(float3(p), x) + p.y;
}
}  // namespace s2_2_3_packed

// 2.2 comparison
namespace s2_2_comparison {
kernel void k(device float* o) {
    float4 a(1), b(2);
    bool4 m = a < b && b > a || !(a == b);
    int4 i(1), j = i << 2 ^ ~i | i & 3 % i;
    i += 1;
    ++i;
    i--;
    o[0] = all(m) ? j.x : select(a, b, m).x;
    o[1] = (1, 3);
}
}  // namespace s2_2_comparison

// 2.2 vec template
namespace s2_2_vec_template {
template <typename T, int N>
T total(vec<T, N> v) {
    T s = 0;
    for (int i = 0; i < N; ++i) s += v[i];
    return s;
}
kernel void k(device float* o) {
    o[0] = total(float3(1)) + total(vec<half, 2>(1)) + total(int4(2));
    vec<float, 3> x = 1;
    o[1] = x.x;
}
}  // namespace s2_2_vec_template

// 2.3 matrices
namespace s2_3_matrices {
kernel void k(device float* o) {
    float4x4 m(1), n = float4x4(float4(1), float4(2), float4(3), float4(4));
    float2x3 p(float3(1), float3(2));
    float3x2 q = transpose(p);
    half3x3 h(1.0h);
    m[2] = float4(5);
    m[1][2] = 3;
    float4 v = m * float4(1), w = float4(2) * n;
    m = m * n;
    m *= 2;
    m += n;
    m = m - n;
    m = 2 * m;
    float2x2 r = q * p;
    float2x3 t = {{1, 2, 3}, {4, 5, 6}};
    float3x3 u(1, 2, 3, 4, 5, 6, 7, 8, 9);
    o[0] = v.x + w.y + r[0][0] + determinant(u) + t[1].z + h[0][0] + m.columns[0].x;
    matrix<float, 2, 2> z = float2x2(1);
    o[1] = z[1][1] + float((-m)[0][0]);
}
}  // namespace s2_3_matrices

// 2.4 simdgroup matrix
namespace s2_4_simdgroup_matrix {
kernel void k(device float* o, device half* h, threadgroup float* t [[threadgroup(0)]]) {
    simdgroup_float8x8 a = make_filled_simdgroup_matrix<float, 8, 8>(1), b(2), c;
    simdgroup_load(a, o, 8, ulong2(0, 0), true);
    simdgroup_multiply(c, a, b);
    simdgroup_multiply_accumulate(c, a, b, c);
    simdgroup_store(c, t, 8);
    simdgroup_half8x8 hh;
    simdgroup_load(hh, h);
    simdgroup_bfloat8x8 bb;
    c = a * b;
    c = simdgroup_float8x8(3);
    simdgroup_store(c, o);
    (void)bb;
}
}  // namespace s2_4_simdgroup_matrix

// 2.5 alignment
namespace s2_5_alignment {
struct alignas(32) A {
    float x;
};
struct B {
    float x __attribute__((aligned(16)));
    alignas(8) char c;
};
static_assert(sizeof(A) == 32 && alignof(B) == 16);
static_assert(alignof(float3) == 16 && sizeof(packed_float3) == 12 && sizeof(half3) == 8);
kernel void k(device A* a) {
    a[1].x = alignof(float4);
}
}  // namespace s2_5_alignment

// 2.6 atomics
namespace s2_6_atomics {
kernel void k(device atomic_int* a, device atomic_uint* b, device atomic_float* f, device atomic_bool* q,
              threadgroup atomic_uint* t [[threadgroup(0)]], device atomic<ulong>* u, device atomic<int>* g) {
    atomic_store_explicit(a, 1, memory_order_relaxed);
    int x = atomic_load_explicit(a, memory_order_relaxed);
    x += atomic_exchange_explicit(a, 2, memory_order_relaxed);
    int e = 1;
    atomic_compare_exchange_weak_explicit(a, &e, 3, memory_order_relaxed, memory_order_relaxed);
    atomic_fetch_add_explicit(b, 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(f, 1.0f, memory_order_relaxed);
    atomic_fetch_sub_explicit(f, 1.0f, memory_order_relaxed);
    atomic_fetch_or_explicit(t, 4u, memory_order_relaxed);
    atomic_max_explicit(u, 5ul, memory_order_relaxed);
    atomic_min_explicit(u, 5ul, memory_order_relaxed);
    atomic_store_explicit(q, true, memory_order_relaxed);
    atomic_fetch_max_explicit(g, x, memory_order_relaxed);
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_relaxed);
}
}  // namespace s2_6_atomics

// 2.8 buffers
namespace s2_8_buffers {
struct S {
    float3 p;
    float2 t[2];
};
kernel void k(const device S* a, device S& b, constant S& c, constant float* d, device const void* v,
              volatile device float* w) {
    b.p = a->p + c.p + d[0];
    w[0] = ((device const float*)v)[1];
}
}  // namespace s2_8_buffers

// 2.9 textures
namespace s2_9_textures {
kernel void k(texture1d<float> a, texture1d_array<half> b, texture2d<float, access::read_write> c,
              texture2d_array<uint> d, texture3d<int, access::write> e, texturecube<float> f,
              texturecube_array<float> g, texture2d_ms<float> h, texture2d_ms_array<half, access::read> i,
              depth2d<float> j, depth2d_array<float> l, depthcube<float> m, depthcube_array<float> n,
              depth2d_ms<float> p, depth2d_ms_array<float> q, texture_buffer<float, access::read> r,
              texture2d<ushort> s, texture2d<short> t, device uint* o) {
    o[0] = a.get_width() + b.get_array_size() + c.get_height() + d.get_num_mip_levels() + f.get_width(1) +
           h.get_num_samples() + r.get_width() + i.get_width() + n.get_array_size() + q.get_num_samples() +
           j.get_height() + l.get_width() + m.get_width() + p.get_width() + s.get_width() + t.get_width() +
           g.get_width();
    e.write(int4(1), uint3(0));
}
}  // namespace s2_9_textures

// 2.10 samplers
namespace s2_10_samplers {
constexpr sampler s1(coord::pixel, address::clamp_to_zero, filter::linear);
constexpr sampler s2(address::repeat, filter::linear, mip_filter::linear, max_anisotropy(4), lod_clamp(0.0f, 4.0f),
                     compare_func::less);
constant sampler s3 = sampler(filter::nearest);
kernel void k(texture2d<float> t, sampler u, array<sampler, 3> v, depth2d<float> d, device float4* o) {
    constexpr sampler local(s_address::clamp_to_edge, t_address::mirrored_repeat, r_address::clamp_to_border,
                            border_color::opaque_white, min_filter::linear, mag_filter::nearest);
    o[0] = t.sample(s1, float2(1)) + t.sample(s2, float2(0)) + t.sample(u, float2(0), level(1)) +
           t.sample(v[1], float2(0), gradient2d(float2(0), float2(0))) + t.sample(local, float2(0), int2(1)) +
           t.sample(s3, float2(0)) + d.sample_compare(s2, float2(0), 0.5f);
}
}  // namespace s2_10_samplers

// 2.12 arrays
namespace s2_12_arrays {
kernel void k(array<texture2d<float>, 4> t [[texture(0)]], array<sampler, 2> s,
              const array<texture2d<half, access::write>, 2> w [[texture(8)]], device float4* o,
              uint i [[thread_position_in_grid]]) {
    array<float, 3> a = {1, 2, 3};
    array<int, 2> b{{4, 5}};
    o[i] = t[i % 4].sample(s[1], float2(0)) + a[0] + a.size() + b[1];
    w[0].write(half4(1), uint2(0));
    array_ref<float> r(a);
    o[0] += r[1] + r.size();
    constexpr array<int, 3> c = {1, 2, 3};
    static_assert(c[2] == 3);
}
}  // namespace s2_12_arrays

// 2.12 array_ref of textures
namespace s2_12_array_ref_of_textures {
float4 total(array_ref<texture2d<float>> t) {
    float4 s = 0;
    for (size_t i = 0; i < t.size(); ++i) s += t[i].read(uint2(0));
    return s;
}
kernel void k(array<texture2d<float>, 4> t [[texture(0)]], device float4* o) {
    o[0] = total(t);
}
}  // namespace s2_12_array_ref_of_textures

// 2.13 argument buffers
namespace s2_13_argument_buffers {
struct Inner {
    texture2d<float> t [[id(0)]];
    sampler s;
};
struct A {
    device float* p [[id(0)]];
    constant float4* c [[id(1)]];
    Inner inner [[id(2)]];
    array<texture2d<float>, 3> ts [[id(10)]];
    float v;
    Inner many[2];
    depth2d<float> d;
    texture_buffer<uint> tb;
};
kernel void k(constant A& a, device A* b) {
    a.p[0] = a.inner.t.sample(a.inner.s, float2(0)).x + a.v + a.c[1].x + a.ts[2].read(uint2(0)).x + b->v +
             a.many[1].t.get_width();
}
}  // namespace s2_13_argument_buffers

// 2.14 uniform
namespace s2_14_uniform {
kernel void k(device float* o, constant int* n [[buffer(1)]]) {
    uniform<int> c = make_uniform(n[0]);
    if (c > 1) o[0] = c;
    uniform<float> f = make_uniform(1.0f);
    o[1] = f * 2;
}
}  // namespace s2_14_uniform

// 2.15 function table
namespace s2_15_function_table {
[[visible]] int f(int x) {
    return x + 1;
}
kernel void k(visible_function_table<int(int)> t [[buffer(1)]], device int* o [[buffer(0)]]) {
    o[0] = t[0](o[0]);
    if (is_null_visible_function_table(t)) o[1] = t.size();
    auto p = t[1];
    o[2] = p(3);
}
}  // namespace s2_15_function_table

// 2.16 function groups
namespace s2_16_function_groups {
[[visible]] int f(int x) {
    return x;
}
kernel void k(visible_function_table<int(int)> t [[buffer(1)]], device int* o [[buffer(0)]]) {
    [[function_groups("g")]] o[0] = t[0](o[0]);
}
}  // namespace s2_16_function_groups

// 2.21 as_type
namespace s2_21_as_type {
kernel void k(device float* o) {
    o[0] = as_type<float>(0x3f800000) + as_type<float>(half2(1, 2)) + as_type<half4>(float2(1)).x +
           float(as_type<int>(uchar4(1)) & 255) + float(as_type<ushort>(1.0h)) + as_type<uint4>(float4(1)).x;
}
}  // namespace s2_21_as_type

// 2.21 conversions
namespace s2_21_conversions {
kernel void k(device float* o) {
    int i = int(3.7f);
    float f = i;
    half h = half(f);
    char c = char(i);
    int3 v = int3(float3(1.5));
    uint u = static_cast<uint>(-1);
    bool b = bool(i);
    float4 w = float4(uchar4(1));
    short2 s = short2(half2(3.5h));
    o[0] = f + h + c + v.x + u + b + w.x + s.x;
    long l = i;
    o[1] = l + (float)true;
}
}  // namespace s2_21_conversions
