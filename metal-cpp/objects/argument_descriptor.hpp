// SPDX-License-Identifier: MIT
//
// Members of an argument buffer that a program describes itself.

#pragma once

#include "../Metal/Metal.hpp"
#include "library.hpp"
#include "runtime.hpp"

namespace metal_objects {

struct ArgumentValues {
    MTL::DataType dataType = MTL::DataTypeNone;
    MTL::TextureType textureType = MTL::TextureType2D;
    MTL::BindingAccess access = MTL::BindingAccessReadOnly;
    NS::UInteger index = 0, arrayLength = 0, constantBlockAlignment = 0;
};
using ArgumentDescriptorObject = DescriptorOf<MTL::ArgumentDescriptor, ArgumentValues>;

/// The struct that a shader would declare for them: type `structIndex` of the result. Null, having said why, when there
/// is none.
Reply structOf(const NS::Array* arguments, std::uint32_t& structIndex);

}  // namespace metal_objects
