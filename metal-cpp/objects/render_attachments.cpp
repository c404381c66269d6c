// SPDX-License-Identifier: MIT
//
// Whether the attachments that a render pipeline is described with can be drawn into, by its fragment function.

#include <algorithm>

#include "join.hpp"
#include "pixel_formats.hpp"
#include "render_linking.hpp"

namespace metal_objects {

namespace {

using Kind = protocol::StageValueKind;

protocol::ColumnType columnType(const PixelFormat& format) {
    if (!format.isInteger()) return protocol::ColumnType::float32;
    return format.isSigned() ? protocol::ColumnType::int32 : protocol::ColumnType::uint32;
}

const char* wordOf(protocol::ColumnType type) {
    switch (type) {
        case protocol::ColumnType::int32:
            return "signed integers";
        case protocol::ColumnType::uint32:
            return "unsigned integers";
        default:
            return "floating-point numbers";
    }
}

bool isSecondSource(MTL::BlendFactor factor) {
    return factor >= MTL::BlendFactorSource1Color && factor <= MTL::BlendFactorOneMinusSource1Alpha;
}

bool blendsTwoSources(const ColorAttachmentValues& color) {
    return color.blends && (isSecondSource(color.sourceRGB) || isSecondSource(color.destinationRGB) ||
                            isSecondSource(color.sourceAlpha) || isSecondSource(color.destinationAlpha));
}

std::string blendingMistake(const ColorAttachmentValues& color) {
    if (color.writeMask > MTL::ColorWriteMaskAll)
        return join("writeMask is ", color.writeMask, ", must be <= ", MTL::ColorWriteMaskAll);
    if (!color.blends) return {};
    for (const auto& [name, factor] : {std::pair{"sourceRGBBlendFactor", color.sourceRGB},
                                       std::pair{"destinationRGBBlendFactor", color.destinationRGB},
                                       std::pair{"sourceAlphaBlendFactor", color.sourceAlpha},
                                       std::pair{"destinationAlphaBlendFactor", color.destinationAlpha}}) {
        if (factor > MTL::BlendFactorOneMinusSource1Alpha)
            return join(name, " is ", factor, ", must be <= ", MTL::BlendFactorOneMinusSource1Alpha);
    }
    for (const auto& [name, operation] :
         {std::pair{"rgbBlendOperation", color.operationRGB}, std::pair{"alphaBlendOperation", color.operationAlpha}}) {
        if (operation > MTL::BlendOperationMax)
            return join(name, " is ", operation, ", must be <= ", MTL::BlendOperationMax);
    }
    return {};
}

/// What a fragment function has of a colour: an output, or an input that reads what is there.
std::string colorMistake(const FunctionObject* fragment, const protocol::StageValue& value, bool isInput,
                         const RenderPipelineValues& values) {
    const ColorAttachmentObject* color = value.index < colorCount ? values.colors->find(value.index) : nullptr;
    const MTL::PixelFormat attached = color != nullptr ? color->values.pixelFormat : MTL::PixelFormatInvalid;
    const auto explain = [&](const auto&... parts) {
        return join("fragment function '", fragment->name(), "': color(", value.index, ") ", parts...);
    };
    if (attached == MTL::PixelFormatInvalid) {
        // What is written to no attachment is lost, as on a GPU; but there is nothing to read.
        if (!isInput) return {};
        return explain("is read, but colorAttachments[", value.index, "].pixelFormat is MTLPixelFormatInvalid");
    }
    const PixelFormat format(attached);
    if (columnType(format) == value.columnType) return {};
    return explain("is ", fragment->library->reply->types.at(value.type).name, ", but colorAttachments[", value.index,
                   "].pixelFormat is ", nameOf(attached), ", which has ", wordOf(columnType(format)));
}

std::string colorsMistake(const RenderPipelineValues& values) {
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const ColorAttachmentObject* color = values.colors->find(i);
        if (color == nullptr || color->values.pixelFormat == MTL::PixelFormatInvalid) continue;
        const PixelFormat format(color->values.pixelFormat);
        const auto explain = [&](const auto&... parts) { return join("colorAttachments[", i, "].", parts...); };
        if (!isColorRenderable(format)) {
            return explain("pixelFormat is ", nameOf(color->values.pixelFormat),
                           ", which colours cannot be drawn in on this device");
        }
        if (color->values.blends && format.isInteger()) {
            return explain("blendingEnabled is true, but integers as ", nameOf(color->values.pixelFormat),
                           " has them cannot be blended");
        }
        if (const std::string mistake = blendingMistake(color->values); !mistake.empty()) return explain(mistake);
    }
    return {};
}

std::string depthStencilMistake(const RenderPipelineValues& values) {
    const PixelFormat depth(values.depthFormat), stencil(values.stencilFormat);
    const bool hasDepth = values.depthFormat != MTL::PixelFormatInvalid;
    const bool hasStencil = values.stencilFormat != MTL::PixelFormatInvalid;
    if (hasDepth && !depth.hasDepth())
        return join("depthAttachmentPixelFormat is ", nameOf(values.depthFormat), ", which has no depth");
    if (hasStencil && !stencil.hasStencil())
        return join("stencilAttachmentPixelFormat is ", nameOf(values.stencilFormat), ", which has no stencil");
    const bool isOne = depth.hasStencil() || stencil.hasDepth();
    if (hasDepth && hasStencil && isOne && values.depthFormat != values.stencilFormat) {
        return join("depthAttachmentPixelFormat is ", nameOf(values.depthFormat), " and stencilAttachmentPixelFormat ",
                    nameOf(values.stencilFormat), ": where one texture has both, they must be the same");
    }
    return {};
}

std::string outputsMistake(const FunctionObject* fragment, const RenderPipelineValues& values) {
    bool hasSecondSource = false;
    for (const protocol::StageValue& output : fragment->facts().outputs) {
        if (output.kind != Kind::color || !fragment->isPresent(output)) continue;
        hasSecondSource |= output.sourceIndex == 1;
        if (std::string mistake = colorMistake(fragment, output, false, values); !mistake.empty()) return mistake;
    }
    for (const protocol::StageValue& input : fragment->facts().inputs) {
        if (input.kind != Kind::color || !fragment->isPresent(input)) continue;
        if (std::string mistake = colorMistake(fragment, input, true, values); !mistake.empty()) return mistake;
    }
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const ColorAttachmentObject* color = values.colors->find(i);
        if (color == nullptr || color->values.pixelFormat == MTL::PixelFormatInvalid) continue;
        if (!blendsTwoSources(color->values) || (hasSecondSource && i == 0)) continue;
        return join("colorAttachments[", i, "] blends with a second source, which fragment function '",
                    fragment->name(), "' does not give: its output would be [[color(0), index(1)]]");
    }
    return {};
}

}  // namespace

bool isColorRenderable(const PixelFormat& format) {
    return format && !format.hasDepth() && !format.hasStencil() && !format.isSubsampled();
}

std::string attachmentsMistake(const RenderPipelineValues& values) {
    const NS::UInteger samples = values.sampleCount;
    if (samples != 1 && samples != 2 && samples != 4 && samples != 8)
        return join("rasterSampleCount is ", samples, ", must be 1, 2, 4 or 8");
    if (values.amplificationCount != 1) {
        return join("maxVertexAmplificationCount is ", values.amplificationCount,
                    ", must be 1: this device amplifies no vertices");
    }
    if (values.topology > MTL::PrimitiveTopologyClassTriangle)
        return join("inputPrimitiveTopology is ", values.topology,
                    ", must be <= ", MTL::PrimitiveTopologyClassTriangle);
    std::string mistake = colorsMistake(values);
    if (mistake.empty()) mistake = depthStencilMistake(values);
    const auto* fragment = as<FunctionObject>(values.fragmentFunction.get());
    if (mistake.empty() && fragment != nullptr && values.rasterizes) mistake = outputsMistake(fragment, values);
    return mistake;
}

}  // namespace metal_objects
