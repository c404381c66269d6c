// SPDX-License-Identifier: MIT
//
// The elementary functions for one float, in straight lines of arithmetic and selections: no table, no library call, so
// that code for many lanes comes out as it is written. Errors stay within the Metal specification's table for precise
// math; tests/msl/test_math_functions.py measures them. Subnormal numbers may be taken for zero.
// Both sides of a choice are computed first: a call inside `?:` would be a branch.
//
// The polynomials come from fit_polynomials.py. Constants in several parts add up to the exact value.

#pragma once
#pragma clang system_header

#include <metal_types>

// The steps below lean on the rounding of each operation, whatever the kernel's math mode allows. (Inside,
// __builtin_sqrtf would set errno: it is a library call there.)
#pragma float_control(precise, on, push)
#pragma clang fp contract(off)

// Rare and long: called for one thread after the other, not written out for all at once (a target does that for the
// prefix).
extern "C" ulong __metal_slow_reduce_angle(uint bits);

namespace metal {
namespace __math {

constexpr float inf = __builtin_inff();
constexpr float nan = __builtin_nanf("");
constexpr float smallest_normal = 0x1p-126f;

inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline uint bits(float x) { return __builtin_bit_cast(uint, x); }
inline float from_bits(uint x) { return __builtin_bit_cast(float, x); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }

/// Horner's rule, the constant coefficient first.
inline float polynomial(float, float c) { return c; }
template <typename... C>
inline float polynomial(float x, float c, C... rest) {
    return multiply_add(x, polynomial(x, rest...), c);
}

/// x rounded to an integer, both as float and as int; |x| < 2^22. Without a conversion, which NaN would make undefined.
struct rounded {
    float value;
    int number;
};
inline rounded nearest(float x) {
    constexpr float shift = 0x1.8p23f;
    float shifted = x + shift;
    return {shifted - shift, int(bits(shifted) - bits(shift))};
}

/// 2^n for n within the exponents of normal numbers.
inline float power_of_two(int n) { return from_bits(uint(n + 127) << 23); }

/// x * 2^n where that is a normal number or, for x = 1, zero or infinity.
inline float scale(float x, int n) { return from_bits(bits(x) + (uint(n) << 23)); }
/// What exponentials give outside the arguments of normal results.
inline float exp_limits(float x, float low, float high, float result) {
    float outside = x + inf;  // NaN stays
    result = x <= high ? result : outside;
    return x < low ? 0.0f : result;
}

// ---- Exponentials ----

/// e^r for |r| <= ln(2) / 2.
inline float exp_reduced(float r) {
    float p = polynomial(r, 0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123dep-7f, 0x1.6ac74ap-10f);
    return multiply_add(r * r, p, r) + 1.0f;
}
/// 2^r for |r| <= 1/2.
inline float exp2_reduced(float r) {
    float p = polynomial(r, 0x1.62e432p-1f, 0x1.ebfbe6p-3f, 0x1.c6ada8p-5f, 0x1.3b21cap-7f, 0x1.5fbeap-10f, 0x1.4befb6p-13f);
    return multiply_add(r, p, 1.0f);
}
inline float bounded(float x, float low, float high) { return x < low ? low : x > high ? high : x; }  // NaN stays

/// 2^n e^x, for n = 0 or -1.
inline float exp_scaled(float x, int n) {
    rounded k = nearest(x * 0x1.715476p+0f);
    float r = multiply_add(k.value, -0x1.62e43p-1f, x);
    r = multiply_add(k.value, 0x1.05c61p-29f, r);
    return exp_limits(x, n ? -0x1.5a92d6p+6f : -0x1.5d589ep+6f, n ? 0x1.65a9f8p+6f : 0x1.62e42ep+6f,
                      scale(exp_reduced(r), k.number + n));
}
inline float exp(float x) { return exp_scaled(x, 0); }
inline float exp2(float x) {
    rounded k = nearest(x);
    return exp_limits(x, -126.0f, 0x1.fffffep+6f, scale(exp2_reduced(x - k.value), k.number));
}
inline float exp10(float x) {
    rounded k = nearest(x * 0x1.a934fp+1f);
    float r = multiply_add(k.value, -0x1.344136p-2f, x);
    r = multiply_add(k.value, 0x1.ec10cp-27f, r);
    r = multiply_add(r, 0x1.26bb1cp+1f, r * -0x1.12aabap-25f);  // times ln(10)
    return exp_limits(x, -0x1.2f7030p+5f, 0x1.344134p+5f, scale(exp_reduced(r), k.number));
}

// ---- Logarithms ----

/// x = 2^exponent * mantissa with the mantissa from sqrt(1/2) to sqrt(2); x normal and positive.
struct decomposed {
    int exponent;
    float mantissa;
};
inline decomposed decompose(float x) {
    constexpr uint root_half = 0x3f3504f3;
    uint above = bits(x) - root_half;
    return {int(above) >> 23, from_bits((above & 0x7fffff) + root_half)};
}
/// log(1 + f) - f, 1 + f from sqrt(1/2) to sqrt(2).
inline float log_tail(float f) {
    float p = polynomial(f, 0x1.555548p-2f, -0x1.00007p-2f, 0x1.99a542p-3f, -0x1.552f04p-3f, 0x1.2302bp-3f, -0x1.010656p-3f,
                         0x1.f02e92p-4f, -0x1.bec7b4p-4f, 0x1.b1ac1p-5f);
    return f * f * multiply_add(f, p, -0.5f);
}
/// What logarithms give outside the positive normal numbers.
inline float log_limits(float x, float result) {
    result = x < inf ? result : x;  // infinity and NaN
    result = x < smallest_normal ? -inf : result;
    return x <= -smallest_normal ? nan : result;
}
inline float log(float x) {
    decomposed d = decompose(x);
    float e = float(d.exponent), f = d.mantissa - 1.0f, q = log_tail(f);
    float low = multiply_add(e, -0x1.05c61p-29f, q);
    return log_limits(x, multiply_add(e, 0x1.62e43p-1f, f + low));
}
inline float log2(float x) {
    decomposed d = decompose(x);
    float f = d.mantissa - 1.0f, q = log_tail(f);
    float low = multiply_add(f, 0x1.4ae0cp-26f, q * 0x1.715476p+0f);
    return log_limits(x, float(d.exponent) + multiply_add(f, 0x1.715476p+0f, low));
}
inline float log10(float x) {
    decomposed d = decompose(x);
    float e = float(d.exponent), f = d.mantissa - 1.0f, q = log_tail(f);
    float low = multiply_add(f, -0x1.5b235ep-27f, q * 0x1.bcb7b2p-2f);
    low = multiply_add(e, -0x1.ec10cp-27f, low);
    return log_limits(x, multiply_add(e, 0x1.344136p-2f, multiply_add(f, 0x1.bcb7b2p-2f, low)));
}
/// log(1 + x).
inline float log1p(float x) {
    decomposed d = decompose(1.0f + x);
    // The mantissa less one, exact where the sum above has lost digits of x.
    float s = power_of_two(-(d.exponent < 64 ? d.exponent : 0));
    float exact = multiply_add(x, s, s - 1.0f), rough = d.mantissa - 1.0f;
    float f = d.exponent < 64 ? exact : rough;
    float e = float(d.exponent);
    float result = multiply_add(e, 0x1.62e43p-1f, f + multiply_add(e, -0x1.05c61p-29f, log_tail(f)));
    result = x < inf ? result : x;
    result = x == -1.0f ? -inf : result;
    return x < -1.0f ? nan : result;
}

// ---- Powers ----

/// x * 2^n, -252 <= n <= 254.
inline float scale_widely(float x, int n) {
    int part = n >> 1;
    return x * power_of_two(part) * power_of_two(n - part);
}

/// a^y for a >= 0. The logarithm has some 34 good bits, since its error is multiplied by up to 128.
inline float pow_of_magnitude(float a, float y) {
    a = a < smallest_normal ? 0.0f : a;
    decomposed d = decompose(a);
    // atanh(s) with s = (m - 1) / (m + 1), as a sum s + z.
    float n = d.mantissa - 1.0f, m = d.mantissa + 1.0f, m_low = d.mantissa - (m - 1.0f), reciprocal = 1.0f / m;
    float s = n * reciprocal;
    float s_low = multiply_add(-s, m_low, multiply_add(-s, m, n)) * reciprocal;
    float u = s * s;
    float p = polynomial(u, 0x1.555554p-2f, 0x1.999c28p-3f, 0x1.23d316p-3f, 0x1.f16072p-4f);
    float z = multiply_add(s * u, p, s_low);
    // Times 2 / ln(2), plus the exponent: log2(a) = high + low.
    constexpr float c = 0x1.715476p+1f, c_low = 0x1.4ae0cp-25f;
    float product = s * c;
    float product_low = multiply_add(s, c, -product) + multiply_add(s, c_low, z * c);
    float e = float(d.exponent), sum = e + product, rest = (product - (sum - e)) + product_low;
    float high = sum + rest, low = rest - (high - sum);
    // 2^(y * log2(a)).
    float t = y * high;
    float t_low = multiply_add(y, high, -t) + y * low;
    rounded k = nearest(bounded(t, -160.0f, 160.0f));
    float remainder = (t - k.value) + t_low;
    float r = magnitude(t) < 150.0f ? remainder : 0.0f;
    float result = scale_widely(exp2_reduced(r), k.number);
    float limit = (a == 0.0f) == (y < 0.0f) ? inf : 0.0f;
    result = ((a == 0.0f) | (a == inf)) ? limit : result;
    return a == 1.0f ? 1.0f : result;
}
/// x^y from |x|^y.
inline float with_sign_of_power(float x, float y, float a, float result) {
    bool is_integer = __builtin_truncf(y) == y;
    float half_y = y * 0.5f;
    bool is_odd = is_integer & (__builtin_truncf(half_y) != half_y);
    bool is_negative = bits(x) >> 31;
    float opposite = -result;
    result = (is_negative & is_odd) ? opposite : result;
    return (is_negative & !is_integer & (a >= smallest_normal) & (a < inf)) ? nan : result;
}
inline float pow(float x, float y) {
    float a = magnitude(x), result = with_sign_of_power(x, y, a, pow_of_magnitude(a, y));
    result = ((x != x) | (y != y)) ? nan : result;
    return ((x == 1.0f) | (y == 0.0f)) ? 1.0f : result;
}
inline float powr(float x, float y) {
    float result = pow_of_magnitude(magnitude(x), y);
    bool is_zero_or_infinite = (magnitude(x) < smallest_normal) | (x == inf);
    bool undefined = (x <= -smallest_normal) | (x != x) | (y != y) | (is_zero_or_infinite & (y == 0.0f)) |
                     ((x == 1.0f) & (magnitude(y) == inf));
    return undefined ? nan : result;
}

// ---- Trigonometry ----

/// x = quadrant * pi/2 + remainder, |remainder| <= pi/4.
struct angle {
    float remainder;
    int quadrant;
};

inline angle reduce(float x) {
    // Three parts of pi/2; the first product leaves an exact remainder.
    rounded k = nearest(bounded(x, -0x1p17f, 0x1p17f) * 0x1.45f306p-1f);
    float r = multiply_add(k.value, -0x1.921fb6p+0f, x);
    r = multiply_add(k.value, 0x1.777a5cp-25f, r);
    r = multiply_add(k.value, 0x1.ee59dap-50f, r);
    angle result = {r, k.number};
    // A branch, not a selection: whole groups of threads skip it.
    if (magnitude(x) >= 0x1p16f) {
        ulong large = __metal_slow_reduce_angle(bits(x));
        result = {from_bits(uint(large)), int(large >> 32)};
    }
    result.remainder = magnitude(x) < inf ? result.remainder : nan;
    return result;
}
/// x half turns: x * pi, without an error from large x.
inline angle reduce_half_turns(float x) {
    float y = x - 2.0f * __builtin_rintf(x * 0.5f);
    rounded k = nearest(y * 2.0f);
    float r = multiply_add(k.value, -0.5f, y);
    return {multiply_add(r, 0x1.921fb6p+1f, r * -0x1.777a5cp-24f), k.number};
}

inline float sin_reduced(float r) {
    float u = r * r;
    return multiply_add(r * u, polynomial(u, -0x1.555546p-3f, 0x1.110778p-7f, -0x1.9953fep-13f), r);
}
inline float cos_reduced(float r) {
    float u = r * r;
    float p = polynomial(u, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f);
    return multiply_add(u, multiply_add(u, p, -0.5f), 1.0f);
}
inline float sin_of(angle a) {
    float sine = sin_reduced(a.remainder), cosine = cos_reduced(a.remainder);
    float v = (a.quadrant & 1) ? cosine : sine;
    return from_bits(bits(v) ^ (uint(a.quadrant & 2) << 30));
}
inline float cos_of(angle a) { return sin_of({a.remainder, a.quadrant + 1}); }
inline float tan_of(angle a) {
    float r = a.remainder, u = r * r;
    float p = polynomial(u, 0x1.55556p-2f, 0x1.110d9ep-3f, 0x1.bad9c2p-5f, 0x1.5cc0d4p-6f, 0x1.62cb2ep-7f, 0x1.9c13b6p-14f,
                         0x1.1e91a8p-8f);
    float t = multiply_add(r * u, p, r), cotangent = -1.0f / t;
    return (a.quadrant & 1) ? cotangent : t;
}
inline float sin(float x) { return sin_of(reduce(x)); }
inline float cos(float x) { return cos_of(reduce(x)); }
inline float tan(float x) { return tan_of(reduce(x)); }
inline float sincos(float x, thread float& cosine) {
    angle a = reduce(x);
    cosine = cos_of(a);
    return sin_of(a);
}
inline float sinpi(float x) { return sin_of(reduce_half_turns(x)); }
inline float cospi(float x) { return cos_of(reduce_half_turns(x)); }
inline float tanpi(float x) { return tan_of(reduce_half_turns(x)); }

constexpr float half_pi = 0x1.921fb6p+0f, half_pi_low = -0x1.777a5cp-25f;

/// asin(a) = p, or pi/2 - 2 p where a > 1/2.
inline float asin_part(float a) {
    bool is_large = a > 0.5f;
    float rest = (1.0f - a) * 0.5f, square = a * a;
    float u = is_large ? rest : square, root = __builtin_elementwise_sqrt(u);
    float w = is_large ? root : a;
    float p = polynomial(u, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bbap-5f, 0x1.8c3e28p-6f, 0x1.595c92p-5f);
    return multiply_add(w * u, p, w);
}
inline float asin(float x) {
    float a = magnitude(x), p = asin_part(a);
    float large = half_pi - (2.0f * p - half_pi_low);
    return with_sign(a > 0.5f ? large : p, x);
}
inline float acos(float x) {
    float a = magnitude(x), p = asin_part(a);
    float near_zero = half_pi - (with_sign(p, x) - half_pi_low);
    float doubled = 2.0f * p, other_side = 2.0f * half_pi - (doubled - 2.0f * half_pi_low);
    float near_one = x < 0.0f ? other_side : doubled;
    return a > 0.5f ? near_one : near_zero;
}
/// atan(t) for 0 <= t <= 1.
inline float atan_part(float t) {
    float u = t * t;
    float p = polynomial(u, -0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.2420aap-3f, 0x1.c0908p-4f, -0x1.5820d4p-4f, 0x1.daa8ecp-5f,
                         -0x1.fed43cp-6f, 0x1.65e5f6p-7f, -0x1.d6e88ep-10f);
    return multiply_add(t * u, p, t);
}
inline float atan(float x) {
    float a = magnitude(x);
    bool is_large = a > 1.0f;
    float inverse = 1.0f / a;
    float p = atan_part(is_large ? inverse : a), complement = half_pi - (p - half_pi_low);
    return with_sign(is_large ? complement : p, x);
}
inline float atan2(float y, float x) {
    float a = magnitude(x), b = magnitude(y);
    bool is_steep = b > a;
    float smaller = is_steep ? a : b, larger = is_steep ? b : a;
    float t = smaller / larger;
    t = larger == 0.0f ? 0.0f : t;
    t = smaller == inf ? 1.0f : t;
    float p = atan_part(t), complement = half_pi - (p - half_pi_low);
    p = is_steep ? complement : p;
    float supplement = 2.0f * half_pi - (p - 2.0f * half_pi_low);
    p = with_sign(bits(x) >> 31 ? supplement : p, y);
    return ((x != x) | (y != y)) ? nan : p;
}

// ---- Hyperbolic functions ----

inline float sinh(float x) {
    float a = magnitude(x), u = x * x;
    float p = polynomial(u, 0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022bcp-13f, 0x1.756c1ep-19f);
    float small = multiply_add(x * u, p, x);
    float e = exp_scaled(a, -1), large = with_sign(e - 0.25f / e, x);
    return a < 1.0f ? small : large;
}
inline float cosh(float x) {
    float e = exp_scaled(magnitude(x), -1);
    return e + 0.25f / e;
}
inline float tanh(float x) {
    float a = magnitude(x), u = x * x;
    float p = polynomial(u, -0x1.555532p-2f, 0x1.1106f6p-3f, -0x1.b835a4p-5f, 0x1.51f8cep-6f, -0x1.750ce4p-8f);
    float small = multiply_add(x * u, p, x);
    float large = with_sign(1.0f - 2.0f / (exp(2.0f * a) + 1.0f), x);
    return a < 0.625f ? small : large;
}
inline float asinh(float x) {
    float a = magnitude(x), square = a * a;
    bool is_large = a > 0x1p30f;  // where log(2 a) is exact enough, before the square overflows
    float small = a + square / (1.0f + __builtin_elementwise_sqrt(1.0f + square));
    return with_sign(log1p(is_large ? a : small) + (is_large ? 0x1.62e43p-1f : 0.0f), x);
}
inline float acosh(float x) {
    float t = x - 1.0f;
    bool is_large = x > 0x1p30f;
    float small = t + __builtin_elementwise_sqrt(multiply_add(t, t, 2.0f * t));
    float result = log1p(is_large ? x : small) + (is_large ? 0x1.62e43p-1f : 0.0f);
    return x < 1.0f ? nan : result;
}
inline float atanh(float x) {
    float a = magnitude(x);
    return with_sign(0.5f * log1p(2.0f * a / (1.0f - a)), x);
}

// ---- Roots, remainders, parts ----

/// One step of Newton's method on the quotient of two roundings.
inline float rsqrt(float x) {
    float r = 1.0f / __builtin_elementwise_sqrt(x);
    float product = x * r;
    float residue = multiply_add(-product, r, 1.0f) - multiply_add(x, r, -product) * r;
    float corrected = multiply_add(0.5f * r, residue, r);
    return ((r > 0.0f) & (r < inf)) ? corrected : r;
}

/// Exact, as the specification asks; a step takes off 20 bits of the quotient, so most calls need one.
inline float fmod(float x, float y) {
    float a = magnitude(x), b = magnitude(y);
    while (a >= b) {
        int apart = int(bits(a) >> 23) - int(bits(b) >> 23) - 20;
        float step = scale_widely(b, apart > 0 ? apart : 0);
        a = multiply_add(-__builtin_truncf(a / step), step, a);
        float above = a + step;
        a = a < 0.0f ? above : a;
    }
    a = with_sign(a, x);
    return ((x != x) | (y != y)) ? nan : a;
}
inline float fract(float x) {
    float f = x - __builtin_floorf(x);
    return f > 0x1.fffffep-1f ? 0x1.fffffep-1f : f;
}
/// Halves go away from zero.
inline float round(float x) {
    float whole = __builtin_truncf(x);
    float step = magnitude(x - whole) >= 0.5f ? 1.0f : 0.0f;
    return with_sign(magnitude(whole) + step, x);
}
inline float frexp(float x, thread int& exponent) {
    uint b = bits(x);
    int e = int((b >> 23) & 255);
    bool is_normal = (e != 0) & (e != 255);
    int power = e - 126;
    exponent = is_normal ? power : 0;
    float fraction = from_bits((b & 0x807fffff) | 0x3f000000);
    return is_normal ? fraction : x;
}
inline float ldexp(float x, int n) {
    int first = n < -126 ? -126 : n > 127 ? 127 : n;
    n -= first;
    int second = n < -126 ? -126 : n > 127 ? 127 : n;
    n -= second;
    int third = n < -126 ? -126 : n > 127 ? 127 : n;
    return x * power_of_two(first) * power_of_two(second) * power_of_two(third);
}
inline int ilogb(float x) {
    int e = int((bits(x) >> 23) & 255);
    return e == 0 ? -2147483647 - 1 : e == 255 ? 2147483647 : e - 127;
}
inline float modf(float x, thread float& whole) {
    whole = __builtin_truncf(x);
    float rest = x - whole;
    return with_sign(magnitude(x) == inf ? 0.0f : rest, x);
}
inline float nextafter(float x, float y) {
    uint b = bits(x);
    bool away = (x < y) == (x > 0.0f);
    uint up = b + 1, down = b - 1, smallest = (bits(y) & 0x80000000) | 1;
    uint next = away ? up : down;
    next = (b & 0x7fffffff) == 0 ? smallest : next;
    float result = x == y ? y : from_bits(next);
    return ((x != x) | (y != y)) ? nan : result;
}
inline float divide(float x, float y) { return x / y; }
inline float sqrt(float x) { return __builtin_elementwise_sqrt(x); }

/// 2/pi's binary digits in words; the first starts at 2^31's place.
constexpr constant uint two_over_pi[] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                         0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

}  // namespace __math
}  // namespace metal

/// For |x| >= 2^16. The 24-bit significand times 96 digits of 2/pi, those before them being multiples of four quadrants:
/// 62 bits remain behind the point, enough for every float. The remainder's bits and, above them, the quadrant.
extern "C" inline ulong __metal_slow_reduce_angle(uint b) {
    using namespace metal::__math;
    ulong significand = (b & 0x7fffff) | 0x800000;
    int start = int((b >> 23) & 127) + 8;  // of infinity and NaN, within the words as well
    int word = start >> 5, shift = start & 31;
    ulong w0 = two_over_pi[word], w1 = two_over_pi[word + 1], w2 = two_over_pi[word + 2], w3 = two_over_pi[word + 3];
    ulong high = (w0 << 32 | w1) << shift >> 32, middle = (w1 << 32 | w2) << shift >> 32;
    ulong low = (w2 << 32 | w3) << shift >> 32;
    middle = significand * middle + ((significand * low) >> 32);
    ulong turns = ((significand * high) << 32) + middle;  // two bits of quadrant, 62 of fraction
    long fraction = long(turns << 2);                     // to the nearest quadrant
    int quadrant = int(turns >> 62) + int(fraction < 0);
    float remainder = float(fraction) * 0x1.921fb6p-64f;
    bool is_negative = b >> 31;
    remainder = is_negative ? -remainder : remainder;
    return ulong(bits(remainder)) | ulong(is_negative ? -quadrant : quadrant) << 32;
}

#pragma float_control(pop)
