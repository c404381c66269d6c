// SPDX-License-Identifier: MIT

#include "pixel_formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace metal_objects {

namespace {

using enum ChannelKind;

float fromHalf(std::uint16_t half) {
    const int exponent = half >> 10 & 0x1F;
    const float mantissa = static_cast<float>(half & 0x3FF);
    float value = exponent == 0    ? std::ldexp(mantissa, -24)
                  : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                   : std::ldexp(1024 + mantissa, exponent - 25);
    return half & 0x8000 ? -value : value;
}

std::uint16_t toHalf(float value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7E00;
    if (magnitude >= 65520) return sign | 0x7C00;
    if (magnitude < 0x1p-14f) return sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
    int exponent = 0;
    const float fraction = std::frexp(magnitude, &exponent);                       // 0.5 <= fraction < 1
    const auto bits = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11)));  // 1024 ... 2048
    return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + (bits - 1024)));
}

float linearOfSrgb(float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

float srgbOfLinear(float value) {
    return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

template <class T>
T load(const std::uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

template <class T>
void store(std::uint8_t* bytes, T value) {
    std::memcpy(bytes, &value, sizeof value);
}

float readChannel(PixelFormat format, const std::uint8_t* bytes) {
    switch (format.kind) {
        case unorm:
            return format.channelBytes == 1 ? load<std::uint8_t>(bytes) / 255.0f
                                            : load<std::uint16_t>(bytes) / 65535.0f;
        case snorm:
            return std::max(
                format.channelBytes == 1 ? load<std::int8_t>(bytes) / 127.0f : load<std::int16_t>(bytes) / 32767.0f,
                -1.0f);
        default:
            return format.channelBytes == 2 ? fromHalf(load<std::uint16_t>(bytes)) : load<float>(bytes);
    }
}

void writeChannel(PixelFormat format, std::uint8_t* bytes, float value) {
    const auto scaled = [&](float low, float scale) {
        return std::nearbyint((std::isnan(value) ? 0.0f : std::clamp(value, low, 1.0f)) * scale);
    };
    switch (format.kind) {
        case unorm:
            if (format.channelBytes == 1) return store(bytes, static_cast<std::uint8_t>(scaled(0, 255)));
            return store(bytes, static_cast<std::uint16_t>(scaled(0, 65535)));
        case snorm:
            if (format.channelBytes == 1) return store(bytes, static_cast<std::int8_t>(scaled(-1, 127)));
            return store(bytes, static_cast<std::int16_t>(scaled(-1, 32767)));
        default:
            if (format.channelBytes == 2) return store(bytes, toHalf(value));
            return store(bytes, value);
    }
}

}  // namespace

PixelFormat pixelFormat(MTL::PixelFormat format) {
    switch (format) {
        case MTL::PixelFormatR8Unorm:
            return {1, 1, unorm};
        case MTL::PixelFormatR8Unorm_sRGB:
            return {1, 1, unorm, true};
        case MTL::PixelFormatR8Snorm:
            return {1, 1, snorm};
        case MTL::PixelFormatR8Uint:
            return {1, 1, uint};
        case MTL::PixelFormatR8Sint:
            return {1, 1, sint};
        case MTL::PixelFormatR16Unorm:
            return {1, 2, unorm};
        case MTL::PixelFormatR16Snorm:
            return {1, 2, snorm};
        case MTL::PixelFormatR16Uint:
            return {1, 2, uint};
        case MTL::PixelFormatR16Sint:
            return {1, 2, sint};
        case MTL::PixelFormatR16Float:
            return {1, 2, floating};
        case MTL::PixelFormatRG8Unorm:
            return {2, 1, unorm};
        case MTL::PixelFormatRG8Unorm_sRGB:
            return {2, 1, unorm, true};
        case MTL::PixelFormatRG8Snorm:
            return {2, 1, snorm};
        case MTL::PixelFormatRG8Uint:
            return {2, 1, uint};
        case MTL::PixelFormatRG8Sint:
            return {2, 1, sint};
        case MTL::PixelFormatR32Uint:
            return {1, 4, uint};
        case MTL::PixelFormatR32Sint:
            return {1, 4, sint};
        case MTL::PixelFormatR32Float:
            return {1, 4, floating};
        case MTL::PixelFormatRG16Unorm:
            return {2, 2, unorm};
        case MTL::PixelFormatRG16Snorm:
            return {2, 2, snorm};
        case MTL::PixelFormatRG16Uint:
            return {2, 2, uint};
        case MTL::PixelFormatRG16Sint:
            return {2, 2, sint};
        case MTL::PixelFormatRG16Float:
            return {2, 2, floating};
        case MTL::PixelFormatRGBA8Unorm:
            return {4, 1, unorm};
        case MTL::PixelFormatRGBA8Unorm_sRGB:
            return {4, 1, unorm, true};
        case MTL::PixelFormatRGBA8Snorm:
            return {4, 1, snorm};
        case MTL::PixelFormatRGBA8Uint:
            return {4, 1, uint};
        case MTL::PixelFormatRGBA8Sint:
            return {4, 1, sint};
        case MTL::PixelFormatBGRA8Unorm:
            return {4, 1, unorm, false, true};
        case MTL::PixelFormatBGRA8Unorm_sRGB:
            return {4, 1, unorm, true, true};
        case MTL::PixelFormatRG32Uint:
            return {2, 4, uint};
        case MTL::PixelFormatRG32Sint:
            return {2, 4, sint};
        case MTL::PixelFormatRG32Float:
            return {2, 4, floating};
        case MTL::PixelFormatRGBA16Unorm:
            return {4, 2, unorm};
        case MTL::PixelFormatRGBA16Snorm:
            return {4, 2, snorm};
        case MTL::PixelFormatRGBA16Uint:
            return {4, 2, uint};
        case MTL::PixelFormatRGBA16Sint:
            return {4, 2, sint};
        case MTL::PixelFormatRGBA16Float:
            return {4, 2, floating};
        case MTL::PixelFormatRGBA32Uint:
            return {4, 4, uint};
        case MTL::PixelFormatRGBA32Sint:
            return {4, 4, sint};
        case MTL::PixelFormatRGBA32Float:
            return {4, 4, floating};
        default:
            return {};
    }
}

void readTexel(PixelFormat format, const std::uint8_t* texel, float rgba[4]) {
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = 1;
    for (int c = 0; c < format.channels; ++c) rgba[c] = readChannel(format, texel + c * format.channelBytes);
    if (format.isBgra) std::swap(rgba[0], rgba[2]);
    if (format.isSrgb) std::for_each(rgba, rgba + 3, [](float& value) { value = linearOfSrgb(value); });
}

void writeTexel(PixelFormat format, std::uint8_t* texel, const float rgba[4]) {
    float channels[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
    if (format.isSrgb) std::for_each(channels, channels + 3, [](float& value) { value = srgbOfLinear(value); });
    if (format.isBgra) std::swap(channels[0], channels[2]);
    for (int c = 0; c < format.channels; ++c) writeChannel(format, texel + c * format.channelBytes, channels[c]);
}

}  // namespace metal_objects
