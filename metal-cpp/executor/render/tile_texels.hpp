// SPDX-License-Identifier: MIT
//
// Between a texture's memory and a tile's columns: texels lie in rows there, in quads here.

#pragma once

#include <cstddef>
#include <cstdint>

#include "depth_stencil.hpp"
#include "targets.hpp"
#include "texel_columns.hpp"

namespace metal_executor::render {

/// Where a tile is in its targets, and how its columns are laid out: quadRows rows of quadsPerRow quads.
struct TileArea {
    std::uint32_t x = 0, y = 0, width = 0, height = 0, layer = 0;
    std::uint32_t quadsPerRow = 0, quadRows = 0;

    std::size_t elements() const { return std::size_t{4} * quadsPerRow * quadRows; }
};

/// Colours. `columns`: one for each component of the format.
void loadColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                float* const* columns);
void storeColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                 const float* const* columns);

/// Depths, and stencils, of textures that may hold both: the other is left as it is.
void loadDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, unsigned sample,
                float* depths);
void storeDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, unsigned sample,
                 const float* depths);
void loadStencils(const TargetImage& image, const TileArea& area, unsigned sample, std::uint32_t* stencils);
void storeStencils(const TargetImage& image, const TileArea& area, unsigned sample, const std::uint32_t* stencils);

/// Every texel of the area becomes the first one of `columns`, which has one element.
void fillColors(const TargetImage& image, const TexelColumns& format, const TileArea& area, unsigned sample,
                const float* const* columns);

}  // namespace metal_executor::render
