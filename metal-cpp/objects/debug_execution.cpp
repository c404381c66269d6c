// SPDX-License-Identifier: MIT

#include "debug_execution.hpp"

#include "buffer.hpp"
#include "command_watch.hpp"
#include "debug_arguments.hpp"
#include "join.hpp"
#include "live_resources.hpp"
#include "render_encoder.hpp"

namespace metal_objects {

namespace {

/// Commands of one execution.
class Execution {
public:
    Execution(CommandWatch& watch, const IndirectBufferObject* commands, CommandRange range)
        : watch_(watch), commands_(commands), range_(range) {
        // Which they are, and what they are, shows later where a kernel writes it.
        watch.unknownAccess();
        watch.note("executeCommandsInBuffer", {{commands, CommandWatch::anywhere, false}});
        isKnown_ =
            range.indirect == nullptr && !watch.isWritten(commands) && resources_in_flight::user(commands).empty();
    }

    /// Calls `look(command)` for each that is not empty, if they are known.
    template <class Command, class Look>
    void forEach(const Look& look) {
        if (!isKnown_) return;
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < range_.length; ++i) {
            const std::uint64_t at = range_.location + i;
            const auto& command = *reinterpret_cast<const Command*>(commands_->command(at));
            if (static_cast<std::uint32_t>(command.kind) == 0) continue;
            ++found;
            name_ = join("command ", at, " of ", describeResource(*commands_));
            look(command);
            watch_.note(name_, uses_);
            uses_.clear();
            held_.clear();
        }
        if (found != 0 || range_.length == 0) return;
        debugWarn(join("executeCommandsInBuffer: commands ", range_.location, " to ",
                       range_.location + range_.length - 1, " of ", describeResource(*commands_),
                       " are empty: nothing is done", watch_.place()));
    }

    /// What a command names itself.
    void touch(std::uint64_t address, bool isWritten) {
        auto buffer = LiveResources::bufferAt(address);
        if (!buffer) return;
        if (!watch_.isNamed(buffer.get())) {
            debugWarn(join(name_, isWritten ? " writes " : " reads ", describeResource(*buffer.get()),
                           ", which the encoder names with no useResource: a GPU may not have it in reach",
                           watch_.place()));
        }
        const auto start = reinterpret_cast<std::uint64_t>(buffer->bytes());
        uses_.push_back({buffer.get(), address - start, isWritten});
        held_.push_back(std::move(buffer));
    }

    /// What the function takes of `bound`, the command's buffers, or of those that it inherits.
    void touchArguments(const PipelineFunction& function, const metal_executor::Kernel& kernel,
                        const BoundBuffer* bound, std::uint32_t count, const ArgumentTable& table) {
        if (commands_->values.inheritBuffers) return watchArguments(watch_, name_, function, kernel, table, uses_);
        for (const PipelineFunction::Argument& argument : function.arguments) {
            const protocol::Argument& facts = *argument.facts;
            if (facts.kind != protocol::ArgumentKind::buffer || facts.index >= count) continue;
            if (kernel.readsSlot(facts.slot)) touch(bound[facts.index].address, isWrittenBy(facts));
        }
    }

    void touchFetched(std::uint64_t index, const BoundBuffer* bound, std::uint32_t count, const ArgumentTable& table) {
        if (commands_->values.inheritBuffers) {
            if (index < ArgumentTable::bufferCount)
                uses_.push_back({table.buffer(index).buffer, table.buffer(index).offset, false});
        } else if (index < count) {
            touch(bound[index].address, false);
        }
    }

private:
    CommandWatch& watch_;
    const IndirectBufferObject* const commands_;
    const CommandRange range_;
    bool isKnown_ = false;
    std::string name_;
    std::vector<CommandWatch::Use> uses_;
    std::vector<NS::SharedPtr<BufferObject>> held_;
};

}  // namespace

void watchDispatches(CommandWatch& watch, const IndirectBufferObject* commands, CommandRange range,
                     const PipelineObject* inherited, const ArgumentTable& arguments) {
    Execution execution(watch, commands, range);
    execution.forEach<ComputeCommand>([&](const ComputeCommand& command) {
        const auto* bound = reinterpret_cast<const BoundBuffer*>(&command + 1);
        const auto look = [&](const PipelineObject& pipeline) {
            const std::uint32_t count = commands->facts.firstCount;
            execution.touchArguments(pipeline, pipeline.kernel(), bound, count, arguments);
            for (const StageInput::Part& part : pipeline.stageInput.parts)
                execution.touchFetched(part.buffer, bound, count, arguments);
        };
        if (!commands->values.inheritPipelineState) {
            PipelineObject::use(command.pipeline, look);
        } else if (inherited != nullptr) {
            look(*inherited);
        }
    });
}

void watchDraws(CommandWatch& watch, const IndirectBufferObject* commands, CommandRange range,
                const RenderPipelineObject* inherited, const ArgumentTable& vertexArguments,
                const ArgumentTable& fragmentArguments) {
    Execution execution(watch, commands, range);
    execution.forEach<RenderCommand>([&](const RenderCommand& command) {
        auto found = NS::RetainPtr(const_cast<RenderPipelineObject*>(inherited));
        if (!commands->values.inheritPipelineState) found = RenderPipelineObject::find(command.pipeline);
        const RenderPipelineObject* pipeline = found.get();
        if (pipeline == nullptr) return;
        const auto* bound = reinterpret_cast<const BoundBuffer*>(&command + 1);
        const CommandFacts& facts = commands->facts;
        execution.touchArguments(*pipeline->vertex, *pipeline->vertex->firstKernel(), bound, facts.firstCount,
                                 vertexArguments);
        for (const VertexInput::Part& part : pipeline->vertexInput.parts)
            execution.touchFetched(part.buffer, bound, facts.firstCount, vertexArguments);
        if (pipeline->fragment != nullptr) {
            execution.touchArguments(*pipeline->fragment, *pipeline->fragment->firstKernel(), bound + facts.firstCount,
                                     facts.secondCount, fragmentArguments);
        }
        if (command.kind == RenderCommandKind::drawIndexed) execution.touch(command.addresses[0], false);
    });
}

}  // namespace metal_objects
