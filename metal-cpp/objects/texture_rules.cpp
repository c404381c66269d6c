// SPDX-License-Identifier: MIT

#include "texture_rules.hpp"

#include <algorithm>
#include <sstream>

namespace metal_objects {

namespace {

constexpr NS::UInteger maxSize = 16384;
constexpr NS::UInteger maxSize3D = 2048;
constexpr NS::UInteger maxBufferWidth = 1u << 28;
constexpr NS::UInteger maxArrayLength = 2048;
/// More than any image has; as many rows and images as there can be don't make it wrap around.
constexpr NS::UInteger maxStride = NS::UInteger(1) << 48;

bool isOneDimensional(MTL::TextureType type) {
    return type == MTL::TextureType1D || type == MTL::TextureType1DArray || type == MTL::TextureTypeTextureBuffer;
}

NS::UInteger maxLevels(const TextureValues& values) {
    if (isOneDimensional(values.textureType) || isMultisample(values.textureType)) return 1;
    NS::UInteger levels = 1;
    const NS::UInteger depth = values.textureType == MTL::TextureType3D ? values.depth : 1;
    for (NS::UInteger size = std::max({values.width, values.height, depth}); size > 1; size /= 2) ++levels;
    return levels;
}

std::string formatMistake(MTL::PixelFormat format) {
    const std::string text = "pixelFormat is " + nameOf(format) + ", ";
    if (isCompressed(format)) return text + "a compressed format, which this device has no textures of";
    return text + "which this device has no textures of";
}

}  // namespace

bool isArray(MTL::TextureType type) {
    return type == MTL::TextureType1DArray || type == MTL::TextureType2DArray || type == MTL::TextureTypeCubeArray ||
           type == MTL::TextureType2DMultisampleArray;
}

bool isMultisample(MTL::TextureType type) {
    return type == MTL::TextureType2DMultisample || type == MTL::TextureType2DMultisampleArray;
}

bool isMemoryless(const TextureValues& values) {
    return storageModeOf(values.options) == MTL::StorageModeMemoryless;
}

bool isCube(MTL::TextureType type) {
    return type == MTL::TextureTypeCube || type == MTL::TextureTypeCubeArray;
}

std::string descriptorMistake(const TextureValues& values) {
    std::ostringstream text;
    const auto check = [&](bool isRight, const char* name, NS::UInteger value, const std::string& allowed) {
        if (!isRight && text.str().empty()) text << name << " is " << value << ", " << allowed;
    };
    const auto limit = [](const char* what, NS::UInteger value) { return what + std::to_string(value); };
    const bool is3D = values.textureType == MTL::TextureType3D;
    const NS::UInteger most = is3D ? maxSize3D : maxSize;
    const PixelFormat format(values.pixelFormat);
    if (!format) return formatMistake(values.pixelFormat);
    check(values.textureType <= MTL::TextureTypeTextureBuffer, "textureType", values.textureType,
          "which this device does not have");
    check(!(format.hasDepth() || format.hasStencil()) || !(is3D || isOneDimensional(values.textureType)), "textureType",
          values.textureType, "a texture of depths or stencils is 2D or a cube");
    if (format.isSubsampled()) {
        check(values.textureType == MTL::TextureType2D, "textureType", values.textureType,
              "a texture whose texels share components is 2D");
        check(values.width % 2 == 0, "width", values.width, "must be even, since two texels share components");
        check(values.mipmapLevelCount == 1, "mipmapLevelCount", values.mipmapLevelCount,
              "must be 1, since two texels share components");
        check(!(values.usage & MTL::TextureUsageRenderTarget), "usage", values.usage,
              "of which drawing is not possible, since two texels share components");
    }
    check(format.isWritable() || !(values.usage & MTL::TextureUsageShaderWrite), "usage", values.usage,
          "of which MTLTextureUsageShaderWrite is not possible: kernels cannot write " + nameOf(values.pixelFormat));
    const bool isWide = values.textureType == MTL::TextureTypeTextureBuffer;
    const NS::UInteger widest = isWide ? maxBufferWidth : most;
    check(values.width >= 1 && values.width <= widest, "width", values.width, limit("must be 1 to ", widest));
    check(values.height >= 1 && values.height <= most, "height", values.height, limit("must be 1 to ", most));
    check(values.depth >= 1 && values.depth <= maxSize3D, "depth", values.depth, limit("must be 1 to ", maxSize3D));
    check(is3D || values.depth == 1, "depth", values.depth, "only a 3D texture has more than 1");
    check(!isOneDimensional(values.textureType) || values.height == 1, "height", values.height,
          "a 1D texture has height 1");
    check(!isCube(values.textureType) || values.width == values.height, "height", values.height,
          "a cube's is its width");
    check(values.arrayLength >= 1 && values.arrayLength <= maxArrayLength, "arrayLength", values.arrayLength,
          limit("must be 1 to ", maxArrayLength));
    check(isArray(values.textureType) || values.arrayLength == 1, "arrayLength", values.arrayLength,
          "only array types have more than 1");
    check(values.mipmapLevelCount >= 1 && values.mipmapLevelCount <= maxLevels(values), "mipmapLevelCount",
          values.mipmapLevelCount, limit("must be 1 to ", maxLevels(values)));
    if (isMultisample(values.textureType)) {
        const NS::UInteger samples = values.sampleCount;
        check(samples == 2 || samples == 4 || samples == 8, "sampleCount", samples, "must be 2, 4 or 8");
    } else {
        check(values.sampleCount == 1, "sampleCount", values.sampleCount, "only multisampled types have more than 1");
    }
    const auto isChannel = [](MTL::TextureSwizzle channel) { return channel <= MTL::TextureSwizzleAlpha; };
    const MTL::TextureSwizzleChannels& swizzle = values.swizzle;
    for (const auto& [name, channel] :
         {std::pair{"swizzle.red", swizzle.red}, std::pair{"swizzle.green", swizzle.green},
          std::pair{"swizzle.blue", swizzle.blue}, std::pair{"swizzle.alpha", swizzle.alpha}}) {
        check(isChannel(channel), name, channel, limit("must be 0 to ", MTL::TextureSwizzleAlpha));
    }
    const bool isPlain = metal_texels::swizzleBits({swizzle.red, swizzle.green, swizzle.blue, swizzle.alpha}) == 0;
    check(isPlain || !(values.usage & (MTL::TextureUsageShaderWrite | MTL::TextureUsageRenderTarget)), "usage",
          values.usage, "of which writing is not possible with a swizzle");
    if (isMemoryless(values)) {
        check(values.usage == MTL::TextureUsageRenderTarget, "usage", values.usage,
              "of a memoryless texture, which is in a pass' tiles only: must be MTLTextureUsageRenderTarget alone");
        check(values.textureType == MTL::TextureType2D || values.textureType == MTL::TextureType2DArray ||
                  isMultisample(values.textureType),
              "textureType", values.textureType, "a memoryless texture is 2D");
        check(values.mipmapLevelCount == 1, "mipmapLevelCount", values.mipmapLevelCount,
              "a memoryless texture has one level");
    }
    constexpr MTL::ResourceOptions storageMode = 0xf0;  // in which memoryless is known of textures alone
    check(isStorage(isMemoryless(values) ? values.options & ~storageMode : values.options), "resourceOptions",
          values.options, "of which some are not known");
    return text.str();
}

std::string TextureObject::regionMistake(MTL::Origin origin, MTL::Size size, NS::UInteger level,
                                         NS::UInteger slice) const {
    std::ostringstream text;
    if (isMemoryless(values)) return "the texture is memoryless: only a render pass that draws into it has its texels";
    if (level >= values.mipmapLevelCount) {
        text << "level(" << level << ") must be < mipmapLevelCount(" << values.mipmapLevelCount << ")";
        return text.str();
    }
    if (slice >= sliceCount()) {
        text << "slice(" << slice << ") must be < the number of slices(" << sliceCount() << ")";
        return text.str();
    }
    const MTL::Size whole = levelSize(level);
    const auto check = [&](const char* name, NS::UInteger begin, NS::UInteger length, NS::UInteger limit) {
        if (!text.str().empty()) return;
        if (length == 0) text << "region's " << name << "(0) must be > 0";
        if (length > limit || begin > limit - length) {
            text << "region's origin(" << begin << ") + " << name << "(" << length << ") must be <= the texture's("
                 << limit << ")";
        }
    };
    if (format.isSubsampled() && (origin.x % 2 != 0 || size.width % 2 != 0)) {
        text << "region's origin(" << origin.x << ") and width(" << size.width
             << ") must be even, since two texels share components";
    }
    check("width", origin.x, size.width, whole.width);
    check("height", origin.y, size.height, whole.height);
    check("depth", origin.z, size.depth, whole.depth);
    return text.str();
}

std::string TextureObject::rowsMistake(MTL::Size size, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) const {
    std::ostringstream text;
    const NS::UInteger row = size.width * format.bytes();
    if (size.height * size.depth > 1 && bytesPerRow > maxStride) {
        text << "bytesPerRow(" << bytesPerRow << ") must be <= " << maxStride;
    } else if (size.depth > 1 && bytesPerImage > maxStride) {
        text << "bytesPerImage(" << bytesPerImage << ") must be <= " << maxStride;
    } else if (size.height * size.depth > 1 && bytesPerRow < row) {
        text << "bytesPerRow(" << bytesPerRow << ") must be >= the region's width in bytes(" << row << ")";
    } else if (bytesPerRow % format.granularity() != 0) {
        text << "bytesPerRow(" << bytesPerRow << ") must be a multiple of the pixel's channel(" << format.granularity()
             << ")";
    } else if (size.depth > 1 && bytesPerImage < bytesPerRow * size.height) {
        text << "bytesPerImage(" << bytesPerImage << ") must be >= bytesPerRow * height(" << bytesPerRow * size.height
             << ")";
    }
    return text.str();
}

}  // namespace metal_objects
