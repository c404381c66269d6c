// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <bitset>
#include <memory>

#include "command_encoder.hpp"
#include "compute_pipeline.hpp"
#include "types.hpp"

namespace mtlpy {

/// A compute encoder that checks what Metal would stop the program for. What is set is remembered, so that a dispatch
/// with a missing argument is an error that names the argument.
class ComputeEncoder : public Encoder<MTL::ComputeCommandEncoder> {
public:
    using Encoder::Encoder;

    void setPipeline(ComputePipeline& pipeline);
    void setBuffer(MTL::Buffer* buffer, std::int64_t offset, std::int64_t index);
    void setBufferOffset(std::int64_t offset, std::int64_t index);
    void setBytes(const void* data, std::size_t length, std::int64_t index);
    void setTexture(MTL::Texture* texture, std::int64_t index);
    void setSampler(MTL::SamplerState* sampler, std::int64_t index);
    void setSampler(MTL::SamplerState* sampler, float least, float most, std::int64_t index);
    void setFunctionTable(MTL::VisibleFunctionTable* table, std::int64_t index);
    void setThreadgroupMemoryLength(std::int64_t length, std::int64_t index);

    void setStageInRegion(const RegionLike& region);
    void setStageInRegionIndirect(MTL::Buffer& buffer, std::int64_t offset);

    void dispatchThreads(const SizeLike& grid, const SizeLike& threadgroup);
    void dispatchThreadgroups(const SizeLike& grid, const SizeLike& threadgroup);
    void dispatchIndirect(MTL::Buffer& buffer, std::int64_t offset, const SizeLike& threadgroup);

    void executeCommands(MTL::IndirectCommandBuffer& commands, const RangeLike& range);
    void executeCommandsIndirect(MTL::IndirectCommandBuffer& commands, MTL::Buffer& ranges, std::int64_t offset);

private:
    void checkCommands(const char* where, const MTL::IndirectCommandBuffer& commands);
    MTL::Size checkedThreadgroup(const char* where, const SizeLike& threadgroup) const;
    void checkArguments(const char* where) const;

    std::shared_ptr<ComputePipeline> pipeline_;
    std::bitset<maximumBuffers> buffers_;
    std::bitset<maximumBuffers> functionTables_;
    std::bitset<maximumTextures> textures_;
    std::bitset<maximumSamplers> samplers_;
    std::array<NS::UInteger, maximumBuffers> threadgroupMemory_{};
};

void bindComputeArgumentRanges(nb::class_<ComputeEncoder>& type);

std::shared_ptr<ComputeEncoder> newComputeEncoder(CommandBuffer& commandBuffer, MTL::DispatchType dispatchType);

}  // namespace mtlpy
