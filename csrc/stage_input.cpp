// SPDX-License-Identifier: MIT
//
// Where a kernel's [[stage_in]] comes from.

#include <Metal/Metal.hpp>

#include "bind.hpp"
#include "descriptor_array.hpp"
#include "enums.hpp"
#include "errors.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

constexpr std::uint64_t mostStageBuffers = 31, mostStageAttributes = 31;

void bindStepFunctions(nb::module_& module) {
    bindEnum<MTL::StepFunction>(module, "StepFunction", "Which element of its buffer a thread fetches.",
                                {{"Constant", MTL::StepFunctionConstant},
                                 {"PerVertex", MTL::StepFunctionPerVertex},
                                 {"PerInstance", MTL::StepFunctionPerInstance},
                                 {"PerPatch", MTL::StepFunctionPerPatch},
                                 {"PerPatchControlPoint", MTL::StepFunctionPerPatchControlPoint},
                                 {"ThreadPositionInGridX", MTL::StepFunctionThreadPositionInGridX},
                                 {"ThreadPositionInGridY", MTL::StepFunctionThreadPositionInGridY},
                                 {"ThreadPositionInGridXIndexed", MTL::StepFunctionThreadPositionInGridXIndexed},
                                 {"ThreadPositionInGridYIndexed", MTL::StepFunctionThreadPositionInGridYIndexed}});
}

void bindFormats(nb::module_& module) {
    bindEnum<MTL::AttributeFormat>(module, "AttributeFormat", "How an attribute lies in its buffer.",
                                   {{"Invalid", MTL::AttributeFormatInvalid},
                                    {"UChar2", MTL::AttributeFormatUChar2},
                                    {"UChar3", MTL::AttributeFormatUChar3},
                                    {"UChar4", MTL::AttributeFormatUChar4},
                                    {"Char2", MTL::AttributeFormatChar2},
                                    {"Char3", MTL::AttributeFormatChar3},
                                    {"Char4", MTL::AttributeFormatChar4},
                                    {"UChar2Normalized", MTL::AttributeFormatUChar2Normalized},
                                    {"UChar3Normalized", MTL::AttributeFormatUChar3Normalized},
                                    {"UChar4Normalized", MTL::AttributeFormatUChar4Normalized},
                                    {"Char2Normalized", MTL::AttributeFormatChar2Normalized},
                                    {"Char3Normalized", MTL::AttributeFormatChar3Normalized},
                                    {"Char4Normalized", MTL::AttributeFormatChar4Normalized},
                                    {"UShort2", MTL::AttributeFormatUShort2},
                                    {"UShort3", MTL::AttributeFormatUShort3},
                                    {"UShort4", MTL::AttributeFormatUShort4},
                                    {"Short2", MTL::AttributeFormatShort2},
                                    {"Short3", MTL::AttributeFormatShort3},
                                    {"Short4", MTL::AttributeFormatShort4},
                                    {"UShort2Normalized", MTL::AttributeFormatUShort2Normalized},
                                    {"UShort3Normalized", MTL::AttributeFormatUShort3Normalized},
                                    {"UShort4Normalized", MTL::AttributeFormatUShort4Normalized},
                                    {"Short2Normalized", MTL::AttributeFormatShort2Normalized},
                                    {"Short3Normalized", MTL::AttributeFormatShort3Normalized},
                                    {"Short4Normalized", MTL::AttributeFormatShort4Normalized},
                                    {"Half2", MTL::AttributeFormatHalf2},
                                    {"Half3", MTL::AttributeFormatHalf3},
                                    {"Half4", MTL::AttributeFormatHalf4},
                                    {"Float", MTL::AttributeFormatFloat},
                                    {"Float2", MTL::AttributeFormatFloat2},
                                    {"Float3", MTL::AttributeFormatFloat3},
                                    {"Float4", MTL::AttributeFormatFloat4},
                                    {"Int", MTL::AttributeFormatInt},
                                    {"Int2", MTL::AttributeFormatInt2},
                                    {"Int3", MTL::AttributeFormatInt3},
                                    {"Int4", MTL::AttributeFormatInt4},
                                    {"UInt", MTL::AttributeFormatUInt},
                                    {"UInt2", MTL::AttributeFormatUInt2},
                                    {"UInt3", MTL::AttributeFormatUInt3},
                                    {"UInt4", MTL::AttributeFormatUInt4},
                                    {"Int1010102Normalized", MTL::AttributeFormatInt1010102Normalized},
                                    {"UInt1010102Normalized", MTL::AttributeFormatUInt1010102Normalized},
                                    {"UChar4Normalized_BGRA", MTL::AttributeFormatUChar4Normalized_BGRA},
                                    {"UChar", MTL::AttributeFormatUChar},
                                    {"Char", MTL::AttributeFormatChar},
                                    {"UCharNormalized", MTL::AttributeFormatUCharNormalized},
                                    {"CharNormalized", MTL::AttributeFormatCharNormalized},
                                    {"UShort", MTL::AttributeFormatUShort},
                                    {"Short", MTL::AttributeFormatShort},
                                    {"UShortNormalized", MTL::AttributeFormatUShortNormalized},
                                    {"ShortNormalized", MTL::AttributeFormatShortNormalized},
                                    {"Half", MTL::AttributeFormatHalf},
                                    {"FloatRG11B10", MTL::AttributeFormatFloatRG11B10},
                                    {"FloatRGB9E5", MTL::AttributeFormatFloatRGB9E5}});
}

NS::UInteger checkedNumber(const char* where, const char* name, std::int64_t value) {
    return checkedCount(where, name, value, 0, UINT32_MAX);
}

void bindElements(nb::module_& module) {
    using Attribute = MTL::AttributeDescriptor;
    nb::class_<Attribute>(module, "AttributeDescriptor", "Where a member with [[attribute(n)]] comes from.",
                          nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Attribute::alloc()->init()); }), pooled)
        .def_prop_rw("format", &Attribute::format, &Attribute::setFormat, pooled,
                     "How the bytes in the buffer are read; Invalid: the attribute is not fetched.")
        .def_prop_rw(
            "buffer_index", &Attribute::bufferIndex,
            [](Attribute& self, std::int64_t value) {
                self.setBufferIndex(checkedIndex("AttributeDescriptor", "buffer_index", value, mostStageBuffers));
            },
            pooled, "Index of the buffer that it is fetched from, and of its layout.")
        .def_prop_rw(
            "offset", &Attribute::offset,
            [](Attribute& self, std::int64_t value) {
                self.setOffset(checkedNumber("AttributeDescriptor", "offset", value));
            },
            pooled, "Bytes from the start of an element.");
    using Layout = MTL::BufferLayoutDescriptor;
    nb::class_<Layout>(module, "BufferLayoutDescriptor", "How the elements of a buffer follow one another.",
                       nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Layout::alloc()->init()); }), pooled)
        .def_prop_rw(
            "stride", &Layout::stride,
            [](Layout& self, std::int64_t value) {
                self.setStride(checkedNumber("BufferLayoutDescriptor", "stride", value));
            },
            pooled, "Bytes from one element to the next.")
        .def_prop_rw(
            "step_function", &Layout::stepFunction, &Layout::setStepFunction, pooled,
            "What moves on to the next element: a vertex, an instance, a place of the grid, or nothing (Constant).")
        .def_prop_rw(
            "step_rate", &Layout::stepRate,
            [](Layout& self, std::int64_t value) {
                self.setStepRate(checkedNumber("BufferLayoutDescriptor", "step_rate", value));
            },
            pooled, "So many threads share an element.");
}

}  // namespace

void bindStageInput(nb::module_& module) {
    bindFormats(module);
    bindStepFunctions(module);
    bindElements(module);
    bindDescriptorArray<MTL::AttributeDescriptorArray, MTL::AttributeDescriptor>(
        module, "AttributeDescriptorArray", "Attribute descriptors by attribute index.", mostStageAttributes);
    bindDescriptorArray<MTL::BufferLayoutDescriptorArray, MTL::BufferLayoutDescriptor>(
        module, "BufferLayoutDescriptorArray", "Buffer layouts by buffer index.", mostStageBuffers);
    using Descriptor = MTL::StageInputOutputDescriptor;
    nb::class_<Descriptor>(module, "StageInputOutputDescriptor", "Where a kernel's [[stage_in]] comes from.",
                           nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "stage_input_output_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "An empty descriptor, as the constructor makes.")
        .def_prop_ro(
            "attributes", [](Descriptor& self) { return shared(self.attributes()); }, pooled,
            "Where each member with [[attribute(n)]] comes from, by n.")
        .def_prop_ro(
            "layouts", [](Descriptor& self) { return shared(self.layouts()); }, pooled,
            "How the elements lie in each buffer, by its index.")
        .def_prop_rw(
            "index_buffer_index", &Descriptor::indexBufferIndex,
            [](Descriptor& self, std::int64_t value) {
                self.setIndexBufferIndex(
                    checkedIndex("StageInputOutputDescriptor", "index_buffer_index", value, mostStageBuffers));
            },
            pooled, "Of the buffer of indices, for the step functions that are `Indexed`.")
        .def_prop_rw("index_type", &Descriptor::indexType, &Descriptor::setIndexType, pooled,
                     "Type of the indices in the buffer at `index_buffer_index`. UInt16 unless set.")
        .def("reset", &Descriptor::reset, pooled, "Forget all settings.");
}

}  // namespace mtlpy
