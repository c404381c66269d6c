// SPDX-License-Identifier: MIT
//
// A device, and kernels compiled for it.

#pragma once

#include <cstdlib>
#include <map>

#include "check.hpp"

inline MTL::Device* device() {
    static auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
    return device.get();
}

inline MTL::CommandQueue* queue() {
    static auto queue = NS::TransferPtr(device()->newCommandQueue());
    return queue.get();
}

/// Ends the program when the source does not compile.
inline NS::SharedPtr<MTL::Library> library(const char* source, const MTL::CompileOptions* options = nullptr) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(device()->newLibrary(text(source), options, &error));
    if (!library) {
        std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
        std::exit(1);
    }
    return library;
}

inline NS::SharedPtr<MTL::ComputePipelineState> pipeline(const MTL::Function* function) {
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(device()->newComputePipelineState(function, &error));
    if (!pipeline) {
        std::fprintf(stderr, "%s\n", error->localizedDescription()->utf8String());
        std::exit(1);
    }
    return pipeline;
}

inline NS::SharedPtr<MTL::ComputePipelineState> pipeline(const char* source, const char* name) {
    auto function = NS::TransferPtr(library(source)->newFunction(text(name)));
    return pipeline(function.get());
}

inline NS::SharedPtr<MTL::Buffer> buffer(NS::UInteger length,
                                         MTL::ResourceOptions options = MTL::ResourceStorageModeShared) {
    return NS::TransferPtr(device()->newBuffer(length, options));
}

/// Encodes with `encode`, runs it, and returns the command buffer, which has ended.
template <class Encode>
MTL::CommandBuffer* compute(Encode encode) {
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = commandBuffer->computeCommandEncoder();
    encode(encoder);
    encoder->endEncoding();
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    return commandBuffer;
}

template <class Encode>
MTL::CommandBuffer* blit(Encode encode) {
    MTL::CommandBuffer* commandBuffer = queue()->commandBuffer();
    MTL::BlitCommandEncoder* encoder = commandBuffer->blitCommandEncoder();
    encode(encoder);
    encoder->endEncoding();
    commandBuffer->commit();
    commandBuffer->waitUntilCompleted();
    return commandBuffer;
}

inline bool hasCompleted(const MTL::CommandBuffer* commandBuffer) {
    if (commandBuffer->error() != nullptr) {
        std::fprintf(stderr, "%s\n", commandBuffer->error()->localizedDescription()->utf8String());
    }
    return commandBuffer->status() == MTL::CommandBufferStatusCompleted;
}

/// Whether it failed with an error that says `part`.
inline bool hasFailed(const MTL::CommandBuffer* commandBuffer, std::string_view part) {
    if (commandBuffer->status() != MTL::CommandBufferStatusError || commandBuffer->error() == nullptr) return false;
    return contains(commandBuffer->error()->localizedDescription(), part);
}
