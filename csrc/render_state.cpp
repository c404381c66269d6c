// SPDX-License-Identifier: MIT
//
// How the draws that follow are rasterised, tested and blended.

#include <nanobind/stl/vector.h>

#include <vector>

#include "render_encoder.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

/// As many as [[viewport_array_index]] can choose from.
constexpr std::size_t maximumViewports = 16;

void setViewport(RenderEncoder& self, const ViewportLike& viewport) {
    self.checkOpen("set_viewport");
    self.metal->setViewport(viewport.checked("set_viewport"));
}

void setScissorRect(RenderEncoder& self, const ScissorRectLike& rect) {
    self.checkOpen("set_scissor_rect");
    self.metal->setScissorRect(rect.checked("set_scissor_rect"));
}

template <class Value, class Like>
std::vector<Value> checkedValues(const char* where, const std::vector<Like>& given) {
    if (given.empty() || given.size() > maximumViewports)
        fail(ErrorKind::validation, concat(where, ": ", given.size(), " are given, must be 1 to ", maximumViewports));
    std::vector<Value> values;
    for (const Like& value : given) values.push_back(value.checked(where));
    return values;
}

void bindViewports(nb::class_<RenderEncoder>& type) {
    type.def("set_viewport", &setViewport, "viewport"_a, pooled,
             "Say where on the targets draws land; without it, all of them.")
        .def(
            "set_viewport",
            [](RenderEncoder& self, double x, double y, double width, double height, double znear, double zfar) {
                setViewport(self, {{x, y, width, height, znear, zfar}});
            },
            "origin_x"_a, "origin_y"_a, "width"_a, "height"_a, "znear"_a = 0.0, "zfar"_a = 1.0, pooled)
        .def(
            "set_viewports",
            [](RenderEncoder& self, const std::vector<ViewportLike>& given) {
                self.checkOpen("set_viewports");
                const auto viewports = checkedValues<MTL::Viewport>("set_viewports", given);
                self.metal->setViewports(viewports.data(), viewports.size());
            },
            "viewports"_a, pooled, "Several, which [[viewport_array_index]] chooses from.")
        .def("set_scissor_rect", &setScissorRect, "rect"_a, pooled,
             "Say which pixels draws may change; without it, all.")
        .def(
            "set_scissor_rect",
            [](RenderEncoder& self, Number x, Number y, Number width, Number height) {
                setScissorRect(self, {{x, y, width, height}});
            },
            "x"_a, "y"_a, "width"_a, "height"_a, pooled)
        .def(
            "set_scissor_rects",
            [](RenderEncoder& self, const std::vector<ScissorRectLike>& given) {
                self.checkOpen("set_scissor_rects");
                const auto rects = checkedValues<MTL::ScissorRect>("set_scissor_rects", given);
                self.metal->setScissorRects(rects.data(), rects.size());
            },
            "rects"_a, pooled, "One for each viewport.");
}

/// A method that hands one enumerator on.
template <class Enum, void (MTL::RenderCommandEncoder::*set)(Enum)>
void bindMode(nb::class_<RenderEncoder>& type, const char* name, const char* argument, const char* text) {
    type.def(
        name,
        [name](RenderEncoder& self, Enum value) {
            self.checkOpen(name);
            (self.metal.get()->*set)(value);
        },
        nb::arg(argument), pooled, text);
}

void bindRasterisation(nb::class_<RenderEncoder>& type) {
    using Metal = MTL::RenderCommandEncoder;
    bindMode<MTL::CullMode, &Metal::setCullMode>(type, "set_cull_mode", "mode", "Say which triangles are left out.");
    bindMode<MTL::Winding, &Metal::setFrontFacingWinding>(type, "set_front_facing_winding", "winding",
                                                          "Say how the vertices of a triangle go round that faces the "
                                                          "viewer.");
    bindMode<MTL::TriangleFillMode, &Metal::setTriangleFillMode>(type, "set_triangle_fill_mode", "mode",
                                                                 "Say whether triangles are filled or outlined.");
    bindMode<MTL::DepthClipMode, &Metal::setDepthClipMode>(
        type, "set_depth_clip_mode", "mode",
        "Say what becomes of what lies in front of the near plane or behind the "
        "far one.");
    type.def(
        "set_depth_bias",
        [](RenderEncoder& self, double bias, double slope, double clamp) {
            constexpr const char* where = "set_depth_bias";
            self.checkOpen(where);
            self.metal->setDepthBias(checkedFloat(where, "depth_bias", bias), checkedFloat(where, "slope_scale", slope),
                                     checkedFloat(where, "clamp", clamp));
        },
        "depth_bias"_a, "slope_scale"_a, "clamp"_a, pooled,
        "Move depths by so many of the smallest steps, and by so many slopes of the triangle; `clamp`: at most so "
        "far.");
}

std::uint32_t checkedReference(const char* where, const char* name, Number value) {
    return static_cast<std::uint32_t>(checkedCount(where, name, value, 0, UINT32_MAX));
}

void bindTests(nb::class_<RenderEncoder>& type) {
    type.def(
            "set_depth_stencil_state",
            [](RenderEncoder& self, MTL::DepthStencilState* state) {
                self.checkObject("set_depth_stencil_state", "state", state);
                self.metal->setDepthStencilState(state);
            },
            "state"_a.none(), pooled, "Say how depth and stencil are tested; None: they are not.")
        .def(
            "set_stencil_reference_value",
            [](RenderEncoder& self, Number value) {
                self.checkOpen("set_stencil_reference_value");
                self.metal->setStencilReferenceValue(checkedReference("set_stencil_reference_value", "value", value));
            },
            "value"_a, pooled, "What stencil tests compare with, and what StencilOperation.Replace stores.")
        .def(
            "set_stencil_reference_values",
            [](RenderEncoder& self, Number front, Number back) {
                constexpr const char* where = "set_stencil_reference_values";
                self.checkOpen(where);
                self.metal->setStencilReferenceValues(checkedReference(where, "front", front),
                                                      checkedReference(where, "back", back));
            },
            "front"_a, "back"_a, pooled, "One for triangles that face the viewer, one for others.")
        .def(
            "set_blend_color",
            [](RenderEncoder& self, double red, double green, double blue, double alpha) {
                constexpr const char* where = "set_blend_color";
                self.checkOpen(where);
                self.metal->setBlendColor(checkedFloat(where, "red", red), checkedFloat(where, "green", green),
                                          checkedFloat(where, "blue", blue), checkedFloat(where, "alpha", alpha));
            },
            "red"_a, "green"_a, "blue"_a, "alpha"_a, pooled, "The colour of BlendFactor.BlendColor and its kin.")
        .def(
            "set_visibility_result_mode",
            [](RenderEncoder& self, MTL::VisibilityResultMode mode, Number offset) {
                constexpr const char* where = "set_visibility_result_mode";
                self.checkOpen(where);
                const NS::UInteger place = checkedCount(where, "offset", offset, 0, INT64_MAX);
                if (place % 8 != 0)
                    fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of 8"));
                self.metal->setVisibilityResultMode(mode, place);
            },
            "mode"_a, "offset"_a, pooled,
            "Count samples that pass the tests, at byte `offset` of the pass' `visibility_result_buffer`.");
}

}  // namespace

void bindRenderState(nb::class_<RenderEncoder>& type) {
    type.def("set_render_pipeline_state", &RenderEncoder::setPipeline, "state"_a, pooled,
             "The functions that draws run.");
    bindViewports(type);
    bindRasterisation(type);
    bindTests(type);
}

}  // namespace mtlpy
