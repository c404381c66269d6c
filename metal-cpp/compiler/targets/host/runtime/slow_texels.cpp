// SPDX-License-Identifier: MIT
//
// Texels of the uncommon formats. Compiled to machine code, once.

#include "texels.hpp"

float4 __metal_slow_load_f32(const uint8_t* texel, uint32_t format) {
    float rgba[4];
    metal_texels::loadReal(format & metal_texels::formatBits, texel, rgba);
    metal_texels::swizzle(format, rgba);
    return float4{rgba[0], rgba[1], rgba[2], rgba[3]};
}

uint4 __metal_slow_load_u32(const uint8_t* texel, uint32_t format) {
    uint32_t rgba[4];
    metal_texels::loadInteger(format & metal_texels::formatBits, texel, rgba);
    metal_texels::swizzle(format, rgba);
    return uint4{rgba[0], rgba[1], rgba[2], rgba[3]};
}

void __metal_slow_store_f32(uint8_t* texel, uint32_t format, float4 value) {
    const float rgba[4] = {value.x, value.y, value.z, value.w};
    metal_texels::storeReal(format, texel, rgba);
}

void __metal_slow_store_u32(uint8_t* texel, uint32_t format, uint4 value) {
    const uint32_t rgba[4] = {value.x, value.y, value.z, value.w};
    metal_texels::storeInteger(format, texel, rgba);
}
