// SPDX-License-Identifier: MIT

#pragma once

#include "resource.hpp"

namespace metal_objects {

class BufferObject final : public Implements<MTL::Buffer>, public ResourcePart {
public:
    BufferObject(const MTL::Device* device, MTL::ResourceOptions options, NS::UInteger length)
        : ResourcePart(device, options), length(length) {}
    ~BufferObject() override;

    const NS::UInteger length;
};

}  // namespace metal_objects
