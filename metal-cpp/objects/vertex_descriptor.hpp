// SPDX-License-Identifier: MIT
//
// Where a vertex function's [[stage_in]] comes from.

#pragma once

#include "../Metal/Metal.hpp"
#include "descriptor_array.hpp"

namespace metal_objects {

struct VertexLayoutValues {
    NS::UInteger stride = 0;
    NS::UInteger stepRate = 1;
    MTL::VertexStepFunction stepFunction = MTL::VertexStepFunctionPerVertex;
};
using VertexLayoutObject = DescriptorOf<MTL::VertexBufferLayoutDescriptor, VertexLayoutValues>;
using VertexLayoutArrayObject = DescriptorArrayOf<MTL::VertexBufferLayoutDescriptorArray, VertexLayoutObject>;

struct VertexAttributeValues {
    MTL::VertexFormat format = MTL::VertexFormatInvalid;
    NS::UInteger bufferIndex = 0;
    NS::UInteger offset = 0;
};
using VertexAttributeObject = DescriptorOf<MTL::VertexAttributeDescriptor, VertexAttributeValues>;
using VertexAttributeArrayObject = DescriptorArrayOf<MTL::VertexAttributeDescriptorArray, VertexAttributeObject>;

struct VertexDescriptorValues {
    Owned<VertexAttributeArrayObject> attributes;
    Owned<VertexLayoutArrayObject> layouts;
};
using VertexDescriptorObject = DescriptorOf<MTL::VertexDescriptor, VertexDescriptorValues>;

}  // namespace metal_objects
