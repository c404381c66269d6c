// SPDX-License-Identifier: MIT
//
// Functions that LLVM's code generator calls where a processor has no instruction. Compiled to an object file that each
// kernel is linked with; only those that are called stay.

#include <stddef.h>
#include <stdint.h>

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
    unsigned char* target = to;
    const unsigned char* source = from;
    for (; size; --size) *target++ = *source++;
    return to;
}

void* memmove(void* to, const void* from, size_t size) {
    unsigned char* target = to;
    const unsigned char* source = from;
    if ((uintptr_t)target < (uintptr_t)source) {
        for (; size; --size) *target++ = *source++;
    } else {
        while (size--) target[size] = source[size];
    }
    return to;
}

void* memset(void* to, int value, size_t size) {
    unsigned char* target = to;
    for (; size; --size) *target++ = (unsigned char)value;
    return to;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of_bits(uint32_t bits) {
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

// Results of 16 bits travel in xmm0, as a _Float16 does.
typedef _Float16 sixteen_bits;

static sixteen_bits of_bits(uint16_t bits) {
    sixteen_bits value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

static uint16_t bfloat_bits(float value) {
    uint32_t bits = bits_of_float(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

sixteen_bits __truncsfbf2(float value) {
    return of_bits(bfloat_bits(value));
}

// Rounds to odd first, so that the second rounding sees what the first dropped.
static float round_to_odd(double value) {
    float near = (float)value;
    if ((double)near == value || value != value) return near;
    uint32_t bits = bits_of_float(near);
    if (bits & 1) return near;
    int away = (near < 0) ? (double)near < value : (double)near > value;  // rounded away from zero
    return float_of_bits(away ? bits - 1 : bits + 1);
}

sixteen_bits __truncdfbf2(double value) {
    return of_bits(bfloat_bits(round_to_odd(value)));
}

// Magnitudes are IEEE bit patterns; ties to even.
static uint16_t half_bits(float value) {
    uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return (uint16_t)(sign | 0x7e00 | (size >> 13 & 0x3ff));
    if (size >= 0x477ff000u) return (uint16_t)(sign | 0x7c00);
    if (size < 0x38800000u) {  // subnormal or zero: adding one half's smallest normal times 2^13 lets the adder round
        float shifted = float_of_bits(size) + 0.5f;
        return (uint16_t)(sign | (bits_of_float(shifted) - 0x3f000000u));
    }
    return (uint16_t)(sign | ((size - 0x38000000u + 0xfff + (size >> 13 & 1)) >> 13));
}

sixteen_bits __truncsfhf2(float value) {
    return of_bits(half_bits(value));
}
sixteen_bits __truncdfhf2(double value) {
    return of_bits(half_bits(round_to_odd(value)));
}

float __extendhfsf2(sixteen_bits half) {
    uint16_t raw;
    __builtin_memcpy(&raw, &half, sizeof raw);
    uint32_t sign = (uint32_t)(raw & 0x8000) << 16, size = raw & 0x7fff;
    if (size >= 0x7c00) return float_of_bits(sign | 0x7f800000u | (size & 0x3ff) << 13);
    if (size >= 0x400) return float_of_bits(sign | ((size << 13) + 0x38000000u));
    return float_of_bits(sign | bits_of_float((float)size * 0x1p-24f));
}

// Processors before SSE4.1 have no rounding to whole numbers, those before FMA no multiply-add.

static float with_sign_of(float size, float sign) {
    return float_of_bits((bits_of_float(size) & 0x7fffffffu) | (bits_of_float(sign) & 0x80000000u));
}

static int is_whole(float value) {  // or no number
    return (bits_of_float(value) & 0x7fffffffu) >= 0x4b000000u;
}

float truncf(float value) {
    return is_whole(value) ? value : with_sign_of((float)(int32_t)value, value);
}

float floorf(float value) {
    float whole = truncf(value);
    return whole > value ? whole - 1 : whole;
}

float ceilf(float value) {
    float whole = truncf(value);
    return whole < value ? with_sign_of(whole + 1, value) : whole;
}

float roundf(float value) {
    float whole = truncf(value), rest = value - whole;
    return rest >= 0.5f || rest <= -0.5f ? whole + with_sign_of(1, value) : whole;
}

// The adder rounds: above 2^23 there are whole numbers only.
float rintf(float value) {
    volatile float shifted = float_of_bits(bits_of_float(value) & 0x7fffffffu) + 0x1p23f;
    return is_whole(value) ? value : with_sign_of(shifted - 0x1p23f, value);
}
float roundevenf(float value) {
    return rintf(value);
}
float nearbyintf(float value) {
    return rintf(value);
}

// The product of two floats is a double; what their sum drops decides where rounding to odd goes.
float fmaf(float a, float b, float c) {
    double product = (double)a * b, sum = product + c;
    double part = sum - product, error = (product - (sum - part)) + (c - part);
    uint64_t bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1) && (error < 0 || error > 0)) bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
    __builtin_memcpy(&sum, &bits, sizeof sum);
    return (float)sum;
}
