// SPDX-License-Identifier: MIT

#include "command_watch.hpp"

#include <cstdio>
#include <span>

#include "../compiler/client/cache_key.hpp"
#include "buffer.hpp"
#include "command_buffer.hpp"
#include "encoder.hpp"
#include "join.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

/// Tells parts of one resource that are known not to overlap: commands are not known to touch all of a buffer from
/// where it is bound, so only those that are bound at one byte are said to meet.
std::uint64_t placeOf(const ResourcePart* resource, NS::UInteger offset) {
    const auto* texture = dynamic_cast<const TextureObject*>(resource);
    if (texture == nullptr || offset == CommandWatch::anywhere) return offset;
    if (texture->buffer) return texture->bufferOffset;  // as of the buffer
    return texture->parentLevel << 32 | texture->parentSlice;
}

bool isUntracked(const ResourcePart& resource) {
    const MTL::HazardTrackingMode mode = hazardModeOf(resource.options);
    // Heaps leave it to the program unless they are told otherwise.
    if (mode == MTL::HazardTrackingModeDefault && resource.inHeap)
        return resource.inHeap->hazardTrackingMode() != MTL::HazardTrackingModeTracked;
    return mode == MTL::HazardTrackingModeUntracked;
}

/// Larger ones are not looked at for changes of the processor's.
constexpr NS::UInteger mostWatchedBytes = 64u << 20;

std::uint64_t hashOf(const ResourcePart& resource) {
    return metal_compiler_client::contentHash(std::span<const std::uint8_t>(resource.bytes(), resource.memory->size()));
}

}  // namespace

std::string CommandWatch::nameOf(const Encoder& encoder) const {
    const std::string label = encoder.part != nullptr ? encoder.part->label.text() : encoder.label;
    if (!label.empty()) return "encoder '" + label + "'";
    return join(encoder.kind, " encoder ", &encoder - encoders_.data() + 1);
}

std::string CommandWatch::place() const {
    std::string place = "command buffer" + quoted(commandBuffer_->label.text());
    if (isEncoding_) place += ", " + nameOf(encoders_.back());
    return " (" + place + ")";
}

void CommandWatch::error(const std::string& text) {
    switch (DebugLayer::get().errors) {
        case DebugLayer::Mode::fatal:
            return commandBuffer_->noteMistake(text);
        case DebugLayer::Mode::logged:
            std::fprintf(stderr, "Metal API validation: error: %s%s\n", text.c_str(), place().c_str());
            return;
        case DebugLayer::Mode::ignored:
            return;
    }
}

void CommandWatch::beginEncoder(const EncoderPart* encoder, const char* kind, bool isConcurrent) {
    encoders_.push_back({encoder, {}, kind, isConcurrent, 0, {}});
    isEncoding_ = true;
}

void CommandWatch::endEncoder(unsigned openGroups, bool isEmpty) {
    if (!isEncoding_) return;
    if (openGroups > 0) error(join("endEncoding: ", openGroups, " debug group(s) pushed and not popped"));
    Encoder& encoder = encoders_.back();
    if (isEmpty) debugWarn("endEncoding: the encoder has no commands" + place());
    encoder.label = encoder.part->label.text();
    encoder.part = nullptr;
    isEncoding_ = false;
}

void CommandWatch::command(const std::string& name) {
    if (!isEncoding_) return;
    ++encoders_.back().commands;
    command_ = join(name, " (command ", encoders_.back().commands, ")");
}

void CommandWatch::access(const ResourcePart* resource, NS::UInteger offset, bool isWritten) {
    if (resource == nullptr || !isEncoding_) return;
    const ResourcePart* owner = ownerOf(resource);
    const bool isTexture = dynamic_cast<const TextureObject*>(resource) != nullptr;
    const Access now{
        encoders_.size() - 1, encoders_.back().commands, command_, placeOf(resource, offset), isWritten, isTexture};
    hold(owner);
    checkUse(*owner);
    checkHazards(*owner, now);
    accesses_[owner].push_back(now);
}

void CommandWatch::use(const ResourcePart* resource, bool isWritten) {
    if (resource == nullptr || !isEncoding_) return;
    const ResourcePart* owner = ownerOf(resource);
    hold(owner);
    uses_[owner] |= isWritten;
}

void CommandWatch::hold(const ResourcePart* resource) {
    if (accesses_.contains(resource) || uses_.contains(resource)) return;
    held_->push_back(NS::RetainPtr(const_cast<NS::Object*>(dynamic_cast<const NS::Object*>(resource))));
}

void CommandWatch::checkUse(const ResourcePart& resource) {
    const auto state = resource.purgeable.load();
    if (state == MTL::PurgeableStateVolatile || state == MTL::PurgeableStateEmpty) {
        error(join(command_, ": ", describeResource(resource), " is ",
                   state == MTL::PurgeableStateEmpty ? "empty" : "volatile",
                   ": setPurgeableState(NonVolatile) must come before commands that use it"));
    }
    if (resource.range && resource.range->isGivenBack())
        error(join(command_, ": ", describeResource(resource),
                   " was made aliasable: its place in the heap may be another's"));
}

void CommandWatch::checkHazards(const ResourcePart& resource, const Access& now) {
    const Encoder& encoder = encoders_[now.encoder];
    const auto word = [](const Access& access) { return access.isWritten ? "writes" : "reads"; };
    std::vector<Access>& all = accesses_[&resource];
    for (auto before = all.rbegin(); before != all.rend(); ++before) {
        const bool meet = before->place == now.place || before->place == anywhere || now.place == anywhere;
        if (!(before->isWritten || now.isWritten) || !meet) continue;
        const bool isSame = before->encoder == now.encoder;
        if (isSame && before->command == now.command) continue;
        const bool isRace = isSame ? encoder.isConcurrent && !before->isOrdered
                                   : isUntracked(resource) && !encoder.waitedFor.contains(before->encoder);
        if (!isRace) continue;
        const std::string both =
            join(now.name, " ", word(now), " ", describeResource(resource), ", which ", before->name, " ");
        debugWarn(isSame ? join(both, word(*before),
                                " in the same concurrent encoder without a memoryBarrier between them: on a GPU they "
                                "run at the same time",
                                place())
                         : join(both, word(*before), " in ", nameOf(encoders_[before->encoder]),
                                ": the resource is untracked, and no fence orders the two encoders", place()));
        return;
    }
}

void CommandWatch::barrier(MTL::BarrierScope scope) {
    if (!isEncoding_) return;
    for (auto& [resource, all] : accesses_) {
        for (Access& access : all) {
            const auto kind = access.isTexture ? MTL::BarrierScopeTextures | MTL::BarrierScopeRenderTargets
                                               : MTL::BarrierScopeBuffers;
            if ((scope & kind) != 0) access.isOrdered = true;
        }
    }
}

void CommandWatch::barrier(const ResourcePart* resource) {
    if (resource == nullptr) return;
    const auto found = accesses_.find(ownerOf(resource));
    if (found == accesses_.end()) return;
    for (Access& access : found->second) access.isOrdered = true;
}

void CommandWatch::update(const MTL::Fence* fence) {
    if (isEncoding_) fences_[fence].insert(encoders_.size() - 1);
}

void CommandWatch::wait(const MTL::Fence* fence) {
    const auto found = fences_.find(fence);
    if (!isEncoding_ || found == fences_.end()) return;
    std::set<std::size_t>& known = encoders_.back().waitedFor;
    for (const std::size_t other : found->second) {
        known.insert(other);
        known.insert(encoders_[other].waitedFor.begin(), encoders_[other].waitedFor.end());
    }
}

void CommandWatch::checkLabels() const {
    const QueueObject& queue = *commandBuffer_->queue.get();
    const std::string queueLabel = queue.label.text();
    const std::string key = join("queue ", static_cast<const void*>(&queue));
    if (queueLabel.empty()) debugWarnOnce(key, "a command queue has no label; setLabel gives it one for messages");
    if (commandBuffer_->label.text().empty()) {
        debugWarnOnce(key + " buffers", join("a command buffer of the queue", quoted(queueLabel), " has no label"));
    }
    for (const Encoder& encoder : encoders_) {
        if (!encoder.label.empty()) continue;
        debugWarnOnce(key + encoder.kind,
                      join("a ", encoder.kind, " encoder of the queue", quoted(queueLabel), " has no label"));
    }
    for (const auto& [resource, all] : accesses_) {
        if (!resource->label.text().empty()) continue;
        debugWarnOnce(join("resource ", resource->serial),
                      join(describeResource(*resource), " is used by ", all.front().name));
    }
}

std::vector<CommandWatch::Summary> CommandWatch::summary() const {
    std::map<const ResourcePart*, bool> all = uses_;
    for (const auto& [resource, accesses] : accesses_) {
        for (const Access& access : accesses) all[resource] |= access.isWritten;
    }
    std::vector<Summary> found;
    found.reserve(all.size());
    for (const auto& [resource, isWritten] : all) found.push_back({resource, isWritten});
    return found;
}

void CommandWatch::watchContents(const std::string& user) {
    if (hasUnknownAccess_) return;
    for (const auto& [resource, isWritten] : summary()) {
        const bool isSeen = resource->storage() == MTL::StorageModeShared && !resource->inHeap;
        if (isWritten || !isSeen || resource->memory->size() > mostWatchedBytes) continue;
        const std::uint64_t quiet = resources_in_flight::quietSince(resource);
        if (quiet == 0) continue;
        // The last of the commands.
        commandBuffer_->append(metal_executor::Call{[resource = resource, quiet, user, before = hashOf(*resource)] {
            if (resources_in_flight::quietSince(resource) != quiet || hashOf(*resource) == before) return;
            debugWarn(join(describeResource(*resource), " changed while ", user,
                           ", which only reads it, had not completed: the processor wrote to it, or a kernel that "
                           "reached it without useResource"));
        }});
    }
}

void CommandWatch::commit(unsigned openGroups) {
    if (openGroups > 0)
        error(join("commit: ", openGroups, " debug group(s) of the command buffer pushed and not popped"));
    checkLabels();
    const std::string label = commandBuffer_->label.text();
    const std::string user = label.empty() ? "a command buffer without a label" : "command buffer '" + label + "'";
    watchContents(user);
    const std::vector<Summary> uses = summary();
    for (const Summary& use : uses) resources_in_flight::begin(use.resource, use.isWritten, user);
    if (hasUnknownAccess_) resources_in_flight::beginUnknown();
    commandBuffer_->executor->keep(held_);
    commandBuffer_->executor->onEnd([uses, isUnknown = hasUnknownAccess_](metal_executor::CommandBuffer&) {
        for (const Summary& use : uses) resources_in_flight::end(use.resource, use.isWritten);
        if (isUnknown) resources_in_flight::endUnknown();
    });
}

void CommandWatch::released(bool hasCommands) const {
    if (!hasCommands) return;
    debugWarn("a command buffer with commands was released without commit" + place());
}

}  // namespace metal_objects
