// SPDX-License-Identifier: MIT
//
// Metal's atomic functions on the host: one thread's code, inlined into kernels. All are relaxed.

#include <stdint.h>

#define DEVICE __attribute__((address_space(5)))
#define THREADGROUP __attribute__((address_space(3)))
#define FUNCTION extern "C" __attribute__((always_inline))

// The processor updates integers; other types take its loads, stores and exchanges as bits of one.
#define ATOMIC_ACCESS(T, Bits, name, SPACE, space)                                                                     \
    FUNCTION T __metal_atomic_load_##name##_##space(const volatile SPACE T* p) {                                       \
        return __builtin_bit_cast(T, __atomic_load_n((const SPACE Bits*)p, __ATOMIC_RELAXED));                         \
    }                                                                                                                  \
    FUNCTION void __metal_atomic_store_##name##_##space(volatile SPACE T* p, T v) {                                    \
        __atomic_store_n((SPACE Bits*)p, __builtin_bit_cast(Bits, v), __ATOMIC_RELAXED);                               \
    }                                                                                                                  \
    FUNCTION T __metal_atomic_exchange_##name##_##space(volatile SPACE T* p, T v) {                                    \
        return __builtin_bit_cast(T,                                                                                   \
                                  __atomic_exchange_n((SPACE Bits*)p, __builtin_bit_cast(Bits, v), __ATOMIC_RELAXED)); \
    }                                                                                                                  \
    FUNCTION bool __metal_atomic_compare_exchange_##name##_##space(volatile SPACE T* p, T* expected, T desired) {      \
        Bits bits = __builtin_bit_cast(Bits, *expected);                                                               \
        bool done = __atomic_compare_exchange_n((SPACE Bits*)p, &bits, __builtin_bit_cast(Bits, desired), true,        \
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);                                   \
        *expected = __builtin_bit_cast(T, bits);                                                                       \
        return done;                                                                                                   \
    }
#define ATOMIC_UPDATE(operation, T, name, SPACE, space)                                        \
    FUNCTION T __metal_atomic_fetch_##operation##_##name##_##space(volatile SPACE T* p, T v) { \
        return __atomic_fetch_##operation((SPACE T*)p, v, __ATOMIC_RELAXED);                   \
    }
#define ATOMIC_INTEGER(T, name, SPACE, space) \
    ATOMIC_ACCESS(T, T, name, SPACE, space)   \
    ATOMIC_UPDATE(add, T, name, SPACE, space) \
    ATOMIC_UPDATE(sub, T, name, SPACE, space) \
    ATOMIC_UPDATE(and, T, name, SPACE, space) \
    ATOMIC_UPDATE(or, T, name, SPACE, space)  \
    ATOMIC_UPDATE(xor, T, name, SPACE, space) \
    ATOMIC_UPDATE(min, T, name, SPACE, space) \
    ATOMIC_UPDATE(max, T, name, SPACE, space)
#define ATOMICS(SPACE, space)                         \
    ATOMIC_INTEGER(int32_t, i32, SPACE, space)        \
    ATOMIC_INTEGER(uint32_t, u32, SPACE, space)       \
    ATOMIC_ACCESS(bool, uint8_t, bool, SPACE, space)  \
    ATOMIC_ACCESS(float, uint32_t, f32, SPACE, space) \
    ATOMIC_UPDATE(add, float, f32, SPACE, space)      \
    ATOMIC_UPDATE(sub, float, f32, SPACE, space)

ATOMICS(DEVICE, device)
ATOMICS(THREADGROUP, threadgroup)

FUNCTION void __metal_atomic_min_u64_device(volatile DEVICE uint64_t* p, uint64_t v) {
    __atomic_fetch_min((DEVICE uint64_t*)p, v, __ATOMIC_RELAXED);
}
FUNCTION void __metal_atomic_max_u64_device(volatile DEVICE uint64_t* p, uint64_t v) {
    __atomic_fetch_max((DEVICE uint64_t*)p, v, __ATOMIC_RELAXED);
}

/// One worker runs a threadgroup, strip after strip, so only other threadgroups could see another order.
FUNCTION void __metal_atomic_thread_fence(uint32_t, uint32_t scope) {
    constexpr uint32_t device = 2, system = 3;
    if (scope == device || scope == system) {
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    } else {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}
