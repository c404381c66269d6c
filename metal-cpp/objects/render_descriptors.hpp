// SPDX-License-Identifier: MIT
//
// What a render pipeline is made from.

#pragma once

#include "../Metal/Metal.hpp"
#include "copied.hpp"
#include "descriptor_array.hpp"

namespace metal_objects {

inline constexpr NS::UInteger colorCount = 8;

struct ColorAttachmentValues {
    MTL::PixelFormat pixelFormat = MTL::PixelFormatInvalid;
    bool blends = false;
    MTL::BlendFactor sourceRGB = MTL::BlendFactorOne;
    MTL::BlendFactor destinationRGB = MTL::BlendFactorZero;
    MTL::BlendOperation operationRGB = MTL::BlendOperationAdd;
    MTL::BlendFactor sourceAlpha = MTL::BlendFactorOne;
    MTL::BlendFactor destinationAlpha = MTL::BlendFactorZero;
    MTL::BlendOperation operationAlpha = MTL::BlendOperationAdd;
    MTL::ColorWriteMask writeMask = MTL::ColorWriteMaskAll;
};
using ColorAttachmentObject = DescriptorOf<MTL::RenderPipelineColorAttachmentDescriptor, ColorAttachmentValues>;
using ColorAttachmentArrayObject =
    DescriptorArrayOf<MTL::RenderPipelineColorAttachmentDescriptorArray, ColorAttachmentObject, colorCount>;

struct PipelineBufferValues {
    MTL::Mutability mutability = MTL::MutabilityDefault;
};
using PipelineBufferObject = DescriptorOf<MTL::PipelineBufferDescriptor, PipelineBufferValues>;
using PipelineBufferArrayObject = DescriptorArrayOf<MTL::PipelineBufferDescriptorArray, PipelineBufferObject>;

struct RenderPipelineValues {
    NS::SharedPtr<NS::String> label;
    NS::SharedPtr<MTL::Function> vertexFunction, fragmentFunction;
    Copied<MTL::VertexDescriptor> vertexDescriptor;
    Copied<MTL::LinkedFunctions> vertexLinked, fragmentLinked;
    NS::SharedPtr<NS::Array> binaryArchives;
    Owned<ColorAttachmentArrayObject> colors;
    Owned<PipelineBufferArrayObject> vertexBuffers, fragmentBuffers;
    MTL::PixelFormat depthFormat = MTL::PixelFormatInvalid;
    MTL::PixelFormat stencilFormat = MTL::PixelFormatInvalid;
    MTL::PrimitiveTopologyClass topology = MTL::PrimitiveTopologyClassUnspecified;
    NS::UInteger sampleCount = 1;
    NS::UInteger amplificationCount = 1;
    bool rasterizes = true;
    bool alphaToCoverage = false;
    bool alphaToOne = false;
    bool supportsIndirectCommands = false;
    MTL::ShaderValidation shaderValidation = MTL::ShaderValidationDefault;
};
using RenderPipelineDescriptorObject = DescriptorOf<MTL::RenderPipelineDescriptor, RenderPipelineValues>;

}  // namespace metal_objects
