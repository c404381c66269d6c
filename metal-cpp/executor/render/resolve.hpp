// SPDX-License-Identifier: MIT
//
// From a tile's samples to one texel for each pixel.

#pragma once

#include "tile_texels.hpp"

namespace metal_executor::render {

/// The mean of the samples, as the format has them; of integers sample 0. `samples[s]` are the columns of sample s.
void resolveColors(const TargetImage& image, const TexelColumns& format, const TileArea& area,
                   const float* const (*samples)[4], unsigned sampleCount);

/// Depths: `chosen` gets the sample that each depth is of.
void resolveDepths(const TargetImage& image, const DepthUnits& units, const TileArea& area, const float* const* samples,
                   unsigned sampleCount, ResolveFilter filter, std::uint8_t* chosen);

/// Stencils of the chosen samples; `chosen` null: of sample 0.
void resolveStencils(const TargetImage& image, const TileArea& area, const std::uint32_t* const* samples,
                     const std::uint8_t* chosen);

}  // namespace metal_executor::render
