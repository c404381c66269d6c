// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <vector>

#include "handle.hpp"

namespace mtlpy {

/// Throws a ValidationError for descriptors that overlap or have no type.
NS::SharedPtr<MTL::ArgumentEncoder> newArgumentEncoder(MTL::Device& device,
                                                       const std::vector<MTL::ArgumentDescriptor*>& arguments);

}  // namespace mtlpy
