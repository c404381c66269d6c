// SPDX-License-Identifier: MIT

#pragma once

#include <string>

#include "command_buffer.hpp"

namespace metal_objects {

/// What encoders of every kind have in common.
class EncoderPart {
public:
    explicit EncoderPart(CommandBufferObject* commandBuffer) : commandBuffer(NS::RetainPtr(commandBuffer)) {
        commandBuffer->beginEncoder(this);
    }
    virtual ~EncoderPart() {
        if (isOpen_) {
            commandBuffer->noteMistake("the encoder was released without endEncoding");
            commandBuffer->endEncoder();
        }
    }

    /// False, having reported it, after endEncoding().
    bool mayEncode(const char* call) const;
    void end();

    void pushGroup(const NS::String* name);
    void popGroup();
    void insertSignpost(const NS::String* text);

    void noteMistake(std::string message) { commandBuffer->noteMistake(std::move(message)); }

    const NS::SharedPtr<CommandBufferObject> commandBuffer;
    Label label;

private:
    bool isOpen_ = true;
    unsigned groupDepth_ = 0;
};

}  // namespace metal_objects
