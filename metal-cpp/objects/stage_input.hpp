// SPDX-License-Identifier: MIT
//
// A kernel's [[stage_in]]: the descriptor of where it comes from, and what a pipeline makes of it.

#pragma once

#include <array>
#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "../executor/attributes.hpp"
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

/// Descriptors by index, made when they are first asked for.
template <class Public, class Element>
class DescriptorArrayOf final : public Implements<Public> {
public:
    static constexpr NS::UInteger count = 31;

    Element* at(NS::UInteger index, const char* call) {
        if (!isInRange(index, call)) return nullptr;
        if (!elements_[index]) elements_[index] = NS::TransferPtr(new Element);
        return elements_[index].get();
    }
    void set(const Element* element, NS::UInteger index, const char* call) {
        if (!isInRange(index, call)) return;
        elements_[index] = NS::TransferPtr(element ? new Element(element->values) : new Element);
    }
    void copyFrom(const DescriptorArrayOf& other) {
        for (NS::UInteger i = 0; i < count; ++i) {
            elements_[i] = other.elements_[i] ? NS::TransferPtr(new Element(other.elements_[i]->values))
                                              : NS::SharedPtr<Element>();
        }
    }

private:
    static bool isInRange(NS::UInteger index, const char* call);

    std::array<NS::SharedPtr<Element>, count> elements_;
};
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

/// Empty, or why `descriptor` (which may be null) does not give what the function's [[stage_in]] asks for.
std::string makeStageInput(const FunctionObject* function, const MTL::StageInputOutputDescriptor* descriptor,
                           StageInput& input);

}  // namespace metal_objects
