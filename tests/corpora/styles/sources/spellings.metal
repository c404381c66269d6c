#pragma once
#include <metal_stdlib>
#if __has_include(<simd/simd.h>)
#include <simd/simd.h>
#endif
#include <metal_stdlib>

// Many ways to write the same: qualified names, qualifiers in any order, attributes everywhere.

#if !defined(__METAL_VERSION__) || __METAL_VERSION__ < 200
#error "too old"
#endif
#ifdef __METAL_MACOS__
#define PLATFORM 1
#elif defined(__METAL_IOS__)
#define PLATFORM 2
#endif
#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif
#define UNROLL _Pragma("clang loop unroll(full)")
#define CONST_ARG(T, name, n) const constant T& name [[buffer(n)]]

namespace m = metal;
using metal::float4;
typedef metal::vec<float, 3> real3;
typedef float real;
using index_t = metal::uint32_t;

INLINE real squared_length(real3 const v) { return metal::dot(v, v); }
INLINE void accumulate(metal::float3 thread &sum, metal::float3 const device *p, index_t n) {
    UNROLL for (index_t i = 0; i < 2; ++i) sum += p[i % n];
}
[[gnu::noinline]] static float outline(float x) { return x * 2; }
__attribute__((pure)) float thrice(float x) { return 3 * x; }
inline float restricted(device const float* __restrict a, float const device *const __restrict__ b) { return *a + *b; }
[[nodiscard]] constexpr int two() noexcept { return 2; }

struct [[maybe_unused]] Pair { int first, second; };
enum Mode : metal::uint8_t { modeA, modeB = 3, };
enum { anonymous = 5 };

[[kernel, max_total_threads_per_threadgroup(256)]]
void spelled(device real3 *v [[ buffer( 0 ) ]], CONST_ARG(uint, n, 1), metal::float4 device *out [[buffer(anonymous - 3)]],
             device const float *a[[buffer(3)]], const device float *b [[buffer(4)]],
             const uint tid [[thread_position_in_grid]], metal::ushort3 const group [[ threadgroup_position_in_grid ]],
             [[maybe_unused]] uint grid [[threads_per_grid]])
{
    metal::float3 sum(0.0f);
    accumulate(sum, v, n);
    auto [first, second] = Pair{ 1, two() };
    using namespace metal;
    float e = fast::exp(0.0f) + precise::sqrt(4.0f) + m::max(1.0f, 2.0f) + metal::fast::rsqrt(0.25f);
    bool both = bool(first) and not (second == 1) or false;
    if (both) [[likely]] e += squared_length(sum);
    if (auto q = as_type<int>(e); q > 0) e += thrice(outline(e));
    const float k[] = { 1.f, 2.F, 3.0, .5, 1e-1, 0x1p-2 };
    for (float x : k) e += x;
    out[tid] = float4(e, restricted(a, b), float(group.x + PLATFORM), static_cast<float>(modeB) + 'a' + 0b101 + 1'000 + 017);
    if (__builtin_expect(tid > 1000, 0)) out[tid].w = __builtin_popcount(tid);
}
