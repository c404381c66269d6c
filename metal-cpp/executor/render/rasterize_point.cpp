// SPDX-License-Identifier: MIT
//
// Points are squares: a sample is covered when it is inside, or on the left or the upper side.

#include <algorithm>
#include <cstdint>

#include "rasterize.hpp"

namespace metal_executor::render {
namespace {

/// A half open range of pixels along an axis whose samples (at `sample`) lie from `begin` to before `end`, in halves of
/// a subpixel.
struct Range {
    std::int32_t begin, end;
};

std::int32_t upwards(std::int64_t number) {
    constexpr std::int64_t pixel = 2 * subpixels;
    return static_cast<std::int32_t>((number + pixel - 1) >> (subpixelBits + 1));
}

Range rangeOf(std::int32_t middle, std::int32_t size, std::int32_t sample) {
    const std::int64_t begin = std::int64_t{middle} * 2 - size - std::int64_t{sample} * 2;
    return {upwards(begin), upwards(begin + std::int64_t{size} * 2)};
}

}  // namespace

void rasterizePoint(const Primitive& point, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker) {
    PixelRect covered[8], all{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (unsigned s = 0; s < samples.count; ++s) {
        const Range columns = rangeOf(point.x[0], point.x[1], samples.x[s]);
        const Range rows = rangeOf(point.y[0], point.x[1], samples.y[s]);
        covered[s] = intersect({columns.begin, rows.begin, columns.end, rows.end}, pixels);
        if (covered[s].isEmpty()) continue;
        all = {std::min(all.x0, covered[s].x0), std::min(all.y0, covered[s].y0), std::max(all.x1, covered[s].x1),
               std::max(all.y1, covered[s].y1)};
    }
    if (all.isEmpty()) return;
    for (std::int32_t y = all.y0 & ~1; y < all.y1; y += 2) {
        for (std::int32_t x = all.x0 & ~1; x < all.x1; x += 2) {
            std::uint32_t coverage[4];
            for (int k = 0; k < 4; ++k) {
                const PixelRect pixel{x + k % 2, y + k / 2, x + k % 2 + 1, y + k / 2 + 1};
                coverage[k] = 0;
                for (unsigned s = 0; s < samples.count; ++s)
                    coverage[k] |= static_cast<std::uint32_t>(covered[s].contains(pixel)) << s;
            }
            if ((coverage[0] | coverage[1] | coverage[2] | coverage[3]) != 0) taker.take(x, y, coverage);
        }
    }
}

}  // namespace metal_executor::render
