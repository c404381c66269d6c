// SPDX-License-Identifier: MIT
//
// Reading, writing and asking textures on the host: one thread's code, inlined into kernels and widened with them. The
// kind of texture is a constant wherever these are called.

#include "inline_texels.hpp"

namespace {

struct Place {
    uint8_t* row;
    bool isInside;
};

/// Asks everything at once, so that one branch decides.
HELPER Place placeOf(Texture texture, uint32_t kind, uint32_t x, uint32_t y, uint32_t z, uint32_t part, uint32_t mip) {
    bool isLevel = mip == 0 || mip < texture->level_count;  // every texture has the first
    Level level = &texture->levels[isLevel ? mip : 0];
    uint32_t image = imageOf(texture, level, kind, z, part);
    bool isInside = isLevel & (x < level->width) & (image != noImage);
    if (!isOneDimensional(kind)) isInside &= y < level->height;
    return {rowAddress(level, image, y), isInside};
}

/// Of a texel inside. As a number with a sign, which processors gather by; only texture buffers are too wide for that.
HELPER uint64_t columnOf(uint32_t kind, uint32_t x) {
    return kind == kindBuffer ? (uint64_t)x : (uint64_t)(int32_t)x;
}

template <class Vector>
HELPER Vector read(Handle handle, uint32_t kind, uint32_t x, uint32_t y, uint32_t z, uint32_t part, uint32_t mip) {
    Texture texture = open(handle);
    Place place = placeOf(texture, kind, x, y, z, part, mip);
    if (__builtin_expect(!place.isInside, false)) return outside<Vector>(texture);
    return load(texture, place.row, columnOf(kind, x), Vector{});
}

template <class Vector>
HELPER void write(Handle handle, uint32_t kind, Vector value, uint32_t x, uint32_t y, uint32_t z, uint32_t part,
                  uint32_t mip) {
    Texture texture = open(handle);
    Place place = placeOf(texture, kind, x, y, z, part, mip);
    if (__builtin_expect(!place.isInside, false)) return;
    store(texture, place.row, columnOf(kind, x), value);
}

HELPER Level levelAt(Handle handle, uint32_t mip) {
    return &open(handle)->levels[mip % metal_max_mip_levels];
}

}  // namespace

#define TEXEL uint32_t x, uint32_t y, uint32_t z, uint32_t part

FUNCTION float4 __metal_texture_read_f32(Handle t, uint32_t kind, TEXEL, uint32_t level) {
    return read<float4>(t, kind, x, y, z, part, level);
}
FUNCTION uint4 __metal_texture_read_u32(Handle t, uint32_t kind, TEXEL, uint32_t level) {
    return read<uint4>(t, kind, x, y, z, part, level);
}
FUNCTION int4 __metal_texture_read_i32(Handle t, uint32_t kind, TEXEL, uint32_t level) {
    return __builtin_bit_cast(int4, read<uint4>(t, kind, x, y, z, part, level));
}

FUNCTION void __metal_texture_write_f32(Handle t, uint32_t kind, float4 v, TEXEL, uint32_t level) {
    write(t, kind, v, x, y, z, part, level);
}
FUNCTION void __metal_texture_write_u32(Handle t, uint32_t kind, uint4 v, TEXEL, uint32_t level) {
    write(t, kind, v, x, y, z, part, level);
}
FUNCTION void __metal_texture_write_i32(Handle t, uint32_t kind, int4 v, TEXEL, uint32_t level) {
    write(t, kind, __builtin_bit_cast(uint4, v), x, y, z, part, level);
}

FUNCTION uint32_t __metal_texture_width(Handle t, uint32_t level) {
    return levelAt(t, level)->width;
}
FUNCTION uint32_t __metal_texture_height(Handle t, uint32_t level) {
    return levelAt(t, level)->height;
}
FUNCTION uint32_t __metal_texture_depth(Handle t, uint32_t level) {
    return levelAt(t, level)->depth;
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

// ---- Atomics: of the first 32 or 64 bits of a texel; nothing outside, which reads as zero ----

namespace {

template <class T>
HELPER T* cell(Handle handle, uint32_t kind, TEXEL) {
    Texture texture = open(handle);
    Level level = &texture->levels[0];
    uint32_t image = imageOf(texture, level, kind, z, part);
    if (x >= level->width || image == noImage || texture->bytes_per_pixel < sizeof(T)) return nullptr;
    if (!isOneDimensional(kind) && y >= level->height) return nullptr;
    return (T*)(rowAddress(level, image, y) + (uint64_t)x * texture->bytes_per_pixel);
}

}  // namespace

#define MODIFY(operation, builtin, name, T)                                                           \
    FUNCTION T __metal_texture_atomic_##operation##_##name(Handle t, uint32_t kind, T value, TEXEL) { \
        T* at = cell<T>(t, kind, x, y, z, part);                                                      \
        return at ? builtin(at, value, __ATOMIC_RELAXED) : 0;                                         \
    }
#define ATOMICS(name, T)                                                                                           \
    FUNCTION T __metal_texture_atomic_load_##name(Handle t, uint32_t kind, TEXEL) {                                \
        T* at = cell<T>(t, kind, x, y, z, part);                                                                   \
        return at ? __atomic_load_n(at, __ATOMIC_RELAXED) : 0;                                                     \
    }                                                                                                              \
    FUNCTION void __metal_texture_atomic_store_##name(Handle t, uint32_t kind, T value, TEXEL) {                   \
        T* at = cell<T>(t, kind, x, y, z, part);                                                                   \
        if (at) __atomic_store_n(at, value, __ATOMIC_RELAXED);                                                     \
    }                                                                                                              \
    FUNCTION bool __metal_texture_atomic_compare_exchange_##name(Handle t, uint32_t kind, T* expected, T desired,  \
                                                                 TEXEL) {                                          \
        T* at = cell<T>(t, kind, x, y, z, part);                                                                   \
        return at && __atomic_compare_exchange_n(at, expected, desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    }                                                                                                              \
    MODIFY(exchange, __atomic_exchange_n, name, T)                                                                 \
    MODIFY(fetch_add, __atomic_fetch_add, name, T)                                                                 \
    MODIFY(fetch_sub, __atomic_fetch_sub, name, T)                                                                 \
    MODIFY(fetch_and, __atomic_fetch_and, name, T)                                                                 \
    MODIFY(fetch_or, __atomic_fetch_or, name, T)                                                                   \
    MODIFY(fetch_xor, __atomic_fetch_xor, name, T)                                                                 \
    MODIFY(fetch_min, __atomic_fetch_min, name, T)                                                                 \
    MODIFY(fetch_max, __atomic_fetch_max, name, T)
ATOMICS(i32, int32_t)
ATOMICS(u32, uint32_t)
ATOMICS(u64, uint64_t)
