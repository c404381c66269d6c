// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLArgument.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class ComputePipelineState;

enum PrimitiveType : NS::UInteger {
    PrimitiveTypePoint = 0,
    PrimitiveTypeLine = 1,
    PrimitiveTypeLineStrip = 2,
    PrimitiveTypeTriangle = 3,
    PrimitiveTypeTriangleStrip = 4,
};

/// A command that draws, in an indirect command buffer. This device has no render pipelines yet, so it can be written,
/// but not executed.
class IndirectRenderCommand : public NS::Referencing<IndirectRenderCommand> {
public:
    void drawIndexedPrimitives(PrimitiveType primitiveType, NS::UInteger indexCount, IndexType indexType,
                               const Buffer* indexBuffer, NS::UInteger indexBufferOffset, NS::UInteger instanceCount,
                               NS::Integer baseVertex, NS::UInteger baseInstance);
    void drawPrimitives(PrimitiveType primitiveType, NS::UInteger vertexStart, NS::UInteger vertexCount,
                        NS::UInteger instanceCount, NS::UInteger baseInstance);

    /// Empties the command.
    void reset();

    void setFragmentBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);
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
