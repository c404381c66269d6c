// SPDX-License-Identifier: MIT
//
// What the debug layer notes of a dispatch.

#include <algorithm>
#include <map>

#include "buffer.hpp"
#include "command_watch.hpp"
#include "compute_encoder.hpp"
#include "join.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

bool writes(const protocol::Argument& facts) {
    return facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly);
}

}  // namespace

void ComputeEncoderObject::watch(CommandWatch& watch, const metal_executor::Dispatch& dispatch) const {
    const std::string kernel = pipeline_->function->name();
    watch.command("kernel '" + kernel + "'");
    std::map<const TextureObject*, const protocol::Argument*> textures;
    for (const PipelineObject::Argument& argument : pipeline_->arguments) {
        const protocol::Argument& facts = *argument.facts;
        if (!dispatch.kernel->readsSlot(facts.slot)) continue;
        if (facts.kind == protocol::ArgumentKind::buffer) {
            watchBuffer(watch, facts);
        } else if (facts.kind == protocol::ArgumentKind::texture) {
            for (std::uint64_t i = 0; i < std::max<std::uint64_t>(facts.arrayLength, 1); ++i) {
                const TextureObject* texture = arguments.texture(facts.index + i);
                watch.access(texture, 0, writes(facts));
                const auto [other, isNew] = textures.emplace(texture, &facts);
                if (isNew || writes(*other->second) == writes(facts)) continue;
                const protocol::Argument& written = writes(facts) ? facts : *other->second;
                const protocol::Argument& read = writes(facts) ? *other->second : facts;
                debugWarn(join("kernel '", kernel, "': ", describeResource(*texture), " is bound to ", written.name,
                               ", which it writes, and to ", read.name, ", which it reads: what is read is not defined",
                               watch.place()));
            }
        }
    }
    for (const StageInput::Part& part : pipeline_->stageInput.parts)
        watch.access(arguments.buffer(part.buffer).buffer, arguments.buffer(part.buffer).offset, false);
}

void ComputeEncoderObject::watchBuffer(CommandWatch& watch, const protocol::Argument& facts) const {
    const ArgumentTable::Buffer& bound = arguments.buffer(facts.index);
    if (bound.buffer == nullptr) return;
    watch.access(bound.buffer, bound.offset, writes(facts));
    if (facts.type == protocol::noType) return;
    const protocol::Type& type = pipeline_->function->library->reply->types[facts.type];
    if (type.alignment == 0 || bound.offset % type.alignment == 0) return;
    watch.error(join("Compute Function(", pipeline_->function->name(), "): offset(", bound.offset, ") of ",
                     describeResource(*bound.buffer), " at index ", facts.index, " must be a multiple of ",
                     type.alignment, ", the alignment of ", facts.name, "'s type ", type.name));
}

}  // namespace metal_objects
