// SPDX-License-Identifier: MIT

#include "encoder.hpp"

#include "error.hpp"

namespace metal_objects {

bool EncoderPart::mayEncode(const char* call) const {
    if (!isOpen_) reportMistake(std::string(call) + ": the encoder has ended encoding");
    return isOpen_;
}

void EncoderPart::end() {
    if (!mayEncode("endEncoding")) return;
    isOpen_ = false;
    commandBuffer->endEncoder();
}

}  // namespace metal_objects

using metal_objects::EncoderPart;
using metal_objects::part;

namespace MTL {

Device* CommandEncoder::device() const {
    return part<EncoderPart>(this)->commandBuffer->queue->device.get();
}
void CommandEncoder::endEncoding() {
    part<EncoderPart>(this)->end();
}
NS::String* CommandEncoder::label() const {
    return part<EncoderPart>(this)->label.get();
}
void CommandEncoder::setLabel(const NS::String* label) {
    part<EncoderPart>(this)->label.set(label);
}

// Marks for a debugger that shows captured commands. There is none to show them to, so they leave no trace.
void CommandEncoder::insertDebugSignpost(const NS::String*) {}
void CommandEncoder::pushDebugGroup(const NS::String*) {}
void CommandEncoder::popDebugGroup() {}
void CommandBuffer::pushDebugGroup(const NS::String*) {}
void CommandBuffer::popDebugGroup() {}
void CommandQueue::insertDebugCaptureBoundary() {}

}  // namespace MTL
