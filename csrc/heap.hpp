// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "handle.hpp"

namespace mtlpy {

/// Throws a ValidationError for a descriptor that Metal would refuse, and a ResourceError when there is no memory.
NS::SharedPtr<MTL::Heap> newHeap(MTL::Device& device, MTL::HeapDescriptor& descriptor);

/// Bytes and alignment in a heap; throw as Metal would refuse the resource.
MTL::SizeAndAlign heapBufferSizeAndAlign(MTL::Device& device, std::int64_t length, std::int64_t options);
MTL::SizeAndAlign heapTextureSizeAndAlign(MTL::Device& device, MTL::TextureDescriptor& descriptor);

}  // namespace mtlpy
