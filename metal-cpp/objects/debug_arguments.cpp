// SPDX-License-Identifier: MIT

#include "debug_arguments.hpp"

#include <algorithm>
#include <map>

#include "buffer.hpp"
#include "join.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

void watchBuffer(CommandWatch& watch, const PipelineFunction& function, const protocol::Argument& facts,
                 const ArgumentTable& table, std::vector<CommandWatch::Use>& uses) {
    const ArgumentTable::Buffer& bound = table.buffer(facts.index);
    if (bound.buffer == nullptr) return;
    uses.push_back({bound.buffer, bound.offset, isWrittenBy(facts)});
    if (facts.type == protocol::noType) return;
    const protocol::Type& type = function.function->library->reply->types[facts.type];
    if (type.alignment == 0 || bound.offset % type.alignment == 0) return;
    watch.error(join(table.names.function, "(", function.function->name(), "): offset(", bound.offset, ") of ",
                     describeResource(*bound.buffer), " at index ", facts.index, " must be a multiple of ",
                     type.alignment, ", the alignment of ", facts.name, "'s type ", type.name));
}

}  // namespace

void watchArguments(CommandWatch& watch, const std::string& name, const PipelineFunction& function,
                    const metal_executor::Kernel& kernel, const ArgumentTable& table,
                    std::vector<CommandWatch::Use>& uses) {
    std::map<const TextureObject*, const protocol::Argument*> textures;
    for (const PipelineFunction::Argument& argument : function.arguments) {
        const protocol::Argument& facts = *argument.facts;
        if (!kernel.readsSlot(facts.slot)) continue;
        if (facts.kind == protocol::ArgumentKind::buffer) {
            watchBuffer(watch, function, facts, table, uses);
        } else if (facts.kind == protocol::ArgumentKind::texture) {
            for (std::uint64_t i = 0; i < std::max<std::uint64_t>(facts.arrayLength, 1); ++i) {
                const TextureObject* texture = table.texture(facts.index + i);
                if (texture == nullptr) continue;
                uses.push_back({texture, 0, isWrittenBy(facts)});
                const auto [other, isNew] = textures.emplace(texture, &facts);
                if (isNew || isWrittenBy(*other->second) == isWrittenBy(facts)) continue;
                const protocol::Argument& written = isWrittenBy(facts) ? facts : *other->second;
                const protocol::Argument& read = isWrittenBy(facts) ? *other->second : facts;
                debugWarn(join(name, ": ", describeResource(*texture), " is bound to ", written.name,
                               ", which it writes, and to ", read.name, ", which it reads: what is read is not defined",
                               watch.place()));
            }
        }
    }
}

}  // namespace metal_objects
