// SPDX-License-Identifier: MIT
//
// A render pass' targets in memory of the test's own, and batches of quads to draw into them. What is expected is
// worked out for one sample of one fragment after the other, on texels in memory.

#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "../../render/targets.hpp"
#include "../../texel_formats.hpp"
#include "../check.hpp"
#include "random.hpp"

namespace fixture {

using namespace metal_executor::render;

/// The bytes of all samples and layers of one level, rows longer than they need be.
struct Pixels {
    std::uint32_t format, width, height, samples, layers, texelBytes;
    std::vector<std::uint8_t> bytes;

    Pixels(std::uint32_t pixelFormat, std::uint32_t w, std::uint32_t h, std::uint32_t sampleCount,
           std::uint32_t layerCount = 1)
        : format(pixelFormat),
          width(w),
          height(h),
          samples(sampleCount),
          layers(layerCount),
          texelBytes(metal_texels::layoutOf(pixelFormat).bytes),
          bytes(rowBytes() * h * sampleCount * layerCount, 0) {}

    std::size_t rowBytes() const { return std::size_t{width} * texelBytes + 8 * texelBytes; }
    std::uint8_t* at(std::uint32_t x, std::uint32_t y, std::uint32_t sample, std::uint32_t layer = 0) {
        return bytes.data() + ((std::size_t{layer} * samples + sample) * height + y) * rowBytes() +
               std::size_t{x} * texelBytes;
    }
    TargetImage image() {
        return {format, bytes.data(), rowBytes(), rowBytes() * height * samples, rowBytes() * height, width, height};
    }

    /// Texels that numbers can be: no infinities where there are floats.
    void randomise(Random& random) {
        const metal_texels::Layout layout = metal_texels::layoutOf(format);
        for (std::uint32_t layer = 0; layer < layers; ++layer)
            for (std::uint32_t sample = 0; sample < samples; ++sample)
                for (std::uint32_t y = 0; y < height; ++y)
                    for (std::uint32_t x = 0; x < width; ++x) {
                        if (layout.isInteger()) {
                            for (std::uint32_t byte = 0; byte < texelBytes; ++byte)
                                at(x, y, sample, layer)[byte] = static_cast<std::uint8_t>(random.bits());
                        } else {
                            float rgba[4];
                            for (float& number : rgba) number = random.between(-0.3f, 1.3f);
                            metal_texels::storeReal(format, at(x, y, sample, layer), rgba);
                        }
                    }
    }
};

/// Quads of a tile, some several times where `repeats`, with random coverage.
inline void randomBatch(QuadBatch& batch, Random& random, std::uint32_t width, std::uint32_t height,
                        std::uint32_t samples, bool repeats) {
    const std::uint32_t perRow = (width + 1) / 2, rows = (height + 1) / 2;
    std::vector<bool> isTaken(std::size_t{perRow} * rows);
    batch.count = 0;
    const std::uint32_t wanted = 1 + random.below(maxBatchQuads);
    const bool isRow = random.oneIn(3);
    const std::uint32_t start = random.below(perRow * rows);
    for (std::uint32_t turn = 0; turn < wanted; ++turn) {
        const std::uint32_t quad = isRow ? start + turn : random.below(perRow * rows);
        if (quad >= perRow * rows || (isTaken[quad] && !repeats)) continue;
        isTaken[quad] = true;
        const std::uint32_t index = batch.count++;
        batch.x[index] = static_cast<std::uint16_t>(quad % perRow * 2);
        batch.y[index] = static_cast<std::uint16_t>(quad / perRow * 2);
        batch.isBack[index] = static_cast<std::uint8_t>(random.below(2));
        for (std::uint32_t pixel = 0; pixel < 4; ++pixel) {
            const bool isInside = batch.x[index] + (pixel & 1) < width && batch.y[index] + pixel / 2 < height;
            const std::uint32_t all = (1u << samples) - 1;
            batch.coverage[4 * index + pixel] = !isInside ? 0 : random.oneIn(3) ? all : random.bits() & all;
        }
    }
}

/// Calls `body(invocation, x, y, sample)` for all that is covered, in order; x and y in the tile.
template <class Body>
void forCovered(const QuadBatch& batch, std::uint32_t samples, Body body) {
    for (std::uint32_t invocation = 0; invocation < 4 * batch.count; ++invocation)
        for (std::uint32_t sample = 0; sample < samples; ++sample)
            if (batch.coverage[invocation] >> sample & 1)
                body(invocation, batch.x[invocation / 4] + (invocation & 1u),
                     batch.y[invocation / 4] + (invocation / 2 & 1u), sample);
}

}  // namespace fixture
