// SPDX-License-Identifier: MIT
//
// Commands that draw, as the processor writes them.

#include <algorithm>

#include "buffer.hpp"
#include "depth_stencil.hpp"
#include "error.hpp"
#include "indirect_command_part.hpp"
#include "join.hpp"
#include "render_pipeline.hpp"

namespace metal_objects {

namespace {

class RenderCommandObject final : public Implements<MTL::IndirectRenderCommand>, public CommandPart {
public:
    using CommandPart::CommandPart;

    RenderCommand& command() const { return as<RenderCommand>(); }

    void draw(RenderCommandKind kind, MTL::PrimitiveType type, const std::uint32_t (&numbers)[6],
              std::uint64_t indices) const {
        std::copy_n(numbers, 6, command().numbers);
        command().addresses[0] = indices;
        command().primitiveType = static_cast<std::uint32_t>(type);
        command().kind = kind;
    }

    void setState(const char* call, std::uint32_t& state, RenderCommand::State bit, NS::UInteger value,
                  NS::UInteger most) const {
        if (value > most) return reportMistake(join(call, ": ", value, " must be <= ", most));
        state = static_cast<std::uint32_t>(value);
        command().states |= bit;
    }
};

template <class... Numbers>
bool areSmall(const char* call, Numbers... numbers) {
    if (((static_cast<NS::UInteger>(numbers) <= UINT32_MAX) && ...)) return true;
    reportMistake(join(call, ": numbers must be <= ", UINT32_MAX));
    return false;
}

bool isPrimitive(const char* call, MTL::PrimitiveType type) {
    if (type <= MTL::PrimitiveTypeTriangleStrip) return true;
    reportMistake(join(call, ": primitiveType(", type, ") must be <= ", MTL::PrimitiveTypeTriangleStrip));
    return false;
}

}  // namespace

MTL::IndirectRenderCommand* makeRenderCommand(IndirectBufferObject* buffer, NS::UInteger index) {
    auto* command = new RenderCommandObject(buffer, index);
    return command->autorelease();
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

void IndirectRenderCommand::drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart,
                                           NS::UInteger vertexCount, NS::UInteger instanceCount,
                                           NS::UInteger baseInstance) {
    constexpr const char* call = "drawPrimitives";
    if (!isPrimitive(call, primitiveType) || !areSmall(call, vertexStart, vertexCount, instanceCount, baseInstance))
        return;
    as<RenderCommandObject>(this)->draw(RenderCommandKind::draw, primitiveType,
                                        {std::uint32_t(vertexStart), std::uint32_t(vertexCount),
                                         std::uint32_t(instanceCount), std::uint32_t(baseInstance), 0, 0},
                                        0);
}

void IndirectRenderCommand::drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount,
                                                  IndexType indexType, const Buffer* indexBuffer,
                                                  NS::UInteger indexBufferOffset, NS::UInteger instanceCount,
                                                  NS::Integer baseVertex, NS::UInteger baseInstance) {
    constexpr const char* call = "drawIndexedPrimitives";
    const auto* command = as<RenderCommandObject>(this);
    const auto* buffer = as<BufferObject>(indexBuffer);
    if (buffer == nullptr || indexBufferOffset >= buffer->length)
        return reportMistake("drawIndexedPrimitives: indexBuffer must not be nil, and the offset inside of it");
    if (!isPrimitive(call, primitiveType) || !areSmall(call, indexCount, instanceCount, baseInstance)) return;
    const NS::UInteger size = indexType == IndexTypeUInt16 ? 2 : 4;
    if (indexType > IndexTypeUInt32 || indexBufferOffset % size != 0 ||
        indexCount * size > buffer->length - indexBufferOffset) {
        return reportMistake(join(call, ": indexBufferOffset(", indexBufferOffset, ") must be a multiple of ", size,
                                  ", with indexCount(", indexCount, ") * ", size,
                                  " bytes to the end of the indexBuffer, whose length is ", buffer->length));
    }
    command->draw(RenderCommandKind::drawIndexed, primitiveType,
                  {std::uint32_t(indexCount), std::uint32_t(size), std::uint32_t(instanceCount),
                   std::uint32_t(baseVertex), std::uint32_t(baseInstance), 0},
                  reinterpret_cast<std::uint64_t>(buffer->bytes() + indexBufferOffset));
    command->buffer->hold(command->index, CommandPart::indexPlace, indexBuffer);
}

void IndirectRenderCommand::reset() {
    const auto* command = as<RenderCommandObject>(this);
    command->buffer->reset("reset", NS::Range(command->index, 1));
}

void IndirectRenderCommand::setBarrier() {
    as<RenderCommandObject>(this)->command().hasBarrier = 1;
}
void IndirectRenderCommand::clearBarrier() {
    as<RenderCommandObject>(this)->command().hasBarrier = 0;
}

void IndirectRenderCommand::setRenderPipelineState(const RenderPipelineState* pipelineState) {
    const auto* command = as<RenderCommandObject>(this);
    const auto* pipeline = as<RenderPipelineObject>(pipelineState);
    if (pipeline == nullptr || !pipeline->supportsIndirectCommands) {
        return reportMistake(
            "setRenderPipelineState: the pipeline state must have been made with supportIndirectCommandBuffers");
    }
    command->command().pipeline = pipeline->resourceID;
    command->buffer->hold(command->index, CommandPart::pipelinePlace, pipeline);
}

void IndirectRenderCommand::setDepthStencilState(const DepthStencilState* depthStencilState) {
    const auto* command = as<RenderCommandObject>(this);
    const auto* state = as<DepthStencilObject>(depthStencilState);
    command->command().depthStencilState = state != nullptr ? state->resourceID : 0;
    command->buffer->hold(command->index, CommandPart::depthStencilPlace, state);
}

void IndirectRenderCommand::setCullMode(CullMode cullMode) {
    const auto* command = as<RenderCommandObject>(this);
    command->setState("setCullMode", command->command().cullMode, RenderCommand::hasCull, cullMode, CullModeBack);
}
void IndirectRenderCommand::setFrontFacingWinding(Winding frontFacingWindning) {
    const auto* command = as<RenderCommandObject>(this);
    command->setState("setFrontFacingWinding", command->command().winding, RenderCommand::hasWinding,
                      frontFacingWindning, WindingCounterClockwise);
}
void IndirectRenderCommand::setTriangleFillMode(TriangleFillMode fillMode) {
    const auto* command = as<RenderCommandObject>(this);
    command->setState("setTriangleFillMode", command->command().fillMode, RenderCommand::hasFill, fillMode,
                      TriangleFillModeLines);
}
void IndirectRenderCommand::setDepthClipMode(DepthClipMode depthClipMode) {
    const auto* command = as<RenderCommandObject>(this);
    command->setState("setDepthClipMode", command->command().clipMode, RenderCommand::hasClip, depthClipMode,
                      DepthClipModeClamp);
}
void IndirectRenderCommand::setDepthBias(float depthBias, float slopeScale, float clamp) {
    RenderCommand& command = as<RenderCommandObject>(this)->command();
    std::copy_n(std::array{depthBias, slopeScale, clamp}.data(), 3, command.depthBias);
    command.states |= RenderCommand::hasBias;
}

void IndirectRenderCommand::setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    setVertexBuffer(buffer, offset, 0, index);
}
void IndirectRenderCommand::setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride,
                                            NS::UInteger index) {
    const auto* command = as<RenderCommandObject>(this);
    command->bind("setVertexBuffer", command->bindings<RenderCommand>(), command->buffer->facts.firstCount, 0, buffer,
                  offset, stride, index);
}
void IndirectRenderCommand::setFragmentBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    const auto* command = as<RenderCommandObject>(this);
    const CommandFacts& facts = command->buffer->facts;
    command->bind("setFragmentBuffer", command->bindings<RenderCommand>() + facts.firstCount, facts.secondCount,
                  CommandPart::fragmentPlace, buffer, offset, 0, index);
}

}  // namespace MTL
