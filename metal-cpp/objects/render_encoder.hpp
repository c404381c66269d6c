// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "argument_table.hpp"
#include "capture_record.hpp"
#include "debug_draw.hpp"
#include "encoder.hpp"
#include "indirect_commands.hpp"
#include "pass_targets.hpp"
#include "render_pipeline.hpp"
#include "render_state.hpp"

namespace metal_objects {

class CommandWatch;
struct InheritedDraw;

/// What one encoder draws.
struct DrawList {
    std::vector<metal_executor::render::PassItem> items;
    std::vector<NS::UInteger> visibilityOffsets;

    /// For a capture: entries, one behind the other, with what they touch. Null where there is no capture.
    std::unique_ptr<CommandRecord> record;
    std::size_t entryCount = 0;
    /// Of indirect command buffers, whose commands show when the pass begins.
    struct Execution {
        std::size_t entry;
        NS::SharedPtr<IndirectBufferObject> commands;
        CommandRange range;
        NS::SharedPtr<RenderPipelineObject> inherited;
    };
    std::vector<Execution> executions;

    /// For the debug layer, which looks at them when the pass begins.
    std::vector<WatchedIndices> watchedIndices;
};

/// A pass while it is encoded, by one encoder or by several.
class PassInProgress {
public:
    explicit PassInProgress(CommandBufferObject* commandBuffer) : commandBuffer_(commandBuffer) {}

    /// Empty, or what is wrong with the descriptor.
    std::string begin(const RenderPassValues& descriptor);

    /// The pass draws what lists hold in the order in which they were made.
    std::shared_ptr<DrawList> addList();

    /// Hands the pass over; empty, or what is missing still.
    std::string end();

    PassTargets targets;
    /// Called when the pass runs: where its last vertex function has ended, and before its first fragment function.
    std::vector<std::function<void()>> verticesEnd, fragmentsBegin;

private:
    void clearVisibility();
    void watchIndices();
    void record();

    CommandBufferObject* const commandBuffer_;  // its encoder's
    std::vector<std::shared_ptr<DrawList>> lists_;
};

class RenderEncoderObject final : public Implements<MTL::RenderCommandEncoder>, public EncoderPart {
public:
    /// `isPart`: of a parallel encoder, which ends the pass.
    RenderEncoderObject(CommandBufferObject* commandBuffer, std::shared_ptr<PassInProgress> pass, bool isPart);

    void setPipeline(const RenderPipelineObject* pipeline);

    struct Indices {
        const BufferObject* buffer = nullptr;
        NS::UInteger offset = 0;
        MTL::IndexType type = MTL::IndexTypeUInt16;
    };
    struct Range {
        NS::UInteger start = 0, count = 0, instanceCount = 1;
        NS::Integer baseVertex = 0;
        NS::UInteger baseInstance = 0;
    };
    void draw(MTL::PrimitiveType type, const Range& range);
    void drawIndexed(MTL::PrimitiveType type, const Indices& indices, const Range& range);
    void drawIndirect(MTL::PrimitiveType type, const Indices* indices, const BufferObject* buffer, NS::UInteger offset);

    void executeCommands(const IndirectBufferObject* commands, NS::Range range);
    void executeCommands(const IndirectBufferObject* commands, const BufferObject* ranges, NS::UInteger offset);

    void barrier(const char* call, MTL::BarrierScope scope);
    void barrier(const MTL::Resource* const resources[], NS::UInteger count);
    void update(const MTL::Fence* fence);
    void wait(const MTL::Fence* fence);
    /// Takes a sample when the draws before have ended, and before those behind it begin.
    void sample(const CounterBufferObject* buffer, NS::UInteger index);
    void useResource(const MTL::Resource* resource, MTL::ResourceUsage usage);
    void useHeap(const MTL::Heap* heap);

    PassTargets& targets() const { return pass_->targets; }

    ArgumentTable vertexTable, fragmentTable;
    RenderState state;

protected:
    bool finish() override;
    bool recordsGroups() const override { return false; }
    void recordSignpost(const std::string& text) override;

private:
    using Draw = metal_executor::render::Draw;

    /// Arguments as they were filled last, as long as nothing else is bound.
    struct Filled {
        const StageCode* code = nullptr;
        std::uint64_t changes = 0;
        void* const* arguments = nullptr;
    };

    // Each gives false, having noted the mistake, when the draw cannot be.
    bool prepare(const char* call, MTL::PrimitiveType type);
    bool takeIndices(const char* call, const Indices& indices, Draw& draw);
    bool fillArguments(const StageCode& code, const ArgumentTable& table, Filled& filled);
    bool fillAttributes(Draw& draw);

    std::string attributeMistake(const VertexInput::Part& part, const Draw& draw) const;
    /// What is executed may draw; says so, and false, where it may not.
    bool mayExecute(const IndirectBufferObject* commands);
    InheritedDraw inherited();

    void takeCode(Draw& draw);
    std::string labelOfDraws() const;
    void append(MTL::PrimitiveType type, Draw& draw, const Indices* indices = nullptr,
                const BufferObject* indirect = nullptr, NS::UInteger offset = 0);

    // For a capture; in capture_render.cpp.
    void beginEntry(const char* kind);
    void recordDraw(const Draw& draw, const Indices* indices, const BufferObject* indirect, NS::UInteger offset);
    void recordBindings(const char* name, const StageCode& code, const ArgumentTable& table);
    void recordAttributes();
    void recordUse(const MTL::Resource* resource, MTL::ResourceUsage usage);
    void recordExecution(const IndirectBufferObject* commands, CommandRange range, const BufferObject* ranges = nullptr,
                         NS::UInteger offset = 0);

    // For the debug layer; in debug_draw.cpp and debug_execution.cpp.
    std::string nameOfDraw() const;
    void watchDraw(const Draw& draw, const Indices* indices, const BufferObject* indirect, NS::UInteger offset);
    void watchState(CommandWatch& watch, const std::string& name, const metal_executor::render::RasterState& raster);
    void watchIndices(const CommandWatch& watch, const std::string& name, const Draw& draw, const Indices& indices);
    void watchExecution(const IndirectBufferObject* commands, CommandRange range);

    const std::shared_ptr<PassInProgress> pass_;
    const std::shared_ptr<DrawList> list_;
    const RenderPipelineObject* pipeline_ = nullptr;
    Filled vertexFilled_, fragmentFilled_;
    const void* watchedViewports_ = nullptr;
    const RenderPipelineObject* fetchedBy_ = nullptr;  // whose attributes these are
    std::uint64_t fetchedChanges_ = 0;
    std::shared_ptr<const std::vector<metal_executor::render::VertexFetch>> attributes_;
};

}  // namespace metal_objects
