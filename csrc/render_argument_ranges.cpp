// SPDX-License-Identifier: MIT
//
// What a render encoder sets for several indices of the vertex or of the fragment function at once.

#include "argument_ranges.hpp"
#include "buffer.hpp"
#include "render_encoder.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Metal = MTL::RenderCommandEncoder;
using Numbers = std::vector<std::int64_t>;
using Buffers = const MTL::Buffer* const*;
using Textures = const MTL::Texture* const*;
using Samplers = const MTL::SamplerState* const*;

struct Vertex {
    static constexpr const char* buffers = "set_vertex_buffers";
    static constexpr const char* textures = "set_vertex_textures";
    static constexpr const char* samplers = "set_vertex_sampler_states";
    static constexpr const char* tables = "set_vertex_visible_function_tables";
    static constexpr auto setBuffers =
        static_cast<void (Metal::*)(Buffers, const NS::UInteger*, NS::Range)>(&Metal::setVertexBuffers);
    static constexpr auto setTextures = &Metal::setVertexTextures;
    static constexpr auto setSamplers =
        static_cast<void (Metal::*)(Samplers, NS::Range)>(&Metal::setVertexSamplerStates);
    static constexpr auto setSamplersClamped =
        static_cast<void (Metal::*)(Samplers, const float*, const float*, NS::Range)>(&Metal::setVertexSamplerStates);
    static constexpr auto setTables = &Metal::setVertexVisibleFunctionTables;
    static StageArguments& of(RenderEncoder& encoder) { return encoder.vertex; }
};

struct Fragment {
    static constexpr const char* buffers = "set_fragment_buffers";
    static constexpr const char* textures = "set_fragment_textures";
    static constexpr const char* samplers = "set_fragment_sampler_states";
    static constexpr const char* tables = "set_fragment_visible_function_tables";
    static constexpr auto setBuffers = &Metal::setFragmentBuffers;
    static constexpr auto setTextures = &Metal::setFragmentTextures;
    static constexpr auto setSamplers =
        static_cast<void (Metal::*)(Samplers, NS::Range)>(&Metal::setFragmentSamplerStates);
    static constexpr auto setSamplersClamped =
        static_cast<void (Metal::*)(Samplers, const float*, const float*, NS::Range)>(&Metal::setFragmentSamplerStates);
    static constexpr auto setTables = &Metal::setFragmentVisibleFunctionTables;
    static StageArguments& of(RenderEncoder& encoder) { return encoder.fragment; }
};

template <class T, class Bits>
void note(Bits& bits, const std::vector<T*>& objects, NS::Range range) {
    for (std::size_t i = 0; i < objects.size(); ++i) bits[range.location + i] = objects[i] != nullptr;
}

/// That each object is of the encoder's device.
template <class T>
void checkObjects(RenderEncoder& self, const char* where, const char* name, const std::vector<T*>& objects) {
    self.checkOpen(where);
    for (std::size_t i = 0; i < objects.size(); ++i)
        self.checkObject(where, concat(name, "[", i, "]").c_str(), objects[i]);
}

std::vector<NS::UInteger> checkedOffsets(const char* where, const std::vector<MTL::Buffer*>& buffers,
                                         const Numbers& offsets) {
    checkSameLength(where, "offsets", offsets.size(), buffers.size());
    std::vector<NS::UInteger> checked(offsets.size(), 0);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (buffers[i])
            checked[i] = checkedIndex(where, concat("offsets[", i, "]").c_str(), offsets[i], buffers[i]->length());
    }
    return checked;
}

template <class Stage>
void setBuffers(RenderEncoder& self, const std::vector<MTL::Buffer*>& buffers, const Numbers& offsets,
                const RangeLike& range) {
    constexpr const char* where = Stage::buffers;
    checkObjects(self, where, "buffers", buffers);
    const NS::Range indices = checkedIndices(where, "buffers", buffers.size(), range, maximumBuffers);
    const std::vector<NS::UInteger> starts = checkedOffsets(where, buffers, offsets);
    for (MTL::Buffer* buffer : buffers) self.checkObject(where, "buffers", buffer);
    (self.metal.get()->*Stage::setBuffers)(constants(buffers).data(), starts.data(), indices);
    note(Stage::of(self).buffers, buffers, indices);
}

template <class Stage>
void setTextures(RenderEncoder& self, const std::vector<MTL::Texture*>& textures, const RangeLike& range) {
    checkObjects(self, Stage::textures, "textures", textures);
    const NS::Range indices = checkedIndices(Stage::textures, "textures", textures.size(), range, maximumTextures);
    (self.metal.get()->*Stage::setTextures)(constants(textures).data(), indices);
    note(Stage::of(self).textures, textures, indices);
}

template <class Stage>
NS::Range checkedSamplers(RenderEncoder& self, const std::vector<MTL::SamplerState*>& samplers,
                          const RangeLike& range) {
    checkObjects(self, Stage::samplers, "samplers", samplers);
    return checkedIndices(Stage::samplers, "samplers", samplers.size(), range, maximumSamplers);
}

template <class Stage>
void setSamplers(RenderEncoder& self, const std::vector<MTL::SamplerState*>& samplers, const RangeLike& range) {
    const NS::Range indices = checkedSamplers<Stage>(self, samplers, range);
    (self.metal.get()->*Stage::setSamplers)(constants(samplers).data(), indices);
    note(Stage::of(self).samplers, samplers, indices);
}

std::vector<float> checkedClamps(const char* where, const char* name, const std::vector<double>& clamps,
                                 std::size_t count) {
    checkSameLength(where, name, clamps.size(), count);
    std::vector<float> checked;
    for (std::size_t i = 0; i < count; ++i)
        checked.push_back(checkedFloat(where, concat(name, "[", i, "]").c_str(), clamps[i]));
    return checked;
}

template <class Stage>
void setSamplersClamped(RenderEncoder& self, const std::vector<MTL::SamplerState*>& samplers,
                        const std::vector<double>& least, const std::vector<double>& most, const RangeLike& range) {
    const NS::Range indices = checkedSamplers<Stage>(self, samplers, range);
    const auto lows = checkedClamps(Stage::samplers, "lod_min_clamps", least, samplers.size());
    const auto highs = checkedClamps(Stage::samplers, "lod_max_clamps", most, samplers.size());
    (self.metal.get()->*Stage::setSamplersClamped)(constants(samplers).data(), lows.data(), highs.data(), indices);
    note(Stage::of(self).samplers, samplers, indices);
}

template <class Stage>
void setTables(RenderEncoder& self, const std::vector<MTL::VisibleFunctionTable*>& tables, const RangeLike& range) {
    checkObjects(self, Stage::tables, "tables", tables);
    const NS::Range indices = checkedIndices(Stage::tables, "tables", tables.size(), range, maximumBuffers);
    (self.metal.get()->*Stage::setTables)(constants(tables).data(), indices);
    note(Stage::of(self).functionTables, tables, indices);
}

/// "def set_vertex_textures(self, textures: collections.abc.Sequence[Texture | None], range: ...) -> None"
std::string signature(const char* name, const char* objects, const char* type, const char* others = "") {
    return concat("def ", name, "(self, ", objects, ": collections.abc.Sequence[", type, " | None], ", others,
                  "range: Range | collections.abc.Sequence[int]) -> None");
}

template <class Stage>
void bindStage(nb::class_<RenderEncoder>& type) {
    // nanobind keeps the pointers.
    static const std::string texts[] = {
        signature(Stage::buffers, "buffers", "Buffer", "offsets: collections.abc.Sequence[int], "),
        signature(Stage::textures, "textures", "Texture"), signature(Stage::samplers, "samplers", "SamplerState"),
        signature(Stage::samplers, "samplers", "SamplerState",
                  "lod_min_clamps: collections.abc.Sequence[float], "
                  "lod_max_clamps: collections.abc.Sequence[float], "),
        signature(Stage::tables, "tables", "VisibleFunctionTable")};
    type.def(Stage::buffers, &setBuffers<Stage>, "buffers"_a, "offsets"_a, "range"_a, nb::sig(texts[0].c_str()), pooled,
             "Bind a buffer to each index of the range, from its byte of `offsets` on; None unbinds.")
        .def(Stage::textures, &setTextures<Stage>, "textures"_a, "range"_a, nb::sig(texts[1].c_str()), pooled,
             "Bind a texture to each index of the range; None unbinds.")
        .def(Stage::samplers, &setSamplers<Stage>, "samplers"_a, "range"_a, nb::sig(texts[2].c_str()), pooled,
             "Bind a sampler to each index of the range; None unbinds.")
        .def(Stage::samplers, &setSamplersClamped<Stage>, "samplers"_a, "lod_min_clamps"_a, "lod_max_clamps"_a,
             "range"_a, nb::sig(texts[3].c_str()), pooled, "The same, each with other limits of the level of detail.")
        .def(Stage::tables, &setTables<Stage>, "tables"_a, "range"_a, nb::sig(texts[4].c_str()), pooled,
             "Bind a table of functions to each index of the range; None unbinds.");
}

}  // namespace

void bindRenderArgumentRanges(nb::class_<RenderEncoder>& type) {
    bindStage<Vertex>(type);
    bindStage<Fragment>(type);
    type.def(
        "set_vertex_buffers",
        [](RenderEncoder& self, const std::vector<MTL::Buffer*>& buffers, const Numbers& offsets,
           const Numbers& strides, const RangeLike& range) {
            constexpr const char* where = "set_vertex_buffers";
            checkObjects(self, where, "buffers", buffers);
            checkNoneIsMissing(where, "buffers", buffers);
            const NS::Range indices = checkedIndices(where, "buffers", buffers.size(), range, maximumBuffers);
            const std::vector<NS::UInteger> starts = checkedOffsets(where, buffers, offsets);
            checkSameLength(where, "strides", strides.size(), buffers.size());
            std::vector<NS::UInteger> steps;
            for (std::size_t i = 0; i < strides.size(); ++i)
                steps.push_back(checkedCount(where, concat("strides[", i, "]").c_str(), strides[i], 0, UINT32_MAX));
            for (MTL::Buffer* buffer : buffers) self.checkObject(where, "buffers", buffer);
            self.metal->setVertexBuffers(constants(buffers).data(), starts.data(), steps.data(), indices);
            note(self.vertex.buffers, buffers, indices);
        },
        "buffers"_a, "offsets"_a, "strides"_a, "range"_a, pooled,
        "The same for layouts without strides of their own: bytes from one element to the next.");
}

}  // namespace mtlpy
