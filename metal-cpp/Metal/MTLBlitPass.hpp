// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"

namespace MTL {

class CounterSampleBuffer;

/// Which samples are taken when the encoder's first command begins and when its last one has ended. Both are
/// CounterDontSample unless set.
class BlitPassSampleBufferAttachmentDescriptor : public NS::Copying<BlitPassSampleBufferAttachmentDescriptor> {
public:
    static BlitPassSampleBufferAttachmentDescriptor* alloc();
    NS::UInteger endOfEncoderSampleIndex() const;
    BlitPassSampleBufferAttachmentDescriptor* init();

    /// Null until it is set: no samples.
    CounterSampleBuffer* sampleBuffer() const;

    void setEndOfEncoderSampleIndex(NS::UInteger endOfEncoderSampleIndex);
    void setSampleBuffer(const MTL::CounterSampleBuffer* sampleBuffer);
    void setStartOfEncoderSampleIndex(NS::UInteger startOfEncoderSampleIndex);
    NS::UInteger startOfEncoderSampleIndex() const;
};

/// Four, made when they are asked for.
class BlitPassSampleBufferAttachmentDescriptorArray
    : public NS::Referencing<BlitPassSampleBufferAttachmentDescriptorArray> {
public:
    static BlitPassSampleBufferAttachmentDescriptorArray* alloc();
    BlitPassSampleBufferAttachmentDescriptorArray* init();

    /// Null for an index of 4 or more.
    BlitPassSampleBufferAttachmentDescriptor* object(NS::UInteger attachmentIndex);

    /// Takes a copy; null: takes no samples.
    void setObject(const MTL::BlitPassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex);
};

class BlitPassDescriptor : public NS::Copying<BlitPassDescriptor> {
public:
    static BlitPassDescriptor* alloc();
    static BlitPassDescriptor* blitPassDescriptor();
    BlitPassDescriptor* init();
    BlitPassSampleBufferAttachmentDescriptorArray* sampleBufferAttachments() const;
};

}  // namespace MTL
