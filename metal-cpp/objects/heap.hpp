// SPDX-License-Identifier: MIT

#pragma once

#include "../executor/space.hpp"
#include "resource.hpp"

namespace metal_objects {

struct HeapValues {
    MTL::HeapType type = MTL::HeapTypeAutomatic;
    NS::UInteger size = 0;
    MTL::ResourceOptions options = MTL::ResourceStorageModePrivate;
};
using HeapDescriptorObject = DescriptorOf<MTL::HeapDescriptor, HeapValues>;

class HeapObject final : public Implements<MTL::Heap> {
public:
    HeapObject(const MTL::Device* device, const HeapValues& values, std::shared_ptr<metal_executor::Memory> block)
        : owner(NS::RetainPtr(const_cast<MTL::Device*>(device))),
          type(values.type),
          options(values.options),
          space(std::make_shared<metal_executor::Space>(std::move(block))) {}

    const NS::SharedPtr<MTL::Device> owner;
    const MTL::HeapType type;
    const MTL::ResourceOptions options;
    const std::shared_ptr<metal_executor::Space> space;
    std::atomic<MTL::PurgeableState> purgeable = MTL::PurgeableStateNonVolatile;
    Label label;
};

}  // namespace metal_objects
