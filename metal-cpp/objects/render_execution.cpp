// SPDX-License-Identifier: MIT
//
// How a render encoder executes the commands of indirect command buffers.

#include "buffer.hpp"
#include "debug_execution.hpp"
#include "indirect_draws.hpp"
#include "join.hpp"
#include "render_encoder.hpp"

namespace metal_objects {

namespace {

constexpr const char* call = "executeCommandsInBuffer";

}  // namespace

bool RenderEncoderObject::mayExecute(const IndirectBufferObject* commands) {
    if (!mayEncode(call)) return false;
    if (commands == nullptr) {
        noteMistake(join(call, ": indirectCommandBuffer must not be nil"));
    } else if (!commands->values.draws()) {
        noteMistake(join(call, ": the buffer's commands dispatch, which a compute command encoder executes"));
    } else if (commands->values.inheritPipelineState && pipeline_ == nullptr) {
        noteMistake(join(call, ": no render pipeline state is set, which the commands inherit"));
    } else if (commands->values.inheritPipelineState && !pipeline_->supportsIndirectCommands) {
        noteMistake(join(call, ": the commands inherit the pipeline state of function '",
                         pipeline_->vertex->function->name(),
                         "', which was not made with supportIndirectCommandBuffers"));
    } else {
        return true;
    }
    return false;
}

InheritedDraw RenderEncoderObject::inherited() {
    InheritedDraw inherits;
    inherits.pipeline = NS::RetainPtr(const_cast<RenderPipelineObject*>(pipeline_));
    state.fill(inherits.draw, pipeline_ != nullptr ? pipeline_->colors : metal_executor::render::ColorState{});
    inherits.draw.label = labelOfDraws();
    for (NS::UInteger i = 0; i < ArgumentTable::bufferCount; ++i) {
        const ArgumentTable::Buffer &vertex = vertexTable.buffer(i), &fragment = fragmentTable.buffer(i);
        inherits.vertexBuffers[i] = {vertex.bytes, vertex.length, vertex.stride};
        inherits.fragmentBuffers[i] = {fragment.bytes, fragment.length, fragment.stride};
    }
    return inherits;
}

void RenderEncoderObject::watchExecution(const IndirectBufferObject* commands, CommandRange range) {
    auto* watch = commandBuffer->watch();
    if (watch != nullptr) watchDraws(*watch, commands, range, pipeline_, vertexTable, fragmentTable);
}

void RenderEncoderObject::executeCommands(const IndirectBufferObject* commands, NS::Range range) {
    if (!mayExecute(commands)) return;
    if (const std::string mistake = commands->rangeMistake(range); !mistake.empty())
        return noteMistake(join(call, ": ", mistake));
    commandBuffer->use(commands);
    const CommandRange all{static_cast<std::uint32_t>(range.location), static_cast<std::uint32_t>(range.length)};
    watchExecution(commands, all);
    if (list_->record != nullptr) recordExecution(commands, all);
    list_->items.emplace_back(drawing(commands, all, inherited(), pass_->targets));
}

void RenderEncoderObject::executeCommands(const IndirectBufferObject* commands, const BufferObject* ranges,
                                          NS::UInteger offset) {
    if (!mayExecute(commands)) return;
    constexpr NS::UInteger size = sizeof(MTL::IndirectCommandBufferExecutionRange);
    if (ranges == nullptr) return noteMistake(join(call, ": indirectRangeBuffer must not be nil"));
    if (offset % alignof(MTL::IndirectCommandBufferExecutionRange) != 0 || offset > ranges->length ||
        size > ranges->length - offset) {
        return noteMistake(join(call, ": indirectBufferOffset(", offset, ") must be a multiple of 4, with ", size,
                                " bytes to the end of the buffer, whose length is ", ranges->length));
    }
    commandBuffer->use(commands);
    commandBuffer->useBuffer(ranges);
    CommandRange range;
    range.indirect = reinterpret_cast<const std::uint32_t*>(ranges->bytes() + offset);
    watchExecution(commands, range);
    if (list_->record != nullptr) recordExecution(commands, range, ranges, offset);
    list_->items.emplace_back(drawing(commands, range, inherited(), pass_->targets));
}

}  // namespace metal_objects

namespace MTL {

void RenderCommandEncoder::executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandBuffer,
                                                   NS::Range executionRange) {
    metal_objects::as<metal_objects::RenderEncoderObject>(this)->executeCommands(
        metal_objects::as<metal_objects::IndirectBufferObject>(indirectCommandBuffer), executionRange);
}

void RenderCommandEncoder::executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandbuffer,
                                                   const Buffer* indirectRangeBuffer,
                                                   NS::UInteger indirectBufferOffset) {
    metal_objects::as<metal_objects::RenderEncoderObject>(this)->executeCommands(
        metal_objects::as<metal_objects::IndirectBufferObject>(indirectCommandbuffer),
        metal_objects::as<metal_objects::BufferObject>(indirectRangeBuffer), indirectBufferOffset);
}

}  // namespace MTL
