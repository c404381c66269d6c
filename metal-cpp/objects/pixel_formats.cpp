// SPDX-License-Identifier: MIT

#include "pixel_formats.hpp"

namespace metal_objects {

PixelFormat::PixelFormat(MTL::PixelFormat format)
    : value_(static_cast<std::uint32_t>(format)), layout_(metal_texels::layoutOf(value_)) {}

bool PixelFormat::hasDepth() const {
    return value_ == MTL::PixelFormatDepth16Unorm || value_ == MTL::PixelFormatDepth32Float ||
           value_ == MTL::PixelFormatDepth32Float_Stencil8;
}

bool PixelFormat::hasStencil() const {
    return value_ == MTL::PixelFormatStencil8 || value_ == MTL::PixelFormatDepth32Float_Stencil8 ||
           value_ == MTL::PixelFormatX32_Stencil8;
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
