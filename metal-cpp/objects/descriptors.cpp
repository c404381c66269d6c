// SPDX-License-Identifier: MIT

#include "descriptors.hpp"

#include <algorithm>

namespace metal_objects {

namespace {

CompileValues& values(const MTL::CompileOptions* d) {
    return as<CompileOptionsObject>(d)->values;
}
TextureValues& values(const MTL::TextureDescriptor* d) {
    return as<TextureDescriptorObject>(d)->values;
}
SamplerValues& values(const MTL::SamplerDescriptor* d) {
    return as<SamplerDescriptorObject>(d)->values;
}
QueueValues& values(const MTL::CommandQueueDescriptor* d) {
    return as<CommandQueueDescriptorObject>(d)->values;
}
CommandBufferValues& values(const MTL::CommandBufferDescriptor* d) {
    return as<CommandBufferDescriptorObject>(d)->values;
}
PipelineValues& values(const MTL::ComputePipelineDescriptor* d) {
    return as<ComputePipelineDescriptorObject>(d)->values;
}

template <class Class>
NS::SharedPtr<Class> retained(const Class* object) {
    return NS::RetainPtr(const_cast<Class*>(object));
}

/// Levels from the largest down to one texel.
NS::UInteger levelsOf(NS::UInteger width, NS::UInteger height) {
    NS::UInteger levels = 1;
    for (NS::UInteger size = std::max(width, height); size > 1; size /= 2) ++levels;
    return levels;
}

}  // namespace

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- CompileOptions ----

CompileOptions* CompileOptions::alloc() {
    return new CompileOptionsObject;
}
CompileOptions* CompileOptions::init() {
    return this;
}

bool CompileOptions::fastMathEnabled() const {
    return values(this).mathMode != MathModeSafe;
}
void CompileOptions::setFastMathEnabled(bool fastMathEnabled) {
    values(this).mathMode = fastMathEnabled ? MathModeRelaxed : MathModeSafe;
}

LanguageVersion CompileOptions::languageVersion() const {
    // Whoever sets none compiles as the newest.
    const LanguageVersion version = values(this).languageVersion;
    return version == LanguageVersion{} ? LanguageVersion3_2 : version;
}
void CompileOptions::setLanguageVersion(LanguageVersion languageVersion) {
    values(this).languageVersion = languageVersion;
}
LibraryType CompileOptions::libraryType() const {
    return values(this).libraryType;
}
void CompileOptions::setLibraryType(LibraryType libraryType) {
    values(this).libraryType = libraryType;
}
MathFloatingPointFunctions CompileOptions::mathFloatingPointFunctions() const {
    return values(this).mathFloatingPointFunctions;
}
void CompileOptions::setMathFloatingPointFunctions(MathFloatingPointFunctions mathFloatingPointFunctions) {
    values(this).mathFloatingPointFunctions = mathFloatingPointFunctions;
}
MathMode CompileOptions::mathMode() const {
    return values(this).mathMode;
}
void CompileOptions::setMathMode(MathMode mathMode) {
    values(this).mathMode = mathMode;
}
NS::UInteger CompileOptions::maxTotalThreadsPerThreadgroup() const {
    return values(this).maxTotalThreads;
}
void CompileOptions::setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup) {
    values(this).maxTotalThreads = maxTotalThreadsPerThreadgroup;
}
LibraryOptimizationLevel CompileOptions::optimizationLevel() const {
    return values(this).optimizationLevel;
}
void CompileOptions::setOptimizationLevel(LibraryOptimizationLevel optimizationLevel) {
    values(this).optimizationLevel = optimizationLevel;
}
NS::Dictionary* CompileOptions::preprocessorMacros() const {
    return values(this).macros.get();
}
void CompileOptions::setPreprocessorMacros(const NS::Dictionary* preprocessorMacros) {
    values(this).macros = retained(preprocessorMacros);
}
bool CompileOptions::preserveInvariance() const {
    return values(this).preserveInvariance;
}
void CompileOptions::setPreserveInvariance(bool preserveInvariance) {
    values(this).preserveInvariance = preserveInvariance;
}

// ---- TextureDescriptor ----

TextureDescriptor* TextureDescriptor::alloc() {
    return new TextureDescriptorObject;
}
TextureDescriptor* TextureDescriptor::init() {
    return this;
}

TextureDescriptor* TextureDescriptor::texture2DDescriptor(PixelFormat pixelFormat, NS::UInteger width,
                                                          NS::UInteger height, bool mipmapped) {
    TextureValues values;
    values.pixelFormat = pixelFormat;
    values.width = width;
    values.height = height;
    if (mipmapped) values.mipmapLevelCount = levelsOf(width, height);
    auto* descriptor = new TextureDescriptorObject(values);
    return descriptor->autorelease();
}

TextureDescriptor* TextureDescriptor::textureBufferDescriptor(PixelFormat pixelFormat, NS::UInteger width,
                                                              ResourceOptions resourceOptions, TextureUsage usage) {
    TextureValues values;
    values.textureType = TextureTypeTextureBuffer;
    values.pixelFormat = pixelFormat;
    values.width = width;
    values.options = resourceOptions;
    values.usage = usage;
    auto* descriptor = new TextureDescriptorObject(values);
    return descriptor->autorelease();
}

TextureDescriptor* TextureDescriptor::textureCubeDescriptor(PixelFormat pixelFormat, NS::UInteger size,
                                                            bool mipmapped) {
    TextureDescriptor* descriptor = texture2DDescriptor(pixelFormat, size, size, mipmapped);
    descriptor->setTextureType(TextureTypeCube);
    return descriptor;
}

CPUCacheMode TextureDescriptor::cpuCacheMode() const {
    return cacheModeOf(values(this).options);
}
void TextureDescriptor::setCpuCacheMode(CPUCacheMode cpuCacheMode) {
    values(this).options = (values(this).options & ~ResourceOptions(0xF)) | cpuCacheMode;
}

StorageMode TextureDescriptor::storageMode() const {
    return storageModeOf(values(this).options);
}
void TextureDescriptor::setStorageMode(StorageMode storageMode) {
    values(this).options = (values(this).options & ~ResourceOptions(0xF0)) | ResourceOptions(storageMode) << 4;
}

HazardTrackingMode TextureDescriptor::hazardTrackingMode() const {
    return hazardModeOf(values(this).options);
}
void TextureDescriptor::setHazardTrackingMode(HazardTrackingMode hazardTrackingMode) {
    values(this).options = (values(this).options & ~ResourceOptions(0x300)) | ResourceOptions(hazardTrackingMode) << 8;
}

bool TextureDescriptor::allowGPUOptimizedContents() const {
    return values(this).allowGPUOptimizedContents;
}
void TextureDescriptor::setAllowGPUOptimizedContents(bool allowGPUOptimizedContents) {
    values(this).allowGPUOptimizedContents = allowGPUOptimizedContents;
}
NS::UInteger TextureDescriptor::arrayLength() const {
    return values(this).arrayLength;
}
void TextureDescriptor::setArrayLength(NS::UInteger arrayLength) {
    values(this).arrayLength = arrayLength;
}
NS::UInteger TextureDescriptor::depth() const {
    return values(this).depth;
}
void TextureDescriptor::setDepth(NS::UInteger depth) {
    values(this).depth = depth;
}
NS::UInteger TextureDescriptor::height() const {
    return values(this).height;
}
void TextureDescriptor::setHeight(NS::UInteger height) {
    values(this).height = height;
}
NS::UInteger TextureDescriptor::mipmapLevelCount() const {
    return values(this).mipmapLevelCount;
}
void TextureDescriptor::setMipmapLevelCount(NS::UInteger mipmapLevelCount) {
    values(this).mipmapLevelCount = mipmapLevelCount;
}
PixelFormat TextureDescriptor::pixelFormat() const {
    return values(this).pixelFormat;
}
void TextureDescriptor::setPixelFormat(PixelFormat pixelFormat) {
    values(this).pixelFormat = pixelFormat;
}
ResourceOptions TextureDescriptor::resourceOptions() const {
    return values(this).options;
}
void TextureDescriptor::setResourceOptions(ResourceOptions resourceOptions) {
    values(this).options = resourceOptions;
}
NS::UInteger TextureDescriptor::sampleCount() const {
    return values(this).sampleCount;
}
void TextureDescriptor::setSampleCount(NS::UInteger sampleCount) {
    values(this).sampleCount = sampleCount;
}
TextureSwizzleChannels TextureDescriptor::swizzle() const {
    return values(this).swizzle;
}
void TextureDescriptor::setSwizzle(TextureSwizzleChannels swizzle) {
    values(this).swizzle = swizzle;
}
TextureType TextureDescriptor::textureType() const {
    return values(this).textureType;
}
void TextureDescriptor::setTextureType(TextureType textureType) {
    values(this).textureType = textureType;
}
TextureUsage TextureDescriptor::usage() const {
    return values(this).usage;
}
void TextureDescriptor::setUsage(TextureUsage usage) {
    values(this).usage = usage;
}
NS::UInteger TextureDescriptor::width() const {
    return values(this).width;
}
void TextureDescriptor::setWidth(NS::UInteger width) {
    values(this).width = width;
}

// ---- SamplerDescriptor ----

SamplerDescriptor* SamplerDescriptor::alloc() {
    return new SamplerDescriptorObject;
}
SamplerDescriptor* SamplerDescriptor::init() {
    return this;
}

SamplerBorderColor SamplerDescriptor::borderColor() const {
    return values(this).borderColor;
}
void SamplerDescriptor::setBorderColor(SamplerBorderColor borderColor) {
    values(this).borderColor = borderColor;
}
CompareFunction SamplerDescriptor::compareFunction() const {
    return values(this).compareFunction;
}
void SamplerDescriptor::setCompareFunction(CompareFunction compareFunction) {
    values(this).compareFunction = compareFunction;
}
NS::String* SamplerDescriptor::label() const {
    return values(this).label.get();
}
void SamplerDescriptor::setLabel(const NS::String* label) {
    values(this).label = retained(label);
}
bool SamplerDescriptor::lodAverage() const {
    return values(this).lodAverage;
}
void SamplerDescriptor::setLodAverage(bool lodAverage) {
    values(this).lodAverage = lodAverage;
}
float SamplerDescriptor::lodBias() const {
    return values(this).lodBias;
}
void SamplerDescriptor::setLodBias(float lodBias) {
    values(this).lodBias = lodBias;
}
float SamplerDescriptor::lodMaxClamp() const {
    return values(this).lodMaxClamp;
}
void SamplerDescriptor::setLodMaxClamp(float lodMaxClamp) {
    values(this).lodMaxClamp = lodMaxClamp;
}
float SamplerDescriptor::lodMinClamp() const {
    return values(this).lodMinClamp;
}
void SamplerDescriptor::setLodMinClamp(float lodMinClamp) {
    values(this).lodMinClamp = lodMinClamp;
}
SamplerMinMagFilter SamplerDescriptor::magFilter() const {
    return values(this).magFilter;
}
void SamplerDescriptor::setMagFilter(SamplerMinMagFilter magFilter) {
    values(this).magFilter = magFilter;
}
NS::UInteger SamplerDescriptor::maxAnisotropy() const {
    return values(this).maxAnisotropy;
}
void SamplerDescriptor::setMaxAnisotropy(NS::UInteger maxAnisotropy) {
    values(this).maxAnisotropy = maxAnisotropy;
}
SamplerMinMagFilter SamplerDescriptor::minFilter() const {
    return values(this).minFilter;
}
void SamplerDescriptor::setMinFilter(SamplerMinMagFilter minFilter) {
    values(this).minFilter = minFilter;
}
SamplerMipFilter SamplerDescriptor::mipFilter() const {
    return values(this).mipFilter;
}
void SamplerDescriptor::setMipFilter(SamplerMipFilter mipFilter) {
    values(this).mipFilter = mipFilter;
}
bool SamplerDescriptor::normalizedCoordinates() const {
    return values(this).normalizedCoordinates;
}
void SamplerDescriptor::setNormalizedCoordinates(bool normalizedCoordinates) {
    values(this).normalizedCoordinates = normalizedCoordinates;
}
SamplerAddressMode SamplerDescriptor::rAddressMode() const {
    return values(this).rAddressMode;
}
void SamplerDescriptor::setRAddressMode(SamplerAddressMode rAddressMode) {
    values(this).rAddressMode = rAddressMode;
}
SamplerReductionMode SamplerDescriptor::reductionMode() const {
    return values(this).reductionMode;
}
void SamplerDescriptor::setReductionMode(SamplerReductionMode reductionMode) {
    values(this).reductionMode = reductionMode;
}
SamplerAddressMode SamplerDescriptor::sAddressMode() const {
    return values(this).sAddressMode;
}
void SamplerDescriptor::setSAddressMode(SamplerAddressMode sAddressMode) {
    values(this).sAddressMode = sAddressMode;
}
bool SamplerDescriptor::supportArgumentBuffers() const {
    return values(this).supportArgumentBuffers;
}
void SamplerDescriptor::setSupportArgumentBuffers(bool supportArgumentBuffers) {
    values(this).supportArgumentBuffers = supportArgumentBuffers;
}
SamplerAddressMode SamplerDescriptor::tAddressMode() const {
    return values(this).tAddressMode;
}
void SamplerDescriptor::setTAddressMode(SamplerAddressMode tAddressMode) {
    values(this).tAddressMode = tAddressMode;
}

// ---- Queues and passes ----

CommandQueueDescriptor* CommandQueueDescriptor::alloc() {
    return new CommandQueueDescriptorObject;
}
CommandQueueDescriptor* CommandQueueDescriptor::init() {
    return this;
}

NS::UInteger CommandQueueDescriptor::maxCommandBufferCount() const {
    return values(this).maxCommandBufferCount;
}
void CommandQueueDescriptor::setMaxCommandBufferCount(NS::UInteger maxCommandBufferCount) {
    values(this).maxCommandBufferCount = maxCommandBufferCount;
}

LogState* CommandQueueDescriptor::logState() const {
    return values(this).logState.get();
}
void CommandQueueDescriptor::setLogState(const LogState* logState) {
    values(this).logState = retained(logState);
}

CommandBufferDescriptor* CommandBufferDescriptor::alloc() {
    return new CommandBufferDescriptorObject;
}
CommandBufferDescriptor* CommandBufferDescriptor::init() {
    return this;
}

CommandBufferErrorOption CommandBufferDescriptor::errorOptions() const {
    return values(this).errorOptions;
}
void CommandBufferDescriptor::setErrorOptions(CommandBufferErrorOption errorOptions) {
    values(this).errorOptions = errorOptions;
}
LogState* CommandBufferDescriptor::logState() const {
    return values(this).logState.get();
}
void CommandBufferDescriptor::setLogState(const LogState* logState) {
    values(this).logState = retained(logState);
}
bool CommandBufferDescriptor::retainedReferences() const {
    return values(this).retainedReferences;
}
void CommandBufferDescriptor::setRetainedReferences(bool retainedReferences) {
    values(this).retainedReferences = retainedReferences;
}

// ---- ComputePipelineDescriptor ----

ComputePipelineDescriptor* ComputePipelineDescriptor::alloc() {
    return new ComputePipelineDescriptorObject;
}
ComputePipelineDescriptor* ComputePipelineDescriptor::init() {
    return this;
}

void ComputePipelineDescriptor::reset() {
    values(this) = {};
}

NS::Array* ComputePipelineDescriptor::binaryArchives() const {
    return values(this).binaryArchives.get();
}
void ComputePipelineDescriptor::setBinaryArchives(const NS::Array* binaryArchives) {
    values(this).binaryArchives = retained(binaryArchives);
}
LinkedFunctions* ComputePipelineDescriptor::linkedFunctions() const {
    return values(this).linkedFunctions.get();
}
void ComputePipelineDescriptor::setLinkedFunctions(const LinkedFunctions* linkedFunctions) {
    values(this).linkedFunctions = linkedFunctions;
}
Function* ComputePipelineDescriptor::computeFunction() const {
    return values(this).function.get();
}
void ComputePipelineDescriptor::setComputeFunction(const Function* computeFunction) {
    values(this).function = retained(computeFunction);
}
NS::String* ComputePipelineDescriptor::label() const {
    return values(this).label.get();
}
void ComputePipelineDescriptor::setLabel(const NS::String* label) {
    values(this).label = retained(label);
}
NS::UInteger ComputePipelineDescriptor::maxTotalThreadsPerThreadgroup() const {
    return values(this).maxTotalThreads;
}
void ComputePipelineDescriptor::setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup) {
    values(this).maxTotalThreads = maxTotalThreadsPerThreadgroup;
}
StageInputOutputDescriptor* ComputePipelineDescriptor::stageInputDescriptor() const {
    return values(this).stageInput.made();
}
void ComputePipelineDescriptor::setStageInputDescriptor(const StageInputOutputDescriptor* stageInputDescriptor) {
    values(this).stageInput = stageInputDescriptor;
}
bool ComputePipelineDescriptor::threadGroupSizeIsMultipleOfThreadExecutionWidth() const {
    return values(this).isMultipleOfExecutionWidth;
}
void ComputePipelineDescriptor::setThreadGroupSizeIsMultipleOfThreadExecutionWidth(
    bool threadGroupSizeIsMultipleOfThreadExecutionWidth) {
    values(this).isMultipleOfExecutionWidth = threadGroupSizeIsMultipleOfThreadExecutionWidth;
}
Size ComputePipelineDescriptor::requiredThreadsPerThreadgroup() const {
    return values(this).requiredThreads;
}
void ComputePipelineDescriptor::setRequiredThreadsPerThreadgroup(Size requiredThreadsPerThreadgroup) {
    values(this).requiredThreads = requiredThreadsPerThreadgroup;
}
bool ComputePipelineDescriptor::supportIndirectCommandBuffers() const {
    return values(this).supportsIndirectCommands;
}
void ComputePipelineDescriptor::setSupportIndirectCommandBuffers(bool supportIndirectCommandBuffers) {
    values(this).supportsIndirectCommands = supportIndirectCommandBuffers;
}

// ---- BinaryArchiveDescriptor ----

BinaryArchiveDescriptor* BinaryArchiveDescriptor::alloc() {
    return new BinaryArchiveDescriptorObject;
}
BinaryArchiveDescriptor* BinaryArchiveDescriptor::init() {
    return this;
}
NS::URL* BinaryArchiveDescriptor::url() const {
    return as<BinaryArchiveDescriptorObject>(this)->values.url.get();
}
void BinaryArchiveDescriptor::setUrl(const NS::URL* url) {
    as<BinaryArchiveDescriptorObject>(this)->values.url = retained(url);
}

}  // namespace MTL

namespace MTL::Portable {

void setKeptOnDisk(CompileOptions* options, bool isKeptOnDisk) {
    values(options).isKeptOnDisk = isKeptOnDisk;
}

void setHeaders(CompileOptions* options, const NS::Dictionary* headers) {
    values(options).headers = retained(headers);
}

void setIncludeDirectories(CompileOptions* options, const NS::Array* directories) {
    values(options).includeDirectories = retained(directories);
}

}  // namespace MTL::Portable
