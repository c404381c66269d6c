// SPDX-License-Identifier: MIT

#include "fragment_stage.hpp"

#include <algorithm>
#include <cstring>

#include "../kernel_call.hpp"

namespace metal_executor::render {
namespace {

// Not a power of two apart: columns would meet in the same lines of a cache.
constexpr std::size_t columnStride = maxBatch + 16;

bool usesDepth(const DepthStencilState& state) {
    constexpr std::uint8_t always = 7;
    return state.depthCompare != always || state.writesDepth;
}

}  // namespace

// ---- A tile ----

bool FragmentStage::begin(const PassFacts& pass, const PixelRect& tile, std::uint32_t layer) {
    pass_ = &pass;
    tile_ = tile;
    plan_ = nullptr;
    laid_ = nullptr;
    isStopped_ = false;
    batch_.count = 0;
    runs_.clear();
    return targets_.begin(*pass.targets, static_cast<std::uint32_t>(tile.x0), static_cast<std::uint32_t>(tile.y0),
                          layer);
}

bool FragmentStage::draw(const Chunk& chunk, const std::uint32_t* primitives, std::uint32_t count) {
    if (plan_ != chunk.plan) {
        if (batch_.count != 0) flush();
        if (isStopped_) return false;  // plan() is the draw that went wrong
        plan_ = chunk.plan;
        needsDepth_ = usesDepth(plan_->draw->depthStencil);
    }
    chunk_ = &chunk;
    for (std::uint32_t i = 0; i < count && !isStopped_; ++i) {
        primitive_ = &chunk.primitives[primitives[i]];
        if (i + 4 < count) __builtin_prefetch(&chunk.primitives[primitives[i + 4]]);
        rasterize(*primitive_, intersect(tile_, plan_->viewports[primitive_->viewport].pixels), pass_->samples, *this);
    }
    return !isStopped_;
}

bool FragmentStage::end() {
    if (batch_.count != 0) flush();
    if (isStopped_) return false;
    targets_.end();
    return true;
}

// ---- Batches ----

void FragmentStage::take(std::int32_t x, std::int32_t y, const std::uint32_t (&coverage)[4]) {
    if (isStopped_) return;
    const auto inTileX = static_cast<std::uint16_t>(x - tile_.x0), inTileY = static_cast<std::uint16_t>(y - tile_.y0);
    if (batch_.count == maxBatchQuads) flush();
    if (plan_->facts->readsColors && isSeenBefore(inTileX, inTileY)) flush();
    const std::uint32_t quad = batch_.count++;
    batch_.x[quad] = inTileX;
    batch_.y[quad] = inTileY;
    batch_.isBack[quad] = primitive_->isBack;
    for (unsigned k = 0; k < 4; ++k) batch_.coverage[4 * quad + k] = coverage[k];
    countQuads(quad, 1);
}

void FragmentStage::countQuads(std::uint32_t first, std::uint32_t count) {
    if (runs_.empty() || runs_.back().primitive != primitive_) runs_.push_back({chunk_, primitive_, first, 0});
    runs_.back().count += count;
}

void FragmentStage::takeBlock(const PixelRect& block, std::uint32_t all) {
    const auto count = static_cast<std::uint32_t>((block.x1 - block.x0) * (block.y1 - block.y0) / 4);
    if (plan_->facts->readsColors) return QuadTaker::takeBlock(block, all);
    if (isStopped_) return;
    if (batch_.count + count > maxBatchQuads) flush();
    std::uint32_t quad = batch_.count;
    for (std::int32_t y = block.y0 - tile_.y0; y < block.y1 - tile_.y0; y += 2) {
        for (std::int32_t x = block.x0 - tile_.x0; x < block.x1 - tile_.x0; x += 2, ++quad) {
            batch_.x[quad] = static_cast<std::uint16_t>(x);
            batch_.y[quad] = static_cast<std::uint16_t>(y);
        }
    }
    std::fill_n(batch_.isBack + batch_.count, count, primitive_->isBack);
    std::fill_n(batch_.coverage + std::size_t{4} * batch_.count, std::size_t{4} * count, all);
    countQuads(batch_.count, count);
    batch_.count = quad;
}

// Whether the batch has the quad already; notes it else. Emptied with the batch.
bool FragmentStage::isSeenBefore(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t number = y / 2 * (maxTileSize / 2) + x / 2;
    if (batch_.count != 0 && !seen_[number]) {
        seen_[number] = true;
        return false;
    }
    seen_.reset();
    seen_[number] = true;
    return batch_.count != 0;
}

void FragmentStage::flush() {
    const PipelineFacts& facts = *plan_->facts;
    if (needsDepth_) findAllDepths();
    bool isAlive = !isStopped_;
    if (isAlive && (facts.testsEarly || !facts.hasFragment)) {
        isAlive = targets_.test(batch_, plan_->draw->depthStencil, nullptr, nullptr);
        if (isAlive && facts.hasFragment) dropUncovered();
    }
    if (isAlive && facts.hasFragment) {
        if (facts.isPerSample) {
            shadeSamples();
        } else {
            shade(batch_, runs_, 0);
        }
    }
    batch_.count = 0;
    runs_.clear();
}

void FragmentStage::findAllDepths() {
    for (unsigned s = 0; s < pass_->samples.count; ++s) {
        findDepths(batch_, runs_, tile_.x0, tile_.y0, pass_->samples.x[s], pass_->samples.y[s], batch_.depth[s]);
    }
}

// Quads that failed the early test altogether need not be shaded.
void FragmentStage::dropUncovered() {
    std::uint32_t kept = 0;
    std::size_t keptRuns = 0;
    for (const Run& run : runs_) {
        const Run before = run;
        const std::uint32_t first = kept;
        for (std::uint32_t quad = before.first; quad < before.first + before.count; ++quad) {
            const std::uint32_t* coverage = batch_.coverage + std::size_t{4} * quad;
            if ((coverage[0] | coverage[1] | coverage[2] | coverage[3]) == 0) continue;
            if (kept != quad) {
                batch_.x[kept] = batch_.x[quad];
                batch_.y[kept] = batch_.y[quad];
                batch_.isBack[kept] = batch_.isBack[quad];
                std::memcpy(batch_.coverage + std::size_t{4} * kept, coverage, 4 * sizeof *coverage);
                for (unsigned s = 0; needsDepth_ && s < pass_->samples.count; ++s)
                    std::memcpy(batch_.depth[s] + std::size_t{4} * kept, batch_.depth[s] + std::size_t{4} * quad,
                                4 * sizeof(float));
            }
            ++kept;
        }
        if (kept != first) runs_[keptRuns++] = {before.chunk, before.primitive, first, kept - first};
    }
    runs_.resize(keptRuns);
    batch_.count = kept;
}

// One sample after the other, each with the quads that cover it.
void FragmentStage::shadeSamples() {
    if (!sampleBatch_) sampleBatch_ = std::make_unique<QuadBatch>();
    QuadBatch& part = *sampleBatch_;
    for (unsigned s = 0; s < pass_->samples.count && !isStopped_; ++s) {
        part.count = 0;
        sampleRuns_.clear();
        for (const Run& run : runs_) {
            const std::uint32_t first = part.count;
            for (std::uint32_t quad = run.first; quad < run.first + run.count; ++quad) {
                const std::uint32_t* coverage = batch_.coverage + std::size_t{4} * quad;
                if (((coverage[0] | coverage[1] | coverage[2] | coverage[3]) >> s & 1) == 0) continue;
                const std::uint32_t to = part.count++;
                part.x[to] = batch_.x[quad];
                part.y[to] = batch_.y[quad];
                part.isBack[to] = batch_.isBack[quad];
                for (unsigned k = 0; k < 4; ++k) {
                    part.coverage[4 * to + k] = coverage[k] & 1u << s;
                    part.depth[s][4 * to + k] = batch_.depth[s][4 * quad + k];
                }
            }
            if (part.count != first) sampleRuns_.push_back({run.chunk, run.primitive, first, part.count - first});
        }
        if (part.count != 0) shade(part, sampleRuns_, s);
    }
}

void FragmentStage::shade(QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample) {
    const RenderPipeline& pipeline = *plan_->draw->pipeline;
    layColumns();
    findAllWeights(batch, runs, sample);
    fillInputs(batch, runs, sample);
    metal_stage stage{};
    stage.inputs = inputs_.data();
    stage.outputs = outputs_.data();
    stage.coverage = batch.coverage;
    stage.remaining_coverage = batch.coverage;
    stage.sample_positions = pass_->samplePositions;
    stage.sample_count = pass_->samples.count;
    metal_launch launch{};
    launch.arguments = plan_->draw->fragmentArguments;
    launch.stage = &stage;
    launch.log = pass_->log;
    if (!callKernel(state_, *pipeline.fragment.kernel, launch, 4 * batch.count)) {
        isStopped_ = true;
        return;
    }
    write(batch, outputs());
}

void FragmentStage::write(QuadBatch& batch, const Outputs& outputs) {
    const PipelineFacts& facts = *plan_->facts;
    if (plan_->draw->pipeline->alphaToCoverage)
        alphaToCoverage(batch, static_cast<const float*>(outputs.colors[0].components[3]), pass_->samples.count);
    if (!facts.testsEarly && !targets_.test(batch, plan_->draw->depthStencil, outputs.depth, outputs.stencil)) return;
    if (facts.writtenColors != 0) targets_.write(batch, plan_->draw->colors, outputs.colors);
}

// ---- Columns ----

void FragmentStage::layColumns() {
    const StageFunction& function = plan_->draw->pipeline->fragment;
    if (laid_ == &function) return;
    laid_ = &function;
    const std::size_t columns = function.inputColumns + function.outputColumns;
    if (values_.size() < columns * columnStride) values_.resize(columns * columnStride);
    std::fill(values_.begin(), values_.end(), 0);  // inputs that nothing fills
    inputs_.resize(std::max(function.inputColumns, 1u));
    outputs_.resize(std::max(function.outputColumns, 1u));
    for (std::uint32_t i = 0; i < function.inputColumns; ++i) inputs_[i] = values_.data() + i * columnStride;
    for (std::uint32_t i = 0; i < function.outputColumns; ++i)
        outputs_[i] = values_.data() + (function.inputColumns + i) * columnStride;
}

FragmentStage::Outputs FragmentStage::outputs() const {
    const PipelineFacts& facts = *plan_->facts;
    Outputs made;
    for (unsigned color = 0; color < maxColors; ++color) {
        if ((facts.writtenColors >> color & 1) == 0) continue;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t column = facts.colors[color][i], second = facts.secondColors[color][i];
            if (column != PipelineFacts::none) made.colors[color].components[i] = outputs_[column];
            if (second != PipelineFacts::none)
                made.colors[color].second[i] = static_cast<const float*>(outputs_[second]);
        }
    }
    if (facts.depth != PipelineFacts::none) made.depth = static_cast<const float*>(outputs_[facts.depth]);
    if (facts.stencil != PipelineFacts::none) made.stencil = static_cast<const std::uint32_t*>(outputs_[facts.stencil]);
    return made;
}

void FragmentStage::findAllWeights(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample) {
    const PipelineFacts& facts = *plan_->facts;
    const SampleGrid& samples = pass_->samples;
    Places places{&samples};
    if (facts.wantsPerspective || facts.wantsLinear || facts.wantsInverseW)
        findWeights(batch, runs, tile_.x0, tile_.y0, places, &linear_, facts.wantsPerspective ? &perspective_ : nullptr,
                    inverseW_);
    if (facts.wantsCentroid) {
        places.coverage = batch.coverage;
        findWeights(batch, runs, tile_.x0, tile_.y0, places, &centroidLinear_, &centroidPerspective_, nullptr);
    }
    if (facts.isPerSample) {
        places = {&samples, samples.x[sample], samples.y[sample]};
        findWeights(batch, runs, tile_.x0, tile_.y0, places, &sampleLinear_, &samplePerspective_, nullptr);
    }
}

const Weights& FragmentStage::weightsFor(Interpolation interpolation) const {
    const bool isCentroid = plan_->facts->wantsCentroid, isSample = plan_->facts->isPerSample;
    switch (interpolation) {
        case Interpolation::centroidPerspective:
            return isCentroid ? centroidPerspective_ : perspective_;
        case Interpolation::samplePerspective:
            return isSample ? samplePerspective_ : perspective_;
        case Interpolation::centroidNoPerspective:
            return isCentroid ? centroidLinear_ : linear_;
        case Interpolation::sampleNoPerspective:
            return isSample ? sampleLinear_ : linear_;
        case Interpolation::centerNoPerspective:
            return linear_;
        default:
            return perspective_;
    }
}

void FragmentStage::fillInputs(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample) {
    for (const StageColumnValue& value : plan_->draw->pipeline->fragment.inputs) {
        if (value.columnCount != 0) fillInput(batch, runs, sample, value);
    }
}

void FragmentStage::fillInput(const QuadBatch& batch, const std::vector<Run>& runs, std::uint32_t sample,
                              const StageColumnValue& value) {
    const auto forEachRun = [&](auto number) {
        for (const Run& run : runs)
            std::fill_n(words(value.column) + std::size_t{4} * run.first, std::size_t{4} * run.count,
                        static_cast<std::uint32_t>(number(*run.primitive)));
    };
    switch (value.kind) {
        case StageKind::varying:
            return fillVarying(batch, runs, value);
        case StageKind::position:
            return fillPosition(batch, runs, value);
        case StageKind::pointCoord:
            return fillPointCoordinates(batch, runs, value);
        case StageKind::barycentricCoord:
            for (std::uint32_t i = 0; i < std::min(value.columnCount, 3u); ++i)
                findBarycentrics(runs, weightsFor(value.interpolation), i, reals(value.column + i));
            return;
        case StageKind::frontFacing:
            return forEachRun([](const Primitive& p) { return p.isBack ? 0 : 1; });
        case StageKind::primitiveId:
            return forEachRun([](const Primitive& p) { return p.id; });
        case StageKind::renderTargetArrayIndex:
            return forEachRun([](const Primitive& p) { return p.layer; });
        case StageKind::viewportArrayIndex:
            return forEachRun([](const Primitive& p) { return p.viewport; });
        case StageKind::sampleId:
            return forEachRun([sample](const Primitive&) { return sample; });
        case StageKind::sampleMask:
            std::copy_n(batch.coverage, std::size_t{4} * batch.count, words(value.column));
            return;
        case StageKind::amplificationCount:
            return forEachRun([](const Primitive&) { return 1; });
        case StageKind::color: {
            void* columns[4] = {};
            for (std::uint32_t i = 0; i < std::min(value.columnCount, 4u); ++i) columns[i] = inputs_[value.column + i];
            return targets_.read(batch, value.index, sample, columns);
        }
        default:
            return;  // zeros
    }
}

void FragmentStage::fillVarying(const QuadBatch& batch, const std::vector<Run>& runs, const StageColumnValue& value) {
    if (value.source == StageColumnValue::noSource) return;
    if (value.isInterpolant) {
        fillInterpolant(batch, runs, tile_.x0, tile_.y0, value,
                        reinterpret_cast<float* const*>(inputs_.data() + value.column));
        return;
    }
    for (std::uint32_t i = 0; i < value.columnCount; ++i) {
        if (value.interpolation == Interpolation::flat) {
            takeFlat(runs, value.source + i, words(value.column + i));
        } else {
            interpolate(runs, weightsFor(value.interpolation), value.source + i, reals(value.column + i));
        }
    }
}

// Of the pixel's middle, whatever is covered: [[position]] knows no other interpolation.
void FragmentStage::fillPosition(const QuadBatch& batch, const std::vector<Run>& runs, const StageColumnValue& value) {
    float *x = reals(value.column), *y = reals(value.column + 1);
    for (std::uint32_t quad = 0; quad < batch.count; ++quad) {
        const float left = static_cast<float>(tile_.x0 + batch.x[quad]) + 0.5f;
        const float top = static_cast<float>(tile_.y0 + batch.y[quad]) + 0.5f;
        for (unsigned k = 0; k < 4; ++k) {
            x[4 * quad + k] = left + static_cast<float>(k % 2);
            y[4 * quad + k] = top + static_cast<float>(k / 2);
        }
    }
    findDepths(batch, runs, tile_.x0, tile_.y0, subpixels / 2, subpixels / 2, reals(value.column + 2));
    std::copy_n(inverseW_, std::size_t{4} * batch.count, reals(value.column + 3));
}

void FragmentStage::fillPointCoordinates(const QuadBatch& batch, const std::vector<Run>& runs,
                                         const StageColumnValue& value) {
    float *u = reals(value.column), *v = reals(value.column + 1);
    for (const Run& run : runs) {
        const Primitive& p = *run.primitive;
        const float scale = p.shape == Shape::point ? 1.0f / static_cast<float>(p.x[1]) : 0.0f;
        for (std::uint32_t quad = run.first; quad < run.first + run.count; ++quad) {
            const std::int32_t left = ((tile_.x0 + batch.x[quad]) << subpixelBits) + subpixels / 2 - p.x[0];
            const std::int32_t top = ((tile_.y0 + batch.y[quad]) << subpixelBits) + subpixels / 2 - p.y[0];
            for (int k = 0; k < 4; ++k) {
                u[4 * quad + k] = static_cast<float>(left + k % 2 * subpixels) * scale + 0.5f;
                v[4 * quad + k] = static_cast<float>(top + k / 2 * subpixels) * scale + 0.5f;
            }
        }
    }
}

}  // namespace metal_executor::render
