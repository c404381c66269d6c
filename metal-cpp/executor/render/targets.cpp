// SPDX-License-Identifier: MIT

#include "targets.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "../thread_state.hpp"
#include "blend.hpp"
#include "coverage.hpp"
#include "depth_stencil.hpp"
#include "resolve.hpp"
#include "tile_places.hpp"
#include "tile_texels.hpp"

namespace metal_executor::render {

TargetImage targetImage(const metal_texture& texture, std::uint32_t format, unsigned level, unsigned slice,
                        unsigned depthPlane) {
    const metal_texture_level& from = texture.levels[level];
    TargetImage image;
    image.format = format;
    image.bytesPerRow = from.bytes_per_row;
    // Samples are images of their own, side by side.
    const std::uint64_t samples = std::max(texture.sample_count, 1u);
    image.bytesPerSample = from.bytes_per_image;
    image.bytesPerLayer = from.bytes_per_image * samples;
    image.data = from.data ? from.data + (std::uint64_t{slice} + depthPlane) * image.bytesPerLayer : nullptr;
    image.width = from.width;
    image.height = from.height;
    return image;
}

namespace {

std::uint32_t bytesPerPixel(const PassTargets& pass) {
    std::uint32_t columns = (pass.depth.image ? 1u : 0u) + (pass.stencil.image ? 1u : 0u);
    for (const ColorTarget& color : pass.colors)
        if (color.image) columns += metal_texels::layoutOf(color.image.format).components;
    return 4 * columns * pass.sampleCount;
}

// As an integer format has a clear colour: the nearest it can.
std::uint32_t integerOf(double number, bool isSigned) {
    if (!(number == number)) return 0;
    const double whole = std::trunc(number);
    if (isSigned) return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(whole, -0x1p31, 0x1p31 - 1)));
    return static_cast<std::uint32_t>(std::clamp(whole, 0.0, 0x1p32 - 1));
}

struct Color {
    TexelColumns format;
    float* columns[maxSamples][4] = {};
    float clear[4] = {};  // by component
    bool isLoaded = false;
};

}  // namespace

std::uint32_t PassTargets::tileSize() const {
    constexpr std::uint32_t cacheBytes = 384 * 1024, leastSize = 16;
    std::uint32_t size = maxTileSize;
    while (size > leastSize && size * size * bytesPerPixel(*this) > cacheBytes) size /= 2;
    return size;
}

struct TileTargets::Storage {
    const PassTargets* pass = nullptr;
    TileArea area;
    GrowingBlock block;

    std::uint32_t formats[maxColors] = {};  // that `colors` were made for
    Color colors[maxColors];
    DepthUnits depthUnits;
    float* depths[maxSamples] = {};
    std::uint32_t* stencils[maxSamples] = {};
    bool depthIsLoaded = false, stencilIsLoaded = false;

    TilePlaces places;
    BlendScratch blending;
    TestScratch testing;
    alignas(64) float depthScratch[maxBatch];
    alignas(64) std::uint32_t referenceScratch[maxBatch];

    // What is visible at `visible`, not yet added there.
    Visibility visibility = Visibility::disabled;
    std::uint64_t* visible = nullptr;
    std::uint64_t visibleSamples = 0;

    bool layOut();
    void setColor(unsigned index);
    void load(unsigned index);
    void loadDepth();
    void loadStencil();
    void note(const DepthStencilState& state, std::uint64_t samples);
    void flushVisible();
    std::uint64_t testRun(const TilePlaces::Run& run, QuadBatch& batch, const DepthStencilState& state,
                          const float* depth, const std::uint32_t* stencil);
    void endColor(unsigned index);
    void endDepthAndStencil();
};

TileTargets::TileTargets() : storage_(std::make_unique<Storage>()) {}
TileTargets::~TileTargets() = default;

bool TileTargets::Storage::layOut() {
    const std::size_t count = (area.elements() + 15) / 16 * 16;  // so that each column begins a cache line
    const std::size_t columns = bytesPerPixel(*pass) / 4;
    auto* next = static_cast<float*>(block.reserve(std::max<std::size_t>(columns, 1) * count * 4));
    if (!next) return false;
    const auto take = [&] {
        float* column = next;
        next += count;
        return column;
    };
    for (Color& color : colors) {
        for (unsigned sample = 0; sample < pass->sampleCount; ++sample)
            for (unsigned component = 0; component < color.format.components(); ++component)
                color.columns[sample][component] = take();
        color.isLoaded = false;
    }
    for (unsigned sample = 0; sample < maxSamples; ++sample) {
        const bool isThere = sample < pass->sampleCount;
        depths[sample] = isThere && pass->depth.image ? take() : nullptr;
        stencils[sample] = isThere && pass->stencil.image ? reinterpret_cast<std::uint32_t*>(take()) : nullptr;
    }
    depthIsLoaded = stencilIsLoaded = false;
    return true;
}

void TileTargets::Storage::setColor(unsigned index) {
    const ColorTarget& target = pass->colors[index];
    Color& color = colors[index];
    if (formats[index] != target.image.format) {
        color.format = target.image ? TexelColumns(target.image.format) : TexelColumns();
        formats[index] = target.image.format;
    }
    for (unsigned component = 0; component < color.format.components(); ++component) {
        const double number = target.clear[color.format.channel(component)];
        color.clear[component] =
            color.format.isInteger() ? ofBits(integerOf(number, color.format.isSigned())) : static_cast<float>(number);
    }
}

bool TileTargets::begin(const PassTargets& pass, std::uint32_t x, std::uint32_t y, std::uint32_t layer) {
    Storage& tile = *storage_;
    const std::uint32_t size = pass.tileSize();
    tile.pass = &pass;
    tile.area = {x, y, std::min(size, pass.width - x), std::min(size, pass.height - y), layer, 0, 0};
    tile.area.quadsPerRow = (tile.area.width + 1) / 2;
    tile.area.quadRows = (tile.area.height + 1) / 2;
    tile.places.setTile(tile.area.quadsPerRow, tile.area.quadRows);
    for (unsigned index = 0; index < maxColors; ++index) tile.setColor(index);
    tile.depthUnits = DepthUnits(pass.depth.image.format);
    // A tile that was begun but never ended has left these.
    tile.visible = nullptr;
    tile.visibleSamples = 0;
    return tile.layOut();
}

void TileTargets::Storage::load(unsigned index) {
    Color& color = colors[index];
    if (color.isLoaded) return;
    color.isLoaded = true;
    const ColorTarget& target = pass->colors[index];
    for (unsigned sample = 0; sample < pass->sampleCount; ++sample) {
        if (target.load == LoadAction::load && target.image.data) {
            loadColors(target.image, color.format, area, sample, color.columns[sample]);
            continue;
        }
        const bool isCleared = target.load == LoadAction::clear;
        for (unsigned component = 0; component < color.format.components(); ++component)
            std::fill_n(color.columns[sample][component], area.elements(), isCleared ? color.clear[component] : 0.0f);
    }
}

void TileTargets::Storage::loadDepth() {
    if (depthIsLoaded || !pass->depth.image) return;
    depthIsLoaded = true;
    const DepthTarget& target = pass->depth;
    for (unsigned sample = 0; sample < pass->sampleCount; ++sample) {
        if (target.load == LoadAction::load && target.image.data) {
            loadDepths(target.image, depthUnits, area, sample, depths[sample]);
        } else {
            const float depth = depthUnits.of(target.load == LoadAction::clear ? target.clear : 0);
            std::fill_n(depths[sample], area.elements(), depth);
        }
    }
}

void TileTargets::Storage::loadStencil() {
    if (stencilIsLoaded || !pass->stencil.image) return;
    stencilIsLoaded = true;
    const StencilTarget& target = pass->stencil;
    for (unsigned sample = 0; sample < pass->sampleCount; ++sample) {
        if (target.load == LoadAction::load && target.image.data) {
            loadStencils(target.image, area, sample, stencils[sample]);
        } else {
            const std::uint32_t stencil = target.load == LoadAction::clear ? target.clear & 0xff : 0;
            std::fill_n(stencils[sample], area.elements(), stencil);
        }
    }
}

// ---- Tests ----

void TileTargets::Storage::flushVisible() {
    if (visible && visibleSamples > 0) {
        const std::atomic_ref<std::uint64_t> sum(*visible);
        if (visibility == Visibility::boolean) {
            sum.store(1, std::memory_order_relaxed);
        } else {
            sum.fetch_add(visibleSamples, std::memory_order_relaxed);
        }
    }
    visibleSamples = 0;
}

void TileTargets::Storage::note(const DepthStencilState& state, std::uint64_t samples) {
    if (state.visibility == Visibility::disabled) return;
    if (state.visible != visible || state.visibility != visibility) {
        flushVisible();
        visible = state.visible;
        visibility = state.visibility;
    }
    visibleSamples += samples;
}

std::uint64_t TileTargets::Storage::testRun(const TilePlaces::Run& run, QuadBatch& batch,
                                            const DepthStencilState& state, const float* depth,
                                            const std::uint32_t* stencil) {
    const std::size_t first = 4 * std::size_t{run.first}, count = 4 * std::size_t{run.count};
    TestInputs inputs{nullptr, nullptr, batch.isBack + run.first};
    if (stencil) {
        for (std::size_t index = 0; index < count; ++index) referenceScratch[index] = stencil[first + index] & 0xff;
        inputs.reference = referenceScratch;
    }
    const std::uint32_t covered = samplesCovered(batch.coverage + first, count);
    std::uint64_t left = 0;
    for (unsigned sample = 0; sample < pass->sampleCount; ++sample) {
        if (!(covered >> sample & 1)) continue;
        inputs.depth = (depth ? depth : batch.depth[sample]) + first;
        if (depths[sample] && !depthUnits.areFloat()) {
            depthUnits.convert(inputs.depth, depthScratch, count);
            inputs.depth = depthScratch;
        }
        left += testSample(places, run, state, {depths[sample], stencils[sample]}, inputs, sample,
                           batch.coverage + first, testing);
    }
    return left;
}

bool TileTargets::test(QuadBatch& batch, const DepthStencilState& state, const float* depth,
                       const std::uint32_t* stencil) {
    Storage& tile = *storage_;
    if (batch.count == 0) return false;
    const bool doesNothing = passesAll(state);
    const bool hasTargets = tile.pass->depth.image || tile.pass->stencil.image;
    if ((doesNothing || !hasTargets) && state.visibility == Visibility::disabled)
        return samplesCovered(batch.coverage, 4 * std::size_t{batch.count}) != 0;
    if (!doesNothing) {
        tile.loadDepth();
        tile.loadStencil();
    }
    tile.places.locate(batch);
    std::uint64_t left = 0;
    for (const TilePlaces::Run& run : tile.places.runs()) left += tile.testRun(run, batch, state, depth, stencil);
    tile.note(state, left);
    return left > 0;
}

// ---- Colours ----

void TileTargets::write(const QuadBatch& batch, const ColorState& state, const ColorOutput* outputs) {
    Storage& tile = *storage_;
    if (batch.count == 0) return;
    bool isWritten[maxColors] = {}, any = false;
    for (unsigned index = 0; index < maxColors; ++index) {
        const bool hasOutput = std::ranges::any_of(outputs[index].components, [](const void* c) { return c; });
        isWritten[index] = tile.pass->colors[index].image && hasOutput && state.colors[index].writeMask != 0;
        any |= isWritten[index];
    }
    if (!any) return;
    tile.places.locate(batch);
    const std::uint32_t covered = samplesCovered(batch.coverage, 4 * std::size_t{batch.count});
    for (unsigned sample = 0; sample < tile.pass->sampleCount; ++sample) {
        if (!(covered >> sample & 1)) continue;
        coverageMasks(batch.coverage, sample, tile.blending.masks, 4 * std::size_t{batch.count});
        for (unsigned index = 0; index < maxColors; ++index) {
            if (!isWritten[index]) continue;
            tile.load(index);
            Color& color = tile.colors[index];
            writeColors({color.format, state.colors[index], state, outputs[index]}, tile.places, batch.count,
                        color.columns[sample], tile.blending);
        }
    }
}

void TileTargets::read(const QuadBatch& batch, unsigned index, unsigned sample, void* const columns[4]) {
    Storage& tile = *storage_;
    const std::size_t count = 4 * std::size_t{batch.count};
    const bool isThere = index < maxColors && tile.pass->colors[index].image;
    if (isThere) tile.load(index);
    tile.places.locate(batch);
    Color& color = tile.colors[index];
    float* to[4] = {};
    for (unsigned channel = 0; channel < 4; ++channel) {
        auto* column = static_cast<Word*>(columns[channel]);
        if (isThere && color.format.has(channel)) {
            const unsigned component = color.format.columnOf(channel);
            Word* room = column ? column : reinterpret_cast<Word*>(tile.blending.gathered[component]);
            const auto* from = reinterpret_cast<const Word*>(color.columns[sample][component]);
            for (std::uint32_t quad = 0; quad < batch.count; ++quad)
                std::copy_n(from + tile.places.place(quad), 4, room + std::size_t{4} * quad);
            to[component] = reinterpret_cast<float*>(room);
        } else if (column) {
            const bool isInteger = isThere && color.format.isInteger();
            const std::uint32_t one = isInteger ? 1 : bitsOf(1.0f);
            std::fill_n(column, count, channel == 3 ? one : 0u);
        }
    }
    if (isThere && !color.format.isExact()) color.format.quantise(to, to, count);
}

// ---- The end of a tile ----

void TileTargets::Storage::endColor(unsigned index) {
    const ColorTarget& target = pass->colors[index];
    const bool stores = target.stores && target.image.data;
    const bool resolves = target.resolves && target.resolve.data;
    Color& color = colors[index];
    if (!color.isLoaded) {
        const float* clear[4] = {&color.clear[0], &color.clear[1], &color.clear[2], &color.clear[3]};
        if (target.load == LoadAction::clear) {
            for (unsigned sample = 0; sample < pass->sampleCount && stores; ++sample)
                fillColors(target.image, color.format, area, sample, clear);
            if (resolves) fillColors(target.resolve, color.format, area, 0, clear);
            return;
        }
        if (!resolves || target.load == LoadAction::dontCare) return;
        load(index);
        resolveColors(target.resolve, color.format, area, color.columns, pass->sampleCount);
        return;
    }
    for (unsigned sample = 0; sample < pass->sampleCount && stores; ++sample)
        storeColors(target.image, color.format, area, sample, color.columns[sample]);
    if (resolves) resolveColors(target.resolve, color.format, area, color.columns, pass->sampleCount);
}

void TileTargets::Storage::endDepthAndStencil() {
    const DepthTarget& depth = pass->depth;
    const StencilTarget& stencil = pass->stencil;
    const bool resolvesDepth = depth.image && depth.resolves && depth.resolve.data;
    const bool resolvesStencil = stencil.image && stencil.resolves && stencil.resolve.data;
    const bool followsDepth = resolvesStencil && stencil.followsDepth && depth.image;
    // What nobody touched, and is there already, stays.
    if ((depth.load == LoadAction::clear && depth.stores) || resolvesDepth || followsDepth) loadDepth();
    if ((stencil.load == LoadAction::clear && stencil.stores) || resolvesStencil) loadStencil();
    for (unsigned sample = 0; sample < pass->sampleCount; ++sample) {
        if (depthIsLoaded && depth.stores && depth.image.data)
            storeDepths(depth.image, depthUnits, area, sample, depths[sample]);
        if (stencilIsLoaded && stencil.stores && stencil.image.data)
            storeStencils(stencil.image, area, sample, stencils[sample]);
    }
    if (!resolvesDepth && !resolvesStencil) return;
    std::vector<std::uint8_t> chosen(area.elements());
    if (resolvesDepth || followsDepth)
        resolveDepths(resolvesDepth ? depth.resolve : TargetImage{}, depthUnits, area, depths, pass->sampleCount,
                      depth.filter, chosen.data());
    if (resolvesStencil) resolveStencils(stencil.resolve, area, stencils, followsDepth ? chosen.data() : nullptr);
}

void TileTargets::end() {
    Storage& tile = *storage_;
    for (unsigned index = 0; index < maxColors; ++index)
        if (tile.pass->colors[index].image) tile.endColor(index);
    tile.endDepthAndStencil();
    tile.flushVisible();
    tile.pass = nullptr;
}

}  // namespace metal_executor::render
