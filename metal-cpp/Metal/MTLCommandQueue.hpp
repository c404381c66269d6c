// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class CommandBuffer;
class CommandBufferDescriptor;
class Device;
class LogState;

/// Runs command buffers in the order of their commit, or of enqueue() where that was called.
class CommandQueue : public NS::Referencing<CommandQueue> {
public:
    /// Not owned by the caller. Waits while as many command buffers as the queue was made for are unfinished.
    CommandBuffer* commandBuffer();

    CommandBuffer* commandBuffer(const CommandBufferDescriptor* descriptor);

    /// The caller keeps what the command buffer uses alive.
    CommandBuffer* commandBufferWithUnretainedReferences();

    Device* device() const;
    void insertDebugCaptureBoundary();
    NS::String* label() const;
    void setLabel(const NS::String* label);
};

class CommandQueueDescriptor : public NS::Copying<CommandQueueDescriptor> {
public:
    static CommandQueueDescriptor* alloc();
    CommandQueueDescriptor* init();

    /// For command buffers that have none of their own. Null: none.
    LogState* logState() const;

    NS::UInteger maxCommandBufferCount() const;
    void setLogState(const LogState* logState);
    void setMaxCommandBufferCount(NS::UInteger maxCommandBufferCount);
};

}  // namespace MTL
