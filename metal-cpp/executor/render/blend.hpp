// SPDX-License-Identifier: MIT
//
// Writes a fragment function's colours into a tile's columns: masked, and blended with what is there.

#pragma once

#include <cstdint>

#include "texel_columns.hpp"
#include "tile_places.hpp"

namespace metal_executor::render {

struct alignas(64) BlendScratch {
    // By component of the format.
    float stored[4][maxBatch], blended[4][maxBatch], gathered[4][maxBatch];
    // By red, green, blue, alpha.
    float source[4][maxBatch], second[4][maxBatch], constant[4][maxBatch];
    float saturated[maxBatch];
    float zeros[maxBatch], ones[maxBatch];
    std::uint32_t integerOnes[maxBatch];
    std::uint32_t masks[maxBatch];

    BlendScratch();
};

/// What one colour attachment is written with.
struct ColorWrite {
    const TexelColumns& format;
    const Blending& blending;
    const ColorState& state;
    const ColorOutput& output;
};

/// One sample of a batch: scratch.masks says which invocations are covered, `columns` are the sample's in the tile, one
/// for each component of the format.
void writeColors(const ColorWrite& write, const TilePlaces& places, std::uint32_t quads, float* const* columns,
                 BlendScratch& scratch);

}  // namespace metal_executor::render
