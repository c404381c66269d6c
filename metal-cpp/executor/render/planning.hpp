// SPDX-License-Identifier: MIT
//
// Cuts the draws of a pass into chunks for threads, and the chunks into rounds: all vertices of a round are run before
// its tiles are drawn, so a round holds what memory there should be for it. How many tiles its primitives touch shows
// only then: chunks that are too many are postponed.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "chunk.hpp"

namespace metal_executor::render {

class Planner {
public:
    /// `threads` that share the work.
    Planner(const RenderPass& pass, unsigned threads);

    /// The next chunks. What plan() gave before is not used any more. False when there is nothing left to draw.
    /// What a generator throws is passed on.
    bool plan();
    /// Only the first `done` chunks are drawn in this round; the others are the next one's.
    void postpone(std::size_t done);

    /// Chunks of this round, in the order in which they are drawn: the first `count` are valid.
    std::vector<std::unique_ptr<Chunk>> chunks;
    std::size_t count = 0;
    /// Whether this round is the pass' last.
    bool isLast() const { return isOver_ && postponed_ == 0; }

private:
    const Draw* nextDraw();
    bool isMoreBehind();
    void begin(const Draw& draw);
    bool addChunk(std::uint64_t& bytes);
    void advanceStrip(const PlannedDraw& plan, std::uint32_t from, std::uint32_t to);
    const PipelineFacts& factsOf(const RenderPipeline& pipeline);

    const RenderPass& pass_;
    const unsigned threads_;
    std::size_t item_ = 0;
    std::size_t postponed_ = 0;  // chunks behind the first `count`
    bool isBarrier_ = false, isOver_ = false;
    const Draw* waiting_ = nullptr;  // the next draw, known but not begun
    const Draw* held_ = nullptr;     // a generated draw that is behind a barrier

    std::map<const RenderPipeline*, std::unique_ptr<PipelineFacts>> facts_;
    std::deque<PlannedDraw> draws_;
    std::deque<Draw> generated_;

    // How far the last of draws_ is planned.
    struct Progress {
        PlannedDraw* plan = nullptr;
        std::uint32_t positions = 0;  // where primitives may begin, of each instance
        std::uint32_t atATime = 0;
        std::uint32_t instance = 0, position = 0;
        // Of an indexed strip: where the strip begins that `position` is in, and how many primitives begin before it.
        std::uint32_t stripStart = 0, primitives = 0;
        std::uint32_t scanned = 0, unbroken = 0;  // indices looked at; since the last restart
    };
    std::optional<Progress> progress_;
};

}  // namespace metal_executor::render
