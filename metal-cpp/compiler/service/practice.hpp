// SPDX-License-Identifier: MIT
//
// What most programs write, for Session::practise(): vectors and the functions on them, textures, atomics, SIMD-groups.
// Nothing calls it, so no code is made of it.

#pragma once

#include <llvm/ADT/StringRef.h>

namespace metal_compiler {

inline constexpr llvm::StringLiteral practice = R"(
namespace metal { namespace __practice {
static inline float4 floats(float4 a, float3 b, float2 c, float s) {
    a = a * s + float4(b, s) - float4(c, c) / (a * a) + float4(c, s, s) + float4(s, s, s, s);
    a += a; a -= a; a *= s; a /= s;
    b = -b * s + s * b - b / b + float3(c, s) + float3(s, s, s) + a.xyz;
    b += b; b -= b; b *= s; b /= s;
    c = c * s + c - c / c + float2(s, s) + a.xy;
    c += c; c -= c; c *= c; c /= s;
    s += dot(a, a) + dot(b, b) + dot(c, c) + length(b) + length(c) + distance(b, b) + a.x + a[0];
    s = min(s, max(s, s)) + clamp(s, 0.0f, 1.0f) + mix(s, s, s) + smoothstep(0.0f, 1.0f, s) + step(s, s) + saturate(s);
    s += abs(s) + fabs(s) + floor(s) + ceil(s) + round(s) + trunc(s) + fract(s) + fmod(s, s) + fma(s, s, s) + sign(s);
    s += sqrt(s) + rsqrt(s) + exp(s) + exp2(s) + log(s) + log2(s) + pow(s, s) + sin(s) + cos(s) + tan(s) + tanh(s) + atan2(s, s);
    a = min(a, max(a, a)) + clamp(a, 0.0f, 1.0f) + mix(a, a, s) + abs(a) + floor(a) + fract(a) + sqrt(a) + exp(a) + saturate(a);
    b = min(b, max(b, b)) + clamp(b, 0.0f, 1.0f) + mix(b, b, s) + abs(b) + floor(b) + fract(b) + normalize(b) + cross(b, b) + reflect(b, b);
    c = min(c, max(c, c)) + clamp(c, 0.0f, 1.0f) + mix(c, c, s) + abs(c) + floor(c) + fract(c) + normalize(c) + sin(c) + cos(c);
    return a + b.xyzz + c.xyxy;
}
static inline half4 halves(half4 a, half2 b, half s, float4 f) {
    a = a * s + half4(f) - a / s + half4(b, s, s);
    a += a; a *= s;
    f = float4(a) + float(s);
    return min(a, max(a, a)) + clamp(a, half(0), half(1)) + half4(b, b);
}
static inline uint integers(uint2 a, uint3 b, int2 c, int4 d, uint i, int n) {
    a = a * 2u + a / a - a % a + uint2(i, i) + b.xy + uint2(c);
    c = c + int2(a) - c * n + clamp(c, int2(0), int2(9)) + min(c, max(c, c));
    b = b + uint3(a, i) + b * i;
    d = d + int4(c, c) + (d & d) + (d << 1) + (d >> 1);
    if (any(a >= b.xy) || all(c < c) || any(c == c)) i += a.x;
    i = min(i, max(i, 1u)) + clamp(i, 0u, 9u) + uint(abs(n)) + popcount(i) + uint(min(n, max(n, 0))) + uint(clamp(n, 0, 9));
    return select(i, a.y, n > 0) + as_type<uint>(float(n)) + uint(float2(a).x + float2(c).y);
}
static inline float4 textures(texture2d<float> t, texture2d<float, access::read> r, texture2d<float, access::write> w,
                              texture2d<half> h, texture2d<half, access::write> o, texture2d<float, access::read_write> b,
                              sampler s, float2 p, uint2 i) {
    constexpr sampler fixed(filter::linear, address::clamp_to_edge, coord::normalized);
    float4 v = t.sample(s, p) + t.sample(fixed, p) + t.read(i) + r.read(i) + b.read(i) + float4(h.sample(s, p) + h.read(i));
    w.write(v, i);
    o.write(half4(v), i);
    b.write(v, i);
    return v * float(t.get_width() + t.get_height() + r.get_width() + r.get_height() + w.get_width() + w.get_height());
}
static inline float groups(device atomic_uint* a, device atomic_int* b, threadgroup atomic_uint* c, float s, uint i, int n) {
    i += atomic_fetch_add_explicit(a, i, memory_order_relaxed) + atomic_load_explicit(a, memory_order_relaxed);
    n += atomic_fetch_add_explicit(b, n, memory_order_relaxed);
    i += atomic_fetch_add_explicit(c, i, memory_order_relaxed);
    atomic_store_explicit(a, i, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s += simd_sum(s) + simd_max(s) + simd_min(s) + simd_shuffle_down(s, ushort(1)) + simd_shuffle_xor(s, ushort(1));
    return s + float(simd_sum(i) + simd_prefix_exclusive_sum(i)) + float(simd_sum(n)) + simd_broadcast(s, ushort(0));
}
} }
)";

}  // namespace metal_compiler
