// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <vector>

#include "argument_table.hpp"
#include "encoder.hpp"
#include "pipeline.hpp"

namespace metal_objects {

class CaptureSession;
class CommandWatch;
class IndirectBufferObject;
struct CommandRecord;

class ComputeEncoderObject final : public Implements<MTL::ComputeCommandEncoder>, public EncoderPart {
public:
    ComputeEncoderObject(CommandBufferObject* commandBuffer, MTL::DispatchType dispatchType)
        : EncoderPart(commandBuffer), dispatchType(dispatchType), arguments(*this, ArgumentTable::compute) {}

    void setPipeline(const PipelineObject* pipeline);
    void setThreadgroupMemory(NS::UInteger length, NS::UInteger index);
    void setStageInRegion(MTL::Region region);
    void setStageInRegion(const BufferObject* buffer, NS::UInteger offset);

    /// `grid` in threads or, if `inThreadgroups`, in threadgroups.
    void dispatch(MTL::Size grid, MTL::Size threadsPerThreadgroup, bool inThreadgroups);
    void dispatchIndirect(const BufferObject* buffer, NS::UInteger offset, MTL::Size threadsPerThreadgroup);

    void executeCommands(const IndirectBufferObject* commands, NS::Range range);
    void executeCommands(const IndirectBufferObject* commands, const BufferObject* ranges, NS::UInteger offset);

    void useResource(const MTL::Resource* resource, MTL::ResourceUsage usage);

    const MTL::DispatchType dispatchType;
    ArgumentTable arguments;

private:
    /// Null, having noted the mistake, when threadgroups of this shape cannot run.
    std::shared_ptr<const metal_executor::Kernel> kernelFor(const char* call, MTL::Size threadsPerThreadgroup,
                                                            NS::UInteger edgeWidth);
    /// False, having noted the mistake, when an argument is missing or of the wrong kind.
    bool fillArguments(metal_executor::Dispatch& dispatch);
    /// Takes the code for the formats and sampler states that are bound, where there is some.
    void takeBoundCode(metal_executor::Dispatch& dispatch, double threads);
    /// What is executed may do; says so, and false, where it may not.
    bool mayExecute(const IndirectBufferObject* commands);
    struct InheritedState inherited() const;

    /// False, having noted the mistake, when a buffer of [[stage_in]] is missing or too short for the grid.
    bool fillStageIn(metal_executor::Dispatch& dispatch);
    std::string stageInMistake(const StageInput::Part& part, const metal_executor::Dispatch& dispatch) const;
    std::string fillThreadgroupMemory(const PipelineObject::Argument& argument, NS::UInteger& offset, void*& slot);

    /// For a capture; in capture_dispatch.cpp.
    CommandRecord recordOf(const metal_executor::Dispatch& dispatch, CaptureSession& session) const;
    void recordArgument(CommandRecord& record, CaptureSession& session, std::uint32_t at) const;
    void recordStageIn(CommandRecord& record, CaptureSession& session) const;
    void recordUses(CommandRecord& record, CaptureSession& session) const;
    void record(const metal_executor::Dispatch& dispatch, const BufferObject* indirect = nullptr,
                NS::UInteger offset = 0) const;
    void recordExecution(const IndirectBufferObject* commands, struct CommandRange range,
                         const BufferObject* ranges = nullptr, NS::UInteger offset = 0) const;

    /// For the debug layer; in debug_dispatch.cpp.
    void watch(CommandWatch& watch, const metal_executor::Dispatch& dispatch) const;

    const PipelineObject* pipeline_ = nullptr;
    std::array<NS::UInteger, ArgumentTable::bufferCount> threadgroupLengths_{};
    /// Of useResource, while a capture records.
    struct Use {
        NS::SharedPtr<NS::Object> object;
        MTL::ResourceUsage usage;
    };
    std::vector<Use> uses_;
    metal_executor::StageIn region_;  // of setStageInRegion: all but what is fetched
};

}  // namespace metal_objects
