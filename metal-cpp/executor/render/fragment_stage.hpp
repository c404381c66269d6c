// SPDX-License-Identifier: MIT
//
// One tile while its primitives are drawn: gathers quads into batches, tests them, runs the fragment function over them
// and hands its outputs to the targets. Of one thread; its memory is used again.

#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "chunk.hpp"
#include "interpolation.hpp"
#include "rasterize.hpp"
#include "targets.hpp"

namespace metal_executor {
struct ThreadState;
}

namespace metal_executor::render {

/// What is the same for all tiles of a pass.
struct PassFacts {
    const PassTargets* targets = nullptr;
    SampleGrid samples;
    const float* samplePositions = nullptr;
    metal_log* log = nullptr;
};

class FragmentStage final : private QuadTaker {
public:
    explicit FragmentStage(ThreadState& state) : state_(state) {}

    /// False when there is no memory.
    [[nodiscard]] bool begin(const PassFacts& pass, const PixelRect& tile, std::uint32_t layer);
    /// Primitives come in the order in which they are drawn. False when the fragment function was left early or should
    /// stop (callKernel()); then the tile is to be abandoned.
    [[nodiscard]] bool draw(const Chunk& chunk, const std::uint32_t* primitives, std::uint32_t count);
    [[nodiscard]] bool end();
    /// What was drawn last; null: nothing in this tile.
    const PlannedDraw* plan() const { return plan_; }

private:
    struct Outputs {
        ColorOutput colors[maxColors];
        const float* depth = nullptr;
        const std::uint32_t* stencil = nullptr;
    };

    void take(std::int32_t x, std::int32_t y, const std::uint32_t (&coverage)[4]) override;
    void takeBlock(const PixelRect& block, std::uint32_t all) override;
    void countQuads(std::uint32_t first, std::uint32_t count);
    bool isSeenBefore(std::uint32_t x, std::uint32_t y);
    void flush();
    void findAllDepths();
    void dropUncovered();
    void shadeSamples();
    void shade(QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample);
    void findAllWeights(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample);
    void fillInputs(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample);
    void fillInput(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample,
                   const StageColumnValue& value);
    void fillVarying(const QuadBatch& batch, const std::vector<Run>& runs, const StageColumnValue& value);
    void fillPosition(const QuadBatch& batch, const std::vector<Run>& runs, const StageColumnValue& value);
    void fillPointCoordinates(const QuadBatch& batch, const std::vector<Run>& runs, const StageColumnValue& value);
    const Weights& weightsFor(Interpolation interpolation) const;
    void layColumns();
    Outputs outputs() const;
    void write(QuadBatch& batch, const Outputs& outputs);

    std::uint32_t* words(std::uint32_t input) const { return static_cast<std::uint32_t*>(inputs_[input]); }
    float* reals(std::uint32_t input) const { return static_cast<float*>(inputs_[input]); }

    ThreadState& state_;
    TileTargets targets_;
    const PassFacts* pass_ = nullptr;
    PixelRect tile_;
    const PlannedDraw* plan_ = nullptr;
    const Chunk* chunk_ = nullptr;
    const Primitive* primitive_ = nullptr;
    bool isStopped_ = false;
    bool needsDepth_ = false;

    QuadBatch batch_;
    std::vector<Run> runs_;
    std::unique_ptr<QuadBatch> sampleBatch_;  // what covers one sample
    std::vector<Run> sampleRuns_;
    std::bitset<maxTileSize / 2 * maxTileSize / 2> seen_;  // quads of the batch, where that matters

    Weights linear_, perspective_, centroidLinear_, centroidPerspective_, sampleLinear_, samplePerspective_;
    alignas(64) float inverseW_[maxBatch];

    // Columns of the function that is drawn with.
    const StageFunction* laid_ = nullptr;
    std::vector<std::uint32_t> values_;
    std::vector<void*> inputs_, outputs_;
};

}  // namespace metal_executor::render
