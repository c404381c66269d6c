// SPDX-License-Identifier: MIT

#include "render_descriptors.hpp"

using namespace metal_objects;

namespace MTL {

namespace {

ColorAttachmentValues& values(const RenderPipelineColorAttachmentDescriptor* descriptor) {
    return as<ColorAttachmentObject>(descriptor)->values;
}
RenderPipelineValues& values(const RenderPipelineDescriptor* descriptor) {
    return as<RenderPipelineDescriptorObject>(descriptor)->values;
}

}  // namespace

// ---- RenderPipelineColorAttachmentDescriptor ----

RenderPipelineColorAttachmentDescriptor* RenderPipelineColorAttachmentDescriptor::alloc() {
    return new ColorAttachmentObject;
}
RenderPipelineColorAttachmentDescriptor* RenderPipelineColorAttachmentDescriptor::init() {
    return this;
}

PixelFormat RenderPipelineColorAttachmentDescriptor::pixelFormat() const {
    return values(this).pixelFormat;
}
void RenderPipelineColorAttachmentDescriptor::setPixelFormat(PixelFormat pixelFormat) {
    values(this).pixelFormat = pixelFormat;
}

bool RenderPipelineColorAttachmentDescriptor::isBlendingEnabled() const {
    return values(this).blends;
}
void RenderPipelineColorAttachmentDescriptor::setBlendingEnabled(bool blendingEnabled) {
    values(this).blends = blendingEnabled;
}

BlendFactor RenderPipelineColorAttachmentDescriptor::sourceRGBBlendFactor() const {
    return values(this).sourceRGB;
}
void RenderPipelineColorAttachmentDescriptor::setSourceRGBBlendFactor(BlendFactor sourceRGBBlendFactor) {
    values(this).sourceRGB = sourceRGBBlendFactor;
}

BlendFactor RenderPipelineColorAttachmentDescriptor::destinationRGBBlendFactor() const {
    return values(this).destinationRGB;
}
void RenderPipelineColorAttachmentDescriptor::setDestinationRGBBlendFactor(BlendFactor destinationRGBBlendFactor) {
    values(this).destinationRGB = destinationRGBBlendFactor;
}

BlendOperation RenderPipelineColorAttachmentDescriptor::rgbBlendOperation() const {
    return values(this).operationRGB;
}
void RenderPipelineColorAttachmentDescriptor::setRgbBlendOperation(BlendOperation rgbBlendOperation) {
    values(this).operationRGB = rgbBlendOperation;
}

BlendFactor RenderPipelineColorAttachmentDescriptor::sourceAlphaBlendFactor() const {
    return values(this).sourceAlpha;
}
void RenderPipelineColorAttachmentDescriptor::setSourceAlphaBlendFactor(BlendFactor sourceAlphaBlendFactor) {
    values(this).sourceAlpha = sourceAlphaBlendFactor;
}

BlendFactor RenderPipelineColorAttachmentDescriptor::destinationAlphaBlendFactor() const {
    return values(this).destinationAlpha;
}
void RenderPipelineColorAttachmentDescriptor::setDestinationAlphaBlendFactor(BlendFactor destinationAlphaBlendFactor) {
    values(this).destinationAlpha = destinationAlphaBlendFactor;
}

BlendOperation RenderPipelineColorAttachmentDescriptor::alphaBlendOperation() const {
    return values(this).operationAlpha;
}
void RenderPipelineColorAttachmentDescriptor::setAlphaBlendOperation(BlendOperation alphaBlendOperation) {
    values(this).operationAlpha = alphaBlendOperation;
}

ColorWriteMask RenderPipelineColorAttachmentDescriptor::writeMask() const {
    return values(this).writeMask;
}
void RenderPipelineColorAttachmentDescriptor::setWriteMask(ColorWriteMask writeMask) {
    values(this).writeMask = writeMask;
}

RenderPipelineColorAttachmentDescriptorArray* RenderPipelineColorAttachmentDescriptorArray::alloc() {
    return new ColorAttachmentArrayObject;
}
RenderPipelineColorAttachmentDescriptorArray* RenderPipelineColorAttachmentDescriptorArray::init() {
    return this;
}
RenderPipelineColorAttachmentDescriptor* RenderPipelineColorAttachmentDescriptorArray::object(
    NS::UInteger attachmentIndex) {
    return as<ColorAttachmentArrayObject>(this)->at(attachmentIndex, "colorAttachments");
}
void RenderPipelineColorAttachmentDescriptorArray::setObject(const RenderPipelineColorAttachmentDescriptor* attachment,
                                                             NS::UInteger attachmentIndex) {
    as<ColorAttachmentArrayObject>(this)->set(as<ColorAttachmentObject>(attachment), attachmentIndex,
                                              "colorAttachments");
}

// ---- PipelineBufferDescriptor ----

PipelineBufferDescriptor* PipelineBufferDescriptor::alloc() {
    return new PipelineBufferObject;
}
PipelineBufferDescriptor* PipelineBufferDescriptor::init() {
    return this;
}

Mutability PipelineBufferDescriptor::mutability() const {
    return as<PipelineBufferObject>(this)->values.mutability;
}
void PipelineBufferDescriptor::setMutability(Mutability mutability) {
    as<PipelineBufferObject>(this)->values.mutability = mutability;
}

PipelineBufferDescriptorArray* PipelineBufferDescriptorArray::alloc() {
    return new PipelineBufferArrayObject;
}
PipelineBufferDescriptorArray* PipelineBufferDescriptorArray::init() {
    return this;
}
PipelineBufferDescriptor* PipelineBufferDescriptorArray::object(NS::UInteger bufferIndex) {
    return as<PipelineBufferArrayObject>(this)->at(bufferIndex, "buffers");
}
void PipelineBufferDescriptorArray::setObject(const PipelineBufferDescriptor* buffer, NS::UInteger bufferIndex) {
    as<PipelineBufferArrayObject>(this)->set(as<PipelineBufferObject>(buffer), bufferIndex, "buffers");
}

// ---- RenderPipelineDescriptor ----

RenderPipelineDescriptor* RenderPipelineDescriptor::alloc() {
    return new RenderPipelineDescriptorObject;
}
RenderPipelineDescriptor* RenderPipelineDescriptor::init() {
    return this;
}

void RenderPipelineDescriptor::reset() {
    values(this) = {};
}

NS::String* RenderPipelineDescriptor::label() const {
    return values(this).label.get();
}
void RenderPipelineDescriptor::setLabel(const NS::String* label) {
    values(this).label = NS::RetainPtr(const_cast<NS::String*>(label));
}

Function* RenderPipelineDescriptor::vertexFunction() const {
    return values(this).vertexFunction.get();
}
void RenderPipelineDescriptor::setVertexFunction(const Function* vertexFunction) {
    values(this).vertexFunction = NS::RetainPtr(const_cast<Function*>(vertexFunction));
}

Function* RenderPipelineDescriptor::fragmentFunction() const {
    return values(this).fragmentFunction.get();
}
void RenderPipelineDescriptor::setFragmentFunction(const Function* fragmentFunction) {
    values(this).fragmentFunction = NS::RetainPtr(const_cast<Function*>(fragmentFunction));
}

VertexDescriptor* RenderPipelineDescriptor::vertexDescriptor() const {
    return values(this).vertexDescriptor.made();
}
void RenderPipelineDescriptor::setVertexDescriptor(const VertexDescriptor* vertexDescriptor) {
    values(this).vertexDescriptor = vertexDescriptor;
}

LinkedFunctions* RenderPipelineDescriptor::vertexLinkedFunctions() const {
    return values(this).vertexLinked.get();
}
void RenderPipelineDescriptor::setVertexLinkedFunctions(const LinkedFunctions* vertexLinkedFunctions) {
    values(this).vertexLinked = vertexLinkedFunctions;
}

LinkedFunctions* RenderPipelineDescriptor::fragmentLinkedFunctions() const {
    return values(this).fragmentLinked.get();
}
void RenderPipelineDescriptor::setFragmentLinkedFunctions(const LinkedFunctions* fragmentLinkedFunctions) {
    values(this).fragmentLinked = fragmentLinkedFunctions;
}

NS::Array* RenderPipelineDescriptor::binaryArchives() const {
    return values(this).binaryArchives.get();
}
void RenderPipelineDescriptor::setBinaryArchives(const NS::Array* binaryArchives) {
    values(this).binaryArchives = NS::RetainPtr(const_cast<NS::Array*>(binaryArchives));
}

RenderPipelineColorAttachmentDescriptorArray* RenderPipelineDescriptor::colorAttachments() const {
    return values(this).colors.get();
}

PipelineBufferDescriptorArray* RenderPipelineDescriptor::vertexBuffers() const {
    return values(this).vertexBuffers.get();
}

PipelineBufferDescriptorArray* RenderPipelineDescriptor::fragmentBuffers() const {
    return values(this).fragmentBuffers.get();
}

PixelFormat RenderPipelineDescriptor::depthAttachmentPixelFormat() const {
    return values(this).depthFormat;
}
void RenderPipelineDescriptor::setDepthAttachmentPixelFormat(PixelFormat depthAttachmentPixelFormat) {
    values(this).depthFormat = depthAttachmentPixelFormat;
}

PixelFormat RenderPipelineDescriptor::stencilAttachmentPixelFormat() const {
    return values(this).stencilFormat;
}
void RenderPipelineDescriptor::setStencilAttachmentPixelFormat(PixelFormat stencilAttachmentPixelFormat) {
    values(this).stencilFormat = stencilAttachmentPixelFormat;
}

PrimitiveTopologyClass RenderPipelineDescriptor::inputPrimitiveTopology() const {
    return values(this).topology;
}
void RenderPipelineDescriptor::setInputPrimitiveTopology(PrimitiveTopologyClass inputPrimitiveTopology) {
    values(this).topology = inputPrimitiveTopology;
}

NS::UInteger RenderPipelineDescriptor::rasterSampleCount() const {
    return values(this).sampleCount;
}
void RenderPipelineDescriptor::setRasterSampleCount(NS::UInteger rasterSampleCount) {
    values(this).sampleCount = rasterSampleCount;
}

NS::UInteger RenderPipelineDescriptor::sampleCount() const {
    return values(this).sampleCount;
}
void RenderPipelineDescriptor::setSampleCount(NS::UInteger sampleCount) {
    values(this).sampleCount = sampleCount;
}

NS::UInteger RenderPipelineDescriptor::maxVertexAmplificationCount() const {
    return values(this).amplificationCount;
}
void RenderPipelineDescriptor::setMaxVertexAmplificationCount(NS::UInteger maxVertexAmplificationCount) {
    values(this).amplificationCount = maxVertexAmplificationCount;
}

bool RenderPipelineDescriptor::isRasterizationEnabled() const {
    return values(this).rasterizes;
}
void RenderPipelineDescriptor::setRasterizationEnabled(bool rasterizationEnabled) {
    values(this).rasterizes = rasterizationEnabled;
}

bool RenderPipelineDescriptor::isAlphaToCoverageEnabled() const {
    return values(this).alphaToCoverage;
}
void RenderPipelineDescriptor::setAlphaToCoverageEnabled(bool alphaToCoverageEnabled) {
    values(this).alphaToCoverage = alphaToCoverageEnabled;
}

bool RenderPipelineDescriptor::isAlphaToOneEnabled() const {
    return values(this).alphaToOne;
}
void RenderPipelineDescriptor::setAlphaToOneEnabled(bool alphaToOneEnabled) {
    values(this).alphaToOne = alphaToOneEnabled;
}

bool RenderPipelineDescriptor::supportIndirectCommandBuffers() const {
    return values(this).supportsIndirectCommands;
}
void RenderPipelineDescriptor::setSupportIndirectCommandBuffers(bool supportIndirectCommandBuffers) {
    values(this).supportsIndirectCommands = supportIndirectCommandBuffers;
}

ShaderValidation RenderPipelineDescriptor::shaderValidation() const {
    return values(this).shaderValidation;
}
void RenderPipelineDescriptor::setShaderValidation(ShaderValidation shaderValidation) {
    values(this).shaderValidation = shaderValidation;
}

}  // namespace MTL
