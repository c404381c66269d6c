// SPDX-License-Identifier: MIT
//
// Edge functions of triangles, exact: whether a sample is covered is decided by 64-bit integers, and whether one that
// lies on an edge is by the top-left rule, so that triangles that share an edge cover each sample once.
//
// The function of the edge from p to q at s is the cross product of q - p and s - p, in units of 1/65536 square pixels.
// Samples of neighbouring pixels are 256 units apart, so dividing it by 256 and rounding down keeps its sign, and from
// pixel to pixel it changes by whole numbers `a` and `b` that fit into 32 bits.

#pragma once

#include <algorithm>
#include <cstdint>

#include "primitive.hpp"

namespace metal_executor::render {

struct Edge {
    std::int32_t a, b;
    std::int64_t c;

    /// From (x0, y0) to (x1, y1), for the sample at (sx, sy) in each pixel. The inside is on the right hand, as of a
    /// triangle that goes clockwise on the screen.
    static Edge between(std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1, std::int32_t sx,
                        std::int32_t sy) {
        Edge edge;
        edge.a = y0 - y1;
        edge.b = x1 - x0;
        // Left edges go up; top edges are level and go right.
        const bool isTopLeft = edge.a > 0 || (edge.a == 0 && edge.b > 0);
        edge.c =
            (std::int64_t{edge.a} * (sx - x0) + std::int64_t{edge.b} * (sy - y0) - (isTopLeft ? 0 : 1)) >> subpixelBits;
        return edge;
    }

    /// Not negative where the pixel's sample is inside.
    std::int64_t at(std::int32_t x, std::int32_t y) const { return std::int64_t{a} * x + std::int64_t{b} * y + c; }

    /// The greatest and the least of a rectangle that is not empty.
    std::int64_t most(const PixelRect& r) const { return at(a > 0 ? r.x1 - 1 : r.x0, b > 0 ? r.y1 - 1 : r.y0); }
    std::int64_t least(const PixelRect& r) const { return at(a > 0 ? r.x0 : r.x1 - 1, b > 0 ? r.y0 : r.y1 - 1); }
};

/// Twice the area; positive where the corners go clockwise on the screen.
inline std::int64_t doubleArea(const std::int32_t (&x)[3], const std::int32_t (&y)[3]) {
    return std::int64_t{x[1] - x[0]} * (y[2] - y[0]) - std::int64_t{x[2] - x[0]} * (y[1] - y[0]);
}

/// Where samples are in a pixel, in fixed-point numbers.
struct SampleGrid {
    unsigned count = 1;
    std::int32_t x[8] = {subpixels / 2}, y[8] = {subpixels / 2};

    SampleGrid() = default;
    /// `positions`: x and y of each, from 0 to less than 1.
    SampleGrid(const float* positions, unsigned sampleCount) : count(sampleCount) {
        for (unsigned i = 0; i < count; ++i) {
            x[i] = std::min(static_cast<std::int32_t>(positions[2 * i] * subpixels + 0.5f), subpixels - 1);
            y[i] = std::min(static_cast<std::int32_t>(positions[2 * i + 1] * subpixels + 0.5f), subpixels - 1);
        }
    }
    std::uint32_t all() const { return (1u << count) - 1; }
};

}  // namespace metal_executor::render
