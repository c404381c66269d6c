// SPDX-License-Identifier: MIT

#include "indirect_commands.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "buffer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "indirect_command_part.hpp"

namespace metal_objects {

namespace {

constexpr NS::UInteger mostBindings = 31;
constexpr NS::UInteger mostCommands = 16384;

std::string bufferMistake(const IndirectBufferValues& values, NS::UInteger count, MTL::ResourceOptions options) {
    constexpr MTL::IndirectCommandType dispatches =
        MTL::IndirectCommandTypeConcurrentDispatch | MTL::IndirectCommandTypeConcurrentDispatchThreads;
    constexpr MTL::IndirectCommandType draws = 0xf;
    std::ostringstream why;
    if (values.commandTypes == 0 || (values.commandTypes & ~(dispatches | draws)) != 0) {
        why << "commandTypes is " << values.commandTypes << ", must be draws or concurrent dispatches";
    } else if (values.draws() && (values.commandTypes & dispatches) != 0) {
        why << "commandTypes is " << values.commandTypes << ": a buffer holds commands that draw or that dispatch, not "
            << "both";
    } else if (count == 0 || count > mostCommands) {
        why << "maxCount is " << count << ", must be 1 to " << mostCommands;
    } else if (!isStorage(options)) {
        why << "unknown resource options";
    } else if (std::max({values.maxVertexBuffers, values.maxFragmentBuffers, values.maxKernelBuffers,
                         values.maxThreadgroupMemories}) > mostBindings) {
        why << "the descriptor's counts of bindings must be <= " << mostBindings;
    }
    return why.str();
}

}  // namespace

IndirectBufferObject* IndirectBufferObject::make(const MTL::Device* device, const IndirectBufferValues& values,
                                                 NS::UInteger count, MTL::ResourceOptions options) {
    CommandFacts facts;
    facts.count = static_cast<std::uint32_t>(count);
    const auto room = [&](NS::UInteger bindings) {
        return static_cast<std::uint32_t>(values.inheritBuffers ? 0 : bindings);
    };
    facts.firstCount = room(values.draws() ? values.maxVertexBuffers : values.maxKernelBuffers);
    facts.secondCount =
        values.draws() ? room(values.maxFragmentBuffers) : static_cast<std::uint32_t>(values.maxThreadgroupMemories);
    const std::size_t size = values.draws() ? sizeof(RenderCommand) + facts.secondCount * sizeof(BoundBuffer)
                                            : sizeof(ComputeCommand) + facts.secondCount * sizeof(std::uint32_t);
    facts.size = static_cast<std::uint32_t>((size + facts.firstCount * sizeof(BoundBuffer) + 15) / 16 * 16);
    const std::uint64_t bytes = sizeof(CommandFacts) + std::uint64_t{facts.size} * count;
    auto memory = allocate(device, bytes);
    if (memory == nullptr) return nullptr;
    // One memory for both sides: managed storage would need a copy of what kernels write.
    const MTL::ResourceOptions shared = storageModeOf(options) == MTL::StorageModeManaged ? options & ~0xf0 : options;
    auto* buffer = new IndirectBufferObject(device, values, facts, shared);
    buffer->memory = std::move(memory);
    std::memcpy(buffer->bytes(), &facts, sizeof facts);
    return buffer;
}

std::string IndirectBufferObject::rangeMistake(NS::Range range) const {
    if (range.location <= count && range.length <= count - range.location) return {};
    std::ostringstream why;
    why << "range(" << range.location << ", " << range.length << ") must be in the buffer, whose size is " << count;
    return why.str();
}

void IndirectBufferObject::reset(const char* call, NS::Range range) {
    if (const std::string mistake = rangeMistake(range); !mistake.empty())
        return reportMistake(std::string(call) + ": " + mistake);
    std::memset(command(range.location), 0, range.length * facts.size);
    std::lock_guard lock(mutex_);
    held_.erase(held_.lower_bound({range.location, 0}), held_.lower_bound({range.location + range.length, 0}));
}

void IndirectBufferObject::hold(NS::UInteger command, NS::UInteger place, const NS::Object* object) {
    std::lock_guard lock(mutex_);
    held_[{command, place}] = NS::RetainPtr(const_cast<NS::Object*>(object));
}

void IndirectBufferObject::holdWhat(IndirectBufferObject& other, NS::Range range, NS::UInteger to) {
    decltype(held_) found;
    {
        std::lock_guard lock(other.mutex_);
        const auto end = other.held_.lower_bound({range.location + range.length, 0});
        for (auto entry = other.held_.lower_bound({range.location, 0}); entry != end; ++entry)
            found[{entry->first.first - range.location + to, entry->first.second}] = entry->second;
    }
    std::lock_guard lock(mutex_);
    for (auto& [place, object] : found) held_[place] = object;
}

void CommandPart::bind(const char* call, BoundBuffer* bindings, NS::UInteger limit, NS::UInteger place,
                       const MTL::Buffer* given, NS::UInteger offset, NS::UInteger stride, NS::UInteger at) const {
    const auto* bound = metal_objects::as<BufferObject>(given);
    std::ostringstream why;
    if (at >= limit) {
        why << call << ": index (" << at << ") must be < " << limit << ", which the descriptor has room for";
    } else if (bound != nullptr && offset >= bound->length) {
        why << call << ": offset(" << offset << ") must be < the buffer's length(" << bound->length << ")";
    }
    if (!why.str().empty()) return reportMistake(why.str());
    bindings[at] = {bound != nullptr ? reinterpret_cast<std::uint64_t>(bound->bytes() + offset) : 0, stride};
    buffer->hold(index, place + at, given);
}

namespace {

class ComputeCommandObject final : public Implements<MTL::IndirectComputeCommand>, public CommandPart {
public:
    using CommandPart::CommandPart;

    void dispatch(ComputeCommandKind kind, MTL::Size grid, MTL::Size threads) const {
        const auto fits = [](MTL::Size size) {
            return size.width <= UINT32_MAX && size.height <= UINT32_MAX && size.depth <= UINT32_MAX;
        };
        if (!fits(grid) || !fits(threads)) return reportMistake("concurrentDispatch: sizes must be <= 4294967295");
        auto& command = as<ComputeCommand>();
        const std::uint32_t sizes[] = {std::uint32_t(grid.width),     std::uint32_t(grid.height),
                                       std::uint32_t(grid.depth),     std::uint32_t(threads.width),
                                       std::uint32_t(threads.height), std::uint32_t(threads.depth)};
        std::copy_n(sizes, 3, command.grid);
        std::copy_n(sizes + 3, 3, command.threadsPerThreadgroup);
        command.kind = kind;
    }
};

/// Whether the processor can write the command; says so where it cannot.
bool isWritable(const IndirectBufferObject* buffer, NS::UInteger index, const char* call, bool draws) {
    std::ostringstream why;
    if (index >= buffer->count) {
        why << call << ": commandIndex (" << index << ") must be < " << buffer->count << ", the buffer's size";
    } else if (buffer->values.draws() != draws) {
        why << call << ": the buffer's commands " << (draws ? "dispatch" : "draw");
    } else if (buffer->storage() == MTL::StorageModePrivate) {
        why << call << ": the processor cannot write commands in private storage";
    } else {
        return true;
    }
    reportMistake(why.str());
    return false;
}

IndirectBufferValues& values(const MTL::IndirectCommandBufferDescriptor* descriptor) {
    return as<IndirectBufferDescriptorObject>(descriptor)->values;
}

}  // namespace

}  // namespace metal_objects

using namespace metal_objects;

namespace MTL {

// ---- IndirectCommandBufferDescriptor ----

IndirectCommandBufferDescriptor* IndirectCommandBufferDescriptor::alloc() {
    return new IndirectBufferDescriptorObject;
}
IndirectCommandBufferDescriptor* IndirectCommandBufferDescriptor::init() {
    return this;
}
IndirectCommandType IndirectCommandBufferDescriptor::commandTypes() const {
    return values(this).commandTypes;
}
void IndirectCommandBufferDescriptor::setCommandTypes(IndirectCommandType commandTypes) {
    values(this).commandTypes = commandTypes;
}
bool IndirectCommandBufferDescriptor::inheritBuffers() const {
    return values(this).inheritBuffers;
}
void IndirectCommandBufferDescriptor::setInheritBuffers(bool inheritBuffers) {
    values(this).inheritBuffers = inheritBuffers;
}
bool IndirectCommandBufferDescriptor::inheritPipelineState() const {
    return values(this).inheritPipelineState;
}
void IndirectCommandBufferDescriptor::setInheritPipelineState(bool inheritPipelineState) {
    values(this).inheritPipelineState = inheritPipelineState;
}
NS::UInteger IndirectCommandBufferDescriptor::maxFragmentBufferBindCount() const {
    return values(this).maxFragmentBuffers;
}
void IndirectCommandBufferDescriptor::setMaxFragmentBufferBindCount(NS::UInteger maxFragmentBufferBindCount) {
    values(this).maxFragmentBuffers = maxFragmentBufferBindCount;
}
NS::UInteger IndirectCommandBufferDescriptor::maxKernelBufferBindCount() const {
    return values(this).maxKernelBuffers;
}
void IndirectCommandBufferDescriptor::setMaxKernelBufferBindCount(NS::UInteger maxKernelBufferBindCount) {
    values(this).maxKernelBuffers = maxKernelBufferBindCount;
}
NS::UInteger IndirectCommandBufferDescriptor::maxKernelThreadgroupMemoryBindCount() const {
    return values(this).maxThreadgroupMemories;
}
void IndirectCommandBufferDescriptor::setMaxKernelThreadgroupMemoryBindCount(
    NS::UInteger maxKernelThreadgroupMemoryBindCount) {
    values(this).maxThreadgroupMemories = maxKernelThreadgroupMemoryBindCount;
}
NS::UInteger IndirectCommandBufferDescriptor::maxVertexBufferBindCount() const {
    return values(this).maxVertexBuffers;
}
void IndirectCommandBufferDescriptor::setMaxVertexBufferBindCount(NS::UInteger maxVertexBufferBindCount) {
    values(this).maxVertexBuffers = maxVertexBufferBindCount;
}
bool IndirectCommandBufferDescriptor::supportDynamicAttributeStride() const {
    return values(this).supportsDynamicStride;
}
void IndirectCommandBufferDescriptor::setSupportDynamicAttributeStride(bool supportDynamicAttributeStride) {
    values(this).supportsDynamicStride = supportDynamicAttributeStride;
}
bool IndirectCommandBufferDescriptor::supportRayTracing() const {
    return values(this).supportsRayTracing;
}
void IndirectCommandBufferDescriptor::setSupportRayTracing(bool supportRayTracing) {
    values(this).supportsRayTracing = supportRayTracing;
}

// ---- IndirectCommandBuffer ----

IndirectCommandBuffer* Device::newIndirectCommandBuffer(const IndirectCommandBufferDescriptor* descriptor,
                                                        NS::UInteger maxCount, ResourceOptions options) {
    const auto& wanted = values(descriptor);
    if (const std::string mistake = bufferMistake(wanted, maxCount, options); !mistake.empty()) {
        reportMistake("newIndirectCommandBuffer: " + mistake);
        return nullptr;
    }
    return IndirectBufferObject::make(this, wanted, maxCount, options);
}

ResourceID IndirectCommandBuffer::gpuResourceID() const {
    return {reinterpret_cast<std::uint64_t>(as<IndirectBufferObject>(this)->commands())};
}
NS::UInteger IndirectCommandBuffer::size() const {
    return as<IndirectBufferObject>(this)->count;
}
void IndirectCommandBuffer::reset(NS::Range range) {
    as<IndirectBufferObject>(this)->reset("reset", range);
}
IndirectComputeCommand* IndirectCommandBuffer::indirectComputeCommand(NS::UInteger commandIndex) {
    auto* buffer = as<IndirectBufferObject>(this);
    if (!isWritable(buffer, commandIndex, "indirectComputeCommand", false)) return nullptr;
    auto* command = new ComputeCommandObject(buffer, commandIndex);
    return command->autorelease();
}
IndirectRenderCommand* IndirectCommandBuffer::indirectRenderCommand(NS::UInteger commandIndex) {
    auto* buffer = as<IndirectBufferObject>(this);
    return isWritable(buffer, commandIndex, "indirectRenderCommand", true) ? makeRenderCommand(buffer, commandIndex)
                                                                           : nullptr;
}

// ---- IndirectComputeCommand ----

void IndirectComputeCommand::setBarrier() {
    as<ComputeCommandObject>(this)->as<ComputeCommand>().hasBarrier = 1;
}
void IndirectComputeCommand::clearBarrier() {
    as<ComputeCommandObject>(this)->as<ComputeCommand>().hasBarrier = 0;
}
void IndirectComputeCommand::concurrentDispatchThreadgroups(Size threadgroupsPerGrid, Size threadsPerThreadgroup) {
    as<ComputeCommandObject>(this)->dispatch(ComputeCommandKind::threadgroups, threadgroupsPerGrid,
                                             threadsPerThreadgroup);
}
void IndirectComputeCommand::concurrentDispatchThreads(Size threadsPerGrid, Size threadsPerThreadgroup) {
    as<ComputeCommandObject>(this)->dispatch(ComputeCommandKind::threads, threadsPerGrid, threadsPerThreadgroup);
}
void IndirectComputeCommand::reset() {
    const auto* command = as<ComputeCommandObject>(this);
    command->buffer->reset("reset", NS::Range(command->index, 1));
}
void IndirectComputeCommand::setComputePipelineState(const ComputePipelineState* pipelineState) {
    const auto* command = as<ComputeCommandObject>(this);
    const auto* pipeline = as<PipelineObject>(pipelineState);
    if (pipeline == nullptr || !pipeline->supportsIndirectCommands) {
        return reportMistake(
            "setComputePipelineState: the pipeline state must have been made with supportIndirectCommandBuffers");
    }
    command->as<ComputeCommand>().pipeline = pipeline->resourceID;
    command->buffer->hold(command->index, CommandPart::pipelinePlace, pipeline);
}
void IndirectComputeCommand::setKernelBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger index) {
    setKernelBuffer(buffer, offset, 0, index);
}
void IndirectComputeCommand::setKernelBuffer(const Buffer* buffer, NS::UInteger offset, NS::UInteger stride,
                                             NS::UInteger index) {
    const auto* command = as<ComputeCommandObject>(this);
    command->bind("setKernelBuffer", command->bindings<ComputeCommand>(), command->buffer->facts.firstCount, 0, buffer,
                  offset, stride, index);
}
void IndirectComputeCommand::setStageInRegion(Region region) {
    const NS::UInteger origin[] = {region.origin.x, region.origin.y, region.origin.z};
    const NS::UInteger size[] = {region.size.width, region.size.height, region.size.depth};
    auto& command = as<ComputeCommandObject>(this)->as<ComputeCommand>();
    for (int axis = 0; axis < 3; ++axis) {
        if (origin[axis] > UINT32_MAX || size[axis] > UINT32_MAX - origin[axis])
            return reportMistake("setStageInRegion: origin + size must be <= 4294967295");
    }
    std::copy_n(origin, 3, command.origin);
    std::copy_n(size, 3, command.size);
    command.hasRegion = 1;
}
void IndirectComputeCommand::setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
    const auto* command = as<ComputeCommandObject>(this);
    const CommandFacts& facts = command->buffer->facts;
    if (index >= facts.secondCount || length % 16 != 0 || length > metal_max_threadgroup_memory) {
        std::ostringstream why;
        why << "setThreadgroupMemoryLength: index (" << index << ") must be < " << facts.secondCount << ", and length("
            << length << ") a multiple of 16, at most " << int(metal_max_threadgroup_memory);
        return reportMistake(why.str());
    }
    auto* lengths = reinterpret_cast<std::uint32_t*>(command->bindings<ComputeCommand>() + facts.firstCount);
    lengths[index] = static_cast<std::uint32_t>(length);
}

}  // namespace MTL
