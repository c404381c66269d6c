// SPDX-License-Identifier: MIT
//
// What the stages ask about a pipeline again and again, looked up once a pass.

#pragma once

#include <cstdint>
#include <vector>

#include "draw.hpp"

namespace metal_executor::render {

/// How a column of a vertex that clipping makes comes from those of the edge's ends.
enum class ColumnClipping : std::uint8_t { copied, inClipSpace, inWindow };

struct PipelineFacts {
    static constexpr std::uint32_t none = UINT32_MAX;

    PipelineFacts(const RenderPipeline& pipeline, std::uint32_t sampleCount);

    // Columns of the vertex function's outputs.
    std::uint32_t position = none, pointSize = none, layer = none, viewport = none;
    std::uint32_t clipDistance = none, clipDistanceCount = 0;
    std::vector<ColumnClipping> clipping;  // of each of them
    std::vector<bool> isRead;              // by the rasteriser or the fragment function

    // Columns of the fragment function's outputs.
    std::uint32_t depth = none, stencil = none;
    std::uint32_t colors[maxColors][4], secondColors[maxColors][4];
    std::uint32_t writtenColors = 0;  // a bit for each

    bool hasFragment = false;
    bool testsEarly = true;
    bool isPerSample = false;  // the function runs for each covered sample
    bool readsColors = false;  // [[color(n)]] inputs
    bool wantsBarycentrics = false;
    bool wantsCentroid = false;
    bool wantsPerspective = false;  // anything is interpolated with perspective
    bool wantsLinear = false;       // anything is interpolated without
    bool wantsInverseW = false;     // [[position]] is an input
};

}  // namespace metal_executor::render
