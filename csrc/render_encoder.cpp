// SPDX-License-Identifier: MIT
//
// Encoders of render passes, one alone or several of one pass.

#include "render_encoder.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bind_render.hpp"
#include "buffer.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

template <class T>
T* checkedEncoder(const char* where, T* encoder) {
    if (!encoder) fail(ErrorKind::resource, concat(where, ": the command buffer gave no encoder"));
    return encoder;
}

/// That all which the pass names is of the command buffer's device.
void checkPass(const char* where, CommandBuffer& commandBuffer, const MTL::RenderPassDescriptor& pass) {
    const auto check = [&](const std::string& name, const MTL::RenderPassAttachmentDescriptor* attachment) {
        for (const auto& [part, texture] : {std::pair{".texture", attachment->texture()},
                                            std::pair{".resolve_texture", attachment->resolveTexture()}}) {
            if (texture) commandBuffer.checkDevice(where, (name + part).c_str(), texture->device());
        }
    };
    constexpr NS::UInteger colorAttachments = 8;
    for (NS::UInteger i = 0; i < colorAttachments; ++i)
        check(concat("color_attachments[", i, "]"), pass.colorAttachments()->object(i));
    check("depth_attachment", pass.depthAttachment());
    check("stencil_attachment", pass.stencilAttachment());
    const MTL::Buffer* visible = pass.visibilityResultBuffer();
    if (visible) commandBuffer.checkDevice(where, "visibility_result_buffer", visible->device());
}

}  // namespace

void RenderEncoder::setPipeline(RenderPipeline& pipeline) {
    constexpr const char* where = "set_render_pipeline_state";
    checkOpen(where);
    commandBuffer->checkDevice(where, "state", pipeline.metal->device());
    metal->setRenderPipelineState(pipeline.metal.get());
    pipeline_ = pipeline.shared_from_this();
}

NS::UInteger RenderEncoder::checkedOffset(const char* where, const char* name, MTL::Buffer& buffer, std::int64_t offset,
                                          std::size_t size) {
    checkRange(where, "the buffer", offset, static_cast<std::int64_t>(size), buffer.length());
    if (offset % 4 != 0)
        fail(ErrorKind::validation, concat(where, ": ", name, " is ", offset, ", must be a multiple of 4"));
    return static_cast<NS::UInteger>(offset);
}

namespace {

/// What the argument lacks; null when nothing.
const char* missingKind(const ArgumentInfo& argument, const StageArguments& set) {
    const std::uint64_t index = argument.index;
    switch (argument.kind) {
        case MTL::BindingTypeBuffer:
            return index < maximumBuffers && set.buffers[index] ? nullptr : "buffer";
        case MTL::BindingTypeTexture:
            for (std::uint64_t i = 0; i < argument.arrayLength; ++i)
                if (index + i >= maximumTextures || !set.textures[index + i]) return "texture";
            return nullptr;
        case MTL::BindingTypeSampler:
            return index < maximumSamplers && set.samplers[index] ? nullptr : "sampler";
        case MTL::BindingTypeVisibleFunctionTable:
            return index < maximumBuffers && set.functionTables[index] ? nullptr : "visible function table";
        default:
            return nullptr;
    }
}

void checkArguments(const RenderEncoder& encoder, const char* where, const char* stage, const std::string& name,
                    const Arguments& arguments, const StageArguments& set) {
    for (const auto& argument : arguments) {
        const char* missing = argument->isUsed ? missingKind(*argument, set) : nullptr;
        if (missing)
            fail(ErrorKind::validation,
                 concat(where, ": the ", stage, " function of ", name, " uses ", argument->name, ", but no ", missing,
                        " is set at index ", argument->index, encoder.place()));
    }
}

}  // namespace

void RenderEncoder::checkDraw(const char* where) const {
    checkOpen(where);
    if (!pipeline_) fail(ErrorKind::validation, concat(where, ": no render pipeline state is set", place()));
    checkArguments(*this, where, "vertex", pipeline_->name, pipeline_->vertexArguments, vertex);
    checkArguments(*this, where, "fragment", pipeline_->name, pipeline_->fragmentArguments, fragment);
}

void RenderEncoder::draw(const char* where, MTL::PrimitiveType type, std::int64_t start, std::int64_t count,
                         std::int64_t instances, std::int64_t baseInstance) {
    const NS::UInteger first = checkedCount(where, "vertex_start", start, 0, UINT32_MAX);
    const NS::UInteger vertices = checkedCount(where, "vertex_count", count, 1, UINT32_MAX);
    const NS::UInteger copies = checkedCount(where, "instance_count", instances, 1, UINT32_MAX);
    const NS::UInteger firstCopy = checkedCount(where, "base_instance", baseInstance, 0, UINT32_MAX);
    checkDraw(where);
    metal->drawPrimitives(type, first, vertices, copies, firstCopy);
}

void RenderEncoder::drawIndirect(MTL::PrimitiveType type, MTL::Buffer& buffer, std::int64_t offset) {
    constexpr const char* where = "draw_primitives_indirect";
    checkObject(where, "indirect_buffer", &buffer);
    const NS::UInteger start =
        checkedOffset(where, "indirect_buffer_offset", buffer, offset, sizeof(MTL::DrawPrimitivesIndirectArguments));
    checkDraw(where);
    metal->drawPrimitives(type, &buffer, start);
}

NS::UInteger RenderEncoder::checkedIndices(const char* where, MTL::IndexType type, MTL::Buffer& indices,
                                           std::int64_t offset, std::uint64_t count) {
    checkObject(where, "index_buffer", &indices);
    const std::int64_t size = type == MTL::IndexTypeUInt16 ? 2 : 4;
    checkRange(where, "the index buffer", offset, static_cast<std::int64_t>(count) * size, indices.length());
    if (offset % size != 0)
        fail(ErrorKind::validation,
             concat(where, ": index_buffer_offset is ", offset, ", must be a multiple of ", size));
    return static_cast<NS::UInteger>(offset);
}

void RenderEncoder::drawIndexed(const char* where, MTL::PrimitiveType type, std::int64_t count,
                                MTL::IndexType indexType, MTL::Buffer& indices, std::int64_t offset,
                                std::int64_t instances, std::int64_t baseVertex, std::int64_t baseInstance) {
    const NS::UInteger wanted = checkedCount(where, "index_count", count, 1, UINT32_MAX);
    const NS::UInteger start = checkedIndices(where, indexType, indices, offset, wanted);
    const NS::UInteger copies = checkedCount(where, "instance_count", instances, 1, UINT32_MAX);
    const NS::UInteger firstCopy = checkedCount(where, "base_instance", baseInstance, 0, UINT32_MAX);
    if (baseVertex < INT32_MIN || baseVertex > INT32_MAX)
        fail(ErrorKind::validation,
             concat(where, ": base_vertex is ", baseVertex, ", must be ", INT32_MIN, " to ", INT32_MAX));
    checkDraw(where);
    metal->drawIndexedPrimitives(type, wanted, indexType, &indices, start, copies, static_cast<NS::Integer>(baseVertex),
                                 firstCopy);
}

void RenderEncoder::drawIndexedIndirect(MTL::PrimitiveType type, MTL::IndexType indexType, MTL::Buffer& indices,
                                        std::int64_t indexOffset, MTL::Buffer& buffer, std::int64_t offset) {
    constexpr const char* where = "draw_indexed_primitives_indirect";
    const NS::UInteger start = checkedIndices(where, indexType, indices, indexOffset, 0);
    checkObject(where, "indirect_buffer", &buffer);
    const NS::UInteger place = checkedOffset(where, "indirect_buffer_offset", buffer, offset,
                                             sizeof(MTL::DrawIndexedPrimitivesIndirectArguments));
    checkDraw(where);
    metal->drawIndexedPrimitives(type, indexType, &indices, start, &buffer, place);
}

std::shared_ptr<RenderEncoder> ParallelRenderEncoder::newEncoder() {
    checkOpen("render_command_encoder");
    MTL::RenderCommandEncoder* encoder = checkedEncoder("render_command_encoder", metal->renderCommandEncoder());
    auto part = std::make_shared<RenderEncoder>(commandBuffer, encoder, shared_from_this());
    parts_.push_back(part);
    return part;
}

void ParallelRenderEncoder::end(const char* where) {
    checkOpen(where);
    for (const auto& weak : parts_)
        if (const auto part = weak.lock(); part && part->isOpen())
            fail(ErrorKind::validation, concat(where, ": an encoder of the pass is open; end it first"));
    Encoder::end(where);
}

std::shared_ptr<RenderEncoder> newRenderEncoder(CommandBuffer& commandBuffer,
                                                const MTL::RenderPassDescriptor& descriptor) {
    constexpr const char* where = "render_command_encoder";
    commandBuffer.checkEncodable(where);
    checkPass(where, commandBuffer, descriptor);
    return std::make_shared<RenderEncoder>(
        commandBuffer.shared_from_this(),
        checkedEncoder(where, commandBuffer.metal->renderCommandEncoder(&descriptor)));
}

std::shared_ptr<ParallelRenderEncoder> newParallelRenderEncoder(CommandBuffer& commandBuffer,
                                                                const MTL::RenderPassDescriptor& descriptor) {
    constexpr const char* where = "parallel_render_command_encoder";
    commandBuffer.checkEncodable(where);
    checkPass(where, commandBuffer, descriptor);
    return std::make_shared<ParallelRenderEncoder>(
        commandBuffer.shared_from_this(),
        checkedEncoder(where, commandBuffer.metal->parallelRenderCommandEncoder(&descriptor)));
}

void bindRenderEncoder(nb::module_& module) {
    nb::class_<RenderEncoder> type(module, "RenderCommandEncoder", "Draws of a render pass into a command buffer.",
                                   nb::is_weak_referenceable());
    bindEncoder(type);
    bindRenderState(type);
    bindRenderArguments(type);
    bindRenderArgumentRanges(type);
    bindRenderUses(type);
    bindRenderDraws(type);
    bindStoreActions(type);
    nb::class_<ParallelRenderEncoder> parallel(module, "ParallelRenderCommandEncoder",
                                               "Several encoders of one render pass, which threads may share.",
                                               nb::is_weak_referenceable());
    bindEncoder(parallel);
    bindStoreActions(parallel);
    parallel.def("render_command_encoder", &ParallelRenderEncoder::newEncoder, pooled,
                 "A further encoder of the pass. All draw in the order in which they were made.");
}

}  // namespace mtlpy
