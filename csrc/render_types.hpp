// SPDX-License-Identifier: MIT
//
// The small values of rendering, and the tuples that Python may write in their place.

#pragma once

#include <Metal/Metal.hpp>
#include <array>
#include <cstdint>

#include "handle.hpp"

namespace mtlpy {

struct ColorLike {
    std::array<double, 4> value{0, 0, 0, 1};
};

/// Origin, size, and the range of depths.
struct ViewportLike {
    std::array<double, 6> value{0, 0, 0, 0, 0, 1};
    MTL::Viewport checked(const char* where) const;
};

struct ScissorRectLike {
    std::array<std::int64_t, 4> value{0, 0, 0, 0};
    MTL::ScissorRect checked(const char* where) const;
};

struct SamplePositionLike {
    std::array<double, 2> value{0, 0};
    MTL::SamplePosition checked(const char* where) const;
};

// Each returns false without an error set when the object is something else.
bool readColor(nb::handle source, ColorLike& color) noexcept;
bool readViewport(nb::handle source, ViewportLike& viewport) noexcept;
bool readScissorRect(nb::handle source, ScissorRectLike& rect) noexcept;
bool readSamplePosition(nb::handle source, SamplePositionLike& position) noexcept;

/// `value` as a number of type float, which Metal takes; a ValidationError for NaN and infinities.
float checkedFloat(const char* where, const char* name, double value);

}  // namespace mtlpy

namespace nanobind::detail {

template <>
struct type_caster<mtlpy::ColorLike> {
    NB_TYPE_CASTER(mtlpy::ColorLike, const_name("ClearColor | collections.abc.Sequence[float]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readColor(source, value); }
};

template <>
struct type_caster<mtlpy::ViewportLike> {
    NB_TYPE_CASTER(mtlpy::ViewportLike, const_name("Viewport | collections.abc.Sequence[float]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readViewport(source, value); }
};

template <>
struct type_caster<mtlpy::ScissorRectLike> {
    NB_TYPE_CASTER(mtlpy::ScissorRectLike, const_name("ScissorRect | collections.abc.Sequence[int]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readScissorRect(source, value); }
};

template <>
struct type_caster<mtlpy::SamplePositionLike> {
    NB_TYPE_CASTER(mtlpy::SamplePositionLike, const_name("SamplePosition | collections.abc.Sequence[float]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
        return mtlpy::readSamplePosition(source, value);
    }
};

}  // namespace nanobind::detail
