// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLAllocation.hpp"
#include "MTLPipeline.hpp"
#include "MTLPixelFormat.hpp"
#include "MTLRenderCommandEncoder.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Device;
class Function;
class FunctionHandle;
class LinkedFunctions;
class PipelineBufferDescriptorArray;
class RenderPipelineColorAttachmentDescriptorArray;
class VertexDescriptor;
class VisibleFunctionTable;
class VisibleFunctionTableDescriptor;

enum BlendFactor : NS::UInteger {
    BlendFactorZero = 0,
    BlendFactorOne = 1,
    BlendFactorSourceColor = 2,
    BlendFactorOneMinusSourceColor = 3,
    BlendFactorSourceAlpha = 4,
    BlendFactorOneMinusSourceAlpha = 5,
    BlendFactorDestinationColor = 6,
    BlendFactorOneMinusDestinationColor = 7,
    BlendFactorDestinationAlpha = 8,
    BlendFactorOneMinusDestinationAlpha = 9,
    BlendFactorSourceAlphaSaturated = 10,
    BlendFactorBlendColor = 11,
    BlendFactorOneMinusBlendColor = 12,
    BlendFactorBlendAlpha = 13,
    BlendFactorOneMinusBlendAlpha = 14,
    BlendFactorSource1Color = 15,
    BlendFactorOneMinusSource1Color = 16,
    BlendFactorSource1Alpha = 17,
    BlendFactorOneMinusSource1Alpha = 18,
    BlendFactorUnspecialized = 19,
};

enum BlendOperation : NS::UInteger {
    BlendOperationAdd = 0,
    BlendOperationSubtract = 1,
    BlendOperationReverseSubtract = 2,
    BlendOperationMin = 3,
    BlendOperationMax = 4,
    BlendOperationUnspecialized = 5,
};

enum PrimitiveTopologyClass : NS::UInteger {
    PrimitiveTopologyClassUnspecified = 0,
    PrimitiveTopologyClassPoint = 1,
    PrimitiveTopologyClassLine = 2,
    PrimitiveTopologyClassTriangle = 3,
};

using ColorWriteMask = NS::UInteger;
enum : ColorWriteMask {
    ColorWriteMaskNone = 0,
    ColorWriteMaskRed = 1 << 3,
    ColorWriteMaskGreen = 1 << 2,
    ColorWriteMaskBlue = 1 << 1,
    ColorWriteMaskAlpha = 1,
    ColorWriteMaskAll = 15,
    ColorWriteMaskUnspecialized = 1 << 4,
};

/// How fragments change a colour attachment.
class RenderPipelineColorAttachmentDescriptor : public NS::Copying<RenderPipelineColorAttachmentDescriptor> {
public:
    static RenderPipelineColorAttachmentDescriptor* alloc();
    BlendOperation alphaBlendOperation() const;
    BlendFactor destinationAlphaBlendFactor() const;
    BlendFactor destinationRGBBlendFactor() const;
    RenderPipelineColorAttachmentDescriptor* init();
    bool isBlendingEnabled() const;

    /// PixelFormatInvalid: there is no such attachment.
    PixelFormat pixelFormat() const;

    BlendOperation rgbBlendOperation() const;
    void setAlphaBlendOperation(BlendOperation alphaBlendOperation);
    void setBlendingEnabled(bool blendingEnabled);
    void setDestinationAlphaBlendFactor(BlendFactor destinationAlphaBlendFactor);
    void setDestinationRGBBlendFactor(BlendFactor destinationRGBBlendFactor);
    void setPixelFormat(PixelFormat pixelFormat);
    void setRgbBlendOperation(BlendOperation rgbBlendOperation);
    void setSourceAlphaBlendFactor(BlendFactor sourceAlphaBlendFactor);
    void setSourceRGBBlendFactor(BlendFactor sourceRGBBlendFactor);
    void setWriteMask(ColorWriteMask writeMask);
    BlendFactor sourceAlphaBlendFactor() const;
    BlendFactor sourceRGBBlendFactor() const;
    ColorWriteMask writeMask() const;
};

/// Eight, made when they are first asked for.
class RenderPipelineColorAttachmentDescriptorArray
    : public NS::Referencing<RenderPipelineColorAttachmentDescriptorArray> {
public:
    static RenderPipelineColorAttachmentDescriptorArray* alloc();
    RenderPipelineColorAttachmentDescriptorArray* init();
    RenderPipelineColorAttachmentDescriptor* object(NS::UInteger attachmentIndex);

    /// Null puts a new one there.
    void setObject(const RenderPipelineColorAttachmentDescriptor* attachment, NS::UInteger attachmentIndex);
};

/// What the functions of a pipeline take.
class RenderPipelineReflection : public NS::Referencing<RenderPipelineReflection> {
public:
    /// Of Argument, in the order of the source; null without such a function.
    NS::Array* fragmentArguments() const;

    /// Of Binding, likewise.
    NS::Array* fragmentBindings() const;

    NS::Array* vertexArguments() const;
    NS::Array* vertexBindings() const;
};

class RenderPipelineDescriptor : public NS::Copying<RenderPipelineDescriptor> {
public:
    static RenderPipelineDescriptor* alloc();

    /// Of BinaryArchive: where the pipeline's code is looked for before it is compiled.
    NS::Array* binaryArchives() const;

    RenderPipelineColorAttachmentDescriptorArray* colorAttachments() const;
    PixelFormat depthAttachmentPixelFormat() const;
    PipelineBufferDescriptorArray* fragmentBuffers() const;

    /// Null: only depth and stencil are drawn.
    Function* fragmentFunction() const;

    LinkedFunctions* fragmentLinkedFunctions() const;
    RenderPipelineDescriptor* init();

    /// Unspecified unless the vertex function has `[[render_target_array_index]]`.
    PrimitiveTopologyClass inputPrimitiveTopology() const;

    bool isAlphaToCoverageEnabled() const;
    bool isAlphaToOneEnabled() const;
    bool isRasterizationEnabled() const;
    NS::String* label() const;
    NS::UInteger maxVertexAmplificationCount() const;
    NS::UInteger rasterSampleCount() const;
    void reset();
    NS::UInteger sampleCount() const;
    void setAlphaToCoverageEnabled(bool alphaToCoverageEnabled);
    void setAlphaToOneEnabled(bool alphaToOneEnabled);
    void setBinaryArchives(const NS::Array* binaryArchives);
    void setDepthAttachmentPixelFormat(PixelFormat depthAttachmentPixelFormat);
    void setFragmentFunction(const Function* fragmentFunction);
    void setFragmentLinkedFunctions(const LinkedFunctions* fragmentLinkedFunctions);
    void setInputPrimitiveTopology(PrimitiveTopologyClass inputPrimitiveTopology);
    void setLabel(const NS::String* label);
    void setMaxVertexAmplificationCount(NS::UInteger maxVertexAmplificationCount);
    void setRasterSampleCount(NS::UInteger rasterSampleCount);

    /// False: vertex functions run, and nothing is drawn.
    void setRasterizationEnabled(bool rasterizationEnabled);

    void setSampleCount(NS::UInteger sampleCount);
    void setShaderValidation(ShaderValidation shaderValidation);
    void setStencilAttachmentPixelFormat(PixelFormat stencilAttachmentPixelFormat);

    /// Whether commands of indirect command buffers may run it. Its resources are then buffers.
    void setSupportIndirectCommandBuffers(bool supportIndirectCommandBuffers);

    /// Copies it. Null takes it away.
    void setVertexDescriptor(const VertexDescriptor* vertexDescriptor);

    void setVertexFunction(const Function* vertexFunction);
    void setVertexLinkedFunctions(const LinkedFunctions* vertexLinkedFunctions);
    ShaderValidation shaderValidation() const;
    PixelFormat stencilAttachmentPixelFormat() const;
    bool supportIndirectCommandBuffers() const;
    PipelineBufferDescriptorArray* vertexBuffers() const;

    /// Where the vertex function's `[[stage_in]]` comes from. Made when it is first asked for.
    VertexDescriptor* vertexDescriptor() const;

    Function* vertexFunction() const;
    LinkedFunctions* vertexLinkedFunctions() const;
};

/// A vertex and a fragment function, compiled for this device, and how their results are drawn.
class RenderPipelineState : public NS::Referencing<RenderPipelineState, Allocation> {
public:
    Device* device() const;

    /// Not owned by the caller. Null when the function was not linked to that stage.
    FunctionHandle* functionHandle(const NS::String* name, RenderStages stage);

    FunctionHandle* functionHandle(const Function* function, RenderStages stage);

    /// Zero without supportIndirectCommandBuffers().
    ResourceID gpuResourceID() const;

    NS::String* label() const;

    /// Caller owns the result (+1).
    VisibleFunctionTable* newVisibleFunctionTable(const VisibleFunctionTableDescriptor* descriptor, RenderStages stage);

    /// Not owned by the caller.
    RenderPipelineReflection* reflection() const;

    ShaderValidation shaderValidation() const;
    bool supportIndirectCommandBuffers() const;
};

}  // namespace MTL
