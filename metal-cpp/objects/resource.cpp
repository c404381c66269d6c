// SPDX-License-Identifier: MIT

#include "resource.hpp"

#include <atomic>

#include "debug_contents.hpp"
#include "debug_layer.hpp"
#include "error.hpp"
#include "heap.hpp"
#include "texture.hpp"

namespace metal_objects {

ResourcePart::~ResourcePart() {
    if (!DebugLayer::get().isOn) return;
    texture_contents::forget(this);
    resources_in_flight::forget(this);
}

std::uint64_t ResourcePart::nextSerial() {
    static std::atomic<std::uint64_t> count = 0;
    return count.fetch_add(1, std::memory_order_relaxed);
}

bool isStorage(MTL::ResourceOptions options) {
    constexpr MTL::ResourceOptions known = 0x1 | 0x30 | 0x300;
    return (options & ~known) == 0 && storageModeOf(options) <= MTL::StorageModePrivate;
}

MTL::PurgeableState exchangePurgeable(std::atomic<MTL::PurgeableState>& now, MTL::PurgeableState state,
                                      std::initializer_list<metal_executor::Memory*> memories) {
    if (state == MTL::PurgeableStateKeepCurrent) return now;
    if (state == MTL::PurgeableStateEmpty) {
        for (metal_executor::Memory* memory : memories) {
            if (memory != nullptr) memory->discard();
        }
    }
    return now.exchange(state);
}

/// Of memoryless textures nothing: what they have is an address only.
static NS::UInteger allocatedSizeOf(const ResourcePart* resource) {
    return resource->storage() == MTL::StorageModeMemoryless ? 0 : resource->allocatedSize();
}

}  // namespace metal_objects

using metal_objects::allocatedSizeOf;
using metal_objects::HeapObject;
using metal_objects::part;
using metal_objects::ResourcePart;

namespace MTL {

NS::UInteger Allocation::allocatedSize() const {
    if (const auto* resource = part<ResourcePart>(this)) return allocatedSizeOf(resource);
    const auto* heap = part<HeapObject>(this);
    return heap != nullptr ? heap->space->block->size() : 0;
}

NS::UInteger Resource::allocatedSize() const {
    return allocatedSizeOf(part<ResourcePart>(this));
}
CPUCacheMode Resource::cpuCacheMode() const {
    return metal_objects::cacheModeOf(resourceOptions());
}
Device* Resource::device() const {
    return part<ResourcePart>(this)->owner.get();
}
HazardTrackingMode Resource::hazardTrackingMode() const {
    return metal_objects::hazardModeOf(resourceOptions());
}
Heap* Resource::heap() const {
    return part<ResourcePart>(this)->inHeap.get();
}
NS::UInteger Resource::heapOffset() const {
    const auto* resource = part<ResourcePart>(this);
    return resource->range ? resource->range->offset : 0;
}
bool Resource::isAliasable() {
    const auto* resource = part<ResourcePart>(this);
    return resource->range && resource->range->isGivenBack();
}
NS::String* Resource::label() const {
    return part<ResourcePart>(this)->label.get();
}
void Resource::makeAliasable() {
    const auto* resource = part<ResourcePart>(this);
    const auto* texture = part<metal_objects::TextureObject>(this);
    if (texture != nullptr && texture->parent) {
        return metal_objects::reportMistake("makeAliasable: the texture is a view; make its parentTexture aliasable");
    }
    // Of a texture on a heap's buffer it is the buffer that has the bytes.
    if (texture != nullptr && texture->buffer) return;
    if (!resource->range) return metal_objects::reportMistake("makeAliasable: the resource is not in a heap");
    resource->range->giveBack();
}
ResourceOptions Resource::resourceOptions() const {
    return part<ResourcePart>(this)->options;
}
void Resource::setLabel(const NS::String* label) {
    part<ResourcePart>(this)->label.set(label);
}
StorageMode Resource::storageMode() const {
    return part<ResourcePart>(this)->storage();
}

PurgeableState Resource::setPurgeableState(PurgeableState state) {
    auto* resource = part<ResourcePart>(this);
    if (resource->inHeap) {
        if (state != PurgeableStateKeepCurrent) {
            metal_objects::reportMistake(
                "setPurgeableState: the resource is in a heap, of which only the whole can be purgeable");
        }
        return resource->inHeap->setPurgeableState(PurgeableStateKeepCurrent);
    }
    if (state == PurgeableStateVolatile || state == PurgeableStateEmpty)
        metal_objects::warnIfInFlight(resource, "setPurgeableState");
    return metal_objects::exchangePurgeable(resource->purgeable, state,
                                            {resource->memory.get(), resource->hostMemory.get()});
}

}  // namespace MTL
