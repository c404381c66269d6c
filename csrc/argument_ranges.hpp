// SPDX-License-Identifier: MIT
//
// Calls that set several arguments at once, at indices that follow each other. All is checked before the first is set.

#pragma once

#include <nanobind/stl/vector.h>

#include <Metal/Metal.hpp>
#include <vector>

#include "errors.hpp"
#include "types.hpp"

namespace mtlpy {

/// The range, which must name one index below `limit` for each of `count` objects.
inline NS::Range checkedIndices(const char* where, const char* name, std::size_t count, const RangeLike& range,
                                std::uint64_t limit) {
    const auto [location, length] = range.value;
    const auto most = static_cast<std::int64_t>(limit);
    if (location < 0 || length < 0 || location > most || length > most - location) {
        fail(ErrorKind::validation,
             concat(where, ": range is (", location, ", ", length, "), must lie in (0, ", limit, ")"));
    }
    if (static_cast<std::size_t>(length) != count) {
        fail(ErrorKind::validation,
             concat(where, ": range has ", length, " index(es), but ", count, " ", name, " are given"));
    }
    return {static_cast<NS::UInteger>(location), static_cast<NS::UInteger>(length)};
}

/// That a list which goes with another is as long.
inline void checkSameLength(const char* where, const char* name, std::size_t count, std::size_t wanted) {
    if (count == wanted) return;
    fail(ErrorKind::validation, concat(where, ": ", name, " has ", count, " element(s), must have ", wanted));
}

/// Pointers as Metal's calls take them.
template <class T>
std::vector<const T*> constants(const std::vector<T*>& objects) {
    return {objects.begin(), objects.end()};
}

/// Of a list in which None has no meaning.
template <class T>
void checkNoneIsMissing(const char* where, const char* name, const std::vector<T*>& objects) {
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (!objects[i]) fail(ErrorKind::validation, concat(where, ": ", name, "[", i, "] is None"));
}

}  // namespace mtlpy
