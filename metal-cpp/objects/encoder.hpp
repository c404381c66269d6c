// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command_buffer.hpp"
#include "counters.hpp"

namespace metal_objects {

/// What encoders of every kind have in common.
class EncoderPart {
public:
    explicit EncoderPart(CommandBufferObject* commandBuffer)
        : commandBuffer(NS::RetainPtr(commandBuffer)), firstCommand_(commandBuffer->commandCount()) {
        commandBuffer->beginEncoder(this);
    }
    virtual ~EncoderPart();

    /// False, having reported it, after endEncoding().
    bool mayEncode(const char* call) const;
    void end();

    void pushGroup(const NS::String* name);
    void popGroup();
    void insertSignpost(const NS::String* text);

    /// Takes a sample when the encoder's commands have ended.
    void sampleAtEnd(const CounterBufferObject* buffer, NS::UInteger index);

    void noteMistake(std::string message) { commandBuffer->noteMistake(std::move(message)); }

    const NS::SharedPtr<CommandBufferObject> commandBuffer;
    Label label;

private:
    bool isOpen_ = true;
    unsigned groupDepth_ = 0;
    const std::size_t firstCommand_;  // of the command buffer's
    std::vector<std::pair<NS::SharedPtr<CounterBufferObject>, NS::UInteger>> samplesAtEnd_;
};

}  // namespace metal_objects
