// SPDX-License-Identifier: MIT

#pragma once

#include "../executor/kernel_abi.h"
#include "descriptors.hpp"

namespace metal_objects {

class SamplerObject final : public Implements<MTL::SamplerState> {
public:
    SamplerObject(const MTL::Device* device, const SamplerValues& values);

    const NS::SharedPtr<MTL::Device> device;
    const NS::SharedPtr<NS::String> label;
    const metal_sampler bits;
    const bool supportsArgumentBuffers;
};

/// The same sampler with other clamps of the level of detail.
metal_sampler withClamps(metal_sampler bits, float lodMinClamp, float lodMaxClamp);

}  // namespace metal_objects
