// SPDX-License-Identifier: MIT
//
// Cuts lines and triangles at planes: near and far, the function's own clip distances, and the guard band, beyond which
// window coordinates are too large. What lies outside of the viewport but inside the guard band is left to the tiles.

#pragma once

#include <cstdint>

#include "chunk.hpp"

namespace metal_executor::render {

// Bits of a vertex's code: which planes it lies outside of.
inline constexpr std::uint32_t outsideW = 1, outsideNear = 2, outsideFar = 4;
inline constexpr std::uint32_t outsideGuard = 8;           // four: left, right, top, bottom
inline constexpr std::uint32_t outsideUser = 128;          // eight
inline constexpr std::uint32_t mustClip = (1u << 15) - 1;  // all of these
inline constexpr std::uint32_t outsideView = 1u << 15;     // four: of the viewport, where clipping isn't needed
inline constexpr std::uint32_t notANumber = 1u << 20;

std::uint32_t codeOf(const Chunk& chunk, const ViewportFacts& viewport, std::uint32_t vertex);

/// A polygon with 3 corners and one more for each plane. Where planes nearly coincide, rounding may make it cross one
/// several times, so there is room for more, and what has none is left out.
struct ClippedPolygon {
    static constexpr unsigned most = 2 * (3 + 15);
    std::uint32_t vertex[most];
    unsigned count = 0;
};

/// Clips a triangle at the planes of `codes` (all that a corner is outside of). Corners that are new are added to the
/// chunk, with barycentric coordinates where the pipeline wants them. An empty polygon has count 0.
void clipTriangle(Chunk& chunk, const ViewportFacts& viewport, std::uint32_t codes, const std::uint32_t (&corners)[3],
                  ClippedPolygon& polygon);

/// The same for a line; false when nothing is left.
bool clipLine(Chunk& chunk, const ViewportFacts& viewport, std::uint32_t codes, std::uint32_t (&ends)[2]);

}  // namespace metal_executor::render
