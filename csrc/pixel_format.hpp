// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>

namespace mtlpy {

/// Bytes of a texel; 0 for compressed, packed-in-pairs and unknown formats, whose rows have no bytes per texel.
NS::UInteger pixelFormatBytes(MTL::PixelFormat format);

}  // namespace mtlpy
