// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "handle.hpp"

namespace mtlpy {

/// Throws a ValidationError that says what is wrong with the descriptor.
NS::SharedPtr<MTL::LogState> newLogState(MTL::Device& device, const MTL::LogStateDescriptor& descriptor);

}  // namespace mtlpy
