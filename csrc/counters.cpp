// SPDX-License-Identifier: MIT
//
// Counter sample buffers, and the passes that say where encoders take samples.

#include "counters.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::CounterSampleBufferDescriptor;
using Samples = MTL::CounterSampleBuffer;

constexpr NS::UInteger attachmentCount = 4;
/// More than any device has; which one has how many, it says itself.
constexpr std::uint64_t mostSamples = UINT32_MAX;

NS::Range checkedSamples(const char* where, const Samples& buffer, const RangeLike& range) {
    const auto [location, length] = range.value;
    const auto count = static_cast<std::int64_t>(buffer.sampleCount());
    if (location < 0 || length < 0 || location > count || length > count - location) {
        fail(ErrorKind::validation, concat(where, ": range is (", location, ", ", length,
                                           "), must be in the sample buffer, which has ", count, " samples"));
    }
    return NS::Range(static_cast<NS::UInteger>(location), static_cast<NS::UInteger>(length));
}

nb::bytes resolve(Samples& self, const RangeLike& range) {
    const NS::Data* data = self.resolveCounterRange(checkedSamples("resolve_counter_range", self, range));
    if (!data) fail(ErrorKind::resource, "resolve_counter_range: the device gave no samples");
    return nb::bytes(data->mutableBytes(), data->length());
}

/// -1 in Python is CounterDontSample.
template <class Attachment>
std::int64_t startIndex(const Attachment& self) {
    return static_cast<std::int64_t>(self.startOfEncoderSampleIndex());
}
template <class Attachment>
std::int64_t endIndex(const Attachment& self) {
    return static_cast<std::int64_t>(self.endOfEncoderSampleIndex());
}

template <class Attachment>
NS::UInteger checkedSample(const Attachment& self, const char* name, std::int64_t index) {
    if (index == -1) return MTL::CounterDontSample;
    const Samples* buffer = self.sampleBuffer();
    return checkedIndex("sample_buffer_attachments", name, index, buffer ? buffer->sampleCount() : mostSamples);
}

template <class Attachment, class Attachments, class Pass>
void bindPass(nb::module_& module, const std::string& kind) {
    static const std::string attachmentName = kind + "PassSampleBufferAttachmentDescriptor";
    static const std::string arrayName = attachmentName + "Array";
    static const std::string passName = kind + "PassDescriptor";
    nb::class_<Attachment>(module, attachmentName.c_str(),
                           "Which samples are taken where an encoder begins and ends; -1 for none.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Attachment::alloc()->init()); }), pooled)
        .def_prop_rw(
            "sample_buffer", [](const Attachment& self) { return shared(self.sampleBuffer()); },
            [](Attachment& self, const Samples* buffer) { self.setSampleBuffer(buffer); },
            nb::for_setter(nb::arg("buffer").none()),
            nb::for_getter(nb::sig("def sample_buffer(self) -> CounterSampleBuffer | None")), pooled,
            "Where the samples go; None: none are taken.")
        .def_prop_rw(
            "start_of_encoder_sample_index", &startIndex<Attachment>,
            [](Attachment& self, std::int64_t index) {
                self.setStartOfEncoderSampleIndex(checkedSample(self, "start_of_encoder_sample_index", index));
            },
            pooled, "Index of the sample that is taken when the encoder's first command begins; -1: none.")
        .def_prop_rw(
            "end_of_encoder_sample_index", &endIndex<Attachment>,
            [](Attachment& self, std::int64_t index) {
                self.setEndOfEncoderSampleIndex(checkedSample(self, "end_of_encoder_sample_index", index));
            },
            pooled, "Index of the sample that is taken when the encoder's last command has ended; -1: none.");
    nb::class_<Attachments>(module, arrayName.c_str(), "A pass's four places for sample buffers.",
                            nb::is_weak_referenceable())
        .def(
            "__getitem__",
            [](Attachments& self, std::int64_t index) {
                return shared(self.object(checkedIndex("sample_buffer_attachments", "index", index, attachmentCount)));
            },
            "index"_a, pooled)
        .def(
            "__setitem__",
            [](Attachments& self, std::int64_t index, const Attachment* attachment) {
                self.setObject(attachment, checkedIndex("sample_buffer_attachments", "index", index, attachmentCount));
            },
            "index"_a, "attachment"_a.none(), pooled);
    nb::class_<Pass> pass(module, passName.c_str(), "What an encoder is made with.", nb::is_weak_referenceable());
    pass.def(nb::new_([] { return owned(Pass::alloc()->init()); }), pooled)
        .def_prop_ro(
            "sample_buffer_attachments", [](const Pass& self) { return shared(self.sampleBufferAttachments()); },
            pooled, "Where samples of counters go, by index.");
    if constexpr (requires(Pass& made) { made.setDispatchType(MTL::DispatchTypeSerial); }) {
        pass.def_static(
                "compute_pass_descriptor", [] { return shared(Pass::computePassDescriptor()); }, pooled,
                "A descriptor as by default, as the constructor makes.")
            .def_prop_rw("dispatch_type", &Pass::dispatchType, &Pass::setDispatchType, pooled,
                         "Whether the dispatches run one after another.");
    } else {
        pass.def_static(
            "blit_pass_descriptor", [] { return shared(Pass::blitPassDescriptor()); }, pooled,
            "A descriptor as by default, as the constructor makes.");
    }
}

/// Attachments were checked one by one; a buffer that came after an index was not.
template <class Pass>
void checkPass(const char* where, CommandBuffer& commandBuffer, const Pass& pass) {
    for (NS::UInteger i = 0; i < attachmentCount; ++i) {
        const auto* attachment = pass.sampleBufferAttachments()->object(i);
        const Samples* buffer = attachment->sampleBuffer();
        if (!buffer) continue;
        commandBuffer.checkDevice(where, "sample_buffer", buffer->device());
        checkedSample(*attachment, "start_of_encoder_sample_index", startIndex(*attachment));
        checkedSample(*attachment, "end_of_encoder_sample_index", endIndex(*attachment));
    }
}

}  // namespace

std::vector<NS::SharedPtr<MTL::CounterSet>> counterSets(const MTL::Device& device) {
    std::vector<NS::SharedPtr<MTL::CounterSet>> sets;
    const NS::Array* all = device.counterSets();
    for (NS::UInteger i = 0; all && i < all->count(); ++i) sets.push_back(shared(all->object<MTL::CounterSet>(i)));
    return sets;
}

NS::SharedPtr<Samples> newCounterSampleBuffer(MTL::Device& device, const Descriptor& descriptor) {
    constexpr const char* where = "new_counter_sample_buffer";
    if (!descriptor.counterSet()) fail(ErrorKind::validation, concat(where, ": the descriptor has no counter_set"));
    if (descriptor.sampleCount() == 0)
        fail(ErrorKind::validation, concat(where, ": sample_count is 0, must be 1 or more"));
    NS::Error* error = nullptr;
    Samples* buffer = device.newCounterSampleBuffer(&descriptor, &error);
    if (!buffer) fail(ErrorKind::validation, errorText(error));
    return owned(buffer);
}

std::shared_ptr<ComputeEncoder> computeEncoderOfPass(CommandBuffer& commandBuffer,
                                                     const MTL::ComputePassDescriptor& descriptor) {
    constexpr const char* where = "compute_command_encoder";
    commandBuffer.checkEncodable(where);
    checkPass(where, commandBuffer, descriptor);
    MTL::ComputeCommandEncoder* encoder = commandBuffer.metal->computeCommandEncoder(&descriptor);
    if (!encoder) fail(ErrorKind::resource, concat(where, ": the command buffer gave no encoder"));
    return std::make_shared<ComputeEncoder>(commandBuffer.shared_from_this(), encoder);
}

std::shared_ptr<BlitEncoder> blitEncoderOfPass(CommandBuffer& commandBuffer,
                                               const MTL::BlitPassDescriptor& descriptor) {
    constexpr const char* where = "blit_command_encoder";
    commandBuffer.checkEncodable(where);
    checkPass(where, commandBuffer, descriptor);
    MTL::BlitCommandEncoder* encoder = commandBuffer.metal->blitCommandEncoder(&descriptor);
    if (!encoder) fail(ErrorKind::resource, concat(where, ": the command buffer gave no encoder"));
    return std::make_shared<BlitEncoder>(commandBuffer.shared_from_this(), encoder);
}

void resolveCounters(BlitEncoder& encoder, const Samples& buffer, const RangeLike& range, MTL::Buffer& destination,
                     std::int64_t offset) {
    constexpr const char* where = "resolve_counters";
    constexpr std::int64_t size = sizeof(MTL::CounterResultTimestamp);
    encoder.checkOpen(where);
    encoder.commandBuffer->checkDevice(where, "sample_buffer", buffer.device());
    encoder.checkBuffer(where, "destination", destination);
    const NS::Range samples = checkedSamples(where, buffer, range);
    if (offset % size != 0)
        fail(ErrorKind::validation, concat(where, ": destination_offset is ", offset, ", must be a multiple of 8"));
    checkRange(where, "the destination", offset, static_cast<std::int64_t>(samples.length) * size,
               destination.length());
    encoder.metal->resolveCounters(&buffer, samples, &destination, static_cast<NS::UInteger>(offset));
}

void bindCounters(nb::module_& module) {
    nb::class_<MTL::CounterSet>(module, "CounterSet", "Counters that are sampled together.",
                                nb::is_weak_referenceable())
        .def_prop_ro(
            "name", [](const MTL::CounterSet& self) { return pythonText(self.name()); }, pooled,
            "Its name, such as \"timestamp\".")
        .def_prop_ro(
            "counters",
            [](const MTL::CounterSet& self) {
                std::vector<std::string> names;
                const NS::Array* all = self.counters();
                for (NS::UInteger i = 0; all && i < all->count(); ++i)
                    names.push_back(pythonText(all->object<MTL::Counter>(i)->name()));
                return names;
            },
            pooled, "Their names.")
        .def(
            "__repr__", [](const MTL::CounterSet& self) { return "<CounterSet " + pythonText(self.name()) + ">"; },
            pooled);
    nb::class_<Descriptor>(module, "CounterSampleBufferDescriptor", "What a counter sample buffer is made of.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_prop_rw(
            "counter_set", [](const Descriptor& self) { return shared(self.counterSet()); },
            [](Descriptor& self, const MTL::CounterSet* set) { self.setCounterSet(set); },
            nb::for_setter(nb::arg("counter_set").none()),
            nb::for_getter(nb::sig("def counter_set(self) -> CounterSet | None")), pooled,
            "One of `Device.counter_sets`.")
        .def_prop_rw(
            "label", [](const Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures; empty unless set.")
        .def_prop_rw(
            "sample_count", &Descriptor::sampleCount,
            [](Descriptor& self, std::int64_t count) {
                self.setSampleCount(
                    checkedCount("CounterSampleBufferDescriptor", "sample_count", count, 1, mostSamples));
            },
            pooled, "How many samples it holds.")
        .def_prop_rw("storage_mode", &Descriptor::storageMode, &Descriptor::setStorageMode, pooled,
                     "Shared, or private: then a blit encoder copies from it.");
    nb::class_<Samples>(module, "CounterSampleBuffer", "Where a device writes samples of counters.",
                        nb::is_weak_referenceable())
        .def_prop_ro(
            "device", [](const Samples& self) { return shared(self.device()); }, pooled, "The device that made it.")
        .def_prop_ro(
            "label", [](const Samples& self) { return pythonText(self.label()); }, pooled,
            "The name that its descriptor gave it.")
        .def_prop_ro("sample_count", &Samples::sampleCount, pooled, "How many samples it holds.")
        .def("__len__", &Samples::sampleCount, pooled)
        .def("resolve_counter_range", &resolve, "range"_a, pooled,
             "Bytes of the samples, a uint64 each for timestamps; those not taken are COUNTER_ERROR_VALUE.");
    bindPass<MTL::ComputePassSampleBufferAttachmentDescriptor, MTL::ComputePassSampleBufferAttachmentDescriptorArray,
             MTL::ComputePassDescriptor>(module, "Compute");
    bindPass<MTL::BlitPassSampleBufferAttachmentDescriptor, MTL::BlitPassSampleBufferAttachmentDescriptorArray,
             MTL::BlitPassDescriptor>(module, "Blit");
    module.attr("COUNTER_ERROR_VALUE") = static_cast<std::uint64_t>(MTL::CounterErrorValue);
    module.attr("COUNTER_DONT_SAMPLE") = -1;
}

}  // namespace mtlpy
