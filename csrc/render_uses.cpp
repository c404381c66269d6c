// SPDX-License-Identifier: MIT
//
// What draws use besides their arguments, and what orders them.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "argument_ranges.hpp"
#include "counters.hpp"
#include "render_encoder.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Number = std::int64_t;

constexpr std::uint64_t stages = MTL::RenderStageVertex | MTL::RenderStageFragment;

MTL::RenderStages checkedStages(const char* where, const char* name, Number value) {
    return MTL::RenderStages(checkedCount(where, name, value, 1, stages));
}

MTL::ResourceUsage checkedUsage(const char* where, Number usage) {
    constexpr auto all = MTL::ResourceUsageRead | MTL::ResourceUsageWrite | MTL::ResourceUsageSample;
    return MTL::ResourceUsage(checkedCount(where, "usage", usage, 1, all));
}

void useResource(RenderEncoder& self, MTL::Resource& resource, Number usage, std::optional<Number> wanted) {
    constexpr const char* where = "use_resource";
    self.checkObject(where, "resource", &resource);
    self.metal->useResource(&resource, checkedUsage(where, usage),
                            wanted ? checkedStages(where, "stages", *wanted) : stages);
}

template <class T>
void checkObjects(RenderEncoder& self, const char* where, const char* name, const std::vector<T*>& objects) {
    self.checkOpen(where);
    checkNoneIsMissing(where, name, objects);
    for (std::size_t i = 0; i < objects.size(); ++i)
        self.checkObject(where, concat(name, "[", i, "]").c_str(), objects[i]);
}

void useResources(RenderEncoder& self, const std::vector<MTL::Resource*>& resources, Number usage,
                  std::optional<Number> wanted) {
    constexpr const char* where = "use_resources";
    checkObjects(self, where, "resources", resources);
    self.metal->useResources(constants(resources).data(), resources.size(), checkedUsage(where, usage),
                             wanted ? checkedStages(where, "stages", *wanted) : stages);
}

void useHeaps(RenderEncoder& self, const std::vector<MTL::Heap*>& heaps, std::optional<Number> wanted) {
    checkObjects(self, "use_heaps", "heaps", heaps);
    self.metal->useHeaps(constants(heaps).data(), heaps.size(),
                         wanted ? checkedStages("use_heaps", "stages", *wanted) : stages);
}

void useHeap(RenderEncoder& self, MTL::Heap& heap, std::optional<Number> wanted) {
    self.checkObject("use_heap", "heap", &heap);
    self.metal->useHeap(&heap, wanted ? checkedStages("use_heap", "stages", *wanted) : stages);
}

void memoryBarrier(RenderEncoder& self, Number scope, Number after, Number before) {
    constexpr const char* where = "memory_barrier";
    constexpr auto all = MTL::BarrierScopeBuffers | MTL::BarrierScopeTextures | MTL::BarrierScopeRenderTargets;
    self.checkOpen(where);
    self.metal->memoryBarrier(MTL::BarrierScope(checkedCount(where, "scope", scope, 1, all)),
                              checkedStages(where, "after", after), checkedStages(where, "before", before));
}

void memoryBarrierOfResources(RenderEncoder& self, const std::vector<MTL::Resource*>& resources, Number after,
                              Number before) {
    constexpr const char* where = "memory_barrier";
    checkObjects(self, where, "resources", resources);
    self.metal->memoryBarrier(constants(resources).data(), resources.size(), checkedStages(where, "after", after),
                              checkedStages(where, "before", before));
}

}  // namespace

void bindRenderUses(nb::class_<RenderEncoder>& type) {
    type.def("use_resource", &useResource, "resource"_a, "usage"_a, "stages"_a = nb::none(), pooled,
             "Say that functions reach the resource through an argument buffer, and how: flags of ResourceUsage and "
             "RenderStages.")
        .def("use_heap", &useHeap, "heap"_a, "stages"_a = nb::none(), pooled,
             "The same of all that is in a heap, which functions may then read.")
        .def("use_resources", &useResources, "resources"_a, "usage"_a, "stages"_a = nb::none(), pooled,
             "`use_resource` of each of them.")
        .def("use_heaps", &useHeaps, "heaps"_a, "stages"_a = nb::none(), pooled, "`use_heap` of each of them.")
        .def("memory_barrier", &memoryBarrierOfResources, "resources"_a, "after"_a, "before"_a, pooled,
             "The same of what was written to these resources.")
        .def("memory_barrier", &memoryBarrier, "scope"_a, "after"_a, "before"_a, pooled,
             "Stages `before` of draws that follow see what stages `after` of those before wrote.")
        .def(
            "sample_counters_in_buffer",
            [](RenderEncoder& self, const MTL::CounterSampleBuffer& buffer, Number index, bool barrier) {
                sampleCounters(self, MTL::CounterSamplingPointAtDrawBoundary, buffer, index, barrier);
            },
            "sample_buffer"_a, "sample_index"_a, "barrier"_a = true, pooled,
            "Take a sample when the draws before have ended.")
        .def(
            "texture_barrier",
            [](RenderEncoder& self) {
                self.checkOpen("texture_barrier");
                self.metal->textureBarrier();
            },
            pooled, "Draws that follow may read what those before drew.")
        .def(
            "update_fence",
            [](RenderEncoder& self, const MTL::Fence& fence, Number after) {
                self.checkObject("update_fence", "fence", &fence);
                self.metal->updateFence(&fence, checkedStages("update_fence", "stages", after));
            },
            "fence"_a, "stages"_a = NS::UInteger(MTL::RenderStageFragment), pooled,
            "Signal the fence when these stages of the draws so far have finished.")
        .def(
            "wait_for_fence",
            [](RenderEncoder& self, const MTL::Fence& fence, Number before) {
                self.checkObject("wait_for_fence", "fence", &fence);
                self.metal->waitForFence(&fence, checkedStages("wait_for_fence", "stages", before));
            },
            "fence"_a, "stages"_a = NS::UInteger(MTL::RenderStageVertex), pooled,
            "Hold these stages of the draws that follow until the fence is signalled.");
}

}  // namespace mtlpy
