// SPDX-License-Identifier: MIT

#include "render_pass.hpp"

#include <algorithm>

using namespace metal_objects;

namespace MTL {

namespace {

AttachmentValues& values(const RenderPassAttachmentDescriptor* descriptor) {
    return part<AttachmentPart>(descriptor)->attachment();
}
RenderPassValues& values(const RenderPassDescriptor* descriptor) {
    return as<RenderPassDescriptorObject>(descriptor)->values;
}
PassSampleValues& values(const RenderPassSampleBufferAttachmentDescriptor* descriptor) {
    return as<PassSampleObject>(descriptor)->values;
}

}  // namespace

// ---- RenderPassAttachmentDescriptor ----

RenderPassAttachmentDescriptor* RenderPassAttachmentDescriptor::alloc() {
    return new PassAttachmentObject;
}
RenderPassAttachmentDescriptor* RenderPassAttachmentDescriptor::init() {
    return this;
}

Texture* RenderPassAttachmentDescriptor::texture() const {
    return values(this).texture.get();
}
void RenderPassAttachmentDescriptor::setTexture(const Texture* texture) {
    values(this).texture = NS::RetainPtr(const_cast<Texture*>(texture));
}

NS::UInteger RenderPassAttachmentDescriptor::level() const {
    return values(this).level;
}
void RenderPassAttachmentDescriptor::setLevel(NS::UInteger level) {
    values(this).level = level;
}

NS::UInteger RenderPassAttachmentDescriptor::slice() const {
    return values(this).slice;
}
void RenderPassAttachmentDescriptor::setSlice(NS::UInteger slice) {
    values(this).slice = slice;
}

NS::UInteger RenderPassAttachmentDescriptor::depthPlane() const {
    return values(this).depthPlane;
}
void RenderPassAttachmentDescriptor::setDepthPlane(NS::UInteger depthPlane) {
    values(this).depthPlane = depthPlane;
}

Texture* RenderPassAttachmentDescriptor::resolveTexture() const {
    return values(this).resolveTexture.get();
}
void RenderPassAttachmentDescriptor::setResolveTexture(const Texture* resolveTexture) {
    values(this).resolveTexture = NS::RetainPtr(const_cast<Texture*>(resolveTexture));
}

NS::UInteger RenderPassAttachmentDescriptor::resolveLevel() const {
    return values(this).resolveLevel;
}
void RenderPassAttachmentDescriptor::setResolveLevel(NS::UInteger resolveLevel) {
    values(this).resolveLevel = resolveLevel;
}

NS::UInteger RenderPassAttachmentDescriptor::resolveSlice() const {
    return values(this).resolveSlice;
}
void RenderPassAttachmentDescriptor::setResolveSlice(NS::UInteger resolveSlice) {
    values(this).resolveSlice = resolveSlice;
}

NS::UInteger RenderPassAttachmentDescriptor::resolveDepthPlane() const {
    return values(this).resolveDepthPlane;
}
void RenderPassAttachmentDescriptor::setResolveDepthPlane(NS::UInteger resolveDepthPlane) {
    values(this).resolveDepthPlane = resolveDepthPlane;
}

LoadAction RenderPassAttachmentDescriptor::loadAction() const {
    return values(this).load;
}
void RenderPassAttachmentDescriptor::setLoadAction(LoadAction loadAction) {
    values(this).load = loadAction;
}

StoreAction RenderPassAttachmentDescriptor::storeAction() const {
    return values(this).store;
}
void RenderPassAttachmentDescriptor::setStoreAction(StoreAction storeAction) {
    values(this).store = storeAction;
}

StoreActionOptions RenderPassAttachmentDescriptor::storeActionOptions() const {
    return values(this).storeOptions;
}
void RenderPassAttachmentDescriptor::setStoreActionOptions(StoreActionOptions storeActionOptions) {
    values(this).storeOptions = storeActionOptions;
}

// ---- RenderPassColorAttachmentDescriptor and its like ----

RenderPassColorAttachmentDescriptor* RenderPassColorAttachmentDescriptor::alloc() {
    return new PassColorObject;
}
RenderPassColorAttachmentDescriptor* RenderPassColorAttachmentDescriptor::init() {
    return this;
}

ClearColor RenderPassColorAttachmentDescriptor::clearColor() const {
    return as<PassColorObject>(this)->values.clear;
}
void RenderPassColorAttachmentDescriptor::setClearColor(ClearColor clearColor) {
    as<PassColorObject>(this)->values.clear = clearColor;
}

RenderPassColorAttachmentDescriptorArray* RenderPassColorAttachmentDescriptorArray::alloc() {
    return new PassColorArrayObject;
}
RenderPassColorAttachmentDescriptorArray* RenderPassColorAttachmentDescriptorArray::init() {
    return this;
}
RenderPassColorAttachmentDescriptor* RenderPassColorAttachmentDescriptorArray::object(NS::UInteger attachmentIndex) {
    return as<PassColorArrayObject>(this)->at(attachmentIndex, "colorAttachments");
}
void RenderPassColorAttachmentDescriptorArray::setObject(const RenderPassColorAttachmentDescriptor* attachment,
                                                         NS::UInteger attachmentIndex) {
    as<PassColorArrayObject>(this)->set(as<PassColorObject>(attachment), attachmentIndex, "colorAttachments");
}

RenderPassDepthAttachmentDescriptor* RenderPassDepthAttachmentDescriptor::alloc() {
    return new PassDepthObject;
}
RenderPassDepthAttachmentDescriptor* RenderPassDepthAttachmentDescriptor::init() {
    return this;
}

double RenderPassDepthAttachmentDescriptor::clearDepth() const {
    return as<PassDepthObject>(this)->values.clear;
}
void RenderPassDepthAttachmentDescriptor::setClearDepth(double clearDepth) {
    as<PassDepthObject>(this)->values.clear = clearDepth;
}

MultisampleDepthResolveFilter RenderPassDepthAttachmentDescriptor::depthResolveFilter() const {
    return as<PassDepthObject>(this)->values.filter;
}
void RenderPassDepthAttachmentDescriptor::setDepthResolveFilter(MultisampleDepthResolveFilter depthResolveFilter) {
    as<PassDepthObject>(this)->values.filter = depthResolveFilter;
}

RenderPassStencilAttachmentDescriptor* RenderPassStencilAttachmentDescriptor::alloc() {
    return new PassStencilObject;
}
RenderPassStencilAttachmentDescriptor* RenderPassStencilAttachmentDescriptor::init() {
    return this;
}

std::uint32_t RenderPassStencilAttachmentDescriptor::clearStencil() const {
    return as<PassStencilObject>(this)->values.clear;
}
void RenderPassStencilAttachmentDescriptor::setClearStencil(std::uint32_t clearStencil) {
    as<PassStencilObject>(this)->values.clear = clearStencil;
}

MultisampleStencilResolveFilter RenderPassStencilAttachmentDescriptor::stencilResolveFilter() const {
    return as<PassStencilObject>(this)->values.filter;
}
void RenderPassStencilAttachmentDescriptor::setStencilResolveFilter(
    MultisampleStencilResolveFilter stencilResolveFilter) {
    as<PassStencilObject>(this)->values.filter = stencilResolveFilter;
}

// ---- RenderPassSampleBufferAttachmentDescriptor ----

RenderPassSampleBufferAttachmentDescriptor* RenderPassSampleBufferAttachmentDescriptor::alloc() {
    return new PassSampleObject;
}
RenderPassSampleBufferAttachmentDescriptor* RenderPassSampleBufferAttachmentDescriptor::init() {
    return this;
}

CounterSampleBuffer* RenderPassSampleBufferAttachmentDescriptor::sampleBuffer() const {
    return values(this).sampleBuffer.get();
}
void RenderPassSampleBufferAttachmentDescriptor::setSampleBuffer(const CounterSampleBuffer* sampleBuffer) {
    values(this).sampleBuffer = NS::RetainPtr(const_cast<CounterSampleBuffer*>(sampleBuffer));
}

NS::UInteger RenderPassSampleBufferAttachmentDescriptor::startOfVertexSampleIndex() const {
    return values(this).startOfVertex;
}
void RenderPassSampleBufferAttachmentDescriptor::setStartOfVertexSampleIndex(NS::UInteger startOfVertexSampleIndex) {
    values(this).startOfVertex = startOfVertexSampleIndex;
}

NS::UInteger RenderPassSampleBufferAttachmentDescriptor::endOfVertexSampleIndex() const {
    return values(this).endOfVertex;
}
void RenderPassSampleBufferAttachmentDescriptor::setEndOfVertexSampleIndex(NS::UInteger endOfVertexSampleIndex) {
    values(this).endOfVertex = endOfVertexSampleIndex;
}

NS::UInteger RenderPassSampleBufferAttachmentDescriptor::startOfFragmentSampleIndex() const {
    return values(this).startOfFragment;
}
void RenderPassSampleBufferAttachmentDescriptor::setStartOfFragmentSampleIndex(
    NS::UInteger startOfFragmentSampleIndex) {
    values(this).startOfFragment = startOfFragmentSampleIndex;
}

NS::UInteger RenderPassSampleBufferAttachmentDescriptor::endOfFragmentSampleIndex() const {
    return values(this).endOfFragment;
}
void RenderPassSampleBufferAttachmentDescriptor::setEndOfFragmentSampleIndex(NS::UInteger endOfFragmentSampleIndex) {
    values(this).endOfFragment = endOfFragmentSampleIndex;
}

RenderPassSampleBufferAttachmentDescriptorArray* RenderPassSampleBufferAttachmentDescriptorArray::alloc() {
    return new PassSampleArrayObject;
}
RenderPassSampleBufferAttachmentDescriptorArray* RenderPassSampleBufferAttachmentDescriptorArray::init() {
    return this;
}
RenderPassSampleBufferAttachmentDescriptor* RenderPassSampleBufferAttachmentDescriptorArray::object(
    NS::UInteger attachmentIndex) {
    return as<PassSampleArrayObject>(this)->at(attachmentIndex, "sampleBufferAttachments");
}
void RenderPassSampleBufferAttachmentDescriptorArray::setObject(
    const RenderPassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
    as<PassSampleArrayObject>(this)->set(as<PassSampleObject>(attachment), attachmentIndex, "sampleBufferAttachments");
}

// ---- RenderPassDescriptor ----

RenderPassDescriptor* RenderPassDescriptor::alloc() {
    return new RenderPassDescriptorObject;
}
RenderPassDescriptor* RenderPassDescriptor::init() {
    return this;
}
RenderPassDescriptor* RenderPassDescriptor::renderPassDescriptor() {
    return alloc()->init()->autorelease();
}

RenderPassColorAttachmentDescriptorArray* RenderPassDescriptor::colorAttachments() const {
    return values(this).colors.get();
}

RenderPassDepthAttachmentDescriptor* RenderPassDescriptor::depthAttachment() const {
    return values(this).depth.get();
}
void RenderPassDescriptor::setDepthAttachment(const RenderPassDepthAttachmentDescriptor* depthAttachment) {
    values(this).depth.replace(as<PassDepthObject>(depthAttachment));
}

RenderPassStencilAttachmentDescriptor* RenderPassDescriptor::stencilAttachment() const {
    return values(this).stencil.get();
}
void RenderPassDescriptor::setStencilAttachment(const RenderPassStencilAttachmentDescriptor* stencilAttachment) {
    values(this).stencil.replace(as<PassStencilObject>(stencilAttachment));
}

RenderPassSampleBufferAttachmentDescriptorArray* RenderPassDescriptor::sampleBufferAttachments() const {
    return values(this).samples.get();
}

Buffer* RenderPassDescriptor::visibilityResultBuffer() const {
    return values(this).visibilityBuffer.get();
}
void RenderPassDescriptor::setVisibilityResultBuffer(const Buffer* visibilityResultBuffer) {
    values(this).visibilityBuffer = NS::RetainPtr(const_cast<Buffer*>(visibilityResultBuffer));
}

VisibilityResultType RenderPassDescriptor::visibilityResultType() const {
    return values(this).visibilityType;
}
void RenderPassDescriptor::setVisibilityResultType(VisibilityResultType visibilityResultType) {
    values(this).visibilityType = visibilityResultType;
}

RasterizationRateMap* RenderPassDescriptor::rasterizationRateMap() const {
    return values(this).rateMap.get();
}
void RenderPassDescriptor::setRasterizationRateMap(const RasterizationRateMap* rasterizationRateMap) {
    values(this).rateMap = NS::RetainPtr(const_cast<RasterizationRateMap*>(rasterizationRateMap));
}

NS::UInteger RenderPassDescriptor::renderTargetArrayLength() const {
    return values(this).arrayLength;
}
void RenderPassDescriptor::setRenderTargetArrayLength(NS::UInteger renderTargetArrayLength) {
    values(this).arrayLength = renderTargetArrayLength;
}

NS::UInteger RenderPassDescriptor::renderTargetWidth() const {
    return values(this).width;
}
void RenderPassDescriptor::setRenderTargetWidth(NS::UInteger renderTargetWidth) {
    values(this).width = renderTargetWidth;
}

NS::UInteger RenderPassDescriptor::renderTargetHeight() const {
    return values(this).height;
}
void RenderPassDescriptor::setRenderTargetHeight(NS::UInteger renderTargetHeight) {
    values(this).height = renderTargetHeight;
}

NS::UInteger RenderPassDescriptor::defaultRasterSampleCount() const {
    return values(this).defaultSampleCount;
}
void RenderPassDescriptor::setDefaultRasterSampleCount(NS::UInteger defaultRasterSampleCount) {
    values(this).defaultSampleCount = defaultRasterSampleCount;
}

NS::UInteger RenderPassDescriptor::getSamplePositions(SamplePosition* positions, NS::UInteger count) {
    const auto& set = values(this).samplePositions;
    if (positions != nullptr) std::copy_n(set.begin(), std::min<std::size_t>(count, set.size()), positions);
    return set.size();
}
void RenderPassDescriptor::setSamplePositions(const SamplePosition* positions, NS::UInteger count) {
    if (positions == nullptr) count = 0;
    if (count > 8) return reportMistake(join("setSamplePositions: count(", count, ") must be <= 8"));
    values(this).samplePositions.assign(positions, positions + count);
}

}  // namespace MTL
