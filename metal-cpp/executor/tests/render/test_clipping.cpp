// SPDX-License-Identifier: MIT
//
// What is left of triangles that are cut at planes which rounding can hardly tell apart.

#include "../../render/clipping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "../check.hpp"

using namespace metal_executor::render;

namespace {

constexpr unsigned distanceCount = 8, columns = 4 + distanceCount;

StageColumnValue output(StageKind kind, std::uint32_t column, std::uint32_t count) {
    StageColumnValue made;
    made.kind = kind;
    made.column = column;
    made.columnCount = count;
    return made;
}

RenderPipeline pipelineWithDistances() {
    RenderPipeline made;
    made.vertex.outputs = {output(StageKind::position, 0, 4), output(StageKind::clipDistance, 4, distanceCount)};
    made.vertex.outputColumns = columns;
    return made;
}

using Corner = std::array<double, 2>;

double areaOf(const std::vector<Corner>& polygon) {
    double sum = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return std::abs(sum) / 2;
}

/// Of the part of a triangle where a number that is linear on it is positive.
double areaInside(const std::array<Corner, 3>& corners, const std::array<double, 3>& numbers) {
    std::vector<Corner> left;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t next = (i + 1) % 3;
        if (numbers[i] >= 0) left.push_back(corners[i]);
        if ((numbers[i] < 0) == (numbers[next] < 0)) continue;
        const double t = numbers[i] / (numbers[i] - numbers[next]);
        left.push_back({corners[i][0] + (corners[next][0] - corners[i][0]) * t,
                        corners[i][1] + (corners[next][1] - corners[i][1]) * t});
    }
    return areaOf(left);
}

}  // namespace

TEST(planes_that_nearly_coincide_cut_as_one) {
    const RenderPipeline pipeline = pipelineWithDistances();
    const PipelineFacts facts(pipeline, 1);
    const Draw draw;
    PlannedDraw plan;
    plan.draw = &draw;
    plan.facts = &facts;
    ViewportFacts viewport;
    viewport.guardX[0] = viewport.guardY[0] = -100;
    viewport.guardX[1] = viewport.guardY[1] = 100;
    std::mt19937 random(11);
    std::uniform_real_distribution<float> number(-1, 1);
    for (int round = 0; round < 20000; ++round) {
        Chunk chunk;
        chunk.plan = &plan;
        chunk.columnCount = columns;
        chunk.reserve(3);
        chunk.vertexCount = 3;
        std::array<Corner, 3> corners;
        std::array<double, 3> distances;
        for (std::uint32_t i = 0; i < 3; ++i) {
            const float at[4] = {number(random), number(random), 0.5f, 1};
            for (std::uint32_t k = 0; k < 4; ++k) chunk.reals(k)[i] = at[k];
            const float distance = number(random);
            corners[i] = {at[0], at[1]};
            distances[i] = distance;
            for (std::uint32_t k = 0; k < distanceCount; ++k) {
                const auto steps = static_cast<float>(static_cast<int>(random() % 5) - 2);
                chunk.reals(4 + k)[i] = distance + (round % 2 ? steps * 0x1p-24f : 0);
            }
        }
        std::uint32_t codes = 0;
        for (std::uint32_t i = 0; i < 3; ++i) codes |= codeOf(chunk, viewport, i);
        ClippedPolygon polygon;
        clipTriangle(chunk, viewport, codes & mustClip, {0, 1, 2}, polygon);
        REQUIRE(polygon.count <= ClippedPolygon::most);
        std::vector<Corner> left;
        for (unsigned i = 0; i < polygon.count; ++i)
            left.push_back({chunk.reals(0)[polygon.vertex[i]], chunk.reals(1)[polygon.vertex[i]]});
        CHECK(std::abs(areaOf(left) - areaInside(corners, distances)) < 1e-4);
    }
}

TEST(a_line_whose_end_is_at_no_distance_is_left_out) {
    const RenderPipeline pipeline = pipelineWithDistances();
    const PipelineFacts facts(pipeline, 1);
    const Draw draw;
    PlannedDraw plan;
    plan.draw = &draw;
    plan.facts = &facts;
    Chunk chunk;
    chunk.plan = &plan;
    chunk.columnCount = columns;
    chunk.reserve(2);
    chunk.vertexCount = 2;
    for (std::uint32_t k = 0; k < columns; ++k) chunk.reals(k)[0] = chunk.reals(k)[1] = 0.5f;
    chunk.reals(4)[1] = NAN;
    const ViewportFacts viewport;
    std::uint32_t ends[2] = {0, 1};
    CHECK(!clipLine(chunk, viewport, outsideUser, ends));
    chunk.reals(4)[1] = -0.5f;
    CHECK(clipLine(chunk, viewport, outsideUser, ends));
    CHECK_EQUAL(chunk.reals(4)[ends[1]], 0.0f);
}

int main(int count, char** arguments) {
    return check::main(count, arguments);
}
