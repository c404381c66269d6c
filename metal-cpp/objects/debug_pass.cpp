// SPDX-License-Identifier: MIT

#include "debug_pass.hpp"

#include "command_buffer.hpp"
#include "command_watch.hpp"
#include "join.hpp"
#include "resource.hpp"

namespace metal_objects {

void watchPass(CommandBufferObject* commandBuffer, const EncoderPart* encoder, const MTL::RenderPassDescriptor* pass) {
    CommandWatch* watch = commandBuffer->watch();
    if (watch == nullptr) return;
    watch->beginEncoder(encoder, "render", false);
    watch->unknownAccess();
    constexpr NS::UInteger colours = 8;
    for (NS::UInteger i = 0; i < colours; ++i) {
        const auto* attachment = pass->colorAttachments()->object(i);
        const auto* target = part<ResourcePart>(attachment->texture());
        if (target == nullptr || target->storage() == MTL::StorageModeMemoryless) continue;
        if (attachment->storeAction() != MTL::StoreActionDontCare) continue;
        debugWarn(join("renderCommandEncoder: colorAttachments[", i, "] draws into ", describeResource(*target),
                       " and its storeAction is DontCare: on a GPU nothing of it is kept", watch->place()));
    }
}

}  // namespace metal_objects
