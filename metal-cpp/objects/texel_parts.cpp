// SPDX-License-Identifier: MIT

#include "texel_parts.hpp"

#include <cstring>

#include "../Metal/MTLBlitCommandEncoder.hpp"
#include "join.hpp"

namespace metal_objects {

std::string partOf(const TextureObject* texture, MTL::BlitOption options, TexelPart& part) {
    if (options == MTL::BlitOptionNone) return {};
    if (options != MTL::BlitOptionDepthFromDepthStencil && options != MTL::BlitOptionStencilFromDepthStencil) {
        return join("options is ", options,
                    ", must be one of MTLBlitOptionNone, DepthFromDepthStencil and StencilFromDepthStencil");
    }
    if (!texture->format.hasDepth() || !texture->format.hasStencil()) {
        return join("options is ", options, ", but the texture's pixelFormat is ", nameOf(texture->values.pixelFormat),
                    ", which has not both depths and stencils");
    }
    const std::uint32_t depthBytes = texture->values.pixelFormat == MTL::PixelFormatDepth24Unorm_Stencil8 ? 3 : 4;
    part = options == MTL::BlitOptionDepthFromDepthStencil ? TexelPart{0, depthBytes, 4} : TexelPart{depthBytes, 1, 1};
    return {};
}

std::string rowsMistake(const TextureObject* texture, const TexelPart& part, MTL::Size size, NS::UInteger bytesPerRow,
                        NS::UInteger bytesPerImage) {
    if (part.bytes == 0) return texture->rowsMistake(size, bytesPerRow, bytesPerImage);
    constexpr NS::UInteger most = NS::UInteger(1) << 48;  // as many rows and images as there can be don't wrap around
    const NS::UInteger row = size.width * part.stride;
    if (size.height > 1 && (bytesPerRow < row || bytesPerRow > most || bytesPerRow % part.stride != 0)) {
        return join("bytesPerRow(", bytesPerRow, ") must be a multiple of ", part.stride, " and >= the region's width(",
                    row, ")");
    }
    if (size.depth > 1 && (bytesPerImage < bytesPerRow * size.height || bytesPerImage > most))
        return join("bytesPerImage(", bytesPerImage, ") must be >= bytesPerRow * height(", bytesPerRow * size.height,
                    ")");
    return {};
}

metal_executor::Command copyParts(const metal_executor::CopyImage& copy, std::uint64_t width, std::uint32_t texelBytes,
                                  const TexelPart& part, bool isToBuffer) {
    return metal_executor::Call{[=] {
        const std::uint64_t toStride = isToBuffer ? part.stride : texelBytes;
        const std::uint64_t fromStride = isToBuffer ? texelBytes : part.stride;
        for (std::uint64_t row = 0; row < copy.rows * copy.images; ++row) {
            const std::uint64_t image = row / copy.rows, y = row % copy.rows;
            std::uint8_t* to = copy.to + image * copy.toBytesPerImage + y * copy.toBytesPerRow;
            const std::uint8_t* from = copy.from + image * copy.fromBytesPerImage + y * copy.fromBytesPerRow;
            if (isToBuffer) {
                std::memset(to, 0, width * toStride);
                from += part.offset;
            } else {
                to += part.offset;
            }
            for (std::uint64_t x = 0; x < width; ++x) std::memcpy(to + x * toStride, from + x * fromStride, part.bytes);
        }
    }};
}

}  // namespace metal_objects
