// SPDX-License-Identifier: MIT
//
// Metal's 2D texture functions on the host: one thread's code, inlined into kernels and widened with them. A texture's
// format is the same in all lanes, so choosing by it costs a branch. Common formats are decoded here; the others by a
// function that is called for one lane after the other (formats.cpp), which keeps kernels small.

#include <kernel_abi.h>

#include "texels.hpp"

#define FUNCTION extern "C" __attribute__((always_inline))
#define HELPER static inline __attribute__((always_inline))

typedef const metal_texture* Handle;

namespace {

/// Nothing writes a texture's description while a kernel runs.
typedef const __attribute__((address_space(6))) metal_texture* Texture;
typedef const __attribute__((address_space(6))) metal_texture_level* Level;

HELPER Texture open(Handle handle) {
    return (Texture)handle;
}

HELPER uint8_t* rowAddress(Level level, uint32_t y) {
    return level->data + (uint64_t)y * level->bytes_per_row;
}

// ---- One texel ----

HELPER float4 unpackBytes(uint32_t bits) {
    return float4{(float)(bits & 255), (float)(bits >> 8 & 255), (float)(bits >> 16 & 255), (float)(bits >> 24)} /
           255.0f;
}

HELPER uint32_t unitByte(float value) {
    float inside = value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;  // not a number: 0
    return (uint32_t)__builtin_rintf(inside * 255.0f);
}

// Each format takes its own texel of the row: with the size known, lanes that lie side by side are seen to.

template <class T>
HELPER T* texel(uint8_t* row, uint32_t x, int components = 1) {
    return (T*)row + (uint64_t)x * (uint64_t)components;
}

HELPER uint8_t* texelOf(Texture texture, uint8_t* row, uint32_t x) {
    return row + (uint64_t)x * texture->bytes_per_pixel;
}

HELPER float4 load(Texture texture, uint8_t* row, uint32_t x, float4) {
    switch (texture->pixel_format) {
        case RGBA8Unorm:
            return unpackBytes(*texel<uint32_t>(row, x));
        case BGRA8Unorm: {
            float4 value = unpackBytes(*texel<uint32_t>(row, x));
            return float4{value.z, value.y, value.x, value.w};
        }
        case R8Unorm:
            return float4{*texel<uint8_t>(row, x) / 255.0f, 0, 0, 1};
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

HELPER uint4 load(Texture texture, uint8_t* row, uint32_t x, uint4) {
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

HELPER void store(Texture texture, uint8_t* row, uint32_t x, float4 value) {
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

HELPER void store(Texture texture, uint8_t* row, uint32_t x, uint4 value) {
    switch (texture->pixel_format) {
        case R32Uint:
        case R32Sint:
            *texel<uint32_t>(row, x) = value.x;
            return;
        default:
            __metal_slow_store_u32(texelOf(texture, row, x), texture->pixel_format, value);
    }
}

/// What is read outside: zero, alpha one where the format has none.
HELPER bool hasAlpha(uint32_t format) {
    return (format >= RGBA8Unorm && format <= BGRA8Unorm_sRGB) || (format >= RGBA16Unorm && format <= RGBA32Float) ||
           format == A8Unorm || format == RGB10A2Unorm || format == RGB10A2Uint || format == BGR10A2Unorm;
}

template <class Vector>
HELPER Vector outside(Texture texture) {
    return Vector{0, 0, 0, hasAlpha(texture->pixel_format) ? 0 : (decltype(Vector{}.x))1};
}

template <class Vector>
HELPER Vector read(Handle handle, uint32_t x, uint32_t y, uint32_t mip) {
    Texture texture = open(handle);
    if (mip >= texture->level_count) return outside<Vector>(texture);
    Level level = &texture->levels[mip];
    if (x >= level->width || y >= level->height) return outside<Vector>(texture);
    return load(texture, rowAddress(level, y), x, Vector{});
}

template <class Vector>
HELPER void write(Handle handle, Vector value, uint32_t x, uint32_t y, uint32_t mip) {
    Texture texture = open(handle);
    if (mip >= texture->level_count) return;
    Level level = &texture->levels[mip];
    if (x < level->width && y < level->height) store(texture, rowAddress(level, y), x, value);
}

// ---- Sampling ----

enum AddressMode { clampToEdge, mirrorClampToEdge, repeat, mirrorRepeat, clampToZero, clampToBorder };

HELPER uint32_t field(uint64_t sampler, int shift, int bits) {
    return (uint32_t)(sampler >> shift) & ((1u << bits) - 1);
}

/// A coordinate in texels, kept small where it will wrap around anyway and within what an int can hold.
HELPER float texelCoordinate(float coordinate, uint32_t size, uint32_t mode, bool inTexels) {
    float scaled = coordinate;
    if (!inTexels) {
        if (mode == repeat || mode == mirrorRepeat) coordinate -= 2.0f * __builtin_floorf(coordinate * 0.5f);
        scaled = coordinate * (float)size;
    }
    return scaled > -16777216.0f ? (scaled < 16777216.0f ? scaled : 16777216.0f) : -16777216.0f;
}

/// The texel that `index` stands for, or -1 for none.
HELPER int wrap(int index, int size, uint32_t mode) {
    switch (mode) {
        case clampToEdge:
            return index < 0 ? 0 : index >= size ? size - 1 : index;
        case mirrorClampToEdge: {
            int mirrored = index < 0 ? -1 - index : index;
            return mirrored >= size ? size - 1 : mirrored;
        }
        case repeat: {
            int rest = index % size;
            return rest < 0 ? rest + size : rest;
        }
        case mirrorRepeat: {
            int rest = index % (2 * size);
            rest = rest < 0 ? rest + 2 * size : rest;
            return rest < size ? rest : 2 * size - 1 - rest;
        }
        default:
            return index < 0 || index >= size ? -1 : index;
    }
}

template <class Vector>
HELPER Vector border(Texture texture, uint64_t sampler, uint32_t modeX, uint32_t modeY) {
    typedef decltype(Vector{}.x) Scalar;
    if (modeX != clampToBorder && modeY != clampToBorder) return outside<Vector>(texture);
    uint32_t color = field(sampler, metal_sampler_border_shift, 2);
    Scalar one = 1, shade = color == 2 ? one : 0, alpha = color == 0 ? 0 : one;
    return Vector{shade, shade, shade, alpha};
}

struct Sampling {
    Texture texture;
    Level level;
    uint64_t sampler;
    uint32_t modeX, modeY;
    float x, y;  // in texels
};

HELPER Sampling prepare(Texture texture, uint64_t sampler, uint32_t mip, float x, float y) {
    Level level = &texture->levels[mip];
    uint32_t modeX = field(sampler, metal_sampler_s_address_shift, 3),
             modeY = field(sampler, metal_sampler_t_address_shift, 3);
    bool inTexels = field(sampler, metal_sampler_pixel_coords_shift, 1);
    return {texture,
            level,
            sampler,
            modeX,
            modeY,
            texelCoordinate(x, level->width, modeX, inTexels),
            texelCoordinate(y, level->height, modeY, inTexels)};
}

template <class Vector>
HELPER Vector fetch(const Sampling& of, int x, int y) {
    int column = wrap(x, (int)of.level->width, of.modeX), row = wrap(y, (int)of.level->height, of.modeY);
    if (column < 0 || row < 0) return border<Vector>(of.texture, of.sampler, of.modeX, of.modeY);
    return load(of.texture, rowAddress(of.level, (uint32_t)row), (uint32_t)column, Vector{});
}

template <class Vector>
HELPER Vector nearest(const Sampling& of, int offsetX, int offsetY) {
    return fetch<Vector>(of, (int)__builtin_floorf(of.x) + offsetX, (int)__builtin_floorf(of.y) + offsetY);
}

HELPER float4 mix(float4 from, float4 to, float share) {
    return from + (to - from) * share;
}

/// Level of detail after the sampler's clamp. A kernel has no derivatives: implicit is level 0.
HELPER float clampedLod(uint64_t sampler, int mode, float lod) {
    if (mode == 0) return 0;
    uint16_t low = (uint16_t)(sampler >> metal_sampler_lod_min_shift),
             high = (uint16_t)(sampler >> metal_sampler_lod_max_shift);
    float least = (float)__builtin_bit_cast(_Float16, low), most = (float)__builtin_bit_cast(_Float16, high);
    lod = lod < most ? lod : most;
    return lod > least ? lod : least;
}

HELPER uint32_t lastLevel(Texture texture) {
    return texture->level_count - 1;
}

HELPER uint32_t levelOf(Texture texture, float lod) {
    float last = (float)lastLevel(texture);
    return (uint32_t)(lod > 0 ? (lod < last ? lod : last) : 0.0f);
}

template <class Vector>
HELPER Vector sampleNearest(Handle handle, uint64_t sampler, float x, float y, int offsetX, int offsetY, int lodMode,
                            float lod) {
    Texture texture = open(handle);
    uint32_t mip = 0;
    if (field(sampler, metal_sampler_mip_filter_shift, 2) != 0)
        mip = levelOf(texture, clampedLod(sampler, lodMode, lod) + 0.5f);
    return nearest<Vector>(prepare(texture, sampler, mip, x, y), offsetX, offsetY);
}

/// One texel, or the weighted four around the place. As loops, so that the code that reads a texel is there once; where
/// the sampler is known they are unrolled.
HELPER float4 sampleLevel(Texture texture, uint64_t sampler, uint32_t mip, bool smooth, float x, float y, int offsetX,
                          int offsetY) {
    Sampling of = prepare(texture, sampler, mip, x, y);
    float shift = smooth ? 0.5f : 0.0f;
    of.x -= shift, of.y -= shift;
    float left = __builtin_floorf(of.x), top = __builtin_floorf(of.y);
    float4 rows[2], texels[2];
    int taps = smooth ? 2 : 1;
    for (int row = 0; row < taps; ++row) {
        for (int column = 0; column < taps; ++column) {
            texels[column] = fetch<float4>(of, (int)left + column + offsetX, (int)top + row + offsetY);
        }
        rows[row] = smooth ? mix(texels[0], texels[1], of.x - left) : texels[0];
    }
    return smooth ? mix(rows[0], rows[1], of.y - top) : rows[0];
}

}  // namespace

FUNCTION float4 __metal_texture2d_read_f32(Handle t, uint32_t x, uint32_t y, uint32_t level) {
    return read<float4>(t, x, y, level);
}
FUNCTION uint4 __metal_texture2d_read_u32(Handle t, uint32_t x, uint32_t y, uint32_t level) {
    return read<uint4>(t, x, y, level);
}
FUNCTION int4 __metal_texture2d_read_i32(Handle t, uint32_t x, uint32_t y, uint32_t level) {
    return __builtin_bit_cast(int4, read<uint4>(t, x, y, level));
}

FUNCTION void __metal_texture2d_write_f32(Handle t, float4 v, uint32_t x, uint32_t y, uint32_t level) {
    write(t, v, x, y, level);
}
FUNCTION void __metal_texture2d_write_u32(Handle t, uint4 v, uint32_t x, uint32_t y, uint32_t level) {
    write(t, v, x, y, level);
}
FUNCTION void __metal_texture2d_write_i32(Handle t, int4 v, uint32_t x, uint32_t y, uint32_t level) {
    write(t, __builtin_bit_cast(uint4, v), x, y, level);
}

FUNCTION float4 __metal_texture2d_sample_f32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                             int lodMode, float lod) {
    Texture texture = open(t);
    float at = clampedLod(sampler, lodMode, lod);
    bool smooth = field(sampler, at > 0 ? metal_sampler_min_filter_shift : metal_sampler_mag_filter_shift, 1);
    uint32_t mipFilter = field(sampler, metal_sampler_mip_filter_shift, 2);
    uint32_t mip = mipFilter == 0 ? 0 : levelOf(texture, mipFilter == 1 ? at + 0.5f : at);
    float share = mipFilter == 2 && mip != lastLevel(texture) ? at - (float)mip : 0.0f;
    float4 value = {0, 0, 0, 0};
    for (uint32_t level = 0; level < (share > 0 ? 2u : 1u); ++level) {
        float4 sampled = sampleLevel(texture, sampler, mip + level, smooth, x, y, offsetX, offsetY);
        value = level == 0 ? sampled : mix(value, sampled, share);
    }
    return value;
}
FUNCTION uint4 __metal_texture2d_sample_u32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                            int lodMode, float lod) {
    return sampleNearest<uint4>(t, sampler, x, y, offsetX, offsetY, lodMode, lod);
}
FUNCTION int4 __metal_texture2d_sample_i32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                           int lodMode, float lod) {
    return __builtin_bit_cast(int4, sampleNearest<uint4>(t, sampler, x, y, offsetX, offsetY, lodMode, lod));
}

namespace {

template <class Vector>
HELPER Vector gather(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY, int component) {
    Sampling of = prepare(open(t), sampler, 0, x, y);
    int column = (int)__builtin_floorf(of.x - 0.5f) + offsetX, row = (int)__builtin_floorf(of.y - 0.5f) + offsetY;
    auto pick = [&](int dx, int dy) {
        Vector texel = fetch<Vector>(of, column + dx, row + dy);
        return component == 0 ? texel.x : component == 1 ? texel.y : component == 2 ? texel.z : texel.w;
    };
    return Vector{pick(0, 1), pick(1, 1), pick(1, 0), pick(0, 0)};  // counter-clockwise from the lower left
}

}  // namespace

FUNCTION float4 __metal_texture2d_gather_f32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                             int component) {
    return gather<float4>(t, sampler, x, y, offsetX, offsetY, component);
}
FUNCTION uint4 __metal_texture2d_gather_u32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                            int component) {
    return gather<uint4>(t, sampler, x, y, offsetX, offsetY, component);
}
FUNCTION int4 __metal_texture2d_gather_i32(Handle t, uint64_t sampler, float x, float y, int offsetX, int offsetY,
                                           int component) {
    return __builtin_bit_cast(int4, gather<uint4>(t, sampler, x, y, offsetX, offsetY, component));
}

FUNCTION uint32_t __metal_texture_width(Handle t, uint32_t level) {
    return open(t)->levels[level % metal_max_mip_levels].width;
}
FUNCTION uint32_t __metal_texture_height(Handle t, uint32_t level) {
    return open(t)->levels[level % metal_max_mip_levels].height;
}
FUNCTION uint32_t __metal_texture_depth(Handle t, uint32_t level) {
    return open(t)->levels[level % metal_max_mip_levels].depth;
}
FUNCTION uint32_t __metal_texture_array_size(Handle t) {
    return open(t)->array_length;
}
FUNCTION uint32_t __metal_texture_num_mip_levels(Handle t) {
    return open(t)->level_count;
}
FUNCTION uint32_t __metal_texture_num_samples(Handle t) {
    return open(t)->sample_count;
}
// One thread's accesses are in order anyway.
FUNCTION void __metal_texture_fence(Handle) {}
