// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "buffer.hpp"
#include "capture_objects.hpp"
#include "capture_record.hpp"
#include "indirect_commands.hpp"
#include "join.hpp"
#include "live_resources.hpp"

namespace metal_objects {

namespace {

constexpr std::uint64_t threadgroupAlignment = 16;

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    throw std::runtime_error(join("executeCommandsInBuffer: ", parts...));
}

std::uint64_t aligned(std::uint64_t size) {
    return (size + threadgroupAlignment - 1) / threadgroupAlignment * threadgroupAlignment;
}

class Execution {
public:
    Execution(const IndirectBufferObject* commands, CommandRange range, InheritedState inherited)
        : commands_(commands), range_(range), inherited_(std::move(inherited)) {}

    bool next(metal_executor::Dispatch& dispatch) {
        if (!hasBegun_) begin();
        for (; at_ < end_; ++at_) {
            // A kernel may write to the command meanwhile: what is checked and what is used is read once.
            std::memcpy(read_.data(), commands_->command(at_), commands_->facts.size);
            const auto& command = *reinterpret_cast<const ComputeCommand*>(read_.data());
            if (command.kind == ComputeCommandKind::none) continue;
            const bool isEmpty = std::any_of(command.grid, command.grid + 3, [](std::uint32_t n) { return n == 0; });
            if (isEmpty) continue;
            make(command, dispatch);
            ++at_;
            return true;
        }
        return false;
    }

private:
    void begin() {
        hasBegun_ = true;
        read_.resize(commands_->facts.size / sizeof(std::uint64_t));
        const auto [location, length] = presentSpan(range_);
        if (location + length > commands_->count) {
            refuse("range(", location, ", ", length, ") must be in the buffer, whose size is ", commands_->count);
        }
        at_ = location;
        end_ = location + length;
    }

    void make(const ComputeCommand& command, metal_executor::Dispatch& dispatch) {
        std::string mistake;
        const auto use = [&](PipelineObject& pipeline) { mistake = fill(command, pipeline, dispatch); };
        if (commands_->values.inheritPipelineState) {
            if (!inherited_.pipeline) refuse("no compute pipeline state is set, which the commands inherit");
            use(*inherited_.pipeline.get());
        } else if (!PipelineObject::use(command.pipeline, use)) {
            refuse("command ", at_,
                   command.pipeline == 0 ? " has no compute pipeline state"
                                         : " has a compute pipeline state that is gone");
        }
        if (!mistake.empty()) refuse("command ", at_, ": ", mistake);
    }

    BoundBuffer bound(const ComputeCommand& command, std::uint64_t index, std::uint64_t& length) const {
        if (commands_->values.inheritBuffers) {
            length = inherited_.buffers[index].length;
            return {reinterpret_cast<std::uint64_t>(inherited_.buffers[index].bytes), 0};
        }
        length = INT64_MAX;  // a kernel may have written the address: nobody knows
        if (index >= commands_->facts.firstCount) return {};
        return reinterpret_cast<const BoundBuffer*>(&command + 1)[index];
    }

    std::string fill(const ComputeCommand& command, PipelineObject& pipeline, metal_executor::Dispatch& dispatch) {
        const auto& threads = command.threadsPerThreadgroup;
        const MTL::Size size(threads[0], threads[1], threads[2]);
        if (const std::string mistake = pipeline.threadgroupMistake(size); !mistake.empty()) return mistake;
        const bool inThreadgroups = command.kind == ComputeCommandKind::threadgroups;
        for (int axis = 0; axis < 3; ++axis) {
            const std::uint64_t all = std::uint64_t{command.grid[axis]} * (inThreadgroups ? threads[axis] : 1);
            if (all > UINT32_MAX) return "the grid has more than 4294967295 threads along an axis";
            dispatch.launch.threads_per_grid[axis] = static_cast<std::uint32_t>(all);
            dispatch.launch.threads_per_threadgroup[axis] = threads[axis];
            dispatch.launch.threadgroups_per_grid[axis] =
                inThreadgroups ? command.grid[axis]
                               : static_cast<std::uint32_t>((all + threads[axis] - 1) / threads[axis]);
        }
        const std::uint32_t rest = dispatch.launch.threads_per_grid[0] % threads[0];
        std::string whyNot;
        dispatch.kernel = pipeline.kernelFor(size, rest == 0 ? threads[0] : rest, whyNot);
        if (dispatch.kernel == nullptr) return whyNot;
        if (std::string mistake = fillArguments(command, pipeline, dispatch); !mistake.empty()) return mistake;
        return fillStageIn(command, pipeline, dispatch);
    }

    std::string fillArguments(const ComputeCommand& command, const PipelineObject& pipeline,
                              metal_executor::Dispatch& dispatch) {
        slots_.assign(std::max<std::size_t>(pipeline.slotCount, 1), nullptr);
        const CommandFacts& facts = commands_->facts;
        const auto* lengths = reinterpret_cast<const std::uint32_t*>(
            reinterpret_cast<const std::uint8_t*>(&command + 1) + facts.firstCount * sizeof(BoundBuffer));
        const std::uint64_t ownMemory = dispatch.kernel->info().static_threadgroup_memory;
        std::uint64_t offset = aligned(ownMemory);
        for (const PipelineObject::Argument& argument : pipeline.arguments) {
            if (!dispatch.kernel->readsSlot(argument.facts->slot)) continue;
            const std::uint32_t index = argument.facts->index;
            void*& slot = slots_[argument.facts->slot];
            if (argument.facts->kind == protocol::ArgumentKind::threadgroupMemory) {
                const std::uint32_t length = index < facts.secondCount ? lengths[index] : 0;
                if (length == 0 || length % threadgroupAlignment != 0) {
                    return join("the length of threadgroup memory ", index, " (", argument.facts->name, ") is ", length,
                                ", must be a multiple of ", threadgroupAlignment);
                }
                slot = reinterpret_cast<void*>(offset);
                offset += length;
                continue;
            }
            std::uint64_t length = 0;
            const BoundBuffer buffer = bound(command, index, length);
            slot = reinterpret_cast<void*>(buffer.address);
            if (buffer.address == 0) {
                return join("Compute Function(", pipeline.function->name(), "): missing Buffer binding at index ",
                            index, " for ", argument.facts->name, "[0].");
            }
            if (length < argument.typeSize) {
                return join("Compute Function(", pipeline.function->name(), "): argument ", argument.facts->name,
                            "[0] from Buffer(", index, ") has space for ", length, " bytes, but argument has a length(",
                            argument.typeSize, ").");
            }
        }
        if (offset > metal_max_threadgroup_memory) {
            return join(offset, " bytes of threadgroup memory must be <= ", int(metal_max_threadgroup_memory));
        }
        dispatch.threadgroupMemory = static_cast<std::uint32_t>(offset - ownMemory);
        dispatch.launch.arguments = slots_.data();
        return {};
    }

    /// What the processor fetches from: any address that a kernel wrote must not be read by it.
    BoundBuffer fetched(const ComputeCommand& command, std::uint64_t index, std::uint64_t& length) {
        BoundBuffer buffer = bound(command, index, length);
        if (commands_->values.inheritBuffers) return buffer;
        length = found_.roomAt(buffer.address);
        return length != 0 ? buffer : BoundBuffer{};
    }

    std::string fillStageIn(const ComputeCommand& command, const PipelineObject& pipeline,
                            metal_executor::Dispatch& dispatch) {
        const StageInput& input = pipeline.stageInput;
        if (input.columnCount == 0) return {};
        auto in = std::make_shared<metal_executor::StageIn>();
        in->columnCount = input.columnCount;
        for (const StageInput::Part& part : input.parts) {
            std::uint64_t length = 0;
            const BoundBuffer buffer = fetched(command, part.buffer, length);
            if (buffer.address == 0) {
                return join("attribute ", part.facts->name, " [[attribute(", part.facts->index,
                            ")]] is fetched from Buffer(", part.buffer, "), where none is set");
            }
            metal_executor::StageIn::Input one{part.attribute, part.step, part.rate};
            one.attribute.data = reinterpret_cast<const std::uint8_t*>(buffer.address) + part.offset;
            one.attribute.bytes = length - std::min<std::uint64_t>(part.offset, length);
            if (buffer.stride != 0) one.attribute.stride = buffer.stride;
            in->inputs.push_back(one);
        }
        if (input.isIndexed) {
            const BoundBuffer indices = fetched(command, input.indexBuffer, in->indexBytes);
            if (indices.address == 0) return "the indices of its [[stage_in]] are in a buffer that is not set";
            in->indices = reinterpret_cast<const std::uint8_t*>(indices.address);
            in->indexSize = input.indexSize;
        }
        in->hasRegion = command.hasRegion != 0;
        std::copy_n(command.origin, 3, in->origin);
        std::copy_n(command.size, 3, in->size);
        dispatch.stageIn = std::move(in);
        return {};
    }

    const IndirectBufferObject* commands_;
    CommandRange range_;
    InheritedState inherited_;
    std::vector<void*> slots_;  // of the dispatch that runs
    FoundBuffers found_;
    std::vector<std::uint64_t> read_;  // the command that is made a dispatch
    std::uint64_t at_ = 0, end_ = 0;
    bool hasBegun_ = false;
};

}  // namespace

CommandSpan presentSpan(CommandRange range) {
    if (range.indirect != nullptr) return {range.indirect[0], range.indirect[1]};
    return {range.location, range.length};
}

metal_executor::Generate executing(const IndirectBufferObject* commands, CommandRange range, InheritedState inherited) {
    auto execution = std::make_shared<Execution>(commands, range, std::move(inherited));
    return {[execution](metal_executor::Dispatch& dispatch) { return execution->next(dispatch); }};
}

namespace {

void writeSizes(metal_capture::JsonWriter& json, const ComputeCommand& command) {
    const bool inThreadgroups = command.kind == ComputeCommandKind::threadgroups;
    const auto write = [&](const char* name, auto size) {
        json.key(name).beginArray();
        for (int axis = 0; axis < 3; ++axis) json.value(std::uint64_t{size(axis)});
        json.endArray();
    };
    const auto group = [&](int axis) { return std::uint64_t{command.threadsPerThreadgroup[axis]}; };
    const auto grid = [&](int axis) { return std::uint64_t{command.grid[axis]}; };
    write("threadgroup", group);
    write("grid", [&](int axis) { return inThreadgroups ? grid(axis) * group(axis) : grid(axis); });
    write("threadgroups", [&](int axis) {
        return inThreadgroups ? grid(axis) : (grid(axis) + group(axis) - 1) / std::max<std::uint64_t>(group(axis), 1);
    });
}

void noteBuffers(const IndirectBufferObject* commands, const ComputeCommand& command, const PipelineObject& pipeline,
                 CommandRecord& record) {
    const auto* bound = reinterpret_cast<const BoundBuffer*>(&command + 1);
    for (const PipelineObject::Argument& argument : pipeline.arguments) {
        const protocol::Argument& facts = *argument.facts;
        if (facts.kind != protocol::ArgumentKind::buffer || facts.index >= commands->facts.firstCount) continue;
        const auto buffer = LiveResources::bufferAt(bound[facts.index].address);
        if (!buffer) continue;
        record.touch(buffer.get(), facts.access != static_cast<std::uint32_t>(MTL::BindingAccessReadOnly));
        record.held.push_back(NS::RetainPtr<NS::Object>(buffer.get()));
    }
}

}  // namespace

void tellOfCommands(const IndirectBufferObject* commands, CommandRange range, PipelineObject* inherited,
                    CommandRecord& record, CaptureObjects& objects) {
    const auto [location, length] = presentSpan(range);
    metal_capture::JsonWriter& json = record.fields;
    json.key("range").beginArray().value(location).value(length).endArray();
    json.key("dispatches").beginArray();
    const std::uint64_t end = std::min<std::uint64_t>(location + length, commands->count);
    for (std::uint64_t at = location; at < end; ++at) {
        const auto& command = *reinterpret_cast<const ComputeCommand*>(commands->command(at));
        if (command.kind == ComputeCommandKind::none) continue;
        const auto tell = [&](PipelineObject& pipeline) {
            json.beginObject().member("index", at).member("pipeline", objects.function(&pipeline));
            writeSizes(json, command);
            json.endObject();
            if (!commands->values.inheritBuffers) noteBuffers(commands, command, pipeline, record);
        };
        if (commands->values.inheritPipelineState) {
            if (inherited != nullptr) tell(*inherited);
        } else {
            PipelineObject::use(command.pipeline, tell);
        }
    }
    json.endArray();
}

}  // namespace metal_objects
