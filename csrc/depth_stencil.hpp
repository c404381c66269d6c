// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "handle.hpp"

namespace mtlpy {

/// Throws a ResourceError when the device makes none.
NS::SharedPtr<MTL::DepthStencilState> newDepthStencilState(MTL::Device& device,
                                                           MTL::DepthStencilDescriptor& descriptor);

}  // namespace mtlpy
