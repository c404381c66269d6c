// SPDX-License-Identifier: MIT
//
// Prints what tiles cost per pixel or fragment, on one thread: the least of many runs.

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "canvas.hpp"

using namespace fixture;

namespace {

constexpr std::uint32_t width = 256, height = 256;

double nanoseconds() {
    timespec time{};  // of this thread alone, whatever else runs
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <class Body>
double leastOf(int turns, Body body) {
    double least = 1e30;
    for (int turn = 0; turn < turns; ++turn) {
        const double start = nanoseconds();
        body();
        least = std::min(least, nanoseconds() - start);
    }
    return least;
}

struct Case {
    const char* name;
    std::uint32_t format, samples;
    bool blends, tests, isScattered;
};

}  // namespace

int main() {
    constexpr Case cases[] = {
        {"RGBA8Unorm, written", metal_texels::RGBA8Unorm, 1, false, false, false},
        {"RGBA8Unorm, written, depth test", metal_texels::RGBA8Unorm, 1, false, true, false},
        {"RGBA8Unorm, written, depth test, quads apart", metal_texels::RGBA8Unorm, 1, false, true, true},
        {"RGBA8Unorm, blended", metal_texels::RGBA8Unorm, 1, true, false, false},
        {"RGBA8Unorm, blended, quads apart", metal_texels::RGBA8Unorm, 1, true, false, true},
        {"RGBA8Unorm_sRGB, written", metal_texels::RGBA8Unorm_sRGB, 1, false, false, false},
        {"RGBA8Unorm_sRGB, blended", metal_texels::RGBA8Unorm_sRGB, 1, true, false, false},
        {"RGBA16Float, blended", metal_texels::RGBA16Float, 1, true, false, false},
        {"RGBA32Float, blended", metal_texels::RGBA32Float, 1, true, false, false},
        {"RGBA8Unorm, 4 samples, written, depth test", metal_texels::RGBA8Unorm, 4, false, true, false},
        {"RGBA8Unorm, 4 samples, blended", metal_texels::RGBA8Unorm, 4, true, false, false},
    };
    Random random(1);
    std::vector<float> color(maxBatch);
    for (float& number : color) number = random.between(0, 1);
    ColorOutput outputs[maxColors];
    for (const void*& component : outputs[0].components) component = color.data();
    const auto batch = std::make_unique<QuadBatch>();
    TileTargets tile;
    std::printf("%-48s %12s %12s\n", "one layer of fragments over 256 x 256", "ns/fragment", "us a pass");
    for (const Case& one : cases) {
        Pixels pixels(one.format, width, height, 1);
        PassTargets pass;
        pass.width = width;
        pass.height = height;
        pass.sampleCount = one.samples;
        static_cast<Target&>(pass.colors[0]) = {pixels.image(), pixels.image(), LoadAction::clear, one.samples == 1,
                                                one.samples > 1};
        if (one.samples > 1) pass.colors[0].image.data = nullptr;
        static_cast<Target&>(pass.depth) = {
            {one.tests ? std::uint32_t{metal_texels::Depth32Float} : 0u, nullptr, 0, 0, 0, 0, 0},
            {},
            LoadAction::clear,
            false,
            false};
        ColorState colors;
        colors.colors[0] = {one.blends, 4, 5, 0, 1, 5, 0};
        DepthStencilState depth;
        depth.depthCompare = one.tests ? 3 : 7;
        depth.writesDepth = one.tests;
        const auto drawTiles = [&](int layers) {
            return leastOf(60, [&] {
                for (std::uint32_t y = 0; y < height; y += pass.tileSize()) {
                    for (std::uint32_t x = 0; x < width; x += pass.tileSize()) {
                        if (!tile.begin(pass, x, y, 0)) return;
                        const std::uint32_t perRow = (std::min(pass.tileSize(), width - x) + 1) / 2;
                        const std::uint32_t quads = perRow * ((std::min(pass.tileSize(), height - y) + 1) / 2);
                        for (int layer = 0; layer < layers; ++layer) {
                            for (std::uint32_t first = 0; first < quads; first += maxBatchQuads) {
                                batch->count = std::min(maxBatchQuads, quads - first);
                                for (std::uint32_t index = 0; index < batch->count; ++index) {
                                    const std::uint32_t quad =
                                        first + (one.isScattered ? batch->count - 1 - index : index);
                                    batch->x[index] = static_cast<std::uint16_t>(quad % perRow * 2);
                                    batch->y[index] = static_cast<std::uint16_t>(quad / perRow * 2);
                                }
                                std::fill_n(batch->coverage, 4 * batch->count, (1u << one.samples) - 1);
                                if (one.tests && !tile.test(*batch, depth, nullptr, nullptr)) continue;
                                tile.write(*batch, colors, outputs);
                            }
                        }
                        tile.end();
                    }
                }
            });
        };
        std::fill_n(batch->depth[0], maxSamples * maxBatch, 0.5f);
        const double once = drawTiles(1), more = drawTiles(5);
        std::printf("%-48s %12.3f %12.2f\n", one.name, (more - once) / 4 / (width * height), once / 1e3);
    }
}
