// SPDX-License-Identifier: MIT
//
// What the public class hands to the encoder's object: pipeline, state, draws, and how the pass ends.

#include "buffer.hpp"
#include "render_encoder.hpp"

using metal_objects::as;
using metal_objects::BufferObject;
using metal_objects::RenderEncoderObject;

namespace MTL {

namespace {

RenderEncoderObject* self(const RenderCommandEncoder* encoder) {
    return as<RenderEncoderObject>(encoder);
}

RenderEncoderObject::Indices indicesOf(IndexType type, const Buffer* buffer, NS::UInteger offset) {
    return {as<BufferObject>(buffer), offset, type};
}

/// Notes what is wrong with how the pass is told to end, if it may be told so still.
template <class Set>
void setStore(const RenderCommandEncoder* encoder, const char* call, const Set& set) {
    if (!self(encoder)->mayEncode(call)) return;
    const std::string mistake = self(encoder)->isPart() ? "only the parallel encoder itself says how the pass ends"
                                                        : set(self(encoder)->targets());
    if (!mistake.empty()) self(encoder)->noteMistake(std::string(call) + ": " + mistake);
}

std::string optionsMistake(StoreActionOptions options) {
    return options <= StoreActionOptionCustomSamplePositions ? std::string() : "unknown storeActionOptions";
}

}  // namespace

// ---- State ----

void RenderCommandEncoder::setRenderPipelineState(const RenderPipelineState* pipelineState) {
    self(this)->setPipeline(as<metal_objects::RenderPipelineObject>(pipelineState));
}
void RenderCommandEncoder::setDepthStencilState(const DepthStencilState* depthStencilState) {
    self(this)->state.setDepthStencil(as<metal_objects::DepthStencilObject>(depthStencilState));
}
void RenderCommandEncoder::setViewport(Viewport viewport) {
    self(this)->state.setViewports("setViewport", &viewport, 1);
}
void RenderCommandEncoder::setViewports(const Viewport* viewports, NS::UInteger count) {
    self(this)->state.setViewports("setViewports", viewports, count);
}
void RenderCommandEncoder::setScissorRect(ScissorRect rect) {
    self(this)->state.setScissors("setScissorRect", &rect, 1);
}
void RenderCommandEncoder::setScissorRects(const ScissorRect* scissorRects, NS::UInteger count) {
    self(this)->state.setScissors("setScissorRects", scissorRects, count);
}
void RenderCommandEncoder::setCullMode(CullMode cullMode) {
    self(this)->state.setCull(cullMode);
}
void RenderCommandEncoder::setFrontFacingWinding(Winding frontFacingWinding) {
    self(this)->state.setWinding(frontFacingWinding);
}
void RenderCommandEncoder::setTriangleFillMode(TriangleFillMode fillMode) {
    self(this)->state.setFill(fillMode);
}
void RenderCommandEncoder::setDepthClipMode(DepthClipMode depthClipMode) {
    self(this)->state.setDepthClip(depthClipMode);
}
void RenderCommandEncoder::setDepthBias(float depthBias, float slopeScale, float clamp) {
    self(this)->state.setDepthBias(depthBias, slopeScale, clamp);
}
void RenderCommandEncoder::setBlendColor(float red, float green, float blue, float alpha) {
    self(this)->state.setBlendColor({red, green, blue, alpha});
}
void RenderCommandEncoder::setStencilReferenceValue(std::uint32_t referenceValue) {
    self(this)->state.setStencilReferences("setStencilReferenceValue", referenceValue, referenceValue);
}
void RenderCommandEncoder::setStencilReferenceValues(std::uint32_t frontReferenceValue,
                                                     std::uint32_t backReferenceValue) {
    self(this)->state.setStencilReferences("setStencilReferenceValues", frontReferenceValue, backReferenceValue);
}
void RenderCommandEncoder::setVisibilityResultMode(VisibilityResultMode mode, NS::UInteger offset) {
    self(this)->state.setVisibility(mode, offset);
}

// ---- Draws ----

void RenderCommandEncoder::drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart,
                                          NS::UInteger vertexCount) {
    drawPrimitives(primitiveType, vertexStart, vertexCount, 1, 0);
}
void RenderCommandEncoder::drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart,
                                          NS::UInteger vertexCount, NS::UInteger instanceCount) {
    drawPrimitives(primitiveType, vertexStart, vertexCount, instanceCount, 0);
}
void RenderCommandEncoder::drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart,
                                          NS::UInteger vertexCount, NS::UInteger instanceCount,
                                          NS::UInteger baseInstance) {
    self(this)->draw(primitiveType, {vertexStart, vertexCount, instanceCount, 0, baseInstance});
}
void RenderCommandEncoder::drawPrimitives(PrimitiveType primitiveType, const Buffer* indirectBuffer,
                                          NS::UInteger indirectBufferOffset) {
    self(this)->drawIndirect(primitiveType, nullptr, as<BufferObject>(indirectBuffer), indirectBufferOffset);
}

void RenderCommandEncoder::drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount,
                                                 IndexType indexType, const Buffer* indexBuffer,
                                                 NS::UInteger indexBufferOffset) {
    drawIndexedPrimitives(primitiveType, indexCount, indexType, indexBuffer, indexBufferOffset, 1, 0, 0);
}
void RenderCommandEncoder::drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount,
                                                 IndexType indexType, const Buffer* indexBuffer,
                                                 NS::UInteger indexBufferOffset, NS::UInteger instanceCount) {
    drawIndexedPrimitives(primitiveType, indexCount, indexType, indexBuffer, indexBufferOffset, instanceCount, 0, 0);
}
void RenderCommandEncoder::drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount,
                                                 IndexType indexType, const Buffer* indexBuffer,
                                                 NS::UInteger indexBufferOffset, NS::UInteger instanceCount,
                                                 NS::Integer baseVertex, NS::UInteger baseInstance) {
    self(this)->drawIndexed(primitiveType, indicesOf(indexType, indexBuffer, indexBufferOffset),
                            {0, indexCount, instanceCount, baseVertex, baseInstance});
}
void RenderCommandEncoder::drawIndexedPrimitives(PrimitiveType primitiveType, IndexType indexType,
                                                 const Buffer* indexBuffer, NS::UInteger indexBufferOffset,
                                                 const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset) {
    const auto indices = indicesOf(indexType, indexBuffer, indexBufferOffset);
    self(this)->drawIndirect(primitiveType, &indices, as<BufferObject>(indirectBuffer), indirectBufferOffset);
}

// ---- How the pass ends ----

void RenderCommandEncoder::setColorStoreAction(StoreAction storeAction, NS::UInteger colorAttachmentIndex) {
    setStore(this, "setColorStoreAction",
             [&](auto& targets) { return targets.setColorStore(storeAction, colorAttachmentIndex); });
}
void RenderCommandEncoder::setDepthStoreAction(StoreAction storeAction) {
    setStore(this, "setDepthStoreAction", [&](auto& targets) { return targets.setDepthStore(storeAction); });
}
void RenderCommandEncoder::setStencilStoreAction(StoreAction storeAction) {
    setStore(this, "setStencilStoreAction", [&](auto& targets) { return targets.setStencilStore(storeAction); });
}

// All samples are stored with the positions they were drawn with: the options ask for no more than that.
void RenderCommandEncoder::setColorStoreActionOptions(StoreActionOptions storeActionOptions, NS::UInteger) {
    setStore(this, "setColorStoreActionOptions", [&](auto&) { return optionsMistake(storeActionOptions); });
}
void RenderCommandEncoder::setDepthStoreActionOptions(StoreActionOptions storeActionOptions) {
    setStore(this, "setDepthStoreActionOptions", [&](auto&) { return optionsMistake(storeActionOptions); });
}
void RenderCommandEncoder::setStencilStoreActionOptions(StoreActionOptions storeActionOptions) {
    setStore(this, "setStencilStoreActionOptions", [&](auto&) { return optionsMistake(storeActionOptions); });
}

// ---- Order and residency ----

void RenderCommandEncoder::memoryBarrier(BarrierScope scope, RenderStages, RenderStages) {
    self(this)->barrier("memoryBarrier", scope);
}
void RenderCommandEncoder::memoryBarrier(const Resource* const resources[], NS::UInteger count, RenderStages,
                                         RenderStages) {
    self(this)->barrier(resources, count);
}
void RenderCommandEncoder::textureBarrier() {
    self(this)->barrier("textureBarrier", BarrierScopeTextures | BarrierScopeRenderTargets);
}

void RenderCommandEncoder::updateFence(const Fence* fence, RenderStages) {
    self(this)->update(fence);
}
void RenderCommandEncoder::waitForFence(const Fence* fence, RenderStages) {
    self(this)->wait(fence);
}

void RenderCommandEncoder::useHeap(const Heap* heap) {
    self(this)->useHeap(heap);
}
void RenderCommandEncoder::useHeap(const Heap* heap, RenderStages) {
    self(this)->useHeap(heap);
}
void RenderCommandEncoder::useHeaps(const Heap* const heaps[], NS::UInteger count) {
    for (NS::UInteger i = 0; i < count; ++i) useHeap(heaps[i]);
}
void RenderCommandEncoder::useHeaps(const Heap* const heaps[], NS::UInteger count, RenderStages) {
    useHeaps(heaps, count);
}
void RenderCommandEncoder::useResource(const Resource* resource, ResourceUsage usage) {
    self(this)->useResource(resource, usage);
}
void RenderCommandEncoder::useResource(const Resource* resource, ResourceUsage usage, RenderStages) {
    useResource(resource, usage);
}
void RenderCommandEncoder::useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage) {
    for (NS::UInteger i = 0; i < count; ++i) useResource(resources[i], usage);
}
void RenderCommandEncoder::useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage,
                                        RenderStages) {
    useResources(resources, count, usage);
}

}  // namespace MTL
