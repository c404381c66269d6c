// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLArgument.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLRenderPass.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class CounterSampleBuffer;
class DepthStencilState;
class Fence;
class Heap;
class IndirectCommandBuffer;
class RenderPipelineState;
class Resource;
class SamplerState;
class Texture;
class VisibleFunctionTable;

enum PrimitiveType : NS::UInteger {
    PrimitiveTypePoint = 0,
    PrimitiveTypeLine = 1,
    PrimitiveTypeLineStrip = 2,
    PrimitiveTypeTriangle = 3,
    PrimitiveTypeTriangleStrip = 4,
};

enum VisibilityResultMode : NS::UInteger {
    VisibilityResultModeDisabled = 0,
    VisibilityResultModeBoolean = 1,
    VisibilityResultModeCounting = 2,
};

enum CullMode : NS::UInteger {
    CullModeNone = 0,
    CullModeFront = 1,
    CullModeBack = 2,
};

enum Winding : NS::UInteger {
    WindingClockwise = 0,
    WindingCounterClockwise = 1,
};

enum DepthClipMode : NS::UInteger {
    DepthClipModeClip = 0,
    DepthClipModeClamp = 1,
};

enum TriangleFillMode : NS::UInteger {
    TriangleFillModeFill = 0,
    TriangleFillModeLines = 1,
};

using RenderStages = NS::UInteger;
enum : RenderStages {
    RenderStageVertex = 1,
    RenderStageFragment = 1 << 1,
    RenderStageTile = 1 << 2,
    RenderStageObject = 1 << 3,
    RenderStageMesh = 1 << 4,
};

/// In pixels; nothing is drawn outside.
struct ScissorRect {
    NS::UInteger x;
    NS::UInteger y;
    NS::UInteger width;
    NS::UInteger height;
};

/// Where clip space lies in the attachments, in pixels, and which depths it has.
struct Viewport {
    double originX;
    double originY;
    double width;
    double height;
    double znear;
    double zfar;
};

/// What drawPrimitives() reads from an indirect buffer.
struct DrawPrimitivesIndirectArguments {
    std::uint32_t vertexCount;
    std::uint32_t instanceCount;
    std::uint32_t vertexStart;
    std::uint32_t baseInstance;
};

/// What drawIndexedPrimitives() reads from an indirect buffer.
struct DrawIndexedPrimitivesIndirectArguments {
    std::uint32_t indexCount;
    std::uint32_t instanceCount;
    std::uint32_t indexStart;
    std::int32_t baseVertex;
    std::uint32_t baseInstance;
};

/// Sets the arguments and the state of draws, and draws. A draw uses what is set when it is encoded; the draws of a
/// pass are blended and tested in the order in which they are encoded.
class RenderCommandEncoder : public NS::Referencing<RenderCommandEncoder, CommandEncoder> {
public:
    /// The largest index that the type can hold ends a strip, and the next index begins another.
    void drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount, IndexType indexType,
                               const Buffer* indexBuffer, NS::UInteger indexBufferOffset, NS::UInteger instanceCount);

    void drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount, IndexType indexType,
                               const Buffer* indexBuffer, NS::UInteger indexBufferOffset);
    void drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount, IndexType indexType,
                               const Buffer* indexBuffer, NS::UInteger indexBufferOffset, NS::UInteger instanceCount,
                               NS::Integer baseVertex, NS::UInteger baseInstance);
    void drawIndexedPrimitives(PrimitiveType primitiveType, IndexType indexType, const Buffer* indexBuffer,
                               NS::UInteger indexBufferOffset, const Buffer* indirectBuffer,
                               NS::UInteger indirectBufferOffset);
    void drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart, NS::UInteger vertexCount,
                        NS::UInteger instanceCount);
    void drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart, NS::UInteger vertexCount);
    void drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart, NS::UInteger vertexCount,
                        NS::UInteger instanceCount, NS::UInteger baseInstance);
    void drawPrimitives(PrimitiveType primitiveType, const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset);

    /// Runs commands of the buffer, which must draw.
    void executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandBuffer, NS::Range executionRange);

    void executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandbuffer, const Buffer* indirectRangeBuffer,
                                 NS::UInteger indirectBufferOffset);
    void memoryBarrier(BarrierScope scope, RenderStages after, RenderStages before);
    void memoryBarrier(const Resource* const resources[], NS::UInteger count, RenderStages after, RenderStages before);
    void sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex, bool barrier);
    void setBlendColor(float red, float green, float blue, float alpha);

    /// For attachments whose store action is StoreActionUnknown.
    void setColorStoreAction(StoreAction storeAction, NS::UInteger colorAttachmentIndex);

    void setColorStoreActionOptions(StoreActionOptions storeActionOptions, NS::UInteger colorAttachmentIndex);
    void setCullMode(CullMode cullMode);
    void setDepthBias(float depthBias, float slopeScale, float clamp);
    void setDepthClipMode(DepthClipMode depthClipMode);

    /// Null: no test, nothing written.
    void setDepthStencilState(const DepthStencilState* depthStencilState);

    void setDepthStoreAction(StoreAction storeAction);
    void setDepthStoreActionOptions(StoreActionOptions storeActionOptions);

    /// Null takes the buffer away.
    void setFragmentBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);

    void setFragmentBufferOffset(NS::UInteger offset, NS::UInteger index);
    void setFragmentBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range);

    /// Copies up to 4,096 bytes.
    void setFragmentBytes(const void* bytes, NS::UInteger length, NS::UInteger index);

    void setFragmentSamplerState(const SamplerState* sampler, NS::UInteger index);
    void setFragmentSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp, NS::UInteger index);
    void setFragmentSamplerStates(const SamplerState* const samplers[], NS::Range range);
    void setFragmentSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[],
                                  const float lodMaxClamps[], NS::Range range);
    void setFragmentTexture(const Texture* texture, NS::UInteger index);
    void setFragmentTextures(const Texture* const textures[], NS::Range range);

    /// Tables share their indices with buffers.
    void setFragmentVisibleFunctionTable(const VisibleFunctionTable* functionTable, NS::UInteger bufferIndex);

    void setFragmentVisibleFunctionTables(const VisibleFunctionTable* const functionTables[], NS::Range range);
    void setFrontFacingWinding(Winding frontFacingWinding);
    void setRenderPipelineState(const RenderPipelineState* pipelineState);

    /// The whole attachment at first.
    void setScissorRect(ScissorRect rect);

    void setScissorRects(const ScissorRect* scissorRects, NS::UInteger count);
    void setStencilReferenceValue(std::uint32_t referenceValue);
    void setStencilReferenceValues(std::uint32_t frontReferenceValue, std::uint32_t backReferenceValue);
    void setStencilStoreAction(StoreAction storeAction);
    void setStencilStoreActionOptions(StoreActionOptions storeActionOptions);
    void setTriangleFillMode(TriangleFillMode fillMode);
    void setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
    void setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride, NS::UInteger index);
    void setVertexBufferOffset(NS::UInteger offset, NS::UInteger index);
    void setVertexBufferOffset(NS::UInteger offset, NS::UInteger stride, NS::UInteger index);
    void setVertexBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range);
    void setVertexBuffers(const Buffer* const buffers[], const NS::UInteger* offsets, const NS::UInteger* strides,
                          NS::Range range);
    void setVertexBytes(const void* bytes, NS::UInteger length, NS::UInteger index);
    void setVertexBytes(const void* bytes, NS::UInteger length, NS::UInteger stride, NS::UInteger index);
    void setVertexSamplerState(const SamplerState* sampler, NS::UInteger index);
    void setVertexSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp, NS::UInteger index);
    void setVertexSamplerStates(const SamplerState* const samplers[], NS::Range range);
    void setVertexSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[],
                                const float lodMaxClamps[], NS::Range range);
    void setVertexTexture(const Texture* texture, NS::UInteger index);
    void setVertexTextures(const Texture* const textures[], NS::Range range);
    void setVertexVisibleFunctionTable(const VisibleFunctionTable* functionTable, NS::UInteger bufferIndex);
    void setVertexVisibleFunctionTables(const VisibleFunctionTable* const functionTables[], NS::Range range);

    /// The whole attachment at first.
    void setViewport(Viewport viewport);

    void setViewports(const Viewport* viewports, NS::UInteger count);

    /// Counts samples that pass all tests from here on, at `offset` of the pass's visibilityResultBuffer().
    void setVisibilityResultMode(VisibilityResultMode mode, NS::UInteger offset);

    void textureBarrier();
    void updateFence(const Fence* fence, RenderStages stages);

    /// Keeps all that is in the heap for functions that reach it through argument buffers.
    void useHeap(const Heap* heap);

    void useHeap(const Heap* heap, RenderStages stages);
    void useHeaps(const Heap* const heaps[], NS::UInteger count);
    void useHeaps(const Heap* const heaps[], NS::UInteger count, RenderStages stages);
    void useResource(const Resource* resource, ResourceUsage usage);
    void useResource(const Resource* resource, ResourceUsage usage, RenderStages stages);
    void useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage);
    void useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage, RenderStages stages);
    void waitForFence(const Fence* fence, RenderStages stages);
};

}  // namespace MTL
