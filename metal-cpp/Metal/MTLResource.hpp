// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLAllocation.hpp"

namespace MTL {

class Device;
class Heap;

enum PurgeableState : NS::UInteger {
    PurgeableStateKeepCurrent = 1,
    PurgeableStateNonVolatile = 2,
    PurgeableStateVolatile = 3,
    PurgeableStateEmpty = 4,
};

enum CPUCacheMode : NS::UInteger {
    CPUCacheModeDefaultCache = 0,
    CPUCacheModeWriteCombined = 1,
};

enum StorageMode : NS::UInteger {
    StorageModeShared = 0,
    StorageModeManaged = 1,
    StorageModePrivate = 2,
    StorageModeMemoryless = 3,
};

enum HazardTrackingMode : NS::UInteger {
    HazardTrackingModeDefault = 0,
    HazardTrackingModeUntracked = 1,
    HazardTrackingModeTracked = 2,
};

enum SparsePageSize : NS::Integer {
    SparsePageSize16 = 101,
    SparsePageSize64 = 102,
    SparsePageSize256 = 103,
};

enum BufferSparseTier : NS::Integer {
    BufferSparseTierNone = 0,
    BufferSparseTier1 = 1,
};

enum TextureSparseTier : NS::Integer {
    TextureSparseTierNone = 0,
    TextureSparseTier1 = 1,
    TextureSparseTier2 = 2,
};

using ResourceOptions = NS::UInteger;
enum : ResourceOptions {
    ResourceCPUCacheModeDefaultCache = 0,
    ResourceCPUCacheModeWriteCombined = 1,
    ResourceStorageModeShared = 0,
    ResourceStorageModeManaged = 1 << 4,
    ResourceStorageModePrivate = 1 << 5,
    ResourceStorageModeMemoryless = 1 << 5,
    ResourceHazardTrackingModeDefault = 0,
    ResourceHazardTrackingModeUntracked = 1 << 8,
    ResourceHazardTrackingModeTracked = 1 << 9,
    ResourceOptionCPUCacheModeDefault = 0,
    ResourceOptionCPUCacheModeWriteCombined = 1,
};

/// A buffer or a texture.
class Resource : public NS::Referencing<Resource, Allocation> {
public:
    NS::UInteger allocatedSize() const;
    CPUCacheMode cpuCacheMode() const;
    Device* device() const;
    HazardTrackingMode hazardTrackingMode() const;

    /// The heap it lies in, or null.
    Heap* heap() const;

    /// Where in the heap it begins; 0 outside of heaps.
    NS::UInteger heapOffset() const;

    bool isAliasable();
    NS::String* label() const;

    /// Lets the heap give its bytes to others, though it goes on seeing them. Cannot be taken back. Refused for what
    /// is not in a heap, and for views.
    void makeAliasable();

    ResourceOptions resourceOptions() const;
    void setLabel(const NS::String* label);

    /// Returns the state before. Memory of this device is never taken away: volatile contents survive, and only
    /// PurgeableStateEmpty discards them (they read as zeros). What lies in a heap has the heap's state, and only that
    /// of the whole heap can be set.
    PurgeableState setPurgeableState(PurgeableState state);

    StorageMode storageMode() const;
};

}  // namespace MTL
