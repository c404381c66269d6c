// SPDX-License-Identifier: MIT

#include "compute_encoder.hpp"

#include <algorithm>
#include <cstring>

#include "buffer.hpp"
#include "command_watch.hpp"
#include "debug_execution.hpp"
#include "function_tables.hpp"
#include "indirect_commands.hpp"
#include "join.hpp"
#include "sampler.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

constexpr NS::UInteger threadgroupAlignment = 16;
constexpr NS::UInteger mostInGrid = UINT32_MAX;

NS::UInteger ceilingOf(NS::UInteger count, NS::UInteger size) {
    return count / size + (count % size != 0);
}

void copySize(std::uint32_t to[3], MTL::Size size) {
    to[0] = static_cast<std::uint32_t>(size.width);
    to[1] = static_cast<std::uint32_t>(size.height);
    to[2] = static_cast<std::uint32_t>(size.depth);
}

/// Empty, or what is wrong with the sizes of a grid.
std::string gridMistake(const char* name, MTL::Size grid, MTL::Size factor) {
    const auto check = [&](const char* dimension, NS::UInteger size, NS::UInteger times) -> std::string {
        if (size == 0) return join(name, ".", dimension, "(0) must be > 0");
        if (size > mostInGrid / times)
            return join(name, ".", dimension, "(", size, ") must be <= ", mostInGrid / times);
        return {};
    };
    std::string mistake = check("width", grid.width, factor.width);
    if (mistake.empty()) mistake = check("height", grid.height, factor.height);
    if (mistake.empty()) mistake = check("depth", grid.depth, factor.depth);
    return mistake;
}

}  // namespace

void ComputeEncoderObject::setPipeline(const PipelineObject* pipeline) {
    if (!mayEncode("setComputePipelineState")) return;
    if (pipeline == nullptr) return noteMistake("setComputePipelineState: state must not be nil");
    if (pipeline != pipeline_) commandBuffer->use(pipeline);
    pipeline_ = pipeline;
}

void ComputeEncoderObject::useResource(const MTL::Resource* resource, MTL::ResourceUsage usage) {
    if (!mayEncode("useResource")) return;
    commandBuffer->use(resource);
    if (auto* watch = commandBuffer->watch())
        watch->use(part<ResourcePart>(resource), (usage & MTL::ResourceUsageWrite) != 0);
    if (resource != nullptr && commandBuffer->record() != nullptr)
        uses_.push_back({NS::RetainPtr<NS::Object>(const_cast<MTL::Resource*>(resource)), usage});
}

void ComputeEncoderObject::setThreadgroupMemory(NS::UInteger length, NS::UInteger index) {
    constexpr NS::UInteger limit = ArgumentTable::bufferCount;
    if (!mayEncode("setThreadgroupMemoryLength")) return;
    if (index >= limit) return noteMistake(join("setThreadgroupMemoryLength: index (", index, ") must be < ", limit));
    if (length % threadgroupAlignment != 0) {
        return noteMistake(
            join("setThreadgroupMemoryLength: length(", length, ") must be a multiple of ", threadgroupAlignment));
    }
    // So that the sum of all cannot wrap around.
    if (length > UINT32_MAX)
        return noteMistake(join("setThreadgroupMemoryLength: length(", length, ") must be <= ", UINT32_MAX));
    threadgroupLengths_[index] = length;
}

std::shared_ptr<const metal_executor::Kernel> ComputeEncoderObject::kernelFor(const char* call, MTL::Size threads,
                                                                              NS::UInteger edgeWidth) {
    if (!mayEncode(call)) return nullptr;
    const auto refuse = [&](const std::string& why) {
        noteMistake(join(call, ": ", why));
        return nullptr;
    };
    if (pipeline_ == nullptr) return refuse("no compute pipeline state is set");
    if (const std::string mistake = pipeline_->threadgroupMistake(threads); !mistake.empty()) return refuse(mistake);
    std::string whyNot;
    // Whoever encodes may not change the pipeline, but the pipeline may remember what it compiled.
    auto kernel = const_cast<PipelineObject*>(pipeline_)->kernelFor(threads, edgeWidth, whyNot);
    if (kernel == nullptr) return refuse(whyNot);
    return kernel;
}

void ComputeEncoderObject::setStageInRegion(MTL::Region region) {
    constexpr const char* call = "setStageInRegion";
    if (!mayEncode(call)) return;
    const NS::UInteger origin[] = {region.origin.x, region.origin.y, region.origin.z};
    const NS::UInteger size[] = {region.size.width, region.size.height, region.size.depth};
    for (int axis = 0; axis < 3; ++axis) {
        if (origin[axis] > mostInGrid || size[axis] > mostInGrid - origin[axis]) {
            return noteMistake(
                join(call, ": region's origin(", origin[axis], ") + size(", size[axis], ") must be <= ", mostInGrid));
        }
    }
    region_ = {};
    region_.hasRegion = true;
    std::copy_n(origin, 3, region_.origin);
    std::copy_n(size, 3, region_.size);
}

void ComputeEncoderObject::setStageInRegion(const BufferObject* buffer, NS::UInteger offset) {
    constexpr const char* call = "setStageInRegion";
    if (!mayEncode(call)) return;
    constexpr NS::UInteger size = sizeof(MTL::StageInRegionIndirectArguments);
    if (buffer == nullptr) return noteMistake(join(call, ": indirectBuffer must not be nil"));
    if (offset % alignof(MTL::StageInRegionIndirectArguments) != 0 || offset > buffer->length ||
        size > buffer->length - offset) {
        return noteMistake(join(call, ": indirectBufferOffset(", offset, ") must be a multiple of 4, with ", size,
                                " bytes to the end of the buffer, whose length is ", buffer->length));
    }
    commandBuffer->useBuffer(buffer);
    region_ = {};
    region_.hasRegion = true;
    region_.indirectRegion = reinterpret_cast<const std::uint32_t*>(buffer->bytes() + offset);
}

std::string ComputeEncoderObject::stageInMistake(const StageInput::Part& part,
                                                 const metal_executor::Dispatch& dispatch) const {
    const auto explain = [&](const auto&... parts) {
        return join("Compute Function(", pipeline_->function->name(), "): attribute ", part.facts->name,
                    " [[attribute(", part.facts->index, ")]] ", parts...);
    };
    const ArgumentTable::Buffer& buffer = arguments.buffer(part.buffer);
    if (buffer.bytes == nullptr) return explain("is fetched from Buffer(", part.buffer, "), where none is set");
    using Step = metal_executor::AttributeStep;
    // What is indexed, and how large an indirect grid is, shows when it runs: elements outside are zeros then.
    const bool isKnown = part.step == Step::constant || ((part.step == Step::x || part.step == Step::y) &&
                                                         dispatch.indirect == nullptr && !region_.indirectRegion);
    if (!isKnown) return {};
    NS::UInteger last = 0;
    if (part.step != Step::constant) {
        const int axis = part.step == Step::x ? 0 : 1;
        const NS::UInteger grid = dispatch.launch.threads_per_grid[axis];
        const NS::UInteger fed = region_.hasRegion ? std::min<NS::UInteger>(grid, region_.size[axis]) : grid;
        if (fed == 0) return {};
        last = (region_.origin[axis] + fed - 1) / part.rate;
    }
    const NS::UInteger size = metal_executor::attributeFormatFacts(part.attribute.format).bytes;
    const NS::UInteger needed = part.offset + last * part.attribute.stride + size;
    if (needed <= buffer.length) return {};
    return explain("is fetched from Buffer(", part.buffer, ") with offset(", buffer.offset, ") and length(",
                   buffer.offset + buffer.length, "), which has space for ", buffer.length,
                   " bytes, but the threads need ", needed);
}

bool ComputeEncoderObject::fillStageIn(metal_executor::Dispatch& dispatch) {
    const StageInput& input = pipeline_->stageInput;
    if (input.columnCount == 0) return true;
    auto in = std::make_shared<metal_executor::StageIn>(region_);
    in->columnCount = input.columnCount;
    for (const StageInput::Part& part : input.parts) {
        std::string mistake = stageInMistake(part, dispatch);
        if (!mistake.empty()) {
            noteMistake(mistake);
            return false;
        }
        const ArgumentTable::Buffer& buffer = arguments.buffer(part.buffer);
        metal_executor::StageIn::Input fetched{part.attribute, part.step, part.rate};
        fetched.attribute.data = buffer.bytes + std::min(part.offset, buffer.length);
        fetched.attribute.bytes = buffer.length - std::min(part.offset, buffer.length);
        in->inputs.push_back(fetched);
    }
    if (input.isIndexed) {
        const ArgumentTable::Buffer& indices = arguments.buffer(input.indexBuffer);
        if (indices.bytes == nullptr) {
            noteMistake(join("Compute Function(", pipeline_->function->name(),
                             "): the indices of its [[stage_in]] are in Buffer(", input.indexBuffer,
                             "), where none is set"));
            return false;
        }
        in->indices = indices.bytes;
        in->indexBytes = indices.length;
        in->indexSize = input.indexSize;
    }
    dispatch.stageIn = std::move(in);
    return true;
}

std::string ComputeEncoderObject::fillThreadgroupMemory(const PipelineObject::Argument& argument, NS::UInteger& offset,
                                                        void*& slot) {
    const NS::UInteger index = argument.facts->index;
    if (index >= ArgumentTable::bufferCount || threadgroupLengths_[index] == 0) {
        return arguments.missing(*pipeline_, "threadgroupMemory", argument);
    }
    slot = reinterpret_cast<void*>(offset);
    offset += threadgroupLengths_[index];
    return {};
}

bool ComputeEncoderObject::fillArguments(metal_executor::Dispatch& dispatch) {
    const std::size_t count = pipeline_->slotCount;
    void** slots = static_cast<void**>(commandBuffer->allocate(std::max<std::size_t>(count, 1) * sizeof(void*), 16));
    std::fill_n(slots, count, nullptr);
    const NS::UInteger ownMemory = dispatch.kernel->info().static_threadgroup_memory;
    NS::UInteger offset = ceilingOf(ownMemory, threadgroupAlignment) * threadgroupAlignment;
    for (const PipelineObject::Argument& argument : pipeline_->arguments) {
        // Function constants may have taken away the code that reads it.
        if (!dispatch.kernel->readsSlot(argument.facts->slot)) continue;
        void*& slot = slots[argument.facts->slot];
        std::string mistake = argument.facts->kind == protocol::ArgumentKind::threadgroupMemory
                                  ? fillThreadgroupMemory(argument, offset, slot)
                                  : arguments.fill(*pipeline_, argument, slot);
        if (!mistake.empty()) {
            noteMistake(mistake);
            return false;
        }
    }
    if (offset > metal_max_threadgroup_memory) {
        noteMistake(join("Compute Function(", pipeline_->function->name(), "): threadgroup memory of ", offset,
                         " bytes, static(", ownMemory,
                         ") and set by setThreadgroupMemoryLength, must be <= ", int(metal_max_threadgroup_memory)));
        return false;
    }
    dispatch.threadgroupMemory = static_cast<std::uint32_t>(offset - ownMemory);
    dispatch.launch.arguments = slots;
    return true;
}

void ComputeEncoderObject::takeBoundCode(metal_executor::Dispatch& dispatch, double threads) {
    // Whoever encodes may not change the pipeline, but the pipeline may remember what it compiled.
    dispatch.kernel = arguments.boundCode(*const_cast<PipelineObject*>(pipeline_), dispatch.kernel, threads);
}

void ComputeEncoderObject::dispatch(MTL::Size grid, MTL::Size threads, bool inThreadgroups) {
    const char* call = inThreadgroups ? "dispatchThreadgroups" : "dispatchThreads";
    metal_executor::Dispatch dispatch;
    const NS::UInteger rest = inThreadgroups || threads.width == 0 ? 0 : grid.width % threads.width;
    dispatch.kernel = kernelFor(call, threads, rest == 0 ? threads.width : rest);
    if (dispatch.kernel == nullptr) return;
    const std::string mistake = inThreadgroups ? gridMistake("threadgroupsPerGrid", grid, threads)
                                               : gridMistake("threadsPerGrid", grid, MTL::Size(1, 1, 1));
    if (!mistake.empty()) return noteMistake(join(call, ": ", mistake));
    if (!fillArguments(dispatch)) return;
    const MTL::Size groups =
        inThreadgroups ? grid
                       : MTL::Size(ceilingOf(grid.width, threads.width), ceilingOf(grid.height, threads.height),
                                   ceilingOf(grid.depth, threads.depth));
    const MTL::Size all =
        inThreadgroups ? MTL::Size(grid.width * threads.width, grid.height * threads.height, grid.depth * threads.depth)
                       : grid;
    copySize(dispatch.launch.threads_per_grid, all);
    copySize(dispatch.launch.threads_per_threadgroup, threads);
    copySize(dispatch.launch.threadgroups_per_grid, groups);
    if (!fillStageIn(dispatch)) return;
    if (auto* noted = commandBuffer->watch()) watch(*noted, dispatch);
    if (commandBuffer->record() != nullptr) record(dispatch);  // of the general code, which reads all
    takeBoundCode(dispatch, double(all.width) * double(all.height) * double(all.depth));
    commandBuffer->append(std::move(dispatch));
}

void ComputeEncoderObject::dispatchIndirect(const BufferObject* buffer, NS::UInteger offset, MTL::Size threads) {
    constexpr const char* call = "dispatchThreadgroups";
    metal_executor::Dispatch dispatch;
    dispatch.kernel = kernelFor(call, threads, threads.width);
    if (dispatch.kernel == nullptr) return;
    constexpr NS::UInteger size = sizeof(MTL::DispatchThreadgroupsIndirectArguments);
    if (buffer == nullptr) return noteMistake(join(call, ": indirectBuffer must not be nil"));
    if (offset % alignof(MTL::DispatchThreadgroupsIndirectArguments) != 0 || offset > buffer->length ||
        size > buffer->length - offset) {
        return noteMistake(join(call, ": indirectBufferOffset(", offset, ") must be a multiple of 4, with ", size,
                                " bytes to the end of the buffer, whose length is ", buffer->length));
    }
    if (!fillArguments(dispatch)) return;
    commandBuffer->useBuffer(buffer);
    copySize(dispatch.launch.threads_per_threadgroup, threads);
    dispatch.indirect = reinterpret_cast<const std::uint32_t*>(buffer->bytes() + offset);
    if (!fillStageIn(dispatch)) return;
    if (auto* noted = commandBuffer->watch()) {
        watch(*noted, dispatch);
        noted->access(buffer, offset, false);
    }
    if (commandBuffer->record() != nullptr) record(dispatch, buffer, offset);  // of the general code, which reads all
    constexpr double likelyThreads = 1 << 16;                                  // how many shows when it runs
    takeBoundCode(dispatch, likelyThreads);
    commandBuffer->append(std::move(dispatch));
}

bool ComputeEncoderObject::mayExecute(const IndirectBufferObject* commands) {
    constexpr const char* call = "executeCommandsInBuffer";
    if (!mayEncode(call)) return false;
    if (commands == nullptr) {
        noteMistake(join(call, ": indirectCommandBuffer must not be nil"));
    } else if (commands->values.draws()) {
        noteMistake(join(call, ": the buffer's commands draw, which a render command encoder executes"));
    } else if (commands->values.inheritPipelineState && pipeline_ == nullptr) {
        noteMistake(join(call, ": no compute pipeline state is set, which the commands inherit"));
    } else if (commands->values.inheritPipelineState && !pipeline_->supportsIndirectCommands) {
        noteMistake(join(call, ": the commands inherit the pipeline state of function '", pipeline_->function->name(),
                         "', which was not made with supportIndirectCommandBuffers"));
    } else {
        return true;
    }
    return false;
}

InheritedState ComputeEncoderObject::inherited() const {
    InheritedState state;
    state.pipeline = NS::RetainPtr(const_cast<PipelineObject*>(pipeline_));
    for (NS::UInteger i = 0; i < state.buffers.size(); ++i)
        state.buffers[i] = {arguments.buffer(i).bytes, arguments.buffer(i).length};
    return state;
}

void ComputeEncoderObject::executeCommands(const IndirectBufferObject* commands, NS::Range range) {
    if (!mayExecute(commands)) return;
    if (const std::string mistake = commands->rangeMistake(range); !mistake.empty())
        return noteMistake(join("executeCommandsInBuffer: ", mistake));
    commandBuffer->use(commands);
    const CommandRange all{static_cast<std::uint32_t>(range.location), static_cast<std::uint32_t>(range.length)};
    if (auto* watch = commandBuffer->watch()) watchDispatches(*watch, commands, all, pipeline_, arguments);
    if (commandBuffer->record() != nullptr) recordExecution(commands, all);
    commandBuffer->append(executing(commands, all, inherited()));
}

void ComputeEncoderObject::executeCommands(const IndirectBufferObject* commands, const BufferObject* ranges,
                                           NS::UInteger offset) {
    constexpr const char* call = "executeCommandsInBuffer";
    if (!mayExecute(commands)) return;
    constexpr NS::UInteger size = sizeof(MTL::IndirectCommandBufferExecutionRange);
    if (ranges == nullptr) return noteMistake(join(call, ": indirectRangeBuffer must not be nil"));
    if (offset % alignof(MTL::IndirectCommandBufferExecutionRange) != 0 || offset > ranges->length ||
        size > ranges->length - offset) {
        return noteMistake(join(call, ": indirectBufferOffset(", offset, ") must be a multiple of 4, with ", size,
                                " bytes to the end of the buffer, whose length is ", ranges->length));
    }
    commandBuffer->use(commands);
    commandBuffer->useBuffer(ranges);
    CommandRange range;
    range.indirect = reinterpret_cast<const std::uint32_t*>(ranges->bytes() + offset);
    if (auto* watch = commandBuffer->watch()) watchDispatches(*watch, commands, range, pipeline_, arguments);
    if (commandBuffer->record() != nullptr) recordExecution(commands, range, ranges, offset);
    commandBuffer->append(executing(commands, range, inherited()));
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::BufferObject;
using metal_objects::ComputeEncoderObject;
using metal_objects::PipelineObject;
using metal_objects::SamplerObject;
using metal_objects::TextureObject;

namespace MTL {

namespace {

ComputeEncoderObject* self(const ComputeCommandEncoder* encoder) {
    return as<ComputeEncoderObject>(encoder);
}

}  // namespace

void ComputeCommandEncoder::dispatchThreadgroups(Size threadgroupsPerGrid, Size threadsPerThreadgroup) {
    self(this)->dispatch(threadgroupsPerGrid, threadsPerThreadgroup, true);
}

void ComputeCommandEncoder::dispatchThreadgroups(const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset,
                                                 Size threadsPerThreadgroup) {
    self(this)->dispatchIndirect(as<BufferObject>(indirectBuffer), indirectBufferOffset, threadsPerThreadgroup);
}

void ComputeCommandEncoder::dispatchThreads(Size threadsPerGrid, Size threadsPerThreadgroup) {
    self(this)->dispatch(threadsPerGrid, threadsPerThreadgroup, false);
}

DispatchType ComputeCommandEncoder::dispatchType() const {
    return self(this)->dispatchType;
}

void ComputeCommandEncoder::executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandBuffer,
                                                    NS::Range executionRange) {
    self(this)->executeCommands(as<metal_objects::IndirectBufferObject>(indirectCommandBuffer), executionRange);
}

void ComputeCommandEncoder::executeCommandsInBuffer(const IndirectCommandBuffer* indirectCommandbuffer,
                                                    const Buffer* indirectRangeBuffer,
                                                    NS::UInteger indirectBufferOffset) {
    self(this)->executeCommands(as<metal_objects::IndirectBufferObject>(indirectCommandbuffer),
                                as<BufferObject>(indirectRangeBuffer), indirectBufferOffset);
}

void ComputeCommandEncoder::setComputePipelineState(const ComputePipelineState* state) {
    self(this)->setPipeline(as<PipelineObject>(state));
}

void ComputeCommandEncoder::setBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    self(this)->arguments.setBuffer(as<BufferObject>(buffer), offset, index);
}

void ComputeCommandEncoder::setBufferOffset(NS::UInteger offset, NS::UInteger index) {
    self(this)->arguments.setBufferOffset(offset, index);
}

void ComputeCommandEncoder::setBuffers(const Buffer* const buffers[], const NS::UInteger offsets[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setBuffer(buffers[i], offsets[i], range.location + i);
}

void ComputeCommandEncoder::setBytes(const void* bytes, NS::UInteger length, NS::UInteger index) {
    self(this)->arguments.setBytes(bytes, length, index);
}

void ComputeCommandEncoder::setStageInRegion(Region region) {
    self(this)->setStageInRegion(region);
}

void ComputeCommandEncoder::setStageInRegion(const Buffer* indirectBuffer, NS::UInteger indirectBufferOffset) {
    self(this)->setStageInRegion(as<BufferObject>(indirectBuffer), indirectBufferOffset);
}

void ComputeCommandEncoder::setTexture(const Texture* texture, NS::UInteger index) {
    self(this)->arguments.setTexture(as<TextureObject>(texture), index);
}

void ComputeCommandEncoder::setTextures(const Texture* const textures[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setTexture(textures[i], range.location + i);
}

void ComputeCommandEncoder::setSamplerState(const SamplerState* sampler, NS::UInteger index) {
    self(this)->arguments.setSampler(as<SamplerObject>(sampler), index, nullptr);
}

void ComputeCommandEncoder::setSamplerState(const SamplerState* sampler, float lodMinClamp, float lodMaxClamp,
                                            NS::UInteger index) {
    const float clamps[] = {lodMinClamp, lodMaxClamp};
    self(this)->arguments.setSampler(as<SamplerObject>(sampler), index, clamps);
}

void ComputeCommandEncoder::setSamplerStates(const SamplerState* const samplers[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) setSamplerState(samplers[i], range.location + i);
}

void ComputeCommandEncoder::setSamplerStates(const SamplerState* const samplers[], const float lodMinClamps[],
                                             const float lodMaxClamps[], NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i) {
        setSamplerState(samplers[i], lodMinClamps[i], lodMaxClamps[i], range.location + i);
    }
}

void ComputeCommandEncoder::setVisibleFunctionTable(const VisibleFunctionTable* visibleFunctionTable,
                                                    NS::UInteger bufferIndex) {
    self(this)->arguments.setFunctionTable(as<metal_objects::FunctionTableObject>(visibleFunctionTable), bufferIndex);
}

void ComputeCommandEncoder::setVisibleFunctionTables(const VisibleFunctionTable* const visibleFunctionTables[],
                                                     NS::Range range) {
    for (NS::UInteger i = 0; i < range.length; ++i)
        setVisibleFunctionTable(visibleFunctionTables[i], range.location + i);
}

void ComputeCommandEncoder::setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
    self(this)->setThreadgroupMemory(length, index);
}

// Dispatches of a queue run one after the other, each seeing all that those before it wrote: barriers and fences ask
// for no more than that, and only the debug layer looks at them. Memory is always resident: useResource and useHeap
// only keep it alive.
void ComputeCommandEncoder::memoryBarrier(BarrierScope scope) {
    if (auto* watch = self(this)->commandBuffer->watch()) watch->barrier(scope);
}
void ComputeCommandEncoder::memoryBarrier(const Resource* const resources[], NS::UInteger count) {
    auto* watch = self(this)->commandBuffer->watch();
    for (NS::UInteger i = 0; watch != nullptr && i < count; ++i)
        watch->barrier(metal_objects::part<metal_objects::ResourcePart>(resources[i]));
}
void ComputeCommandEncoder::updateFence(const Fence* fence) {
    if (auto* watch = self(this)->commandBuffer->watch()) watch->update(fence);
}
void ComputeCommandEncoder::waitForFence(const Fence* fence) {
    if (auto* watch = self(this)->commandBuffer->watch()) watch->wait(fence);
}

void ComputeCommandEncoder::useHeap(const Heap* heap) {
    if (!self(this)->mayEncode("useHeap")) return;
    if (heap == nullptr) return self(this)->noteMistake("useHeap: heap must not be nil");
    self(this)->commandBuffer->use(heap);
    if (auto* watch = self(this)->commandBuffer->watch()) watch->use(heap);
}

void ComputeCommandEncoder::useHeaps(const Heap* const heaps[], NS::UInteger count) {
    for (NS::UInteger i = 0; i < count; ++i) useHeap(heaps[i]);
}

void ComputeCommandEncoder::useResource(const Resource* resource, ResourceUsage usage) {
    self(this)->useResource(resource, usage);
}

void ComputeCommandEncoder::useResources(const Resource* const resources[], NS::UInteger count, ResourceUsage usage) {
    for (NS::UInteger i = 0; i < count; ++i) useResource(resources[i], usage);
}

}  // namespace MTL
