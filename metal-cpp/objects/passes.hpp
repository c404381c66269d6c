// SPDX-License-Identifier: MIT
//
// Descriptors of passes, and the samples that a pass takes where it begins and ends.

#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "counters.hpp"
#include "error.hpp"

namespace metal_objects {

class EncoderPart;

struct SampleAttachmentValues {
    NS::SharedPtr<MTL::CounterSampleBuffer> buffer;  // null: no samples
    NS::UInteger start = MTL::CounterDontSample;
    NS::UInteger end = MTL::CounterDontSample;
};

inline constexpr NS::UInteger sampleAttachmentCount = 4;

/// Of a pass's attachments, those that there are; `Attachment` is the public class of one.
template <class Array, class Attachment>
class SampleAttachmentsObject final : public Implements<Array> {
public:
    using Object = DescriptorOf<Attachment, SampleAttachmentValues>;

    Object* at(NS::UInteger index) {
        if (!isIndex(index)) return nullptr;
        if (!all_[index]) all_[index] = NS::TransferPtr(new Object);
        return all_[index].get();
    }
    void set(const Attachment* attachment, NS::UInteger index) {
        if (!isIndex(index)) return;
        all_[index] = attachment != nullptr ? NS::TransferPtr(new Object(as<Object>(attachment)->values))
                                            : NS::SharedPtr<Object>();
    }
    std::vector<SampleAttachmentValues> values() const {
        std::vector<SampleAttachmentValues> found;
        for (const auto& attachment : all_)
            if (attachment && attachment->values.buffer) found.push_back(attachment->values);
        return found;
    }
    void copy(const SampleAttachmentsObject& other) {
        for (NS::UInteger i = 0; i < sampleAttachmentCount; ++i) set(other.all_[i].get(), i);
    }

private:
    static bool isIndex(NS::UInteger index) {
        if (index < sampleAttachmentCount) return true;
        reportMistake("sampleBufferAttachments: index (" + std::to_string(index) + ") must be < " +
                      std::to_string(sampleAttachmentCount));
        return false;
    }

    std::array<NS::SharedPtr<Object>, sampleAttachmentCount> all_;
};

/// Attachments that are copied with the descriptor that has them.
template <class Object>
struct Attachments {
    Attachments() : object(NS::TransferPtr(new Object)) {}
    Attachments(const Attachments& other) : Attachments() { object->copy(*other.object.get()); }
    Attachments& operator=(const Attachments&) = delete;

    NS::SharedPtr<Object> object;
};

using ComputeSamplesObject = SampleAttachmentsObject<MTL::ComputePassSampleBufferAttachmentDescriptorArray,
                                                     MTL::ComputePassSampleBufferAttachmentDescriptor>;
using BlitSamplesObject = SampleAttachmentsObject<MTL::BlitPassSampleBufferAttachmentDescriptorArray,
                                                  MTL::BlitPassSampleBufferAttachmentDescriptor>;

struct ComputePassValues {
    MTL::DispatchType dispatchType = MTL::DispatchTypeSerial;
    Attachments<ComputeSamplesObject> samples;
};
using ComputePassDescriptorObject = DescriptorOf<MTL::ComputePassDescriptor, ComputePassValues>;

struct BlitPassValues {
    Attachments<BlitSamplesObject> samples;
};
using BlitPassDescriptorObject = DescriptorOf<MTL::BlitPassDescriptor, BlitPassValues>;

/// Takes the samples of the pass's begin now, those of its end when the encoder ends. Notes a mistake for a sample
/// that there is not.
void takeSamples(EncoderPart* encoder, const std::vector<SampleAttachmentValues>& attachments);

}  // namespace metal_objects
