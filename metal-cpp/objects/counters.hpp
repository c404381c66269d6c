// SPDX-License-Identifier: MIT
//
// Samples of counters. A sample is taken by a command of its own between the others, so it costs only those who ask.

#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "../Metal/Metal.hpp"
#include "runtime.hpp"

namespace metal_objects {

class CommandBufferObject;

/// Lives as long as a command that writes to it.
struct CounterSamples {
    explicit CounterSamples(NS::UInteger count) : values(count) {
        for (auto& value : values) value.store(MTL::CounterErrorValue, std::memory_order_relaxed);
    }
    std::vector<std::atomic<std::uint64_t>> values;
};

struct CounterBufferValues {
    NS::SharedPtr<MTL::CounterSet> counterSet;
    NS::SharedPtr<NS::String> label;
    NS::UInteger sampleCount = 0;
    MTL::StorageMode storageMode = MTL::StorageModeShared;
};
using CounterBufferDescriptorObject = DescriptorOf<MTL::CounterSampleBufferDescriptor, CounterBufferValues>;

class CounterBufferObject final : public Implements<MTL::CounterSampleBuffer> {
public:
    /// Bytes of a sample.
    static constexpr NS::UInteger sampleSize = sizeof(MTL::CounterResultTimestamp);

    CounterBufferObject(const MTL::Device* device, const CounterBufferValues& values)
        : device(NS::RetainPtr(const_cast<MTL::Device*>(device))),
          values(values),
          samples(std::make_shared<CounterSamples>(values.sampleCount)) {}

    /// Empty, or why there are no such samples.
    std::string rangeMistake(NS::Range range) const;
    /// Empty, or why no sample can be taken there by commands of `commandBuffer`; `name` is what the caller calls it.
    std::string indexMistake(const CommandBufferObject* commandBuffer, const char* name, NS::UInteger index) const;

    const NS::SharedPtr<MTL::Device> device;
    const CounterBufferValues values;
    const std::shared_ptr<CounterSamples> samples;
};

/// Takes a sample when the commands before have ended. The index has been checked.
void appendSample(CommandBufferObject* commandBuffer, const CounterBufferObject* buffer, NS::UInteger index);

}  // namespace metal_objects
