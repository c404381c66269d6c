// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class CounterSampleBuffer;
class RasterizationRateMap;
class Texture;

/// What an attachment holds when the pass begins.
enum LoadAction : NS::UInteger {
    LoadActionDontCare = 0,
    LoadActionLoad = 1,
    LoadActionClear = 2,
};

/// What becomes of an attachment when the pass ends.
enum StoreAction : NS::UInteger {
    StoreActionDontCare = 0,
    StoreActionStore = 1,
    StoreActionMultisampleResolve = 2,
    StoreActionStoreAndMultisampleResolve = 3,
    StoreActionUnknown = 4,
    StoreActionCustomSampleDepthStore = 5,
};

enum VisibilityResultType : NS::Integer {
    VisibilityResultTypeReset = 0,
    VisibilityResultTypeAccumulate = 1,
};

enum MultisampleDepthResolveFilter : NS::UInteger {
    MultisampleDepthResolveFilterSample0 = 0,
    MultisampleDepthResolveFilterMin = 1,
    MultisampleDepthResolveFilterMax = 2,
};

enum MultisampleStencilResolveFilter : NS::UInteger {
    MultisampleStencilResolveFilterSample0 = 0,
    MultisampleStencilResolveFilterDepthResolvedSample = 1,
};

using StoreActionOptions = NS::UInteger;
enum : StoreActionOptions {
    StoreActionOptionNone = 0,
    StoreActionOptionCustomSamplePositions = 1,
    StoreActionOptionValidMask = 1,
};

/// Converted to the attachment's format when the pass begins.
struct ClearColor {
    ClearColor() = default;
    ClearColor(double red, double green, double blue, double alpha)
        : red(red), green(green), blue(blue), alpha(alpha) {}
    static ClearColor Make(double red, double green, double blue, double alpha) {
        return ClearColor(red, green, blue, alpha);
    }

    double red;
    double green;
    double blue;
    double alpha;
};

/// A texture that a pass draws into: which of its images, and what is done with it before and after.
class RenderPassAttachmentDescriptor : public NS::Copying<RenderPassAttachmentDescriptor> {
public:
    static RenderPassAttachmentDescriptor* alloc();

    /// Of a 3D texture.
    NS::UInteger depthPlane() const;

    RenderPassAttachmentDescriptor* init();
    NS::UInteger level() const;
    LoadAction loadAction() const;
    NS::UInteger resolveDepthPlane() const;
    NS::UInteger resolveLevel() const;
    NS::UInteger resolveSlice() const;
    Texture* resolveTexture() const;
    void setDepthPlane(NS::UInteger depthPlane);
    void setLevel(NS::UInteger level);
    void setLoadAction(LoadAction loadAction);
    void setResolveDepthPlane(NS::UInteger resolveDepthPlane);
    void setResolveLevel(NS::UInteger resolveLevel);
    void setResolveSlice(NS::UInteger resolveSlice);
    void setResolveTexture(const Texture* resolveTexture);
    void setSlice(NS::UInteger slice);
    void setStoreAction(StoreAction storeAction);
    void setStoreActionOptions(StoreActionOptions storeActionOptions);
    void setTexture(const Texture* texture);

    /// Of an array; of a cube, slice * 6 + face.
    NS::UInteger slice() const;

    StoreAction storeAction() const;
    StoreActionOptions storeActionOptions() const;
    Texture* texture() const;
};

class RenderPassColorAttachmentDescriptor
    : public NS::Copying<RenderPassColorAttachmentDescriptor, RenderPassAttachmentDescriptor> {
public:
    static RenderPassColorAttachmentDescriptor* alloc();
    ClearColor clearColor() const;
    RenderPassColorAttachmentDescriptor* init();
    void setClearColor(ClearColor clearColor);
};

class RenderPassDepthAttachmentDescriptor
    : public NS::Copying<RenderPassDepthAttachmentDescriptor, RenderPassAttachmentDescriptor> {
public:
    static RenderPassDepthAttachmentDescriptor* alloc();
    double clearDepth() const;
    MultisampleDepthResolveFilter depthResolveFilter() const;
    RenderPassDepthAttachmentDescriptor* init();
    void setClearDepth(double clearDepth);
    void setDepthResolveFilter(MultisampleDepthResolveFilter depthResolveFilter);
};

class RenderPassStencilAttachmentDescriptor
    : public NS::Copying<RenderPassStencilAttachmentDescriptor, RenderPassAttachmentDescriptor> {
public:
    static RenderPassStencilAttachmentDescriptor* alloc();
    std::uint32_t clearStencil() const;
    RenderPassStencilAttachmentDescriptor* init();
    void setClearStencil(std::uint32_t clearStencil);
    void setStencilResolveFilter(MultisampleStencilResolveFilter stencilResolveFilter);
    MultisampleStencilResolveFilter stencilResolveFilter() const;
};

/// Eight, made when they are first asked for.
class RenderPassColorAttachmentDescriptorArray : public NS::Referencing<RenderPassColorAttachmentDescriptorArray> {
public:
    static RenderPassColorAttachmentDescriptorArray* alloc();
    RenderPassColorAttachmentDescriptorArray* init();
    RenderPassColorAttachmentDescriptor* object(NS::UInteger attachmentIndex);

    /// Null puts a new one there.
    void setObject(const RenderPassColorAttachmentDescriptor* attachment, NS::UInteger attachmentIndex);
};

/// Where a pass writes times.
class RenderPassSampleBufferAttachmentDescriptor : public NS::Copying<RenderPassSampleBufferAttachmentDescriptor> {
public:
    static RenderPassSampleBufferAttachmentDescriptor* alloc();
    NS::UInteger endOfFragmentSampleIndex() const;
    NS::UInteger endOfVertexSampleIndex() const;
    RenderPassSampleBufferAttachmentDescriptor* init();
    CounterSampleBuffer* sampleBuffer() const;
    void setEndOfFragmentSampleIndex(NS::UInteger endOfFragmentSampleIndex);
    void setEndOfVertexSampleIndex(NS::UInteger endOfVertexSampleIndex);
    void setSampleBuffer(const CounterSampleBuffer* sampleBuffer);
    void setStartOfFragmentSampleIndex(NS::UInteger startOfFragmentSampleIndex);
    void setStartOfVertexSampleIndex(NS::UInteger startOfVertexSampleIndex);
    NS::UInteger startOfFragmentSampleIndex() const;
    NS::UInteger startOfVertexSampleIndex() const;
};

/// Four, made when they are first asked for.
class RenderPassSampleBufferAttachmentDescriptorArray
    : public NS::Referencing<RenderPassSampleBufferAttachmentDescriptorArray> {
public:
    static RenderPassSampleBufferAttachmentDescriptorArray* alloc();
    RenderPassSampleBufferAttachmentDescriptorArray* init();
    RenderPassSampleBufferAttachmentDescriptor* object(NS::UInteger attachmentIndex);

    /// Null puts a new one there.
    void setObject(const RenderPassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex);
};

/// What a render encoder draws into. Copied when the encoder is made.
class RenderPassDescriptor : public NS::Copying<RenderPassDescriptor> {
public:
    static RenderPassDescriptor* alloc();
    RenderPassColorAttachmentDescriptorArray* colorAttachments() const;

    /// Of a pass without attachments.
    NS::UInteger defaultRasterSampleCount() const;

    RenderPassDepthAttachmentDescriptor* depthAttachment() const;

    /// Copies up to `count` positions; gives how many were set.
    NS::UInteger getSamplePositions(SamplePosition* positions, NS::UInteger count);

    RenderPassDescriptor* init();
    RasterizationRateMap* rasterizationRateMap() const;

    /// Not owned by the caller.
    static RenderPassDescriptor* renderPassDescriptor();

    /// Images that `[[render_target_array_index]]` may choose from; 0: the attachments are no arrays.
    NS::UInteger renderTargetArrayLength() const;

    /// 0: that of the smallest attachment; so too the width.
    NS::UInteger renderTargetHeight() const;

    NS::UInteger renderTargetWidth() const;

    RenderPassSampleBufferAttachmentDescriptorArray* sampleBufferAttachments() const;
    void setDefaultRasterSampleCount(NS::UInteger defaultRasterSampleCount);

    /// Copies it. Null puts a new one there.
    void setDepthAttachment(const RenderPassDepthAttachmentDescriptor* depthAttachment);

    void setRasterizationRateMap(const RasterizationRateMap* rasterizationRateMap);
    void setRenderTargetArrayLength(NS::UInteger renderTargetArrayLength);
    void setRenderTargetHeight(NS::UInteger renderTargetHeight);
    void setRenderTargetWidth(NS::UInteger renderTargetWidth);
    void setSamplePositions(const SamplePosition* positions, NS::UInteger count);
    void setStencilAttachment(const RenderPassStencilAttachmentDescriptor* stencilAttachment);
    void setVisibilityResultBuffer(const Buffer* visibilityResultBuffer);
    void setVisibilityResultType(VisibilityResultType visibilityResultType);
    RenderPassStencilAttachmentDescriptor* stencilAttachment() const;

    /// Where RenderCommandEncoder::setVisibilityResultMode() counts, 8 bytes each.
    Buffer* visibilityResultBuffer() const;

    VisibilityResultType visibilityResultType() const;
};

}  // namespace MTL
