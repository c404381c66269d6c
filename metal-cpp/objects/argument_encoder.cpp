// SPDX-License-Identifier: MIT
//
// Argument buffers are laid out as the struct is in Metal's language: a pointer, texture, sampler or table takes 8
// bytes (docs/argument-buffers.md). An encoder only knows which id lies where.

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

#include "argument_descriptor.hpp"
#include "buffer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "function_tables.hpp"
#include "indirect_commands.hpp"
#include "library.hpp"
#include "render_pipeline.hpp"
#include "sampler.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

/// A member that has an id of its own: no struct, no array.
struct Place {
    std::uint64_t offset = 0;
    std::uint32_t type = protocol::noType;
};

/// Ids as Metal gives them: the one written, counted from the struct's own first, else the next; an array takes one for
/// each element, a struct one for each member.
class Ids {
public:
    explicit Ids(const protocol::LibraryReply& reply) : reply_(reply) {}

    std::map<NS::UInteger, Place> places;

    /// Returns the first id after it.
    NS::UInteger add(std::uint32_t index, std::uint64_t offset, NS::UInteger first) {
        const protocol::Type& type = reply_.types[index];
        if (type.dataType == static_cast<std::uint32_t>(MTL::DataTypeArray) && type.element != protocol::noType) {
            for (std::uint64_t i = 0; i < type.arrayLength; ++i)
                first = add(type.element, offset + i * type.stride, first);
            return first;
        }
        if (type.dataType == static_cast<std::uint32_t>(MTL::DataTypeStruct)) return addMembers(type, offset, first);
        places[first] = {offset, index};
        return first + 1;
    }

private:
    NS::UInteger addMembers(const protocol::Type& type, std::uint64_t offset, NS::UInteger first) {
        NS::UInteger next = first, end = first;
        for (const protocol::Member& member : type.members) {
            if (member.type == protocol::noType) continue;
            if (member.argumentIndex != protocol::noType) next = first + member.argumentIndex;
            next = add(member.type, offset + member.offset, next);
            end = std::max(end, next);
        }
        return end;
    }

    const protocol::LibraryReply& reply_;
};

class ArgumentEncoderObject final : public Implements<MTL::ArgumentEncoder> {
public:
    ArgumentEncoderObject(const MTL::Device* device, Reply reply, std::uint32_t index)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))), reply(std::move(reply)), index(index) {
        Ids ids(*this->reply);
        ids.add(index, 0, 0);
        places = std::move(ids.places);
    }

    const protocol::Type& type() const { return reply->types[index]; }

    void setBuffer(const char* call, const BufferObject* buffer, NS::UInteger offset) {
        if (buffer != nullptr && (offset > buffer->length || type().size > buffer->length - offset)) {
            std::ostringstream why;
            why << call << ": offset(" << offset << ") + encodedLength(" << type().size
                << ") must be <= the buffer's length(" << buffer->length << ")";
            return reportMistake(why.str());
        }
        memory = NS::RetainPtr(const_cast<BufferObject*>(buffer));
        start = offset;
    }

    /// Where a member lies; null, having said why, when there is none of that id and kind.
    std::uint8_t* place(const char* call, NS::UInteger id, std::optional<MTL::DataType> kind) {
        const auto found = places.find(id);
        std::ostringstream why;
        if (!memory) {
            why << call << ": setArgumentBuffer must come first";
        } else if (found == places.end()) {
            why << call << ": struct " << type().name << " has no member of index " << id;
        } else if (kind && reply->types[found->second.type].dataType != static_cast<std::uint32_t>(*kind)) {
            why << call << ": the member of index " << id << " in struct " << type().name << " is of type "
                << reply->types[found->second.type].name;
        }
        if (!why.str().empty()) {
            reportMistake(why.str());
            return nullptr;
        }
        return memory->bytes() + start + found->second.offset;
    }

    void put(const char* call, NS::UInteger id, MTL::DataType kind, std::uint64_t value) {
        if (std::uint8_t* to = place(call, id, kind)) std::memcpy(to, &value, sizeof value);
    }

    const NS::SharedPtr<MTL::Device> device;
    const Reply reply;
    const std::uint32_t index;  // of the struct's type
    std::map<NS::UInteger, Place> places;
    NS::SharedPtr<BufferObject> memory;
    NS::UInteger start = 0;
    Label label;
};

}  // namespace

}  // namespace metal_objects

using metal_objects::ArgumentEncoderObject;
using metal_objects::as;
using metal_objects::BufferObject;
using metal_objects::FunctionObject;

namespace MTL {

ArgumentEncoder* Function::newArgumentEncoder(NS::UInteger bufferIndex) {
    const auto* function = as<FunctionObject>(this);
    for (const protocol::Argument& argument : function->facts().arguments) {
        if (argument.kind != protocol::ArgumentKind::buffer || argument.index != bufferIndex) continue;
        const auto& types = function->library->reply->types;
        if (argument.type == protocol::noType ||
            types[argument.type].dataType != static_cast<std::uint32_t>(DataTypeStruct)) {
            metal_objects::reportMistake("newArgumentEncoder: buffer " + std::to_string(bufferIndex) +
                                         " of function '" + function->name() + "' is " + argument.typeText +
                                         ", which is no struct");
            return nullptr;
        }
        return new ArgumentEncoderObject(function->library->device.get(), function->library->reply, argument.type);
    }
    metal_objects::reportMistake("newArgumentEncoder: function '" + function->name() + "' has no buffer of index " +
                                 std::to_string(bufferIndex));
    return nullptr;
}

ArgumentEncoder* Device::newArgumentEncoder(const NS::Array* arguments) {
    std::uint32_t index = 0;
    metal_objects::Reply reply = metal_objects::structOf(arguments, index);
    return reply ? new ArgumentEncoderObject(this, std::move(reply), index) : nullptr;
}

NS::UInteger ArgumentEncoder::alignment() const {
    return as<ArgumentEncoderObject>(this)->type().alignment;
}
NS::UInteger ArgumentEncoder::encodedLength() const {
    return as<ArgumentEncoderObject>(this)->type().size;
}
Device* ArgumentEncoder::device() const {
    return as<ArgumentEncoderObject>(this)->device.get();
}
NS::String* ArgumentEncoder::label() const {
    return as<ArgumentEncoderObject>(this)->label.get();
}
void ArgumentEncoder::setLabel(const NS::String* label) {
    as<ArgumentEncoderObject>(this)->label.set(label);
}

void* ArgumentEncoder::constantData(NS::UInteger index) {
    auto* encoder = as<ArgumentEncoderObject>(this);
    return encoder->memory ? encoder->place("constantData", index, std::nullopt) : nullptr;
}

ArgumentEncoder* ArgumentEncoder::newArgumentEncoder(NS::UInteger index) {
    auto* encoder = as<ArgumentEncoderObject>(this);
    const auto found = encoder->places.find(index);
    if (found == encoder->places.end()) return nullptr;
    const std::uint32_t pointee = encoder->reply->types[found->second.type].element;
    if (pointee == protocol::noType ||
        encoder->reply->types[pointee].dataType != static_cast<std::uint32_t>(DataTypeStruct)) {
        return nullptr;
    }
    return new ArgumentEncoderObject(encoder->device.get(), encoder->reply, pointee);
}

void ArgumentEncoder::setArgumentBuffer(const Buffer* argumentBuffer, NS::UInteger offset) {
    as<ArgumentEncoderObject>(this)->setBuffer("setArgumentBuffer", as<BufferObject>(argumentBuffer), offset);
}
void ArgumentEncoder::setArgumentBuffer(const Buffer* argumentBuffer, NS::UInteger startOffset,
                                        NS::UInteger arrayElement) {
    setArgumentBuffer(argumentBuffer, startOffset + arrayElement * encodedLength());
}

void ArgumentEncoder::setComputePipelineState(const ComputePipelineState* pipeline, NS::UInteger index) {
    const auto* state = as<metal_objects::PipelineObject>(pipeline);
    if (state != nullptr && !state->supportsIndirectCommands) {
        return metal_objects::reportMistake(
            "setComputePipelineState: the pipeline state must have been made with supportIndirectCommandBuffers");
    }
    as<ArgumentEncoderObject>(this)->put("setComputePipelineState", index, DataTypeComputePipeline,
                                         state != nullptr ? state->resourceID : 0);
}
void ArgumentEncoder::setComputePipelineStates(const ComputePipelineState* const pipelines[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setComputePipelineState(pipelines[i], range.location + i);
}
void ArgumentEncoder::setRenderPipelineState(const RenderPipelineState* pipeline, NS::UInteger index) {
    const auto* state = as<metal_objects::RenderPipelineObject>(pipeline);
    if (state != nullptr && !state->supportsIndirectCommands) {
        return metal_objects::reportMistake(
            "setRenderPipelineState: the pipeline state must have been made with supportIndirectCommandBuffers");
    }
    as<ArgumentEncoderObject>(this)->put("setRenderPipelineState", index, DataTypeRenderPipeline,
                                         state != nullptr ? state->resourceID : 0);
}
void ArgumentEncoder::setRenderPipelineStates(const RenderPipelineState* const pipelines[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setRenderPipelineState(pipelines[i], range.location + i);
}
void ArgumentEncoder::setIndirectCommandBuffer(const IndirectCommandBuffer* indirectCommandBuffer, NS::UInteger index) {
    as<ArgumentEncoderObject>(this)->put(
        "setIndirectCommandBuffer", index, DataTypeIndirectCommandBuffer,
        indirectCommandBuffer != nullptr ? indirectCommandBuffer->gpuResourceID()._impl : 0);
}
void ArgumentEncoder::setIndirectCommandBuffers(const IndirectCommandBuffer* const buffers[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setIndirectCommandBuffer(buffers[i], range.location + i);
}

void ArgumentEncoder::setBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    as<ArgumentEncoderObject>(this)->put("setBuffer", index, DataTypePointer,
                                         buffer != nullptr ? buffer->gpuAddress() + offset : 0);
}
void ArgumentEncoder::setBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setBuffer(buffers[i], offsets[i], range.location + i);
}

void ArgumentEncoder::setTexture(const Texture* texture, NS::UInteger index) {
    as<ArgumentEncoderObject>(this)->put("setTexture", index, DataTypeTexture,
                                         texture != nullptr ? texture->gpuResourceID()._impl : 0);
}
void ArgumentEncoder::setTextures(const Texture* const textures[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setTexture(textures[i], range.location + i);
}

void ArgumentEncoder::setSamplerState(const SamplerState* sampler, NS::UInteger index) {
    as<ArgumentEncoderObject>(this)->put("setSamplerState", index, DataTypeSampler,
                                         sampler != nullptr ? sampler->gpuResourceID()._impl : 0);
}
void ArgumentEncoder::setSamplerStates(const SamplerState* const samplers[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setSamplerState(samplers[i], range.location + i);
}

void ArgumentEncoder::setVisibleFunctionTable(const VisibleFunctionTable* visibleFunctionTable, NS::UInteger index) {
    as<ArgumentEncoderObject>(this)->put(
        "setVisibleFunctionTable", index, DataTypeVisibleFunctionTable,
        visibleFunctionTable != nullptr ? visibleFunctionTable->gpuResourceID()._impl : 0);
}
void ArgumentEncoder::setVisibleFunctionTables(const VisibleFunctionTable* const visibleFunctionTables[],
                                               NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i)
        setVisibleFunctionTable(visibleFunctionTables[i], range.location + i);
}

}  // namespace MTL
