// SPDX-License-Identifier: MIT

#include "indirect_draws.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "buffer.hpp"
#include "depth_stencil.hpp"
#include "join.hpp"
#include "live_resources.hpp"
#include "pass_targets.hpp"
#include "render_state.hpp"

namespace metal_objects {

namespace {

using metal_executor::render::Draw;

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
    throw std::runtime_error(join("executeCommandsInBuffer: ", parts...));
}

class DrawExecution {
public:
    DrawExecution(const IndirectBufferObject* commands, CommandRange range, InheritedDraw inherited,
                  const PassTargets& targets)
        : commands_(commands), range_(range), inherited_(std::move(inherited)), targets_(targets) {}

    bool next(Draw& draw) {
        if (!hasBegun_) begin();
        for (; at_ < end_; ++at_) {
            // A kernel may write to the command meanwhile: what is checked and what is used is read once.
            std::memcpy(read_.data(), commands_->command(at_), commands_->facts.size);
            const auto& command = *reinterpret_cast<const RenderCommand*>(read_.data());
            if (command.kind == RenderCommandKind::none) continue;
            make(command, draw);
            ++at_;
            return true;
        }
        return false;
    }

private:
    struct Bound {
        std::uint64_t address = 0, stride = 0;
        std::uint64_t length = 0;  // as far as it is known
    };

    void begin() {
        hasBegun_ = true;
        read_.resize(commands_->facts.size / sizeof(std::uint64_t));
        const auto [location, length] = presentSpan(range_);
        if (location + length > commands_->count)
            refuse("range(", location, ", ", length, ") must be in the buffer, whose size is ", commands_->count);
        at_ = location;
        end_ = location + length;
    }

    void make(const RenderCommand& command, Draw& draw) {
        const auto pipeline = pipelineOf(command);
        draw = inherited_.draw;
        draw.pipeline = pipeline->linked();
        draw.colors = pipeline->colors;
        std::copy_n(inherited_.draw.colors.constant, 4, draw.colors.constant);
        if (command.primitiveType > MTL::PrimitiveTypeTriangleStrip)
            refuse("command ", at_, ": primitive type ", command.primitiveType, " must be <= 4");
        draw.primitive = static_cast<metal_executor::render::PrimitiveKind>(command.primitiveType);
        draw.isBehindBarrier = command.hasBarrier != 0;
        takeRange(command, draw);
        takeState(command, draw);
        draw.vertexArguments = fill(*pipeline->vertex, command, true);
        if (pipeline->fragment != nullptr) draw.fragmentArguments = fill(*pipeline->fragment, command, false);
        takeAttributes(*pipeline.get(), command, draw);
    }

    NS::SharedPtr<RenderPipelineObject> pipelineOf(const RenderCommand& command) const {
        if (commands_->values.inheritPipelineState) return inherited_.pipeline;
        auto pipeline = RenderPipelineObject::find(command.pipeline);
        if (!pipeline) {
            refuse(
                "command ", at_,
                command.pipeline == 0 ? " has no render pipeline state" : " has a render pipeline state that is gone");
        }
        if (const std::string mistake = targets_.formatsMistake(*pipeline.get()); !mistake.empty())
            refuse("command ", at_, ": ", mistake);
        return pipeline;
    }

    void takeRange(const RenderCommand& command, Draw& draw) {
        const std::uint32_t (&numbers)[6] = command.numbers;
        if (command.kind == RenderCommandKind::draw) {
            draw.range = {numbers[1], numbers[2], numbers[0], 0, numbers[3]};
            return;
        }
        if (command.kind != RenderCommandKind::drawIndexed)
            refuse("command ", at_, " draws patches, which this device does not");
        if (numbers[1] != 2 && numbers[1] != 4) refuse("command ", at_, " has indices of ", numbers[1], " bytes");
        draw.range = {numbers[0], numbers[2], 0, static_cast<std::int32_t>(numbers[3]), numbers[4]};
        draw.indexSize = numbers[1];
        // Any address may stand there that a kernel wrote: indices outside of all buffers are zeros.
        draw.indexBytes = found_.roomAt(command.addresses[0]);
        draw.indices = reinterpret_cast<const std::uint8_t*>(command.addresses[0]);
        if (draw.indexBytes == 0) refuse("command ", at_, " has its indices in no buffer");
    }

    void takeState(const RenderCommand& command, Draw& draw) const {
        using namespace metal_executor::render;
        const auto has = [&](RenderCommand::State bit) { return (command.states & bit) != 0; };
        if (has(RenderCommand::hasCull)) draw.raster.cull = static_cast<Cull>(std::min(command.cullMode, 2u));
        if (has(RenderCommand::hasWinding))
            draw.raster.frontWinding = static_cast<metal_executor::render::Winding>(std::min(command.winding, 1u));
        if (has(RenderCommand::hasFill)) draw.raster.fill = static_cast<FillMode>(std::min(command.fillMode, 1u));
        if (has(RenderCommand::hasClip)) draw.raster.depthClip = static_cast<DepthClip>(std::min(command.clipMode, 1u));
        if (has(RenderCommand::hasBias)) {
            draw.raster.depthBias = command.depthBias[0];
            draw.raster.depthSlopeScale = command.depthBias[1];
            draw.raster.depthBiasClamp = command.depthBias[2];
        }
        if (command.depthStencilState == 0) return;
        const auto state = DepthStencilObject::find(command.depthStencilState);
        if (!state) refuse("command ", at_, " has a depth-stencil state that is gone");
        if (const std::string mistake = depthStencilMistake(state->state, targets_); !mistake.empty())
            refuse("command ", at_, ": ", mistake);
        const auto before = draw.depthStencil;
        draw.depthStencil = state->state;
        draw.depthStencil.front.reference = before.front.reference;
        draw.depthStencil.back.reference = before.back.reference;
        draw.depthStencil.visibility = before.visibility;
        draw.depthStencil.visible = before.visible;
    }

    Bound bound(const RenderCommand& command, bool isVertex, std::uint64_t index) const {
        if (commands_->values.inheritBuffers) {
            const auto& buffers = isVertex ? inherited_.vertexBuffers : inherited_.fragmentBuffers;
            if (index >= buffers.size()) return {};
            return {reinterpret_cast<std::uint64_t>(buffers[index].bytes), buffers[index].stride,
                    buffers[index].length};
        }
        const CommandFacts& facts = commands_->facts;
        if (index >= (isVertex ? facts.firstCount : facts.secondCount)) return {};
        const auto* all = reinterpret_cast<const BoundBuffer*>(&command + 1) + (isVertex ? 0 : facts.firstCount);
        // A kernel may have written the address: nobody knows how far it goes.
        return {all[index].address, all[index].stride, INT64_MAX};
    }

    void* const* fill(const StageCode& code, const RenderCommand& command, bool isVertex) {
        slots_.push_back(std::make_unique<void*[]>(std::max<std::size_t>(code.slotCount, 1)));
        void** slots = slots_.back().get();
        const char* name = isVertex ? "Vertex Function(" : "Fragment Function(";
        for (const PipelineFunction::Argument& argument : code.arguments) {
            if (!code.firstKernel()->readsSlot(argument.facts->slot)) continue;
            const Bound buffer = bound(command, isVertex, argument.facts->index);
            if (buffer.address == 0) {
                refuse("command ", at_, ": ", name, code.function->name(), "): missing Buffer binding at index ",
                       argument.facts->index, " for ", argument.facts->name, "[0].");
            }
            if (buffer.length < argument.typeSize) {
                refuse("command ", at_, ": ", name, code.function->name(), "): argument ", argument.facts->name,
                       "[0] from Buffer(", argument.facts->index, ") has space for ", buffer.length,
                       " bytes, but argument has a length(", argument.typeSize, ").");
            }
            slots[argument.facts->slot] = reinterpret_cast<void*>(buffer.address);
        }
        return slots;
    }

    void takeAttributes(const RenderPipelineObject& pipeline, const RenderCommand& command, Draw& draw) {
        if (pipeline.vertexInput.parts.empty()) return;
        auto fetches = std::make_shared<std::vector<metal_executor::render::VertexFetch>>();
        for (const VertexInput::Part& part : pipeline.vertexInput.parts) {
            Bound buffer = bound(command, true, part.buffer);
            // The processor fetches: it must not read at any address that a kernel wrote.
            if (!commands_->values.inheritBuffers) buffer.length = found_.roomAt(buffer.address);
            if (buffer.address == 0 || buffer.length == 0) {
                refuse("command ", at_, ": attribute ", part.facts->name, " [[attribute(", part.facts->index,
                       ")]] is fetched from Buffer(", part.buffer, "), where none is set");
            }
            metal_executor::render::VertexFetch fetch = part.fetch;
            const std::uint64_t offset = std::min<std::uint64_t>(part.offset, buffer.length);
            fetch.attribute.data = reinterpret_cast<const std::uint8_t*>(buffer.address) + offset;
            fetch.attribute.bytes = buffer.length - offset;
            if (part.isStrideDynamic) fetch.attribute.stride = buffer.stride;
            fetches->push_back(fetch);
        }
        draw.attributes = std::move(fetches);
    }

    const IndirectBufferObject* commands_;
    const CommandRange range_;
    const InheritedDraw inherited_;
    const PassTargets targets_;
    std::vector<std::unique_ptr<void*[]>> slots_;  // of all draws: they may run together
    FoundBuffers found_;                           // the same
    std::uint64_t at_ = 0, end_ = 0;
    bool hasBegun_ = false;
    std::vector<std::uint64_t> read_;  // the command that is made a draw
};

}  // namespace

metal_executor::render::GenerateDraws drawing(const IndirectBufferObject* commands, CommandRange range,
                                              InheritedDraw inherited, const PassTargets& targets) {
    auto execution = std::make_shared<DrawExecution>(commands, range, std::move(inherited), targets);
    return {[execution](Draw& draw) { return execution->next(draw); }};
}

}  // namespace metal_objects
