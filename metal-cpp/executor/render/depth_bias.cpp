// SPDX-License-Identifier: MIT

#include "depth_bias.hpp"

#include <algorithm>
#include <cmath>

namespace metal_executor::render {
namespace {

// MTL::PixelFormat
constexpr std::uint32_t depth16Unorm = 250, depth24UnormStencil8 = 255;

/// The least difference of depths that the format has near the primitive.
float unitOf(std::uint32_t format, const Primitive& primitive) {
    if (format == depth16Unorm) return 0x1p-16f;
    if (format == depth24UnormStencil8) return 0x1p-24f;
    const float most = std::max({std::fabs(primitive.z[0]), std::fabs(primitive.z[1]), std::fabs(primitive.z[2])});
    int exponent = 0;
    std::frexp(most, &exponent);
    return std::ldexp(1.0f, std::max(exponent - 24, -126));
}

}  // namespace

float depthSlope(const Primitive& p, std::int64_t area) {
    const double scale = double{subpixels} / static_cast<double>(area);
    const double z1 = double{p.z[1]} - p.z[0], z2 = double{p.z[2]} - p.z[0];
    const double x1 = p.x[1] - p.x[0], x2 = p.x[2] - p.x[0], y1 = p.y[1] - p.y[0], y2 = p.y[2] - p.y[0];
    const double alongX = (z1 * y2 - z2 * y1) * scale, alongY = (z2 * x1 - z1 * x2) * scale;
    return static_cast<float>(std::max(std::fabs(alongX), std::fabs(alongY)));
}

float depthBias(const RasterState& raster, std::uint32_t depthFormat, const Primitive& primitive, float slope) {
    if (raster.depthBias == 0 && raster.depthSlopeScale == 0) return 0;
    float bias = raster.depthBias * unitOf(depthFormat, primitive) + raster.depthSlopeScale * slope;
    if (raster.depthBiasClamp > 0) bias = std::min(bias, raster.depthBiasClamp);
    if (raster.depthBiasClamp < 0) bias = std::max(bias, raster.depthBiasClamp);
    return bias;
}

}  // namespace metal_executor::render
