// SPDX-License-Identifier: MIT
//
// Where a vertex function's [[stage_in]] comes from.

#include <Metal/Metal.hpp>

#include "bind_render.hpp"
#include "descriptor_array.hpp"
#include "errors.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

constexpr std::uint64_t vertexBuffers = 31, vertexAttributes = 31;

/// In Python; Metal's is the largest number that there is.
constexpr std::int64_t dynamicStride = -1;

NS::UInteger checkedNumber(const char* where, const char* name, std::int64_t value) {
    return checkedCount(where, name, value, 0, UINT32_MAX);
}

void bindElements(nb::module_& module) {
    using Attribute = MTL::VertexAttributeDescriptor;
    nb::class_<Attribute>(module, "VertexAttributeDescriptor", "Where a vertex' member with [[attribute(n)]] lies.",
                          nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Attribute::alloc()->init()); }), pooled)
        .def_prop_rw("format", &Attribute::format, &Attribute::setFormat, pooled,
                     "Its type in the buffer; VertexFormat.Invalid: there is no such attribute.")
        .def_prop_rw(
            "buffer_index", &Attribute::bufferIndex,
            [](Attribute& self, std::int64_t value) {
                self.setBufferIndex(checkedIndex("VertexAttributeDescriptor", "buffer_index", value, vertexBuffers));
            },
            pooled, "Index of the buffer, as of `set_vertex_buffer`.")
        .def_prop_rw(
            "offset", &Attribute::offset,
            [](Attribute& self, std::int64_t value) {
                self.setOffset(checkedNumber("VertexAttributeDescriptor", "offset", value));
            },
            pooled, "Bytes from the start of an element.");
    using Layout = MTL::VertexBufferLayoutDescriptor;
    nb::class_<Layout>(module, "VertexBufferLayoutDescriptor",
                       "How the elements of a vertex buffer follow one another.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Layout::alloc()->init()); }), pooled)
        .def_prop_rw(
            "stride", [](const Layout& self) { return static_cast<std::int64_t>(self.stride()); },
            [](Layout& self, std::int64_t value) {
                self.setStride(value == dynamicStride ? MTL::BufferLayoutStrideDynamic
                                                      : checkedNumber("VertexBufferLayoutDescriptor", "stride", value));
            },
            pooled,
            "Bytes from one element to the next; -1, Metal's BufferLayoutStrideDynamic: as `set_vertex_buffer` says.")
        .def_prop_rw("step_function", &Layout::stepFunction, &Layout::setStepFunction, pooled,
                     "Whether each vertex or each instance has an element of its own.")
        .def_prop_rw(
            "step_rate", &Layout::stepRate,
            [](Layout& self, std::int64_t value) {
                self.setStepRate(checkedNumber("VertexBufferLayoutDescriptor", "step_rate", value));
            },
            pooled, "So many instances share an element.");
}

}  // namespace

void bindVertexDescriptor(nb::module_& module) {
    bindElements(module);
    bindDescriptorArray<MTL::VertexAttributeDescriptorArray, MTL::VertexAttributeDescriptor>(
        module, "VertexAttributeDescriptorArray", "Vertex attributes by attribute index.", vertexAttributes);
    bindDescriptorArray<MTL::VertexBufferLayoutDescriptorArray, MTL::VertexBufferLayoutDescriptor>(
        module, "VertexBufferLayoutDescriptorArray", "Layouts of vertex buffers by buffer index.", vertexBuffers);
    using Descriptor = MTL::VertexDescriptor;
    nb::class_<Descriptor>(module, "VertexDescriptor", "Where a vertex function's [[stage_in]] comes from.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "vertex_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "An empty descriptor, as the constructor makes.")
        .def_prop_ro(
            "attributes", [](Descriptor& self) { return shared(self.attributes()); }, pooled,
            "By the n of [[attribute(n)]].")
        .def_prop_ro(
            "layouts", [](Descriptor& self) { return shared(self.layouts()); }, pooled, "By the index of the buffer.")
        .def(
            "attribute",
            [](Descriptor& self, std::int64_t index) {
                return shared(self.attributes()->object(checkedIndex("attribute", "index", index, vertexAttributes)));
            },
            "index"_a, pooled, "The descriptor of [[attribute(index)]].")
        .def(
            "layout",
            [](Descriptor& self, std::int64_t index) {
                return shared(self.layouts()->object(checkedIndex("layout", "index", index, vertexBuffers)));
            },
            "index"_a, pooled, "The layout of the buffer at an index.")
        .def("reset", &Descriptor::reset, pooled, "Forget all settings.");
}

}  // namespace mtlpy
