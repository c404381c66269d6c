// SPDX-License-Identifier: MIT
//
// What a render encoder sets for the vertex and for the fragment function: the same for each.

#include <nanobind/stl/optional.h>

#include <optional>

#include "buffer.hpp"
#include "bytes.hpp"
#include "render_encoder.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Metal = MTL::RenderCommandEncoder;
using Number = std::int64_t;

struct Vertex {
    static constexpr const char* buffer = "set_vertex_buffer";
    static constexpr const char* bufferOffset = "set_vertex_buffer_offset";
    static constexpr const char* bytes = "set_vertex_bytes";
    static constexpr const char* texture = "set_vertex_texture";
    static constexpr const char* sampler = "set_vertex_sampler_state";
    static constexpr const char* functionTable = "set_vertex_visible_function_table";
    static constexpr auto setBufferOffset =
        static_cast<void (Metal::*)(NS::UInteger, NS::UInteger)>(&Metal::setVertexBufferOffset);
    static constexpr auto setBuffer =
        static_cast<void (Metal::*)(const MTL::Buffer*, NS::UInteger, NS::UInteger)>(&Metal::setVertexBuffer);
    static constexpr auto setBytes =
        static_cast<void (Metal::*)(const void*, NS::UInteger, NS::UInteger)>(&Metal::setVertexBytes);
    static constexpr auto setTexture = &Metal::setVertexTexture;
    static constexpr auto setSampler =
        static_cast<void (Metal::*)(const MTL::SamplerState*, NS::UInteger)>(&Metal::setVertexSamplerState);
    static constexpr auto setSamplerClamped =
        static_cast<void (Metal::*)(const MTL::SamplerState*, float, float, NS::UInteger)>(
            &Metal::setVertexSamplerState);
    static constexpr auto setFunctionTable = &Metal::setVertexVisibleFunctionTable;
    static StageArguments& of(RenderEncoder& encoder) { return encoder.vertex; }
};

struct Fragment {
    static constexpr const char* buffer = "set_fragment_buffer";
    static constexpr const char* bufferOffset = "set_fragment_buffer_offset";
    static constexpr const char* bytes = "set_fragment_bytes";
    static constexpr const char* texture = "set_fragment_texture";
    static constexpr const char* sampler = "set_fragment_sampler_state";
    static constexpr const char* functionTable = "set_fragment_visible_function_table";
    static constexpr auto setBufferOffset = &Metal::setFragmentBufferOffset;
    static constexpr auto setBuffer = &Metal::setFragmentBuffer;
    static constexpr auto setBytes = &Metal::setFragmentBytes;
    static constexpr auto setTexture = &Metal::setFragmentTexture;
    static constexpr auto setSampler =
        static_cast<void (Metal::*)(const MTL::SamplerState*, NS::UInteger)>(&Metal::setFragmentSamplerState);
    static constexpr auto setSamplerClamped =
        static_cast<void (Metal::*)(const MTL::SamplerState*, float, float, NS::UInteger)>(
            &Metal::setFragmentSamplerState);
    static constexpr auto setFunctionTable = &Metal::setFragmentVisibleFunctionTable;
    static StageArguments& of(RenderEncoder& encoder) { return encoder.fragment; }
};

template <class Stage>
void setBuffer(RenderEncoder& self, MTL::Buffer* buffer, Number offset, Number index) {
    self.checkOpen(Stage::buffer);
    // PyMetal lets the index after the last through, where no function can have an argument: nothing to bind.
    const NS::UInteger slot = checkedIndex(Stage::buffer, "index", index, maximumBuffers + 1);
    NS::UInteger start = 0;
    if (buffer) {
        start = checkedIndex(Stage::buffer, "offset", offset, buffer->length());
        self.checkObject(Stage::buffer, "buffer", buffer);
    }
    if (slot == maximumBuffers) return;
    (self.metal.get()->*Stage::setBuffer)(buffer, start, slot);
    Stage::of(self).buffers[slot] = buffer != nullptr;
}

template <class Stage>
void setBufferOffset(RenderEncoder& self, Number offset, Number index) {
    self.checkOpen(Stage::bufferOffset);
    const NS::UInteger slot = checkedIndex(Stage::bufferOffset, "index", index, maximumBuffers);
    if (!Stage::of(self).buffers[slot])
        fail(ErrorKind::validation, concat(Stage::bufferOffset, ": no buffer is set at index ", slot));
    (self.metal.get()->*Stage::setBufferOffset)(checkedCount(Stage::bufferOffset, "offset", offset, 0, INT64_MAX),
                                                slot);
}

template <class Stage>
void setBytes(RenderEncoder& self, BytesLike data, std::optional<Number> length, Number index) {
    self.checkOpen(Stage::bytes);
    const ByteView bytes(data, ByteView::Access::read, Stage::bytes);
    const NS::UInteger slot = checkedIndex(Stage::bytes, "index", index, maximumBuffers);
    const std::size_t size = length ? checkedCount(Stage::bytes, "length", *length, 1, bytes.size()) : bytes.size();
    if (size == 0 || size > maximumBytes)
        fail(ErrorKind::validation, concat(Stage::bytes, ": data has ", size, " bytes, must be 1 to ", maximumBytes,
                                           "; use a buffer for more"));
    (self.metal.get()->*Stage::setBytes)(bytes.data(), size, slot);
    Stage::of(self).buffers[slot] = true;
}

template <class Stage>
void setTexture(RenderEncoder& self, MTL::Texture* texture, Number index) {
    self.checkObject(Stage::texture, "texture", texture);
    const NS::UInteger slot = checkedIndex(Stage::texture, "index", index, maximumTextures);
    (self.metal.get()->*Stage::setTexture)(texture, slot);
    Stage::of(self).textures[slot] = texture != nullptr;
}

template <class Stage>
void setSampler(RenderEncoder& self, MTL::SamplerState* sampler, Number index) {
    self.checkObject(Stage::sampler, "sampler", sampler);
    const NS::UInteger slot = checkedIndex(Stage::sampler, "index", index, maximumSamplers);
    (self.metal.get()->*Stage::setSampler)(sampler, slot);
    Stage::of(self).samplers[slot] = sampler != nullptr;
}

template <class Stage>
void setSamplerClamped(RenderEncoder& self, MTL::SamplerState* sampler, double least, double most, Number index) {
    self.checkObject(Stage::sampler, "sampler", sampler);
    const NS::UInteger slot = checkedIndex(Stage::sampler, "index", index, maximumSamplers);
    (self.metal.get()->*Stage::setSamplerClamped)(sampler, checkedFloat(Stage::sampler, "lod_min_clamp", least),
                                                  checkedFloat(Stage::sampler, "lod_max_clamp", most), slot);
    Stage::of(self).samplers[slot] = sampler != nullptr;
}

template <class Stage>
void setFunctionTable(RenderEncoder& self, MTL::VisibleFunctionTable* table, Number index) {
    self.checkObject(Stage::functionTable, "table", table);
    const NS::UInteger slot = checkedIndex(Stage::functionTable, "index", index, maximumBuffers);
    (self.metal.get()->*Stage::setFunctionTable)(table, slot);
    Stage::of(self).functionTables[slot] = table != nullptr;
}

template <class Stage>
void bindStage(nb::class_<RenderEncoder>& type) {
    type.def(Stage::buffer, &setBuffer<Stage>, "buffer"_a.none(), "offset"_a, "index"_a, pooled,
             "Bind a buffer from byte `offset` on; None unbinds.")
        .def(Stage::bufferOffset, &setBufferOffset<Stage>, "offset"_a, "index"_a, pooled,
             "Move the offset of the buffer bound there.")
        .def(Stage::bytes, &setBytes<Stage>, "data"_a, "length"_a, "index"_a, pooled,
             "Bind a copy of the first `length` bytes.")
        .def(
            Stage::bytes,
            [](RenderEncoder& self, BytesLike data, Number index) { setBytes<Stage>(self, data, std::nullopt, index); },
            "data"_a, "index"_a, pooled, "Bind a copy of the bytes, at most 4096.")
        .def(Stage::texture, &setTexture<Stage>, "texture"_a.none(), "index"_a, pooled, "Bind a texture; None unbinds.")
        .def(Stage::sampler, &setSampler<Stage>, "sampler"_a.none(), "index"_a, pooled, "Bind a sampler; None unbinds.")
        .def(Stage::sampler, &setSamplerClamped<Stage>, "sampler"_a.none(), "lod_min_clamp"_a, "lod_max_clamp"_a,
             "index"_a, pooled, "Bind a sampler with other limits of the level of detail.")
        .def(Stage::functionTable, &setFunctionTable<Stage>, "table"_a.none(), "index"_a, pooled,
             "Bind a table of functions; None unbinds. Tables share their indices with buffers.");
}

}  // namespace

void bindRenderArguments(nb::class_<RenderEncoder>& type) {
    bindStage<Vertex>(type);
    bindStage<Fragment>(type);
    type.def(
        "set_vertex_buffer",
        [](RenderEncoder& self, MTL::Buffer& buffer, Number offset, Number stride, Number index) {
            constexpr const char* where = "set_vertex_buffer";
            self.checkOpen(where);
            const NS::UInteger slot = checkedIndex(where, "index", index, maximumBuffers);
            const NS::UInteger start = checkedIndex(where, "offset", offset, buffer.length());
            const NS::UInteger step = checkedCount(where, "stride", stride, 0, UINT32_MAX);
            self.checkObject(where, "buffer", &buffer);
            self.metal->setVertexBuffer(&buffer, start, step, slot);
            self.vertex.buffers[slot] = true;
        },
        "buffer"_a, "offset"_a, "stride"_a, "index"_a, pooled,
        "The same for a layout without a stride of its own: bytes from one element to the next.");
}

}  // namespace mtlpy
