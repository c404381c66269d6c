// SPDX-License-Identifier: MIT

#include "pass_targets.hpp"

#include <algorithm>
#include <cmath>

#include "buffer.hpp"
#include "command_buffer.hpp"
#include "join.hpp"
#include "render_linking.hpp"
#include "render_pipeline.hpp"
#include "texture.hpp"
#include "texture_rules.hpp"

namespace metal_objects {

namespace {

const TextureObject* textureOf(const AttachmentValues& attachment) {
    return as<TextureObject>(attachment.texture.get());
}

MTL::PixelFormat formatOf(const AttachmentValues& attachment) {
    return attachment.texture ? textureOf(attachment)->values.pixelFormat : MTL::PixelFormatInvalid;
}

std::string nameOfColor(NS::UInteger index) {
    return join("colorAttachments[", index, "]");
}

/// Which image of a texture is drawn into.
std::string placeMistake(const std::string& name, const TextureObject* texture, NS::UInteger level, NS::UInteger slice,
                         NS::UInteger depthPlane) {
    if (texture->values.usage != MTL::TextureUsageUnknown && !(texture->values.usage & MTL::TextureUsageRenderTarget)) {
        return join(name, ": the texture's usage(", texture->values.usage,
                    ") doesn't specify required usage (MTLTextureUsageRenderTarget)");
    }
    if (texture->isSwizzled()) return join(name, ": the texture has a swizzle, with which it cannot be drawn into");
    if (texture->values.textureType == MTL::TextureTypeTextureBuffer)
        return join(name, ": the texture is a texture buffer, which cannot be drawn into");
    if (level >= texture->values.mipmapLevelCount) {
        return join(name, ".level(", level, ") must be < the texture's mipmapLevelCount(",
                    texture->values.mipmapLevelCount, ")");
    }
    if (slice >= texture->sliceCount())
        return join(name, ".slice(", slice, ") must be < the texture's number of slices(", texture->sliceCount(), ")");
    const NS::UInteger planes = texture->levelSize(level).depth;
    if (depthPlane >= planes)
        return join(name, ".depthPlane(", depthPlane, ") must be < the texture's depth(", planes, ")");
    return {};
}

bool resolves(MTL::StoreAction action) {
    return action == MTL::StoreActionMultisampleResolve || action == MTL::StoreActionStoreAndMultisampleResolve;
}

std::string resolveMistake(const std::string& name, const AttachmentValues& attachment) {
    const TextureObject* texture = textureOf(attachment);
    const auto* to = as<TextureObject>(attachment.resolveTexture.get());
    if (to == nullptr) return join(name, ".storeAction resolves, but its resolveTexture is nil");
    if (texture->values.sampleCount == 1)
        return join(name, ".storeAction resolves, but its texture has one sample only");
    const std::string resolve = name + ".resolveTexture";
    if (std::string mistake =
            placeMistake(resolve, to, attachment.resolveLevel, attachment.resolveSlice, attachment.resolveDepthPlane);
        !mistake.empty()) {
        return mistake;
    }
    if (isMemoryless(to->values)) return join(resolve, ": the texture is memoryless, so that nothing of it is kept");
    if (to->values.sampleCount != 1)
        return join(resolve, ": its sampleCount is ", to->values.sampleCount, ", must be 1");
    if (to->values.pixelFormat != texture->values.pixelFormat) {
        return join(resolve, ": its pixelFormat is ", nameOf(to->values.pixelFormat), ", must be the texture's, ",
                    nameOf(texture->values.pixelFormat));
    }
    const MTL::Size from = texture->levelSize(attachment.level), size = to->levelSize(attachment.resolveLevel);
    if (from.width == size.width && from.height == size.height) return {};
    return join(resolve, ": its size is ", size.width, " x ", size.height, ", must be the texture's, ", from.width,
                " x ", from.height);
}

metal_executor::render::TargetImage imageOf(const TextureObject* texture, NS::UInteger level, NS::UInteger slice,
                                            NS::UInteger depthPlane) {
    return metal_executor::render::targetImage(texture->handle, static_cast<std::uint32_t>(texture->values.pixelFormat),
                                               static_cast<unsigned>(level), static_cast<unsigned>(slice),
                                               static_cast<unsigned>(depthPlane));
}

void fillTarget(const AttachmentValues& attachment, metal_executor::render::Target& target) {
    const TextureObject* texture = textureOf(attachment);
    if (texture == nullptr) return;
    target.image = imageOf(texture, attachment.level, attachment.slice, attachment.depthPlane);
    target.load = static_cast<metal_executor::render::LoadAction>(attachment.load);
    target.resolves = resolves(attachment.store);
    target.stores = attachment.store == MTL::StoreActionStore ||
                    attachment.store == MTL::StoreActionStoreAndMultisampleResolve ||
                    attachment.store == MTL::StoreActionCustomSampleDepthStore;
    if (!target.resolves) return;
    target.resolve = imageOf(as<TextureObject>(attachment.resolveTexture.get()), attachment.resolveLevel,
                             attachment.resolveSlice, attachment.resolveDepthPlane);
}

/// Images that a texture has from an attachment's on.
NS::UInteger layersOf(const AttachmentValues& attachment) {
    const TextureObject* texture = textureOf(attachment);
    return texture->values.textureType == MTL::TextureType3D
               ? texture->levelSize(attachment.level).depth - attachment.depthPlane
               : texture->sliceCount() - attachment.slice;
}

}  // namespace

/// What all attachments have in common.
struct PassTargets::Sizes {
    NS::UInteger width = 0, height = 0;
    NS::UInteger layers = 0;  // the fewest that any has
    NS::UInteger sampleCount = 0;
    std::string sampled;  // the attachment that has this count
    bool isAny = false;
};

std::string storeMistake(const std::string& name, const AttachmentValues& attachment, MTL::StoreAction action) {
    if (action > MTL::StoreActionCustomSampleDepthStore)
        return join(name, ".storeAction is ", action, ", must be <= ", MTL::StoreActionCustomSampleDepthStore);
    if (resolves(action)) {
        if (std::string mistake = resolveMistake(name, attachment); !mistake.empty()) return mistake;
    }
    const bool stores = action == MTL::StoreActionStore || action == MTL::StoreActionStoreAndMultisampleResolve ||
                        action == MTL::StoreActionCustomSampleDepthStore;
    if (stores && isMemoryless(textureOf(attachment)->values))
        return join(name, ".storeAction stores, but its texture is memoryless");
    return {};
}

std::string PassTargets::addAttachment(const std::string& name, const AttachmentValues& attachment, Sizes& sizes) {
    const TextureObject* texture = textureOf(attachment);
    if (texture == nullptr) return {};
    if (std::string mistake = placeMistake(name, texture, attachment.level, attachment.slice, attachment.depthPlane);
        !mistake.empty()) {
        return mistake;
    }
    if (attachment.load > MTL::LoadActionClear)
        return join(name, ".loadAction is ", attachment.load, ", must be <= ", MTL::LoadActionClear);
    if (attachment.load == MTL::LoadActionLoad && isMemoryless(texture->values))
        return join(name, ".loadAction is MTLLoadActionLoad, but its texture is memoryless");
    if (std::string mistake = storeMistake(name, attachment, attachment.store); !mistake.empty()) return mistake;
    const MTL::Size size = texture->levelSize(attachment.level);
    const NS::UInteger samples = texture->values.sampleCount;
    if (sizes.isAny && samples != sizes.sampleCount) {
        return join(name, ": the texture's sampleCount is ", samples, ", but that of ", sizes.sampled, " is ",
                    sizes.sampleCount);
    }
    sizes.width = sizes.isAny ? std::min(sizes.width, size.width) : size.width;
    sizes.height = sizes.isAny ? std::min(sizes.height, size.height) : size.height;
    sizes.layers = sizes.isAny ? std::min(sizes.layers, layersOf(attachment)) : layersOf(attachment);
    sizes.sampleCount = samples;
    sizes.sampled = name;
    sizes.isAny = true;
    return {};
}

std::string PassTargets::attachedMistake() const {
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        if (colorFormat(i) == MTL::PixelFormatInvalid || isColorRenderable(PixelFormat(colorFormat(i)))) continue;
        return join(nameOfColor(i), ": the texture's pixelFormat is ", nameOf(colorFormat(i)),
                    ", which colours cannot be drawn in on this device");
    }
    const MTL::PixelFormat depth = depthFormat(), stencil = stencilFormat();
    if (depth != MTL::PixelFormatInvalid && !PixelFormat(depth).hasDepth())
        return join("depthAttachment: the texture's pixelFormat is ", nameOf(depth), ", which has no depth");
    if (stencil != MTL::PixelFormatInvalid && !PixelFormat(stencil).hasStencil())
        return join("stencilAttachment: the texture's pixelFormat is ", nameOf(stencil), ", which has no stencil");
    const bool isOne = depth != MTL::PixelFormatInvalid && stencil != MTL::PixelFormatInvalid &&
                       (PixelFormat(depth).hasStencil() || PixelFormat(stencil).hasDepth());
    if (isOne && values_.depth->values.texture.get() != values_.stencil->values.texture.get())
        return "depthAttachment and stencilAttachment: a texture with both depth and stencil must be that of both";
    return {};
}

std::string PassTargets::clearsMistake() const {
    const double depth = values_.depth->values.clear;
    if (!(depth >= 0 && depth <= 1)) return join("depthAttachment.clearDepth is ", depth, ", must be 0 to 1");
    if (values_.depth->values.filter > MTL::MultisampleDepthResolveFilterMax)
        return join("depthAttachment.depthResolveFilter is ", values_.depth->values.filter, ", must be <= 2");
    if (values_.stencil->values.filter > MTL::MultisampleStencilResolveFilterDepthResolvedSample)
        return join("stencilAttachment.stencilResolveFilter is ", values_.stencil->values.filter, ", must be <= 1");
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const PassColorObject* color = values_.colors->find(i);
        if (color == nullptr || !color->values.texture) continue;
        const MTL::ClearColor& clear = color->values.clear;
        for (const double channel : {clear.red, clear.green, clear.blue, clear.alpha}) {
            if (!std::isnan(channel)) continue;
            return join(nameOfColor(i), ".clearColor has a channel that is not a number");
        }
    }
    return {};
}

/// Two attachments must not be one and the same image.
std::string PassTargets::repeatedMistake() const {
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const PassColorObject* one = values_.colors->find(i);
        if (one == nullptr || !one->values.texture) continue;
        for (NS::UInteger j = 0; j < i; ++j) {
            const PassColorObject* other = values_.colors->find(j);
            if (other == nullptr || other->values.texture.get() != one->values.texture.get()) continue;
            const bool isSame = other->values.level == one->values.level && other->values.slice == one->values.slice &&
                                other->values.depthPlane == one->values.depthPlane;
            if (isSame) return join(nameOfColor(j), " and ", nameOfColor(i), " are the same image of a texture");
        }
    }
    return {};
}

std::string PassTargets::sizeMistake(const Sizes& sizes) {
    if (!sizes.isAny && (values_.width == 0 || values_.height == 0)) {
        return "the pass has no attachment: then renderTargetWidth and renderTargetHeight must say its size";
    }
    constexpr NS::UInteger mostWithout = 16384;
    const NS::UInteger widest = sizes.isAny ? sizes.width : mostWithout;
    const NS::UInteger highest = sizes.isAny ? sizes.height : mostWithout;
    if (values_.width > widest) return join("renderTargetWidth(", values_.width, ") must be <= ", widest);
    if (values_.height > highest) return join("renderTargetHeight(", values_.height, ") must be <= ", highest);
    width = values_.width != 0 ? values_.width : sizes.width;
    height = values_.height != 0 ? values_.height : sizes.height;
    constexpr NS::UInteger mostLayers = 2048;
    const NS::UInteger deepest = sizes.isAny ? sizes.layers : mostLayers;
    if (values_.arrayLength > deepest) {
        return join("renderTargetArrayLength(", values_.arrayLength, ") must be <= ", deepest,
                    ", the images that every attachment has");
    }
    layers = std::max<NS::UInteger>(values_.arrayLength, 1);
    sampleCount = sizes.isAny ? sizes.sampleCount : std::max<NS::UInteger>(values_.defaultSampleCount, 1);
    if (sampleCount != 1 && sampleCount != 2 && sampleCount != 4 && sampleCount != 8)
        return join("defaultRasterSampleCount(", sampleCount, ") must be 1, 2, 4 or 8");
    return {};
}

std::string PassTargets::begin(const RenderPassValues& descriptor) {
    values_ = descriptor;
    if (values_.rateMap) return "rasterizationRateMap must be nil: this device draws every pixel of a pass";
    if (values_.visibilityType > MTL::VisibilityResultTypeAccumulate || values_.visibilityType < 0)
        return join("visibilityResultType is ", values_.visibilityType, ", must be 0 or 1");
    Sizes sizes;
    std::string mistake;
    for (NS::UInteger i = 0; i < colorCount && mistake.empty(); ++i) {
        if (const PassColorObject* color = values_.colors->find(i))
            mistake = addAttachment(nameOfColor(i), color->values, sizes);
    }
    if (mistake.empty()) mistake = addAttachment("depthAttachment", values_.depth->values, sizes);
    if (mistake.empty()) mistake = addAttachment("stencilAttachment", values_.stencil->values, sizes);
    if (mistake.empty()) mistake = attachedMistake();
    if (mistake.empty()) mistake = clearsMistake();
    if (mistake.empty()) mistake = repeatedMistake();
    if (mistake.empty()) mistake = sizeMistake(sizes);
    if (!mistake.empty() || values_.samplePositions.empty()) return mistake;
    if (values_.samplePositions.size() != sampleCount) {
        return join("setSamplePositions: ", values_.samplePositions.size(), " positions for ", sampleCount, " samples");
    }
    for (const MTL::SamplePosition& position : values_.samplePositions) {
        if (!(position.x >= 0 && position.x < 1 && position.y >= 0 && position.y < 1))
            return join("setSamplePositions: (", position.x, ", ", position.y, ") must be >= 0 and < 1");
    }
    return {};
}

void PassTargets::keep(CommandBufferObject& commandBuffer) const {
    const auto keep = [&](const AttachmentValues& attachment) {
        if (attachment.texture) commandBuffer.use(textureOf(attachment));
        if (attachment.resolveTexture) commandBuffer.use(as<TextureObject>(attachment.resolveTexture.get()));
    };
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        if (const PassColorObject* color = values_.colors->find(i)) keep(color->values);
    }
    keep(values_.depth->values);
    keep(values_.stencil->values);
    if (values_.visibilityBuffer) commandBuffer.useBuffer(as<BufferObject>(values_.visibilityBuffer.get()));
}

std::string PassTargets::setStore(const std::string& name, AttachmentValues& attachment, MTL::StoreAction action) {
    if (!attachment.texture) return join("the pass has no ", name);
    if (attachment.store != MTL::StoreActionUnknown) {
        return join(name, ".storeAction is ", attachment.store,
                    " since the pass began: only where it was MTLStoreActionUnknown can it be set");
    }
    if (action == MTL::StoreActionUnknown) return "storeAction must not be MTLStoreActionUnknown";
    if (std::string mistake = storeMistake(name, attachment, action); !mistake.empty()) return mistake;
    attachment.store = action;
    return {};
}

std::string PassTargets::setColorStore(MTL::StoreAction action, NS::UInteger index) {
    if (index >= colorCount) return join("colorAttachmentIndex(", index, ") must be < ", colorCount);
    return setStore(nameOfColor(index), values_.colors->at(index, "colorAttachments")->values, action);
}
std::string PassTargets::setDepthStore(MTL::StoreAction action) {
    return setStore("depthAttachment", values_.depth->values, action);
}
std::string PassTargets::setStencilStore(MTL::StoreAction action) {
    return setStore("stencilAttachment", values_.stencil->values, action);
}

std::string PassTargets::end(metal_executor::render::PassTargets& targets) const {
    targets.width = static_cast<std::uint32_t>(width);
    targets.height = static_cast<std::uint32_t>(height);
    targets.layers = static_cast<std::uint32_t>(layers);
    targets.sampleCount = static_cast<std::uint32_t>(sampleCount);
    const auto unknown = [](const std::string& name, const AttachmentValues& attachment) {
        if (!attachment.texture || attachment.store != MTL::StoreActionUnknown) return std::string();
        return join("endEncoding: ", name, ".storeAction is MTLStoreActionUnknown still: it must be set before");
    };
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const PassColorObject* color = values_.colors->find(i);
        if (color == nullptr) continue;
        if (std::string mistake = unknown(nameOfColor(i), color->values); !mistake.empty()) return mistake;
        fillTarget(color->values, targets.colors[i]);
        const MTL::ClearColor& clear = color->values.clear;
        std::copy_n(std::array{clear.red, clear.green, clear.blue, clear.alpha}.data(), 4, targets.colors[i].clear);
    }
    std::string mistake = unknown("depthAttachment", values_.depth->values);
    if (mistake.empty()) mistake = unknown("stencilAttachment", values_.stencil->values);
    fillTarget(values_.depth->values, targets.depth);
    targets.depth.clear = values_.depth->values.clear;
    targets.depth.filter = static_cast<metal_executor::render::ResolveFilter>(values_.depth->values.filter);
    fillTarget(values_.stencil->values, targets.stencil);
    targets.stencil.clear = values_.stencil->values.clear;
    targets.stencil.followsDepth =
        values_.stencil->values.filter == MTL::MultisampleStencilResolveFilterDepthResolvedSample;
    return mistake;
}

std::uint64_t* PassTargets::visibleAt(NS::UInteger offset, std::string& mistake) const {
    const auto* buffer = as<BufferObject>(values_.visibilityBuffer.get());
    if (buffer == nullptr) {
        mistake = "the pass has no visibilityResultBuffer";
    } else if (offset % sizeof(std::uint64_t) != 0 || offset > buffer->length ||
               sizeof(std::uint64_t) > buffer->length - offset) {
        mistake = join("offset(", offset, ") must be a multiple of 8, with 8 bytes to the end of the ",
                       "visibilityResultBuffer, whose length is ", buffer->length);
    } else {
        return reinterpret_cast<std::uint64_t*>(buffer->bytes() + offset);
    }
    return nullptr;
}

std::string PassTargets::formatsMistake(const RenderPipelineObject& pipeline) const {
    const auto differs = [](const std::string& name, MTL::PixelFormat ours, MTL::PixelFormat passes) {
        return join("the pipeline state's ", name, " is ", nameOf(ours), ", but the pass has ", nameOf(passes));
    };
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        if (pipeline.colorFormats[i] != colorFormat(i))
            return differs(nameOfColor(i) + ".pixelFormat", pipeline.colorFormats[i], colorFormat(i));
    }
    if (pipeline.depthFormat != depthFormat())
        return differs("depthAttachmentPixelFormat", pipeline.depthFormat, depthFormat());
    if (pipeline.stencilFormat != stencilFormat())
        return differs("stencilAttachmentPixelFormat", pipeline.stencilFormat, stencilFormat());
    if (pipeline.sampleCount == sampleCount) return {};
    return join("the pipeline state's rasterSampleCount is ", pipeline.sampleCount, ", but that of the pass is ",
                sampleCount);
}

MTL::PixelFormat PassTargets::colorFormat(NS::UInteger index) const {
    const PassColorObject* color = values_.colors->find(index);
    return color != nullptr ? formatOf(color->values) : MTL::PixelFormatInvalid;
}
MTL::PixelFormat PassTargets::depthFormat() const {
    return formatOf(values_.depth->values);
}
MTL::PixelFormat PassTargets::stencilFormat() const {
    return formatOf(values_.stencil->values);
}

}  // namespace metal_objects
