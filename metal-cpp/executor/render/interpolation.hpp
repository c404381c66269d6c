// SPDX-License-Identifier: MIT
//
// Values between a primitive's vertices. A place in a primitive is said by two weights: value = v0 + b1 (v1 - v0) +
// b2 (v2 - v0). What is the same at all vertices stays exactly that. Weights are found from integers, so they do not
// depend on the tile or the batch that a pixel is in.

#pragma once

#include <cstdint>
#include <vector>

#include "chunk.hpp"
#include "edges.hpp"
#include "primitive.hpp"
#include "targets.hpp"

namespace metal_executor::render {

/// Quads of one primitive that follow one another in a batch.
struct Run {
    const Chunk* chunk;
    const Primitive* primitive;
    std::uint32_t first, count;  // quads
};

/// How weights change over the window: at (x, y) subpixels from the first vertex they are x * alongX + y * alongY.
struct WeightPlanes {
    explicit WeightPlanes(const Primitive& primitive);
    double alongX[2] = {0, 0}, alongY[2] = {0, 0};
};

/// One row for each weight.
struct alignas(64) Weights {
    float first[maxBatch], second[maxBatch];
};

/// Where in its pixel an invocation's values are taken.
struct Places {
    const SampleGrid* samples = nullptr;
    /// Of all invocations: at this place, in subpixels.
    std::int32_t x = subpixels / 2, y = subpixels / 2;
    /// Not null: in the middle when all samples are covered, or none, else at the first that is.
    const std::uint32_t* coverage = nullptr;

    std::uint32_t of(std::uint32_t invocation) const;  // number of the sample; samples->count: the middle
};

/// `originX`, `originY`: of the tile, whose pixels batch.x and y count. `perspective` and `inverseW` (1 / w, a row)
/// may be null.
void findWeights(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                 const Places& places, Weights* linear, Weights* perspective, float* inverseW);

/// Depths of one sample of each invocation: biased, and clamped to the viewport's range.
void findDepths(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                std::int32_t sampleX, std::int32_t sampleY, float* depths);

/// One column of the vertex function, in between.
void interpolate(const std::vector<Run>& runs, const Weights& weights, std::uint32_t column, float* to);

/// One column of the first vertex.
void takeFlat(const std::vector<Run>& runs, std::uint32_t column, std::uint32_t* to);

/// [[barycentric_coord]], component 0 to 2.
void findBarycentrics(const std::vector<Run>& runs, const Weights& weights, unsigned component, float* to);

/// The columns of an interpolant: values in the pixels' middles (with perspective divided by w), then their differences
/// along x and along y; with perspective the same of 1 / w.
void fillInterpolant(const QuadBatch& batch, const std::vector<Run>& runs, std::int32_t originX, std::int32_t originY,
                     const StageColumnValue& value, float* const* columns);

}  // namespace metal_executor::render
