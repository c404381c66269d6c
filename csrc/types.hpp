// SPDX-License-Identifier: MIT
//
// Metal's small value types, and what Python may write in their place: a tuple, or a number for one dimension.

#pragma once

#include <Metal/Metal.hpp>
#include <array>
#include <cstdint>
#include <optional>

#include "handle.hpp"

namespace mtlpy {

/// Three signed numbers as Python gave them; the function that takes them checks their ranges and names them.
struct SizeLike {
    std::array<std::int64_t, 3> value{1, 1, 1};
    /// "dispatch_threads: threads_per_grid is (0, 1, 1), each must be 1 to 4294967295"
    MTL::Size checked(const char* where, const char* name, std::uint64_t minimum, std::uint64_t maximum) const;
};

struct OriginLike {
    std::array<std::int64_t, 3> value{0, 0, 0};
    MTL::Origin checked(const char* where, const char* name) const;
};

struct RangeLike {
    std::array<std::int64_t, 2> value{0, 0};
};

/// The region given, else all of it.
struct RegionLike {
    OriginLike origin;
    SizeLike size;
};

// Each returns false without an error set when the object is something else.
bool readSize(nb::handle source, SizeLike& size) noexcept;
bool readOrigin(nb::handle source, OriginLike& origin) noexcept;
bool readRange(nb::handle source, RangeLike& range) noexcept;
bool readRegion(nb::handle source, RegionLike& region) noexcept;

}  // namespace mtlpy

namespace nanobind::detail {

template <>
struct type_caster<mtlpy::SizeLike> {
    NB_TYPE_CASTER(mtlpy::SizeLike, const_name("Size | int | collections.abc.Sequence[int]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readSize(source, value); }
};

template <>
struct type_caster<mtlpy::OriginLike> {
    NB_TYPE_CASTER(mtlpy::OriginLike, const_name("Origin | int | collections.abc.Sequence[int]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readOrigin(source, value); }
};

template <>
struct type_caster<mtlpy::RangeLike> {
    NB_TYPE_CASTER(mtlpy::RangeLike, const_name("Range | collections.abc.Sequence[int]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readRange(source, value); }
};

template <>
struct type_caster<mtlpy::RegionLike> {
    NB_TYPE_CASTER(mtlpy::RegionLike, const_name("Region | tuple[Origin, Size]"))
    bool from_python(handle source, uint32_t, cleanup_list*) noexcept { return mtlpy::readRegion(source, value); }
};

}  // namespace nanobind::detail
