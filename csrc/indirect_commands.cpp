// SPDX-License-Identifier: MIT
//
// Indirect command buffers: commands in memory, written by the processor or by kernels, executed by encoders.

#include "indirect_commands.hpp"

#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "compute_pipeline.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;
using Descriptor = MTL::IndirectCommandBufferDescriptor;
using Commands = MTL::IndirectCommandBuffer;
using Command = MTL::IndirectComputeCommand;

constexpr std::uint64_t maximumGrid = UINT32_MAX;

template <NS::UInteger (Descriptor::*get)() const, void (Descriptor::*set)(NS::UInteger)>
void bindCount(nb::class_<Descriptor>& type, const char* name, const char* text) {
    type.def_prop_rw(
        name, get,
        [name](Descriptor& self, std::int64_t count) {
            (self.*set)(checkedCount("IndirectCommandBufferDescriptor", name, count, 0, maximumBuffers));
        },
        pooled, text);
}

void bindDescriptor(nb::module_& module) {
    nb::class_<Descriptor> type(module, "IndirectCommandBufferDescriptor",
                                "Which commands a buffer holds, and what each has room for.",
                                nb::is_weak_referenceable());
    type.def(nb::new_([] { return owned(Descriptor::alloc()->init()); }), pooled)
        .def_static(
            "indirect_command_buffer_descriptor", [] { return owned(Descriptor::alloc()->init()); }, pooled,
            "A new descriptor: commands of no type, with room for no buffers.")
        .def_prop_rw(
            "command_types", [](Descriptor& self) { return std::uint64_t(self.commandTypes()); },
            [](Descriptor& self, std::int64_t types) {
                self.setCommandTypes(MTL::IndirectCommandType(
                    checkedCount("IndirectCommandBufferDescriptor", "command_types", types, 0, 0x1ff)));
            },
            pooled, "A sum of IndirectCommandType...: draws, or concurrent dispatches.")
        .def_prop_rw("inherit_buffers", &Descriptor::inheritBuffers, &Descriptor::setInheritBuffers, pooled,
                     "Whether commands use the buffers that are set on the encoder which executes them.")
        .def_prop_rw("inherit_pipeline_state", &Descriptor::inheritPipelineState, &Descriptor::setInheritPipelineState,
                     pooled, "Whether commands use the pipeline state that is set there.");
    bindCount<&Descriptor::maxKernelBufferBindCount, &Descriptor::setMaxKernelBufferBindCount>(
        type, "max_kernel_buffer_bind_count", "Buffers that a command can set for its kernel.");
    bindCount<&Descriptor::maxKernelThreadgroupMemoryBindCount, &Descriptor::setMaxKernelThreadgroupMemoryBindCount>(
        type, "max_kernel_threadgroup_memory_bind_count", "Lengths of threadgroup memory that a command can set.");
    bindCount<&Descriptor::maxVertexBufferBindCount, &Descriptor::setMaxVertexBufferBindCount>(
        type, "max_vertex_buffer_bind_count", "Buffers that a command can set for a vertex function.");
    bindCount<&Descriptor::maxFragmentBufferBindCount, &Descriptor::setMaxFragmentBufferBindCount>(
        type, "max_fragment_buffer_bind_count", "Buffers that a command can set for a fragment function.");
}

void bindCommand(nb::module_& module) {
    nb::class_<Command>(module, "IndirectComputeCommand", "A command that dispatches a kernel.",
                        nb::is_weak_referenceable())
        .def(
            "set_compute_pipeline_state",
            [](Command& self, ComputePipeline& pipeline) {
                if (!pipeline.metal->supportIndirectCommandBuffers())
                    fail(ErrorKind::validation, concat("set_compute_pipeline_state: kernel ", pipeline.name,
                                                       " was not compiled with support_indirect_command_buffers"));
                self.setComputePipelineState(pipeline.metal.get());
            },
            "state"_a, pooled, "The kernel that the command runs.")
        .def(
            "set_kernel_buffer",
            [](Command& self, MTL::Buffer& buffer, std::int64_t offset, std::int64_t index) {
                self.setKernelBuffer(&buffer, checkedIndex("set_kernel_buffer", "offset", offset, buffer.length()),
                                     checkedIndex("set_kernel_buffer", "index", index, maximumBuffers));
            },
            "buffer"_a, "offset"_a, "index"_a, pooled,
            "Give the kernel's argument `index` a buffer from byte `offset`.")
        .def(
            "set_threadgroup_memory_length",
            [](Command& self, std::int64_t length, std::int64_t index) {
                constexpr const char* where = "set_threadgroup_memory_length";
                const NS::UInteger slot = checkedIndex(where, "index", index, maximumBuffers);
                if (length < 0 || length % 16 != 0)
                    fail(ErrorKind::validation, concat(where, ": length is ", length, ", must be a multiple of 16"));
                self.setThreadgroupMemoryLength(static_cast<NS::UInteger>(length), slot);
            },
            "length"_a, "index"_a, pooled, "Bytes of threadgroup memory for the kernel's threadgroup argument `index`.")
        .def(
            "set_stage_in_region",
            [](Command& self, const RegionLike& region) {
                MTL::Region checked;
                checked.origin = region.origin.checked("set_stage_in_region", "region.origin");
                checked.size = region.size.checked("set_stage_in_region", "region.size", 0, maximumGrid);
                self.setStageInRegion(checked);
            },
            "region"_a, pooled, "Where in the grid a kernel with stage_in begins, and how many threads fetch for it.")
        .def(
            "concurrent_dispatch_threads",
            [](Command& self, const SizeLike& grid, const SizeLike& threadgroup) {
                constexpr const char* where = "concurrent_dispatch_threads";
                self.concurrentDispatchThreads(grid.checked(where, "threads_per_grid", 1, maximumGrid),
                                               threadgroup.checked(where, "threads_per_threadgroup", 1, maximumGrid));
            },
            "threads_per_grid"_a, "threads_per_threadgroup"_a, pooled,
            "Run so many threads, at the same time as other commands' that no barrier parts from them.")
        .def(
            "concurrent_dispatch_threadgroups",
            [](Command& self, const SizeLike& grid, const SizeLike& threadgroup) {
                constexpr const char* where = "concurrent_dispatch_threadgroups";
                self.concurrentDispatchThreadgroups(
                    grid.checked(where, "threadgroups_per_grid", 1, maximumGrid),
                    threadgroup.checked(where, "threads_per_threadgroup", 1, maximumGrid));
            },
            "threadgroups_per_grid"_a, "threads_per_threadgroup"_a, pooled,
            "Run so many threadgroups, at the same time as other commands' that no barrier parts from them.")
        .def("set_barrier", &Command::setBarrier, pooled, "The command waits for those before it.")
        .def("clear_barrier", &Command::clearBarrier, pooled, "The command does not wait for those before it.")
        .def("reset", &Command::reset, pooled, "Empty the command: it does nothing then.");
}

void bindCommands(nb::module_& module) {
    nb::class_<Commands, MTL::Resource>(module, "IndirectCommandBuffer",
                                        "Commands in memory; kernels write them through a command_buffer.",
                                        nb::is_weak_referenceable())
        .def_prop_ro("size", &Commands::size, pooled, "How many commands it holds.")
        .def_prop_ro(
            "gpu_resource_id", [](const Commands& self) { return self.gpuResourceID()._impl; }, pooled,
            "What an argument buffer holds for a command_buffer.")
        .def(
            "indirect_compute_command",
            [](Commands& self, std::int64_t index) {
                return shared(self.indirectComputeCommand(
                    checkedIndex("indirect_compute_command", "command_index", index, self.size())));
            },
            "command_index"_a, pooled,
            nb::sig("def indirect_compute_command(self, command_index: int) -> IndirectComputeCommand"),
            "A command, to be written.")
        .def(
            "indirect_render_command",
            [](Commands& self, std::int64_t index) {
                return shared(self.indirectRenderCommand(
                    checkedIndex("indirect_render_command", "command_index", index, self.size())));
            },
            "command_index"_a, pooled,
            nb::sig("def indirect_render_command(self, command_index: int) -> IndirectRenderCommand"),
            "A command that draws, to be written.")
        .def(
            "reset", [](Commands& self, const RangeLike& range) { self.reset(checkedCommands("reset", self, range)); },
            "range"_a, pooled, "Empty commands.");
}

}  // namespace

NS::Range checkedCommands(const char* where, const Commands& commands, const RangeLike& range) {
    const auto [location, length] = range.value;
    const auto size = static_cast<std::int64_t>(commands.size());
    if (location < 0 || length < 0 || location > size || length > size - location)
        fail(ErrorKind::validation,
             concat(where, ": range is (", location, ", ", length, "), the buffer has ", size, " commands"));
    return NS::Range(static_cast<NS::UInteger>(location), static_cast<NS::UInteger>(length));
}

NS::SharedPtr<MTL::IndirectCommandBuffer> newIndirectCommandBuffer(MTL::Device& device, const Descriptor& descriptor,
                                                                   std::int64_t count, std::int64_t options) {
    constexpr const char* where = "new_indirect_command_buffer";
    constexpr std::uint64_t dispatches =
        MTL::IndirectCommandTypeConcurrentDispatch | MTL::IndirectCommandTypeConcurrentDispatchThreads;
    const std::uint64_t types = descriptor.commandTypes();
    const NS::UInteger size = checkedCount(where, "max_count", count, 1, 16384);
    if (types == 0 || ((types & dispatches) != 0 && (types & ~dispatches) != 0))
        fail(ErrorKind::validation,
             concat(where, ": command_types is ", types, ", must be draws or concurrent dispatches, not both"));
    return made(device.newIndirectCommandBuffer(
                    &descriptor, size, MTL::ResourceOptions(checkedCount(where, "options", options, 0, 0x3ff))),
                "indirect command buffer");
}

void bindIndirectCommands(nb::module_& module) {
    const auto constant = [&](const char* name, NS::UInteger value) { module.attr(name) = nb::int_(value); };
    constant("IndirectCommandTypeDraw", MTL::IndirectCommandTypeDraw);
    constant("IndirectCommandTypeDrawIndexed", MTL::IndirectCommandTypeDrawIndexed);
    constant("IndirectCommandTypeDrawPatches", MTL::IndirectCommandTypeDrawPatches);
    constant("IndirectCommandTypeDrawIndexedPatches", MTL::IndirectCommandTypeDrawIndexedPatches);
    constant("IndirectCommandTypeConcurrentDispatch", MTL::IndirectCommandTypeConcurrentDispatch);
    constant("IndirectCommandTypeConcurrentDispatchThreads", MTL::IndirectCommandTypeConcurrentDispatchThreads);
    bindDescriptor(module);
    bindCommand(module);
    bindCommands(module);
}

}  // namespace mtlpy
