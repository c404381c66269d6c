// SPDX-License-Identifier: MIT
//
// Sampling of 1D, 2D and 3D textures and their arrays, inlined into kernels and widened with them. Cubes, comparing,
// gathering, bicubic filters and anisotropy are called for one lane after the other (slow_sampling.cpp).

#include "inline_texels.hpp"

namespace {

/// A place in one level, in texels.
struct Spot {
    float at[3];
    int offset[3];
    uint32_t image;  // of an array
};

HELPER uint32_t sizeOf(Level level, int dimension) {
    return dimension == 0 ? level->width : dimension == 1 ? level->height : level->depth;
}

template <int dimensions>
HELPER Spot spotIn(Level level, uint64_t sampler, uint32_t image, float x, float y, float z, int offsetX, int offsetY,
                   int offsetZ) {
    bool inTexels = field(sampler, metal_sampler_pixel_coords_shift, 1);
    float from[3] = {x, y, z};
    Spot spot = {{0, 0, 0}, {offsetX, offsetY, offsetZ}, image};
    for (int index = 0; index < dimensions; ++index)
        spot.at[index] = texelCoordinate(from[index], sizeOf(level, index), addressMode(sampler, index), inTexels);
    return spot;
}

/// The texel of column, row and depth.
template <int dimensions, class Vector>
HELPER Vector fetch(Texture texture, Level level, uint64_t sampler, uint32_t image, int x, int y, int z) {
    int to[3] = {x, y, z};
    bool isOutside = false, isColored = false;
#pragma unroll  // else `to` stays in memory, each lane's for itself
    for (int index = 0; index < dimensions; ++index) {
        uint32_t mode = addressMode(sampler, index);
        to[index] = wrap(to[index], (int)sizeOf(level, index), mode);
        isOutside |= mode >= clampToZero && to[index] < 0;
        isColored |= mode == clampToBorder;
    }
    if (dimensions == 3) image = (uint32_t)to[2];
    uint8_t* row = rowAddress(level, image, dimensions > 1 ? (uint32_t)to[1] : 0);
    if (__builtin_expect(isOutside, false)) return border<Vector>(texture, sampler, isColored);
    return load(texture, row, (uint64_t)to[0],
                Vector{});  // with its sign, which is none: a shorter number to gather by
}

template <int dimensions, class Vector>
HELPER Vector nearestTexel(Texture texture, Level level, uint64_t sampler, const Spot& spot) {
    return fetch<dimensions, Vector>(
        texture, level, sampler, spot.image, (int)__builtin_floorf(spot.at[0]) + spot.offset[0],
        (int)__builtin_floorf(spot.at[1]) + spot.offset[1], (int)__builtin_floorf(spot.at[2]) + spot.offset[2]);
}

/// One texel, or the weighted 2, 4 or 8 around the place. As loops, so that the code that reads a texel is there once;
/// where the sampler is known they are unrolled.
template <int dimensions>
HELPER float4 sampleLevel(Texture texture, Level level, uint64_t sampler, bool smooth, Spot spot) {
    float shift = smooth ? 0.5f : 0.0f, begin[3] = {0, 0, 0}, share[3] = {0, 0, 0};
    int first[3] = {0, 0, 0};
    for (int index = 0; index < dimensions; ++index) {
        float at = spot.at[index] - shift;
        begin[index] = __builtin_floorf(at);
        share[index] = at - begin[index];
        first[index] = (int)begin[index] + spot.offset[index];
    }
    int taps = smooth ? 2 : 1;
    float4 whole = {0, 0, 0, 0};
    for (int plane = 0; plane < (dimensions > 2 ? taps : 1); ++plane) {
        float4 flat = {0, 0, 0, 0};
        for (int row = 0; row < (dimensions > 1 ? taps : 1); ++row) {
            float4 line = {0, 0, 0, 0};
            for (int column = 0; column < taps; ++column) {
                float4 texel = fetch<dimensions, float4>(texture, level, sampler, spot.image, first[0] + column,
                                                         first[1] + row, first[2] + plane);
                line = column == 0 ? texel : mix(sampler, line, texel, share[0]);
            }
            flat = row == 0 ? line : mix(sampler, flat, line, share[1]);
        }
        whole = plane == 0 ? flat : mix(sampler, whole, flat, share[2]);
    }
    return whole;
}

template <int dimensions>
HELPER float4 sampleReal(Handle handle, uint32_t kind, uint64_t sampler, float x, float y, float z, uint32_t array,
                         int offsetX, int offsetY, int offsetZ, float lod) {
    Texture texture = open(handle);
    uint32_t image = sliceOf(texture, kind, array);
    Levels levels = levelsOf(texture, sampler, lod);
    float4 value = {0, 0, 0, 0};
    for (uint32_t next = 0; next < (levels.share > 0 ? 2u : 1u); ++next) {
        Level level = &texture->levels[levels.mip + next];
        Spot spot = spotIn<dimensions>(level, sampler, image, x, y, z, offsetX, offsetY, offsetZ);
        float4 sampled = sampleLevel<dimensions>(texture, level, sampler, levels.smooth, spot);
        value = next == 0 ? sampled : mix(sampler, value, sampled, levels.share);
    }
    return value;
}

/// Integers are not filtered.
template <int dimensions>
HELPER uint4 sampleInteger(Handle handle, uint32_t kind, uint64_t sampler, float x, float y, float z, uint32_t array,
                           int offsetX, int offsetY, int offsetZ, float lod) {
    Texture texture = open(handle);
    bool hasLevels = field(sampler, metal_sampler_mip_filter_shift, 2) != 0;
    Level level = &texture->levels[hasLevels ? levelOf(texture, lod + 0.5f) : 0];
    Spot spot = spotIn<dimensions>(level, sampler, sliceOf(texture, kind, array), x, y, z, offsetX, offsetY, offsetZ);
    return nearestTexel<dimensions, uint4>(texture, level, sampler, spot);
}

}  // namespace

#define PLACE handle, kind, sampler, x, y, z, array, offset_x, offset_y, offset_z
#define SLOPES x_dx, y_dx, z_dx, x_dy, y_dy, z_dy

namespace {

template <int dimensions>
HELPER float4 sample(SAMPLING_PLACE, float lod, float least, float4) {
    if (__builtin_expect(isBicubic(sampler), false)) return __metal_slow_sample_f32(PLACE, lod, least);
    return sampleReal<dimensions>(PLACE, clampedLod(sampler, lod, least));
}
template <int dimensions>
HELPER uint4 sample(SAMPLING_PLACE, float lod, float least, uint4) {
    return sampleInteger<dimensions>(PLACE, clampedLod(sampler, lod, least));
}

template <int dimensions>
HELPER float flatLod(Handle handle, uint64_t sampler, SAMPLING_SLOPES) {
    float dx[3] = {x_dx, y_dx, z_dx}, dy[3] = {x_dy, y_dy, z_dy};
    return lodOf(slopesOf(open(handle), sampler, dimensions, dx, dy));
}

template <int dimensions>
HELPER float4 sampleGradient(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least, float4) {
    if (dimensions == 2 && field(sampler, metal_sampler_anisotropy_shift, 4) != 0)
        return __metal_slow_sample_gradient_f32(PLACE, SLOPES, bias, least);
    return sample<dimensions>(PLACE, flatLod<dimensions>(handle, sampler, SLOPES) + bias, least, float4{});
}
template <int dimensions>
HELPER uint4 sampleGradient(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least, uint4) {
    return sample<dimensions>(PLACE, flatLod<dimensions>(handle, sampler, SLOPES) + bias, least, uint4{});
}

}  // namespace

#define SAMPLE(shape, dimensions)                                                                              \
    FUNCTION float4 __metal_texture_sample_##shape##_f32(SAMPLING_PLACE, float lod, float least) {             \
        return sample<dimensions>(PLACE, lod, least, float4{});                                                \
    }                                                                                                          \
    FUNCTION uint4 __metal_texture_sample_##shape##_u32(SAMPLING_PLACE, float lod, float least) {              \
        return sample<dimensions>(PLACE, lod, least, uint4{});                                                 \
    }                                                                                                          \
    FUNCTION int4 __metal_texture_sample_##shape##_i32(SAMPLING_PLACE, float lod, float least) {               \
        return __builtin_bit_cast(int4, sample<dimensions>(PLACE, lod, least, uint4{}));                       \
    }                                                                                                          \
    FUNCTION float4 __metal_texture_sample_gradient_##shape##_f32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, \
                                                                  float least) {                               \
        return sampleGradient<dimensions>(PLACE, SLOPES, bias, least, float4{});                               \
    }                                                                                                          \
    FUNCTION uint4 __metal_texture_sample_gradient_##shape##_u32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias,  \
                                                                 float least) {                                \
        return sampleGradient<dimensions>(PLACE, SLOPES, bias, least, uint4{});                                \
    }                                                                                                          \
    FUNCTION int4 __metal_texture_sample_gradient_##shape##_i32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias,   \
                                                                float least) {                                 \
        return __builtin_bit_cast(int4, sampleGradient<dimensions>(PLACE, SLOPES, bias, least, uint4{}));      \
    }
SAMPLE(1d, 1)
SAMPLE(2d, 2)
SAMPLE(3d, 3)

FUNCTION float4 __metal_texture_sample_cube_f32(SAMPLING_PLACE, float lod, float least) {
    return __metal_slow_sample_f32(PLACE, lod, least);
}
FUNCTION uint4 __metal_texture_sample_cube_u32(SAMPLING_PLACE, float lod, float least) {
    return __metal_slow_sample_u32(PLACE, lod, least);
}
FUNCTION int4 __metal_texture_sample_cube_i32(SAMPLING_PLACE, float lod, float least) {
    return __builtin_bit_cast(int4, __metal_slow_sample_u32(PLACE, lod, least));
}
FUNCTION float4 __metal_texture_sample_gradient_cube_f32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    return __metal_slow_sample_gradient_f32(PLACE, SLOPES, bias, least);
}
FUNCTION uint4 __metal_texture_sample_gradient_cube_u32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    return __metal_slow_sample_gradient_u32(PLACE, SLOPES, bias, least);
}
FUNCTION int4 __metal_texture_sample_gradient_cube_i32(SAMPLING_PLACE, SAMPLING_SLOPES, float bias, float least) {
    return __builtin_bit_cast(int4, __metal_slow_sample_gradient_u32(PLACE, SLOPES, bias, least));
}

FUNCTION float4 __metal_texture_gather_f32(SAMPLING_PLACE, int component) {
    return __metal_slow_gather_f32(PLACE, component);
}
FUNCTION uint4 __metal_texture_gather_u32(SAMPLING_PLACE, int component) {
    return __metal_slow_gather_u32(PLACE, component);
}
FUNCTION int4 __metal_texture_gather_i32(SAMPLING_PLACE, int component) {
    return __builtin_bit_cast(int4, __metal_slow_gather_u32(PLACE, component));
}

FUNCTION float __metal_texture_compare(SAMPLING_PLACE, float reference, float lod, float least) {
    return __metal_slow_compare(PLACE, reference, lod, least);
}
FUNCTION float __metal_texture_compare_gradient(SAMPLING_PLACE, float reference, SAMPLING_SLOPES, float bias,
                                                float least) {
    return __metal_slow_compare_gradient(PLACE, reference, SLOPES, bias, least);
}
FUNCTION float4 __metal_texture_gather_compare(SAMPLING_PLACE, float reference) {
    return __metal_slow_gather_compare(PLACE, reference);
}

FUNCTION float __metal_texture_lod(Handle handle, uint32_t kind, uint64_t sampler, float x, float y, float z,
                                   uint32_t array, SAMPLING_SLOPES, bool clamped) {
    float lod = __metal_slow_lod(handle, kind, sampler, x, y, z, array, 0, 0, 0, SLOPES);
    if (!clamped) return lod;
    float last = (float)lastLevel(open(handle)), at = clampedLod(sampler, lod, 0);
    return at < last ? at : last;
}
