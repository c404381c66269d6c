// SPDX-License-Identifier: MIT

#include "passes.hpp"

#include "encoder.hpp"
#include "join.hpp"

namespace metal_objects {

namespace {

ComputePassValues& values(const MTL::ComputePassDescriptor* descriptor) {
    return as<ComputePassDescriptorObject>(descriptor)->values;
}
BlitPassValues& values(const MTL::BlitPassDescriptor* descriptor) {
    return as<BlitPassDescriptorObject>(descriptor)->values;
}
SampleAttachmentValues& values(const MTL::ComputePassSampleBufferAttachmentDescriptor* attachment) {
    return as<ComputeSamplesObject::Object>(attachment)->values;
}
SampleAttachmentValues& values(const MTL::BlitPassSampleBufferAttachmentDescriptor* attachment) {
    return as<BlitSamplesObject::Object>(attachment)->values;
}

}  // namespace

void takeSamples(EncoderPart* encoder, const std::vector<SampleAttachmentValues>& attachments) {
    CommandBufferObject* commandBuffer = encoder->commandBuffer.get();
    for (const SampleAttachmentValues& attachment : attachments) {
        const auto* buffer = as<CounterBufferObject>(attachment.buffer.get());
        const auto isTaken = [&](const char* name, NS::UInteger index) {
            if (index == MTL::CounterDontSample) return false;
            const std::string mistake = buffer->indexMistake(commandBuffer, name, index);
            if (!mistake.empty()) encoder->noteMistake(join("sampleBufferAttachments: ", mistake));
            return mistake.empty();
        };
        if (isTaken("startOfEncoderSampleIndex", attachment.start))
            appendSample(commandBuffer, buffer, attachment.start);
        if (isTaken("endOfEncoderSampleIndex", attachment.end)) encoder->sampleAtEnd(buffer, attachment.end);
    }
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- Compute ----

ComputePassSampleBufferAttachmentDescriptor* ComputePassSampleBufferAttachmentDescriptor::alloc() {
    return new ComputeSamplesObject::Object;
}
ComputePassSampleBufferAttachmentDescriptor* ComputePassSampleBufferAttachmentDescriptor::init() {
    return this;
}

CounterSampleBuffer* ComputePassSampleBufferAttachmentDescriptor::sampleBuffer() const {
    return values(this).buffer.get();
}
void ComputePassSampleBufferAttachmentDescriptor::setSampleBuffer(const MTL::CounterSampleBuffer* sampleBuffer) {
    values(this).buffer = NS::RetainPtr(const_cast<CounterSampleBuffer*>(sampleBuffer));
}
NS::UInteger ComputePassSampleBufferAttachmentDescriptor::startOfEncoderSampleIndex() const {
    return values(this).start;
}
void ComputePassSampleBufferAttachmentDescriptor::setStartOfEncoderSampleIndex(NS::UInteger startOfEncoderSampleIndex) {
    values(this).start = startOfEncoderSampleIndex;
}
NS::UInteger ComputePassSampleBufferAttachmentDescriptor::endOfEncoderSampleIndex() const {
    return values(this).end;
}
void ComputePassSampleBufferAttachmentDescriptor::setEndOfEncoderSampleIndex(NS::UInteger endOfEncoderSampleIndex) {
    values(this).end = endOfEncoderSampleIndex;
}

ComputePassSampleBufferAttachmentDescriptorArray* ComputePassSampleBufferAttachmentDescriptorArray::alloc() {
    return new ComputeSamplesObject;
}
ComputePassSampleBufferAttachmentDescriptorArray* ComputePassSampleBufferAttachmentDescriptorArray::init() {
    return this;
}
ComputePassSampleBufferAttachmentDescriptor* ComputePassSampleBufferAttachmentDescriptorArray::object(
    NS::UInteger attachmentIndex) {
    return as<ComputeSamplesObject>(this)->at(attachmentIndex);
}
void ComputePassSampleBufferAttachmentDescriptorArray::setObject(
    const MTL::ComputePassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
    as<ComputeSamplesObject>(this)->set(attachment, attachmentIndex);
}

ComputePassDescriptor* ComputePassDescriptor::alloc() {
    return new ComputePassDescriptorObject;
}
ComputePassDescriptor* ComputePassDescriptor::init() {
    return this;
}

ComputePassDescriptor* ComputePassDescriptor::computePassDescriptor() {
    return alloc()->init()->autorelease();
}

DispatchType ComputePassDescriptor::dispatchType() const {
    return values(this).dispatchType;
}
void ComputePassDescriptor::setDispatchType(DispatchType dispatchType) {
    values(this).dispatchType = dispatchType;
}
ComputePassSampleBufferAttachmentDescriptorArray* ComputePassDescriptor::sampleBufferAttachments() const {
    return values(this).samples.object.get();
}

// ---- Blit ----

BlitPassSampleBufferAttachmentDescriptor* BlitPassSampleBufferAttachmentDescriptor::alloc() {
    return new BlitSamplesObject::Object;
}
BlitPassSampleBufferAttachmentDescriptor* BlitPassSampleBufferAttachmentDescriptor::init() {
    return this;
}

CounterSampleBuffer* BlitPassSampleBufferAttachmentDescriptor::sampleBuffer() const {
    return values(this).buffer.get();
}
void BlitPassSampleBufferAttachmentDescriptor::setSampleBuffer(const MTL::CounterSampleBuffer* sampleBuffer) {
    values(this).buffer = NS::RetainPtr(const_cast<CounterSampleBuffer*>(sampleBuffer));
}
NS::UInteger BlitPassSampleBufferAttachmentDescriptor::startOfEncoderSampleIndex() const {
    return values(this).start;
}
void BlitPassSampleBufferAttachmentDescriptor::setStartOfEncoderSampleIndex(NS::UInteger startOfEncoderSampleIndex) {
    values(this).start = startOfEncoderSampleIndex;
}
NS::UInteger BlitPassSampleBufferAttachmentDescriptor::endOfEncoderSampleIndex() const {
    return values(this).end;
}
void BlitPassSampleBufferAttachmentDescriptor::setEndOfEncoderSampleIndex(NS::UInteger endOfEncoderSampleIndex) {
    values(this).end = endOfEncoderSampleIndex;
}

BlitPassSampleBufferAttachmentDescriptorArray* BlitPassSampleBufferAttachmentDescriptorArray::alloc() {
    return new BlitSamplesObject;
}
BlitPassSampleBufferAttachmentDescriptorArray* BlitPassSampleBufferAttachmentDescriptorArray::init() {
    return this;
}
BlitPassSampleBufferAttachmentDescriptor* BlitPassSampleBufferAttachmentDescriptorArray::object(
    NS::UInteger attachmentIndex) {
    return as<BlitSamplesObject>(this)->at(attachmentIndex);
}
void BlitPassSampleBufferAttachmentDescriptorArray::setObject(
    const MTL::BlitPassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
    as<BlitSamplesObject>(this)->set(attachment, attachmentIndex);
}

BlitPassDescriptor* BlitPassDescriptor::alloc() {
    return new BlitPassDescriptorObject;
}
BlitPassDescriptor* BlitPassDescriptor::init() {
    return this;
}

BlitPassDescriptor* BlitPassDescriptor::blitPassDescriptor() {
    return alloc()->init()->autorelease();
}
BlitPassSampleBufferAttachmentDescriptorArray* BlitPassDescriptor::sampleBufferAttachments() const {
    return values(this).samples.object.get();
}

}  // namespace MTL
