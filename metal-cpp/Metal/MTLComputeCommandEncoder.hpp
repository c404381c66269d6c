// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLCommandBuffer.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class ComputePipelineState;
class CounterSampleBuffer;
class Fence;
class IndirectCommandBuffer;
class Heap;
class Resource;
class SamplerState;
class Texture;
class VisibleFunctionTable;

/// What dispatchThreadgroups() reads from an indirect buffer.
struct DispatchThreadgroupsIndirectArguments {
    std::uint32_t threadgroupsPerGrid[3];
};

/// What setStageInRegion() reads from an indirect buffer.
struct StageInRegionIndirectArguments {
    std::uint32_t stageInOrigin[3];
    std::uint32_t stageInSize[3];
};

/// Sets the arguments of kernels and dispatches them. A dispatch uses what is set when it is encoded.
class ComputeCommandEncoder : public NS::Referencing<ComputeCommandEncoder, CommandEncoder> {
public:
    void dispatchThreadgroups(Size threadgroupsPerGrid, Size threadsPerThreadgroup);

    /// Reads DispatchThreadgroupsIndirectArguments from the buffer when the command runs.
    void dispatchThreadgroups(const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset,
                              Size threadsPerThreadgroup);

    /// Threadgroups at the edges of the grid are smaller where it is not a multiple of them.
    void dispatchThreads(Size threadsPerGrid, Size threadsPerThreadgroup);

    DispatchType dispatchType() const;

    /// Runs commands of the buffer, which must not draw.
    void executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandBuffer, NS::Range executionRange);

    /// Reads IndirectCommandBufferExecutionRange from the range buffer when the command runs.
    void executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandbuffer, const Buffer* indirectRangeBuffer,
                                 NS::UInteger indirectBufferOffset);

    /// Orders the dispatches before and after it, of an encoder with DispatchTypeConcurrent.
    void memoryBarrier(BarrierScope scope);

    void memoryBarrier(const Resource* const resources[], NS::UInteger count);

    /// Takes a sample when the dispatches before have ended.
    void sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex, bool barrier);

    /// Null takes the buffer away.
    void setBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index);

    void setBufferOffset(NS::UInteger offset, NS::UInteger index);
    void setBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range);

    /// Copies up to 4,096 bytes.
    void setBytes(const void* bytes, NS::UInteger length, NS::UInteger index);

    void setComputePipelineState(const ComputePipelineState* state);
    void setSamplerState(const SamplerState* sampler, NS::UInteger index);
    void setSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp, NS::UInteger index);
    void setSamplerStates(const SamplerState* const samplers[], NS::Range range);
    void setSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[], const float lodMaxClamps[],
                          NS::Range range);

    /// The threads that `[[stage_in]]` is fetched for, from the origin on, which is added to every position in the
    /// grid. Without it, all threads of the grid.
    void setStageInRegion(Region region);

    /// Reads StageInRegionIndirectArguments from the buffer when the command runs.
    void setStageInRegion(const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset);

    void setTexture(const Texture* texture, NS::UInteger index);
    void setTextures(const Texture* const textures[], NS::Range range);

    /// A multiple of 16 bytes.
    void setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index);

    /// Tables share their indices with buffers.
    void setVisibleFunctionTable(const VisibleFunctionTable* visibleFunctionTable, NS::UInteger bufferIndex);
    void setVisibleFunctionTables(const VisibleFunctionTable* const visibleFunctionTables[], NS::Range range);

    void updateFence(const Fence* fence);

    /// Keeps all that is in the heap for kernels that reach it through argument buffers.
    void useHeap(const Heap* heap);

    void useHeaps(const Heap* const heaps[], NS::UInteger count);
    void useResource(const Resource* resource, ResourceUsage usage);
    void useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage);
    void waitForFence(const Fence* fence);
};

}  // namespace MTL
