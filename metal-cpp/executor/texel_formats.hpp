// SPDX-License-Identifier: MIT
//
// How texels of each pixel format are stored, and the exact conversions: shared by the kernels' run-time library (which
// has no standard library, hence nothing is included here) and by what makes levels and clears textures on the host.

#pragma once

#include <stdint.h>

namespace metal_texels {

/// MTL::PixelFormat.
enum PixelFormat : uint32_t {
    A8Unorm = 1,
    R8Unorm = 10,
    R8Unorm_sRGB = 11,
    R8Snorm = 12,
    R8Uint = 13,
    R8Sint = 14,
    R16Unorm = 20,
    R16Snorm = 22,
    R16Uint = 23,
    R16Sint = 24,
    R16Float = 25,
    RG8Unorm = 30,
    RG8Unorm_sRGB = 31,
    RG8Snorm = 32,
    RG8Uint = 33,
    RG8Sint = 34,
    B5G6R5Unorm = 40,
    A1BGR5Unorm = 41,
    ABGR4Unorm = 42,
    BGR5A1Unorm = 43,
    R32Uint = 53,
    R32Sint = 54,
    R32Float = 55,
    RG16Unorm = 60,
    RG16Snorm = 62,
    RG16Uint = 63,
    RG16Sint = 64,
    RG16Float = 65,
    RGBA8Unorm = 70,
    RGBA8Unorm_sRGB = 71,
    RGBA8Snorm = 72,
    RGBA8Uint = 73,
    RGBA8Sint = 74,
    BGRA8Unorm = 80,
    BGRA8Unorm_sRGB = 81,
    RGB10A2Unorm = 90,
    RGB10A2Uint = 91,
    RG11B10Float = 92,
    RGB9E5Float = 93,
    BGR10A2Unorm = 94,
    RG32Uint = 103,
    RG32Sint = 104,
    RG32Float = 105,
    RGBA16Unorm = 110,
    RGBA16Snorm = 112,
    RGBA16Uint = 113,
    RGBA16Sint = 114,
    RGBA16Float = 115,
    RGBA32Uint = 123,
    RGBA32Sint = 124,
    RGBA32Float = 125,
    GBGR422 = 240,
    BGRG422 = 241,
    Depth16Unorm = 250,
    Depth32Float = 252,
    Stencil8 = 253,
    Depth24Unorm_Stencil8 = 255,
    Depth32Float_Stencil8 = 260,
    X32_Stencil8 = 261,
    X24_Stencil8 = 262,
    BGRA10_XR = 552,
    BGRA10_XR_sRGB = 553,
    BGR10_XR = 554,
    BGR10_XR_sRGB = 555,
};

enum Kind : uint8_t {
    none,
    unorm,
    srgb,  // of red, green and blue
    snorm,
    uint,
    sint,
    floating,
    smallFloat,      // RG11B10Float
    sharedExponent,  // RGB9E5Float
    extended,        // wide gamut: ten bits for -0.75 to 1.25
    extendedSrgb,
    subsampled,  // two texels of a row share red and blue
};

/// Components of one texel: of equal size in memory one after the other, or fields of one integer (`packed`), of
/// `bits[component]` bits from the lowest up in memory's order.
struct Layout {
    Kind kind = none;
    uint8_t bytes = 0;       // of a texel
    uint8_t components = 0;  // red first, in memory's order unless `order` says else
    uint8_t bits[4] = {0, 0, 0, 0};
    bool packed = false;
    uint8_t order[4] = {0, 1, 2, 3};  // which of red, green, blue, alpha each component in memory is
    uint8_t offset = 0;               // of the first byte
    uint8_t skip = 0;                 // low bits of each field that mean nothing

    constexpr bool hasAlpha() const {
        for (int index = 0; index < components; ++index)
            if (order[index] == 3) return true;
        return false;
    }
    constexpr bool isInteger() const { return kind == uint || kind == sint; }
};

constexpr Layout plain(Kind kind, uint8_t components, uint8_t bits) {
    return {kind, uint8_t(components * bits / 8), components, {bits, bits, bits, bits}};
}

constexpr Layout layoutOf(uint32_t format) {
    switch (format) {
        case A8Unorm:
            return {unorm, 1, 1, {8}, false, {3}};
        case R8Unorm:
            return plain(unorm, 1, 8);
        case R8Unorm_sRGB:
            return plain(srgb, 1, 8);
        case R8Snorm:
            return plain(snorm, 1, 8);
        case R8Uint:
        case Stencil8:
            return plain(uint, 1, 8);
        case R8Sint:
            return plain(sint, 1, 8);
        case R16Unorm:
        case Depth16Unorm:
            return plain(unorm, 1, 16);
        case R16Snorm:
            return plain(snorm, 1, 16);
        case R16Uint:
            return plain(uint, 1, 16);
        case R16Sint:
            return plain(sint, 1, 16);
        case R16Float:
            return plain(floating, 1, 16);
        case RG8Unorm:
            return plain(unorm, 2, 8);
        case RG8Unorm_sRGB:
            return plain(srgb, 2, 8);
        case RG8Snorm:
            return plain(snorm, 2, 8);
        case RG8Uint:
            return plain(uint, 2, 8);
        case RG8Sint:
            return plain(sint, 2, 8);
        case B5G6R5Unorm:
            return {unorm, 2, 3, {5, 6, 5}, true, {2, 1, 0}};
        case A1BGR5Unorm:
            return {unorm, 2, 4, {1, 5, 5, 5}, true, {3, 2, 1, 0}};
        case ABGR4Unorm:
            return {unorm, 2, 4, {4, 4, 4, 4}, true, {3, 2, 1, 0}};
        case BGR5A1Unorm:
            return {unorm, 2, 4, {5, 5, 5, 1}, true, {2, 1, 0, 3}};
        case R32Uint:
            return plain(uint, 1, 32);
        case R32Sint:
            return plain(sint, 1, 32);
        case R32Float:
        case Depth32Float:
            return plain(floating, 1, 32);
        case RG16Unorm:
            return plain(unorm, 2, 16);
        case RG16Snorm:
            return plain(snorm, 2, 16);
        case RG16Uint:
            return plain(uint, 2, 16);
        case RG16Sint:
            return plain(sint, 2, 16);
        case RG16Float:
            return plain(floating, 2, 16);
        case RGBA8Unorm:
            return plain(unorm, 4, 8);
        case RGBA8Unorm_sRGB:
            return plain(srgb, 4, 8);
        case RGBA8Snorm:
            return plain(snorm, 4, 8);
        case RGBA8Uint:
            return plain(uint, 4, 8);
        case RGBA8Sint:
            return plain(sint, 4, 8);
        case BGRA8Unorm:
            return {unorm, 4, 4, {8, 8, 8, 8}, false, {2, 1, 0, 3}};
        case BGRA8Unorm_sRGB:
            return {srgb, 4, 4, {8, 8, 8, 8}, false, {2, 1, 0, 3}};
        case RGB10A2Unorm:
            return {unorm, 4, 4, {10, 10, 10, 2}, true};
        case RGB10A2Uint:
            return {uint, 4, 4, {10, 10, 10, 2}, true};
        case RG11B10Float:
            return {smallFloat, 4, 3, {11, 11, 10}, true};
        case RGB9E5Float:
            return {sharedExponent, 4, 3, {9, 9, 9}, true};
        case BGR10A2Unorm:
            return {unorm, 4, 4, {10, 10, 10, 2}, true, {2, 1, 0, 3}};
        case RG32Uint:
            return plain(uint, 2, 32);
        case RG32Sint:
            return plain(sint, 2, 32);
        case RG32Float:
            return plain(floating, 2, 32);
        case GBGR422:  // green, blue, green, red
            return {subsampled, 2, 2, {8, 8}, true, {1, 2}};
        case BGRG422:  // blue, green, red, green
            return {subsampled, 2, 2, {8, 8}, true, {2, 1}};
        case RGBA16Unorm:
            return plain(unorm, 4, 16);
        case RGBA16Snorm:
            return plain(snorm, 4, 16);
        case RGBA16Uint:
            return plain(uint, 4, 16);
        case RGBA16Sint:
            return plain(sint, 4, 16);
        case RGBA16Float:
            return plain(floating, 4, 16);
        case RGBA32Uint:
            return plain(uint, 4, 32);
        case RGBA32Sint:
            return plain(sint, 4, 32);
        case RGBA32Float:
            return plain(floating, 4, 32);
        case Depth32Float_Stencil8:
            return {floating, 8, 1, {32}};
        case Depth24Unorm_Stencil8:  // the depth in the low bits
            return {unorm, 4, 1, {24}, true};
        case X24_Stencil8:
            return {uint, 4, 1, {8}, false, {0}, 3};
        case X32_Stencil8:
            return {uint, 8, 1, {8}, false, {0}, 4};
        case BGR10_XR:
            return {extended, 4, 3, {10, 10, 10}, true, {2, 1, 0}};
        case BGR10_XR_sRGB:
            return {extendedSrgb, 4, 3, {10, 10, 10}, true, {2, 1, 0}};
        case BGRA10_XR:
            return {extended, 8, 4, {16, 16, 16, 16}, true, {2, 1, 0, 3}, 0, 6};
        case BGRA10_XR_sRGB:
            return {extendedSrgb, 8, 4, {16, 16, 16, 16}, true, {2, 1, 0, 3}, 0, 6};
        default:
            return {};
    }
}

/// The layouts by number, so that no kernel's texel waits for a search.
struct Layouts {
    Layout of[BGR10_XR_sRGB + 1];
    constexpr Layouts() : of() {
        for (uint32_t format = 0; format <= BGR10_XR_sRGB; ++format) of[format] = layoutOf(format);
    }
};
inline constexpr Layouts layouts;

inline const Layout& layoutAt(uint32_t format) {
    return layouts.of[format <= BGR10_XR_sRGB ? format : 0];
}

// ---- Arithmetic without a library ----

inline uint32_t bitsOf(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}
inline float ofBits(uint32_t bits) {
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/// To the nearest integer, ties to the even one, of less than 2^22.
inline int32_t nearest(float value) {
    constexpr float anchor = 12582912.0f;  // 1.5 * 2^23: a float of this size has no fraction
    return (int32_t)((value + anchor) - anchor);
}

/// Not a number: zero.
inline float within(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : (value <= low ? low : 0.0f);
}

/// A positive value's bits with `kept` bits of fraction and an exponent of five bits, rounded to the nearest even.
inline uint32_t narrowed(uint32_t bits, int kept) {
    const int dropped = 23 - kept;
    if (bits > 0x7f800000u) return (31u << kept) | (1u << (kept - 1));  // not a number
    const int exponent = (int)(bits >> 23) - 127;
    if (exponent > 15) return 31u << kept;
    uint32_t fraction = (bits & 0x7fffffu) | 0x800000u;
    int shift = dropped;
    uint32_t result = 0;
    if (exponent < -14) {
        shift += -14 - exponent;
        if (shift > 24) return 0;
    } else {
        result = (uint32_t)(exponent + 14) << kept;  // the fraction's leading one counts one more
    }
    const uint32_t half = 1u << (shift - 1), rest = fraction & ((1u << shift) - 1);
    fraction >>= shift;
    if (rest > half || (rest == half && (fraction & 1))) ++fraction;
    return result + fraction;
}

inline float widened(uint32_t bits, int kept) {
    const uint32_t exponent = bits >> kept & 31, fraction = bits & ((1u << kept) - 1);
    if (exponent == 0) return (float)fraction * ofBits((uint32_t)(127 - 14 - kept) << 23);
    if (exponent == 31) return ofBits(0x7f800000u | fraction << (23 - kept));
    return ofBits((exponent + 112) << 23 | fraction << (23 - kept));
}

// As processors convert them, since kernels have that done: what is not a number keeps its fraction and becomes quiet.
inline float ofHalf(uint32_t half) {
    const uint32_t magnitude = half & 0x7fff, quiet = magnitude > 0x7c00 ? 0x400000u : 0;
    return ofBits(bitsOf(widened(magnitude, 10)) | quiet | (half & 0x8000u) << 16);
}
inline uint32_t toHalf(float value) {
    const uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffffu;
    const uint32_t number = magnitude > 0x7f800000u ? 0x7e00u | (magnitude >> 13 & 0x1ffu) : narrowed(magnitude, 10);
    return number | (bits >> 16 & 0x8000u);
}

/// The quotient by 2^bits - 1 of an integer of so many bits (or its negative), rounded as the division is, without one:
/// the product by the first part of 1 / (2^bits - 1) is exact.
template <int bits>
inline float unitOf(float number) {
    constexpr double inverse = 1.0 / (double)((1u << bits) - 1), step = 1u << 23;
    constexpr float first = (float)((double)(int64_t)(inverse * step + 0.5) / step);
    constexpr float rest = (float)(inverse - (double)first);
    return number * first + number * rest;
}

// ---- sRGB (IEC 61966-2-1) ----

/// The transfer function from a stored value to light.
constexpr double lightOf(double stored) {
    if (stored <= 0.04045) return stored / 12.92;
    const double base = (stored + 0.055) / 1.055;
    // base ^ 2.4 is its square times the square's fifth root, found by Newton's steps.
    const double square = base * base;
    double root = 1;
    for (int step = 0; step < 40; ++step) {
        const double fourth = root * root * root * root;
        root -= (root * fourth - square) / (5 * fourth);
    }
    return square * root;
}

struct SrgbTables {
    float light[256];   // of each byte
    float lowest[256];  // light that is stored as this byte
    constexpr SrgbTables() : light(), lowest() {
        for (int byte = 0; byte < 256; ++byte) {
            light[byte] = (float)lightOf(byte / 255.0);
            lowest[byte] = (float)lightOf((byte - 0.5) / 255.0);
        }
    }
};
inline constexpr SrgbTables srgbTables;

inline uint32_t srgbByte(float light) {
    int low = 0, high = 255;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (light >= srgbTables.lowest[middle]) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return (uint32_t)low;
}

/// The transfer function for values outside of 0 to 1 as well, mirrored at zero.
inline float extendedLight(float stored) {
    const float light = (float)lightOf(stored < 0 ? -stored : stored);
    return stored < 0 ? -light : light;
}
inline float extendedStored(float light) {
    const float magnitude = within(light < 0 ? -light : light, 0, 2);
    float low = 0, high = 1.5f;
    for (int step = 0; step < 26; ++step) {  // halving: the function only grows
        const float middle = (low + high) * 0.5f;
        (float)lightOf(middle) <= magnitude ? low = middle : high = middle;
    }
    return light < 0 ? -low : low;
}

// ---- One component ----

constexpr uint32_t onesOf(int bits) {
    return bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
}
inline int32_t signExtended(uint32_t field, int bits) {
    return (int32_t)(field << (32 - bits)) >> (32 - bits);
}

constexpr float extendedZero = 384, extendedOne = 510;  // stored 384 is 0, 894 is 1

inline float realOf(const Layout& layout, int index, uint32_t field) {
    const int bits = layout.bits[index];
    switch (layout.kind) {
        case unorm:
            return (float)field / (float)onesOf(bits);
        case srgb:
            return layout.order[index] == 3 ? (float)field / 255.0f : srgbTables.light[field];
        case snorm: {
            const float value = (float)signExtended(field, bits) / (float)onesOf(bits - 1);
            return value < -1 ? -1 : value;
        }
        case floating:
            return bits == 16 ? ofHalf(field) : ofBits(field);
        case smallFloat:
            return widened(field, bits - 5);
        case extended:
        case extendedSrgb: {
            const float value = ((float)(field >> layout.skip) - extendedZero) / extendedOne;
            return layout.kind == extendedSrgb && layout.order[index] != 3 ? extendedLight(value) : value;
        }
        default:
            return 0;
    }
}

inline uint32_t fieldOf(const Layout& layout, int index, float value) {
    const int bits = layout.bits[index];
    switch (layout.kind) {
        case unorm:
            return (uint32_t)nearest(within(value, 0, 1) * (float)onesOf(bits));
        case srgb:
            return layout.order[index] == 3 ? (uint32_t)nearest(within(value, 0, 1) * 255.0f) : srgbByte(value);
        case snorm:
            return (uint32_t)nearest(within(value, -1, 1) * (float)onesOf(bits - 1)) & onesOf(bits);
        case floating:
            return bits == 16 ? toHalf(value) : bitsOf(value);
        case smallFloat: {
            const uint32_t raw = bitsOf(value);
            const bool negative = raw >> 31 && (raw & 0x7fffffffu) <= 0x7f800000u;
            return negative ? 0 : narrowed(raw & 0x7fffffffu, bits - 5);
        }
        case extended:
        case extendedSrgb: {
            if (layout.kind == extendedSrgb && layout.order[index] != 3) value = extendedStored(value);
            return (uint32_t)nearest(within(value * extendedOne + extendedZero, 0, 1023)) << layout.skip;
        }
        default:
            return 0;
    }
}

// ---- Red, green and blue with one exponent ----

inline void loadShared(uint32_t word, float rgba[4]) {
    const float unit = ofBits(((word >> 27) + 127 - 15 - 9) << 23);
    for (int index = 0; index < 3; ++index) rgba[index] = (float)(word >> (9 * index) & 511) * unit;
}

inline uint32_t storeShared(const float rgba[4]) {
    constexpr float most = 65408;  // 511 / 512 * 2^16
    float values[3], largest = 0;
    for (int index = 0; index < 3; ++index) {
        values[index] = within(rgba[index], 0, most);
        if (values[index] > largest) largest = values[index];
    }
    int exponent = (int)(bitsOf(largest) >> 23) - 127 + 16;  // of the largest, as 0.5 to 1 times a power of two
    if (exponent < 0) exponent = 0;
    float scale = ofBits((uint32_t)(127 + 24 - exponent) << 23);
    if (nearest(largest * scale) == 512) {
        ++exponent;
        scale *= 0.5f;
    }
    uint32_t word = (uint32_t)exponent << 27;
    for (int index = 0; index < 3; ++index) word |= (uint32_t)nearest(values[index] * scale) << (9 * index);
    return word;
}

// ---- One texel ----

inline uint64_t loadFields(const uint8_t* texel, int bytes) {
    uint64_t fields = 0;
    for (int index = 0; index < bytes; ++index) fields |= (uint64_t)texel[index] << (8 * index);
    return fields;
}

template <class T>
inline T loadAs(const uint8_t* bytes) {
    T value;
    __builtin_memcpy(&value, bytes, sizeof value);
    return value;
}

/// The components in memory's order as they are stored.
inline void loadRaw(const Layout& layout, const uint8_t* texel, uint32_t raw[4]) {
    if (layout.packed) {
        uint64_t fields = loadFields(texel, layout.bytes);
        for (int index = 0; index < layout.components; ++index) {
            raw[index] = (uint32_t)fields & onesOf(layout.bits[index]);
            fields >>= layout.bits[index];
        }
        return;
    }
    texel += layout.offset;
    for (int index = 0; index < layout.components; ++index) {
        switch (layout.bits[0]) {
            case 8:
                raw[index] = texel[index];
                break;
            case 16:
                raw[index] = loadAs<uint16_t>(texel + 2 * index);
                break;
            default:
                raw[index] = loadAs<uint32_t>(texel + 4 * index);
        }
    }
}

inline void storeRaw(const Layout& layout, uint8_t* texel, const uint32_t raw[4]) {
    if (layout.packed) {
        uint64_t fields = 0;
        for (int index = 0, shift = 0; index < layout.components; shift += layout.bits[index++])
            fields |= (uint64_t)raw[index] << shift;
        for (int index = 0; index < layout.bytes; ++index) texel[index] = (uint8_t)(fields >> (8 * index));
        return;
    }
    for (int index = 0; index < layout.components; ++index) {
        const int bytes = layout.bits[index] / 8;
        for (int byte = 0; byte < bytes; ++byte)
            texel[layout.offset + index * bytes + byte] = (uint8_t)(raw[index] >> (8 * byte));
    }
}

/// Red, green, blue, alpha; what the format has not is 0, alpha 1.
inline void loadReal(uint32_t format, const uint8_t* texel, float rgba[4]) {
    const Layout& layout = layoutAt(format);
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = 1;
    if (layout.kind == sharedExponent) return loadShared((uint32_t)loadFields(texel, 4), rgba);
    if (layout.kind == subsampled) {
        // Pairs begin at multiples of four bytes, as rows do.
        const uint64_t address = (uint64_t)texel;
        const uint8_t* pair = (const uint8_t*)(address & ~(uint64_t)3);
        const int first = layout.order[0] == 1 ? 0 : 1;  // of the greens
        rgba[1] = (float)pair[first + (address & 2)] / 255.0f;
        rgba[2] = (float)pair[1 - first] / 255.0f;
        rgba[0] = (float)pair[3 - first] / 255.0f;
        return;
    }
    uint32_t raw[4];
    loadRaw(layout, texel, raw);
    if (layout.kind == srgb) {  // so common that it need not ask for each component
        for (int index = 0; index < layout.components; ++index)
            rgba[layout.order[index]] = srgbTables.light[raw[index]];
        if (layout.components == 4) rgba[3] = (float)raw[3] / 255.0f;
        return;
    }
    for (int index = 0; index < layout.components; ++index)
        rgba[layout.order[index]] = realOf(layout, index, raw[index]);
}

inline void storeReal(uint32_t format, uint8_t* texel, const float rgba[4]) {
    const Layout& layout = layoutAt(format);
    if (layout.kind == subsampled) return;
    uint32_t raw[4] = {0, 0, 0, 0};
    if (layout.kind == sharedExponent) {
        const uint32_t word = storeShared(rgba);
        for (int byte = 0; byte < 4; ++byte) texel[byte] = (uint8_t)(word >> (8 * byte));
        return;
    }
    for (int index = 0; index < layout.components; ++index)
        raw[index] = fieldOf(layout, index, rgba[layout.order[index]]);
    storeRaw(layout, texel, raw);
}

// ---- Swizzles: above a format's own bits, 4 bits for each component; none for red, green, blue, alpha ----

inline constexpr uint32_t formatBits = 0xffff;

/// MTL::TextureSwizzle of each component, to put above a format.
constexpr uint32_t swizzleBits(const uint8_t (&channels)[4]) {
    uint32_t bits = 0;
    bool isPlain = true;
    for (int index = 0; index < 4; ++index) {
        isPlain = isPlain && channels[index] == index + 2;
        bits |= (uint32_t)channels[index] << (16 + 4 * index);
    }
    return isPlain ? 0 : bits;
}

template <class Number>
inline void swizzle(uint32_t format, Number rgba[4]) {
    const uint32_t channels = format >> 16;
    if (!channels) return;
    const Number all[6] = {0, 1, rgba[0], rgba[1], rgba[2], rgba[3]};
    for (int index = 0; index < 4; ++index) rgba[index] = all[channels >> (4 * index) & 7];
}

/// The same for formats of integers; signed ones as their bits.
inline void loadInteger(uint32_t format, const uint8_t* texel, uint32_t rgba[4]) {
    const Layout& layout = layoutAt(format);
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = 1;
    if (!layout.isInteger()) return;
    uint32_t raw[4];
    loadRaw(layout, texel, raw);
    for (int index = 0; index < layout.components; ++index) {
        rgba[layout.order[index]] =
            layout.kind == sint ? (uint32_t)signExtended(raw[index], layout.bits[index]) : raw[index];
    }
}

/// Values that do not fit are clamped.
inline void storeInteger(uint32_t format, uint8_t* texel, const uint32_t rgba[4]) {
    const Layout& layout = layoutAt(format);
    if (!layout.isInteger()) return;
    uint32_t raw[4];
    for (int index = 0; index < layout.components; ++index) {
        const uint32_t value = rgba[layout.order[index]];
        const int bits = layout.bits[index];
        if (layout.kind == sint) {
            const int32_t most = (int32_t)onesOf(bits - 1), low = -most - 1, number = (int32_t)value;
            raw[index] = (uint32_t)(number < low ? low : number > most ? most : number) & onesOf(bits);
        } else {
            raw[index] = value < onesOf(bits) ? value : onesOf(bits);
        }
    }
    storeRaw(layout, texel, raw);
}

}  // namespace metal_texels
