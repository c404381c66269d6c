// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLResource.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class IndirectComputeCommand;
class IndirectRenderCommand;

using IndirectCommandType = NS::UInteger;
enum : IndirectCommandType {
    IndirectCommandTypeDraw = 1,
    IndirectCommandTypeDrawIndexed = 1 << 1,
    IndirectCommandTypeDrawPatches = 1 << 2,
    IndirectCommandTypeDrawIndexedPatches = 1 << 3,
    IndirectCommandTypeConcurrentDispatch = 1 << 5,
    IndirectCommandTypeConcurrentDispatchThreads = 1 << 6,
    IndirectCommandTypeDrawMeshThreadgroups = 1 << 7,
    IndirectCommandTypeDrawMeshThreads = 1 << 8,
};

/// What executeCommandsInBuffer() reads from an indirect range buffer.
struct IndirectCommandBufferExecutionRange {
    std::uint32_t location;
    std::uint32_t length;
};

/// Which commands a buffer holds, and what each has room for.
class IndirectCommandBufferDescriptor : public NS::Copying<IndirectCommandBufferDescriptor> {
public:
    static IndirectCommandBufferDescriptor* alloc();
    IndirectCommandType commandTypes() const;

    /// True: commands use the buffers that are set on the encoder which executes them.
    bool inheritBuffers() const;

    /// True: commands use the pipeline state that is set there.
    bool inheritPipelineState() const;

    IndirectCommandBufferDescriptor* init();
    NS::UInteger maxFragmentBufferBindCount() const;
    NS::UInteger maxKernelBufferBindCount() const;
    NS::UInteger maxKernelThreadgroupMemoryBindCount() const;
    NS::UInteger maxVertexBufferBindCount() const;
    void setCommandTypes(IndirectCommandType commandTypes);
    void setInheritBuffers(bool inheritBuffers);
    void setInheritPipelineState(bool inheritPipelineState);
    void setMaxFragmentBufferBindCount(NS::UInteger maxFragmentBufferBindCount);
    void setMaxKernelBufferBindCount(NS::UInteger maxKernelBufferBindCount);
    void setMaxKernelThreadgroupMemoryBindCount(NS::UInteger maxKernelThreadgroupMemoryBindCount);
    void setMaxVertexBufferBindCount(NS::UInteger maxVertexBufferBindCount);
    void setSupportDynamicAttributeStride(bool supportDynamicAttributeStride);
    void setSupportRayTracing(bool supportRayTracing);
    bool supportDynamicAttributeStride() const;
    bool supportRayTracing() const;
};

/// Commands in memory, which the processor and kernels may write and encoders execute. Empty ones do nothing.
class IndirectCommandBuffer : public NS::Referencing<IndirectCommandBuffer, Resource> {
public:
    /// What an argument buffer holds for a `command_buffer`.
    ResourceID gpuResourceID() const;

    /// Not owned by the caller. Null, as for the next, when there is no such command or it is of another kind.
    IndirectComputeCommand* indirectComputeCommand(NS::UInteger commandIndex);

    IndirectRenderCommand* indirectRenderCommand(NS::UInteger commandIndex);

    /// Empties commands.
    void reset(NS::Range range);

    NS::UInteger size() const;
};

}  // namespace MTL
