// SPDX-License-Identifier: MIT
//
// Names of functions from inside Apple's headers that published sources call (MLX's functions of bfloat do): the
// mathematical functions with the variant as last argument, one of the three macros below. enable_if chooses the variant
// while compiling, so that only one is ever inlined.

#pragma once
#pragma clang system_header

#include <metal_math>

#define __METAL_FAST_MATH__ 1
#define __METAL_PRECISE_MATH__ 0
#ifdef __METAL_MATH_SAFE__
#define __METAL_MAYBE_FAST_MATH__ __METAL_PRECISE_MATH__
#else
#define __METAL_MAYBE_FAST_MATH__ __METAL_FAST_MATH__
#endif

#define __METAL_NAMED1(name)                                                         \
    template <typename T>                                                            \
    METAL_FUNC T __metal_##name(T a, bool fast) __attribute__((enable_if(fast, ""))) { \
        return T(metal::fast::name(a));                                              \
    }                                                                                \
    template <typename T>                                                            \
    METAL_FUNC T __metal_##name(T a, bool) {                                         \
        return T(metal::precise::name(a));                                           \
    }
#define __METAL_NAMED2(name)                                                              \
    template <typename T>                                                                 \
    METAL_FUNC T __metal_##name(T a, T b, bool fast) __attribute__((enable_if(fast, ""))) { \
        return T(metal::fast::name(a, b));                                                \
    }                                                                                     \
    template <typename T>                                                                 \
    METAL_FUNC T __metal_##name(T a, T b, bool) {                                         \
        return T(metal::precise::name(a, b));                                             \
    }
#define __METAL_NAMED3(name)                                                                   \
    template <typename T>                                                                      \
    METAL_FUNC T __metal_##name(T a, T b, T c, bool fast) __attribute__((enable_if(fast, ""))) { \
        return T(metal::fast::name(a, b, c));                                                  \
    }                                                                                          \
    template <typename T>                                                                      \
    METAL_FUNC T __metal_##name(T a, T b, T c, bool) {                                         \
        return T(metal::precise::name(a, b, c));                                               \
    }
__METAL_NAMED1(acos)
__METAL_NAMED1(acosh)
__METAL_NAMED1(asin)
__METAL_NAMED1(asinh)
__METAL_NAMED1(atan)
__METAL_NAMED1(atanh)
__METAL_NAMED1(ceil)
__METAL_NAMED1(cos)
__METAL_NAMED1(cosh)
__METAL_NAMED1(cospi)
__METAL_NAMED1(exp)
__METAL_NAMED1(exp10)
__METAL_NAMED1(exp2)
__METAL_NAMED1(fabs)
__METAL_NAMED1(floor)
__METAL_NAMED1(fract)
__METAL_NAMED1(log)
__METAL_NAMED1(log10)
__METAL_NAMED1(log2)
__METAL_NAMED1(rint)
__METAL_NAMED1(round)
__METAL_NAMED1(rsqrt)
__METAL_NAMED1(sin)
__METAL_NAMED1(sinh)
__METAL_NAMED1(sinpi)
__METAL_NAMED1(sqrt)
__METAL_NAMED1(tan)
__METAL_NAMED1(tanh)
__METAL_NAMED1(tanpi)
__METAL_NAMED1(trunc)
__METAL_NAMED2(atan2)
__METAL_NAMED2(divide)
__METAL_NAMED2(fmax)
__METAL_NAMED2(fmin)
__METAL_NAMED2(fmod)
__METAL_NAMED2(pow)
__METAL_NAMED2(powr)
__METAL_NAMED3(fmax3)
__METAL_NAMED3(fmedian3)
__METAL_NAMED3(fmin3)
#undef __METAL_NAMED1
#undef __METAL_NAMED2
#undef __METAL_NAMED3

template <typename T>
METAL_FUNC T __metal_fma(T a, T b, T c) {
    return T(metal::fma(a, b, c));
}
template <typename T>
METAL_FUNC T __metal_nextafter(T a, T b) {
    return T(metal::nextafter(a, b));
}
template <typename T, typename K>
METAL_FUNC T __metal_ldexp(T a, K k, bool) {
    return T(metal::ldexp(a, k));
}
template <typename T, typename K>
METAL_FUNC T __metal_frexp(T a, thread K* exponent) {
    return T(metal::frexp(a, *exponent));
}
