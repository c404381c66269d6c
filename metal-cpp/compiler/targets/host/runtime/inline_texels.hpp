// SPDX-License-Identifier: MIT
//
// One texel of the common formats, decoded in the kernel. A texture's format is the same in all lanes, so choosing by
// it costs a branch; the other formats are decoded by a function that is called for one lane after the other, which
// keeps kernels small.

#pragma once

#include "texels.hpp"

namespace {

using namespace metal_texels;

HELPER float4 unpackBytes(uint32_t bits) {
    return float4{unitOf<8>((float)(bits & 255)), unitOf<8>((float)(bits >> 8 & 255)),
                  unitOf<8>((float)(bits >> 16 & 255)), unitOf<8>((float)(bits >> 24))};
}

HELPER uint32_t unitByte(float value) {
    return (uint32_t)(int32_t)__builtin_rintf(unitInterval(value) * 255.0f);
}

// Each format takes its own texel of the row: with the size known, lanes that lie side by side are seen to.

template <class T>
HELPER T* texel(uint8_t* row, uint64_t x, int components = 1) {
    return (T*)row + x * (uint64_t)components;
}

HELPER uint8_t* texelOf(Texture texture, uint8_t* row, uint64_t x) {
    return row + x * texture->bytes_per_pixel;
}

HELPER float4 load(Texture texture, uint8_t* row, uint64_t x, float4) {
    switch (texture->pixel_format) {
        case RGBA8Unorm:
            return unpackBytes(*texel<uint32_t>(row, x));
        case BGRA8Unorm: {
            float4 value = unpackBytes(*texel<uint32_t>(row, x));
            return float4{value.z, value.y, value.x, value.w};
        }
        case R8Unorm:
            return float4{unitOf<8>(*texel<uint8_t>(row, x)), 0, 0, 1};
        case R32Float:
            return float4{*texel<float>(row, x), 0, 0, 1};
        case RGBA32Float: {
            const float* from = texel<float>(row, x, 4);
            return float4{from[0], from[1], from[2], from[3]};
        }
        case RGBA16Float: {
            const _Float16* from = texel<_Float16>(row, x, 4);
            return float4{(float)from[0], (float)from[1], (float)from[2], (float)from[3]};
        }
        default:
            return __metal_slow_load_f32(texelOf(texture, row, x), texture->pixel_format);
    }
}

HELPER uint4 load(Texture texture, uint8_t* row, uint64_t x, uint4) {
    switch (texture->pixel_format) {
        case R32Uint:
        case R32Sint:
            return uint4{*texel<uint32_t>(row, x), 0, 0, 1};
        case RGBA8Uint: {
            uint32_t bits = *texel<uint32_t>(row, x);
            return uint4{bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24};
        }
        case R8Uint:
            return uint4{*texel<uint8_t>(row, x), 0, 0, 1};
        default:
            return __metal_slow_load_u32(texelOf(texture, row, x), texture->pixel_format);
    }
}

HELPER void store(Texture texture, uint8_t* row, uint64_t x, float4 value) {
    switch (texture->pixel_format) {
        case RGBA8Unorm:
            *texel<uint32_t>(row, x) =
                unitByte(value.x) | unitByte(value.y) << 8 | unitByte(value.z) << 16 | unitByte(value.w) << 24;
            return;
        case BGRA8Unorm:
            *texel<uint32_t>(row, x) =
                unitByte(value.z) | unitByte(value.y) << 8 | unitByte(value.x) << 16 | unitByte(value.w) << 24;
            return;
        case R8Unorm:
            *texel<uint8_t>(row, x) = (uint8_t)unitByte(value.x);
            return;
        case R32Float:
            *texel<float>(row, x) = value.x;
            return;
        case RGBA32Float: {
            float* to = texel<float>(row, x, 4);
            to[0] = value.x, to[1] = value.y, to[2] = value.z, to[3] = value.w;
            return;
        }
        case RGBA16Float: {
            _Float16* to = texel<_Float16>(row, x, 4);
            to[0] = (_Float16)value.x, to[1] = (_Float16)value.y, to[2] = (_Float16)value.z, to[3] = (_Float16)value.w;
            return;
        }
        default:
            __metal_slow_store_f32(texelOf(texture, row, x), texture->pixel_format, value);
    }
}

HELPER void store(Texture texture, uint8_t* row, uint64_t x, uint4 value) {
    switch (texture->pixel_format) {
        case R32Uint:
        case R32Sint:
            *texel<uint32_t>(row, x) = value.x;
            return;
        default:
            __metal_slow_store_u32(texelOf(texture, row, x), texture->pixel_format, value);
    }
}

}  // namespace
