// SPDX-License-Identifier: MIT

#include "planning.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "assembly.hpp"

namespace metal_executor::render {
namespace {

// Of vertices and primitives in a round. Few passes have more; they cost loading and storing their tiles again.
constexpr std::uint64_t mostBytes = std::uint64_t{96} << 20;
// Places where primitives may begin, in one chunk: enough to make calling the vertex function cheap, few enough that
// what it gives is still in the cache when primitives are made of it.
constexpr std::uint32_t mostPositions = 1536, leastPositions = 192;

std::int32_t toPixel(double edge) {
    return static_cast<std::int32_t>(std::clamp(std::ceil(edge - 0.5), 0.0, 1e6));
}

ViewportFacts factsOf(const Viewport& from, const Scissor* scissor, const PassTargets& targets) {
    ViewportFacts made;
    made.xScale = from.width / 2;
    made.xOffset = from.x + from.width / 2;
    made.yScale = -from.height / 2;
    made.yOffset = from.y + from.height / 2;
    made.zScale = from.farDepth - from.nearDepth;
    made.zOffset = from.nearDepth;
    made.least = static_cast<float>(std::min(from.nearDepth, from.farDepth));
    made.most = static_cast<float>(std::max(from.nearDepth, from.farDepth));
    const double left = std::min(from.x, from.x + from.width), right = std::max(from.x, from.x + from.width);
    const double top = std::min(from.y, from.y + from.height), bottom = std::max(from.y, from.y + from.height);
    made.pixels =
        intersect({toPixel(left), toPixel(top), toPixel(right), toPixel(bottom)},
                  {0, 0, static_cast<std::int32_t>(targets.width), static_cast<std::int32_t>(targets.height)});
    if (scissor) {
        constexpr std::uint64_t far = 1u << 30;
        const auto end = [&](std::uint64_t begin, std::uint64_t size) {
            return static_cast<std::int32_t>(std::min(begin + size, far));
        };
        made.pixels = intersect(made.pixels, {end(scissor->x, 0), end(scissor->y, 0), end(scissor->x, scissor->width),
                                              end(scissor->y, scissor->height)});
    }
    const auto guard = [](double scale, double offset, float (&limits)[2]) {
        const double a = (-guardBand - offset) / scale, b = (guardBand - offset) / scale;
        limits[0] = static_cast<float>(std::min(a, b));
        limits[1] = static_cast<float>(std::max(a, b));
    };
    if (made.xScale != 0 && made.yScale != 0) {
        guard(made.xScale, made.xOffset, made.guardX);
        guard(made.yScale, made.yOffset, made.guardY);
    } else {
        made.pixels = {};
    }
    return made;
}

DrawRange readIndirect(const Draw& draw) {
    std::uint32_t words[5] = {};
    std::memcpy(words, draw.indirect, (draw.indices ? 5 : 4) * sizeof(std::uint32_t));
    DrawRange range;
    range.count = words[0];
    range.instanceCount = words[1];
    range.start = words[2];
    range.baseVertex = draw.indices ? static_cast<std::int32_t>(words[3]) : 0;
    range.baseInstance = words[draw.indices ? 4 : 3];
    return range;
}

}  // namespace

Planner::Planner(const RenderPass& pass, unsigned threads) : pass_(pass), threads_(threads) {}

bool Planner::plan() {
    if (postponed_ != 0) {
        const auto begin = chunks.begin(), left = begin + static_cast<std::ptrdiff_t>(count);
        std::rotate(begin, left, left + static_cast<std::ptrdiff_t>(postponed_));
        count = std::exchange(postponed_, 0);
        return true;
    }
    count = 0;
    if (!progress_) draws_.clear();  // else its plan goes on
    isBarrier_ = false;
    std::uint64_t bytes = 0;
    while (bytes < mostBytes) {
        if (progress_) {
            if (!addChunk(bytes)) progress_.reset();
            continue;
        }
        const Draw* draw = waiting_ ? waiting_ : nextDraw();
        waiting_ = nullptr;
        if (draw) {
            begin(*draw);
        } else if (!isBarrier_) {
            break;  // no more
        } else if (count != 0) {
            break;
        } else {
            isBarrier_ = false;
        }
    }
    isOver_ = !progress_ && !waiting_ && !isMoreBehind();
    return count != 0;
}

void Planner::postpone(std::size_t done) {
    postponed_ = count - done;
    count = done;
}

// Whether anything may follow a barrier or a full round.
bool Planner::isMoreBehind() {
    for (;;) {
        // What makes draws behind a barrier may read what those before it write: it is asked when they have run.
        const bool isNextMade =
            !held_ && item_ < pass_.items.size() && std::holds_alternative<GenerateDraws>(pass_.items[item_]);
        if (std::exchange(isBarrier_, false) && isNextMade) return true;
        waiting_ = nextDraw();
        if (waiting_ || !isBarrier_) return waiting_ != nullptr;
    }
}

// Null at a barrier (isBarrier_) and at the end.
const Draw* Planner::nextDraw() {
    if (held_) return std::exchange(held_, nullptr);
    for (; item_ < pass_.items.size(); ++item_) {
        const PassItem& item = pass_.items[item_];
        if (const auto* draw = std::get_if<Draw>(&item)) {
            ++item_;
            return draw;
        }
        if (std::holds_alternative<DrawBarrier>(item)) {
            ++item_;
            isBarrier_ = true;
            return nullptr;
        }
        Draw& made = generated_.emplace_back();
        if (std::get<GenerateDraws>(item).next(made)) {
            if (!made.isBehindBarrier) return &made;
            held_ = &made;
            isBarrier_ = true;
            return nullptr;
        }
        generated_.pop_back();
    }
    return nullptr;
}

const PipelineFacts& Planner::factsOf(const RenderPipeline& pipeline) {
    std::unique_ptr<PipelineFacts>& facts = facts_[&pipeline];
    if (!facts) facts = std::make_unique<PipelineFacts>(pipeline, pass_.targets.sampleCount);
    return *facts;
}

void Planner::begin(const Draw& draw) {
    PlannedDraw plan;
    plan.draw = &draw;
    plan.facts = &factsOf(*draw.pipeline);
    plan.range = draw.indirect ? readIndirect(draw) : draw.range;
    const unsigned size = plan.verticesPerPrimitive();
    if (plan.range.count < size || plan.range.instanceCount == 0) return;
    const RasterState& raster = draw.raster;
    for (std::uint32_t i = 0; i < raster.viewportCount; ++i) {
        plan.viewports.push_back(render::factsOf(
            raster.viewports[i], i < raster.scissorCount ? &raster.scissors[i] : nullptr, pass_.targets));
    }
    if (plan.viewports.empty()) {
        const Viewport whole{0, 0, double(pass_.targets.width), double(pass_.targets.height), 0, 1};
        plan.viewports.push_back(
            render::factsOf(whole, raster.scissorCount != 0 ? raster.scissors : nullptr, pass_.targets));
    }
    draws_.push_back(std::move(plan));
    Progress progress;
    progress.plan = &draws_.back();
    const DrawRange& range = progress.plan->range;
    progress.positions = progress.plan->isStrip() ? range.count - size + 1 : range.count / size * size;
    const std::uint64_t all = std::uint64_t{progress.positions} * range.instanceCount;
    const std::uint64_t share = all / (std::uint64_t{threads_} * 4);
    progress.atATime =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, leastPositions, mostPositions)) / 6 * 6;
    progress_ = progress;
}

bool Planner::addChunk(std::uint64_t& bytes) {
    Progress& at = *progress_;
    PlannedDraw& plan = *at.plan;
    if (at.instance == plan.range.instanceCount) return false;
    ChunkRange range;
    range.instance = at.instance;
    range.first = at.position;
    if (at.position == 0 && at.positions <= at.atATime) {  // whole instances
        range.count = at.positions;
        range.instances = std::min(at.atATime / at.positions, plan.range.instanceCount - at.instance);
        at.instance += range.instances;
    } else {
        range.count = std::min(at.atATime, at.positions - at.position);
        const bool isStrip = plan.isStrip();
        range.stripStart = at.stripStart;
        range.firstPrimitive = isStrip && plan.draw->indices ? at.primitives
                               : isStrip                     ? at.position
                                                             : at.position / plan.verticesPerPrimitive();
        const std::uint32_t next = at.position + range.count;
        if (next == at.positions) {
            ++at.instance;
            at.position = at.stripStart = at.primitives = at.scanned = at.unbroken = 0;
        } else {
            if (isStrip && plan.draw->indices) advanceStrip(plan, at.position, next);
            at.position = next;
        }
    }
    if (count == chunks.size()) chunks.push_back(std::make_unique<Chunk>());
    Chunk& chunk = *chunks[count++];
    chunk.plan = &plan;
    chunk.range = range;
    const std::uint64_t vertices = std::uint64_t{range.count} * range.instances;
    bytes += vertices * (plan.draw->pipeline->vertex.outputColumns * 4 + sizeof(Primitive) / 2) + sizeof(Chunk);
    return true;
}

void Planner::advanceStrip(const PlannedDraw& plan, std::uint32_t from, std::uint32_t to) {
    Progress& at = *progress_;
    const Draw& draw = *plan.draw;
    const std::uint32_t restart = restartIndex(draw);
    const std::uint64_t start = plan.range.start;
    for (std::uint32_t i = from; i < to; ++i) {
        if (indexAt(draw, start + i) == restart) at.stripStart = i + 1;
    }
    // Primitives that begin before `to` end before this.
    const unsigned size = plan.verticesPerPrimitive();
    for (const std::uint32_t end = to + size - 1; at.scanned < end; ++at.scanned) {
        at.unbroken = indexAt(draw, start + at.scanned) == restart ? 0 : at.unbroken + 1;
        if (at.unbroken >= size) ++at.primitives;
    }
}

}  // namespace metal_executor::render
