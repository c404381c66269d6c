// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "../Metal/Metal.hpp"
#include "../executor/space.hpp"
#include "descriptors.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// What buffers and textures have in common. Managed storage has two memories: `memory`, which kernels use, and
/// `hostMemory`, which the processor sees; only didModifyRange and synchronizeResource make one follow the other.
class ResourcePart {
public:
    ResourcePart(const MTL::Device* device, MTL::ResourceOptions options)
        : owner(NS::RetainPtr(const_cast<MTL::Device*>(device))), options(options) {}
    virtual ~ResourcePart();

    MTL::StorageMode storage() const { return storageModeOf(options); }
    bool isManaged() const { return storage() == MTL::StorageModeManaged; }
    std::uint8_t* bytes() const { return static_cast<std::uint8_t*>(memory->address()); }

    /// What the processor sees; null for private storage.
    std::uint8_t* hostBytes() const {
        if (storage() == MTL::StorageModePrivate) return nullptr;
        return static_cast<std::uint8_t*>((isManaged() ? hostMemory : memory)->address());
    }

    virtual NS::UInteger allocatedSize() const {
        return memory->allocatedSize() + (hostMemory ? hostMemory->allocatedSize() : 0);
    }

    const NS::SharedPtr<MTL::Device> owner;
    const MTL::ResourceOptions options;
    /// Unlike its address, no other resource's ever.
    const std::uint64_t serial = nextSerial();
    std::shared_ptr<metal_executor::Memory> memory;
    std::shared_ptr<metal_executor::Memory> hostMemory;

    /// Of what lies in a heap. Textures on a buffer and views have no range of their own.
    NS::SharedPtr<MTL::Heap> inHeap;
    std::shared_ptr<metal_executor::Range> range;

    std::atomic<MTL::PurgeableState> purgeable = MTL::PurgeableStateNonVolatile;
    Label label;

private:
    static std::uint64_t nextSerial();
};

/// The state before; discards the memories where that is asked for. `now` is where the state is kept.
MTL::PurgeableState exchangePurgeable(std::atomic<MTL::PurgeableState>& now, MTL::PurgeableState state,
                                      std::initializer_list<metal_executor::Memory*> memories);

/// Shared, managed or private, without bits that no option has.
bool isStorage(MTL::ResourceOptions options);

}  // namespace metal_objects
