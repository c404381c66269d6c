// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "blit_encoder.hpp"
#include "compute_encoder.hpp"

namespace mtlpy {

std::vector<NS::SharedPtr<MTL::CounterSet>> counterSets(const MTL::Device& device);

/// Throws a ValidationError when the device has no such samples.
NS::SharedPtr<MTL::CounterSampleBuffer> newCounterSampleBuffer(MTL::Device& device,
                                                               const MTL::CounterSampleBufferDescriptor& descriptor);

std::shared_ptr<ComputeEncoder> computeEncoderOfPass(CommandBuffer& commandBuffer,
                                                     const MTL::ComputePassDescriptor& descriptor);
std::shared_ptr<BlitEncoder> blitEncoderOfPass(CommandBuffer& commandBuffer, const MTL::BlitPassDescriptor& descriptor);

/// `where` is what Python calls it. Metal stops the program for a device that cannot sample at `point`.
template <class E>
void sampleCounters(E& encoder, MTL::CounterSamplingPoint point, const MTL::CounterSampleBuffer& buffer,
                    std::int64_t index, bool barrier) {
    constexpr const char* where = "sample_counters_in_buffer";
    encoder.checkOpen(where);
    encoder.commandBuffer->checkDevice(where, "sample_buffer", buffer.device());
    const NS::UInteger place = checkedIndex(where, "sample_index", index, buffer.sampleCount());
    if (!encoder.commandBuffer->metal->device()->supportsCounterSampling(point)) {
        fail(ErrorKind::validation,
             concat(where,
                    ": this device samples only where encoders begin and end; give the encoder a pass with "
                    "sample_buffer_attachments"));
    }
    encoder.metal->sampleCountersInBuffer(&buffer, place, barrier);
}

void resolveCounters(BlitEncoder& encoder, const MTL::CounterSampleBuffer& buffer, const RangeLike& range,
                     MTL::Buffer& destination, std::int64_t offset);

}  // namespace mtlpy
