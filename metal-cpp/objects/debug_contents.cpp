// SPDX-License-Identifier: MIT

#include "debug_contents.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "../executor/process.hpp"
#include "debug_layer.hpp"
#include "texture.hpp"

namespace metal_objects::texture_contents {

namespace {

using Place = std::pair<std::uint64_t, std::uint64_t>;  // level and slice

struct Image {
    bool isDiscarded = false;
    bool isUnread = false;
    std::string by;  // the pass that stored it, or threw it away
};

struct Texture {
    bool isWritten = false;  // by others than passes
    std::map<Place, Image> images;
};

struct State {
    std::mutex mutex;
    std::map<std::uint64_t, Texture> textures;  // by serial
};

// Never destroyed: command buffers end while the process does.
State*& state() {
    static State* instance = [] {
        metal_executor::onFork([] { state()->mutex.lock(); }, [] { state()->mutex.unlock(); },
                               [] { state() = new State; });
        return new State;
    }();
    return instance;
}

/// Whose images are looked at: null where others may write to the memory, a buffer's or a heap's, and for a drawable's,
/// which the display reads.
const TextureObject* lookedAt(const ResourcePart* resource) {
    const auto* owner = dynamic_cast<const TextureObject*>(ownerOf(resource));
    return owner == nullptr || owner->inHeap || owner->drawableWork ? nullptr : owner;
}

/// The places of images in the texture that `images` is a view of.
std::vector<Place> placesOf(const TextureImages& images) {
    std::uint64_t level = images.level, slice = images.slice;
    for (const TextureObject* view = images.texture; view->parent; view = as<TextureObject>(view->parent.get())) {
        level += view->parentLevel;
        slice += view->parentSlice;
    }
    std::vector<Place> places;
    places.reserve(images.count);
    for (std::uint64_t i = 0; i < images.count; ++i) places.emplace_back(level, slice + i);
    return places;
}

void set(const TextureImages& images, const Image& to) {
    const TextureObject* owner = lookedAt(images.texture);
    if (owner == nullptr) return;
    std::lock_guard lock(state()->mutex);
    for (const Place& place : placesOf(images)) state()->textures[owner->serial].images[place] = to;
}

std::string discardedBy(const Image& image) {
    return "whose contents " + image.by + " threw away: its store action was DontCare";
}

constexpr const char* neverWritten = "which nothing has written to";

}  // namespace

void forget(const ResourcePart* resource) {
    std::lock_guard lock(state()->mutex);
    state()->textures.erase(resource->serial);
}

void written(const ResourcePart* resource) {
    const TextureObject* owner = lookedAt(resource);
    if (owner == nullptr) return;
    std::lock_guard lock(state()->mutex);
    Texture& texture = state()->textures[owner->serial];
    texture.isWritten = true;
    texture.images.clear();
}

void read(const ResourcePart* resource) {
    const TextureObject* owner = lookedAt(resource);
    if (owner == nullptr) return;
    std::lock_guard lock(state()->mutex);
    for (auto& [place, image] : state()->textures[owner->serial].images) image.isUnread = false;
}

void stored(const TextureImages& images, const std::string& by) {
    set(images, {false, true, by});
}

void discarded(const TextureImages& images, const std::string& by) {
    set(images, {true, false, by});
}

std::string whyUndefined(const TextureImages& images) {
    const TextureObject* owner = lookedAt(images.texture);
    if (owner == nullptr) return {};
    std::lock_guard lock(state()->mutex);
    const Texture& texture = state()->textures[owner->serial];
    for (const Place& place : placesOf(images)) {
        const auto found = texture.images.find(place);
        if (found == texture.images.end() && !texture.isWritten) return neverWritten;
        if (found != texture.images.end() && found->second.isDiscarded) return discardedBy(found->second);
    }
    return {};
}

std::string whyUndefined(const TextureObject& texture) {
    const TextureObject* owner = lookedAt(&texture);
    if (owner == nullptr) return {};
    std::lock_guard lock(state()->mutex);
    const Texture& known = state()->textures[owner->serial];
    if (known.isWritten) return {};
    if (known.images.empty()) return neverWritten;
    const bool isAnyKept = std::any_of(known.images.begin(), known.images.end(),
                                       [](const auto& image) { return !image.second.isDiscarded; });
    return isAnyKept ? std::string() : discardedBy(known.images.begin()->second);
}

std::string storedForNobody(const TextureImages& images) {
    const TextureObject* owner = lookedAt(images.texture);
    if (owner == nullptr) return {};
    std::lock_guard lock(state()->mutex);
    const Texture& texture = state()->textures[owner->serial];
    std::string by;
    for (const Place& place : placesOf(images)) {
        const auto found = texture.images.find(place);
        if (found == texture.images.end() || !found->second.isUnread) return {};
        by = found->second.by;
    }
    return by;
}

}  // namespace metal_objects::texture_contents
