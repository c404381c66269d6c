// SPDX-License-Identifier: MIT
//
// Where a texel is, what lies outside of a texture, and what a sampler makes of coordinates: used by the code that is
// inlined into kernels (textures.cpp, sampling.cpp) and by that which is called (slow_texels.cpp, slow_sampling.cpp).

#pragma once

#include <kernel_abi.h>
#include <stdint.h>
#include <texel_formats.hpp>

typedef float float4 __attribute__((ext_vector_type(4)));
typedef int32_t int4 __attribute__((ext_vector_type(4)));
typedef uint32_t uint4 __attribute__((ext_vector_type(4)));

#define FUNCTION extern "C" __attribute__((always_inline))
#define HELPER static inline __attribute__((always_inline))

typedef const metal_texture* Handle;
/// Nothing writes a texture's description while a kernel runs.
typedef const __attribute__((address_space(6))) metal_texture* Texture;
typedef const __attribute__((address_space(6))) metal_texture_level* Level;

/// MTL::TextureType.
enum TextureKind : uint32_t {
    kind1D,
    kind1DArray,
    kind2D,
    kind2DArray,
    kind2DMultisample,
    kindCube,
    kindCubeArray,
    kind3D,
    kind2DMultisampleArray,
    kindBuffer,
};

HELPER Texture open(Handle handle) {
    return (Texture)handle;
}

HELPER bool isOneDimensional(uint32_t kind) {
    return kind == kind1D || kind == kind1DArray || kind == kindBuffer;
}
HELPER bool isArray(uint32_t kind) {
    return kind == kind1DArray || kind == kind2DArray || kind == kindCubeArray || kind == kind2DMultisampleArray;
}

constexpr uint32_t noImage = 0xffffffff;

/// The image of a slice or depth and a face or sample, if there is such a one.
HELPER uint32_t imageOf(Texture texture, Level level, uint32_t kind, uint32_t z, uint32_t part) {
    switch (kind) {
        case kind1DArray:
        case kind2DArray:
            return z < texture->array_length ? z : noImage;
        case kind3D:
            return z < level->depth ? z : noImage;
        case kindCube:
            return part < 6 ? part : noImage;
        case kindCubeArray:
            return part < 6 && z < texture->array_length ? z * 6 + part : noImage;
        case kind2DMultisample:
            return part < texture->sample_count ? part : noImage;
        case kind2DMultisampleArray:
            return part < texture->sample_count && z < texture->array_length ? z * texture->sample_count + part
                                                                             : noImage;
        default:
            return 0;
    }
}

HELPER uint8_t* rowAddress(Level level, uint32_t image, uint32_t y) {
    return level->data + image * level->bytes_per_image + (uint64_t)y * level->bytes_per_row;
}

/// What is read outside: zero, alpha one where the format has none.
HELPER bool hasAlpha(uint32_t format) {
    using namespace metal_texels;
    format &= formatBits;
    return (format >= RGBA8Unorm && format <= RGB10A2Uint) || format == BGR10A2Unorm ||
           (format >= RGBA16Unorm && format <= RGBA32Float) || (format >= A1BGR5Unorm && format <= BGR5A1Unorm) ||
           format == A8Unorm || format == BGRA10_XR || format == BGRA10_XR_sRGB;
}

template <class Vector>
HELPER Vector outside(Texture texture) {
    return Vector{0, 0, 0, hasAlpha(texture->pixel_format) ? 0 : (decltype(Vector{}.x))1};
}

// ---- Samplers ----

enum AddressMode { clampToEdge, mirrorClampToEdge, repeat, mirrorRepeat, clampToZero, clampToBorder };

HELPER uint32_t field(uint64_t sampler, int shift, int bits) {
    return (uint32_t)(sampler >> shift) & ((1u << bits) - 1);
}

HELPER float floorOf(float value) {
#ifdef METAL_HOST_COMPILED  // for any processor: no instruction that rounds, and no library
    if (!(value > -16777216.0f && value < 16777216.0f)) return value;
    float whole = (float)(int)value;
    return whole > value ? whole - 1 : whole;
#else
    return __builtin_floorf(value);
#endif
}

/// From 0 to 1, without a branch; not a number: 0.
HELPER float unitInterval(float value) {
    return __builtin_fminf(__builtin_fmaxf(value, 0.0f), 1.0f);
}

/// A coordinate in texels, kept small where it will wrap around anyway and within what an int can hold.
HELPER float texelCoordinate(float coordinate, uint32_t size, uint32_t mode, bool inTexels) {
    float scaled = coordinate;
    if (!inTexels) {
        if (mode == repeat || mode == mirrorRepeat) coordinate -= 2.0f * floorOf(coordinate * 0.5f);
        scaled = coordinate * (float)size;
    }
    return scaled > -16777216.0f ? (scaled < 16777216.0f ? scaled : 16777216.0f) : -16777216.0f;
}

/// The remainder that is not negative, of an index of about 2^24 at most, so that the quotient is off by one at most.
/// No processor divides integers in vectors.
HELPER int remainder(int index, int size) {
    int rest = index - (int)floorOf((float)index * (1.0f / (float)size)) * size;
    rest = rest < 0 ? rest + size : rest;
    return rest >= size ? rest - size : rest;
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
        case repeat:
            return remainder(index, size);
        case mirrorRepeat: {
            int rest = remainder(index, 2 * size);
            return rest < size ? rest : 2 * size - 1 - rest;
        }
        default:
            return index < 0 || index >= size ? -1 : index;
    }
}

HELPER uint32_t addressMode(uint64_t sampler, int dimension) {
    return field(sampler, metal_sampler_s_address_shift + 3 * dimension, 3);
}

/// What is sampled outside where a mode has a border.
template <class Vector>
HELPER Vector border(Texture texture, uint64_t sampler, bool isColored) {
    typedef decltype(Vector{}.x) Scalar;
    if (!isColored) return outside<Vector>(texture);
    uint32_t color = field(sampler, metal_sampler_border_shift, 2);
    Scalar one = 1, shade = color == 2 ? one : 0, alpha = color == 0 ? 0 : one;
    return Vector{shade, shade, shade, alpha};
}

/// Level of detail with the sampler's bias, after its clamp and an option's; not a number is the least.
HELPER float clampedLod(uint64_t sampler, float lod, float leastOption) {
    constexpr float step = 1.0f / 256;
    constexpr uint32_t noLimit = 0xfff;
    uint32_t limit = field(sampler, metal_sampler_lod_max_shift, 12);
    float least = (float)field(sampler, metal_sampler_lod_min_shift, 12) * step;
    float most = limit == noLimit ? __builtin_inff() : (float)limit * step;
    lod += (float)((int32_t)(field(sampler, metal_sampler_lod_bias_shift, 14) << 18) >> 18) * step;
    lod = lod > least ? lod : least;
    lod = lod < most ? lod : most;
    return lod > leastOption ? lod : leastOption;
}

HELPER uint32_t lastLevel(Texture texture) {
    return texture->level_count - 1;
}

HELPER uint32_t levelOf(Texture texture, float lod) {
    float last = (float)lastLevel(texture);
    return (uint32_t)(lod > 0 ? (lod < last ? lod : last) : 0.0f);
}

// Filters that only constexpr samplers have (__metal_samplers.h), where the ABI leaves room: the filter's own bit says
// linear, and both reduce by weights.
enum {
    metal_sampler_bicubic_mag_shift = 63,
    metal_sampler_bicubic_min_reduction = 3,  // in the place of a reduction mode
};

/// Whether a filter of the sampler takes four texels in each dimension.
HELPER bool isBicubic(uint64_t sampler) {
    return field(sampler, metal_sampler_bicubic_mag_shift, 1) != 0 ||
           field(sampler, metal_sampler_reduction_shift, 2) == metal_sampler_bicubic_min_reduction;
}

/// The levels that a sampler mixes: `mip` and the next.
struct Levels {
    uint32_t mip;
    float share;  // of the next
    bool smooth;
};

HELPER Levels levelsOf(Texture texture, uint64_t sampler, float lod) {
    bool smooth = field(sampler, lod > 0 ? metal_sampler_min_filter_shift : metal_sampler_mag_filter_shift, 1);
    uint32_t filter = field(sampler, metal_sampler_mip_filter_shift, 2);
    uint32_t mip = filter == 0 ? 0 : levelOf(texture, filter == 1 ? lod + 0.5f : lod);
    float share = filter == 2 && mip != lastLevel(texture) && lod > 0 ? lod - (float)mip : 0.0f;
    return {mip, share, smooth};
}

HELPER float4 lowest(float4 a, float4 b) {
    return float4{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z, a.w < b.w ? a.w : b.w};
}

/// Two neighbours as the sampler reduces them.
HELPER float4 mix(uint64_t sampler, float4 from, float4 to, float share) {
    uint32_t reduction = field(sampler, metal_sampler_reduction_shift, 2);
    if (reduction == 0) return from + (to - from) * share;
    if (!(share > 0)) return from;
    return reduction == 1 ? lowest(from, to) : -lowest(-from, -to);
}

/// An array's slice is the nearest there is.
HELPER uint32_t sliceOf(Texture texture, uint32_t kind, uint32_t array) {
    return !isArray(kind) ? 0 : array < texture->array_length ? array : texture->array_length - 1;
}

/// The logarithm to base two, exact for powers of two, else to 2e-6.
HELPER float logarithm(float value) {
    if (!(value < __builtin_inff())) return 256;  // infinite or not a number: the last level
    uint32_t bits = __builtin_bit_cast(uint32_t, value);
    if (bits < 0x00800000u) return -256;
    float fraction = __builtin_bit_cast(float, (bits & 0x7fffffu) | 0x3f800000u);
    float s = (fraction - 1) / (fraction + 1), t = s * s;
    float series = s * (2.885390082f + t * (0.961796694f + t * (0.577078016f + t * (0.412198583f + t * 0.320598898f))));
    return (float)((int)(bits >> 23) - 127) + series;
}

/// A gradient in texels of level 0.
struct Slopes {
    float dx[3], dy[3];
};

HELPER float squaredLength(const float* vector) {
    return vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
}

HELPER float lodOf(const Slopes& slopes) {
    float dx = squaredLength(slopes.dx), dy = squaredLength(slopes.dy);
    // Not a number wins, whichever side it is on.
    return 0.5f * logarithm(dx != dx || dx > dy ? dx : dy);
}

HELPER Slopes slopesOf(Texture texture, uint64_t sampler, int dimensions, const float* dx, const float* dy) {
    Level level = &texture->levels[0];
    bool inTexels = field(sampler, metal_sampler_pixel_coords_shift, 1);
    float sizes[3] = {(float)level->width, (float)level->height, (float)level->depth};
    Slopes slopes = {};
    for (int index = 0; index < dimensions; ++index) {
        float scale = inTexels ? 1 : sizes[index];
        slopes.dx[index] = dx[index] * scale;
        slopes.dy[index] = dy[index] * scale;
    }
    return slopes;
}

// ---- Called by one lane after the other: the rare formats, and sampling of the intricate kinds ----
//
// An unknown format reads as zero and takes no writes.

#define SAMPLING_PLACE                                                                                       \
    Handle handle, uint32_t kind, uint64_t sampler, float x, float y, float z, uint32_t array, int offset_x, \
        int offset_y, int offset_z
#define SAMPLING_SLOPES float x_dx, float y_dx, float z_dx, float x_dy, float y_dy, float z_dy
#define SLOW extern "C" __attribute__((pure))

SLOW float4 __metal_slow_load_f32(const uint8_t* texel, uint32_t format);
SLOW uint4 __metal_slow_load_u32(const uint8_t* texel, uint32_t format);
extern "C" void __metal_slow_store_f32(uint8_t* texel, uint32_t format, float4 value);
extern "C" void __metal_slow_store_u32(uint8_t* texel, uint32_t format, uint4 value);
SLOW float4 __metal_slow_sample_f32(SAMPLING_PLACE, float lod, float least);
SLOW uint4 __metal_slow_sample_u32(SAMPLING_PLACE, float lod, float least);
SLOW float4 __metal_slow_sample_gradient_f32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least);
SLOW uint4 __metal_slow_sample_gradient_u32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least);
SLOW float4 __metal_slow_gather_f32(SAMPLING_PLACE, int component);
SLOW uint4 __metal_slow_gather_u32(SAMPLING_PLACE, int component);
SLOW float __metal_slow_compare(SAMPLING_PLACE, float reference, float lod, float least);
SLOW float __metal_slow_compare_gradient(SAMPLING_PLACE, float reference, SAMPLING_SLOPES, float bias, float least);
SLOW float4 __metal_slow_gather_compare(SAMPLING_PLACE, float reference);
SLOW float __metal_slow_lod(SAMPLING_PLACE, SAMPLING_SLOPES);
