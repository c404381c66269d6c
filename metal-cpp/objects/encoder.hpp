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
    /// `isPart`: of another encoder, which the command buffer knows.
    explicit EncoderPart(CommandBufferObject* commandBuffer, bool isPart = false)
        : commandBuffer(NS::RetainPtr(commandBuffer)), isPart_(isPart), firstCommand_(commandBuffer->commandCount()) {
        if (!isPart_) commandBuffer->beginEncoder(this);
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

    /// The caller is told at once where it has a validation handler, which may throw: then the call has changed
    /// nothing. Else the command buffer's error will say it.
    void noteMistake(const std::string& message);

    bool isOpen() const { return isOpen_; }
    bool isPart() const { return isPart_; }

    const NS::SharedPtr<CommandBufferObject> commandBuffer;
    Label label;

protected:
    /// What the encoder does last. False, when it must not end yet.
    virtual bool finish() { return true; }
    /// Whether groups and signposts are those of commands in the command buffer, for a capture; else they are noted by
    /// the encoder itself.
    virtual bool recordsGroups() const { return true; }
    virtual void recordSignpost(const std::string&) {}
    const std::vector<std::string>& groups() const { return groups_; }

private:
    const bool isPart_;
    bool isOpen_ = true;
    const std::size_t firstCommand_;  // of the command buffer's
    std::vector<std::string> groups_;
    std::vector<std::pair<NS::SharedPtr<CounterBufferObject>, NS::UInteger>> samplesAtEnd_;
};

}  // namespace metal_objects
