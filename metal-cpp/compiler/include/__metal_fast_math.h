// SPDX-License-Identifier: MIT
//
// The functions whose fast variants the Metal specification allows larger errors than the precise ones, where that makes
// shorter code: no exact reduction of huge angles, no second word of logarithms, no loop in fmod. Infinities and NaN,
// which fast math leaves undefined, still come out as in the precise ones.
// tests/msl/test_math_functions.py measures the errors.

#pragma once
#pragma clang system_header

#include <__metal_float_math.h>

#pragma float_control(precise, on, push)
#pragma clang fp contract(off)

namespace metal {
namespace __fast_math {

using namespace __math;

/// x = k * pi + remainder. For large x, k comes from a rounded quotient and the remainder exceeds pi/2 by a little; above
/// some 10^7 it is no more than bounded, so that sines stay within [-1, 1].
inline float minus_multiple_of_pi(float x, float k) {
    float r = multiply_add(k, -0x1.921fb6p+1f, x);
    r = multiply_add(k, 0x1.777a5cp-24f, r);
    r = multiply_add(k, 0x1.ee59dap-49f, r);
    return bounded(r, -2.4f, 2.4f);
}
inline float sin_up_to_half_pi(float r) {
    float u = r * r;
    return multiply_add(r * u, polynomial(u, -0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70eep-13f, 0x1.5dc8c4p-19f), r);
}
inline float sin(float x) {
    rounded k = nearest(x * 0x1.45f306p-2f);
    float sine = sin_up_to_half_pi(minus_multiple_of_pi(x, k.value));
    return from_bits(bits(sine) ^ (uint(k.number) << 31));
}
inline float cos(float x) {
    rounded k = nearest(multiply_add(x, 0x1.45f306p-2f, -0.5f));
    float sine = sin_up_to_half_pi(minus_multiple_of_pi(x, k.value + 0.5f));
    return from_bits(bits(sine) ^ (~uint(k.number) << 31));
}
/// x = quadrant * pi/2 + remainder.
inline angle reduce_quickly(float x) {
    rounded k = nearest(x * 0x1.45f306p-1f);
    float r = multiply_add(k.value, -0x1.921fb6p+0f, x);
    r = multiply_add(k.value, 0x1.777a5cp-25f, r);
    r = multiply_add(k.value, 0x1.ee59dap-50f, r);
    return {bounded(r, -1.2f, 1.2f), k.number};
}
inline float tan(float x) { return tan_of(reduce_quickly(x)); }
inline float sincos(float x, thread float& cosine) {
    angle a = reduce_quickly(x);
    cosine = cos_of(a);
    return sin_of(a);
}

/// log2 of positive normal numbers.
inline float log2_of_normal(float x) {
    decomposed d = decompose(x);
    float f = d.mantissa - 1.0f;
    return multiply_add(f + log_tail(f), 0x1.715476p+0f, float(d.exponent));
}
inline float log2(float x) { return log_limits(x, log2_of_normal(x)); }
inline float log(float x) {
    decomposed d = decompose(x);
    float f = d.mantissa - 1.0f;
    return log_limits(x, multiply_add(float(d.exponent), 0x1.62e43p-1f, f + log_tail(f)));
}
inline float log10(float x) {
    decomposed d = decompose(x);
    float f = d.mantissa - 1.0f, q = f + log_tail(f);
    return log_limits(x, multiply_add(float(d.exponent), 0x1.344136p-2f, q * 0x1.bcb7b2p-2f));
}

inline float pow_of_magnitude(float a, float y) {
    float exponent = log2_of_normal(a);
    exponent = a < inf ? exponent : a;  // infinity and NaN
    exponent = a < smallest_normal ? -inf : exponent;
    return exp2(y * exponent);
}
inline float pow(float x, float y) {
    float a = magnitude(x);
    return with_sign_of_power(x, y, a, (y == 0.0f) | (a == 1.0f) ? 1.0f : pow_of_magnitude(a, y));
}
inline float powr(float x, float y) { return exp2(y * log2(x)); }

inline float rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }

/// Exact while the quotient has no more than 24 bits: one step mends a quotient that was rounded up.
inline float fmod(float x, float y) {
    float a = magnitude(x), b = magnitude(y);
    float r = multiply_add(-__builtin_truncf(a / b), b, a), above = r + b;
    r = r < 0.0f ? above : r;
    r = (b == inf) & (a < inf) ? a : r;
    return with_sign(r, x);
}

}  // namespace __fast_math
}  // namespace metal

#pragma float_control(pop)
