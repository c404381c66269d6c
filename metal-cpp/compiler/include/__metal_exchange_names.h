// SPDX-License-Identifier: MIT
//
// Names of SIMD-group functions from inside Apple's headers that published sources call (MLX's functions of bfloat do).

#pragma once
#pragma clang system_header

#include <metal_simdgroup>

METAL_FUNC ushort __metal_get_simdgroup_size(ushort) { return ushort(__metal_index(10, 0)); }
METAL_FUNC ushort __metal_get_thread_index_in_simdgroup(ushort) { return ushort(metal::__simd_lane()); }

#define __METAL_NAMED(name)                                \
    template <typename T>                                  \
    METAL_FUNC T __metal_simd_##name(T data) {             \
        return metal::simd_##name(data);                   \
    }
#define __METAL_NAMED_LANE(name)                           \
    template <typename T>                                  \
    METAL_FUNC T __metal_simd_##name(T data, ushort lane) { \
        return metal::simd_##name(data, lane);             \
    }
#define __METAL_NAMED_FILL(name)                                                           \
    template <typename T>                                                                  \
    METAL_FUNC T __metal_simd_##name(T data, T filling, ushort delta, ushort modulo) {     \
        return metal::simd_##name(data, filling, delta, modulo);                           \
    }
#define __METAL_NAMED_BITS(name)                                                           \
    __METAL_NAMED(name)                                                                    \
    METAL_FUNC float __metal_simd_##name(float data) {                                     \
        return as_type<float>(metal::simd_##name(as_type<uint>(data)));                    \
    }
__METAL_NAMED(sum)
__METAL_NAMED(product)
__METAL_NAMED(min)
__METAL_NAMED(max)
__METAL_NAMED(prefix_inclusive_sum)
__METAL_NAMED(prefix_inclusive_product)
__METAL_NAMED(prefix_exclusive_sum)
__METAL_NAMED(prefix_exclusive_product)
__METAL_NAMED(broadcast_first)
__METAL_NAMED_LANE(broadcast)
__METAL_NAMED_LANE(shuffle)
__METAL_NAMED_LANE(shuffle_xor)
__METAL_NAMED_LANE(shuffle_up)
__METAL_NAMED_LANE(shuffle_down)
__METAL_NAMED_LANE(shuffle_rotate_up)
__METAL_NAMED_LANE(shuffle_rotate_down)
__METAL_NAMED_FILL(shuffle_and_fill_up)
__METAL_NAMED_FILL(shuffle_and_fill_down)
__METAL_NAMED_BITS(and)
__METAL_NAMED_BITS(or)
__METAL_NAMED_BITS(xor)
#undef __METAL_NAMED
#undef __METAL_NAMED_LANE
#undef __METAL_NAMED_FILL
#undef __METAL_NAMED_BITS
