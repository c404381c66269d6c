// SPDX-License-Identifier: MIT

#include "render_run.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "../clock.hpp"
#include "../fault_signals.hpp"
#include "../kernel_call.hpp"
#include "../pool.hpp"
#include "../texel_formats.hpp"
#include "../thread_state.hpp"
#include "vertex_stage.hpp"

namespace metal_executor::render {
namespace {

// By then another thread is worth waking.
constexpr std::int64_t slowNanoseconds = 20'000;

/// What a thread needs to take part in passes.
struct RenderThread {
    Assembly assembly;
    VertexStage vertices;
    PrimitiveSetup setup;
    FragmentStage fragments{threadState()};

    static RenderThread& own() {
        thread_local std::unique_ptr<RenderThread> thread;
        if (!thread) thread = std::make_unique<RenderThread>();
        return *thread;
    }
};

TileGrid gridOf(const PassTargets& targets) {
    TileGrid grid;
    grid.width = targets.width;
    grid.height = targets.height;
    grid.size = targets.tileSize();
    grid.columns = (grid.width + grid.size - 1) / grid.size;
    grid.rows = (grid.height + grid.size - 1) / grid.size;
    grid.layers = std::max(targets.layers, 1u);
    grid.depthFormat = targets.depth.image.format;
    return grid;
}

template <class Function>
void forEachTarget(PassTargets& targets, const Function& function) {
    for (ColorTarget& color : targets.colors) function(static_cast<Target&>(color));
    function(static_cast<Target&>(targets.depth));
    function(static_cast<Target&>(targets.stencil));
}

/// Whose draw a function was run for.
std::string nameOf(const Draw& draw) {
    const std::string& pipeline = draw.pipeline->label;
    std::string text;
    if (!pipeline.empty()) text = "pipeline '" + pipeline + "'";
    if (!draw.label.empty()) text += (text.empty() ? "in '" : ", in '") + draw.label + "'";
    return text;
}

}  // namespace

RenderRun::RenderRun(const RenderPass& pass, Pool& pool, const void* owner, const std::atomic<bool>& stopRequested,
                     metal_log* log)
    : SharedWork(owner),
      Stoppable(stopRequested),
      pass_(pass),
      pool_(pool),
      grid_(gridOf(pass.targets)),
      planner_(pass, pool.threadCount()),
      kept_(pass.targets) {
    facts_.targets = &targets_;
    facts_.samplePositions = pass.samplePositions ? pass.samplePositions : samplePositions(pass.targets.sampleCount);
    facts_.samples = SampleGrid(facts_.samplePositions, pass.targets.sampleCount);
    facts_.log = log;
}

RenderRun::~RenderRun() {
    if (isOpen_) pool_.close(*this);
    waitForAssistants();
}

bool RenderRun::usesLog(const RenderPass& pass) {
    return std::any_of(pass.items.begin(), pass.items.end(), [](const PassItem& item) {
        if (std::holds_alternative<GenerateDraws>(item)) return true;
        const auto* draw = std::get_if<Draw>(&item);
        if (!draw) return false;
        const RenderPipeline& pipeline = *draw->pipeline;
        return pipeline.vertex.kernel->info().uses_log != 0 ||
               (pipeline.fragment.kernel && pipeline.fragment.kernel->info().uses_log != 0);
    });
}

RenderRun::Step RenderRun::lead(std::int64_t turnEnds, Fault& fault) {
    while (phase_ != Phase::ended && !shouldStop()) {
        if (phase_ == Phase::planning) beginRound();
        if (!leadPhase(turnEnds)) return Step::left;
        if (shouldStop()) break;
        if (phase_ == Phase::geometry) {
            gatherTiles();
            tellStages();
        } else if (phase_ == Phase::tiles) {
            ++round_;
            phase_ = planner_.isLast() ? Phase::ended : Phase::planning;
        }
    }
    if (phase_ == Phase::ended) return Step::ended;
    fault = Stoppable::fault();
    if (!fault) {
        fault.kind = FaultKind::stopped;
        describe(fault);
    }
    phase_ = Phase::ended;
    return Step::ended;
}

void RenderRun::enter(Phase phase, std::size_t parts) {
    phase_ = phase;
    next_ = 0;
    touches_ = 0;
    isFull_ = false;
    parts_ = static_cast<std::uint32_t>(parts);
    phaseStart_ = nanoseconds();
}

// Runs what is left of a phase; false when the stream is left to others meanwhile.
bool RenderRun::leadPhase(std::int64_t turnEnds) {
    const unsigned others = pool_.threadCount() - 1;
    while (hasWork()) {
        const std::uint32_t part = next_.fetch_add(1);
        if (part >= parts_.load()) break;
        if (!runPart(part)) break;
        const std::int64_t now = nanoseconds();
        if (!isOpen_ && others != 0 && now - phaseStart_ > slowNanoseconds && hasWork()) {
            isOpen_ = true;
            pool_.open(*this, others);
        }
        if (now >= turnEnds && pool_.hasReadyStream() && hasWork()) return false;
    }
    if (std::exchange(isOpen_, false)) pool_.close(*this);
    waitForAssistants();
    return true;
}

void RenderRun::assist() {
    while (hasWork()) {
        const std::uint32_t part = next_.fetch_add(1);
        if (part >= parts_.load() || !runPart(part) || pool_.hasReadyStream()) return;
    }
}

// The fault is told when the thread takes part no more; see Stoppable::fail().
bool RenderRun::runPart(std::uint32_t part) {
    ThreadState& state = threadState();
    bool isDone = false;
    Fault fault;
    try {
        TakingPart here(state, *this, owner());
        isDone = phase_ == Phase::geometry ? runChunk(state, *planner_.chunks[part]) : runTile(tileOrder_[part]);
        fault = takeFault(state);
        if (fault) tellWhere(part, fault);
    } catch (const std::bad_alloc&) {
        fault.kind = FaultKind::outOfMemory;
    }
    if (fault) fail(std::move(fault));
    return isDone;
}

void RenderRun::tellWhere(std::uint32_t part, Fault& fault) const {
    const bool isGeometry = phase_ == Phase::geometry;
    const PlannedDraw* plan = isGeometry ? planner_.chunks[part]->plan : RenderThread::own().fragments.plan();
    if (fault.kernel.empty() || !plan) return;
    Fault what = fault;
    what.kernel.clear();
    describe(what);
    const std::string draw = nameOf(*plan->draw);
    fault.message = (isGeometry ? "vertex function " : "fragment function ") + fault.kernel +
                    (draw.empty() ? "" : " (" + draw + ")") + ": " + what.message;
}

// ---- Geometry ----

void RenderRun::beginRound() {
    planner_.plan();
    enter(Phase::geometry, planner_.count);
}

bool RenderRun::runChunk(ThreadState& state, Chunk& chunk) {
    RenderThread& own = RenderThread::own();
    chunk.primitives.clear();
    chunk.slices.clear();
    own.assembly.assemble(*chunk.plan, chunk.range);
    if (own.assembly.vertexIds.empty()) return true;
    if (!own.vertices.run(state, chunk, own.assembly, facts_.log)) return false;
    if (!chunk.plan->draw->pipeline->isRasterizationEnabled) return true;
    own.setup.run(chunk, own.assembly, grid_, facts_.samples);
    const std::uint64_t touches = chunk.tilePrimitives.size();
    if (touches_.fetch_add(touches) + touches > pass_.mostTouches) isFull_ = true;
    return true;
}

// Contents that a pass in one round would only have in its tiles.
void RenderRun::keepMemoryless() {
    if (std::exchange(isMemorylessKept_, true)) return;
    const std::uint32_t layers = std::max(kept_.layers, 1u), samples = std::max(kept_.sampleCount, 1u);
    const auto give = [&](Target& target) {
        TargetImage& image = target.image;
        if (!image || image.data) return;
        const std::uint64_t bytes = metal_texels::layoutOf(image.format).bytes;
        image.bytesPerRow = bytes * image.width;
        image.bytesPerSample = image.bytesPerRow * image.height;
        image.bytesPerLayer = image.bytesPerSample * samples;
        memoryless_.push_back(std::make_unique<std::byte[]>(image.bytesPerLayer * layers));
        image.data = reinterpret_cast<std::uint8_t*>(memoryless_.back().get());
    };
    const bool isShared = kept_.stencil.image && kept_.stencil.image.format == kept_.depth.image.format &&
                          kept_.stencil.image.data == kept_.depth.image.data;
    for (ColorTarget& color : kept_.colors) give(color);
    give(kept_.depth);
    if (isShared) kept_.stencil.image = kept_.depth.image;
    give(kept_.stencil);
}

// ---- Tiles ----

void RenderRun::takeTargets() {
    targets_ = pass_.targets;
    if (round_ == 0 && planner_.isLast()) return;
    keepMemoryless();
    targets_ = kept_;
    forEachTarget(targets_, [&](Target& target) {
        if (round_ != 0) target.load = LoadAction::load;
        if (planner_.isLast()) return;
        target.stores = true;
        target.resolves = false;
    });
}

// Tiles without primitives are cleared in the first round, and stored or resolved in the last.
void RenderRun::gatherTiles() {
    planner_.postpone(std::min(next_.load(), parts_.load()));
    takeTargets();
    const std::uint32_t tiles = grid_.count();
    tileStarts_.assign(std::size_t{tiles} + 1, 0);
    for (std::size_t i = 0; i < planner_.count; ++i) {
        for (const TileSlice& slice : planner_.chunks[i]->slices) ++tileStarts_[slice.tile + 1];
    }
    tileOrder_.clear();
    const bool all = round_ == 0 || planner_.isLast();
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        if (all || tileStarts_[tile + 1] != 0) tileOrder_.push_back(tile);
        tileStarts_[tile + 1] += tileStarts_[tile];
    }
    tileSlices_.resize(tileStarts_[tiles]);
    std::vector<std::uint32_t> places(tileStarts_.begin(), tileStarts_.end() - 1);
    for (std::size_t i = 0; i < planner_.count; ++i) {
        const Chunk& chunk = *planner_.chunks[i];
        for (const TileSlice& slice : chunk.slices)
            tileSlices_[places[slice.tile]++] = {&chunk, slice.first, slice.count};
    }
    enter(Phase::tiles, tileOrder_.size());
}

void RenderRun::tellStages() {
    if (planner_.isLast()) {
        for (const auto& call : pass_.verticesEnd) call();
    }
    if (round_ == 0) {
        for (const auto& call : pass_.fragmentsBegin) call();
    }
}

bool RenderRun::runTile(std::uint32_t tile) {
    FragmentStage& fragments = RenderThread::own().fragments;
    if (!fragments.begin(facts_, grid_.rect(tile), grid_.layer(tile))) throw std::bad_alloc();
    for (std::uint32_t i = tileStarts_[tile]; i < tileStarts_[tile + 1]; ++i) {
        if (shouldStop()) return false;  // a draw without a fragment function calls none that would notice
        const ChunkSlice& slice = tileSlices_[i];
        if (!fragments.draw(*slice.chunk, slice.chunk->tilePrimitives.data() + slice.first, slice.count)) return false;
    }
    return fragments.end();
}

}  // namespace metal_executor::render
