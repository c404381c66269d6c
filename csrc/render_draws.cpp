// SPDX-License-Identifier: MIT
//
// The draws of a render encoder.

#include "indirect_commands.hpp"
#include "render_encoder.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;
using Primitive = MTL::PrimitiveType;

void bindPlain(nb::class_<RenderEncoder>& type) {
    type.def(
            "draw_primitives",
            [](RenderEncoder& self, Primitive primitive, Number start, Number count, Number instances, Number base) {
                self.draw("draw_primitives", primitive, start, count, instances, base);
            },
            "primitive_type"_a, "vertex_start"_a, "vertex_count"_a, "instance_count"_a = 1, "base_instance"_a = 0,
            pooled, "Draw vertices in order, `instance_count` times.")
        .def(
            "draw_primitives",
            [](RenderEncoder& self, Primitive primitive, Number start, Number count) {
                self.draw("draw_primitives", primitive, start, count, 1, 0);
            },
            "type"_a, "start"_a, "count"_a, pooled)
        .def(
            "draw_primitives_instanced",
            [](RenderEncoder& self, Primitive primitive, Number start, Number count, Number instances) {
                self.draw("draw_primitives_instanced", primitive, start, count, instances, 0);
            },
            "primitive_type"_a, "vertex_start"_a, "vertex_count"_a, "instance_count"_a, pooled,
            "Draw vertices in order, `instance_count` times.")
        .def("draw_primitives_indirect", &RenderEncoder::drawIndirect, "primitive_type"_a, "indirect_buffer"_a,
             "indirect_buffer_offset"_a, pooled,
             "The same: vertex count, instance count, vertex start and base instance are the four uint32 at byte "
             "`indirect_buffer_offset` of the buffer when the device gets there.");
}

void bindIndexed(nb::class_<RenderEncoder>& type) {
    type.def(
            "draw_indexed_primitives",
            [](RenderEncoder& self, Primitive primitive, Number count, MTL::IndexType indexType, MTL::Buffer& indices,
               Number offset, Number instances, Number baseVertex, Number baseInstance) {
                self.drawIndexed("draw_indexed_primitives", primitive, count, indexType, indices, offset, instances,
                                 baseVertex, baseInstance);
            },
            "primitive_type"_a, "index_count"_a, "index_type"_a, "index_buffer"_a, "index_buffer_offset"_a,
            "instance_count"_a = 1, "base_vertex"_a = 0, "base_instance"_a = 0, pooled,
            "Draw the vertices that a buffer of indices names, from byte `index_buffer_offset` on. `base_vertex` is "
            "added to each index.")
        .def(
            "draw_indexed_primitives",
            [](RenderEncoder& self, Primitive primitive, Number count, MTL::IndexType indexType, MTL::Buffer& indices,
               Number offset) {
                self.drawIndexed("draw_indexed_primitives", primitive, count, indexType, indices, offset, 1, 0, 0);
            },
            "type"_a, "index_count"_a, "index_type"_a, "index_buffer"_a, "index_buffer_offset"_a, pooled)
        .def(
            "draw_indexed_primitives_instanced",
            [](RenderEncoder& self, Primitive primitive, Number count, MTL::IndexType indexType, MTL::Buffer& indices,
               Number offset, Number instances) {
                self.drawIndexed("draw_indexed_primitives_instanced", primitive, count, indexType, indices, offset,
                                 instances, 0, 0);
            },
            "primitive_type"_a, "index_count"_a, "index_type"_a, "index_buffer"_a, "index_buffer_offset"_a,
            "instance_count"_a, pooled, "Draw the vertices that a buffer of indices names, `instance_count` times.")
        .def("draw_indexed_primitives_indirect", &RenderEncoder::drawIndexedIndirect, "primitive_type"_a,
             "index_type"_a, "index_buffer"_a, "index_buffer_offset"_a, "indirect_buffer"_a, "indirect_buffer_offset"_a,
             pooled,
             "The same: index count, instance count, first index, base vertex and base instance are the five 32-bit "
             "numbers at byte `indirect_buffer_offset` of the buffer when the device gets there.");
}

}  // namespace

void RenderEncoder::executeCommands(MTL::IndirectCommandBuffer& commands, const RangeLike& range) {
    constexpr const char* where = "execute_commands_in_buffer";
    checkObject(where, "commands", &commands);
    metal->executeCommandsInBuffer(&commands, checkedCommands(where, commands, range));
}

void RenderEncoder::executeCommandsIndirect(MTL::IndirectCommandBuffer& commands, MTL::Buffer& ranges,
                                            std::int64_t offset) {
    constexpr const char* where = "execute_commands_in_buffer_indirect";
    checkObject(where, "commands", &commands);
    checkObject(where, "range_buffer", &ranges);
    const NS::UInteger place =
        checkedOffset(where, "offset", ranges, offset, sizeof(MTL::IndirectCommandBufferExecutionRange));
    metal->executeCommandsInBuffer(&commands, &ranges, place);
}

void bindRenderDraws(nb::class_<RenderEncoder>& type) {
    bindPlain(type);
    bindIndexed(type);
    type.def("execute_commands_in_buffer", &RenderEncoder::executeCommands, "commands"_a, "range"_a, pooled,
             "Run draws of an IndirectCommandBuffer.")
        .def("execute_commands_in_buffer_indirect", &RenderEncoder::executeCommandsIndirect, "commands"_a,
             "range_buffer"_a, "offset"_a, pooled,
             "The same: location and length are the two uint32 at byte `offset` of the buffer when the device gets "
             "there.");
}

}  // namespace mtlpy
