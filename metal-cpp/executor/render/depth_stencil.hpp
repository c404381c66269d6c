// SPDX-License-Identifier: MIT
//
// The tests of depth and stencil on columns.

#pragma once

#include <cstdint>

#include "tile_places.hpp"

namespace metal_executor::render {

/// What a column of depths counts: numbers, or 1 / ones of them for formats of integers, so that comparing columns is
/// comparing what is stored.
class DepthUnits {
public:
    DepthUnits() = default;
    explicit DepthUnits(std::uint32_t format);

    bool areFloat() const { return ones_ == 0; }
    float of(double depth) const;
    /// Columns of depths in these units.
    void convert(const float* from, float* to, std::size_t count) const;

private:
    double ones_ = 0;
};

/// One sample's columns of a tile; null where there is no such attachment.
struct DepthStencilColumns {
    float* depth = nullptr;
    std::uint32_t* stencil = nullptr;
};

/// What a run of quads is tested with: columns of the run's invocations.
struct TestInputs {
    const float* depth;              // in the target's units
    const std::uint32_t* reference;  // [[stencil]], or null
    const std::uint8_t* isBack;      // of each quad
};

struct alignas(64) TestScratch {
    std::uint32_t active[maxBatch], depthPassed[maxBatch], stencilPassed[maxBatch], faceActive[maxBatch];
    std::uint32_t passed[maxBatch], stencils[maxBatch], references[maxBatch], gathered[maxBatch];
};

/// Whether nothing fails and nothing changes.
bool passesAll(const DepthStencilState& state);

/// Tests one sample of a run whose invocations' coverage begins at `coverage`: clears bit `sample` where a test fails.
/// How many are left.
std::uint64_t testSample(const TilePlaces& places, const TilePlaces::Run& run, const DepthStencilState& state,
                         const DepthStencilColumns& columns, const TestInputs& inputs, unsigned sample,
                         std::uint32_t* coverage, TestScratch& scratch);

}  // namespace metal_executor::render
