// SPDX-License-Identifier: MIT

#include "pipeline_facts.hpp"

#include <algorithm>
#include <iterator>

namespace metal_executor::render {
namespace {

bool isSampled(Interpolation interpolation) {
    return interpolation == Interpolation::samplePerspective || interpolation == Interpolation::sampleNoPerspective;
}

bool isCentroid(Interpolation interpolation) {
    return interpolation == Interpolation::centroidPerspective || interpolation == Interpolation::centroidNoPerspective;
}

void noteVertexOutputs(PipelineFacts& facts, const StageFunction& vertex) {
    facts.clipping.assign(vertex.outputColumns, ColumnClipping::copied);
    facts.isRead.assign(vertex.outputColumns, false);
    for (const StageColumnValue& value : vertex.outputs) {
        std::uint32_t* place = nullptr;
        switch (value.kind) {
            case StageKind::position:
                place = &facts.position;
                break;
            case StageKind::pointSize:
                place = &facts.pointSize;
                break;
            case StageKind::renderTargetArrayIndex:
                place = &facts.layer;
                break;
            case StageKind::viewportArrayIndex:
                place = &facts.viewport;
                break;
            case StageKind::clipDistance:
                place = &facts.clipDistance;
                facts.clipDistanceCount = value.columnCount;
                break;
            default:
                continue;
        }
        *place = value.column;
        std::fill_n(facts.isRead.begin() + value.column, value.columnCount, true);
    }
}

void noteFragmentInputs(PipelineFacts& facts, const StageFunction& fragment, std::uint32_t sampleCount) {
    for (const StageColumnValue& value : fragment.inputs) {
        const bool isInterpolated = value.kind == StageKind::varying || value.kind == StageKind::barycentricCoord ||
                                    value.kind == StageKind::position;
        if (value.kind == StageKind::sampleId || (isInterpolated && isSampled(value.interpolation)))
            facts.isPerSample = true;
        if (value.kind == StageKind::color) facts.readsColors = true;
        if (value.kind == StageKind::barycentricCoord) facts.wantsBarycentrics = true;
        if (isInterpolated && isCentroid(value.interpolation) && sampleCount > 1) facts.wantsCentroid = true;
        if (value.kind == StageKind::position) facts.wantsInverseW = true;
        if (!isInterpolated || value.kind == StageKind::position) continue;
        if (value.interpolation != Interpolation::flat)
            (hasPerspective(value.interpolation) ? facts.wantsPerspective : facts.wantsLinear) = true;
        if (value.kind != StageKind::varying || value.source == StageColumnValue::noSource) continue;
        const std::uint32_t count = value.sourceCount();
        if (std::uint64_t{value.source} + count > facts.isRead.size()) continue;
        std::fill_n(facts.isRead.begin() + value.source, count, true);
        const bool isFlat = value.interpolation == Interpolation::flat || value.type != StageColumnType::float32;
        std::fill_n(facts.clipping.begin() + value.source, count,
                    isFlat                                ? ColumnClipping::copied
                    : hasPerspective(value.interpolation) ? ColumnClipping::inClipSpace
                                                          : ColumnClipping::inWindow);
    }
    if (facts.readsColors) facts.isPerSample = true;
    if (sampleCount == 1) facts.isPerSample = false;
}

void noteFragmentOutputs(PipelineFacts& facts, const StageFunction& fragment) {
    for (const StageColumnValue& value : fragment.outputs) {
        if (value.kind == StageKind::depth) facts.depth = value.column;
        if (value.kind == StageKind::stencil) facts.stencil = value.column;
        if (value.kind != StageKind::color || value.index >= maxColors) continue;
        auto& columns = value.sourceIndex == 0 ? facts.colors[value.index] : facts.secondColors[value.index];
        for (std::uint32_t i = 0; i < std::min(value.columnCount, 4u); ++i) columns[i] = value.column + i;
        facts.writtenColors |= 1u << value.index;
    }
}

}  // namespace

PipelineFacts::PipelineFacts(const RenderPipeline& pipeline, std::uint32_t sampleCount) {
    for (auto* all : {&colors, &secondColors}) {
        for (auto& columns : *all) std::fill(std::begin(columns), std::end(columns), none);
    }
    noteVertexOutputs(*this, pipeline.vertex);
    hasFragment = pipeline.fragment.kernel != nullptr;
    if (!hasFragment) return;
    noteFragmentInputs(*this, pipeline.fragment, sampleCount);
    noteFragmentOutputs(*this, pipeline.fragment);
    const std::uint32_t uses = pipeline.fragment.kernel->info().fragment_uses;
    const bool changesTests = (uses & (metal_fragment_discards | metal_fragment_writes_memory)) != 0 || depth != none ||
                              stencil != none || pipeline.alphaToCoverage;
    testsEarly = pipeline.fragment.earlyFragmentTests || !changesTests;
}

}  // namespace metal_executor::render
