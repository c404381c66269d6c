// SPDX-License-Identifier: MIT

#include "resolve.hpp"

#include <algorithm>
#include <vector>

namespace metal_executor::render {
namespace {

METAL_VECTORISED
void addColumn(const float* from, float* to, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) to[index] += from[index];
}

METAL_VECTORISED
void scaleColumn(float factor, float* column, std::size_t count) {
#pragma GCC ivdep
    for (std::size_t index = 0; index < count; ++index) column[index] *= factor;
}

}  // namespace

void resolveColors(const TargetImage& image, const TexelColumns& format, const TileArea& area,
                   const float* const (*samples)[4], unsigned sampleCount) {
    if (format.isInteger()) return storeColors(image, format, area, 0, samples[0]);
    // A row of quads at a time.
    const std::size_t count = std::size_t{4} * area.quadsPerRow;
    std::vector<float> room(8 * count);
    float* sum[4];
    float* stored[4];
    for (std::size_t component = 0; component < 4; ++component) {
        sum[component] = room.data() + component * count;
        stored[component] = room.data() + (4 + component) * count;
    }
    for (std::uint32_t row = 0; row < area.quadRows; ++row) {
        std::ranges::fill(room, 0.0f);
        for (unsigned sample = 0; sample < sampleCount; ++sample) {
            const float* from[4] = {};
            for (unsigned component = 0; component < format.components(); ++component)
                from[component] = samples[sample][component] + row * count;
            format.quantise(from, stored, count);
            for (unsigned component = 0; component < format.components(); ++component)
                addColumn(stored[component], sum[component], count);
        }
        for (unsigned component = 0; component < format.components(); ++component)
            scaleColumn(1.0f / static_cast<float>(sampleCount), sum[component], count);
        TileArea rowArea = area;
        rowArea.y += 2 * row;
        rowArea.quadRows = 1;
        rowArea.height = std::min(2u, area.height - 2 * row);
        storeColors(image, format, rowArea, 0, sum);
    }
}

void resolveDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, const float* const* samples,
                   unsigned sampleCount, ResolveFilter filter, std::uint8_t* chosen) {
    const std::size_t count = area.elements();
    std::vector<float> depths(samples[0], samples[0] + count);
    std::fill_n(chosen, count, std::uint8_t{0});
    for (unsigned sample = 1; sample < sampleCount && filter != ResolveFilter::sample0; ++sample) {
        for (std::size_t index = 0; index < count; ++index) {
            const float depth = samples[sample][index];
            if (filter == ResolveFilter::least ? depth < depths[index] : depth > depths[index]) {
                depths[index] = depth;
                chosen[index] = static_cast<std::uint8_t>(sample);
            }
        }
    }
    if (image) storeDepths(image, units, area, 0, depths.data());
}

void resolveStencils(const TargetImage& image, const TileArea& area, const std::uint32_t* const* samples,
                     const std::uint8_t* chosen) {
    if (!chosen) return storeStencils(image, area, 0, samples[0]);
    std::vector<std::uint32_t> stencils(area.elements());
    for (std::size_t index = 0; index < stencils.size(); ++index) stencils[index] = samples[chosen[index]][index];
    storeStencils(image, area, 0, stencils.data());
}

}  // namespace metal_executor::render
