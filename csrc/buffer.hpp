// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "bytes.hpp"
#include "completion.hpp"
#include "handle.hpp"

namespace mtlpy {

// Each throws a ValidationError for a bad length, and a ResourceError when there is no memory.
NS::SharedPtr<MTL::Buffer> newBuffer(MTL::Device& device, std::int64_t length, std::int64_t options);
NS::SharedPtr<MTL::Buffer> newBufferWithData(MTL::Device& device, BytesLike data, std::int64_t length,
                                             std::int64_t options);

/// Over the object's own memory: as Python's object of the result, which keeps `data` alive, as do the command buffers
/// that use it.
nb::object newBufferNoCopy(MTL::Device& device, BytesLike data, std::int64_t options);

/// The Python object whose memory the buffer is, for command buffers to keep; null for memory of Metal's own.
PythonReference memoryOwner(const MTL::Buffer* buffer);

/// The same of the buffer that a texture, or what it is a view of, is on.
PythonReference memoryOwner(const MTL::Texture* texture);

/// Lets an object of Python's that shows a buffer's memory (a texture on it, a view) keep that memory.
void keepMemory(nb::handle object, const MTL::Buffer* buffer);

/// A shared buffer with a copy of the bytes.
NS::SharedPtr<MTL::Buffer> newBufferOfBytes(MTL::Device& device, const void* data, std::size_t length);

}  // namespace mtlpy
