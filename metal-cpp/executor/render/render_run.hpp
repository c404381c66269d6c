// SPDX-License-Identifier: MIT
//
// A render pass while it runs. In rounds: the threads run vertex functions and make primitives, chunk by chunk; then
// they draw, tile by tile, each tile's primitives in order. Between these one thread leads alone.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../fault.hpp"
#include "../shared_work.hpp"
#include "../stoppable.hpp"
#include "draw.hpp"
#include "fragment_stage.hpp"
#include "planning.hpp"
#include "setup.hpp"

namespace metal_executor {
class Pool;
}

namespace metal_executor::render {

class RenderRun final : public SharedWork, public Stoppable {
public:
    /// As DispatchRun: `owner` is what other threads name to take part or to interrupt it. `log` may be null. All must
    /// outlive this.
    RenderRun(const RenderPass& pass, Pool& pool, const void* owner, const std::atomic<bool>& stopRequested,
              metal_log* log);
    ~RenderRun();

    enum class Step : std::uint8_t { ended, left };
    /// For the thread that runs the stream. Returns when the pass has ended or failed, or when another stream waits for
    /// a thread after `turnEnds` (nanoseconds()); then any thread may lead it on. What generators of draws throw is
    /// passed on.
    Step lead(std::int64_t turnEnds, Fault& fault);

    bool hasWork() const override { return next_.load() < parts_.load() && !isFull_.load() && !shouldStop(); }
    void assist() override;

    /// Whether any function of the pass may write messages.
    static bool usesLog(const RenderPass& pass);

private:
    enum class Phase : std::uint8_t { planning, geometry, tiles, ended };

    void enter(Phase phase, std::size_t parts);
    bool leadPhase(std::int64_t turnEnds);
    bool runPart(std::uint32_t part);
    void tellWhere(std::uint32_t part, Fault& fault) const;
    bool runChunk(ThreadState& state, Chunk& chunk);
    bool runTile(std::uint32_t tile);
    void beginRound();
    void takeTargets();
    void gatherTiles();
    void tellStages();
    void keepMemoryless();

    const RenderPass& pass_;
    Pool& pool_;
    PassFacts facts_;
    PassTargets targets_;  // of this round
    TileGrid grid_;
    Planner planner_;
    Phase phase_ = Phase::planning;
    std::uint32_t round_ = 0;
    bool isOpen_ = false;  // others may take part
    std::int64_t phaseStart_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> memoryless_;  // contents of such attachments between rounds
    bool isMemorylessKept_ = false;
    PassTargets kept_;  // pass_.targets with that memory

    // Slices of all chunks, by tile, in order: tile t's are tileSlices_[tileStarts_[t] ... tileStarts_[t + 1] - 1].
    struct ChunkSlice {
        const Chunk* chunk;
        std::uint32_t first, count;
    };
    std::vector<ChunkSlice> tileSlices_;
    std::vector<std::uint32_t> tileStarts_;
    std::vector<std::uint32_t> tileOrder_;  // those that must be run

    // Parts are begun in order, and those that are begun are run.
    std::atomic<std::uint32_t> next_ = 0, parts_ = 0;
    std::atomic<std::uint64_t> touches_ = 0;
    std::atomic<bool> isFull_ = false;  // the round: no more chunks are begun
};

}  // namespace metal_executor::render
