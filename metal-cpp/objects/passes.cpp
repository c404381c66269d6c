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
    return as<ComputeSampleObject>(attachment)->values;
}
SampleAttachmentValues& values(const MTL::BlitPassSampleBufferAttachmentDescriptor* attachment) {
    return as<BlitSampleObject>(attachment)->values;
}

}  // namespace

bool mayTakeSample(EncoderPart* encoder, const MTL::CounterSampleBuffer* buffer, const char* name, NS::UInteger index) {
    if (index == MTL::CounterDontSample) return false;
    const std::string mistake =
        as<CounterBufferObject>(buffer)->indexMistake(encoder->commandBuffer.get(), name, index);
    // The encoder is about to be given: the caller gets it, and the mistake later.
    if (!mistake.empty()) encoder->commandBuffer->noteMistake(join("sampleBufferAttachments: ", mistake));
    return mistake.empty();
}

void takeSample(EncoderPart* encoder, const MTL::CounterSampleBuffer* buffer, const char* name, NS::UInteger index,
                SampleTime time) {
    if (!mayTakeSample(encoder, buffer, name, index)) return;
    const auto* samples = as<CounterBufferObject>(buffer);
    if (time == SampleTime::encoderEnd) return encoder->sampleAtEnd(samples, index);
    appendSample(encoder->commandBuffer.get(), samples, index);
}

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- Compute ----

ComputePassSampleBufferAttachmentDescriptor* ComputePassSampleBufferAttachmentDescriptor::alloc() {
    return new ComputeSampleObject;
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
    return as<ComputeSamplesObject>(this)->at(attachmentIndex, "sampleBufferAttachments");
}
void ComputePassSampleBufferAttachmentDescriptorArray::setObject(
    const MTL::ComputePassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
    as<ComputeSamplesObject>(this)->set(as<ComputeSampleObject>(attachment), attachmentIndex,
                                        "sampleBufferAttachments");
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
    return values(this).samples.get();
}

// ---- Blit ----

BlitPassSampleBufferAttachmentDescriptor* BlitPassSampleBufferAttachmentDescriptor::alloc() {
    return new BlitSampleObject;
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
    return as<BlitSamplesObject>(this)->at(attachmentIndex, "sampleBufferAttachments");
}
void BlitPassSampleBufferAttachmentDescriptorArray::setObject(
    const MTL::BlitPassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex) {
    as<BlitSamplesObject>(this)->set(as<BlitSampleObject>(attachment), attachmentIndex, "sampleBufferAttachments");
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
    return values(this).samples.get();
}

}  // namespace MTL
