// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <functional>

#include "../Foundation/Foundation.hpp"

namespace MTL {

class BlitCommandEncoder;
class BlitPassDescriptor;
class CommandBuffer;
class CommandBufferDescriptor;
class CommandQueue;
class ComputeCommandEncoder;
class ComputePassDescriptor;
class Device;
class Drawable;
class Event;
class LogState;
class ParallelRenderCommandEncoder;
class RenderCommandEncoder;
class RenderPassDescriptor;

enum CommandBufferStatus : NS::UInteger {
    CommandBufferStatusNotEnqueued = 0,
    CommandBufferStatusEnqueued = 1,
    CommandBufferStatusCommitted = 2,
    CommandBufferStatusScheduled = 3,
    CommandBufferStatusCompleted = 4,
    CommandBufferStatusError = 5,
};

enum CommandBufferError : NS::UInteger {
    CommandBufferErrorNone = 0,
    CommandBufferErrorInternal = 1,
    CommandBufferErrorTimeout = 2,
    CommandBufferErrorPageFault = 3,
    CommandBufferErrorBlacklisted = 4,
    CommandBufferErrorAccessRevoked = 4,
    CommandBufferErrorNotPermitted = 7,
    CommandBufferErrorOutOfMemory = 8,
    CommandBufferErrorInvalidResource = 9,
    CommandBufferErrorMemoryless = 10,
    CommandBufferErrorDeviceRemoved = 11,
    CommandBufferErrorStackOverflow = 12,
};

enum CommandEncoderErrorState : NS::Integer {
    CommandEncoderErrorStateUnknown = 0,
    CommandEncoderErrorStateCompleted = 1,
    CommandEncoderErrorStateAffected = 2,
    CommandEncoderErrorStatePending = 3,
    CommandEncoderErrorStateFaulted = 4,
};

enum DispatchType : NS::UInteger {
    DispatchTypeSerial = 0,
    DispatchTypeConcurrent = 1,
};

using CommandBufferErrorOption = NS::UInteger;
enum : CommandBufferErrorOption {
    CommandBufferErrorOptionNone = 0,
    CommandBufferErrorOptionEncoderExecutionStatus = 1,
};

using HandlerFunction = std::function<void(CommandBuffer*)>;

class CommandBufferDescriptor : public NS::Copying<CommandBufferDescriptor> {
public:
    static CommandBufferDescriptor* alloc();
    CommandBufferErrorOption errorOptions() const;
    CommandBufferDescriptor* init();

    /// Null: the queue's.
    LogState* logState() const;

    bool retainedReferences() const;
    void setErrorOptions(CommandBufferErrorOption errorOptions);
    void setLogState(const LogState* logState);
    void setRetainedReferences(bool retainedReferences);
};

/// Commands for a device, written by encoders, run once after commit(). Keeps what they use alive until it has
/// completed.
class CommandBuffer : public NS::Referencing<CommandBuffer> {
public:
    /// Seconds on the system's steady clock; zero before the command buffer has completed.
    CFTimeInterval GPUEndTime() const;

    CFTimeInterval GPUStartTime() const;

    /// Called from another thread, after the commands have run or failed.
    void addCompletedHandler(const HandlerFunction& function);

    /// Before commit(). Called from another thread, before the commands run.
    void addScheduledHandler(const HandlerFunction& function);

    /// Not owned by the caller. Null when another encoder of the command buffer has not ended, or after commit(); so
    /// too the compute encoders.
    BlitCommandEncoder* blitCommandEncoder();

    BlitCommandEncoder* blitCommandEncoder(const BlitPassDescriptor* blitPassDescriptor);
    CommandQueue* commandQueue() const;

    /// Never waits.
    void commit();

    ComputeCommandEncoder* computeCommandEncoder(const ComputePassDescriptor* computePassDescriptor);
    ComputeCommandEncoder* computeCommandEncoder();
    ComputeCommandEncoder* computeCommandEncoder(DispatchType dispatchType);
    Device* device() const;
    void encodeSignalEvent(const Event* event, std::uint64_t value);

    /// What follows waits for the event without holding a thread.
    void encodeWait(const Event* event, std::uint64_t value);

    void enqueue();

    /// Null unless status() is CommandBufferStatusError.
    NS::Error* error() const;

    CommandBufferErrorOption errorOptions() const;

    /// On the same clock: when the host began to schedule the command buffer, and when it had.
    CFTimeInterval kernelEndTime() const;

    CFTimeInterval kernelStartTime() const;
    NS::String* label() const;

    /// Null also when the descriptor is not one the device allows: then the command buffer ends with an error that
    /// says why, as for renderCommandEncoder().
    ParallelRenderCommandEncoder* parallelRenderCommandEncoder(const RenderPassDescriptor* renderPassDescriptor);

    void popDebugGroup();

    /// Before commit(). Shows the drawable when the commands have completed; see MTL::Drawable.
    void presentDrawable(const Drawable* drawable);
    void presentDrawableAfterMinimumDuration(const Drawable* drawable, CFTimeInterval duration);
    void presentDrawableAtTime(const Drawable* drawable, CFTimeInterval presentationTime);

    void pushDebugGroup(const NS::String* string);
    RenderCommandEncoder* renderCommandEncoder(const RenderPassDescriptor* renderPassDescriptor);
    bool retainedReferences() const;
    void setLabel(const NS::String* label);
    CommandBufferStatus status() const;
    void waitUntilCompleted();
    void waitUntilScheduled();
};

}  // namespace MTL
