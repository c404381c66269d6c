// SPDX-License-Identifier: MIT

#include "compute_encoder.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bind.hpp"
#include "buffer.hpp"
#include "bytes.hpp"
#include "counters.hpp"
#include "indirect_commands.hpp"
#include "render_types.hpp"

namespace mtlpy {

namespace {

using namespace nb::literals;

constexpr std::uint64_t maximumGrid = UINT32_MAX;

void setBytesOfObject(ComputeEncoder& self, BytesLike data, std::int64_t index) {
    const ByteView bytes(data, ByteView::Access::read, "set_bytes");
    self.setBytes(bytes.data(), bytes.size(), index);
}

void setBytesOfLength(ComputeEncoder& self, BytesLike data, std::int64_t length, std::int64_t index) {
    const ByteView bytes(data, ByteView::Access::read, "set_bytes");
    self.setBytes(bytes.data(), checkedCount("set_bytes", "length", length, 1, bytes.size()), index);
}

void useResource(ComputeEncoder& self, MTL::Resource& resource, std::int64_t usage) {
    self.checkOpen("use_resource");
    self.commandBuffer->checkDevice("use_resource", "resource", resource.device());
    constexpr auto all = MTL::ResourceUsageRead | MTL::ResourceUsageWrite | MTL::ResourceUsageSample;
    self.metal->useResource(&resource, MTL::ResourceUsage(checkedCount("use_resource", "usage", usage, 1, all)));
}

void useHeap(ComputeEncoder& self, MTL::Heap& heap) {
    self.checkOpen("use_heap");
    self.commandBuffer->checkDevice("use_heap", "heap", heap.device());
    self.metal->useHeap(&heap);
}

using Number = std::int64_t;

void bindArguments(nb::class_<ComputeEncoder>& type) {
    type.def("set_compute_pipeline_state", &ComputeEncoder::setPipeline, "state"_a, pooled,
             "The kernel that the dispatches run.")
        .def("set_buffer", &ComputeEncoder::setBuffer, "buffer"_a.none(), "offset"_a, "index"_a, pooled,
             "Bind a buffer from byte `offset` on; None unbinds.")
        .def("set_buffer_offset", &ComputeEncoder::setBufferOffset, "offset"_a, "index"_a, pooled,
             "Move the offset of the buffer bound there.")
        .def("set_bytes", &setBytesOfLength, "data"_a, "length"_a, "index"_a, pooled,
             "Bind a copy of the first `length` bytes.")
        .def("set_bytes", &setBytesOfObject, "data"_a, "index"_a, pooled, "Bind a copy of the bytes, at most 4096.")
        .def("set_texture", &ComputeEncoder::setTexture, "texture"_a.none(), "index"_a, pooled,
             "Bind a texture; None unbinds.")
        .def("set_sampler_state", nb::overload_cast<MTL::SamplerState*, Number>(&ComputeEncoder::setSampler),
             "sampler"_a.none(), "index"_a, pooled, "Bind a sampler; None unbinds.")
        .def(
            "set_sampler_state",
            [](ComputeEncoder& self, MTL::SamplerState* sampler, double least, double most, Number index) {
                constexpr const char* where = "set_sampler_state";
                self.setSampler(sampler, checkedFloat(where, "lod_min_clamp", least),
                                checkedFloat(where, "lod_max_clamp", most), index);
            },
            "sampler"_a.none(), "lod_min_clamp"_a, "lod_max_clamp"_a, "index"_a, pooled,
            "Bind a sampler with other limits of the level of detail.")
        .def("set_visible_function_table", &ComputeEncoder::setFunctionTable, "table"_a.none(), "index"_a, pooled,
             "Bind a table of functions; None unbinds. Tables share their indices with buffers.")
        .def("set_threadgroup_memory_length", &ComputeEncoder::setThreadgroupMemoryLength, "length"_a, "index"_a,
             pooled, "Bytes of the threadgroup argument; a multiple of 16.")
        .def("use_resource", &useResource, "resource"_a, "usage"_a, pooled,
             "Say that kernels reach the resource through an argument buffer, and how: flags of ResourceUsage.")
        .def("use_heap", &useHeap, "heap"_a, pooled, "The same of all that is in a heap, which kernels may then read.")
        .def("set_stage_in_region", &ComputeEncoder::setStageInRegion, "region"_a, pooled,
             "The threads that [[stage_in]] is fetched for; without it, all of the grid.")
        .def("set_stage_in_region_indirect", &ComputeEncoder::setStageInRegionIndirect, "buffer"_a, "offset"_a, pooled,
             "The same: origin and size are the six uint32 at byte `offset` of the buffer when the device gets there.");
}

void bindDispatches(nb::class_<ComputeEncoder>& type) {
    type.def("dispatch_threads", &ComputeEncoder::dispatchThreads, "threads_per_grid"_a, "threads_per_threadgroup"_a,
             pooled, "Run exactly so many threads.")
        .def(
            "dispatch_threads",
            [](ComputeEncoder& self, Number x, Number y, Number z, Number groupX, Number groupY, Number groupZ) {
                self.dispatchThreads({{x, y, z}}, {{groupX, groupY, groupZ}});
            },
            "threads_x"_a, "threads_y"_a, "threads_z"_a, "threads_per_group_x"_a, "threads_per_group_y"_a,
            "threads_per_group_z"_a, pooled)
        .def(
            "dispatch_threads",
            [](ComputeEncoder& self, Number x, Number y, Number z, Number groupX, Number groupY, Number groupZ) {
                self.dispatchThreads({{x, y, z}}, {{groupX, groupY, groupZ}});
            },
            "threads_per_grid_w"_a, "threads_per_grid_h"_a, "threads_per_grid_d"_a, "threads_per_threadgroup_w"_a,
            "threads_per_threadgroup_h"_a, "threads_per_threadgroup_d"_a, pooled)
        .def("dispatch_threadgroups", &ComputeEncoder::dispatchThreadgroups, "threadgroups_per_grid"_a,
             "threads_per_threadgroup"_a, pooled, "Run so many whole threadgroups.")
        .def(
            "dispatch_threadgroups",
            [](ComputeEncoder& self, Number x, Number y, Number z, Number threadsX, Number threadsY, Number threadsZ) {
                self.dispatchThreadgroups({{x, y, z}}, {{threadsX, threadsY, threadsZ}});
            },
            "threadgroups_x"_a, "threadgroups_y"_a, "threadgroups_z"_a, "threads_x"_a, "threads_y"_a, "threads_z"_a,
            pooled)
        .def(
            "dispatch_threadgroups",
            [](ComputeEncoder& self, Number x, Number y, Number z, Number threadsX, Number threadsY, Number threadsZ) {
                self.dispatchThreadgroups({{x, y, z}}, {{threadsX, threadsY, threadsZ}});
            },
            "threadgroups_per_grid_w"_a, "threadgroups_per_grid_h"_a, "threadgroups_per_grid_d"_a,
            "threads_per_threadgroup_w"_a, "threads_per_threadgroup_h"_a, "threads_per_threadgroup_d"_a, pooled)
        .def("dispatch_threadgroups_indirect", &ComputeEncoder::dispatchIndirect, "buffer"_a, "offset"_a,
             "threads_per_threadgroup"_a, pooled,
             "Run as many threadgroups as the three uint32 at byte `offset` of the buffer say when the device gets "
             "there.")
        .def("execute_commands_in_buffer", &ComputeEncoder::executeCommands, "commands"_a, "range"_a, pooled,
             "Run commands of an IndirectCommandBuffer.")
        .def("execute_commands_in_buffer_indirect", &ComputeEncoder::executeCommandsIndirect, "commands"_a,
             "range_buffer"_a, "offset"_a, pooled,
             "The same: location and length are the two uint32 at byte `offset` of the buffer when the device gets "
             "there.")
        .def(
            "memory_barrier",
            [](ComputeEncoder& self, NS::UInteger scope) {
                self.checkOpen("memory_barrier");
                if (scope == 0 || (scope & ~NS::UInteger(MTL::BarrierScopeBuffers | MTL::BarrierScopeTextures |
                                                         MTL::BarrierScopeRenderTargets)))
                    fail(ErrorKind::validation,
                         concat("memory_barrier: scope is ", scope, ", must be a combination of BarrierScope"));
                self.metal->memoryBarrier(MTL::BarrierScope(scope));
            },
            "scope"_a, pooled, "Commands that follow see what those before wrote.")
        .def(
            "sample_counters_in_buffer",
            [](ComputeEncoder& self, const MTL::CounterSampleBuffer& buffer, Number index, bool barrier) {
                sampleCounters(self, MTL::CounterSamplingPointAtDispatchBoundary, buffer, index, barrier);
            },
            "sample_buffer"_a, "sample_index"_a, "barrier"_a = true, pooled,
            "Take a sample when the dispatches before have ended.");
}

}  // namespace

void ComputeEncoder::setPipeline(ComputePipeline& pipeline) {
    checkOpen("set_compute_pipeline_state");
    commandBuffer->checkDevice("set_compute_pipeline_state", "state", pipeline.metal->device());
    pipeline_ = pipeline.shared_from_this();
    metal->setComputePipelineState(pipeline.metal.get());
}

void ComputeEncoder::setBuffer(MTL::Buffer* buffer, std::int64_t offset, std::int64_t index) {
    checkOpen("set_buffer");
    // PyMetal lets the index after the last through, where no kernel can have an argument: nothing to bind.
    const NS::UInteger slot = checkedIndex("set_buffer", "index", index, maximumBuffers + 1);
    if (slot == maximumBuffers) return;
    buffers_[slot] = buffer != nullptr;
    if (!buffer) return metal->setBuffer(nullptr, 0, slot);
    commandBuffer->checkDevice("set_buffer", "buffer", buffer->device());
    const NS::UInteger start = checkedIndex("set_buffer", "offset", offset, buffer->length());
    metal->setBuffer(buffer, start, slot);
}

void ComputeEncoder::setBufferOffset(std::int64_t offset, std::int64_t index) {
    checkOpen("set_buffer_offset");
    const NS::UInteger slot = checkedIndex("set_buffer_offset", "index", index, maximumBuffers);
    if (!buffers_[slot]) fail(ErrorKind::validation, concat("set_buffer_offset: no buffer is set at index ", slot));
    metal->setBufferOffset(checkedCount("set_buffer_offset", "offset", offset, 0, INT64_MAX), slot);
}

void ComputeEncoder::setBytes(const void* data, std::size_t length, std::int64_t index) {
    checkOpen("set_bytes");
    const NS::UInteger slot = checkedIndex("set_bytes", "index", index, maximumBuffers);
    if (length == 0 || length > maximumBytes)
        fail(ErrorKind::validation,
             concat("set_bytes: data has ", length, " bytes, must be 1 to ", maximumBytes, "; use a buffer for more"));
    buffers_[slot] = true;
    metal->setBytes(data, length, slot);
}

void ComputeEncoder::setTexture(MTL::Texture* texture, std::int64_t index) {
    checkOpen("set_texture");
    const NS::UInteger slot = checkedIndex("set_texture", "index", index, maximumTextures);
    if (texture) commandBuffer->checkDevice("set_texture", "texture", texture->device());
    textures_[slot] = texture != nullptr;
    metal->setTexture(texture, slot);
}

void ComputeEncoder::setSampler(MTL::SamplerState* sampler, std::int64_t index) {
    checkOpen("set_sampler_state");
    const NS::UInteger slot = checkedIndex("set_sampler_state", "index", index, maximumSamplers);
    if (sampler) commandBuffer->checkDevice("set_sampler_state", "sampler", sampler->device());
    samplers_[slot] = sampler != nullptr;
    metal->setSamplerState(sampler, slot);
}

void ComputeEncoder::setSampler(MTL::SamplerState* sampler, float least, float most, std::int64_t index) {
    checkOpen("set_sampler_state");
    const NS::UInteger slot = checkedIndex("set_sampler_state", "index", index, maximumSamplers);
    if (sampler) commandBuffer->checkDevice("set_sampler_state", "sampler", sampler->device());
    samplers_[slot] = sampler != nullptr;
    metal->setSamplerState(sampler, least, most, slot);
}

void ComputeEncoder::setFunctionTable(MTL::VisibleFunctionTable* table, std::int64_t index) {
    checkOpen("set_visible_function_table");
    const NS::UInteger slot = checkedIndex("set_visible_function_table", "index", index, maximumBuffers);
    if (table) commandBuffer->checkDevice("set_visible_function_table", "table", table->device());
    functionTables_[slot] = table != nullptr;
    metal->setVisibleFunctionTable(table, slot);
}

void ComputeEncoder::setThreadgroupMemoryLength(std::int64_t length, std::int64_t index) {
    checkOpen("set_threadgroup_memory_length");
    const NS::UInteger slot = checkedIndex("set_threadgroup_memory_length", "index", index, maximumBuffers);
    if (length < 0 || length % 16 != 0)
        fail(ErrorKind::validation,
             concat("set_threadgroup_memory_length: length is ", length, ", must be a multiple of 16"));
    // So that the sum of all cannot wrap around.
    if (length > UINT32_MAX)
        fail(ErrorKind::validation,
             concat("set_threadgroup_memory_length: length is ", length, ", must be <= ", UINT32_MAX));
    threadgroupMemory_[slot] = static_cast<NS::UInteger>(length);
    metal->setThreadgroupMemoryLength(threadgroupMemory_[slot], slot);
}

void ComputeEncoder::setStageInRegion(const RegionLike& region) {
    constexpr const char* where = "set_stage_in_region";
    checkOpen(where);
    MTL::Region checked;
    checked.origin = region.origin.checked(where, "region.origin");
    checked.size = region.size.checked(where, "region.size", 0, maximumGrid);
    metal->setStageInRegion(checked);
}

void ComputeEncoder::setStageInRegionIndirect(MTL::Buffer& buffer, std::int64_t offset) {
    constexpr const char* where = "set_stage_in_region_indirect";
    checkOpen(where);
    commandBuffer->checkDevice(where, "buffer", buffer.device());
    checkRange(where, "the buffer", offset, sizeof(MTL::StageInRegionIndirectArguments), buffer.length());
    if (offset % 4 != 0)
        fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of 4"));
    metal->setStageInRegion(&buffer, static_cast<NS::UInteger>(offset));
}

MTL::Size ComputeEncoder::checkedThreadgroup(const char* where, const SizeLike& threadgroup) const {
    checkOpen(where);
    if (!pipeline_) fail(ErrorKind::validation, concat(where, ": no compute pipeline state is set"));
    const MTL::Size size = threadgroup.checked(where, "threads_per_threadgroup", 1, maximumGrid);
    const MTL::Size most = pipeline_->maxThreads;
    if (size.width > most.width || size.height > most.height || size.depth > most.depth ||
        size.width * size.height * size.depth > pipeline_->maxTotalThreads)
        fail(ErrorKind::validation,
             concat(where, ": threads_per_threadgroup is (", size.width, ", ", size.height, ", ", size.depth,
                    "), kernel ", pipeline_->name, " allows ", pipeline_->maxTotalThreads, " threads in all"));
    const MTL::Size required = pipeline_->requiredThreads;
    if (required.width != 0 &&
        (size.width != required.width || size.height != required.height || size.depth != required.depth))
        fail(ErrorKind::validation, concat(where, ": threads_per_threadgroup is (", size.width, ", ", size.height, ", ",
                                           size.depth, "), kernel ", pipeline_->name, " requires (", required.width,
                                           ", ", required.height, ", ", required.depth, ")"));
    return size;
}

void ComputeEncoder::checkArguments(const char* where) const {
    for (const auto& argument : pipeline_->arguments) {
        if (!argument->isUsed) continue;
        const std::uint64_t index = argument->index;
        const char* missing = nullptr;
        switch (argument->kind) {
            case MTL::BindingTypeBuffer:
                missing = index < maximumBuffers && buffers_[index] ? nullptr : "buffer";
                break;
            case MTL::BindingTypeTexture:
                for (std::uint64_t i = 0; i < argument->arrayLength; ++i)
                    if (index + i >= maximumTextures || !textures_[index + i]) missing = "texture";
                break;
            case MTL::BindingTypeSampler:
                missing = index < maximumSamplers && samplers_[index] ? nullptr : "sampler";
                break;
            case MTL::BindingTypeThreadgroupMemory:
                missing =
                    index < maximumBuffers && threadgroupMemory_[index] > 0 ? nullptr : "threadgroup memory length";
                break;
            case MTL::BindingTypeVisibleFunctionTable:
                missing = index < maximumBuffers && functionTables_[index] ? nullptr : "visible function table";
                break;
            default:
                break;
        }
        if (missing)
            fail(ErrorKind::validation, concat(where, ": kernel ", pipeline_->name, " uses ", argument->name,
                                               ", but no ", missing, " is set at index ", index));
    }
    NS::UInteger memory = pipeline_->threadgroupMemory;
    for (const NS::UInteger length : threadgroupMemory_) memory += length;
    if (memory > pipeline_->maxThreadgroupMemory)
        fail(ErrorKind::validation,
             concat(where, ": ", memory, " bytes of threadgroup memory are asked for, the device has ",
                    pipeline_->maxThreadgroupMemory));
}

void ComputeEncoder::dispatchThreads(const SizeLike& grid, const SizeLike& threadgroup) {
    const MTL::Size group = checkedThreadgroup("dispatch_threads", threadgroup);
    const MTL::Size threads = grid.checked("dispatch_threads", "threads_per_grid", 1, maximumGrid);
    checkArguments("dispatch_threads");
    metal->dispatchThreads(threads, group);
}

void ComputeEncoder::dispatchThreadgroups(const SizeLike& grid, const SizeLike& threadgroup) {
    const MTL::Size group = checkedThreadgroup("dispatch_threadgroups", threadgroup);
    const MTL::Size groups = grid.checked("dispatch_threadgroups", "threadgroups_per_grid", 1, maximumGrid);
    if (groups.width > maximumGrid / group.width || groups.height > maximumGrid / group.height ||
        groups.depth > maximumGrid / group.depth)
        fail(ErrorKind::validation,
             concat("dispatch_threadgroups: (", groups.width, ", ", groups.height, ", ", groups.depth,
                    ") threadgroups have more than ", maximumGrid, " threads in one dimension"));
    checkArguments("dispatch_threadgroups");
    metal->dispatchThreadgroups(groups, group);
}

void ComputeEncoder::dispatchIndirect(MTL::Buffer& buffer, std::int64_t offset, const SizeLike& threadgroup) {
    const char* where = "dispatch_threadgroups_indirect";
    const MTL::Size group = checkedThreadgroup(where, threadgroup);
    commandBuffer->checkDevice(where, "buffer", buffer.device());
    checkRange(where, "the buffer", offset, sizeof(MTL::DispatchThreadgroupsIndirectArguments), buffer.length());
    if (offset % 4 != 0)
        fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of 4"));
    checkArguments(where);
    metal->dispatchThreadgroups(&buffer, static_cast<NS::UInteger>(offset), group);
}

void ComputeEncoder::checkCommands(const char* where, const MTL::IndirectCommandBuffer& commands) {
    checkOpen(where);
    commandBuffer->checkDevice(where, "commands", commands.device());
}

void ComputeEncoder::executeCommands(MTL::IndirectCommandBuffer& commands, const RangeLike& range) {
    constexpr const char* where = "execute_commands_in_buffer";
    checkCommands(where, commands);
    metal->executeCommandsInBuffer(&commands, checkedCommands(where, commands, range));
}

void ComputeEncoder::executeCommandsIndirect(MTL::IndirectCommandBuffer& commands, MTL::Buffer& ranges,
                                             std::int64_t offset) {
    constexpr const char* where = "execute_commands_in_buffer_indirect";
    checkCommands(where, commands);
    commandBuffer->checkDevice(where, "range_buffer", ranges.device());
    checkRange(where, "the buffer", offset, sizeof(MTL::IndirectCommandBufferExecutionRange), ranges.length());
    if (offset % 4 != 0)
        fail(ErrorKind::validation, concat(where, ": offset is ", offset, ", must be a multiple of 4"));
    metal->executeCommandsInBuffer(&commands, &ranges, static_cast<NS::UInteger>(offset));
}

std::shared_ptr<ComputeEncoder> newComputeEncoder(CommandBuffer& commandBuffer, MTL::DispatchType dispatchType) {
    commandBuffer.checkEncodable("compute_command_encoder");
    MTL::ComputeCommandEncoder* encoder = commandBuffer.metal->computeCommandEncoder(dispatchType);
    if (!encoder) fail(ErrorKind::resource, "compute_command_encoder: the command buffer gave no encoder");
    return std::make_shared<ComputeEncoder>(commandBuffer.shared_from_this(), encoder);
}

void bindComputeEncoder(nb::module_& module) {
    nb::class_<ComputeEncoder> type(module, "ComputeCommandEncoder", "Dispatches of kernels into a command buffer.",
                                    nb::is_weak_referenceable());
    bindEncoder(type);
    bindFences(type);
    bindArguments(type);
    bindComputeArgumentRanges(type);
    bindDispatches(type);
}

}  // namespace mtlpy
