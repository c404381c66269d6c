// SPDX-License-Identifier: MIT

#include "pixel_format.hpp"

namespace mtlpy {

namespace {

/// Metal numbers its formats by size: each range of numbers holds formats of one size.
struct Range {
    MTL::PixelFormat first, last;
    NS::UInteger bytes;
};

constexpr Range ranges[] = {
    {MTL::PixelFormatA8Unorm, MTL::PixelFormatA8Unorm, 1},
    {MTL::PixelFormatR8Unorm, MTL::PixelFormatR8Sint, 1},
    {MTL::PixelFormatR16Unorm, MTL::PixelFormatBGR5A1Unorm, 2},
    {MTL::PixelFormatR32Uint, MTL::PixelFormatBGR10A2Unorm, 4},
    {MTL::PixelFormatRG32Uint, MTL::PixelFormatRGBA16Float, 8},
    {MTL::PixelFormatRGBA32Uint, MTL::PixelFormatRGBA32Float, 16},
    {MTL::PixelFormatGBGR422, MTL::PixelFormatBGRG422, 2},
    {MTL::PixelFormatDepth16Unorm, MTL::PixelFormatDepth16Unorm, 2},
    {MTL::PixelFormatDepth32Float, MTL::PixelFormatDepth32Float, 4},
    {MTL::PixelFormatStencil8, MTL::PixelFormatStencil8, 1},
    {MTL::PixelFormatDepth24Unorm_Stencil8, MTL::PixelFormatDepth24Unorm_Stencil8, 4},
    {MTL::PixelFormatDepth32Float_Stencil8, MTL::PixelFormatX32_Stencil8, 8},
    {MTL::PixelFormatX24_Stencil8, MTL::PixelFormatX24_Stencil8, 4},
    {MTL::PixelFormatBGRA10_XR, MTL::PixelFormatBGRA10_XR_sRGB, 8},
    {MTL::PixelFormatBGR10_XR, MTL::PixelFormatBGR10_XR_sRGB, 4},
};

}  // namespace

NS::UInteger pixelFormatBytes(MTL::PixelFormat format) {
    for (const Range& range : ranges)
        if (format >= range.first && format <= range.last) return range.bytes;
    return 0;
}

}  // namespace mtlpy
