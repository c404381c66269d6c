// SPDX-License-Identifier: MIT
//
// Texels of the uncommon formats: a component's kind, how many there are. Compiled as ordinary functions; see
// textures.cpp.

#include "texels.hpp"

namespace {

enum Kind : uint8_t {
    none,
    unorm8,
    srgb8,
    snorm8,
    unorm16,
    snorm16,
    float16,
    float32,
    uint8,
    sint8,
    uint16,
    sint16,
    uint32
};

struct Layout {
    Kind kind = none;
    uint8_t components = 0;
    bool blueFirst = false;
};

Layout layoutOf(uint32_t format) {
    switch (format) {
        case R8Unorm:
            return {unorm8, 1};
        case RG8Unorm:
            return {unorm8, 2};
        case RGBA8Unorm:
            return {unorm8, 4};
        case R8Unorm_sRGB:
            return {srgb8, 1};
        case RG8Unorm_sRGB:
            return {srgb8, 2};
        case RGBA8Unorm_sRGB:
            return {srgb8, 4};
        case BGRA8Unorm_sRGB:
            return {srgb8, 4, true};
        case R8Snorm:
            return {snorm8, 1};
        case RG8Snorm:
            return {snorm8, 2};
        case RGBA8Snorm:
            return {snorm8, 4};
        case R16Unorm:
            return {unorm16, 1};
        case RG16Unorm:
            return {unorm16, 2};
        case RGBA16Unorm:
            return {unorm16, 4};
        case R16Snorm:
            return {snorm16, 1};
        case RG16Snorm:
            return {snorm16, 2};
        case RGBA16Snorm:
            return {snorm16, 4};
        case R16Float:
            return {float16, 1};
        case RG16Float:
            return {float16, 2};
        case RGBA16Float:
            return {float16, 4};
        case R32Float:
            return {float32, 1};
        case RG32Float:
            return {float32, 2};
        case RGBA32Float:
            return {float32, 4};
        case R8Uint:
            return {uint8, 1};
        case RG8Uint:
            return {uint8, 2};
        case RGBA8Uint:
            return {uint8, 4};
        case R8Sint:
            return {sint8, 1};
        case RG8Sint:
            return {sint8, 2};
        case RGBA8Sint:
            return {sint8, 4};
        case R16Uint:
            return {uint16, 1};
        case RG16Uint:
            return {uint16, 2};
        case RGBA16Uint:
            return {uint16, 4};
        case R16Sint:
            return {sint16, 1};
        case RG16Sint:
            return {sint16, 2};
        case RGBA16Sint:
            return {sint16, 4};
        case R32Uint:
        case R32Sint:
            return {uint32, 1};
        case RG32Uint:
        case RG32Sint:
            return {uint32, 2};
        case RGBA32Uint:
        case RGBA32Sint:
            return {uint32, 4};
        default:
            return {};
    }
}

float atLeastMinusOne(float value) {
    return value > -1.0f ? value : -1.0f;
}
/// Not a number: the lower bound's side of zero, which is zero.
float clamp(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : (value <= low ? low : 0.0f);
}
int32_t nearest(float value) {
    return (int32_t)__builtin_rintf(value);
}

/// The sRGB transfer function (IEC 61966-2-1), from a stored value to light.
float lightOf(float stored) {
    if (stored <= 0.04045f) return stored / 12.92f;
    float base = (stored + 0.055f) / 1.055f;
    // base ^ 2.4 is its square times the square's fifth root, by Newton's steps: 0.38 is the smallest, 12 steps from 1
    // reach it.
    float square = base * base;
    float root = 1;
    for (int step = 0; step < 12; ++step) {
        float fourth = root * root * root * root;
        root -= (root * fourth - square) / (5 * fourth);
    }
    return square * root;
}

/// The byte nearest to a light's stored value: the greatest whose lower bound does not lie above it.
uint8_t storedOf(float light) {
    int low = 0, high = 255;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (light >= lightOf((middle - 0.5f) / 255.0f)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return (uint8_t)low;
}

float loadReal(const uint8_t* texel, Kind kind, int index) {
    switch (kind) {
        case unorm8:
            return texel[index] / 255.0f;
        case srgb8:
            return index == 3 ? texel[index] / 255.0f : lightOf(texel[index] / 255.0f);
        case snorm8:
            return atLeastMinusOne(((const int8_t*)texel)[index] / 127.0f);
        case unorm16:
            return ((const uint16_t*)texel)[index] / 65535.0f;
        case snorm16:
            return atLeastMinusOne(((const int16_t*)texel)[index] / 32767.0f);
        case float16:
            return (float)((const _Float16*)texel)[index];
        case float32:
            return ((const float*)texel)[index];
        default:
            return 0;
    }
}

uint32_t loadInteger(const uint8_t* texel, Kind kind, int index) {
    switch (kind) {
        case uint8:
            return texel[index];
        case sint8:
            return (uint32_t)(int32_t)((const int8_t*)texel)[index];
        case uint16:
            return ((const uint16_t*)texel)[index];
        case sint16:
            return (uint32_t)(int32_t)((const int16_t*)texel)[index];
        case uint32:
            return ((const uint32_t*)texel)[index];
        default:
            return 0;
    }
}

void storeReal(uint8_t* texel, Kind kind, int index, float value) {
    switch (kind) {
        case unorm8:
            texel[index] = (uint8_t)nearest(clamp(value, 0, 1) * 255.0f);
            break;
        case srgb8:
            texel[index] = index == 3 ? (uint8_t)nearest(clamp(value, 0, 1) * 255.0f) : storedOf(value);
            break;
        case snorm8:
            ((int8_t*)texel)[index] = (int8_t)nearest(clamp(value, -1, 1) * 127.0f);
            break;
        case unorm16:
            ((uint16_t*)texel)[index] = (uint16_t)nearest(clamp(value, 0, 1) * 65535.0f);
            break;
        case snorm16:
            ((int16_t*)texel)[index] = (int16_t)nearest(clamp(value, -1, 1) * 32767.0f);
            break;
        case float16:
            ((_Float16*)texel)[index] = (_Float16)value;
            break;
        case float32:
            ((float*)texel)[index] = value;
            break;
        default:
            break;
    }
}

uint32_t atMost(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}
int32_t within(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

/// Values that do not fit are clamped.
void storeInteger(uint8_t* texel, Kind kind, int index, uint32_t value) {
    switch (kind) {
        case uint8:
            texel[index] = (uint8_t)atMost(value, 255);
            break;
        case sint8:
            ((int8_t*)texel)[index] = (int8_t)within((int32_t)value, -128, 127);
            break;
        case uint16:
            ((uint16_t*)texel)[index] = (uint16_t)atMost(value, 65535);
            break;
        case sint16:
            ((int16_t*)texel)[index] = (int16_t)within((int32_t)value, -32768, 32767);
            break;
        case uint32:
            ((uint32_t*)texel)[index] = value;
            break;
        default:
            break;
    }
}

}  // namespace

extern "C" {

float4 __metal_slow_load_f32(const uint8_t* texel, uint32_t format) {
    if (format == A8Unorm) return float4{0, 0, 0, *texel / 255.0f};
    Layout layout = layoutOf(format);
    float4 value = {0, 0, 0, 1};
    for (int index = 0; index < layout.components; ++index) value[index] = loadReal(texel, layout.kind, index);
    if (layout.blueFirst) return float4{value.z, value.y, value.x, value.w};
    return value;
}

uint4 __metal_slow_load_u32(const uint8_t* texel, uint32_t format) {
    Layout layout = layoutOf(format);
    uint4 value = {0, 0, 0, 1};
    for (int index = 0; index < layout.components; ++index) value[index] = loadInteger(texel, layout.kind, index);
    return value;
}

void __metal_slow_store_f32(uint8_t* texel, uint32_t format, float4 value) {
    if (format == A8Unorm) return storeReal(texel, unorm8, 0, value.w);
    Layout layout = layoutOf(format);
    if (layout.blueFirst) value = float4{value.z, value.y, value.x, value.w};
    for (int index = 0; index < layout.components; ++index) storeReal(texel, layout.kind, index, value[index]);
}

void __metal_slow_store_u32(uint8_t* texel, uint32_t format, uint4 value) {
    Layout layout = layoutOf(format);
    for (int index = 0; index < layout.components; ++index) storeInteger(texel, layout.kind, index, value[index]);
}
}
