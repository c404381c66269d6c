// SPDX-License-Identifier: MIT

#include "debug_pass.hpp"

#include "buffer.hpp"
#include "command_buffer.hpp"
#include "command_watch.hpp"
#include "debug_contents.hpp"
#include "join.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

bool isMemoryless(const TextureObject* texture) {
    return texture->storage() == MTL::StorageModeMemoryless;
}

TextureImages imagesOf(const MTL::Texture* texture, NS::UInteger level, NS::UInteger slice, NS::UInteger depthPlane,
                       NS::UInteger layers) {
    const auto* object = as<TextureObject>(texture);
    return {object, level, object->values.textureType == MTL::TextureType3D ? depthPlane : slice, layers};
}

TextureImages imagesOf(const AttachmentValues& attachment, NS::UInteger layers) {
    return imagesOf(attachment.texture.get(), attachment.level, attachment.slice, attachment.depthPlane, layers);
}

/// Depth and stencil of one texture have actions of their own: what the one keeps, the other may throw away.
bool hasTwoParts(const TextureObject* texture) {
    return texture->format.hasDepth() && texture->format.hasStencil();
}

TextureImages resolvedTo(const AttachmentValues& attachment, NS::UInteger layers) {
    return imagesOf(attachment.resolveTexture.get(), attachment.resolveLevel, attachment.resolveSlice,
                    attachment.resolveDepthPlane, layers);
}

/// Calls `function(name, attachment)` for each that has a texture.
template <class Function>
void forEachAttachment(const PassTargets& targets, const Function& function) {
    const RenderPassValues& values = targets.values();
    for (NS::UInteger i = 0; i < colorCount; ++i) {
        const PassColorObject* color = values.colors->find(i);
        if (color != nullptr && color->values.texture) function(join("colorAttachments[", i, "]"), color->values);
    }
    if (values.depth->values.texture) function("depthAttachment", values.depth->values);
    if (values.stencil->values.texture) function("stencilAttachment", values.stencil->values);
}

void checkLoad(const CommandWatch& watch, const std::string& name, const AttachmentValues& attachment,
               const TextureImages& images) {
    const std::string texture = describeResource(*images.texture);
    if (attachment.load == MTL::LoadActionLoad) {
        const std::string why = texture_contents::whyUndefined(images);
        if (!why.empty()) {
            debugWarn(join("renderCommandEncoder: ", name, ".loadAction is Load, but it loads ", texture, ", ", why,
                           ": what it holds is not defined", watch.place()));
        }
        return texture_contents::read(images.texture);
    }
    if (hasTwoParts(images.texture)) return;
    const std::string by = texture_contents::storedForNobody(images);
    if (by.empty()) return;
    debugWarn(join("renderCommandEncoder: ", name, ".loadAction is ",
                   attachment.load == MTL::LoadActionClear ? "Clear" : "DontCare", ", and nothing has read ", texture,
                   " since ", by, " stored it: the store action DontCare would have done", watch.place()));
    texture_contents::read(images.texture);
}

}  // namespace

void watchPass(CommandBufferObject* commandBuffer, const EncoderPart* encoder, const PassTargets& targets) {
    CommandWatch* watch = commandBuffer->watch();
    if (watch == nullptr) return;
    watch->beginEncoder(encoder, "render", false);
    if (const auto* visible = as<BufferObject>(targets.values().visibilityBuffer.get()))
        watch->note("the pass", {{visible, CommandWatch::anywhere, true}});
    forEachAttachment(targets, [&](const std::string& name, const AttachmentValues& attachment) {
        const TextureImages images = imagesOf(attachment, targets.layers);
        if (isMemoryless(images.texture)) return;
        checkLoad(*watch, name, attachment, images);
        watch->drawInto(images);
        if (attachment.resolveTexture) watch->drawInto(resolvedTo(attachment, targets.layers));
        if (attachment.store != MTL::StoreActionDontCare || name[0] != 'c') return;
        debugWarn(join("renderCommandEncoder: ", name, " draws into ", describeResource(*images.texture),
                       " and its storeAction is DontCare: on a GPU nothing of it is kept", watch->place()));
    });
}

void watchPassEnd(CommandBufferObject* commandBuffer, const PassTargets& targets) {
    const CommandWatch* watch = commandBuffer->watch();
    if (watch == nullptr) return;
    const std::string by = watch->encoderName();
    forEachAttachment(targets, [&](const std::string&, const AttachmentValues& attachment) {
        const bool resolves = attachment.store == MTL::StoreActionMultisampleResolve ||
                              attachment.store == MTL::StoreActionStoreAndMultisampleResolve;
        const bool stores =
            attachment.store != MTL::StoreActionDontCare && attachment.store != MTL::StoreActionMultisampleResolve;
        const TextureImages images = imagesOf(attachment, targets.layers);
        if (stores) {
            texture_contents::stored(images, by);
        } else if (!isMemoryless(images.texture) && !hasTwoParts(images.texture)) {
            texture_contents::discarded(images, by);
        }
        if (!resolves || !attachment.resolveTexture) return;
        texture_contents::stored(resolvedTo(attachment, targets.layers), by);
    });
}

}  // namespace metal_objects
