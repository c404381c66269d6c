// SPDX-License-Identifier: MIT
//
// What the debug layer looks at when a pass begins, since only then it shows: which vertices indices name.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace metal_objects {

/// The indices of one draw, and the elements that its attributes can be fetched from.
struct WatchedIndices {
    const std::uint8_t* indices = nullptr;
    std::uint64_t count = 0;
    unsigned size = 0;  // bytes of an index
    std::int64_t baseVertex = 0;
    struct Limit {
        std::uint64_t elements;
        std::string text;  // "attribute position is fetched from buffer 'x', which has 4 elements"
    };
    std::vector<Limit> limits;
    std::string draw, indexBuffer, place;  // for messages

    /// Warns of an index that names an element which is not there.
    void check() const;
};

}  // namespace metal_objects
