// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <optional>

#include "handle.hpp"
#include "types.hpp"

namespace mtlpy {

/// Throws a ValidationError for a descriptor that Metal would refuse, and a ResourceError when there is no memory.
NS::SharedPtr<MTL::Texture> newTexture(MTL::Device& device, MTL::TextureDescriptor& descriptor);

/// One on the bytes of a buffer.
NS::SharedPtr<MTL::Texture> newTextureOnBuffer(MTL::Buffer& buffer, MTL::TextureDescriptor& descriptor,
                                               std::int64_t offset, std::int64_t bytesPerRow);

/// Level and slice of a texture, checked, and a region that lies within: all of it when none is given.
struct TexturePart {
    TexturePart(const char* where, MTL::Texture& texture, const std::optional<RegionLike>& region, std::int64_t level,
                std::int64_t slice);

    MTL::Region region;
    NS::UInteger level = 0, slice = 0;
};

/// Layout of texels in memory outside of a texture, checked against the bytes that are there.
struct TexelLayout {
    /// Zero for a row or image means: tight. `options`: of which part of each texel.
    TexelLayout(const char* where, MTL::Texture& texture, const MTL::Region& region, std::int64_t bytesPerRow,
                std::int64_t bytesPerImage, MTL::BlitOption options = MTL::BlitOptionNone);

    NS::UInteger bytesPerRow = 0, bytesPerImage = 0;
    NS::UInteger size = 0;  // from the first texel to past the last
};

}  // namespace mtlpy
