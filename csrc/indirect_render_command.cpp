// SPDX-License-Identifier: MIT
//
// Commands of an indirect command buffer that draw.

#include <nanobind/stl/string.h>

#include "bind_render.hpp"
#include "compute_pipeline.hpp"
#include "errors.hpp"
#include "indirect_commands.hpp"
#include "render_pipeline.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Command = MTL::IndirectRenderCommand;
using Number = std::int64_t;

void setPipeline(Command& self, RenderPipeline& pipeline) {
    if (!pipeline.metal->supportIndirectCommandBuffers())
        fail(ErrorKind::validation, concat("set_render_pipeline_state: ", pipeline.name,
                                           " was not compiled with support_indirect_command_buffers"));
    self.setRenderPipelineState(pipeline.metal.get());
}

/// An offset below the buffer's length, at an index that a function can have.
struct Place {
    Place(const char* where, MTL::Buffer& buffer, Number offset, Number index)
        : offset(checkedIndex(where, "offset", offset, buffer.length())),
          index(checkedIndex(where, "index", index, maximumBuffers)) {}
    NS::UInteger offset, index;
};

void bindBuffers(nb::class_<Command>& type) {
    type.def(
            "set_vertex_buffer",
            [](Command& self, MTL::Buffer& buffer, Number offset, Number index) {
                const Place place("set_vertex_buffer", buffer, offset, index);
                self.setVertexBuffer(&buffer, place.offset, place.index);
            },
            "buffer"_a, "offset"_a, "index"_a, pooled,
            "Give the vertex function's argument `index` a buffer from byte `offset`.")
        .def(
            "set_vertex_buffer",
            [](Command& self, MTL::Buffer& buffer, Number offset, Number stride, Number index) {
                const Place place("set_vertex_buffer", buffer, offset, index);
                self.setVertexBuffer(&buffer, place.offset,
                                     checkedCount("set_vertex_buffer", "stride", stride, 0, UINT32_MAX), place.index);
            },
            "buffer"_a, "offset"_a, "stride"_a, "index"_a, pooled,
            "The same for a layout without a stride of its own: bytes from one element to the next.")
        .def(
            "set_fragment_buffer",
            [](Command& self, MTL::Buffer& buffer, Number offset, Number index) {
                const Place place("set_fragment_buffer", buffer, offset, index);
                self.setFragmentBuffer(&buffer, place.offset, place.index);
            },
            "buffer"_a, "offset"_a, "index"_a, pooled,
            "Give the fragment function's argument `index` a buffer from byte `offset`.");
}

void draw(Command& self, MTL::PrimitiveType type, Number start, Number count, Number instances, Number base) {
    constexpr const char* where = "draw_primitives";
    self.drawPrimitives(type, checkedCount(where, "vertex_start", start, 0, UINT32_MAX),
                        checkedCount(where, "vertex_count", count, 0, UINT32_MAX),
                        checkedCount(where, "instance_count", instances, 0, UINT32_MAX),
                        checkedCount(where, "base_instance", base, 0, UINT32_MAX));
}

void drawIndexed(Command& self, MTL::PrimitiveType type, Number count, MTL::IndexType indexType, MTL::Buffer& indices,
                 Number offset, Number instances, Number baseVertex, Number baseInstance) {
    constexpr const char* where = "draw_indexed_primitives";
    const NS::UInteger wanted = checkedCount(where, "index_count", count, 0, UINT32_MAX);
    const std::int64_t size = indexType == MTL::IndexTypeUInt16 ? 2 : 4;
    checkRange(where, "the index buffer", offset, static_cast<std::int64_t>(wanted) * size, indices.length());
    if (offset % size != 0)
        fail(ErrorKind::validation,
             concat(where, ": index_buffer_offset is ", offset, ", must be a multiple of ", size));
    if (baseVertex < INT32_MIN || baseVertex > INT32_MAX)
        fail(ErrorKind::validation,
             concat(where, ": base_vertex is ", baseVertex, ", must be ", INT32_MIN, " to ", INT32_MAX));
    self.drawIndexedPrimitives(type, wanted, indexType, &indices, static_cast<NS::UInteger>(offset),
                               checkedCount(where, "instance_count", instances, 0, UINT32_MAX),
                               static_cast<NS::Integer>(baseVertex),
                               checkedCount(where, "base_instance", baseInstance, 0, UINT32_MAX));
}

void bindState(nb::class_<Command>& type) {
    type.def("set_cull_mode", &Command::setCullMode, "mode"_a, pooled, "Say which triangles are left out.")
        .def("set_front_facing_winding", &Command::setFrontFacingWinding, "winding"_a, pooled,
             "Say how the vertices of a triangle go round that faces the viewer.")
        .def("set_triangle_fill_mode", &Command::setTriangleFillMode, "mode"_a, pooled,
             "Say whether triangles are filled or outlined.")
        .def("set_depth_clip_mode", &Command::setDepthClipMode, "mode"_a, pooled,
             "Say what becomes of what lies in front of the near plane or behind the far one.")
        .def("set_depth_stencil_state", &Command::setDepthStencilState, "state"_a, pooled,
             "Say how depth and stencil are tested.")
        .def(
            "set_depth_bias",
            [](Command& self, double bias, double slope, double clamp) {
                constexpr const char* where = "set_depth_bias";
                self.setDepthBias(checkedFloat(where, "depth_bias", bias), checkedFloat(where, "slope_scale", slope),
                                  checkedFloat(where, "clamp", clamp));
            },
            "depth_bias"_a, "slope_scale"_a, "clamp"_a, pooled,
            "Move depths by so many of the smallest steps, and by so many slopes of the triangle; `clamp`: at most so "
            "far.");
}

}  // namespace

void bindIndirectRenderCommand(nb::module_& module) {
    nb::class_<Command> type(module, "IndirectRenderCommand", "A command that draws.", nb::is_weak_referenceable());
    type.def("set_render_pipeline_state", &setPipeline, "state"_a, pooled, "The functions that the command runs.");
    bindBuffers(type);
    bindState(type);
    type.def("draw_primitives", &draw, "primitive_type"_a, "vertex_start"_a, "vertex_count"_a, "instance_count"_a = 1,
             "base_instance"_a = 0, pooled, "Draw vertices in order, `instance_count` times.")
        .def("draw_indexed_primitives", &drawIndexed, "primitive_type"_a, "index_count"_a, "index_type"_a,
             "index_buffer"_a, "index_buffer_offset"_a, "instance_count"_a = 1, "base_vertex"_a = 0,
             "base_instance"_a = 0, pooled,
             "Draw the vertices that a buffer of indices names, from byte `index_buffer_offset` on.")
        .def("set_barrier", &Command::setBarrier, pooled, "The command waits for those before it.")
        .def("clear_barrier", &Command::clearBarrier, pooled, "The command does not wait for those before it.")
        .def("reset", &Command::reset, pooled, "Empty the command: it does nothing then.");
}

}  // namespace mtlpy
