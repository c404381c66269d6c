// SPDX-License-Identifier: MIT
//
// Descriptors of passes, and the samples that a pass takes where it begins and ends.

#pragma once

#include <functional>

#include "counters.hpp"
#include "descriptor_array.hpp"

namespace metal_objects {

class EncoderPart;

struct SampleAttachmentValues {
    NS::SharedPtr<MTL::CounterSampleBuffer> buffer;  // null: no samples
    NS::UInteger start = MTL::CounterDontSample;
    NS::UInteger end = MTL::CounterDontSample;
};

inline constexpr NS::UInteger sampleAttachmentCount = 4;

using ComputeSampleObject = DescriptorOf<MTL::ComputePassSampleBufferAttachmentDescriptor, SampleAttachmentValues>;
using ComputeSamplesObject = DescriptorArrayOf<MTL::ComputePassSampleBufferAttachmentDescriptorArray,
                                               ComputeSampleObject, sampleAttachmentCount>;
using BlitSampleObject = DescriptorOf<MTL::BlitPassSampleBufferAttachmentDescriptor, SampleAttachmentValues>;
using BlitSamplesObject =
    DescriptorArrayOf<MTL::BlitPassSampleBufferAttachmentDescriptorArray, BlitSampleObject, sampleAttachmentCount>;

struct ComputePassValues {
    MTL::DispatchType dispatchType = MTL::DispatchTypeSerial;
    Owned<ComputeSamplesObject> samples;
};
using ComputePassDescriptorObject = DescriptorOf<MTL::ComputePassDescriptor, ComputePassValues>;

struct BlitPassValues {
    Owned<BlitSamplesObject> samples;
};
using BlitPassDescriptorObject = DescriptorOf<MTL::BlitPassDescriptor, BlitPassValues>;

/// Takes a sample when it is called. The index has been checked.
std::function<void()> sampling(const CounterBufferObject* buffer, NS::UInteger index);

enum class SampleTime { now, encoderEnd };

/// Whether an attachment's index says that there is a sample to take: not CounterDontSample. Notes a mistake for one
/// that there is not; `name`: what the attachment calls it.
bool mayTakeSample(EncoderPart* encoder, const MTL::CounterSampleBuffer* buffer, const char* name, NS::UInteger index);

/// Takes the sample, if there is one to take.
void takeSample(EncoderPart* encoder, const MTL::CounterSampleBuffer* buffer, const char* name, NS::UInteger index,
                SampleTime time);

/// Takes the samples of the pass's begin now, those of its end when the encoder ends.
template <class Samples>
void takeSamples(EncoderPart* encoder, const Samples& samples) {
    for (NS::UInteger i = 0; i < sampleAttachmentCount; ++i) {
        const auto* attachment = samples.find(i);
        if (attachment == nullptr || !attachment->values.buffer) continue;
        const SampleAttachmentValues& values = attachment->values;
        takeSample(encoder, values.buffer.get(), "startOfEncoderSampleIndex", values.start, SampleTime::now);
        takeSample(encoder, values.buffer.get(), "endOfEncoderSampleIndex", values.end, SampleTime::encoderEnd);
    }
}

}  // namespace metal_objects
