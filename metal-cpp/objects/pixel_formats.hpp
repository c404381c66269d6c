// SPDX-License-Identifier: MIT
//
// The pixel formats textures can have here: all but compressed ones.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../Metal/MTLPixelFormat.hpp"
#include "../executor/texel_formats.hpp"

namespace metal_objects {

/// "MTLPixelFormatRGBA8Unorm".
std::string nameOf(MTL::PixelFormat format);

bool isCompressed(MTL::PixelFormat format);

class PixelFormat {
public:
    PixelFormat() = default;
    explicit PixelFormat(MTL::PixelFormat format);

    /// Whether textures can have it.
    explicit operator bool() const { return layout_.bytes != 0; }
    std::uint32_t bytes() const { return layout_.bytes; }

    /// What rows of texels are a multiple of: a channel, or the texel where channels are no bytes of their own.
    std::uint32_t granularity() const { return layout_.packed ? layout_.bytes : layout_.bits[0] / 8u; }
    /// Two texels of a row share components.
    bool isSubsampled() const { return layout_.kind == metal_texels::subsampled; }
    bool isInteger() const { return layout_.isInteger(); }
    bool isSigned() const { return layout_.kind == metal_texels::sint; }
    bool hasDepth() const;
    bool hasStencil() const;

    /// Whether kernels can write such texels: not depths, stencils, or small fields of one 16-bit number.
    bool isWritable() const;

    /// Whether filters, and so smaller levels, can be made of such texels.
    bool isFilterable() const { return *this && !isInteger() && !hasDepth() && !isSubsampled(); }

    /// Whether its components are as many, as large and in the same order: then a view needs no leave.
    bool hasComponentsOf(const PixelFormat& other) const;

    /// The format that kernels are told: of those with one layout the common one.
    std::uint32_t forKernels() const;

    /// One texel of a format that is not of integers, as linear red, green, blue, alpha.
    void read(const std::uint8_t* texel, float rgba[4]) const { metal_texels::loadReal(value_, texel, rgba); }
    void write(std::uint8_t* texel, const float rgba[4]) const { metal_texels::storeReal(value_, texel, rgba); }

private:
    std::uint32_t value_ = 0;
    metal_texels::Layout layout_;
};

}  // namespace metal_objects
