// SPDX-License-Identifier: MIT
//
// The descriptors: objects that only hold what they are told, until a device makes something of them.

#pragma once

#include <cfloat>

#include "../Metal/Metal.hpp"
#include "copied.hpp"
#include "runtime.hpp"

namespace metal_objects {

// The parts of MTL::ResourceOptions.
inline MTL::CPUCacheMode cacheModeOf(MTL::ResourceOptions options) {
    return static_cast<MTL::CPUCacheMode>(options & 0xF);
}
inline MTL::StorageMode storageModeOf(MTL::ResourceOptions options) {
    return static_cast<MTL::StorageMode>(options >> 4 & 0xF);
}
inline MTL::HazardTrackingMode hazardModeOf(MTL::ResourceOptions options) {
    return static_cast<MTL::HazardTrackingMode>(options >> 8 & 0x3);
}

struct CompileValues {
    MTL::LanguageVersion languageVersion{};  // zero: the newest
    MTL::MathMode mathMode = MTL::MathModeRelaxed;
    MTL::MathFloatingPointFunctions mathFloatingPointFunctions = MTL::MathFloatingPointFunctionsFast;
    MTL::LibraryType libraryType = MTL::LibraryTypeExecutable;
    MTL::LibraryOptimizationLevel optimizationLevel = MTL::LibraryOptimizationLevelDefault;
    bool preserveInvariance = false;
    NS::UInteger maxTotalThreads = 0;
    NS::SharedPtr<NS::Dictionary> macros;
    NS::SharedPtr<NS::Dictionary> headers;        // MTL::Portable::setHeaders
    NS::SharedPtr<NS::Array> includeDirectories;  // MTL::Portable::setIncludeDirectories
    bool isKeptOnDisk = true;                     // MTL::Portable::setKeptOnDisk
};
using CompileOptionsObject = DescriptorOf<MTL::CompileOptions, CompileValues>;

struct TextureValues {
    MTL::TextureType textureType = MTL::TextureType2D;
    MTL::PixelFormat pixelFormat = MTL::PixelFormatRGBA8Unorm;
    NS::UInteger width = 1;
    NS::UInteger height = 1;
    NS::UInteger depth = 1;
    NS::UInteger mipmapLevelCount = 1;
    NS::UInteger sampleCount = 1;
    NS::UInteger arrayLength = 1;
    MTL::ResourceOptions options = MTL::ResourceStorageModeShared;
    MTL::TextureUsage usage = MTL::TextureUsageShaderRead;
    bool allowGPUOptimizedContents = true;
    bool isFramebufferOnly = false;  // a layer's, not a descriptor's
    MTL::TextureSwizzleChannels swizzle;
};
using TextureDescriptorObject = DescriptorOf<MTL::TextureDescriptor, TextureValues>;

struct SamplerValues {
    MTL::SamplerMinMagFilter minFilter = MTL::SamplerMinMagFilterNearest;
    MTL::SamplerMinMagFilter magFilter = MTL::SamplerMinMagFilterNearest;
    MTL::SamplerMipFilter mipFilter = MTL::SamplerMipFilterNotMipmapped;
    MTL::SamplerAddressMode sAddressMode = MTL::SamplerAddressModeClampToEdge;
    MTL::SamplerAddressMode tAddressMode = MTL::SamplerAddressModeClampToEdge;
    MTL::SamplerAddressMode rAddressMode = MTL::SamplerAddressModeClampToEdge;
    MTL::SamplerBorderColor borderColor = MTL::SamplerBorderColorTransparentBlack;
    MTL::CompareFunction compareFunction = MTL::CompareFunctionNever;
    MTL::SamplerReductionMode reductionMode = MTL::SamplerReductionModeWeightedAverage;
    NS::UInteger maxAnisotropy = 1;
    float lodMinClamp = 0;
    float lodMaxClamp = FLT_MAX;
    float lodBias = 0;
    bool lodAverage = false;
    bool normalizedCoordinates = true;
    bool supportArgumentBuffers = false;
    NS::SharedPtr<NS::String> label;
};
using SamplerDescriptorObject = DescriptorOf<MTL::SamplerDescriptor, SamplerValues>;

struct QueueValues {
    NS::UInteger maxCommandBufferCount = 64;
    NS::SharedPtr<MTL::LogState> logState;
};
using CommandQueueDescriptorObject = DescriptorOf<MTL::CommandQueueDescriptor, QueueValues>;

struct CommandBufferValues {
    MTL::CommandBufferErrorOption errorOptions = MTL::CommandBufferErrorOptionNone;
    bool retainedReferences = true;
    NS::SharedPtr<MTL::LogState> logState;
};
using CommandBufferDescriptorObject = DescriptorOf<MTL::CommandBufferDescriptor, CommandBufferValues>;

struct LinkedFunctionsValues {
    NS::SharedPtr<NS::Array> functions;
    NS::SharedPtr<NS::Array> privateFunctions;
};
using LinkedFunctionsObject = DescriptorOf<MTL::LinkedFunctions, LinkedFunctionsValues>;

struct FunctionTableValues {
    NS::UInteger functionCount = 0;
};
using FunctionTableDescriptorObject = DescriptorOf<MTL::VisibleFunctionTableDescriptor, FunctionTableValues>;

struct PipelineValues {
    NS::SharedPtr<MTL::Function> function;
    NS::SharedPtr<NS::String> label;
    NS::UInteger maxTotalThreads = 0;
    bool isMultipleOfExecutionWidth = false;
    MTL::Size requiredThreads = MTL::Size(0, 0, 0);  // zeros: any
    bool supportsIndirectCommands = false;
    NS::SharedPtr<NS::Array> binaryArchives;
    Copied<MTL::LinkedFunctions> linkedFunctions;
    Copied<MTL::StageInputOutputDescriptor> stageInput;
};
using ComputePipelineDescriptorObject = DescriptorOf<MTL::ComputePipelineDescriptor, PipelineValues>;

struct BinaryArchiveValues {
    NS::SharedPtr<NS::URL> url;
};
using BinaryArchiveDescriptorObject = DescriptorOf<MTL::BinaryArchiveDescriptor, BinaryArchiveValues>;

}  // namespace metal_objects
