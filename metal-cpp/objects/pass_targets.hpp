// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <string>
#include <vector>

#include "../executor/render/targets.hpp"
#include "render_pass.hpp"

namespace metal_objects {

class CommandBufferObject;
class RenderPipelineObject;
class TextureObject;

/// A pass descriptor, checked: what a pass draws into.
class PassTargets {
public:
    /// Empty, or what is wrong with the descriptor.
    std::string begin(const RenderPassValues& descriptor);

    /// What is drawn into lives until the command buffer has ended.
    void keep(CommandBufferObject& commandBuffer) const;

    // For attachments whose store action is unknown when the pass begins. Empty, or what is wrong.
    std::string setColorStore(MTL::StoreAction action, NS::UInteger index);
    std::string setDepthStore(MTL::StoreAction action);
    std::string setStencilStore(MTL::StoreAction action);

    /// Fills what the executor is told; empty, or what is missing at the pass' end.
    std::string end(metal_executor::render::PassTargets& targets) const;

    /// Where a draw counts visible samples. Null, and what is wrong, where it cannot.
    std::uint64_t* visibleAt(NS::UInteger offset, std::string& mistake) const;

    /// Empty, or why a pipeline cannot draw into the pass.
    std::string formatsMistake(const RenderPipelineObject& pipeline) const;

    MTL::PixelFormat colorFormat(NS::UInteger index) const;
    MTL::PixelFormat depthFormat() const;
    MTL::PixelFormat stencilFormat() const;
    const RenderPassValues& values() const { return values_; }

    NS::UInteger width = 0, height = 0, layers = 1, sampleCount = 1;

private:
    struct Sizes;

    std::string addAttachment(const std::string& name, const AttachmentValues& attachment, Sizes& sizes);
    std::string attachedMistake() const;
    std::string sizeMistake(const Sizes& sizes);
    std::string clearsMistake() const;
    std::string setStore(const std::string& name, AttachmentValues& attachment, MTL::StoreAction action);
    std::string repeatedMistake() const;

    RenderPassValues values_;
};

/// Empty, or why the attachment cannot end so. `name`: "colorAttachments[0]".
std::string storeMistake(const std::string& name, const AttachmentValues& attachment, MTL::StoreAction action);

}  // namespace metal_objects
