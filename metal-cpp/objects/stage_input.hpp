// SPDX-License-Identifier: MIT
//
// A kernel's [[stage_in]]: the descriptor of where it comes from, and what a pipeline makes of it.

#pragma once

#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../executor/attributes.hpp"
#include "descriptor_array.hpp"
#include "library.hpp"
#include "runtime.hpp"

namespace metal_objects {

struct BufferLayoutValues {
    NS::UInteger stride = 0;
    NS::UInteger stepRate = 1;
    MTL::StepFunction stepFunction = MTL::StepFunctionPerVertex;
};
using BufferLayoutDescriptorObject = DescriptorOf<MTL::BufferLayoutDescriptor, BufferLayoutValues>;

struct AttributeValues {
    MTL::AttributeFormat format = MTL::AttributeFormatInvalid;
    NS::UInteger bufferIndex = 0;
    NS::UInteger offset = 0;
};
using AttributeDescriptorObject = DescriptorOf<MTL::AttributeDescriptor, AttributeValues>;

using AttributeArrayObject = DescriptorArrayOf<MTL::AttributeDescriptorArray, AttributeDescriptorObject>;
using BufferLayoutArrayObject = DescriptorArrayOf<MTL::BufferLayoutDescriptorArray, BufferLayoutDescriptorObject>;

class StageInputDescriptorObject final : public Implements<MTL::StageInputOutputDescriptor> {
public:
    StageInputDescriptorObject() { clear(); }
    void clear();

    NS::SharedPtr<AttributeArrayObject> attributes;
    NS::SharedPtr<BufferLayoutArrayObject> layouts;
    MTL::IndexType indexType = MTL::IndexTypeUInt16;
    NS::UInteger indexBufferIndex = 0;

private:
    NS::Object* duplicate() const override;
};

/// What a pipeline fetches for each thread: a StageIn but for the buffers.
struct StageInput {
    struct Part {
        const protocol::StageValue* facts;  // of the function
        metal_executor::Attribute attribute;
        metal_executor::AttributeStep step;
        std::uint32_t rate;
        NS::UInteger buffer;
        NS::UInteger offset;
    };
    std::vector<Part> parts;
    std::uint32_t columnCount = 0;
    NS::UInteger indexBuffer = 0;
    std::uint32_t indexSize = 2;
    bool isIndexed = false;
};

/// Empty, or why the attribute cannot be made of elements of a format: MTL::AttributeFormat, or MTL::VertexFormat,
/// which has its values.
std::string attributeFormatMistake(const FunctionObject* function, const protocol::StageValue& attribute,
                                   NS::UInteger format, const char* formatName);

/// Empty, or why `descriptor` (which may be null) does not give what the function's [[stage_in]] asks for.
std::string makeStageInput(const FunctionObject* function, const MTL::StageInputOutputDescriptor* descriptor,
                           StageInput& input);

}  // namespace metal_objects
