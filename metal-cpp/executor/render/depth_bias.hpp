// SPDX-License-Identifier: MIT
//
// What setDepthBias adds to a primitive's depths: depthBias units of the depth format, and slopeScale times the
// greatest change of depth from one pixel to the next, clamped.

#pragma once

#include <cstdint>

#include "draw.hpp"
#include "primitive.hpp"

namespace metal_executor::render {

/// Of a triangle; `area` is doubleArea(), positive.
float depthSlope(const Primitive& primitive, std::int64_t area);

/// `depthFormat`: MTL::PixelFormat, 0 where there is no depth attachment.
float depthBias(const RasterState& raster, std::uint32_t depthFormat, const Primitive& primitive, float slope);

}  // namespace metal_executor::render
