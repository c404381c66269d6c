// SPDX-License-Identifier: MIT
//
// Texels of one format each, for kernels that are compiled for the textures they are given: inlined in the place of
// __metal_slow_load_f32 and its siblings where the format is a constant, with the same results. Formats that are not
// here keep the call.

#include "texels.hpp"

namespace {

using namespace metal_texels;

template <uint32_t format>
struct Known {
    static constexpr Layout layout = layoutOf(format);

    /// The field of a component as it is stored, from as few words as hold the texel.
    template <int index>
    HELPER uint32_t raw(const uint8_t* at) {
        constexpr int bits = layout.bits[index];
        if constexpr (layout.packed) {
            constexpr int shift = shiftOf(index);
            if constexpr (layout.bytes == 2) return *(const uint16_t*)at >> shift & onesOf(bits);
            return ((const uint32_t*)at)[shift / 32] >> shift % 32 & onesOf(bits);
        } else if constexpr (bits == 32) {
            return ((const uint32_t*)at)[index];
        } else {
            constexpr int all = bits * layout.components, first = bits * index;
            const uint8_t* begin = at + layout.offset;
            if constexpr (all == 8) return *begin;
            if constexpr (all == 16) return *(const uint16_t*)begin >> first & onesOf(bits);
            return ((const uint32_t*)begin)[first / 32] >> first % 32 & onesOf(bits);
        }
    }

    static constexpr int shiftOf(int index) {
        int shift = 0;
        for (int before = 0; before < index; ++before) shift += layout.bits[before];
        return shift;
    }

    template <int index>
    HELPER float real(const uint8_t* at) {
        constexpr int bits = layout.bits[index];
        const uint32_t field = raw<index>(at);
        if constexpr (layout.kind == unorm || (layout.kind == srgb && layout.order[index] == 3)) {
            return unitOf<bits>((float)field);
        } else if constexpr (layout.kind == srgb) {
            return srgbTables.light[field];
        } else if constexpr (layout.kind == snorm) {
            const float value = unitOf<bits - 1>((float)signExtended(field, bits));
            return value < -1 ? -1.0f : value;
        } else if constexpr (layout.kind == floating && bits == 16) {
            return (float)__builtin_bit_cast(_Float16, (uint16_t)field);
        } else if constexpr (layout.kind == floating) {
            return ofBits(field);
        } else if constexpr (layout.kind == smallFloat) {
            return widened(field, bits - 5);
        } else if constexpr (layout.kind == sharedExponent) {
            return (float)field * ofBits(((*(const uint32_t*)at >> 27) + 127 - 15 - 9) << 23);
        } else {
            static_assert(layout.kind == extended);
            return ((float)(field >> layout.skip) - extendedZero) / extendedOne;
        }
    }

    template <int index>
    HELPER uint32_t integer(const uint8_t* at) {
        const uint32_t field = raw<index>(at);
        return layout.kind == sint ? (uint32_t)signExtended(field, layout.bits[index]) : field;
    }

    HELPER float4 loadReal(const uint8_t* at) {
        float4 rgba = {0, 0, 0, 1};
        rgba[layout.order[0]] = real<0>(at);
        if constexpr (layout.components > 1) rgba[layout.order[1]] = real<1>(at);
        if constexpr (layout.components > 2) rgba[layout.order[2]] = real<2>(at);
        if constexpr (layout.components > 3) rgba[layout.order[3]] = real<3>(at);
        return rgba;
    }
    HELPER uint4 loadInteger(const uint8_t* at) {
        uint4 rgba = {0, 0, 0, 1};
        rgba[layout.order[0]] = integer<0>(at);
        if constexpr (layout.components > 1) rgba[layout.order[1]] = integer<1>(at);
        if constexpr (layout.components > 2) rgba[layout.order[2]] = integer<2>(at);
        if constexpr (layout.components > 3) rgba[layout.order[3]] = integer<3>(at);
        return rgba;
    }

    /// The search of srgbByte, whose steps are always eight.
    template <int step = 128>
    HELPER uint32_t byteOfLight(float light, uint32_t low = 0) {
        low = light >= srgbTables.lowest[low + step] ? low + step : low;
        if constexpr (step == 1)
            return low;
        else
            return byteOfLight<step / 2>(light, low);
    }

    template <int index>
    HELPER uint32_t field(float4 rgba) {
        constexpr int bits = layout.bits[index];
        const float value = rgba[layout.order[index]];
        if constexpr (layout.kind == unorm || (layout.kind == srgb && layout.order[index] == 3)) {
            return (uint32_t)nearest(unitInterval(value) * (float)onesOf(bits));
        } else if constexpr (layout.kind == srgb) {
            return byteOfLight(value);
        } else if constexpr (layout.kind == snorm) {
            const float number = value == value ? value : 0.0f;
            const float inside = __builtin_fminf(__builtin_fmaxf(number, -1.0f), 1.0f);
            return (uint32_t)nearest(inside * (float)onesOf(bits - 1)) & onesOf(bits);
        } else if constexpr (bits == 16) {
            static_assert(layout.kind == floating);
            return __builtin_bit_cast(uint16_t, (_Float16)value);
        } else {
            static_assert(layout.kind == floating);
            return bitsOf(value);
        }
    }

    template <int index>
    HELPER uint32_t field(uint4 rgba) {
        constexpr int bits = layout.bits[index];
        const uint32_t value = rgba[layout.order[index]];
        if constexpr (layout.kind == sint) {
            constexpr int32_t most = (int32_t)onesOf(bits - 1), least = -most - 1;
            const int32_t number = (int32_t)value;
            return (uint32_t)(number < least ? least : number > most ? most : number) & onesOf(bits);
        } else {
            return value < onesOf(bits) ? value : onesOf(bits);
        }
    }

    template <class Vector>
    HELPER void store(uint8_t* at, Vector rgba) {
        static_assert(layout.offset == 0 && (layout.packed || layout.bytes == layout.components * layout.bits[0] / 8));
        put<0>(at, 0, rgba);
    }

    /// Fields are gathered in words of as many bits as the texel has, 32 at most.
    template <int index, class Vector>
    HELPER void put(uint8_t* at, uint32_t word, Vector rgba) {
        constexpr int shift = shiftOf(index), end = shift + layout.bits[index];
        word |= field<index>(rgba) << shift % 32;
        if constexpr (end % 32 == 0) {
            ((uint32_t*)at)[shift / 32] = word;
            word = 0;
        } else if constexpr (index + 1 == layout.components) {
            static_assert(layout.bytes < 4);
            if constexpr (layout.bytes == 2) {
                *(uint16_t*)at = (uint16_t)word;
            } else {
                *at = (uint8_t)word;
            }
        }
        if constexpr (index + 1 < layout.components) put<index + 1>(at, word, rgba);
    }
};

}  // namespace

#define LOAD_REAL(format)                                                \
    FUNCTION float4 __metal_known_load_f32_##format(const uint8_t* at) { \
        return Known<format>::loadReal(at);                              \
    }
#define STORE_REAL(format)                                                     \
    FUNCTION void __metal_known_store_f32_##format(uint8_t* at, float4 rgba) { \
        Known<format>::store(at, rgba);                                        \
    }
#define REAL(format)  \
    LOAD_REAL(format) \
    STORE_REAL(format)
#define INTEGER(format)                                                       \
    FUNCTION uint4 __metal_known_load_u32_##format(const uint8_t* at) {       \
        return Known<format>::loadInteger(at);                                \
    }                                                                         \
    FUNCTION void __metal_known_store_u32_##format(uint8_t* at, uint4 rgba) { \
        Known<format>::store(at, rgba);                                       \
    }

// By number, since the compiler asks for them by number.
REAL(1)         // A8Unorm
REAL(10)        // R8Unorm
REAL(11)        // R8Unorm_sRGB
REAL(12)        // R8Snorm
REAL(20)        // R16Unorm
REAL(22)        // R16Snorm
REAL(25)        // R16Float
REAL(30)        // RG8Unorm
REAL(31)        // RG8Unorm_sRGB
REAL(32)        // RG8Snorm
REAL(40)        // B5G6R5Unorm
REAL(41)        // A1BGR5Unorm
REAL(42)        // ABGR4Unorm
REAL(43)        // BGR5A1Unorm
REAL(55)        // R32Float
REAL(60)        // RG16Unorm
REAL(62)        // RG16Snorm
REAL(65)        // RG16Float
REAL(70)        // RGBA8Unorm
REAL(71)        // RGBA8Unorm_sRGB
REAL(72)        // RGBA8Snorm
REAL(80)        // BGRA8Unorm
REAL(81)        // BGRA8Unorm_sRGB
REAL(90)        // RGB10A2Unorm
REAL(94)        // BGR10A2Unorm
REAL(105)       // RG32Float
REAL(110)       // RGBA16Unorm
REAL(112)       // RGBA16Snorm
REAL(115)       // RGBA16Float
REAL(125)       // RGBA32Float
LOAD_REAL(92)   // RG11B10Float
LOAD_REAL(93)   // RGB9E5Float
LOAD_REAL(552)  // BGRA10_XR
LOAD_REAL(554)  // BGR10_XR
INTEGER(13)     // R8Uint
INTEGER(14)     // R8Sint
INTEGER(23)     // R16Uint
INTEGER(24)     // R16Sint
INTEGER(33)     // RG8Uint
INTEGER(34)     // RG8Sint
INTEGER(53)     // R32Uint
INTEGER(54)     // R32Sint
INTEGER(63)     // RG16Uint
INTEGER(64)     // RG16Sint
INTEGER(73)     // RGBA8Uint
INTEGER(74)     // RGBA8Sint
INTEGER(91)     // RGB10A2Uint
INTEGER(103)    // RG32Uint
INTEGER(104)    // RG32Sint
INTEGER(113)    // RGBA16Uint
INTEGER(114)    // RGBA16Sint
INTEGER(123)    // RGBA32Uint
INTEGER(124)    // RGBA32Sint
