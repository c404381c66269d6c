// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "bytes.hpp"
#include "handle.hpp"

namespace mtlpy {

// Each throws a ValidationError for a bad length, and a ResourceError when there is no memory.
NS::SharedPtr<MTL::Buffer> newBuffer(MTL::Device& device, std::int64_t length, std::int64_t options);
NS::SharedPtr<MTL::Buffer> newBufferWithData(MTL::Device& device, BytesLike data, std::int64_t length,
                                             std::int64_t options);

/// Over the object's own memory, which it keeps alive as long as anything uses it.
NS::SharedPtr<MTL::Buffer> newBufferNoCopy(MTL::Device& device, BytesLike data, std::int64_t options);

/// A shared buffer with a copy of the bytes.
NS::SharedPtr<MTL::Buffer> newBufferOfBytes(MTL::Device& device, const void* data, std::size_t length);

}  // namespace mtlpy
