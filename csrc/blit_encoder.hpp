// SPDX-License-Identifier: MIT

#pragma once

#include <Metal/Metal.hpp>
#include <memory>
#include <optional>

#include "command_encoder.hpp"
#include "types.hpp"

namespace mtlpy {

/// A blit encoder that checks what Metal would stop the program for.
class BlitEncoder : public Encoder<MTL::BlitCommandEncoder> {
public:
    using Encoder::Encoder;

    void copyBuffer(MTL::Buffer& source, std::int64_t sourceOffset, MTL::Buffer& destination,
                    std::int64_t destinationOffset, std::int64_t size);
    void fillBuffer(MTL::Buffer& buffer, const RangeLike& range, std::int64_t value);

    /// One slice, one level; all of it when no region is given.
    void copyToTexture(MTL::Buffer& source, std::int64_t offset, std::int64_t bytesPerRow, std::int64_t bytesPerImage,
                       MTL::Texture& destination, std::int64_t slice, std::int64_t level,
                       const std::optional<RegionLike>& region, MTL::BlitOption options = MTL::BlitOptionNone);
    void copyFromTexture(MTL::Texture& source, std::int64_t slice, std::int64_t level,
                         const std::optional<RegionLike>& region, MTL::Buffer& destination, std::int64_t offset,
                         std::int64_t bytesPerRow, std::int64_t bytesPerImage,
                         MTL::BlitOption options = MTL::BlitOptionNone);

    void checkBuffer(const char* where, const char* name, MTL::Buffer& buffer);
    void checkTexture(const char* where, const char* name, MTL::Texture& texture);
};

std::shared_ptr<BlitEncoder> newBlitEncoder(CommandBuffer& commandBuffer);

}  // namespace mtlpy
