// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>

#include "../Metal/Metal.hpp"
#include "../executor/render/draw.hpp"
#include "depth_stencil.hpp"
#include "encoder.hpp"
#include "pass_targets.hpp"

namespace metal_objects {

/// What a render encoder has been told of how draws are rasterised, tested and blended. Each call notes the mistake,
/// and changes nothing, where it is given something wrong.
class RenderState {
public:
    static constexpr NS::UInteger mostViewports = 16;

    RenderState(EncoderPart& encoder, const PassTargets& targets);

    void setViewports(const char* call, const MTL::Viewport* viewports, NS::UInteger count);
    void setScissors(const char* call, const MTL::ScissorRect* rects, NS::UInteger count);
    void setCull(MTL::CullMode mode);
    void setWinding(MTL::Winding winding);
    void setFill(MTL::TriangleFillMode mode);
    void setDepthClip(MTL::DepthClipMode mode);
    void setDepthBias(float bias, float slopeScale, float clamp);
    void setBlendColor(const std::array<float, 4>& color);
    void setStencilReferences(const char* call, std::uint32_t front, std::uint32_t back);
    void setDepthStencil(const DepthStencilObject* state);
    void setVisibility(MTL::VisibilityResultMode mode, NS::UInteger offset);

    /// Fills the draw's part; `colors`: the pipeline's.
    void fill(metal_executor::render::Draw& draw, const metal_executor::render::ColorState& colors);

    /// Where draws count visible samples, of those that any draw named.
    const std::vector<NS::UInteger>& visibilityOffsets() const { return visibilityOffsets_; }

private:
    bool isIn(const char* call, const char* name, NS::UInteger value, NS::UInteger most);
    void placeViewports();

    EncoderPart& encoder_;
    const PassTargets& targets_;
    metal_executor::render::RasterState raster_;
    metal_executor::render::DepthStencilState depthStencil_;
    std::uint8_t references_[2] = {0, 0};  // front, back
    float blendColor_[4] = {0, 0, 0, 0};
    metal_executor::render::Viewport viewports_[mostViewports];
    metal_executor::render::Scissor scissors_[mostViewports];
    std::uint32_t viewportCount_ = 1, scissorCount_ = 0;
    bool arePlaced_ = false;  // in memory that lives as long as the command buffer
    std::vector<NS::UInteger> visibilityOffsets_;
};

/// Empty, or why a depth-stencil state cannot be used in a pass.
std::string depthStencilMistake(const metal_executor::render::DepthStencilState& state, const PassTargets& targets);

}  // namespace metal_objects
