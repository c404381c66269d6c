// SPDX-License-Identifier: MIT

#include "counters.hpp"

#include <cstring>

#include "../executor/clock.hpp"
#include "blit_encoder.hpp"
#include "buffer.hpp"
#include "command_buffer.hpp"
#include "command_watch.hpp"
#include "compute_encoder.hpp"
#include "data.hpp"
#include "error.hpp"
#include "join.hpp"
#include "passes.hpp"
#include "render_encoder.hpp"

namespace metal_objects {

namespace {

/// As many bytes as a sample buffer has on Apple's devices.
constexpr NS::UInteger mostSamples = 32768 / CounterBufferObject::sampleSize;

class CounterObject final : public Implements<MTL::Counter> {
public:
    explicit CounterObject(NS::String* name) : name(NS::RetainPtr(name)) {}
    const NS::SharedPtr<NS::String> name;
};

class CounterSetObject final : public Implements<MTL::CounterSet> {
public:
    CounterSetObject(NS::String* name, const NS::SharedPtr<MTL::Counter>& counter) : name(NS::RetainPtr(name)) {
        const NS::Object* only[] = {counter.get()};
        counters = NS::TransferPtr(NS::Array::alloc()->init(only, 1));
    }
    const NS::SharedPtr<NS::String> name;
    NS::SharedPtr<NS::Array> counters;
};

/// The one set, made once: programs compare it by its name or its address.
MTL::CounterSet* timestamps() {
    static const auto counter = NS::TransferPtr<MTL::Counter>(new CounterObject(MTL::CommonCounterTimestamp));
    static const auto set =
        NS::TransferPtr<MTL::CounterSet>(new CounterSetObject(MTL::CommonCounterSetTimestamp, counter));
    return set.get();
}

CounterBufferValues& values(const MTL::CounterSampleBufferDescriptor* descriptor) {
    return as<CounterBufferDescriptorObject>(descriptor)->values;
}

/// Empty, or why the device makes no such buffer.
std::string descriptorMistake(const CounterBufferValues& values) {
    if (!values.counterSet) return "descriptor.counterSet must not be nil";
    if (values.counterSet.get() != timestamps()) return "descriptor.counterSet is not one of this device's counterSets";
    if (values.sampleCount == 0 || values.sampleCount > mostSamples)
        return join("descriptor.sampleCount(", values.sampleCount, ") must be 1 to ", mostSamples);
    if (values.storageMode != MTL::StorageModeShared && values.storageMode != MTL::StorageModePrivate)
        return "descriptor.storageMode must be shared or private";
    return {};
}

/// For a command that writes the samples somewhere when it runs.
void copySamples(const CounterSamples& samples, NS::Range range, void* to) {
    auto* bytes = static_cast<std::uint8_t*>(to);
    for (NS::UInteger i = 0; i < range.length; ++i) {
        const std::uint64_t value = samples.values[range.location + i].load(std::memory_order_relaxed);
        std::memcpy(bytes + i * CounterBufferObject::sampleSize, &value, sizeof value);
    }
}

/// False, having noted the mistake, when there is no such sample to take.
bool maySample(EncoderPart* encoder, const CounterBufferObject* buffer, NS::UInteger index) {
    constexpr const char* call = "sampleCountersInBuffer";
    if (!encoder->mayEncode(call)) return false;
    const std::string mistake = buffer == nullptr
                                    ? "sampleBuffer must not be nil"
                                    : buffer->indexMistake(encoder->commandBuffer.get(), "sampleIndex", index);
    if (!mistake.empty()) encoder->noteMistake(join(call, ": ", mistake));
    return mistake.empty();
}

void sample(EncoderPart* encoder, const MTL::CounterSampleBuffer* sampleBuffer, NS::UInteger index) {
    const auto* buffer = as<CounterBufferObject>(sampleBuffer);
    if (maySample(encoder, buffer, index)) appendSample(encoder->commandBuffer.get(), buffer, index);
}

}  // namespace

std::string CounterBufferObject::rangeMistake(NS::Range range) const {
    const NS::UInteger count = values.sampleCount;
    if (range.location <= count && range.length <= count - range.location) return {};
    return join("range(", range.location, ", ", range.length, ") must be in the sample buffer, which has ", count,
                " samples");
}

std::string CounterBufferObject::indexMistake(const CommandBufferObject* commandBuffer, const char* name,
                                              NS::UInteger index) const {
    if (commandBuffer->queue->device.get() != device.get()) return "the sample buffer belongs to another device";
    if (index < values.sampleCount) return {};
    return join(name, "(", index, ") must be < the sample buffer's sampleCount(", values.sampleCount, ")");
}

std::function<void()> sampling(const CounterBufferObject* buffer, NS::UInteger index) {
    return [samples = buffer->samples, index] {
        samples->values[index].store(static_cast<std::uint64_t>(metal_executor::nanoseconds()),
                                     std::memory_order_relaxed);
    };
}

void appendSample(CommandBufferObject* commandBuffer, const CounterBufferObject* buffer, NS::UInteger index) {
    commandBuffer->append(metal_executor::Call{sampling(buffer, index)});
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::CounterBufferDescriptorObject;
using metal_objects::CounterBufferObject;
using metal_objects::CounterObject;
using metal_objects::CounterSetObject;
using metal_objects::values;

namespace MTL {

const NS::ErrorDomain CounterErrorDomain = NS::constantString("MTLCounterErrorDomain");
const CommonCounter CommonCounterTimestamp = NS::constantString("GPUTimestamp");
const CommonCounter CommonCounterTessellationInputPatches = NS::constantString("TessellationInputPatches");
const CommonCounter CommonCounterVertexInvocations = NS::constantString("VertexInvocations");
const CommonCounter CommonCounterPostTessellationVertexInvocations =
    NS::constantString("PostTessellationVertexInvocations");
const CommonCounter CommonCounterClipperInvocations = NS::constantString("ClipperInvocations");
const CommonCounter CommonCounterClipperPrimitivesOut = NS::constantString("ClipperPrimitivesOut");
const CommonCounter CommonCounterFragmentInvocations = NS::constantString("FragmentInvocations");
const CommonCounter CommonCounterFragmentsPassed = NS::constantString("FragmentsPassed");
const CommonCounter CommonCounterComputeKernelInvocations = NS::constantString("KernelInvocations");
const CommonCounter CommonCounterTotalCycles = NS::constantString("TotalCycles");
const CommonCounter CommonCounterVertexCycles = NS::constantString("VertexCycles");
const CommonCounter CommonCounterTessellationCycles = NS::constantString("TessellationCycles");
const CommonCounter CommonCounterPostTessellationVertexCycles = NS::constantString("PostTessellationVertexCycles");
const CommonCounter CommonCounterFragmentCycles = NS::constantString("FragmentCycles");
const CommonCounter CommonCounterRenderTargetWriteCycles = NS::constantString("RenderTargetWriteCycles");
const CommonCounterSet CommonCounterSetTimestamp = NS::constantString("timestamp");
const CommonCounterSet CommonCounterSetStageUtilization = NS::constantString("stageutilization");
const CommonCounterSet CommonCounterSetStatistic = NS::constantString("statistic");

NS::String* Counter::name() const {
    return as<CounterObject>(this)->name.get();
}
NS::Array* CounterSet::counters() const {
    return as<CounterSetObject>(this)->counters.get();
}
NS::String* CounterSet::name() const {
    return as<CounterSetObject>(this)->name.get();
}

// ---- CounterSampleBufferDescriptor ----

CounterSampleBufferDescriptor* CounterSampleBufferDescriptor::alloc() {
    return new CounterBufferDescriptorObject;
}
CounterSampleBufferDescriptor* CounterSampleBufferDescriptor::init() {
    return this;
}

CounterSet* CounterSampleBufferDescriptor::counterSet() const {
    return values(this).counterSet.get();
}
void CounterSampleBufferDescriptor::setCounterSet(const MTL::CounterSet* counterSet) {
    values(this).counterSet = NS::RetainPtr(const_cast<CounterSet*>(counterSet));
}
NS::String* CounterSampleBufferDescriptor::label() const {
    return values(this).label.get();
}
void CounterSampleBufferDescriptor::setLabel(const NS::String* label) {
    values(this).label = NS::RetainPtr(const_cast<NS::String*>(label));
}
NS::UInteger CounterSampleBufferDescriptor::sampleCount() const {
    return values(this).sampleCount;
}
void CounterSampleBufferDescriptor::setSampleCount(NS::UInteger sampleCount) {
    values(this).sampleCount = sampleCount;
}
StorageMode CounterSampleBufferDescriptor::storageMode() const {
    return values(this).storageMode;
}
void CounterSampleBufferDescriptor::setStorageMode(MTL::StorageMode storageMode) {
    values(this).storageMode = storageMode;
}

// ---- CounterSampleBuffer ----

Device* CounterSampleBuffer::device() const {
    return as<CounterBufferObject>(this)->device.get();
}
NS::String* CounterSampleBuffer::label() const {
    return as<CounterBufferObject>(this)->values.label.get();
}
NS::UInteger CounterSampleBuffer::sampleCount() const {
    return as<CounterBufferObject>(this)->values.sampleCount;
}

NS::Data* CounterSampleBuffer::resolveCounterRange(NS::Range range) {
    const auto* buffer = as<CounterBufferObject>(this);
    std::string mistake = buffer->rangeMistake(range);
    if (mistake.empty() && buffer->values.storageMode == StorageModePrivate)
        mistake = "the sample buffer's storage is private; BlitCommandEncoder::resolveCounters copies from it";
    if (!mistake.empty()) {
        metal_objects::reportMistake("resolveCounterRange: " + mistake);
        return nullptr;
    }
    std::string bytes(range.length * CounterBufferObject::sampleSize, '\0');
    metal_objects::copySamples(*buffer->samples, range, bytes.data());
    return metal_objects::makeData(bytes)->autorelease();
}

// ---- Device ----

NS::Array* Device::counterSets() const {
    const NS::Object* only[] = {metal_objects::timestamps()};
    return NS::Array::array(only, 1);
}

CounterSampleBuffer* Device::newCounterSampleBuffer(const CounterSampleBufferDescriptor* descriptor,
                                                    NS::Error** error) {
    const std::string mistake =
        descriptor == nullptr ? "descriptor must not be nil" : metal_objects::descriptorMistake(values(descriptor));
    if (mistake.empty()) {
        metal_objects::report(error, nullptr);
        return new CounterBufferObject(this, values(descriptor));
    }
    metal_objects::report(error, metal_objects::makeError("MTLCounterErrorDomain", CounterSampleBufferErrorInvalid,
                                                          "newCounterSampleBuffer: " + mistake));
    return nullptr;
}

bool Device::supportsCounterSampling(CounterSamplingPoint samplingPoint) {
    return samplingPoint == CounterSamplingPointAtStageBoundary ||
           samplingPoint == CounterSamplingPointAtDrawBoundary ||
           samplingPoint == CounterSamplingPointAtDispatchBoundary ||
           samplingPoint == CounterSamplingPointAtBlitBoundary;
}

// ---- Encoders ----

// Commands run one after the other, so a sample never comes before those in front of it: the barrier changes nothing.
void ComputeCommandEncoder::sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex,
                                                   bool) {
    metal_objects::sample(as<metal_objects::ComputeEncoderObject>(this), sampleBuffer, sampleIndex);
}

void BlitCommandEncoder::sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex,
                                                bool) {
    metal_objects::sample(as<metal_objects::BlitEncoderObject>(this), sampleBuffer, sampleIndex);
}

void RenderCommandEncoder::sampleCountersInBuffer(const CounterSampleBuffer* sampleBuffer, NS::UInteger sampleIndex,
                                                  bool) {
    auto* encoder = as<metal_objects::RenderEncoderObject>(this);
    const auto* buffer = as<CounterBufferObject>(sampleBuffer);
    if (metal_objects::maySample(encoder, buffer, sampleIndex)) encoder->sample(buffer, sampleIndex);
}

void BlitCommandEncoder::resolveCounters(const CounterSampleBuffer* sampleBuffer, NS::Range range,
                                         const Buffer* destinationBuffer, NS::UInteger destinationOffset) {
    constexpr const char* call = "resolveCounters";
    auto* encoder = as<metal_objects::BlitEncoderObject>(this);
    if (!encoder->mayEncode(call)) return;
    const auto refuse = [&](const std::string& why) { encoder->noteMistake(metal_objects::join(call, ": ", why)); };
    const auto* source = as<CounterBufferObject>(sampleBuffer);
    const auto* destination = as<metal_objects::BufferObject>(destinationBuffer);
    if (source == nullptr || destination == nullptr)
        return refuse("sampleBuffer and destinationBuffer must not be nil");
    if (source->device.get() != encoder->commandBuffer->queue->device.get())
        return refuse("the sample buffer belongs to another device");
    if (const std::string mistake = source->rangeMistake(range); !mistake.empty()) return refuse(mistake);
    const NS::UInteger size = range.length * CounterBufferObject::sampleSize;
    if (destinationOffset % alignof(std::uint64_t) != 0 || destinationOffset > destination->length ||
        size > destination->length - destinationOffset) {
        return refuse(metal_objects::join("destinationOffset(", destinationOffset, ") must be a multiple of 8, with ",
                                          size, " bytes to the end of the buffer, whose length is ",
                                          destination->length));
    }
    encoder->commandBuffer->use(destination);
    if (auto* watch = encoder->commandBuffer->watch()) {
        watch->command(call);
        watch->access(destination, destinationOffset, true);
    }
    encoder->commandBuffer->append(
        metal_executor::Call{[samples = source->samples, range, to = destination->bytes() + destinationOffset] {
            metal_objects::copySamples(*samples, range, to);
        }});
}

}  // namespace MTL
