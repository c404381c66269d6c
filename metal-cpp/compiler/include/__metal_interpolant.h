// SPDX-License-Identifier: MIT
//
// Inputs of a fragment function that it interpolates itself (pull model), at a place in the pixel of its choice.
//
// What is interpolated is linear in the pixel's plane, as the primitive is: a value at the pixel's centre and its
// differences along x and y. With perspective that holds of value / w and of 1 / w.

#pragma once
#pragma clang system_header

#include <metal_types>
#include <metal_common>
#include <metal_graphics>
#include <metal_integer>

namespace metal {

enum class interpolation { perspective, no_perspective };

template <typename T>
struct __interpolated {
    static_assert(sizeof(T) == 0, "an interpolant's type is 'float', 'half' or a vector of them");
};
template <>
struct __interpolated<float> {
    typedef float type;
};
template <>
struct __interpolated<half> {
    typedef float type;
};
template <int N>
struct __interpolated<vec<float, N>> {
    typedef vec<float, N> type;
};
template <int N>
struct __interpolated<vec<half, N>> {
    typedef vec<float, N> type;
};

/// From the pixel's centre to where samples of the fragment are: the centre itself when all are.
METAL_FUNC float2 __centroid() {
    const uint covered = __metal_covered_samples(), count = get_num_samples();
    const uint all = count >= 32 ? 0xffffffffu : (1u << count) - 1;
    return covered == 0 || (covered & all) == all ? float2(0.5f) : get_sample_position(ctz(covered));
}

template <typename T, interpolation P>
class interpolant;

template <typename T>
class interpolant<T, interpolation::no_perspective> {
    typedef typename __interpolated<T>::type __stored;
    __stored __value, __dx, __dy;

public:
    typedef T value_type;

    T interpolate_at_center() const { return T(__value); }
    T interpolate_at_centroid() const { return interpolate_at_offset(__centroid()); }
    /// From the pixel's upper left corner, 0 to 1.
    T interpolate_at_offset(float2 offset) const {
        return T(__value + __dx * (offset.x - 0.5f) + __dy * (offset.y - 0.5f));
    }
    T interpolate_at_sample(uint sample) const { return interpolate_at_offset(get_sample_position(sample)); }
};

template <typename T>
class interpolant<T, interpolation::perspective> {
    typedef typename __interpolated<T>::type __stored;
    __stored __value, __dx, __dy;         // of value / w
    float __inverse, __ofx, __ofy;  // of 1 / w

public:
    typedef T value_type;

    T interpolate_at_center() const { return T(__value / __inverse); }
    T interpolate_at_centroid() const { return interpolate_at_offset(__centroid()); }
    /// From the pixel's upper left corner, 0 to 1.
    T interpolate_at_offset(float2 offset) const {
        const float x = offset.x - 0.5f, y = offset.y - 0.5f;
        return T((__value + __dx * x + __dy * y) / (__inverse + __ofx * x + __ofy * y));
    }
    T interpolate_at_sample(uint sample) const { return interpolate_at_offset(get_sample_position(sample)); }
};

}  // namespace metal
