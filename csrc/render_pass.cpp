// SPDX-License-Identifier: MIT
//
// Render passes: what is drawn into, what it holds before, and what is kept of it.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>
#include <Metal/Metal.hpp>

#include <vector>

#include "bind_render.hpp"
#include "descriptor_array.hpp"
#include "errors.hpp"
#include "render_types.hpp"

namespace mtlpy {

void bindRenderSamples(nb::module_& module, nb::class_<MTL::RenderPassDescriptor>& pass);

namespace {

using namespace nb::literals;
using Pass = MTL::RenderPassDescriptor;
using Attachment = MTL::RenderPassAttachmentDescriptor;

/// A pass' colour attachments, and more than any texture has levels, slices or planes.
constexpr std::uint64_t colorAttachments = 8, maximumPart = 65535;

template <class Class, NS::UInteger (Class::*get)() const, void (Class::*set)(NS::UInteger)>
void bindCount(nb::class_<Class>& type, const char* className, const char* name, std::uint64_t most, const char* text) {
    type.def_prop_rw(
        name, [](const Class& self) { return (self.*get)(); },
        [className, name, most](Class& self, std::int64_t value) {
            (self.*set)(checkedCount(className, name, value, 0, most));
        },
        pooled, text);
}

void bindAttachment(nb::module_& module) {
    constexpr const char* name = "RenderPassAttachmentDescriptor";
    nb::class_<Attachment> type(module, name, "What the attachments of a pass share.", nb::is_weak_referenceable());
    type.def_prop_rw(
            "texture", [](const Attachment& self) { return shared(self.texture()); },
            [](Attachment& self, MTL::Texture* texture) { self.setTexture(texture); }, pooled,
            nb::for_getter(nb::sig("def texture(self) -> Texture | None")), nb::for_setter("value"_a.none()),
            "What is drawn into; None: there is no such attachment.")
        .def_prop_rw(
            "resolve_texture", [](const Attachment& self) { return shared(self.resolveTexture()); },
            [](Attachment& self, MTL::Texture* texture) { self.setResolveTexture(texture); }, pooled,
            nb::for_getter(nb::sig("def resolve_texture(self) -> Texture | None")), nb::for_setter("value"_a.none()),
            "Where the samples of each pixel become one.")
        .def_prop_rw("load_action", &Attachment::loadAction, &Attachment::setLoadAction, pooled,
                     "What the texture holds when the pass begins.")
        .def_prop_rw("store_action", &Attachment::storeAction, &Attachment::setStoreAction, pooled,
                     "What becomes of it when the pass ends; StoreAction.Unknown: the encoder says it.")
        .def_prop_rw(
            "store_action_options", [](const Attachment& self) { return NS::UInteger(self.storeActionOptions()); },
            [](Attachment& self, std::int64_t options) {
                self.setStoreActionOptions(MTL::StoreActionOptions(
                    checkedCount(name, "store_action_options", options, 0, MTL::StoreActionOptionValidMask)));
            },
            pooled, "Flags of StoreActionOptions.");
    bindCount<Attachment, &Attachment::level, &Attachment::setLevel>(type, name, "level", maximumPart,
                                                                     "Mip level that is drawn into.");
    bindCount<Attachment, &Attachment::slice, &Attachment::setSlice>(
        type, name, "slice", maximumPart, "Image of an array or face of a cube that is drawn into.");
    bindCount<Attachment, &Attachment::depthPlane, &Attachment::setDepthPlane>(
        type, name, "depth_plane", maximumPart, "Plane of a three-dimensional texture that is drawn into.");
    bindCount<Attachment, &Attachment::resolveLevel, &Attachment::setResolveLevel>(
        type, name, "resolve_level", maximumPart, "Mip level of `resolve_texture`.");
    bindCount<Attachment, &Attachment::resolveSlice, &Attachment::setResolveSlice>(
        type, name, "resolve_slice", maximumPart, "Image or face of `resolve_texture`.");
    bindCount<Attachment, &Attachment::resolveDepthPlane, &Attachment::setResolveDepthPlane>(
        type, name, "resolve_depth_plane", maximumPart, "Plane of `resolve_texture`.");
}

void bindKinds(nb::module_& module) {
    using Color = MTL::RenderPassColorAttachmentDescriptor;
    nb::class_<Color, Attachment>(module, "RenderPassColorAttachmentDescriptor", "A colour that a pass draws into.",
                                  nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Color::alloc()->init()); }), pooled)
        .def_prop_rw(
            "clear_color", &Color::clearColor,
            [](Color& self, const ColorLike& color) {
                const auto [red, green, blue, alpha] = color.value;
                self.setClearColor(MTL::ClearColor(red, green, blue, alpha));
            },
            pooled, "What LoadAction.Clear fills it with; a tuple will do.");
    using Depth = MTL::RenderPassDepthAttachmentDescriptor;
    nb::class_<Depth, Attachment>(module, "RenderPassDepthAttachmentDescriptor", "The depth that a pass tests.",
                                  nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Depth::alloc()->init()); }), pooled)
        .def_prop_rw(
            "clear_depth", &Depth::clearDepth,
            [](Depth& self, double depth) {
                if (!(depth >= 0 && depth <= 1))
                    fail(ErrorKind::validation,
                         concat("RenderPassDepthAttachmentDescriptor: clear_depth is ", depth, ", must be 0 to 1"));
                self.setClearDepth(depth);
            },
            pooled, "What LoadAction.Clear fills it with, 0 to 1.")
        .def_prop_rw("depth_resolve_filter", &Depth::depthResolveFilter, &Depth::setDepthResolveFilter, pooled,
                     "Which of a pixel's depths a resolve keeps.");
    using Stencil = MTL::RenderPassStencilAttachmentDescriptor;
    nb::class_<Stencil, Attachment>(module, "RenderPassStencilAttachmentDescriptor", "The stencil that a pass tests.",
                                    nb::is_weak_referenceable())
        .def(nb::new_([] { return owned(Stencil::alloc()->init()); }), pooled)
        .def_prop_rw(
            "clear_stencil", &Stencil::clearStencil,
            [](Stencil& self, std::int64_t value) {
                self.setClearStencil(static_cast<std::uint32_t>(
                    checkedCount("RenderPassStencilAttachmentDescriptor", "clear_stencil", value, 0, UINT32_MAX)));
            },
            pooled, "What LoadAction.Clear fills it with.")
        .def_prop_rw("stencil_resolve_filter", &Stencil::stencilResolveFilter, &Stencil::setStencilResolveFilter,
                     pooled, "Which of a pixel's values a resolve keeps.");
}

/// As many positions as a pixel can have samples.
constexpr NS::UInteger maximumSamples = 8;

std::vector<MTL::SamplePosition> samplePositions(Pass& self) {
    std::vector<MTL::SamplePosition> positions(maximumSamples);
    positions.resize(self.getSamplePositions(positions.data(), maximumSamples));
    return positions;
}

void setSamplePositions(Pass& self, const std::vector<SamplePositionLike>& given) {
    constexpr const char* where = "set_sample_positions";
    if (const std::size_t count = given.size(); count > maximumSamples || (count & (count - 1)) != 0)
        fail(ErrorKind::validation, concat(where, ": ", count, " positions, must be 0, 1, 2, 4 or 8"));
    std::vector<MTL::SamplePosition> positions;
    for (const SamplePositionLike& position : given) positions.push_back(position.checked(where));
    self.setSamplePositions(positions.data(), positions.size());
}

void bindAttachments(nb::class_<Pass>& type) {
    using Depth = MTL::RenderPassDepthAttachmentDescriptor;
    using Stencil = MTL::RenderPassStencilAttachmentDescriptor;
    type.def_prop_ro(
            "color_attachments", [](Pass& self) { return shared(self.colorAttachments()); }, pooled,
            "By the n of [[color(n)]].")
        .def(
            "color_attachment",
            [](Pass& self, std::int64_t index) {
                return shared(self.colorAttachments()->object(
                    checkedIndex("color_attachment", "index", index, colorAttachments)));
            },
            "index"_a, pooled, "The colour that [[color(index)]] is drawn into.")
        .def_prop_rw(
            "depth_attachment", [](Pass& self) { return shared(self.depthAttachment()); },
            [](Pass& self, Depth* depth) { self.setDepthAttachment(depth); }, nb::for_setter("value"_a.none()), pooled,
            "The depth that is tested; set by copy, None for a new one.")
        .def_prop_rw(
            "stencil_attachment", [](Pass& self) { return shared(self.stencilAttachment()); },
            [](Pass& self, Stencil* stencil) { self.setStencilAttachment(stencil); }, nb::for_setter("value"_a.none()),
            pooled, "The stencil that is tested; set by copy, None for a new one.");
}

void bindSettings(nb::class_<Pass>& type) {
    constexpr const char* name = "RenderPassDescriptor";
    type.def_prop_rw(
            "visibility_result_buffer", [](Pass& self) { return shared(self.visibilityResultBuffer()); },
            [](Pass& self, MTL::Buffer* buffer) { self.setVisibilityResultBuffer(buffer); }, pooled,
            nb::for_getter(nb::sig("def visibility_result_buffer(self) -> Buffer | None")),
            nb::for_setter("value"_a.none()), "Where `set_visibility_result_mode` counts samples, 8 bytes each.")
        .def_prop_rw(
            "rasterization_rate_map", [](Pass& self) { return shared(self.rasterizationRateMap()); },
            [](Pass& self, MTL::RasterizationRateMap* map) { self.setRasterizationRateMap(map); }, pooled,
            nb::for_getter(nb::sig("def rasterization_rate_map(self) -> RasterizationRateMap | None")),
            nb::for_setter("value"_a.none()), "How the screen becomes the image that is drawn.")
        .def_prop_ro("sample_positions", &samplePositions, pooled,
                     "Where in a pixel its samples lie; empty: where Metal puts them.")
        .def("set_sample_positions", &setSamplePositions, "positions"_a, pooled,
             "Say where in a pixel its samples lie, x and y of each; an empty list: where Metal puts them.");
    bindCount<Pass, &Pass::renderTargetWidth, &Pass::setRenderTargetWidth>(
        type, name, "render_target_width", 16384, "Width in pixels; 0: that of the smallest attachment.");
    bindCount<Pass, &Pass::renderTargetHeight, &Pass::setRenderTargetHeight>(
        type, name, "render_target_height", 16384, "Height in pixels; 0: that of the smallest attachment.");
    bindCount<Pass, &Pass::renderTargetArrayLength, &Pass::setRenderTargetArrayLength>(
        type, name, "render_target_array_length", 2048,
        "Images that [[render_target_array_index]] chooses from; 0: there is one.");
    bindCount<Pass, &Pass::defaultRasterSampleCount, &Pass::setDefaultRasterSampleCount>(
        type, name, "default_raster_sample_count", maximumSamples, "Samples of a pixel in a pass without attachments.");
}

}  // namespace

void bindRenderPass(nb::module_& module) {
    bindAttachment(module);
    bindKinds(module);
    bindDescriptorArray<MTL::RenderPassColorAttachmentDescriptorArray, MTL::RenderPassColorAttachmentDescriptor>(
        module, "RenderPassColorAttachmentDescriptorArray", "The colours that a pass draws into.", colorAttachments);
    nb::class_<Pass> type(module, "RenderPassDescriptor", "What a pass draws into.", nb::is_weak_referenceable());
    type.def(nb::new_([] { return owned(Pass::alloc()->init()); }), pooled)
        .def_static(
            "render_pass_descriptor", [] { return owned(Pass::alloc()->init()); }, pooled,
            "A descriptor without attachments, as the constructor makes.");
    bindAttachments(type);
    bindSettings(type);
    bindRenderSamples(module, type);
}

}  // namespace mtlpy
