// SPDX-License-Identifier: MIT
//
// Where a render pass takes samples of counters.

#include <Metal/Metal.hpp>

#include "bind_render.hpp"
#include "descriptor_array.hpp"
#include "errors.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Attachment = MTL::RenderPassSampleBufferAttachmentDescriptor;

constexpr std::uint64_t attachments = 4;

/// -1 in Python is CounterDontSample.
template <NS::UInteger (Attachment::*get)() const, void (Attachment::*set)(NS::UInteger)>
void bindIndex(nb::class_<Attachment>& type, const char* name, const char* text) {
    type.def_prop_rw(
        name, [](const Attachment& self) { return static_cast<std::int64_t>((self.*get)()); },
        [name](Attachment& self, std::int64_t index) {
            const MTL::CounterSampleBuffer* buffer = self.sampleBuffer();
            const std::uint64_t most = buffer ? buffer->sampleCount() : UINT32_MAX;
            (self.*set)(index == -1 ? MTL::CounterDontSample
                                    : checkedIndex("sample_buffer_attachments", name, index, most));
        },
        pooled, text);
}

}  // namespace

void bindRenderSamples(nb::module_& module, nb::class_<MTL::RenderPassDescriptor>& pass) {
    nb::class_<Attachment> type(module, "RenderPassSampleBufferAttachmentDescriptor",
                                "When a render pass takes samples of counters.", nb::is_weak_referenceable());
    type.def(nb::new_([] { return owned(Attachment::alloc()->init()); }), pooled)
        .def_prop_rw(
            "sample_buffer", [](const Attachment& self) { return shared(self.sampleBuffer()); },
            [](Attachment& self, MTL::CounterSampleBuffer* buffer) { self.setSampleBuffer(buffer); }, pooled,
            nb::for_getter(nb::sig("def sample_buffer(self) -> CounterSampleBuffer | None")),
            nb::for_setter("value"_a.none()), "Where the samples go; None: none are taken.");
    bindIndex<&Attachment::startOfVertexSampleIndex, &Attachment::setStartOfVertexSampleIndex>(
        type, "start_of_vertex_sample_index", "Of the sample before the vertex functions; -1: none.");
    bindIndex<&Attachment::endOfVertexSampleIndex, &Attachment::setEndOfVertexSampleIndex>(
        type, "end_of_vertex_sample_index", "Of the sample after the vertex functions; -1: none.");
    bindIndex<&Attachment::startOfFragmentSampleIndex, &Attachment::setStartOfFragmentSampleIndex>(
        type, "start_of_fragment_sample_index", "Of the sample before the fragment functions; -1: none.");
    bindIndex<&Attachment::endOfFragmentSampleIndex, &Attachment::setEndOfFragmentSampleIndex>(
        type, "end_of_fragment_sample_index", "Of the sample after the fragment functions; -1: none.");
    bindDescriptorArray<MTL::RenderPassSampleBufferAttachmentDescriptorArray, Attachment>(
        module, "RenderPassSampleBufferAttachmentDescriptorArray", "When a render pass takes samples of counters.",
        attachments);
    pass.def_prop_ro(
        "sample_buffer_attachments",
        [](MTL::RenderPassDescriptor& self) { return shared(self.sampleBufferAttachments()); }, pooled,
        "When samples of counters are taken.");
}

}  // namespace mtlpy
