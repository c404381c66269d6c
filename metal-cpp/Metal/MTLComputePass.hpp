// SPDX-License-Identifier: MIT

#pragma once

#include "../Foundation/Foundation.hpp"
#include "MTLCommandBuffer.hpp"

namespace MTL {

class CounterSampleBuffer;

/// Which samples are taken when the encoder's first command begins and when its last one has ended. Both are
/// CounterDontSample unless set.
class ComputePassSampleBufferAttachmentDescriptor : public NS::Copying<ComputePassSampleBufferAttachmentDescriptor> {
public:
    static ComputePassSampleBufferAttachmentDescriptor* alloc();
    NS::UInteger endOfEncoderSampleIndex() const;
    ComputePassSampleBufferAttachmentDescriptor* init();

    /// Null until it is set: no samples.
    CounterSampleBuffer* sampleBuffer() const;

    void setEndOfEncoderSampleIndex(NS::UInteger endOfEncoderSampleIndex);
    void setSampleBuffer(const MTL::CounterSampleBuffer* sampleBuffer);
    void setStartOfEncoderSampleIndex(NS::UInteger startOfEncoderSampleIndex);
    NS::UInteger startOfEncoderSampleIndex() const;
};

/// Four, made when they are asked for.
class ComputePassSampleBufferAttachmentDescriptorArray
    : public NS::Referencing<ComputePassSampleBufferAttachmentDescriptorArray> {
public:
    static ComputePassSampleBufferAttachmentDescriptorArray* alloc();
    ComputePassSampleBufferAttachmentDescriptorArray* init();

    /// Null for an index of 4 or more.
    ComputePassSampleBufferAttachmentDescriptor* object(NS::UInteger attachmentIndex);

    /// Takes a copy; null: takes no samples.
    void setObject(const MTL::ComputePassSampleBufferAttachmentDescriptor* attachment, NS::UInteger attachmentIndex);
};

class ComputePassDescriptor : public NS::Copying<ComputePassDescriptor> {
public:
    static ComputePassDescriptor* alloc();
    static ComputePassDescriptor* computePassDescriptor();
    DispatchType dispatchType() const;
    ComputePassDescriptor* init();
    ComputePassSampleBufferAttachmentDescriptorArray* sampleBufferAttachments() const;
    void setDispatchType(DispatchType dispatchType);
};

}  // namespace MTL
