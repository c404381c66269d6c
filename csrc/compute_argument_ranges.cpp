// SPDX-License-Identifier: MIT
//
// What a compute encoder sets for several indices at once.

#include "argument_ranges.hpp"
#include "compute_encoder.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Numbers = std::vector<std::int64_t>;

template <class T>
void checkObjects(const ComputeEncoder& self, const char* where, const char* name, const std::vector<T*>& objects) {
    self.checkOpen(where);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i]) self.commandBuffer->checkDevice(where, concat(name, "[", i, "]").c_str(), objects[i]->device());
    }
}

void setBuffers(ComputeEncoder& self, const std::vector<MTL::Buffer*>& buffers, const Numbers& offsets,
                const RangeLike& range) {
    constexpr const char* where = "set_buffers";
    checkObjects(self, where, "buffers", buffers);
    const NS::Range indices = checkedIndices(where, "buffers", buffers.size(), range, maximumBuffers);
    checkSameLength(where, "offsets", offsets.size(), buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (buffers[i]) checkedIndex(where, concat("offsets[", i, "]").c_str(), offsets[i], buffers[i]->length());
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
        self.setBuffer(buffers[i], offsets[i], static_cast<std::int64_t>(indices.location + i));
}

void setTextures(ComputeEncoder& self, const std::vector<MTL::Texture*>& textures, const RangeLike& range) {
    constexpr const char* where = "set_textures";
    checkObjects(self, where, "textures", textures);
    const NS::Range indices = checkedIndices(where, "textures", textures.size(), range, maximumTextures);
    for (std::size_t i = 0; i < textures.size(); ++i)
        self.setTexture(textures[i], static_cast<std::int64_t>(indices.location + i));
}

void setSamplers(ComputeEncoder& self, const std::vector<MTL::SamplerState*>& samplers, const RangeLike& range) {
    constexpr const char* where = "set_sampler_states";
    checkObjects(self, where, "samplers", samplers);
    const NS::Range indices = checkedIndices(where, "samplers", samplers.size(), range, maximumSamplers);
    for (std::size_t i = 0; i < samplers.size(); ++i)
        self.setSampler(samplers[i], static_cast<std::int64_t>(indices.location + i));
}

void setSamplersClamped(ComputeEncoder& self, const std::vector<MTL::SamplerState*>& samplers,
                        const std::vector<double>& least, const std::vector<double>& most, const RangeLike& range) {
    constexpr const char* where = "set_sampler_states";
    checkObjects(self, where, "samplers", samplers);
    const NS::Range indices = checkedIndices(where, "samplers", samplers.size(), range, maximumSamplers);
    checkSameLength(where, "lod_min_clamps", least.size(), samplers.size());
    checkSameLength(where, "lod_max_clamps", most.size(), samplers.size());
    std::vector<float> lows, highs;
    for (std::size_t i = 0; i < samplers.size(); ++i) {
        lows.push_back(checkedFloat(where, concat("lod_min_clamps[", i, "]").c_str(), least[i]));
        highs.push_back(checkedFloat(where, concat("lod_max_clamps[", i, "]").c_str(), most[i]));
    }
    for (std::size_t i = 0; i < samplers.size(); ++i)
        self.setSampler(samplers[i], lows[i], highs[i], static_cast<std::int64_t>(indices.location + i));
}

void setTables(ComputeEncoder& self, const std::vector<MTL::VisibleFunctionTable*>& tables, const RangeLike& range) {
    constexpr const char* where = "set_visible_function_tables";
    checkObjects(self, where, "tables", tables);
    const NS::Range indices = checkedIndices(where, "tables", tables.size(), range, maximumBuffers);
    for (std::size_t i = 0; i < tables.size(); ++i)
        self.setFunctionTable(tables[i], static_cast<std::int64_t>(indices.location + i));
}

void useResources(ComputeEncoder& self, const std::vector<MTL::Resource*>& resources, std::int64_t usage) {
    constexpr const char* where = "use_resources";
    checkObjects(self, where, "resources", resources);
    checkNoneIsMissing(where, "resources", resources);
    constexpr auto all = MTL::ResourceUsageRead | MTL::ResourceUsageWrite | MTL::ResourceUsageSample;
    const auto flags = MTL::ResourceUsage(checkedCount(where, "usage", usage, 1, all));
    self.metal->useResources(constants(resources).data(), resources.size(), flags);
}

void useHeaps(ComputeEncoder& self, const std::vector<MTL::Heap*>& heaps) {
    checkObjects(self, "use_heaps", "heaps", heaps);
    checkNoneIsMissing("use_heaps", "heaps", heaps);
    self.metal->useHeaps(constants(heaps).data(), heaps.size());
}

void memoryBarrier(ComputeEncoder& self, const std::vector<MTL::Resource*>& resources) {
    checkObjects(self, "memory_barrier", "resources", resources);
    checkNoneIsMissing("memory_barrier", "resources", resources);
    self.metal->memoryBarrier(constants(resources).data(), resources.size());
}

}  // namespace

void bindComputeArgumentRanges(nb::class_<ComputeEncoder>& type) {
    type.def("set_buffers", &setBuffers, "buffers"_a, "offsets"_a, "range"_a,
             nb::sig("def set_buffers(self, buffers: collections.abc.Sequence[Buffer | None], offsets: "
                     "collections.abc.Sequence[int], range: Range | collections.abc.Sequence[int]) -> None"),
             pooled, "Bind a buffer to each index of the range, from its byte of `offsets` on; None unbinds.")
        .def("set_textures", &setTextures, "textures"_a, "range"_a,
             nb::sig("def set_textures(self, textures: collections.abc.Sequence[Texture | None], range: Range | "
                     "collections.abc.Sequence[int]) -> None"),
             pooled, "Bind a texture to each index of the range; None unbinds.")
        .def("set_sampler_states", &setSamplers, "samplers"_a, "range"_a,
             nb::sig("def set_sampler_states(self, samplers: collections.abc.Sequence[SamplerState | None], range: "
                     "Range | collections.abc.Sequence[int]) -> None"),
             pooled, "Bind a sampler to each index of the range; None unbinds.")
        .def("set_sampler_states", &setSamplersClamped, "samplers"_a, "lod_min_clamps"_a, "lod_max_clamps"_a, "range"_a,
             nb::sig("def set_sampler_states(self, samplers: collections.abc.Sequence[SamplerState | None], "
                     "lod_min_clamps: collections.abc.Sequence[float], lod_max_clamps: "
                     "collections.abc.Sequence[float], range: Range | collections.abc.Sequence[int]) -> None"),
             pooled, "The same, each with other limits of the level of detail.")
        .def("set_visible_function_tables", &setTables, "tables"_a, "range"_a,
             nb::sig("def set_visible_function_tables(self, tables: collections.abc.Sequence[VisibleFunctionTable | "
                     "None], range: Range | collections.abc.Sequence[int]) -> None"),
             pooled, "Bind a table of functions to each index of the range; None unbinds.")
        .def("use_resources", &useResources, "resources"_a, "usage"_a, pooled, "`use_resource` of each of them.")
        .def("use_heaps", &useHeaps, "heaps"_a, pooled, "`use_heap` of each of them.")
        .def("memory_barrier", &memoryBarrier, "resources"_a, pooled,
             "Commands that follow see what those before wrote to these resources.");
}

}  // namespace mtlpy
