// SPDX-License-Identifier: MIT
//
// A part of a draw on its way from vertices to tiles. One thread makes it, any read it after that. Chunks are used
// again, so that drawing the next one allocates nothing.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "draw.hpp"
#include "pipeline_facts.hpp"
#include "primitive.hpp"

namespace metal_executor::render {

/// A viewport as vertices need it: window = scale * (x / w) + offset.
struct ViewportFacts {
    double xScale = 0, xOffset = 0, yScale = 0, yOffset = 0, zScale = 0, zOffset = 0;
    float least = 0, most = 1;  // depth
    PixelRect pixels;           // that may be drawn to: viewport, scissor and area of the pass
    // Clip coordinates beyond these multiples of w leave the guard band.
    float guardX[2] = {-1, 1}, guardY[2] = {-1, 1};
};

/// A draw whose range is known.
struct PlannedDraw {
    const Draw* draw = nullptr;
    const PipelineFacts* facts = nullptr;
    DrawRange range;
    std::vector<ViewportFacts> viewports;

    unsigned verticesPerPrimitive() const {
        switch (draw->primitive) {
            case PrimitiveKind::point:
                return 1;
            case PrimitiveKind::line:
            case PrimitiveKind::lineStrip:
                return 2;
            default:
                return 3;
        }
    }
    bool isStrip() const {
        return draw->primitive == PrimitiveKind::lineStrip || draw->primitive == PrimitiveKind::triangleStrip;
    }
};

/// Which primitives of a draw: those that begin at positions `first` ... `first + count - 1` of its vertices (or
/// indices), in instances `instance` ... `instance + instances - 1`.
struct ChunkRange {
    std::uint32_t instance = 0, instances = 1;
    std::uint32_t first = 0, count = 0;
    std::uint32_t stripStart = 0;      // where the strip begins that `first` belongs to
    std::uint32_t firstPrimitive = 0;  // its number
};

/// Primitives that touch one tile: a range of Chunk::tilePrimitives.
struct TileSlice {
    std::uint32_t tile, first, count;
};

struct Chunk {
    const PlannedDraw* plan = nullptr;
    ChunkRange range;

    // The vertex function's outputs, one column after the other, `stride` elements apart. Vertices that clipping makes
    // follow those of the draw. Three more columns hold barycentric coordinates where the pipeline wants them.
    std::vector<std::uint32_t> values;
    std::uint32_t stride = 0, vertexCount = 0, columnCount = 0;

    std::vector<Primitive> primitives;
    std::vector<std::uint32_t> tilePrimitives;
    std::vector<TileSlice> slices;  // by tile

    std::uint32_t* column(std::uint32_t number) { return values.data() + std::size_t{number} * stride; }
    const std::uint32_t* column(std::uint32_t number) const { return values.data() + std::size_t{number} * stride; }
    float* reals(std::uint32_t number) { return reinterpret_cast<float*>(column(number)); }
    const float* reals(std::uint32_t number) const { return reinterpret_cast<const float*>(column(number)); }

    /// Room for `count` vertices; keeps those that are there.
    void reserve(std::uint32_t count);
    /// One more vertex; the columns may move.
    std::uint32_t addVertex();
};

}  // namespace metal_executor::render
