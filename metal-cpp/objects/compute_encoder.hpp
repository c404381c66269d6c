// SPDX-License-Identifier: MIT

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../executor/kernel_abi.h"
#include "encoder.hpp"
#include "pipeline.hpp"

namespace metal_objects {

class CaptureSession;
class CommandWatch;
class FunctionTableObject;
class IndirectBufferObject;
class SamplerObject;
class TextureObject;
struct CommandRecord;

class ComputeEncoderObject final : public Implements<MTL::ComputeCommandEncoder>, public EncoderPart {
public:
    static constexpr NS::UInteger bufferCount = 31;
    static constexpr NS::UInteger textureCount = 128;
    static constexpr NS::UInteger samplerCount = 16;
    static constexpr NS::UInteger mostBytes = 4096;

    ComputeEncoderObject(CommandBufferObject* commandBuffer, MTL::DispatchType dispatchType)
        : EncoderPart(commandBuffer), dispatchType(dispatchType) {}

    void setPipeline(const PipelineObject* pipeline);
    void setBuffer(const BufferObject* buffer, NS::UInteger offset, NS::UInteger index);
    void setBufferOffset(NS::UInteger offset, NS::UInteger index);
    void setBytes(const void* bytes, NS::UInteger length, NS::UInteger index);
    void setTexture(const TextureObject* texture, NS::UInteger index);
    void setSampler(const SamplerObject* sampler, NS::UInteger index, const float* lodClamps);
    void setFunctionTable(const FunctionTableObject* table, NS::UInteger index);
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

private:
    struct Buffer {
        const BufferObject* buffer = nullptr;  // null and not null `bytes`: setBytes
        std::uint8_t* bytes = nullptr;
        NS::UInteger offset = 0;
        NS::UInteger length = 0;  // from the offset on
    };
    struct Sampler {
        metal_sampler bits = 0;
        bool isSet = false;
    };

    bool isInRange(const char* call, NS::UInteger index, NS::UInteger limit);
    /// Null, having noted the mistake, when threadgroups of this shape cannot run.
    std::shared_ptr<const metal_executor::Kernel> kernelFor(const char* call, MTL::Size threadsPerThreadgroup,
                                                            NS::UInteger edgeWidth);
    /// False, having noted the mistake, when an argument is missing or of the wrong kind.
    bool fillArguments(metal_executor::Dispatch& dispatch);
    /// Takes the code for the formats and sampler states that are bound, where there is some.
    void takeBoundCode(metal_executor::Dispatch& dispatch, double threads);
    void findBound(const metal_executor::Kernel& kernel, BoundResources& bound) const;
    /// What is executed may do; says so, and false, where it may not.
    bool mayExecute(const IndirectBufferObject* commands);
    struct InheritedState inherited() const;

    std::string fillBuffer(const PipelineObject::Argument& argument, void*& slot);
    std::string fillTexture(const PipelineObject::Argument& argument, void*& slot);
    std::string fillSampler(const PipelineObject::Argument& argument, void*& slot);
    std::string fillFunctionTable(const PipelineObject::Argument& argument, void*& slot);
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
    void watchBuffer(CommandWatch& watch, const protocol::Argument& facts) const;

    const PipelineObject* pipeline_ = nullptr;
    std::array<Buffer, bufferCount> buffers_;
    std::array<const FunctionTableObject*, bufferCount> functionTables_{};
    std::array<const TextureObject*, textureCount> textures_{};
    std::array<Sampler, samplerCount> samplers_;
    std::array<NS::UInteger, bufferCount> threadgroupLengths_{};
    /// Of useResource, while a capture records.
    struct Use {
        NS::SharedPtr<NS::Object> object;
        MTL::ResourceUsage usage;
    };
    std::vector<Use> uses_;
    metal_executor::StageIn region_;  // of setStageInRegion: all but what is fetched
};

}  // namespace metal_objects
