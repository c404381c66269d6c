// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Metal/Metal.hpp"
#include "../executor/render/output_state.hpp"
#include "descriptor_array.hpp"

namespace metal_objects {

struct StencilValues {
    MTL::CompareFunction compare = MTL::CompareFunctionAlways;
    MTL::StencilOperation stencilFailure = MTL::StencilOperationKeep;
    MTL::StencilOperation depthFailure = MTL::StencilOperationKeep;
    MTL::StencilOperation depthStencilPass = MTL::StencilOperationKeep;
    std::uint32_t readMask = UINT32_MAX;
    std::uint32_t writeMask = UINT32_MAX;
};
using StencilDescriptorObject = DescriptorOf<MTL::StencilDescriptor, StencilValues>;

struct DepthStencilValues {
    MTL::CompareFunction depthCompare = MTL::CompareFunctionAlways;
    bool writesDepth = false;
    Owned<StencilDescriptorObject> front, back;
    NS::SharedPtr<NS::String> label;
};
using DepthStencilDescriptorObject = DescriptorOf<MTL::DepthStencilDescriptor, DepthStencilValues>;

class DepthStencilObject final : public Implements<MTL::DepthStencilState> {
public:
    DepthStencilObject(const MTL::Device* device, const DepthStencilValues& values);
    ~DepthStencilObject() override;

    /// The state that commands in memory know by this number; null when there is none (any more).
    static NS::SharedPtr<DepthStencilObject> find(std::uint64_t resourceID);

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const metal_executor::render::DepthStencilState state;  // without the encoder's part
    const std::uint64_t resourceID;
};

}  // namespace metal_objects
