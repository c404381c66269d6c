// SPDX-License-Identifier: MIT
//
// Copies the depths or the stencils alone of texels that have both.

#pragma once

#include <string>

#include "../executor/command.hpp"
#include "texture.hpp"

namespace metal_objects {

/// Some bytes of each texel, and how many a row in a buffer has for them: what is more is zero.
struct TexelPart {
    std::uint32_t offset = 0, bytes = 0, stride = 0;
};

/// Empty, or why a copy of such a texture's texels cannot have these options. Without options `part` has no bytes: then
/// whole texels are copied.
std::string partOf(const TextureObject* texture, MTL::BlitOption options, TexelPart& part);

/// As TextureObject::rowsMistake().
std::string rowsMistake(const TextureObject* texture, const TexelPart& part, MTL::Size size, NS::UInteger bytesPerRow,
                        NS::UInteger bytesPerImage);

/// `copy` is of rows of as many texels as `width`; one of its sides is a texture, the other a buffer.
metal_executor::Command copyParts(const metal_executor::CopyImage& copy, std::uint64_t width, std::uint32_t texelBytes,
                                  const TexelPart& part, bool isToBuffer);

}  // namespace metal_objects
