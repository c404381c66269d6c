// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <memory>
#include <string>

#include "handle.hpp"
#include "reflection.hpp"

namespace mtlpy {

/// A vertex and a fragment function ready to draw, and what a draw needs to know of them, read once.
struct RenderPipeline : std::enable_shared_from_this<RenderPipeline> {
    NS::SharedPtr<MTL::RenderPipelineState> metal;
    std::string name;  // the label, else that of the functions
    Arguments vertexArguments, fragmentArguments;
    live::Noted noted{this};
};

/// Throws a PipelineError. Releases the GIL while it compiles.
std::shared_ptr<RenderPipeline> compileRenderPipeline(MTL::Device& device,
                                                      const MTL::RenderPipelineDescriptor& descriptor,
                                                      MTL::PipelineOption options = MTL::PipelineOptionNone);

/// That all which the descriptor brings along is there and of the device.
void checkRenderDescriptor(const char* where, const MTL::Device& device,
                           const MTL::RenderPipelineDescriptor& descriptor);

void bindRenderPipelineDescriptor(nb::module_& module);

}  // namespace mtlpy
