// SPDX-License-Identifier: MIT
//
// Indirect command buffers. A buffer's memory is what kernels see (include/metal_command_buffer has the same numbers):
// facts, then the commands, all of one size; zeros are an empty command.

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

#include "../executor/command.hpp"
#include "pipeline.hpp"
#include "resource.hpp"

namespace metal_objects {

class CaptureObjects;
struct CommandRecord;

struct CommandFacts {
    std::uint32_t count = 0;  // of commands
    std::uint32_t size = 0;   // bytes of one
    // Room in one: a kernel's buffers and lengths of threadgroup memory, or vertex and fragment buffers.
    std::uint32_t firstCount = 0, secondCount = 0;
    std::uint32_t reserved[12] = {};
};
static_assert(sizeof(CommandFacts) == 64);

enum class ComputeCommandKind : std::uint32_t { none, threadgroups, threads };

/// Behind it: `firstCount` BoundBuffers, then `secondCount` lengths of threadgroup memory, 4 bytes each.
struct ComputeCommand {
    std::uint64_t pipeline = 0;  // its resourceID
    ComputeCommandKind kind = ComputeCommandKind::none;
    std::uint32_t hasBarrier = 0;
    std::uint32_t grid[3] = {};
    std::uint32_t threadsPerThreadgroup[3] = {};
    std::uint32_t hasRegion = 0;  // of [[stage_in]]
    std::uint32_t origin[3] = {};
    std::uint32_t size[3] = {};
    std::uint32_t reserved[3] = {};
};
static_assert(sizeof(ComputeCommand) == 80 && offsetof(ComputeCommand, hasRegion) == 40);

enum class RenderCommandKind : std::uint32_t { none, draw, drawIndexed, drawPatches, drawIndexedPatches };

/// Behind it: BoundBuffers of the vertex, then of the fragment function.
struct RenderCommand {
    std::uint64_t pipeline = 0, depthStencilState = 0;
    RenderCommandKind kind = RenderCommandKind::none;
    std::uint32_t primitiveType = 0;
    // draw: start, count, instances, base instance. drawIndexed: count, bytes of an index, instances, base vertex, base
    // instance. Patches: control points, start, count, instances, base instance, stride of the factors' instances.
    std::uint32_t numbers[6] = {};
    std::uint64_t addresses[3] = {};  // indices (of patches), indices of control points, tessellation factors
    std::uint32_t cullMode = 0, winding = 0, fillMode = 0, clipMode = 0;
    float depthBias[3] = {};
    enum State : std::uint32_t { hasCull = 1, hasWinding = 2, hasFill = 4, hasClip = 8, hasBias = 16 };
    std::uint32_t states = 0;  // which of these the command has of its own
    std::uint32_t hasBarrier = 0;
    std::uint32_t reserved = 0;
};
static_assert(sizeof(RenderCommand) == 112 && offsetof(RenderCommand, cullMode) == 72);

struct BoundBuffer {
    std::uint64_t address = 0, stride = 0;
};

struct IndirectBufferValues {
    MTL::IndirectCommandType commandTypes = 0;
    bool inheritBuffers = true;
    bool inheritPipelineState = true;
    NS::UInteger maxVertexBuffers = 31, maxFragmentBuffers = 31, maxKernelBuffers = 31;
    NS::UInteger maxThreadgroupMemories = 31;
    bool supportsDynamicStride = false;
    bool supportsRayTracing = false;

    bool draws() const { return (commandTypes & 0xf) != 0; }
};
using IndirectBufferDescriptorObject = DescriptorOf<MTL::IndirectCommandBufferDescriptor, IndirectBufferValues>;

class IndirectBufferObject final : public Implements<MTL::IndirectCommandBuffer>, public ResourcePart {
public:
    /// Null when there is not enough memory.
    static IndirectBufferObject* make(const MTL::Device* device, const IndirectBufferValues& values, NS::UInteger count,
                                      MTL::ResourceOptions options);

    std::uint8_t* commands() const { return bytes() + sizeof(CommandFacts); }
    std::uint8_t* command(std::uint64_t index) const { return commands() + index * facts.size; }

    /// Empties commands; says so where the range is not in the buffer.
    void reset(const char* call, NS::Range range);
    std::string rangeMistake(NS::Range range) const;

    /// Holds what a command of the processor's names, until another takes its place or the command is emptied.
    void hold(NS::UInteger command, NS::UInteger place, const NS::Object* object);
    /// What the other's commands name, which are copied here.
    void holdWhat(IndirectBufferObject& other, NS::Range range, NS::UInteger to);

    const IndirectBufferValues values;
    const NS::UInteger count;
    const CommandFacts facts;  // which no kernel can write to, as to those in the memory

private:
    IndirectBufferObject(const MTL::Device* device, const IndirectBufferValues& values, const CommandFacts& facts,
                         MTL::ResourceOptions options)
        : ResourcePart(device, options), values(values), count(facts.count), facts(facts) {}

    std::mutex mutex_;
    std::map<std::pair<NS::UInteger, NS::UInteger>, NS::SharedPtr<NS::Object>> held_;
};

/// What commands take from the encoder that executes them.
struct InheritedState {
    NS::SharedPtr<PipelineObject> pipeline;
    struct Buffer {
        std::uint8_t* bytes = nullptr;
        std::uint64_t length = 0;
    };
    std::array<Buffer, 31> buffers{};
};

/// Which commands are executed: known now, or read when they are.
struct CommandRange {
    std::uint32_t location = 0, length = 0;
    const std::uint32_t* indirect = nullptr;  // location and length
};

/// The commands as dispatches, read one by one when the device gets there. The buffer must live until then.
metal_executor::Generate executing(const IndirectBufferObject* commands, CommandRange range, InheritedState inherited);

/// For a capture, when the device gets there: what is executed, and which buffers it may touch. `inherited`: the
/// encoder's pipeline.
void tellOfCommands(const IndirectBufferObject* commands, CommandRange range, PipelineObject* inherited,
                    CommandRecord& record, CaptureObjects& objects);

/// A command that draws, for the processor to write. Not owned by the caller.
MTL::IndirectRenderCommand* makeRenderCommand(IndirectBufferObject* buffer, NS::UInteger index);

/// Which commands a range buffer names, when the device gets there.
struct CommandSpan {
    std::uint64_t location = 0, length = 0;
};
CommandSpan presentSpan(CommandRange range);

}  // namespace metal_objects
