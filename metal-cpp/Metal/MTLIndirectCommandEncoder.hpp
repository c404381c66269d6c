// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLArgument.hpp"
#include "MTLRenderCommandEncoder.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class ComputePipelineState;
class DepthStencilState;
class RenderPipelineState;

/// A command that draws, in an indirect command buffer. What it is told last counts; the state that it is not told is
/// that of the encoder which executes it.
class IndirectRenderCommand : public NS::Referencing<IndirectRenderCommand> {
public:
    void clearBarrier();
    void drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount, IndexType indexType,
                               const Buffer* indexBuffer, NS::UInteger indexBufferOffset, NS::UInteger instanceCount,
                               NS::Integer baseVertex, NS::UInteger baseInstance);
    void drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart, NS::UInteger vertexCount,
                        NS::UInteger instanceCount, NS::UInteger baseInstance);

    /// Empties the command.
    void reset();

    /// The command waits for those before it.
    void setBarrier();

    void setCullMode(CullMode cullMode);
    void setDepthBias(float depthBias, float slopeScale, float clamp);
    void setDepthClipMode(DepthClipMode depthClipMode);
    void setDepthStencilState(const DepthStencilState* depthStencilState);
    void setFragmentBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
    void setFrontFacingWinding(Winding frontFacingWindning);
    void setRenderPipelineState(const RenderPipelineState* pipelineState);
    void setTriangleFillMode(TriangleFillMode fillMode);
    void setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
    void setVertexBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride, NS::UInteger index);
};

/// A command that dispatches a kernel, in an indirect command buffer. What it is told last counts.
class IndirectComputeCommand : public NS::Referencing<IndirectComputeCommand> {
public:
    void clearBarrier();
    void concurrentDispatchThreadgroups(Size threadgroupsPerGrid, Size threadsPerThreadgroup);
    void concurrentDispatchThreads(Size threadsPerGrid, Size threadsPerThreadgroup);

    /// Empties the command.
    void reset();

    /// The command waits for those before it.
    void setBarrier();

    void setComputePipelineState(const ComputePipelineState* pipelineState);
    void setKernelBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);

    /// `stride`: bytes from one element of `[[stage_in]]` to the next.
    void setKernelBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride, NS::UInteger index);

    void setStageInRegion(Region region);

    /// A multiple of 16 bytes.
    void setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index);
};

}  // namespace MTL
