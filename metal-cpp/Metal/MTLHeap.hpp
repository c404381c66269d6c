// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLAllocation.hpp"
#include "MTLResource.hpp"

namespace MTL {

class Buffer;
class Device;
class Texture;
class TextureDescriptor;

/// This device has no sparse heaps.
enum HeapType : NS::Integer {
    HeapTypeAutomatic = 0,
    HeapTypePlacement = 1,
    HeapTypeSparse = 2,
};

/// Private storage, unless it is told otherwise.
class HeapDescriptor : public NS::Copying<HeapDescriptor> {
public:
    static HeapDescriptor* alloc();
    CPUCacheMode cpuCacheMode() const;
    HazardTrackingMode hazardTrackingMode() const;
    HeapDescriptor* init();
    ResourceOptions resourceOptions() const;
    void setCpuCacheMode(CPUCacheMode cpuCacheMode);
    void setHazardTrackingMode(HazardTrackingMode hazardTrackingMode);
    void setResourceOptions(ResourceOptions resourceOptions);
    void setSize(NS::UInteger size);
    void setStorageMode(StorageMode storageMode);
    void setType(HeapType type);
    NS::UInteger size() const;
    StorageMode storageMode() const;
    HeapType type() const;
};

/// One block of memory that buffers and textures are made in. They keep it alive, and give their bytes back when the
/// last reference to them goes, command buffers' included, or when they are made aliasable.
class Heap : public NS::Referencing<Heap, Allocation> {
public:
    CPUCacheMode cpuCacheMode() const;
    NS::UInteger currentAllocatedSize() const;
    Device* device() const;

    /// Untracked, unless the descriptor said otherwise.
    HazardTrackingMode hazardTrackingMode() const;

    NS::String* label() const;

    /// Bytes of the largest resource that there is room for, at offsets that are multiples of `alignment`: a power of
    /// two, or 0 for any.
    NS::UInteger maxAvailableSize(NS::UInteger alignment);

    /// Contents are whatever the bytes held before. Caller owns the result (+1), as of the next three. Null when
    /// there is no room; null, and reported as a mistake, when storage or cache mode are not the heap's, or when the
    /// heap is one for placement.
    Buffer* newBuffer(NS::UInteger length, ResourceOptions options);

    /// At `offset`, on top of whatever else is there; null, and reported as a mistake, when it is not a multiple of
    /// heapBufferSizeAndAlign()'s alignment, when the buffer does not fit there, or when the heap is automatic.
    Buffer* newBuffer(NS::UInteger length, ResourceOptions options, NS::UInteger offset);

    Texture* newTexture(const TextureDescriptor* descriptor);
    Texture* newTexture(const TextureDescriptor* descriptor, NS::UInteger offset);
    ResourceOptions resourceOptions() const;
    void setLabel(const NS::String* label);

    /// As Resource::setPurgeableState(), for all that is in the heap.
    PurgeableState setPurgeableState(PurgeableState state);

    /// What the descriptor asked for, or a little more.
    NS::UInteger size() const;

    StorageMode storageMode() const;
    HeapType type() const;

    /// Bytes that resources have, without those that are aliasable. Where resources of a heap for placement lie on top
    /// of each other, the bytes count once.
    NS::UInteger usedSize() const;
};

}  // namespace MTL
