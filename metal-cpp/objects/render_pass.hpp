// SPDX-License-Identifier: MIT
//
// What a render pass draws into.

#pragma once

#include <cstdint>
#include <vector>

#include "../Metal/Metal.hpp"
#include "descriptor_array.hpp"
#include "render_descriptors.hpp"

namespace metal_objects {

struct AttachmentValues {
    NS::SharedPtr<MTL::Texture> texture, resolveTexture;
    NS::UInteger level = 0, slice = 0, depthPlane = 0;
    NS::UInteger resolveLevel = 0, resolveSlice = 0, resolveDepthPlane = 0;
    MTL::LoadAction load = MTL::LoadActionDontCare;
    MTL::StoreAction store = MTL::StoreActionDontCare;
    MTL::StoreActionOptions storeOptions = MTL::StoreActionOptionNone;
};

/// What attachments of every kind have.
class AttachmentPart {
public:
    virtual ~AttachmentPart() = default;
    virtual AttachmentValues& attachment() = 0;
};

template <class Public, class Values>
class AttachmentOf final : public Implements<Public>, public AttachmentPart {
public:
    AttachmentOf() = default;
    explicit AttachmentOf(const Values& values) : values(values) {}
    AttachmentValues& attachment() override { return values; }
    Values values;

private:
    NS::Object* duplicate() const override { return new AttachmentOf(values); }
};

struct PassColorValues : AttachmentValues {
    PassColorValues() {
        load = MTL::LoadActionDontCare;
        store = MTL::StoreActionStore;
    }
    MTL::ClearColor clear = MTL::ClearColor(0, 0, 0, 1);
};
struct PassDepthValues : AttachmentValues {
    PassDepthValues() { load = MTL::LoadActionClear; }
    double clear = 1;
    MTL::MultisampleDepthResolveFilter filter = MTL::MultisampleDepthResolveFilterSample0;
};
struct PassStencilValues : AttachmentValues {
    PassStencilValues() { load = MTL::LoadActionClear; }
    std::uint32_t clear = 0;
    MTL::MultisampleStencilResolveFilter filter = MTL::MultisampleStencilResolveFilterSample0;
};
using PassAttachmentObject = AttachmentOf<MTL::RenderPassAttachmentDescriptor, AttachmentValues>;
using PassColorObject = AttachmentOf<MTL::RenderPassColorAttachmentDescriptor, PassColorValues>;
using PassDepthObject = AttachmentOf<MTL::RenderPassDepthAttachmentDescriptor, PassDepthValues>;
using PassStencilObject = AttachmentOf<MTL::RenderPassStencilAttachmentDescriptor, PassStencilValues>;
using PassColorArrayObject =
    DescriptorArrayOf<MTL::RenderPassColorAttachmentDescriptorArray, PassColorObject, colorCount>;

struct PassSampleValues {
    NS::SharedPtr<MTL::CounterSampleBuffer> sampleBuffer;
    NS::UInteger startOfVertex = MTL::CounterDontSample, endOfVertex = MTL::CounterDontSample;
    NS::UInteger startOfFragment = MTL::CounterDontSample, endOfFragment = MTL::CounterDontSample;
};
using PassSampleObject = DescriptorOf<MTL::RenderPassSampleBufferAttachmentDescriptor, PassSampleValues>;
using PassSampleArrayObject =
    DescriptorArrayOf<MTL::RenderPassSampleBufferAttachmentDescriptorArray, PassSampleObject, 4>;

struct RenderPassValues {
    Owned<PassColorArrayObject> colors;
    Owned<PassDepthObject> depth;
    Owned<PassStencilObject> stencil;
    Owned<PassSampleArrayObject> samples;
    NS::SharedPtr<MTL::Buffer> visibilityBuffer;
    MTL::VisibilityResultType visibilityType = MTL::VisibilityResultTypeReset;
    NS::SharedPtr<MTL::RasterizationRateMap> rateMap;
    NS::UInteger arrayLength = 0, width = 0, height = 0;
    NS::UInteger defaultSampleCount = 0;
    std::vector<MTL::SamplePosition> samplePositions;
};
using RenderPassDescriptorObject = DescriptorOf<MTL::RenderPassDescriptor, RenderPassValues>;

}  // namespace metal_objects
