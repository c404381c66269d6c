// SPDX-License-Identifier: MIT

#include "command_watch.hpp"

#include <algorithm>
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

bool CommandWatch::Place::meets(const Place& other) const {
    if (offset == anywhere || other.offset == anywhere) return true;
    if (endLevel == 0) return offset == other.offset;
    return firstLevel < other.endLevel && other.firstLevel < endLevel && firstSlice < other.endSlice &&
           other.firstSlice < endSlice;
}

CommandWatch::Place CommandWatch::placeOf(const ResourcePart* resource, NS::UInteger offset) {
    const auto* texture = dynamic_cast<const TextureObject*>(resource);
    if (texture == nullptr || offset == anywhere) return {offset};
    if (texture->buffer) return {texture->bufferOffset};  // as of the buffer
    Place place;
    for (const auto* view = texture; view->parent; view = as<TextureObject>(view->parent.get())) {
        place.firstLevel += view->parentLevel;
        place.firstSlice += view->parentSlice;
    }
    place.endLevel = place.firstLevel + texture->values.mipmapLevelCount;
    place.endSlice = place.firstSlice + texture->sliceCount();
    return place;
}

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
    encoders_.push_back({encoder, {}, kind, isConcurrent, 0, {}, {}, {}});
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
    add(owner, now);
    if (!isTexture) return;
    if (isWritten) {
        texture_contents::written(owner);
    } else {
        texture_contents::read(owner);
    }
}

void CommandWatch::add(const ResourcePart* owner, const Access& now) {
    hold(owner);
    checkUse(*owner);
    checkHazards(*owner, now);
    std::vector<Access>& all = accesses_[owner];
    // A pass may have thousands of draws that do the same.
    const bool isRepeated = encoders_[now.encoder].isRender() && !all.empty() && all.back().encoder == now.encoder &&
                            all.back().place == now.place && all.back().isWritten == now.isWritten &&
                            !all.back().isOrdered;
    if (!isRepeated) all.push_back(now);
}

void CommandWatch::note(const std::string& name, const std::vector<Use>& uses) {
    const std::lock_guard lock(mutex_);
    command(name);
    for (const Use& use : uses) access(use.resource, use.offset, use.isWritten);
}

void CommandWatch::drawInto(const TextureImages& images) {
    if (!isEncoding_) return;
    Place place = placeOf(images.texture, 0);
    if (place.endLevel != 0) {
        place.firstLevel += images.level;
        place.endLevel = place.firstLevel + 1;
        if (images.texture->values.textureType != MTL::TextureType3D) {
            place.firstSlice += images.slice;
            place.endSlice = place.firstSlice + images.count;
        }
    }
    add(ownerOf(images.texture), {encoders_.size() - 1, 0, "the pass", place, true, true});
}

void CommandWatch::use(const ResourcePart* resource, bool isWritten) {
    if (resource == nullptr || !isEncoding_) return;
    const std::lock_guard lock(mutex_);
    const ResourcePart* owner = ownerOf(resource);
    hold(owner);
    uses_[owner] |= isWritten;
    encoders_.back().named.insert(owner);
    texture_contents::read(owner);
    if (isWritten) texture_contents::written(owner);
}

void CommandWatch::use(const MTL::Heap* heap) {
    if (heap == nullptr || !isEncoding_) return;
    const std::lock_guard lock(mutex_);
    encoders_.back().namedHeaps.insert(heap);
}

bool CommandWatch::isNamed(const ResourcePart* resource) const {
    const std::lock_guard lock(mutex_);
    const Encoder& encoder = encoders_.back();
    return encoder.named.contains(ownerOf(resource)) || encoder.namedHeaps.contains(resource->inHeap.get());
}

bool CommandWatch::isWritten(const ResourcePart* resource) const {
    const std::lock_guard lock(mutex_);
    const auto used = uses_.find(ownerOf(resource));
    if (used != uses_.end() && used->second) return true;
    const auto found = accesses_.find(ownerOf(resource));
    return found != accesses_.end() && std::any_of(found->second.begin(), found->second.end(),
                                                   [](const Access& access) { return access.isWritten; });
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
        if (!(before->isWritten || now.isWritten) || !before->place.meets(now.place)) continue;
        const bool isSame = before->encoder == now.encoder;
        if (isSame && before->command == now.command) continue;
        // Draws that add to the same counts are usual, and their order rarely matters.
        const bool mayOverlap = encoder.isConcurrent || (encoder.isRender() && before->isWritten != now.isWritten);
        const bool isRace = isSame ? mayOverlap && !before->isOrdered
                                   : isUntracked(resource) && !encoder.waitedFor.contains(before->encoder);
        if (!isRace) continue;
        if (isSame && encoder.isRender() && before->command == 0) {
            debugWarn(join(now.name, " reads ", describeResource(resource),
                           ", which the pass draws into: what is read is not defined", place()));
            return;
        }
        const std::string both =
            join(now.name, " ", word(now), " ", describeResource(resource), ", which ", before->name, " ");
        const char* together = encoder.isRender() ? " in the same pass" : " in the same concurrent encoder";
        debugWarn(isSame ? join(both, word(*before), together,
                                " without a memoryBarrier between them: on a GPU they run at the same time", place())
                         : join(both, word(*before), " in ", nameOf(encoders_[before->encoder]),
                                ": the resource is untracked, and no fence orders the two encoders", place()));
        return;
    }
}

void CommandWatch::barrier(MTL::BarrierScope scope) {
    if (!isEncoding_) return;
    const std::lock_guard lock(mutex_);
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
    const std::lock_guard lock(mutex_);
    const auto found = accesses_.find(ownerOf(resource));
    if (found == accesses_.end()) return;
    for (Access& access : found->second) access.isOrdered = true;
}

void CommandWatch::update(const MTL::Fence* fence) {
    if (!isEncoding_) return;
    const std::lock_guard lock(mutex_);
    fences_[fence].insert(encoders_.size() - 1);
}

void CommandWatch::wait(const MTL::Fence* fence) {
    const std::lock_guard lock(mutex_);
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
        debugWarnOnce(keyOf(*resource), join(describeResource(*resource), " is used by ", all.front().name));
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
    commandBuffer_->executor->onEnd([uses, isUnknown = hasUnknownAccess_.load()](metal_executor::CommandBuffer&) {
        for (const Summary& use : uses) resources_in_flight::end(use.resource, use.isWritten);
        if (isUnknown) resources_in_flight::endUnknown();
    });
}

void CommandWatch::released(bool hasCommands) const {
    if (!hasCommands) return;
    debugWarn("a command buffer with commands was released without commit" + place());
}

}  // namespace metal_objects
