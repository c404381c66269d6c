// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "handle.hpp"
#include "reflection.hpp"

namespace mtlpy {

/// Metal's limits of a kernel's arguments.
inline constexpr std::uint64_t maximumBuffers = 31, maximumTextures = 128, maximumSamplers = 16;
inline constexpr std::uint64_t maximumBytes = 4096;  // of setBytes

/// A pipeline and what a dispatch needs to know of it, read once.
struct ComputePipeline : std::enable_shared_from_this<ComputePipeline> {
    NS::SharedPtr<MTL::ComputePipelineState> metal;
    std::string name;  // of the function
    Arguments arguments;
    NS::UInteger maxTotalThreads = 0;
    MTL::Size requiredThreads{0, 0, 0};                            // of a threadgroup; zeros: any size
    MTL::Size maxThreads;                                          // each dimension of a threadgroup; the device's
    NS::UInteger threadgroupMemory = 0, maxThreadgroupMemory = 0;  // bytes: the kernel's own, the device's limit
    live::Noted noted{this};
};

/// Throws a PipelineError. Releases the GIL while it compiles.
std::shared_ptr<ComputePipeline> compilePipeline(MTL::Device& device, MTL::ComputePipelineDescriptor* descriptor,
                                                 MTL::PipelineOption options = MTL::PipelineOptionNone);

}  // namespace mtlpy
