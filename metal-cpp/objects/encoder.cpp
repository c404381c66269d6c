// SPDX-License-Identifier: MIT

#include "encoder.hpp"

#include "capture_session.hpp"
#include "command_watch.hpp"
#include "error.hpp"

namespace metal_objects {

EncoderPart::~EncoderPart() {
    if (!isOpen_) return;
    commandBuffer->noteMistake("the encoder was released without endEncoding");
    if (isPart_) return;
    if (auto* watch = commandBuffer->watch()) watch->endEncoder(0, false);
    commandBuffer->endEncoder();
}

bool EncoderPart::mayEncode(const char* call) const {
    if (isOpen_ && !commandBuffer->isCommitted()) return true;
    std::string text = std::string(call) + (!isOpen_ ? ": the encoder has ended encoding"
                                                     : ": the command buffer has been committed already");
    if (DebugLayer::get().isOn)
        text += " (command buffer" + quoted(commandBuffer->label.text()) + ", encoder" + quoted(label.text()) + ")";
    reportMistake(text);
    return false;
}

void EncoderPart::noteMistake(const std::string& message) {
    const auto* watch = commandBuffer->watch();
    tellMistake(watch != nullptr ? message + watch->place() : message);
    commandBuffer->noteMistake(message);
}

void EncoderPart::end() {
    if (!mayEncode("endEncoding") || !finish()) return;
    for (const auto& [buffer, index] : samplesAtEnd_) appendSample(commandBuffer.get(), buffer.get(), index);
    isOpen_ = false;
    if (isPart_) return;
    if (auto* watch = commandBuffer->watch())
        watch->endEncoder(static_cast<unsigned>(groups_.size()), commandBuffer->commandCount() == firstCommand_);
    if (auto* record = commandBuffer->record()) record->endEncoder(label.text());
    commandBuffer->endEncoder();
}

void EncoderPart::sampleAtEnd(const CounterBufferObject* buffer, NS::UInteger index) {
    samplesAtEnd_.emplace_back(NS::RetainPtr(const_cast<CounterBufferObject*>(buffer)), index);
}

void EncoderPart::pushGroup(const NS::String* name) {
    if (!mayEncode("pushDebugGroup")) return;
    groups_.emplace_back(view(name));
    auto* record = recordsGroups() ? commandBuffer->record() : nullptr;
    if (record != nullptr) record->pushGroup(groups_.back());
}

void EncoderPart::popGroup() {
    if (!mayEncode("popDebugGroup")) return;
    if (groups_.empty()) return noteMistake("popDebugGroup: no debug group was pushed");
    groups_.pop_back();
    auto* record = recordsGroups() ? commandBuffer->record() : nullptr;
    if (record != nullptr) record->popGroup();
}

void EncoderPart::insertSignpost(const NS::String* text) {
    if (!mayEncode("insertDebugSignpost")) return;
    if (!recordsGroups()) return recordSignpost(std::string(view(text)));
    auto* record = commandBuffer->record();
    if (record == nullptr) return;
    CommandRecord signpost(CommandRecord::Kind::signpost);
    signpost.fields.member("text", view(text));
    record->describe(std::move(signpost));
    commandBuffer->append(metal_executor::Call{[] {}});
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

void CommandEncoder::insertDebugSignpost(const NS::String* string) {
    part<EncoderPart>(this)->insertSignpost(string);
}
void CommandEncoder::pushDebugGroup(const NS::String* string) {
    part<EncoderPart>(this)->pushGroup(string);
}
void CommandEncoder::popDebugGroup() {
    part<EncoderPart>(this)->popGroup();
}

void CommandBuffer::pushDebugGroup(const NS::String* string) {
    metal_objects::as<metal_objects::CommandBufferObject>(this)->pushGroup(string);
}
void CommandBuffer::popDebugGroup() {
    metal_objects::as<metal_objects::CommandBufferObject>(this)->popGroup();
}

}  // namespace MTL
