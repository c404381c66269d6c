// SPDX-License-Identifier: MIT
//
// What the methods of all texture types come down to, by component type: half goes through float, short integers through
// int and uint, ulong through pairs of uint.

#pragma once
#pragma clang system_header

#include <__metal_samplers.h>

namespace metal {

/// Where to sample: coordinates, slice, offset in texels.
struct __place {
    float x, y, z;
    uint array;
    int shift_x, shift_y, shift_z;
};
/// How the coordinates change from a pixel to its neighbours.
struct __slopes {
    float x_dx, y_dx, z_dx, x_dy, y_dy, z_dy;
};

METAL_FUNC __slopes __slopes_at(const __place& p) {
    return {__metal_dfdx_f32(p.x), __metal_dfdx_f32(p.y), __metal_dfdx_f32(p.z),
            __metal_dfdy_f32(p.x), __metal_dfdy_f32(p.y), __metal_dfdy_f32(p.z)};
}

template <typename T>
struct __texels;

#define __METAL_PLACE s.state, p.x, p.y, p.z, p.array, p.shift_x, p.shift_y, p.shift_z
#define __METAL_SLOPES g.x_dx, g.y_dx, g.z_dx, g.x_dy, g.y_dy, g.z_dy
#define __METAL_ACCESS(suffix)                                                                                       \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel read(const __metal_texture* t, uint x, uint y, uint z, uint part, uint lod) {            \
        return narrow(__metal_texture_read_##suffix(t, kind, x, y, z, part, lod));                                   \
    }                                                                                                                \
    template <uint kind>                                                                                             \
    static METAL_FUNC void write(const __metal_texture* t, texel v, uint x, uint y, uint z, uint part, uint lod) {   \
        __metal_texture_write_##suffix(t, kind, widen(v), x, y, z, part, lod);                                       \
    }
// `kind` is MTL::TextureType; each shape has a function of its own, so that kernels do not carry the others'.
#define __METAL_BY_SHAPE(method, suffix, ...)                                                                        \
    if constexpr (kind < 2) {                                                                                        \
        return narrow(__metal_texture_##method##_1d_##suffix(__VA_ARGS__));                                          \
    } else if constexpr (kind == 7) {                                                                                \
        return narrow(__metal_texture_##method##_3d_##suffix(__VA_ARGS__));                                          \
    } else if constexpr (kind == 5 || kind == 6) {                                                                   \
        return narrow(__metal_texture_##method##_cube_##suffix(__VA_ARGS__));                                        \
    } else {                                                                                                         \
        return narrow(__metal_texture_##method##_2d_##suffix(__VA_ARGS__));                                          \
    }
#define __METAL_SAMPLES(suffix)                                                                                      \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel level(const __metal_texture* t, sampler s, __place p, float lod, float least = 0) {      \
        __METAL_BY_SHAPE(sample, suffix, t, kind, __METAL_PLACE, lod, least)                                         \
    }                                                                                                                \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel gradient(const __metal_texture* t, sampler s, __place p, __slopes g, float bias = 0,     \
                                     float least = 0) {                                                              \
        __METAL_BY_SHAPE(sample_gradient, suffix, t, kind, __METAL_PLACE, __METAL_SLOPES, bias, least)               \
    }                                                                                                                \
    /* The derivatives choose the level where there are any, else it is 0. */                                        \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel implicit(const __metal_texture* t, sampler s, __place p, float bias = 0,                 \
                                     float least = 0) {                                                              \
        if (__metal_has_derivatives()) return gradient<kind>(t, s, p, __slopes_at(p), bias, least);                  \
        return level<kind>(t, s, p, bias, least);                                                                    \
    }                                                                                                                \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel gather(const __metal_texture* t, sampler s, __place p, component c) {                    \
        return narrow(__metal_texture_gather_##suffix(t, kind, __METAL_PLACE, int(c)));                              \
    }

#define __METAL_ATOMIC(operation, suffix)                                                                            \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel atomic_##operation(const __metal_texture* t, texel v, uint x, uint y, uint z,            \
                                               uint part) {                                                          \
        return texel(__metal_texture_atomic_##operation##_##suffix(t, kind, v.x, x, y, z, part));                    \
    }
#define __METAL_ATOMICS(suffix)                                                                                      \
    template <uint kind>                                                                                             \
    static METAL_FUNC texel atomic_load(const __metal_texture* t, uint x, uint y, uint z, uint part) {               \
        return texel(__metal_texture_atomic_load_##suffix(t, kind, x, y, z, part));                                  \
    }                                                                                                                \
    template <uint kind>                                                                                             \
    static METAL_FUNC void atomic_store(const __metal_texture* t, texel v, uint x, uint y, uint z, uint part) {      \
        __metal_texture_atomic_store_##suffix(t, kind, v.x, x, y, z, part);                                          \
    }                                                                                                                \
    template <uint kind>                                                                                             \
    static METAL_FUNC bool atomic_compare_exchange(const __metal_texture* t, thread texel* expected, texel desired,  \
                                                   uint x, uint y, uint z, uint part) {                              \
        auto found = expected->x;                                                                                    \
        bool exchanged =                                                                                             \
            __metal_texture_atomic_compare_exchange_##suffix(t, kind, &found, desired.x, x, y, z, part);             \
        if (!exchanged) *expected = texel(found);                                                                    \
        return exchanged;                                                                                            \
    }                                                                                                                \
    __METAL_ATOMIC(exchange, suffix)                                                                                 \
    __METAL_ATOMIC(fetch_min, suffix)                                                                                \
    __METAL_ATOMIC(fetch_max, suffix)
#define __METAL_INTEGER_ATOMICS(suffix) \
    __METAL_ATOMICS(suffix)             \
    __METAL_ATOMIC(fetch_add, suffix)   \
    __METAL_ATOMIC(fetch_sub, suffix)   \
    __METAL_ATOMIC(fetch_and, suffix)   \
    __METAL_ATOMIC(fetch_or, suffix)    \
    __METAL_ATOMIC(fetch_xor, suffix)

#define __METAL_TEXELS(T, suffix, vector, wide, atomics)                                                             \
    template <>                                                                                                      \
    struct __texels<T> {                                                                                             \
        using texel = vec<T, 4>;                                                                                     \
        static METAL_FUNC texel narrow(vector v) { return {T(v.x), T(v.y), T(v.z), T(v.w)}; }                        \
        static METAL_FUNC vector widen(texel v) { return vector{wide(v.x), wide(v.y), wide(v.z), wide(v.w)}; }       \
        __METAL_ACCESS(suffix)                                                                                       \
        __METAL_SAMPLES(suffix)                                                                                      \
        atomics                                                                                                      \
    };
__METAL_TEXELS(float, f32, __metal_v4f, float, )
__METAL_TEXELS(half, f32, __metal_v4f, float, )
__METAL_TEXELS(int, i32, __metal_v4i, int, __METAL_INTEGER_ATOMICS(i32))
__METAL_TEXELS(short, i32, __metal_v4i, int, )
__METAL_TEXELS(uint, u32, __metal_v4u, uint, __METAL_INTEGER_ATOMICS(u32))
__METAL_TEXELS(ushort, u32, __metal_v4u, uint, )
#undef __METAL_TEXELS

/// Two components of 32 bits are one of 64.
template <>
struct __texels<ulong> {
    using texel = ulong4;
    static METAL_FUNC texel narrow(__metal_v4u v) { return {ulong(v.x) | ulong(v.y) << 32, 0ul, 0ul, 1ul}; }
    static METAL_FUNC __metal_v4u widen(texel v) { return __metal_v4u{uint(v.x), uint(v.x >> 32), 0u, 0u}; }
    __METAL_ACCESS(u32)
    __METAL_ATOMICS(u64)
};

#undef __METAL_INTEGER_ATOMICS
#undef __METAL_ATOMICS
#undef __METAL_ATOMIC
#undef __METAL_SAMPLES
#undef __METAL_BY_SHAPE
#undef __METAL_ACCESS

/// Depth textures compare what they sample.
struct __depths {
    template <uint kind>
    static METAL_FUNC float level(const __metal_texture* t, sampler s, __place p, float reference, float lod,
                                  float least = 0) {
        return __metal_texture_compare(t, kind, __METAL_PLACE, reference, lod, least);
    }
    template <uint kind>
    static METAL_FUNC float gradient(const __metal_texture* t, sampler s, __place p, float reference, __slopes g,
                                     float bias = 0, float least = 0) {
        return __metal_texture_compare_gradient(t, kind, __METAL_PLACE, reference, __METAL_SLOPES, bias, least);
    }
    template <uint kind>
    static METAL_FUNC float implicit(const __metal_texture* t, sampler s, __place p, float reference, float bias = 0,
                                     float least = 0) {
        if (__metal_has_derivatives()) return gradient<kind>(t, s, p, reference, __slopes_at(p), bias, least);
        return level<kind>(t, s, p, reference, bias, least);
    }
    template <uint kind>
    static METAL_FUNC float4 gather(const __metal_texture* t, sampler s, __place p, float reference) {
        __metal_v4f v = __metal_texture_gather_compare(t, kind, __METAL_PLACE, reference);
        return {v.x, v.y, v.z, v.w};
    }
};

/// The level of detail that implicit sampling would choose.
template <uint kind>
METAL_FUNC float __implicit_lod(const __metal_texture* t, sampler s, __place p, bool clamped) {
    __slopes g = __slopes_at(p);
    return __metal_texture_lod(t, kind, s.state, p.x, p.y, p.z, p.array, __METAL_SLOPES, clamped);
}

#undef __METAL_SLOPES
#undef __METAL_PLACE

}  // namespace metal
