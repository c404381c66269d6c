// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "types.hpp"

namespace mtlpy {

/// "reset: range is (10, 3), the buffer has 12 commands"
NS::Range checkedCommands(const char* where, const MTL::IndirectCommandBuffer& commands, const RangeLike& range);

NS::SharedPtr<MTL::IndirectCommandBuffer> newIndirectCommandBuffer(
    MTL::Device& device, const MTL::IndirectCommandBufferDescriptor& descriptor, std::int64_t count,
    std::int64_t options);

}  // namespace mtlpy
