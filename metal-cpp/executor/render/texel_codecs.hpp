// SPDX-License-Identifier: MIT
//
// One component of a texel, from a number to the field that is stored and back, without branches: the same results as
// texel_formats.hpp has, in a form that loops over columns can be made of vector code with.

#pragma once

#include <array>
#include <limits>

#include "../texel_formats.hpp"
#include "vectorised.hpp"

namespace metal_executor::render {

struct UnormCodec {
    float ones;  // the greatest field
    METAL_INLINED std::uint32_t encode(float value) const {
        return static_cast<std::uint32_t>(static_cast<int>(nearest(toUnit(value) * ones)));
    }
    METAL_INLINED float decode(std::uint32_t field) const { return static_cast<float>(static_cast<int>(field)) / ones; }
};

struct Unorm8Codec {
    METAL_INLINED std::uint32_t encode(float value) const { return UnormCodec{255}.encode(value); }
    METAL_INLINED float decode(std::uint32_t field) const {
        // As metal_texels::unitOf<8>: no division.
        constexpr double inverse = 1.0 / 255, step = 1u << 23;
        constexpr float first =
            static_cast<float>(static_cast<double>(static_cast<std::int64_t>(inverse * step + 0.5)) / step);
        constexpr float rest = static_cast<float>(inverse - static_cast<double>(first));
        const auto number = static_cast<float>(static_cast<int>(field));
        return number * first + number * rest;
    }
};

struct SnormCodec {
    int bits;
    METAL_INLINED std::uint32_t encode(float value) const {
        float within = value > -1 ? (value < 1 ? value : 1) : -1;
        within = value == value ? within : 0;
        const auto number = static_cast<int>(nearest(within * most()));
        return static_cast<std::uint32_t>(number) & ((1u << bits) - 1);
    }
    METAL_INLINED float decode(std::uint32_t field) const {
        const int number = static_cast<int>(field << (32 - bits)) >> (32 - bits);
        const float value = static_cast<float>(number) / most();
        return value < -1 ? -1 : value;
    }
    METAL_INLINED float most() const { return static_cast<float>((1 << (bits - 1)) - 1); }
};

/// Which byte light is stored as: buckets of light by the leading bits of its float, small enough that at most one
/// byte begins in each.
struct SrgbBuckets {
    static constexpr std::uint32_t first = 0x39000000;  // 2^-13: all below is stored as 0
    static constexpr std::uint32_t last = 0x3f7fffff;   // just below 1
    static constexpr int shift = 16;
    std::array<std::int32_t, ((last - first) >> shift) + 1> byte{};
    std::array<float, 257> lowest{};  // light that is stored as this byte
    std::array<float, 256> light{};

    SrgbBuckets() {
        for (std::size_t bucket = 0; bucket < byte.size(); ++bucket) {
            const auto bits = first + (static_cast<std::uint32_t>(bucket) << shift);
            byte[bucket] = static_cast<std::int32_t>(metal_texels::srgbByte(metal_texels::ofBits(bits)));
        }
        for (std::size_t index = 0; index < 256; ++index) {
            lowest[index] = metal_texels::srgbTables.lowest[index];
            light[index] = metal_texels::srgbTables.light[index];
        }
        lowest[256] = std::numeric_limits<float>::infinity();
    }
};

struct SrgbCodec {
    const SrgbBuckets& buckets;
    METAL_INLINED std::uint32_t encode(float value) const {
        const float light = toUnit(value);
        std::uint32_t bits = bitsOf(light);
        bits = bits < SrgbBuckets::first ? SrgbBuckets::first : bits;
        bits = bits > SrgbBuckets::last ? SrgbBuckets::last : bits;
        // Indices with a sign of their own are what vector code can gather with.
        const auto bucket = static_cast<std::int32_t>((bits - SrgbBuckets::first) >> SrgbBuckets::shift);
        const std::int32_t byte = buckets.byte.data()[bucket];
        return static_cast<std::uint32_t>(byte) + (light >= buckets.lowest.data()[byte + 1] ? 1u : 0u);
    }
    METAL_INLINED float decode(std::uint32_t field) const {
        return buckets.light.data()[static_cast<std::int32_t>(field)];
    }
};

struct HalfCodec {
    METAL_INLINED std::uint32_t encode(float value) const {
        const std::uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffffu;
        const std::uint32_t normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112u << 10);
        // The least bit of a float between 0.5 and 1 is that of the least half.
        const std::uint32_t small = bitsOf(ofBits(magnitude) + 0.5f) - bitsOf(0.5f);
        std::uint32_t half = magnitude < 0x38800000u ? small : normal;
        half = magnitude >= 0x477ff000u ? 0x7c00u : half;
        half = magnitude > 0x7f800000u ? (0x7e00u | (magnitude >> 13 & 0x1ffu)) : half;
        return half | (bits >> 16 & 0x8000u);
    }
    METAL_INLINED float decode(std::uint32_t half) const {
        const std::uint32_t magnitude = half & 0x7fff;
        const std::uint32_t small = bitsOf(static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f);
        std::uint32_t bits = magnitude < 0x400 ? small : (magnitude << 13) + (112u << 23);
        bits = magnitude >= 0x7c00 ? (0x7f800000u | (magnitude & 0x3ff) << 13) : bits;
        bits |= magnitude > 0x7c00 ? 0x400000u : 0u;
        return ofBits(bits | (half & 0x8000u) << 16);
    }
};

/// Without a sign, five bits of exponent.
struct SmallFloatCodec {
    int kept;  // bits of fraction
    METAL_INLINED std::uint32_t encode(float value) const {
        const std::uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffffu;
        const int dropped = 23 - kept;
        const std::uint32_t below = (1u << (dropped - 1)) - 1, infinite = 31u << kept;
        const std::uint32_t normal = ((magnitude + below + (magnitude >> dropped & 1)) >> dropped) - (112u << kept);
        const float anchor = ofBits(static_cast<std::uint32_t>(127 + 9 - kept) << 23);
        const std::uint32_t small = bitsOf(ofBits(magnitude) + anchor) - bitsOf(anchor);
        std::uint32_t field = magnitude < 0x38800000u ? small : normal;
        field = magnitude >= 0x47800000u ? infinite : field;
        field = magnitude > 0x7f800000u ? (infinite | 1u << (kept - 1)) : field;
        const bool isNegative = bits > 0x80000000u && magnitude <= 0x7f800000u;
        return isNegative ? 0 : field;
    }
    METAL_INLINED float decode(std::uint32_t field) const {
        const std::uint32_t infinite = 31u << kept;
        const float unit = ofBits(static_cast<std::uint32_t>(127 - 14 - kept) << 23);
        const std::uint32_t small = bitsOf(static_cast<float>(static_cast<int>(field)) * unit);
        std::uint32_t bits = field < (1u << kept) ? small : (field << (23 - kept)) + (112u << 23);
        bits = field >= infinite ? (0x7f800000u | (field - infinite) << (23 - kept)) : bits;
        return ofBits(bits);
    }
};

struct ExtendedCodec {
    int skip;
    METAL_INLINED std::uint32_t encode(float value) const {
        const float field = value * metal_texels::extendedOne + metal_texels::extendedZero;
        const float within = field > 0 ? (field < 1023 ? field : 1023) : 0;
        return static_cast<std::uint32_t>(static_cast<int>(nearest(within))) << skip;
    }
    METAL_INLINED float decode(std::uint32_t field) const {
        return (static_cast<float>(static_cast<int>(field >> skip)) - metal_texels::extendedZero) /
               metal_texels::extendedOne;
    }
};

/// What extended sRGB's fields mean, and from which light on each is stored.
struct ExtendedSrgbTable {
    std::array<float, 1024> light{};
    std::array<float, 1024> lowest{};
    ExtendedSrgbTable() {
        const auto lightOf = [](double stored) {
            return stored < 0 ? -metal_texels::lightOf(-stored) : metal_texels::lightOf(stored);
        };
        for (int field = 0; field < 1024; ++field) {
            const auto index = static_cast<std::size_t>(field);
            const auto unit = [](double number) {
                return (number - double{metal_texels::extendedZero}) / double{metal_texels::extendedOne};
            };
            light[index] = metal_texels::extendedLight(static_cast<float>(unit(field)));
            lowest[index] = static_cast<float>(lightOf(unit(field - 0.5)));
        }
    }
};

struct ExtendedSrgbCodec {
    const ExtendedSrgbTable& table;
    int skip;
    METAL_INLINED std::uint32_t encode(float value) const {
        const float light = value == value ? value : 0;
        std::uint32_t field = 0;
        for (std::uint32_t step = 512; step; step /= 2) field += light >= table.lowest[field + step] ? step : 0;
        return field << skip;
    }
    METAL_INLINED float decode(std::uint32_t field) const { return table.light[field >> skip & 1023]; }
};

struct FloatCodec {
    METAL_INLINED std::uint32_t encode(float value) const { return bitsOf(value); }
    METAL_INLINED float decode(std::uint32_t field) const { return ofBits(field); }
};

// Integers are the bits of a column's elements.
struct UnsignedCodec {
    std::uint32_t most;
    METAL_INLINED std::uint32_t encode(float value) const {
        const std::uint32_t number = bitsOf(value);
        return number < most ? number : most;
    }
    METAL_INLINED float decode(std::uint32_t field) const { return ofBits(field); }
};

struct SignedCodec {
    int bits;
    METAL_INLINED std::uint32_t encode(float value) const {
        const auto most = static_cast<std::int32_t>((1u << (bits - 1)) - 1);
        auto number = static_cast<std::int32_t>(bitsOf(value));
        number = number < most ? number : most;
        number = number > -most - 1 ? number : -most - 1;
        return static_cast<std::uint32_t>(number) & (0xffffffffu >> (32 - bits));
    }
    METAL_INLINED float decode(std::uint32_t field) const {
        return ofBits(static_cast<std::uint32_t>(static_cast<std::int32_t>(field << (32 - bits)) >> (32 - bits)));
    }
};

}  // namespace metal_executor::render
