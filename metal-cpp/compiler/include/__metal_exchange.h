// SPDX-License-Identifier: MIT
//
// What the SIMD-group and the quad-group functions share: which types they take, and how a value gets from thread to
// thread. Elements narrower than a word travel as one. Sums and products of half and bfloat are computed in float and
// rounded once.

#pragma once
#pragma clang system_header

#include <__metal_elementwise.h>

namespace metal {

template <typename T>
struct __element_of {
    using type = T;
};
template <typename T, int N>
struct __element_of<vec<T, N>> {
    using type = T;
};
template <typename T>
using __element = typename __element_of<T>::type;

template <typename E>
inline constexpr bool __is_whole = __is_integral(E) && !__is_same(E, bool);
template <typename E>
inline constexpr bool __is_fraction = __is_same(E, float) || __is_same(E, half) || __is_same(E, bfloat);

/// Scalars and vectors of every number but, for SIMD-groups, those of 64 bits.
template <typename T, typename E = __element<T>>
using __simd_data = __enable_if_t<(__is_whole<E> || __is_fraction<E>) && sizeof(E) <= 4>;
template <typename T, typename E = __element<T>>
using __simd_bits = __enable_if_t<__is_whole<E> && sizeof(E) <= 4>;
template <typename T, typename E = __element<T>>
using __quad_data = __enable_if_t<__is_whole<E> || __is_fraction<E>>;
template <typename T, typename E = __element<T>>
using __quad_bits = __enable_if_t<__is_whole<E>>;

/// f of a scalar, or of each component of a vector.
template <typename T, typename F>
METAL_FUNC T __each_element(T a, F f) {
    if constexpr (__is_same(T, __element<T>)) {
        return f(a);
    } else {
        __METAL_EACH1(T, T, f)
    }
}

METAL_FUNC uint __simd_lane() { return __metal_index(7, 0); }

/// `through` of a value of up to 32 bits as a word.
template <typename E, typename F>
METAL_FUNC E __as_word(E value, F through) {
    if constexpr (sizeof(E) == 4) {
        return __builtin_bit_cast(E, through(__builtin_bit_cast(uint, value)));
    } else if constexpr (sizeof(E) == 2) {
        return __builtin_bit_cast(E, ushort(through(__builtin_bit_cast(ushort, value))));
    } else {
        return __builtin_bit_cast(E, uchar(through(__builtin_bit_cast(uchar, value))));
    }
}

/// The value in another thread of the SIMD-group.
template <typename T>
METAL_FUNC T __from_lane(T data, uint lane) {
    return __each_element(data, [lane](__element<T> value) {
        if constexpr (sizeof(value) == 8) {
            return __element<T>(__metal_simd_shuffle_u64(value, lane));
        } else {
            return __as_word(value, [lane](uint word) { return __metal_simd_shuffle_u32(word, lane); });
        }
    });
}

/// The value in thread `inside` of the caller's part of the SIMD-group: of `width` threads, a power of two.
template <typename T>
METAL_FUNC T __from_part(T data, uint width, uint inside) {
    return __from_lane(data, (__simd_lane() & ~(width - 1)) | (inside & (width - 1)));
}

// Shuffles by a distance, among `width` threads.
template <typename T>
METAL_FUNC T __shuffle_up(T data, uint width, uint delta) {
    const uint inside = __simd_lane() & (width - 1);
    return __from_part(data, width, inside >= delta ? inside - delta : inside);
}
template <typename T>
METAL_FUNC T __shuffle_down(T data, uint width, uint delta) {
    const uint inside = __simd_lane() & (width - 1);
    return __from_part(data, width, inside + delta < width ? inside + delta : inside);
}
template <typename T>
METAL_FUNC T __shuffle_and_fill_up(T data, T filling, uint width, uint delta) {
    const uint inside = __simd_lane() & (width - 1);
    const T own = __from_part(data, width, inside - delta), fill = __from_part(filling, width, inside - delta);
    return inside >= delta ? own : fill;
}
template <typename T>
METAL_FUNC T __shuffle_and_fill_down(T data, T filling, uint width, uint delta) {
    const uint inside = __simd_lane() & (width - 1);
    const T own = __from_part(data, width, inside + delta), fill = __from_part(filling, width, inside + delta);
    return inside + delta < width ? own : fill;
}

// What combines a scalar with those of the group's other threads: overloads `__simd_reduce_add(value)` and so on.
#define __METAL_COMBINE_AS(group, operation, E, suffix, type) \
    METAL_FUNC E __##group##_##operation(E value) { return E(__metal_##group##_##operation##_##suffix(type(value))); }
#define __METAL_COMBINE_BITS(group, operation)                   \
    __METAL_COMBINE_AS(group, operation, char, u32, uint)        \
    __METAL_COMBINE_AS(group, operation, uchar, u32, uint)       \
    __METAL_COMBINE_AS(group, operation, short, u32, uint)       \
    __METAL_COMBINE_AS(group, operation, ushort, u32, uint)      \
    __METAL_COMBINE_AS(group, operation, int, u32, uint)         \
    __METAL_COMBINE_AS(group, operation, uint, u32, uint)
#define __METAL_COMBINE(group, operation)                        \
    __METAL_COMBINE_AS(group, operation, char, i32, int)         \
    __METAL_COMBINE_AS(group, operation, uchar, u32, uint)       \
    __METAL_COMBINE_AS(group, operation, short, i32, int)        \
    __METAL_COMBINE_AS(group, operation, ushort, u32, uint)      \
    __METAL_COMBINE_AS(group, operation, int, i32, int)          \
    __METAL_COMBINE_AS(group, operation, uint, u32, uint)        \
    __METAL_COMBINE_AS(group, operation, half, f32, float)       \
    __METAL_COMBINE_AS(group, operation, bfloat, f32, float)     \
    __METAL_COMBINE_AS(group, operation, float, f32, float)
#define __METAL_COMBINE_ALL(group)                 \
    __METAL_COMBINE(group, reduce_add)             \
    __METAL_COMBINE(group, reduce_mul)             \
    __METAL_COMBINE(group, reduce_min)             \
    __METAL_COMBINE(group, reduce_max)             \
    __METAL_COMBINE(group, prefix_inclusive_add)   \
    __METAL_COMBINE(group, prefix_inclusive_mul)   \
    __METAL_COMBINE(group, prefix_exclusive_add)   \
    __METAL_COMBINE(group, prefix_exclusive_mul)   \
    __METAL_COMBINE_BITS(group, reduce_and)        \
    __METAL_COMBINE_BITS(group, reduce_or)         \
    __METAL_COMBINE_BITS(group, reduce_xor)
__METAL_COMBINE_ALL(simd)
__METAL_COMBINE_ALL(quad)
#define __METAL_COMBINE_LONG(operation)                      \
    __METAL_COMBINE_AS(quad, operation, long, i64, long)     \
    __METAL_COMBINE_AS(quad, operation, ulong, u64, ulong)
__METAL_COMBINE_LONG(reduce_add)
__METAL_COMBINE_LONG(reduce_mul)
__METAL_COMBINE_LONG(reduce_min)
__METAL_COMBINE_LONG(reduce_max)
__METAL_COMBINE_LONG(prefix_inclusive_add)
__METAL_COMBINE_LONG(prefix_inclusive_mul)
__METAL_COMBINE_LONG(prefix_exclusive_add)
__METAL_COMBINE_LONG(prefix_exclusive_mul)
__METAL_COMBINE_AS(quad, reduce_and, long, u64, ulong)
__METAL_COMBINE_AS(quad, reduce_and, ulong, u64, ulong)
__METAL_COMBINE_AS(quad, reduce_or, long, u64, ulong)
__METAL_COMBINE_AS(quad, reduce_or, ulong, u64, ulong)
__METAL_COMBINE_AS(quad, reduce_xor, long, u64, ulong)
__METAL_COMBINE_AS(quad, reduce_xor, ulong, u64, ulong)
#undef __METAL_COMBINE_LONG
#undef __METAL_COMBINE_ALL
#undef __METAL_COMBINE
#undef __METAL_COMBINE_BITS
#undef __METAL_COMBINE_AS

}  // namespace metal
