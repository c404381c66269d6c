// SPDX-License-Identifier: MIT
//
// Which samples of which pixels a primitive covers: quads of 2x2 pixels for the fragment stage.

#pragma once

#include <cstdint>

#include "edges.hpp"
#include "primitive.hpp"

namespace metal_executor::render {

/// Takes quads in order. `x` and `y` are even, in pixels of the target; `coverage` has a bit for each sample of the
/// pixels (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1).
class QuadTaker {
public:
    virtual void take(std::int32_t x, std::int32_t y, const std::uint32_t (&coverage)[4]) = 0;
    /// All samples of the pixels of a block, whose sides are even.
    virtual void takeBlock(const PixelRect& block, std::uint32_t all) {
        const std::uint32_t coverage[4] = {all, all, all, all};
        for (std::int32_t y = block.y0; y < block.y1; y += 2) {
            for (std::int32_t x = block.x0; x < block.x1; x += 2) take(x, y, coverage);
        }
    }

protected:
    ~QuadTaker() = default;
};

/// Every quad of which a sample inside of `pixels` is covered; what is outside of them is not covered.
void rasterize(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker);

void rasterizeTriangle(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples,
                       QuadTaker& taker);
void rasterizeLine(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker);
void rasterizePoint(const Primitive& primitive, const PixelRect& pixels, const SampleGrid& samples, QuadTaker& taker);

/// The same for a convex polygon with up to 4 corners, clockwise on the screen.
void rasterizePolygon(const std::int32_t* x, const std::int32_t* y, unsigned corners, const PixelRect& pixels,
                      const SampleGrid& samples, QuadTaker& taker);

}  // namespace metal_executor::render
