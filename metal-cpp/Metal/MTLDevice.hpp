// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>

#include "../Foundation/Foundation.hpp"
#include "MTLArgument.hpp"
#include "MTLComputePipeline.hpp"
#include "MTLLibrary.hpp"
#include "MTLPixelFormat.hpp"
#include "MTLResource.hpp"
#include "MTLTexture.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class ArgumentEncoder;
class BinaryArchive;
class BinaryArchiveDescriptor;
class Buffer;
class CommandQueue;
class CommandQueueDescriptor;
class LogState;
class LogStateDescriptor;
class ComputePipelineDescriptor;
class ComputePipelineReflection;
class ComputePipelineState;
class CounterSampleBuffer;
class CounterSampleBufferDescriptor;
class DepthStencilDescriptor;
class DepthStencilState;
class Device;
class Event;
class Fence;
class Function;
class Heap;
class HeapDescriptor;
class IndirectCommandBuffer;
class IndirectCommandBufferDescriptor;
class Library;
class RasterizationRateMap;
class RasterizationRateMapDescriptor;
class RenderPipelineDescriptor;
class RenderPipelineReflection;
class RenderPipelineState;
class SamplerDescriptor;
class SamplerState;
class SharedEvent;
class SharedEventHandle;
class Texture;
class TextureDescriptor;

enum IOCompressionMethod : NS::Integer {
    IOCompressionMethodZlib = 0,
    IOCompressionMethodLZFSE = 1,
    IOCompressionMethodLZ4 = 2,
    IOCompressionMethodLZMA = 3,
    IOCompressionMethodLZBitmap = 4,
};

enum FeatureSet : NS::UInteger {
    FeatureSet_iOS_GPUFamily1_v1 = 0,
    FeatureSet_iOS_GPUFamily2_v1 = 1,
    FeatureSet_iOS_GPUFamily1_v2 = 2,
    FeatureSet_iOS_GPUFamily2_v2 = 3,
    FeatureSet_iOS_GPUFamily3_v1 = 4,
    FeatureSet_iOS_GPUFamily1_v3 = 5,
    FeatureSet_iOS_GPUFamily2_v3 = 6,
    FeatureSet_iOS_GPUFamily3_v2 = 7,
    FeatureSet_iOS_GPUFamily1_v4 = 8,
    FeatureSet_iOS_GPUFamily2_v4 = 9,
    FeatureSet_iOS_GPUFamily3_v3 = 10,
    FeatureSet_iOS_GPUFamily4_v1 = 11,
    FeatureSet_iOS_GPUFamily1_v5 = 12,
    FeatureSet_iOS_GPUFamily2_v5 = 13,
    FeatureSet_iOS_GPUFamily3_v4 = 14,
    FeatureSet_iOS_GPUFamily4_v2 = 15,
    FeatureSet_iOS_GPUFamily5_v1 = 16,
    FeatureSet_macOS_GPUFamily1_v1 = 10000,
    FeatureSet_OSX_GPUFamily1_v1 = 10000,
    FeatureSet_macOS_GPUFamily1_v2 = 10001,
    FeatureSet_OSX_GPUFamily1_v2 = 10001,
    FeatureSet_macOS_ReadWriteTextureTier2 = 10002,
    FeatureSet_OSX_ReadWriteTextureTier2 = 10002,
    FeatureSet_macOS_GPUFamily1_v3 = 10003,
    FeatureSet_macOS_GPUFamily1_v4 = 10004,
    FeatureSet_macOS_GPUFamily2_v1 = 10005,
    FeatureSet_watchOS_GPUFamily1_v1 = 20000,
    FeatureSet_WatchOS_GPUFamily1_v1 = 20000,
    FeatureSet_watchOS_GPUFamily2_v1 = 20001,
    FeatureSet_WatchOS_GPUFamily2_v1 = 20001,
    FeatureSet_tvOS_GPUFamily1_v1 = 30000,
    FeatureSet_TVOS_GPUFamily1_v1 = 30000,
    FeatureSet_tvOS_GPUFamily1_v2 = 30001,
    FeatureSet_tvOS_GPUFamily1_v3 = 30002,
    FeatureSet_tvOS_GPUFamily2_v1 = 30003,
    FeatureSet_tvOS_GPUFamily1_v4 = 30004,
    FeatureSet_tvOS_GPUFamily2_v2 = 30005,
};

enum GPUFamily : NS::Integer {
    GPUFamilyApple1 = 1001,
    GPUFamilyApple2 = 1002,
    GPUFamilyApple3 = 1003,
    GPUFamilyApple4 = 1004,
    GPUFamilyApple5 = 1005,
    GPUFamilyApple6 = 1006,
    GPUFamilyApple7 = 1007,
    GPUFamilyApple8 = 1008,
    GPUFamilyApple9 = 1009,
    GPUFamilyApple10 = 1010,
    GPUFamilyMac1 = 2001,
    GPUFamilyMac2 = 2002,
    GPUFamilyCommon1 = 3001,
    GPUFamilyCommon2 = 3002,
    GPUFamilyCommon3 = 3003,
    GPUFamilyMacCatalyst1 = 4001,
    GPUFamilyMacCatalyst2 = 4002,
    GPUFamilyMetal3 = 5001,
    GPUFamilyMetal4 = 5002,
};

enum DeviceLocation : NS::UInteger {
    DeviceLocationBuiltIn = 0,
    DeviceLocationSlot = 1,
    DeviceLocationExternal = 2,
    DeviceLocationUnspecified = NS::UIntegerMax,
};

enum ReadWriteTextureTier : NS::UInteger {
    ReadWriteTextureTierNone = 0,
    ReadWriteTextureTier1 = 1,
    ReadWriteTextureTier2 = 2,
};

enum ArgumentBuffersTier : NS::UInteger {
    ArgumentBuffersTier1 = 0,
    ArgumentBuffersTier2 = 1,
};

enum SparseTextureRegionAlignmentMode : NS::UInteger {
    SparseTextureRegionAlignmentModeOutward = 0,
    SparseTextureRegionAlignmentModeInward = 1,
};

enum CounterSamplingPoint : NS::UInteger {
    CounterSamplingPointAtStageBoundary = 0,
    CounterSamplingPointAtDrawBoundary = 1,
    CounterSamplingPointAtDispatchBoundary = 2,
    CounterSamplingPointAtTileDispatchBoundary = 3,
    CounterSamplingPointAtBlitBoundary = 4,
};

using PipelineOption = NS::UInteger;
enum : PipelineOption {
    PipelineOptionNone = 0,
    PipelineOptionArgumentInfo = 1,
    PipelineOptionBindingInfo = 1,
    PipelineOptionBufferTypeInfo = 1 << 1,
    PipelineOptionFailOnBinaryArchiveMiss = 1 << 2,
};

using AutoreleasedComputePipelineReflection = ComputePipelineReflection*;
using AutoreleasedRenderPipelineReflection = RenderPipelineReflection*;
using NewLibraryCompletionHandlerFunction = std::function<void(Library*, NS::Error*)>;
using NewComputePipelineStateCompletionHandlerFunction = std::function<void(ComputePipelineState*, NS::Error*)>;
using NewComputePipelineStateWithReflectionCompletionHandlerFunction =
    std::function<void(ComputePipelineState*, ComputePipelineReflection*, NS::Error*)>;
using NewRenderPipelineStateCompletionHandlerFunction = std::function<void(RenderPipelineState*, NS::Error*)>;
using NewRenderPipelineStateWithReflectionCompletionHandlerFunction =
    std::function<void(RenderPipelineState*, RenderPipelineReflection*, NS::Error*)>;

using Timestamp = std::uint64_t;

/// Bytes that a resource takes of a heap, and what its offset is a multiple of.
struct SizeAndAlign {
    NS::UInteger size;
    NS::UInteger align;
};

/// The device of this process. Caller owns the result (+1).
Device* CreateSystemDefaultDevice();

/// Caller owns the result (+1).
NS::Array* CopyAllDevices();

/// A member of an argument buffer, for Device::newArgumentEncoder().
class ArgumentDescriptor : public NS::Copying<ArgumentDescriptor> {
public:
    BindingAccess access() const;
    static ArgumentDescriptor* alloc();

    /// Not owned by the caller.
    static ArgumentDescriptor* argumentDescriptor();

    /// 0: no array.
    NS::UInteger arrayLength() const;

    NS::UInteger constantBlockAlignment() const;
    DataType dataType() const;

    /// The n of `[[id(n)]]`; an array takes one for each element.
    NS::UInteger index() const;

    ArgumentDescriptor* init();
    void setAccess(BindingAccess access);
    void setArrayLength(NS::UInteger arrayLength);

    /// What a constant's place is a multiple of, in bytes; 0: what its type wants.
    void setConstantBlockAlignment(NS::UInteger constantBlockAlignment);

    void setDataType(DataType dataType);
    void setIndex(NS::UInteger index);
    void setTextureType(TextureType textureType);
    TextureType textureType() const;
};

/// What runs kernels.
class Device : public NS::Referencing<Device> {
public:
    bool areProgrammableSamplePositionsSupported() const;
    bool areRasterOrderGroupsSupported() const;

    /// Of CounterSet: what newCounterSampleBuffer() can have. Here the timestamps alone.
    NS::Array* counterSets() const;

    NS::UInteger currentAllocatedSize() const;
    bool hasUnifiedMemory() const;
    SizeAndAlign heapBufferSizeAndAlign(NS::UInteger length, ResourceOptions options);

    /// Zeros when the descriptor is not one the device allows.
    SizeAndAlign heapTextureSizeAndAlign(const TextureDescriptor* desc);

    bool isDepth24Stencil8PixelFormatSupported() const;
    bool isHeadless() const;
    bool isLowPower() const;
    bool isRemovable() const;
    DeviceLocation location() const;
    NS::UInteger locationNumber() const;

    /// Three quarters of the memory there is, less what this device has allocated.
    NS::UInteger maxBufferLength() const;

    NS::UInteger maxThreadgroupMemoryLength() const;
    Size maxThreadsPerThreadgroup() const;
    std::uint64_t maxTransferRate() const;
    NS::UInteger minimumLinearTextureAlignmentForPixelFormat(PixelFormat format);
    NS::UInteger minimumTextureBufferAlignmentForPixelFormat(PixelFormat format);
    NS::String* name() const;

    /// Caller owns the result (+1). Of an argument buffer whose struct has these members, ArgumentDescriptor objects,
    /// in the order of their indices. Null when no struct has.
    ArgumentEncoder* newArgumentEncoder(const NS::Array* arguments);

    /// Empty, or with what the descriptor's file holds. Null, and `error`, when that cannot be read or is no archive.
    BinaryArchive* newBinaryArchive(const BinaryArchiveDescriptor* descriptor, NS::Error** error);

    /// Zeroed. Caller owns the result (+1), as of every `new...`. Null when `length` is zero or above
    /// maxBufferLength(), or when there is not that much memory.
    Buffer* newBuffer(NS::UInteger length, ResourceOptions options);

    /// A copy of `length` bytes at `pointer`.
    Buffer* newBuffer(const void* pointer, NS::UInteger length, ResourceOptions options);

    /// Uses the `length` bytes at `pointer` where they are; both must be multiples of the page size. `deallocator`,
    /// which may be null, is called with them when the buffer has ended. (Apple's takes a block.)
    Buffer* newBuffer(const void* pointer, NS::UInteger length, ResourceOptions options,
                      const std::function<void(void*, NS::UInteger)>& deallocator);

    /// At most 64 unfinished command buffers, or as many as asked for.
    CommandQueue* newCommandQueue();

    CommandQueue* newCommandQueue(NS::UInteger maxCommandBufferCount);
    CommandQueue* newCommandQueue(const CommandQueueDescriptor* descriptor);

    /// Caller owns the result (+1). Null, and `error`, when its buffer is smaller than 1,024 bytes.
    LogState* newLogState(const LogStateDescriptor* descriptor, NS::Error** error);

    /// Null, and `error`, when the kernel cannot be compiled for this device.
    ComputePipelineState* newComputePipelineState(const Function* computeFunction, NS::Error** error);

    ComputePipelineState* newComputePipelineState(const Function* computeFunction, PipelineOption options,
                                                  const AutoreleasedComputePipelineReflection* reflection,
                                                  NS::Error** error);
    ComputePipelineState* newComputePipelineState(const ComputePipelineDescriptor* descriptor, PipelineOption options,
                                                  const AutoreleasedComputePipelineReflection* reflection,
                                                  NS::Error** error);
    void newComputePipelineState(const Function* pFunction,
                                 const NewComputePipelineStateCompletionHandlerFunction& completionHandler);
    void newComputePipelineState(
        const Function* pFunction, PipelineOption options,
        const NewComputePipelineStateWithReflectionCompletionHandlerFunction& completionHandler);
    void newComputePipelineState(
        const ComputePipelineDescriptor* pDescriptor, PipelineOption options,
        const NewComputePipelineStateWithReflectionCompletionHandlerFunction& completionHandler);

    /// Null, and `error`, when the descriptor is not one the device allows.
    CounterSampleBuffer* newCounterSampleBuffer(const CounterSampleBufferDescriptor* descriptor, NS::Error** error);

    /// Null when the descriptor is not one the device allows.
    DepthStencilState* newDepthStencilState(const DepthStencilDescriptor* descriptor);

    Event* newEvent();
    Fence* newFence();

    /// Null when the descriptor is not one the device allows, or when there is not that much memory.
    Heap* newHeap(const HeapDescriptor* descriptor);

    /// Empty commands. Null when the descriptor is not one the device allows.
    IndirectCommandBuffer* newIndirectCommandBuffer(const IndirectCommandBufferDescriptor* descriptor,
                                                    NS::UInteger maxCount, ResourceOptions options);

    /// Null, and `error` with the compiler's messages, when the source does not compile. `options` may be null. A
    /// library with warnings comes with an `error` of code LibraryErrorCompileWarning.
    Library* newLibrary(const NS::String* source, const CompileOptions* options, NS::Error** error);

    void newLibrary(const NS::String* pSource, const CompileOptions* pOptions,
                    const NewLibraryCompletionHandlerFunction& completionHandler);

    /// Null when the descriptor is not one the device allows, as for the next.
    RasterizationRateMap* newRasterizationRateMap(const RasterizationRateMapDescriptor* descriptor);

    /// Null, and `error`, when the functions cannot be compiled for this device or do not fit one another or the
    /// descriptor.
    RenderPipelineState* newRenderPipelineState(const RenderPipelineDescriptor* descriptor, NS::Error** error);

    RenderPipelineState* newRenderPipelineState(const RenderPipelineDescriptor* descriptor, PipelineOption options,
                                                const AutoreleasedRenderPipelineReflection* reflection,
                                                NS::Error** error);
    void newRenderPipelineState(const RenderPipelineDescriptor* pDescriptor,
                                const NewRenderPipelineStateCompletionHandlerFunction& completionHandler);
    void newRenderPipelineState(const RenderPipelineDescriptor* pDescriptor, PipelineOption options,
                                const NewRenderPipelineStateWithReflectionCompletionHandlerFunction& completionHandler);
    SamplerState* newSamplerState(const SamplerDescriptor* descriptor);

    SharedEvent* newSharedEvent();
    SharedEvent* newSharedEvent(const SharedEventHandle* sharedEventHandle);

    /// Zeroed.
    Texture* newTexture(const TextureDescriptor* descriptor);

    std::uint32_t peerCount() const;
    std::uint64_t peerGroupID() const;
    std::uint32_t peerIndex() const;
    ReadWriteTextureTier readWriteTextureSupport() const;
    std::uint64_t recommendedMaxWorkingSetSize() const;
    std::uint64_t registryID() const;

    /// Nanoseconds of the steady clock, for both.
    void sampleTimestamps(Timestamp* cpuTimestamp, Timestamp* gpuTimestamp);

    bool supports32BitFloatFiltering() const;
    bool supports32BitMSAA() const;
    bool supportsBCTextureCompression() const;

    /// Where samples can be taken: here at the begin and end of encoders, and between dispatches and blits.
    bool supportsCounterSampling(CounterSamplingPoint samplingPoint);

    bool supportsDynamicLibraries() const;
    bool supportsFamily(GPUFamily gpuFamily);
    bool supportsFunctionPointers() const;
    bool supportsFunctionPointersFromRender() const;
    bool supportsPrimitiveMotionBlur() const;
    bool supportsQueryTextureLOD() const;
    bool supportsRasterizationRateMap(NS::UInteger layerCount);
    bool supportsRaytracing() const;
    bool supportsShaderBarycentricCoordinates() const;
    bool supportsTextureSampleCount(NS::UInteger sampleCount);
    bool supportsVertexAmplificationCount(NS::UInteger count);
};

}  // namespace MTL
