// SPDX-License-Identifier: MIT

#include "heap.hpp"

#include "buffer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "join.hpp"
#include "live_resources.hpp"
#include "texture.hpp"
#include "texture_rules.hpp"

namespace metal_objects {

namespace {

using metal_executor::Memory;
using metal_executor::Range;

/// Of every resource in a heap: what vector loads like best, and more than any format's texels need.
constexpr NS::UInteger alignment = 256;

NS::UInteger roundUp(NS::UInteger bytes, NS::UInteger unit) {
    return (bytes + unit - 1) / unit * unit;
}

MTL::SizeAndAlign sizeAndAlign(NS::UInteger bytes) {
    return {roundUp(bytes, alignment), alignment};
}

/// Empty, or what Metal's validation would say of resources with such options in the heap.
std::string optionsMistake(const HeapObject* heap, MTL::ResourceOptions options) {
    if (storageModeOf(options) != storageModeOf(heap->options)) {
        return join("storageMode is ", storageModeOf(options), ", the heap's is ", storageModeOf(heap->options));
    }
    if (cacheModeOf(options) != cacheModeOf(heap->options)) {
        return join("cpuCacheMode is ", cacheModeOf(options), ", the heap's is ", cacheModeOf(heap->options));
    }
    const auto hazards = hazardModeOf(options);
    if (hazards != MTL::HazardTrackingModeDefault && hazards != hazardModeOf(heap->options)) {
        return join("hazardTrackingMode is ", hazards, ", the heap's is ", hazardModeOf(heap->options));
    }
    return {};
}

std::shared_ptr<Range> refuse(const char* call, const std::string& why) {
    reportMistake(join(call, ": ", why));
    return nullptr;
}

/// Room for a resource of so many bytes. Null when there is none, or, having said so, when it cannot be there.
std::shared_ptr<Range> room(const HeapObject* heap, const char* call, NS::UInteger bytes,
                            MTL::ResourceOptions options) {
    const std::string mistake = optionsMistake(heap, options);
    if (!mistake.empty()) return refuse(call, mistake);
    if (heap->type != MTL::HeapTypeAutomatic) return refuse(call, "the heap is one for placement: give an offset");
    return heap->space->take(roundUp(bytes, alignment), alignment);
}

/// The same at a place of the caller's choice.
std::shared_ptr<Range> room(const HeapObject* heap, const char* call, NS::UInteger bytes, MTL::ResourceOptions options,
                            NS::UInteger offset) {
    const std::string mistake = optionsMistake(heap, options);
    if (!mistake.empty()) return refuse(call, mistake);
    if (heap->type != MTL::HeapTypePlacement)
        return refuse(call, "only in a heap for placement resources have offsets");
    if (offset % alignment != 0) {
        return refuse(call, join("offset(", offset, ") must be a multiple of ", alignment));
    }
    auto range = heap->space->place(offset, roundUp(bytes, alignment));
    if (range == nullptr) {
        return refuse(call, join("offset(", offset, ") + the resource's size(", roundUp(bytes, alignment),
                                 ") must be <= the heap's size(", heap->space->block->size(), ")"));
    }
    return range;
}

/// The bytes of a range, as memory of a resource, whose end gives them back.
std::shared_ptr<Memory> memoryOf(const std::shared_ptr<Range>& range, NS::UInteger bytes) {
    return Memory::wrap(range->address(), bytes, [range] { range->giveBack(); });
}

void settle(ResourcePart* resource, HeapObject* heap, std::shared_ptr<Range> range) {
    resource->inHeap = NS::RetainPtr(static_cast<MTL::Heap*>(heap));
    resource->range = std::move(range);
}

MTL::Buffer* makeBuffer(HeapObject* heap, std::shared_ptr<Range> range, NS::UInteger length) {
    if (range == nullptr) return nullptr;
    auto* buffer = new BufferObject(heap->owner.get(), heap->options, length);
    buffer->memory = memoryOf(range, length);
    settle(buffer, heap, std::move(range));
    LiveResources::add(buffer);
    return buffer;
}

MTL::Texture* makeTexture(HeapObject* heap, std::shared_ptr<Range> range, const TextureValues& values,
                          NS::UInteger bytes) {
    if (range == nullptr) return nullptr;
    TextureValues own = values;
    own.options = heap->options;
    auto* texture = TextureObject::makeOn(heap->owner.get(), own, memoryOf(range, bytes));
    settle(texture, heap, std::move(range));
    return texture;
}

std::string bufferMistake(const HeapObject* heap, NS::UInteger length) {
    if (length == 0) return "newBuffer: length is 0, which no buffer can have";
    // Far beyond what fits: rounding up must not wrap around.
    const NS::UInteger size = heap->space->block->size();
    if (length > NS::UIntegerMax - alignment)
        return join("newBuffer: length is ", length, ", the heap's size is ", size);
    return {};
}

std::string heapMistake(const HeapValues& values, NS::UInteger limit) {
    if (values.size == 0) return "size is 0, which no heap can have";
    if (values.size > limit) return join("size is ", values.size, " bytes, this device allows ", limit);
    if (values.type != MTL::HeapTypeAutomatic && values.type != MTL::HeapTypePlacement) {
        return join("type is ", values.type, ", of which this device has no heaps");
    }
    if (!isStorage(values.options)) return "resourceOptions have parts that are not known";
    if (storageModeOf(values.options) == MTL::StorageModeManaged) {
        return "storageMode is managed, which no heap can be";
    }
    return {};
}

const HeapObject* self(const MTL::Heap* heap) {
    return as<HeapObject>(heap);
}

}  // namespace

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- Device ----

Heap* Device::newHeap(const HeapDescriptor* descriptor) {
    HeapValues values = as<HeapDescriptorObject>(descriptor)->values;
    const std::string mistake = heapMistake(values, maxBufferLength());
    if (!mistake.empty()) {
        reportMistake("newHeap: " + mistake);
        return nullptr;
    }
    if (hazardModeOf(values.options) == HazardTrackingModeDefault) {
        values.options |= ResourceHazardTrackingModeUntracked;
    }
    auto block = allocate(this, roundUp(values.size, metal_executor::pageSize()));
    return block != nullptr ? new HeapObject(this, values, std::move(block)) : nullptr;
}

SizeAndAlign Device::heapBufferSizeAndAlign(NS::UInteger length, ResourceOptions) {
    return sizeAndAlign(length);
}

SizeAndAlign Device::heapTextureSizeAndAlign(const TextureDescriptor* desc) {
    const auto& values = as<TextureDescriptorObject>(desc)->values;
    const std::string mistake = descriptorMistake(values);
    if (mistake.empty()) return sizeAndAlign(TextureObject::bytesOf(this, values));
    reportMistake("heapTextureSizeAndAlign: " + mistake);
    return {0, 0};
}

// ---- Heap ----

CPUCacheMode Heap::cpuCacheMode() const {
    return cacheModeOf(self(this)->options);
}
NS::UInteger Heap::currentAllocatedSize() const {
    return size();
}
Device* Heap::device() const {
    return self(this)->owner.get();
}
HazardTrackingMode Heap::hazardTrackingMode() const {
    return hazardModeOf(self(this)->options);
}
NS::String* Heap::label() const {
    return self(this)->label.get();
}
void Heap::setLabel(const NS::String* label) {
    as<HeapObject>(this)->label.set(label);
}
ResourceOptions Heap::resourceOptions() const {
    return self(this)->options;
}
NS::UInteger Heap::size() const {
    return self(this)->space->block->size();
}
StorageMode Heap::storageMode() const {
    return storageModeOf(self(this)->options);
}
HeapType Heap::type() const {
    return self(this)->type;
}
NS::UInteger Heap::usedSize() const {
    return self(this)->space->used();
}

NS::UInteger Heap::maxAvailableSize(NS::UInteger alignment) {
    if ((alignment & (alignment - 1)) != 0) {
        reportMistake(join("maxAvailableSize: alignment(", alignment, ") must be 0 or a power of two"));
        return 0;
    }
    return self(this)->space->largestFree(std::max<NS::UInteger>(alignment, 1));
}

PurgeableState Heap::setPurgeableState(PurgeableState state) {
    auto* heap = as<HeapObject>(this);
    return exchangePurgeable(heap->purgeable, state, {heap->space->block.get()});
}

Buffer* Heap::newBuffer(NS::UInteger length, ResourceOptions options) {
    auto* heap = as<HeapObject>(this);
    const std::string mistake = bufferMistake(heap, length);
    if (mistake.empty()) return makeBuffer(heap, room(heap, "newBuffer", length, options), length);
    reportMistake(mistake);
    return nullptr;
}

Buffer* Heap::newBuffer(NS::UInteger length, ResourceOptions options, NS::UInteger offset) {
    auto* heap = as<HeapObject>(this);
    const std::string mistake = bufferMistake(heap, length);
    if (mistake.empty()) return makeBuffer(heap, room(heap, "newBuffer", length, options, offset), length);
    reportMistake(mistake);
    return nullptr;
}

Texture* Heap::newTexture(const TextureDescriptor* descriptor) {
    auto* heap = as<HeapObject>(this);
    const auto& values = as<TextureDescriptorObject>(descriptor)->values;
    const NS::UInteger bytes = device()->heapTextureSizeAndAlign(descriptor).size;
    if (bytes == 0) return nullptr;
    return makeTexture(heap, room(heap, "newTexture", bytes, values.options), values, bytes);
}

Texture* Heap::newTexture(const TextureDescriptor* descriptor, NS::UInteger offset) {
    auto* heap = as<HeapObject>(this);
    const auto& values = as<TextureDescriptorObject>(descriptor)->values;
    const NS::UInteger bytes = device()->heapTextureSizeAndAlign(descriptor).size;
    if (bytes == 0) return nullptr;
    return makeTexture(heap, room(heap, "newTexture", bytes, values.options, offset), values, bytes);
}

// ---- HeapDescriptor ----

HeapDescriptor* HeapDescriptor::alloc() {
    return new HeapDescriptorObject;
}
HeapDescriptor* HeapDescriptor::init() {
    return this;
}

CPUCacheMode HeapDescriptor::cpuCacheMode() const {
    return cacheModeOf(resourceOptions());
}
void HeapDescriptor::setCpuCacheMode(CPUCacheMode cpuCacheMode) {
    setResourceOptions((resourceOptions() & ~ResourceOptions(0xF)) | cpuCacheMode);
}
HazardTrackingMode HeapDescriptor::hazardTrackingMode() const {
    return hazardModeOf(resourceOptions());
}
void HeapDescriptor::setHazardTrackingMode(HazardTrackingMode hazardTrackingMode) {
    setResourceOptions((resourceOptions() & ~ResourceOptions(0x300)) | ResourceOptions(hazardTrackingMode) << 8);
}
ResourceOptions HeapDescriptor::resourceOptions() const {
    return as<HeapDescriptorObject>(this)->values.options;
}
void HeapDescriptor::setResourceOptions(ResourceOptions resourceOptions) {
    as<HeapDescriptorObject>(this)->values.options = resourceOptions;
}
NS::UInteger HeapDescriptor::size() const {
    return as<HeapDescriptorObject>(this)->values.size;
}
void HeapDescriptor::setSize(NS::UInteger size) {
    as<HeapDescriptorObject>(this)->values.size = size;
}
StorageMode HeapDescriptor::storageMode() const {
    return storageModeOf(resourceOptions());
}
void HeapDescriptor::setStorageMode(StorageMode storageMode) {
    setResourceOptions((resourceOptions() & ~ResourceOptions(0xF0)) | ResourceOptions(storageMode) << 4);
}
HeapType HeapDescriptor::type() const {
    return as<HeapDescriptorObject>(this)->values.type;
}
void HeapDescriptor::setType(HeapType type) {
    as<HeapDescriptorObject>(this)->values.type = type;
}

}  // namespace MTL
