// SPDX-License-Identifier: MIT
//
// Samplers, and the options of sample(). A sampler is 64 bits of state.

#pragma once
#pragma clang system_header

#include <metal_types>

namespace metal {

enum class coord { normalized = 0, pixel = 1 };
enum class filter { nearest = 0, linear = 1, bicubic = 2 };
enum class min_filter { nearest = 0, linear = 1, bicubic = 2 };
enum class mag_filter { nearest = 0, linear = 1, bicubic = 2 };
enum class mip_filter { none = 0, nearest = 1, linear = 2 };
#define __METAL_ADDRESS(name)     \
    enum class name {             \
        clamp_to_edge = 0,        \
        repeat = 2,               \
        mirrored_repeat = 3,      \
        clamp_to_zero = 4,        \
        clamp_to_border = 5,      \
    };
__METAL_ADDRESS(address)
__METAL_ADDRESS(s_address)
__METAL_ADDRESS(t_address)
__METAL_ADDRESS(r_address)
#undef __METAL_ADDRESS
enum class compare_func {
    never = 0,
    none = 0,
    less = 1,
    equal = 2,
    less_equal = 3,
    greater = 4,
    not_equal = 5,
    greater_equal = 6,
    always = 7,
};
enum class border_color { transparent_black = 0, opaque_black = 1, opaque_white = 2 };
enum class reduction { weighted_average = 0, minimum = 1, maximum = 2 };

struct max_anisotropy {
    constexpr explicit max_anisotropy(int n) : value(n < 1 ? 1 : n > 16 ? 16 : n) {}
    int value;
};
struct lod_clamp {
    constexpr lod_clamp(float low, float high) : low(steps(low)), high(steps(high)) {}
    uint low, high;  // of 1/256

private:
    static constexpr uint steps(float lod) { return lod > 0 ? lod < 15.99f ? uint(lod * 256 + 0.5f) : 0xfff : 0; }
};

template <typename Option>
inline constexpr bool __is_sampler_option = false;

struct sampler {
    constexpr sampler() : state(default_state) {}

    /// The settings in any order; what is not named keeps its default.
    template <typename First, typename... Rest>
    constexpr sampler(First first, Rest... rest) : state(default_state) {
        set(first);
        (set(rest), ...);
    }

    ulong state;  // metal_sampler of the kernels' ABI

private:
    static constexpr ulong default_state = 0xffful << 37;  // no upper clamp

    constexpr void put(int shift, int width, ulong value) {
        state = (state & ~(((1ul << width) - 1) << shift)) | (value << shift);
    }
    constexpr void set(s_address a) { put(0, 3, ulong(a)); }
    constexpr void set(t_address a) { put(3, 3, ulong(a)); }
    constexpr void set(r_address a) { put(6, 3, ulong(a)); }
    constexpr void set(address a) {
        set(s_address(a));
        set(t_address(a));
        set(r_address(a));
    }
    // Where a filter is bicubic, its bit says linear and another place the rest.
    constexpr void set(min_filter f) {
        put(9, 1, f != min_filter::nearest);
        if (f == min_filter::bicubic)
            put(23, 2, 3);
        else if ((state >> 23 & 3) == 3)
            put(23, 2, 0);
    }
    constexpr void set(mag_filter f) {
        put(10, 1, f != mag_filter::nearest);
        put(63, 1, f == mag_filter::bicubic);
    }
    constexpr void set(filter f) {
        set(min_filter(f));
        set(mag_filter(f));
    }
    constexpr void set(mip_filter f) { put(11, 2, ulong(f)); }
    constexpr void set(coord c) { put(13, 1, ulong(c)); }
    constexpr void set(compare_func f) { put(14, 3, ulong(f)); }
    constexpr void set(border_color c) { put(17, 2, ulong(c)); }
    constexpr void set(max_anisotropy n) { put(19, 4, ulong(n.value - 1)); }
    constexpr void set(reduction r) {
        if ((state >> 23 & 3) != 3) put(23, 2, ulong(r));
    }
    constexpr void set(lod_clamp c) {
        put(25, 12, c.low);
        put(37, 12, c.high);
    }
    template <typename Option>
    constexpr void set(Option) {
        static_assert(__is_sampler_option<Option>,
                      "a sampler is made of coord, address, s_address, t_address, r_address, filter, min_filter, "
                      "mag_filter, mip_filter, compare_func, border_color, reduction, max_anisotropy() and lod_clamp()");
    }
};

// ---- Options of sample() ----

struct bias {
    constexpr explicit bias(float value) : value(value) {}
    float value;
};
struct level {
    constexpr explicit level(float lod) : lod(lod) {}
    float lod;
};
struct min_lod_clamp {
    constexpr explicit min_lod_clamp(float lod) : lod(lod) {}
    float lod;
};
#define __METAL_GRADIENT(name, vector)                                                        \
    struct name {                                                                             \
        constexpr name(vector dx, vector dy) : dPdx(dx), dPdy(dy) {}                          \
        vector dPdx, dPdy;                                                                    \
    };
__METAL_GRADIENT(gradient2d, float2)
__METAL_GRADIENT(gradient3d, float3)
__METAL_GRADIENT(gradientcube, float3)
#undef __METAL_GRADIENT

enum class component { x, y, z, w };

}  // namespace metal
