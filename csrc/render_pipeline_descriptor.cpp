// SPDX-License-Identifier: MIT
//
// How a vertex and a fragment function are made ready to draw.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include <vector>

#include "argument_ranges.hpp"
#include "bind_render.hpp"
#include "descriptor_array.hpp"
#include "errors.hpp"
#include "render_pipeline.hpp"
#include "text.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::RenderPipelineDescriptor;
using Color = MTL::RenderPipelineColorAttachmentDescriptor;

constexpr std::uint64_t colorAttachments = 8, stageBuffers = 31;

void bindColor(nb::module_& module) {
    nb::class_<Color>(module, "RenderPipelineColorAttachmentDescriptor",
                      "How a pipeline writes one of the colours of a pass.", nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Color::alloc()->init()); }), pooled)
        .def_prop_rw("pixel_format", &Color::pixelFormat, &Color::setPixelFormat, pooled,
                     "Format of the texture; PixelFormat.Invalid: there is no such colour.")
        .def_prop_rw("blending_enabled", &Color::isBlendingEnabled, &Color::setBlendingEnabled, pooled,
                     "Whether new colours are blended with the stored ones; else they replace them.")
        .def_prop_rw("source_rgb_blend_factor", &Color::sourceRGBBlendFactor, &Color::setSourceRGBBlendFactor, pooled,
                     "What the new colour is multiplied by.")
        .def_prop_rw("destination_rgb_blend_factor", &Color::destinationRGBBlendFactor,
                     &Color::setDestinationRGBBlendFactor, pooled, "What the stored colour is multiplied by.")
        .def_prop_rw("rgb_blend_operation", &Color::rgbBlendOperation, &Color::setRgbBlendOperation, pooled,
                     "How the two colours become one.")
        .def_prop_rw("source_alpha_blend_factor", &Color::sourceAlphaBlendFactor, &Color::setSourceAlphaBlendFactor,
                     pooled, "What the new alpha is multiplied by.")
        .def_prop_rw("destination_alpha_blend_factor", &Color::destinationAlphaBlendFactor,
                     &Color::setDestinationAlphaBlendFactor, pooled, "What the stored alpha is multiplied by.")
        .def_prop_rw("alpha_blend_operation", &Color::alphaBlendOperation, &Color::setAlphaBlendOperation, pooled,
                     "How the two alphas become one.")
        .def_prop_rw(
            "write_mask", [](const Color& self) { return NS::UInteger(self.writeMask()); },
            [](Color& self, std::int64_t mask) {
                self.setWriteMask(MTL::ColorWriteMask(checkedCount("RenderPipelineColorAttachmentDescriptor",
                                                                   "write_mask", mask, 0, MTL::ColorWriteMaskAll)));
            },
            pooled, "Channels that are written: flags of ColorWriteMask.");
}

void bindPipelineBuffer(nb::module_& module) {
    using Buffer = MTL::PipelineBufferDescriptor;
    nb::class_<Buffer>(module, "PipelineBufferDescriptor", "What a pipeline may take for granted of a buffer.",
                       nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Buffer::alloc()->init()); }), pooled)
        .def_prop_rw("mutability", &Buffer::mutability, &Buffer::setMutability, pooled,
                     "Whether its contents may change while commands use it.");
    bindDescriptorArray<MTL::PipelineBufferDescriptorArray, Buffer>(
        module, "PipelineBufferDescriptorArray", "What a pipeline may take for granted of its buffers.", stageBuffers);
}

std::vector<NS::SharedPtr<MTL::BinaryArchive>> archivesOf(Descriptor& self) {
    std::vector<NS::SharedPtr<MTL::BinaryArchive>> archives;
    const NS::Array* array = self.binaryArchives();
    for (NS::UInteger i = 0; array && i < array->count(); ++i)
        archives.push_back(shared(array->object<MTL::BinaryArchive>(i)));
    return archives;
}

void setArchives(Descriptor& self, const std::vector<MTL::BinaryArchive*>& archives) {
    checkNoneIsMissing("RenderPipelineDescriptor", "binary_archives", archives);
    const std::vector<const NS::Object*> objects(archives.begin(), archives.end());
    self.setBinaryArchives(NS::Array::array(objects.data(), objects.size()));
}

NS::UInteger checkedSamples(const char* name, std::int64_t count) {
    if (count != 1 && count != 2 && count != 4 && count != 8)
        fail(ErrorKind::validation,
             concat("RenderPipelineDescriptor: ", name, " is ", count, ", must be 1, 2, 4 or 8"));
    return static_cast<NS::UInteger>(count);
}

void bindFunctions(nb::class_<Descriptor>& type) {
    type.def_prop_rw(
            "vertex_function", [](Descriptor& self) { return shared(self.vertexFunction()); },
            [](Descriptor& self, MTL::Function* function) { self.setVertexFunction(function); }, pooled,
            nb::for_getter(nb::sig("def vertex_function(self) -> Function | None")), nb::for_setter("value"_a.none()),
            "Gives the position of each vertex.")
        .def_prop_rw(
            "fragment_function", [](Descriptor& self) { return shared(self.fragmentFunction()); },
            [](Descriptor& self, MTL::Function* function) { self.setFragmentFunction(function); }, pooled,
            nb::for_getter(nb::sig("def fragment_function(self) -> Function | None")), nb::for_setter("value"_a.none()),
            "Gives the colours of each pixel; None: depth and stencil alone are drawn.")
        .def_prop_rw(
            "vertex_descriptor", [](Descriptor& self) { return shared(self.vertexDescriptor()); },
            [](Descriptor& self, MTL::VertexDescriptor* descriptor) { self.setVertexDescriptor(descriptor); }, pooled,
            nb::for_getter(nb::sig("def vertex_descriptor(self) -> VertexDescriptor | None")),
            nb::for_setter("value"_a.none()), "Where the vertex function's [[stage_in]] comes from; set by copy.")
        .def_prop_rw(
            "vertex_linked_functions", [](Descriptor& self) { return shared(self.vertexLinkedFunctions()); },
            [](Descriptor& self, MTL::LinkedFunctions* functions) { self.setVertexLinkedFunctions(functions); }, pooled,
            nb::for_getter(nb::sig("def vertex_linked_functions(self) -> LinkedFunctions | None")),
            nb::for_setter("value"_a.none()), "Visible functions that the vertex function can call through tables.")
        .def_prop_rw(
            "fragment_linked_functions", [](Descriptor& self) { return shared(self.fragmentLinkedFunctions()); },
            [](Descriptor& self, MTL::LinkedFunctions* functions) { self.setFragmentLinkedFunctions(functions); },
            pooled, nb::for_getter(nb::sig("def fragment_linked_functions(self) -> LinkedFunctions | None")),
            nb::for_setter("value"_a.none()), "Visible functions that the fragment function can call through tables.")
        .def_prop_ro(
            "vertex_buffers", [](Descriptor& self) { return shared(self.vertexBuffers()); }, pooled,
            "What may be taken for granted of the vertex function's buffers, by index.")
        .def_prop_ro(
            "fragment_buffers", [](Descriptor& self) { return shared(self.fragmentBuffers()); }, pooled,
            "What may be taken for granted of the fragment function's buffers, by index.")
        .def_prop_rw("binary_archives", &archivesOf, &setArchives, pooled,
                     "Where the functions' code is looked for before it is compiled.");
}

void bindTargets(nb::class_<Descriptor>& type) {
    type.def_prop_ro(
            "color_attachments", [](Descriptor& self) { return shared(self.colorAttachments()); }, pooled,
            "By the n of [[color(n)]].")
        .def(
            "color_attachment",
            [](Descriptor& self, std::int64_t index) {
                return shared(self.colorAttachments()->object(
                    checkedIndex("color_attachment", "index", index, colorAttachments)));
            },
            "index"_a, pooled, "How [[color(index)]] is written.")
        .def_prop_rw("depth_attachment_pixel_format", &Descriptor::depthAttachmentPixelFormat,
                     &Descriptor::setDepthAttachmentPixelFormat, pooled,
                     "Format of the depth; PixelFormat.Invalid: there is none.")
        .def_prop_rw("stencil_attachment_pixel_format", &Descriptor::stencilAttachmentPixelFormat,
                     &Descriptor::setStencilAttachmentPixelFormat, pooled,
                     "Format of the stencil; PixelFormat.Invalid: there is none.")
        .def_prop_rw(
            "raster_sample_count", &Descriptor::rasterSampleCount,
            [](Descriptor& self, std::int64_t count) {
                self.setRasterSampleCount(checkedSamples("raster_sample_count", count));
            },
            pooled, "Samples of a pixel: 1, 2, 4 or 8.")
        .def_prop_rw(
            "sample_count", &Descriptor::sampleCount,
            [](Descriptor& self, std::int64_t count) { self.setSampleCount(checkedSamples("sample_count", count)); },
            pooled, "The older name of raster_sample_count.")
        .def_prop_rw("alpha_to_coverage_enabled", &Descriptor::isAlphaToCoverageEnabled,
                     &Descriptor::setAlphaToCoverageEnabled, pooled,
                     "Whether alpha says how many of a pixel's samples are drawn.")
        .def_prop_rw("alpha_to_one_enabled", &Descriptor::isAlphaToOneEnabled, &Descriptor::setAlphaToOneEnabled,
                     pooled, "Whether alpha is 1 whatever the fragment function gives.")
        .def_prop_rw("rasterization_enabled", &Descriptor::isRasterizationEnabled, &Descriptor::setRasterizationEnabled,
                     pooled, "Whether anything is drawn; if not, the vertex function alone runs.")
        .def_prop_rw("input_primitive_topology", &Descriptor::inputPrimitiveTopology,
                     &Descriptor::setInputPrimitiveTopology, pooled,
                     "Kind of primitives, which drawing into one of several images needs.")
        .def_prop_rw(
            "max_vertex_amplification_count", &Descriptor::maxVertexAmplificationCount,
            [](Descriptor& self, std::int64_t count) {
                self.setMaxVertexAmplificationCount(
                    checkedCount("RenderPipelineDescriptor", "max_vertex_amplification_count", count, 1, 8));
            },
            pooled, "How often a vertex may be drawn in one go.");
}

}  // namespace

void bindRenderPipelineDescriptor(nb::module_& module) {
    bindColor(module);
    bindDescriptorArray<MTL::RenderPipelineColorAttachmentDescriptorArray, Color>(
        module, "RenderPipelineColorAttachmentDescriptorArray", "How a pipeline writes the colours of a pass.",
        colorAttachments);
    bindPipelineBuffer(module);
    nb::class_<Descriptor> type(module, "RenderPipelineDescriptor",
                                "How a vertex and a fragment function are made ready to draw.",
                                nb::is_weak_referenceable());
    type.def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "render_pipeline_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "An empty descriptor, as the constructor makes.")
        .def_prop_rw(
            "label", [](Descriptor& self) { return pythonText(self.label()); },
            [](Descriptor& self, const std::string& label) { self.setLabel(metalString(label)); }, pooled,
            "A name, for messages and captures.")
        .def_prop_rw("support_indirect_command_buffers", &Descriptor::supportIndirectCommandBuffers,
                     &Descriptor::setSupportIndirectCommandBuffers, pooled,
                     "Whether commands of an IndirectCommandBuffer may draw with it.")
        .def("reset", &Descriptor::reset, pooled, "Forget all settings.");
    bindFunctions(type);
    bindTargets(type);
}

}  // namespace mtlpy
