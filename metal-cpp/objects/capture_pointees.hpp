// SPDX-License-Identifier: MIT
//
// What is in memory that a command touches: parts of resources, and what argument buffers point at.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "../capture/json.hpp"
#include "capture_objects.hpp"
#include "capture_record.hpp"

namespace metal_objects {

/// Calls `visit` with a buffer's bytes, or those of each level of a texture that is touched.
void forEachPart(const Touch& touch, const std::function<void(const Touch& touch, const void* data, std::uint64_t size,
                                                              std::optional<std::uint32_t> level)>& visit);

/// The member "pointees": what the command's argument buffers point at now. Adds it to what the command touches.
void writePointees(metal_capture::JsonWriter& json, CaptureObjects& objects, CommandRecord& record);

/// Whether a type of the library has pointers, textures, samplers or tables in it.
bool hasHandles(const protocol::LibraryReply& reply, std::uint32_t type);

}  // namespace metal_objects
