// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLAllocation.hpp"
#include "MTLArgument.hpp"
#include "MTLPipeline.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Device;
class Function;
class FunctionHandle;
class LinkedFunctions;
class StageInputOutputDescriptor;
class VisibleFunctionTable;
class VisibleFunctionTableDescriptor;

/// What a kernel takes.
class ComputePipelineReflection : public NS::Referencing<ComputePipelineReflection> {
public:
    /// Of Argument, in the order of the source.
    NS::Array* arguments() const;

    /// Of Binding, in the order of the source.
    NS::Array* bindings() const;
};

class ComputePipelineDescriptor : public NS::Copying<ComputePipelineDescriptor> {
public:
    static ComputePipelineDescriptor* alloc();

    /// Of BinaryArchive: where a pipeline's code is looked for before it is compiled.
    NS::Array* binaryArchives() const;

    Function* computeFunction() const;
    ComputePipelineDescriptor* init();
    NS::String* label() const;
    LinkedFunctions* linkedFunctions() const;
    NS::UInteger maxTotalThreadsPerThreadgroup() const;

    /// Zeros in every dimension: any size will do.
    Size requiredThreadsPerThreadgroup() const;

    void reset();
    void setBinaryArchives(const NS::Array* binaryArchives);
    void setComputeFunction(const Function* computeFunction);
    void setLabel(const NS::String* label);
    void setLinkedFunctions(const LinkedFunctions* linkedFunctions);
    void setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup);

    /// What every dispatch must have as threadsPerThreadgroup; must be what the source says, if it does.
    void setRequiredThreadsPerThreadgroup(Size requiredThreadsPerThreadgroup);

    /// Copies it. Null takes it away.
    void setStageInputDescriptor(const StageInputOutputDescriptor* stageInputDescriptor);

    /// Whether commands of indirect command buffers may run it. Its resources are then buffers and threadgroup memory.
    void setSupportIndirectCommandBuffers(bool supportIndirectCommandBuffers);

    void setThreadGroupSizeIsMultipleOfThreadExecutionWidth(bool threadGroupSizeIsMultipleOfThreadExecutionWidth);

    /// Where the kernel's `[[stage_in]]` comes from. Made when it is first asked for.
    StageInputOutputDescriptor* stageInputDescriptor() const;

    bool supportIndirectCommandBuffers() const;
    bool threadGroupSizeIsMultipleOfThreadExecutionWidth() const;
};

/// A kernel, compiled for this device.
class ComputePipelineState : public NS::Referencing<ComputePipelineState, Allocation> {
public:
    Device* device() const;

    /// Not owned by the caller. Null when the function was not linked to the kernel.
    FunctionHandle* functionHandle(const NS::String* name);
    FunctionHandle* functionHandle(const Function* function);

    /// What an argument buffer holds for a `compute_pipeline_state`; zero without supportIndirectCommandBuffers().
    ResourceID gpuResourceID() const;

    NS::String* label() const;
    NS::UInteger maxTotalThreadsPerThreadgroup() const;

    /// Caller owns the result (+1).
    VisibleFunctionTable* newVisibleFunctionTable(const VisibleFunctionTableDescriptor* descriptor);

    /// Not owned by the caller.
    ComputePipelineReflection* reflection() const;

    /// Zeros where any size will do.
    Size requiredThreadsPerThreadgroup() const;

    NS::UInteger staticThreadgroupMemoryLength() const;
    bool supportIndirectCommandBuffers() const;
    NS::UInteger threadExecutionWidth() const;
};

}  // namespace MTL
