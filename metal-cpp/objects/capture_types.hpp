// SPDX-License-Identifier: MIT
//
// The types that a kernel's arguments are made of, numbered for a capture: a library may have thousands.

#pragma once

#include <cstdint>
#include <map>

#include "../capture/json.hpp"
#include "library.hpp"

namespace metal_objects {

class CaptureTypes {
public:
    explicit CaptureTypes(const protocol::LibraryReply& reply) : reply_(reply) {}

    /// Of a type of the library, which is then part of the list with all that it is made of.
    std::uint32_t number(std::uint32_t libraryType);

    const std::map<std::uint32_t, std::uint32_t>& numbers() const { return numbers_; }

    void write(metal_capture::JsonWriter& json) const;

private:
    const protocol::LibraryReply& reply_;
    std::map<std::uint32_t, std::uint32_t> numbers_;  // by the library's number
    std::vector<std::uint32_t> listed_;
};

}  // namespace metal_objects
