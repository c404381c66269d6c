// SPDX-License-Identifier: MIT

#include "render_state.hpp"

#include <algorithm>
#include <cmath>

#include "join.hpp"

namespace metal_objects {

namespace {

std::string viewportMistake(const MTL::Viewport& viewport) {
    for (const auto& [name, value] : {std::pair{"originX", viewport.originX}, std::pair{"originY", viewport.originY},
                                      std::pair{"width", viewport.width}, std::pair{"height", viewport.height}}) {
        if (!std::isfinite(value)) return join("viewport.", name, "(", value, ") must be a finite number");
    }
    if (viewport.width < 0) return join("viewport.width(", viewport.width, ") must be >= 0");
    if (viewport.height < 0) return join("viewport.height(", viewport.height, ") must be >= 0");
    for (const auto& [name, value] : {std::pair{"znear", viewport.znear}, std::pair{"zfar", viewport.zfar}}) {
        if (!(value >= 0 && value <= 1)) return join("viewport.", name, "(", value, ") must be 0 to 1");
    }
    return {};
}

std::string scissorMistake(const MTL::ScissorRect& rect, const PassTargets& targets) {
    if (rect.x > targets.width || rect.width > targets.width - rect.x) {
        return join("rect.x(", rect.x, ") + rect.width(", rect.width, ") must be <= the render pass width(",
                    targets.width, ")");
    }
    if (rect.y > targets.height || rect.height > targets.height - rect.y) {
        return join("rect.y(", rect.y, ") + rect.height(", rect.height, ") must be <= the render pass height(",
                    targets.height, ")");
    }
    return {};
}

bool usesStencil(const metal_executor::render::StencilFace& face) {
    constexpr auto always = static_cast<std::uint8_t>(MTL::CompareFunctionAlways);
    return face.compare != always || face.stencilFails != 0 || face.depthFails != 0 || face.passes != 0;
}

}  // namespace

std::string depthStencilMistake(const metal_executor::render::DepthStencilState& state, const PassTargets& targets) {
    constexpr auto always = static_cast<std::uint8_t>(MTL::CompareFunctionAlways);
    const bool usesDepth = state.writesDepth || state.depthCompare != always;
    if (usesDepth && targets.depthFormat() == MTL::PixelFormatInvalid)
        return "the state tests or writes depth, but the pass has no depthAttachment";
    if ((usesStencil(state.front) || usesStencil(state.back)) && targets.stencilFormat() == MTL::PixelFormatInvalid)
        return "the state tests or writes the stencil, but the pass has no stencilAttachment";
    return {};
}

RenderState::RenderState(EncoderPart& encoder, const PassTargets& targets) : encoder_(encoder), targets_(targets) {
    viewports_[0] = {0, 0, static_cast<double>(targets.width), static_cast<double>(targets.height), 0, 1};
}

bool RenderState::isIn(const char* call, const char* name, NS::UInteger value, NS::UInteger most) {
    if (!encoder_.mayEncode(call)) return false;
    if (value <= most) return true;
    encoder_.noteMistake(join(call, ": ", name, "(", value, ") must be <= ", most));
    return false;
}

void RenderState::setViewports(const char* call, const MTL::Viewport* viewports, NS::UInteger count) {
    if (!encoder_.mayEncode(call)) return;
    if (viewports == nullptr || count == 0 || count > mostViewports)
        return encoder_.noteMistake(join(call, ": count(", count, ") must be 1 to ", mostViewports));
    for (NS::UInteger i = 0; i < count; ++i) {
        if (const std::string mistake = viewportMistake(viewports[i]); !mistake.empty())
            return encoder_.noteMistake(join(call, ": ", mistake));
    }
    std::transform(viewports, viewports + count, viewports_, [](const MTL::Viewport& given) {
        return metal_executor::render::Viewport{given.originX, given.originY, given.width,
                                                given.height,  given.znear,   given.zfar};
    });
    viewportCount_ = static_cast<std::uint32_t>(count);
    arePlaced_ = false;
}

void RenderState::setScissors(const char* call, const MTL::ScissorRect* rects, NS::UInteger count) {
    if (!encoder_.mayEncode(call)) return;
    if (rects == nullptr || count == 0 || count > mostViewports)
        return encoder_.noteMistake(join(call, ": count(", count, ") must be 1 to ", mostViewports));
    for (NS::UInteger i = 0; i < count; ++i) {
        if (const std::string mistake = scissorMistake(rects[i], targets_); !mistake.empty())
            return encoder_.noteMistake(join(call, ": ", mistake));
    }
    std::transform(rects, rects + count, scissors_, [](const MTL::ScissorRect& given) {
        return metal_executor::render::Scissor{static_cast<std::uint32_t>(given.x), static_cast<std::uint32_t>(given.y),
                                               static_cast<std::uint32_t>(given.width),
                                               static_cast<std::uint32_t>(given.height)};
    });
    scissorCount_ = static_cast<std::uint32_t>(count);
    arePlaced_ = false;
}

void RenderState::setCull(MTL::CullMode mode) {
    if (isIn("setCullMode", "cullMode", mode, MTL::CullModeBack))
        raster_.cull = static_cast<metal_executor::render::Cull>(mode);
}
void RenderState::setWinding(MTL::Winding winding) {
    if (isIn("setFrontFacingWinding", "frontFacingWinding", winding, MTL::WindingCounterClockwise))
        raster_.frontWinding = static_cast<metal_executor::render::Winding>(winding);
}
void RenderState::setFill(MTL::TriangleFillMode mode) {
    if (isIn("setTriangleFillMode", "fillMode", mode, MTL::TriangleFillModeLines))
        raster_.fill = static_cast<metal_executor::render::FillMode>(mode);
}
void RenderState::setDepthClip(MTL::DepthClipMode mode) {
    if (isIn("setDepthClipMode", "depthClipMode", mode, MTL::DepthClipModeClamp))
        raster_.depthClip = static_cast<metal_executor::render::DepthClip>(mode);
}

void RenderState::setDepthBias(float bias, float slopeScale, float clamp) {
    if (!encoder_.mayEncode("setDepthBias")) return;
    if (!std::isfinite(bias) || !std::isfinite(slopeScale) || std::isnan(clamp)) {
        return encoder_.noteMistake(join("setDepthBias: depthBias(", bias, ") and slopeScale(", slopeScale,
                                         ") must be finite numbers, and clamp(", clamp, ") a number"));
    }
    raster_.depthBias = bias;
    raster_.depthSlopeScale = slopeScale;
    raster_.depthBiasClamp = clamp;
}

void RenderState::setBlendColor(const std::array<float, 4>& color) {
    if (encoder_.mayEncode("setBlendColor")) std::copy(color.begin(), color.end(), blendColor_);
}

void RenderState::setStencilReferences(const char* call, std::uint32_t front, std::uint32_t back) {
    if (!encoder_.mayEncode(call)) return;
    references_[0] = static_cast<std::uint8_t>(front);
    references_[1] = static_cast<std::uint8_t>(back);
}

void RenderState::setDepthStencil(const DepthStencilObject* state) {
    if (!encoder_.mayEncode("setDepthStencilState")) return;
    metal_executor::render::DepthStencilState given =
        state != nullptr ? state->state : metal_executor::render::DepthStencilState{};
    if (const std::string mistake = depthStencilMistake(given, targets_); !mistake.empty())
        return encoder_.noteMistake("setDepthStencilState: " + mistake);
    if (state != nullptr) encoder_.commandBuffer->use(state);
    given.visibility = depthStencil_.visibility;
    given.visible = depthStencil_.visible;
    depthStencil_ = given;
}

void RenderState::setVisibility(MTL::VisibilityResultMode mode, NS::UInteger offset) {
    if (!isIn("setVisibilityResultMode", "mode", mode, MTL::VisibilityResultModeCounting)) return;
    std::uint64_t* visible = nullptr;
    if (mode != MTL::VisibilityResultModeDisabled) {
        std::string mistake;
        visible = targets_.visibleAt(offset, mistake);
        if (visible == nullptr) return encoder_.noteMistake("setVisibilityResultMode: " + mistake);
    }
    depthStencil_.visibility = static_cast<metal_executor::render::Visibility>(mode);
    depthStencil_.visible = visible;
    if (visible != nullptr &&
        std::find(visibilityOffsets_.begin(), visibilityOffsets_.end(), offset) == visibilityOffsets_.end()) {
        visibilityOffsets_.push_back(offset);
    }
}

void RenderState::placeViewports() {
    using metal_executor::render::Scissor;
    using metal_executor::render::Viewport;
    CommandBufferObject& commandBuffer = *encoder_.commandBuffer.get();
    auto* viewports = static_cast<Viewport*>(commandBuffer.allocate(viewportCount_ * sizeof(Viewport), 16));
    std::copy_n(viewports_, viewportCount_, viewports);
    raster_.viewports = viewports;
    raster_.viewportCount = viewportCount_;
    raster_.scissors = nullptr;
    raster_.scissorCount = 0;
    if (scissorCount_ != 0) {
        // A viewport without a rectangle of its own is not cut.
        const Scissor whole{0, 0, static_cast<std::uint32_t>(targets_.width),
                            static_cast<std::uint32_t>(targets_.height)};
        auto* scissors = static_cast<Scissor*>(commandBuffer.allocate(viewportCount_ * sizeof(Scissor), 16));
        for (std::uint32_t i = 0; i < viewportCount_; ++i) scissors[i] = i < scissorCount_ ? scissors_[i] : whole;
        raster_.scissors = scissors;
        raster_.scissorCount = viewportCount_;
    }
    arePlaced_ = true;
}

void RenderState::fill(metal_executor::render::Draw& draw, const metal_executor::render::ColorState& colors) {
    if (!arePlaced_) placeViewports();
    draw.raster = raster_;
    draw.depthStencil = depthStencil_;
    draw.depthStencil.front.reference = references_[0];
    draw.depthStencil.back.reference = references_[1];
    draw.colors = colors;
    std::copy_n(blendColor_, 4, draw.colors.constant);
}

}  // namespace metal_objects
