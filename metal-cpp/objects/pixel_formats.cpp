// SPDX-License-Identifier: MIT

#include "pixel_formats.hpp"

#include <algorithm>

namespace metal_objects {

PixelFormat::PixelFormat(MTL::PixelFormat format)
    : value_(static_cast<std::uint32_t>(format)), layout_(metal_texels::layoutOf(value_)) {}

bool PixelFormat::hasDepth() const {
    return value_ == MTL::PixelFormatDepth16Unorm || value_ == MTL::PixelFormatDepth32Float ||
           value_ == MTL::PixelFormatDepth24Unorm_Stencil8 || value_ == MTL::PixelFormatDepth32Float_Stencil8;
}

bool PixelFormat::hasStencil() const {
    return value_ == MTL::PixelFormatStencil8 || value_ == MTL::PixelFormatDepth24Unorm_Stencil8 ||
           value_ == MTL::PixelFormatX24_Stencil8 || value_ == MTL::PixelFormatDepth32Float_Stencil8 ||
           value_ == MTL::PixelFormatX32_Stencil8;
}

bool PixelFormat::isWritable() const {
    const bool isSmallFields = layout_.packed && layout_.bytes == 2;
    return !hasDepth() && !hasStencil() && !isSubsampled() && !isSmallFields;
}

bool PixelFormat::hasComponentsOf(const PixelFormat& other) const {
    return layout_.components == other.layout_.components && layout_.packed == other.layout_.packed &&
           std::ranges::equal(layout_.bits, other.layout_.bits) &&
           std::ranges::equal(layout_.order, other.layout_.order);
}

bool isCompressed(MTL::PixelFormat format) {
    return format >= MTL::PixelFormatBC1_RGBA && format <= MTL::PixelFormatASTC_12x12_HDR;
}

std::uint32_t PixelFormat::forKernels() const {
    switch (value_) {
        case MTL::PixelFormatDepth16Unorm:
            return MTL::PixelFormatR16Unorm;
        case MTL::PixelFormatDepth32Float:
            return MTL::PixelFormatR32Float;
        case MTL::PixelFormatStencil8:
            return MTL::PixelFormatR8Uint;
        default:
            return value_;
    }
}

}  // namespace metal_objects
