// SPDX-License-Identifier: MIT
//
// Metal's atomic functions on the host: one thread's code, inlined into kernels. All are relaxed.

#include <stdint.h>

#define DEVICE __attribute__((address_space(5)))
#define THREADGROUP __attribute__((address_space(3)))
#define FUNCTION extern "C" __attribute__((always_inline))

#define ATOMIC_UPDATES(T, name, SPACE, space)                                                                         \
    FUNCTION T __metal_atomic_load_##name##_##space(const volatile SPACE T* p) {                                      \
        return __atomic_load_n((const SPACE T*)p, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION void __metal_atomic_store_##name##_##space(volatile SPACE T* p, T v) {                                   \
        __atomic_store_n((SPACE T*)p, v, __ATOMIC_RELAXED);                                                           \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_exchange_##name##_##space(volatile SPACE T* p, T v) {                                   \
        return __atomic_exchange_n((SPACE T*)p, v, __ATOMIC_RELAXED);                                                 \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_add_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_add((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_sub_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_sub((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_and_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_and((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_or_##name##_##space(volatile SPACE T* p, T v) {                                   \
        return __atomic_fetch_or((SPACE T*)p, v, __ATOMIC_RELAXED);                                                   \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_xor_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_xor((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_min_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_min((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION T __metal_atomic_fetch_max_##name##_##space(volatile SPACE T* p, T v) {                                  \
        return __atomic_fetch_max((SPACE T*)p, v, __ATOMIC_RELAXED);                                                  \
    }                                                                                                                 \
    FUNCTION bool __metal_atomic_compare_exchange_##name##_##space(volatile SPACE T* p, T* expected, T desired) {     \
        return __atomic_compare_exchange_n((SPACE T*)p, expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    }

ATOMIC_UPDATES(int32_t, i32, DEVICE, device)
ATOMIC_UPDATES(uint32_t, u32, DEVICE, device)
ATOMIC_UPDATES(int32_t, i32, THREADGROUP, threadgroup)
ATOMIC_UPDATES(uint32_t, u32, THREADGROUP, threadgroup)

FUNCTION float __metal_atomic_load_f32_device(const volatile DEVICE float* p) {
    return __builtin_bit_cast(float, __atomic_load_n((const DEVICE uint32_t*)p, __ATOMIC_RELAXED));
}
FUNCTION void __metal_atomic_store_f32_device(volatile DEVICE float* p, float v) {
    __atomic_store_n((DEVICE uint32_t*)p, __builtin_bit_cast(uint32_t, v), __ATOMIC_RELAXED);
}
FUNCTION float __metal_atomic_exchange_f32_device(volatile DEVICE float* p, float v) {
    return __builtin_bit_cast(
        float, __atomic_exchange_n((DEVICE uint32_t*)p, __builtin_bit_cast(uint32_t, v), __ATOMIC_RELAXED));
}
FUNCTION float __metal_atomic_fetch_add_f32_device(volatile DEVICE float* p, float v) {
    return __atomic_fetch_add((DEVICE float*)p, v, __ATOMIC_RELAXED);
}
