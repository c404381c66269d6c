// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

#include "handle.hpp"

namespace mtlpy {

/// Throws a ResourceError when the descriptor's file is no archive.
NS::SharedPtr<MTL::BinaryArchive> newBinaryArchive(MTL::Device& device, MTL::BinaryArchiveDescriptor& descriptor);

}  // namespace mtlpy
