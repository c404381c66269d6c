// SPDX-License-Identifier: MIT
//
// From assembled primitives to primitives in window coordinates, sorted by the tiles that they touch: clipping, the
// viewport, culling, depth bias.

#pragma once

#include <cstdint>
#include <vector>

#include "assembly.hpp"
#include "chunk.hpp"
#include "clipping.hpp"
#include "edges.hpp"

namespace metal_executor::render {

/// How the area of a pass is cut into tiles.
struct TileGrid {
    std::uint32_t width = 0, height = 0, size = 64;  // pixels
    std::uint32_t columns = 0, rows = 0, layers = 1;
    std::uint32_t depthFormat = 0;  // MTL::PixelFormat, what a unit of depth bias depends on

    std::uint32_t count() const { return columns * rows * layers; }
    PixelRect rect(std::uint32_t tile) const;  // cut at the area's edges
    std::uint32_t layer(std::uint32_t tile) const { return tile / (columns * rows); }
};

/// Of one thread; its memory is used again.
class PrimitiveSetup {
public:
    void run(Chunk& chunk, const Assembly& assembly, const TileGrid& grid, const SampleGrid& samples);

private:
    struct WindowVertex {
        std::int32_t x, y;
        float z, inverseW;
    };

    void addPoint(const AssembledPrimitive& from);
    void addLine(std::uint32_t first, std::uint32_t second, const Primitive& like);
    void addTriangle(const AssembledPrimitive& from);
    void addClipped(const AssembledPrimitive& from, std::uint32_t codes, Primitive& like);
    void addOutline(const AssembledPrimitive& from, Primitive& like);
    bool isCulled(bool isClockwise, Primitive& like) const;
    void addCorners(const std::uint32_t (&corners)[3], Primitive& like);
    void add(const Primitive& primitive);
    bool touches(const Primitive& primitive, const PixelRect& pixels) const;
    void sortByTile();

    Primitive begin(const AssembledPrimitive& from);
    const ViewportFacts& viewportOf(const Primitive& primitive) const {
        return chunk_->plan->viewports[primitive.viewport];
    }
    std::uint32_t code(std::uint32_t vertex, const Primitive& like) const;
    WindowVertex window(std::uint32_t vertex, const Primitive& like) const;
    float biasOf(const Primitive& primitive, float slope) const;
    float slopeOf(const Primitive& primitive, std::int64_t area) const;

    Chunk* chunk_ = nullptr;
    const TileGrid* grid_ = nullptr;
    const SampleGrid* samples_ = nullptr;
    std::vector<std::uint32_t> codes_;    // of the draw's vertices, where they share a viewport
    std::vector<WindowVertex> vertices_;  // the same
    struct Touch {
        std::uint32_t tile, primitive;
    };
    std::vector<Touch> touches_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace metal_executor::render
