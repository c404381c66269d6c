// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <bitset>
#include <memory>

#include "command_encoder.hpp"
#include "compute_pipeline.hpp"
#include "render_pipeline.hpp"
#include "types.hpp"

namespace mtlpy {

/// What is set for one of the functions, so that a draw with a missing argument is an error that names the argument.
struct StageArguments {
    std::bitset<maximumBuffers> buffers, functionTables;
    std::bitset<maximumTextures> textures;
    std::bitset<maximumSamplers> samplers;
};

class ParallelRenderEncoder;

/// A render encoder that checks what Metal would stop the program for.
class RenderEncoder : public Encoder<MTL::RenderCommandEncoder> {
public:
    /// `parent`: whose pass it draws into; null when the pass is its own.
    RenderEncoder(std::shared_ptr<CommandBuffer> commandBuffer, MTL::RenderCommandEncoder* encoder,
                  std::shared_ptr<ParallelRenderEncoder> parent = nullptr)
        : Encoder(std::move(commandBuffer), encoder, parent != nullptr), parent_(std::move(parent)) {}
    /// Before it lets go of the parent, which ends with its last part.
    ~RenderEncoder() { leave(); }

    void setPipeline(RenderPipeline& pipeline);

    void draw(const char* where, MTL::PrimitiveType type, std::int64_t start, std::int64_t count,
              std::int64_t instances, std::int64_t baseInstance);
    void drawIndirect(MTL::PrimitiveType type, MTL::Buffer& buffer, std::int64_t offset);
    void drawIndexed(const char* where, MTL::PrimitiveType type, std::int64_t count, MTL::IndexType indexType,
                     MTL::Buffer& indices, std::int64_t offset, std::int64_t instances, std::int64_t baseVertex,
                     std::int64_t baseInstance);
    void drawIndexedIndirect(MTL::PrimitiveType type, MTL::IndexType indexType, MTL::Buffer& indices,
                             std::int64_t indexOffset, MTL::Buffer& buffer, std::int64_t offset);

    void executeCommands(MTL::IndirectCommandBuffer& commands, const RangeLike& range);
    void executeCommandsIndirect(MTL::IndirectCommandBuffer& commands, MTL::Buffer& ranges, std::int64_t offset);

    /// That it is open and the object is of its device.
    template <class T>
    void checkObject(const char* where, const char* name, const T* object) const {
        checkOpen(where);
        if (object) commandBuffer->checkDevice(where, name, object->device());
    }

    /// An offset that is a multiple of 4, with so many bytes of the buffer behind it.
    NS::UInteger checkedOffset(const char* where, const char* name, MTL::Buffer& buffer, std::int64_t offset,
                               std::size_t size);

    StageArguments vertex, fragment;

private:
    void checkDraw(const char* where) const;
    NS::UInteger checkedIndices(const char* where, MTL::IndexType type, MTL::Buffer& indices, std::int64_t offset,
                                std::uint64_t count);

    std::shared_ptr<ParallelRenderEncoder> parent_;
    std::shared_ptr<RenderPipeline> pipeline_;
};

/// Several render encoders of one pass.
class ParallelRenderEncoder : public Encoder<MTL::ParallelRenderCommandEncoder>,
                              public std::enable_shared_from_this<ParallelRenderEncoder> {
public:
    using Encoder::Encoder;

    std::shared_ptr<RenderEncoder> newEncoder();
    void end(const char* where);

private:
    std::vector<std::weak_ptr<RenderEncoder>> parts_;
};

std::shared_ptr<RenderEncoder> newRenderEncoder(CommandBuffer& commandBuffer,
                                                const MTL::RenderPassDescriptor& descriptor);
std::shared_ptr<ParallelRenderEncoder> newParallelRenderEncoder(CommandBuffer& commandBuffer,
                                                                const MTL::RenderPassDescriptor& descriptor);

void bindRenderArguments(nb::class_<RenderEncoder>& type);
void bindRenderArgumentRanges(nb::class_<RenderEncoder>& type);
void bindRenderDraws(nb::class_<RenderEncoder>& type);
void bindRenderState(nb::class_<RenderEncoder>& type);
void bindRenderUses(nb::class_<RenderEncoder>& type);

/// Setting store actions that a pass left open; both encoders can.
template <class E>
void bindStoreActions(nb::class_<E>& type) {
    using namespace nb::literals;
    constexpr std::uint64_t colorAttachments = 8;
    const auto checkedAction = [](const char* where, MTL::StoreAction action) {
        if (action == MTL::StoreActionUnknown)
            fail(ErrorKind::validation, concat(where, ": store_action is Unknown, must be another"));
        return action;
    };
    const auto checkedOptions = [](const char* where, std::int64_t options) {
        return MTL::StoreActionOptions(
            checkedCount(where, "store_action_options", options, 0, MTL::StoreActionOptionValidMask));
    };
    type.def(
            "set_color_store_action",
            [checkedAction](E& self, MTL::StoreAction action, std::int64_t index) {
                constexpr const char* where = "set_color_store_action";
                self.checkOpen(where);
                const NS::UInteger place = checkedIndex(where, "color_attachment_index", index, colorAttachments);
                self.metal->setColorStoreAction(checkedAction(where, action), place);
            },
            "store_action"_a, "color_attachment_index"_a, pooled,
            "Say what becomes of a colour whose store action is StoreAction.Unknown.")
        .def(
            "set_depth_store_action",
            [checkedAction](E& self, MTL::StoreAction action) {
                self.checkOpen("set_depth_store_action");
                self.metal->setDepthStoreAction(checkedAction("set_depth_store_action", action));
            },
            "store_action"_a, pooled, "The same of the depth.")
        .def(
            "set_stencil_store_action",
            [checkedAction](E& self, MTL::StoreAction action) {
                self.checkOpen("set_stencil_store_action");
                self.metal->setStencilStoreAction(checkedAction("set_stencil_store_action", action));
            },
            "store_action"_a, pooled, "The same of the stencil.")
        .def(
            "set_color_store_action_options",
            [checkedOptions](E& self, std::int64_t options, std::int64_t index) {
                constexpr const char* where = "set_color_store_action_options";
                self.checkOpen(where);
                const NS::UInteger place = checkedIndex(where, "color_attachment_index", index, colorAttachments);
                self.metal->setColorStoreActionOptions(checkedOptions(where, options), place);
            },
            "store_action_options"_a, "color_attachment_index"_a, pooled,
            "What the store action of a colour keeps besides: flags of StoreActionOptions.")
        .def(
            "set_depth_store_action_options",
            [checkedOptions](E& self, std::int64_t options) {
                self.checkOpen("set_depth_store_action_options");
                self.metal->setDepthStoreActionOptions(checkedOptions("set_depth_store_action_options", options));
            },
            "store_action_options"_a, pooled, "The same of the depth.")
        .def(
            "set_stencil_store_action_options",
            [checkedOptions](E& self, std::int64_t options) {
                self.checkOpen("set_stencil_store_action_options");
                self.metal->setStencilStoreActionOptions(checkedOptions("set_stencil_store_action_options", options));
            },
            "store_action_options"_a, pooled, "The same of the stencil.");
}

}  // namespace mtlpy
