// SPDX-License-Identifier: MIT

#include "vertex_stage.hpp"

#include <algorithm>

#include "../kernel_call.hpp"

namespace metal_executor::render {

bool VertexStage::run(ThreadState& state, Chunk& chunk, const Assembly& assembly, metal_log* log) {
    const PlannedDraw& plan = *chunk.plan;
    const StageFunction& function = plan.draw->pipeline->vertex;
    const auto count = static_cast<std::uint32_t>(assembly.vertexIds.size());
    const std::size_t stride = (std::size_t{count} + 15) / 16 * 16 + 16;

    const std::size_t size = stride * function.inputColumns;
    if (values_.size() < size) values_.resize(size);
    inputs_.resize(std::max(function.inputColumns, 1u));
    for (std::uint32_t i = 0; i < function.inputColumns; ++i) inputs_[i] = values_.data() + stride * i;
    std::fill_n(values_.begin(), size, 0);
    for (const StageColumnValue& value : function.inputs) fillInput(value, plan, assembly);
    if (plan.draw->attributes) {
        for (const VertexFetch& from : *plan.draw->attributes) fetch(from, plan, assembly);
    }

    chunk.vertexCount = 0;
    chunk.stride = 0;
    chunk.columnCount = function.outputColumns + (plan.facts->wantsBarycentrics ? 3 : 0);
    chunk.reserve(count);
    chunk.vertexCount = count;
    if (unread_.size() < count) unread_.resize(count);
    outputs_.resize(std::max(function.outputColumns, 1u));
    for (std::uint32_t i = 0; i < function.outputColumns; ++i)
        outputs_[i] = plan.facts->isRead[i] ? chunk.column(i) : unread_.data();

    metal_stage stage{};
    stage.inputs = inputs_.data();
    stage.outputs = outputs_.data();
    metal_launch launch{};
    launch.arguments = plan.draw->vertexArguments;
    launch.stage = &stage;
    launch.log = log;
    return callKernel(state, *function.kernel, launch, count);
}

void VertexStage::fillInput(const StageColumnValue& value, const PlannedDraw& plan, const Assembly& assembly) {
    if (value.columnCount == 0) return;
    const std::size_t count = assembly.vertexIds.size();
    auto* to = static_cast<std::uint32_t*>(inputs_[value.column]);
    switch (value.kind) {
        case StageKind::vertexId:
            std::copy_n(assembly.vertexIds.data(), count, to);
            break;
        case StageKind::instanceId:
            for (std::size_t i = 0; i < count; ++i) to[i] = plan.range.baseInstance + assembly.instanceIds[i];
            break;
        case StageKind::baseVertex:
            std::fill_n(to, count,
                        plan.draw->indices ? static_cast<std::uint32_t>(plan.range.baseVertex) : plan.range.start);
            break;
        case StageKind::baseInstance:
            std::fill_n(to, count, plan.range.baseInstance);
            break;
        case StageKind::amplificationCount:
            std::fill_n(to, count, 1);
            break;
        default:
            break;  // zeros
    }
}

void VertexStage::fetch(const VertexFetch& from, const PlannedDraw& plan, const Assembly& assembly) {
    const std::size_t count = assembly.vertexIds.size();
    elements_.resize(count);
    switch (from.step) {
        case VertexStep::constant:
            std::fill_n(elements_.begin(), count, 0);
            break;
        case VertexStep::perVertex:
            for (std::size_t i = 0; i < count; ++i) elements_[i] = assembly.vertexIds[i];
            break;
        case VertexStep::perInstance:
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint32_t instance = from.rate == 0 ? 0 : assembly.instanceIds[i] / from.rate;
                elements_[i] = std::uint64_t{plan.range.baseInstance} + instance;
            }
            break;
    }
    fetchAttribute(from.attribute, elements_.data(), count, inputs_.data(), 0);
}

}  // namespace metal_executor::render
