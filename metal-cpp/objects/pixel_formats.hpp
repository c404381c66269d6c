// SPDX-License-Identifier: MIT
//
// The pixel formats textures can have here: plain ones, of one to four channels of equal size.

#pragma once

#include <cstddef>
#include <cstdint>

#include "../Metal/MTLPixelFormat.hpp"

namespace metal_objects {

enum class ChannelKind : std::uint8_t { unorm, snorm, uint, sint, floating };

struct PixelFormat {
    std::uint8_t channels = 0;  // zero: not a format that textures can have
    std::uint8_t channelBytes = 0;
    ChannelKind kind = ChannelKind::unorm;
    bool isSrgb = false;  // of the first three channels
    bool isBgra = false;  // blue first in memory

    explicit operator bool() const { return channels != 0; }
    std::uint32_t bytes() const { return std::uint32_t{channels} * channelBytes; }
    bool isInteger() const { return kind == ChannelKind::uint || kind == ChannelKind::sint; }
};

PixelFormat pixelFormat(MTL::PixelFormat format);

/// One texel of a format that is not of integers, as linear red, green, blue, alpha.
void readTexel(PixelFormat format, const std::uint8_t* texel, float rgba[4]);
void writeTexel(PixelFormat format, std::uint8_t* texel, const float rgba[4]);

}  // namespace metal_objects
