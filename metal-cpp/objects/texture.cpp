// SPDX-License-Identifier: MIT

#include "texture.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "buffer.hpp"
#include "error.hpp"

namespace metal_objects {

namespace {

constexpr NS::UInteger maxSize = 16384;
constexpr NS::UInteger maxSize3D = 2048;
constexpr NS::UInteger maxBufferWidth = 1u << 28;
constexpr NS::UInteger maxArrayLength = 2048;
constexpr NS::UInteger linearAlignment = 16;
constexpr NS::UInteger levelAlignment = 64;

bool isArray(MTL::TextureType type) {
    return type == MTL::TextureType1DArray || type == MTL::TextureType2DArray || type == MTL::TextureTypeCubeArray ||
           type == MTL::TextureType2DMultisampleArray;
}

bool isMultisample(MTL::TextureType type) {
    return type == MTL::TextureType2DMultisample || type == MTL::TextureType2DMultisampleArray;
}

bool isCube(MTL::TextureType type) {
    return type == MTL::TextureTypeCube || type == MTL::TextureTypeCubeArray;
}

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

/// Empty, or what Metal's validation would say of a descriptor.
std::string descriptorMistake(const TextureValues& values) {
    std::ostringstream text;
    const auto check = [&](bool isRight, const char* name, NS::UInteger value, const std::string& allowed) {
        if (!isRight && text.str().empty()) text << name << " is " << value << ", " << allowed;
    };
    const auto limit = [](const char* what, NS::UInteger value) { return what + std::to_string(value); };
    const bool is3D = values.textureType == MTL::TextureType3D;
    const NS::UInteger most = is3D ? maxSize3D : maxSize;
    const PixelFormat format(values.pixelFormat);
    check(bool(format), "pixelFormat", values.pixelFormat, "which this device has no textures of");
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
        check(!(values.usage & (MTL::TextureUsageShaderWrite | MTL::TextureUsageRenderTarget)), "usage", values.usage,
              "of which writing is not possible, since two texels share components");
    }
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
    check(isStorage(values.options), "resourceOptions", values.options, "of which some are not known");
    return text.str();
}

}  // namespace

TextureObject::TextureObject(const MTL::Device* device, const TextureValues& values)
    : ResourcePart(device, values.options), values(values), format(values.pixelFormat) {
    const MTL::TextureSwizzleChannels& swizzle = values.swizzle;
    handle.pixel_format =
        format.forKernels() | metal_texels::swizzleBits({swizzle.red, swizzle.green, swizzle.blue, swizzle.alpha});
    handle.texture_type = static_cast<std::uint32_t>(values.textureType);
    handle.bytes_per_pixel = format.bytes();
    handle.array_length = static_cast<std::uint32_t>(values.arrayLength);
    handle.level_count = static_cast<std::uint32_t>(values.mipmapLevelCount);
    handle.sample_count = static_cast<std::uint32_t>(values.sampleCount);
}

TextureObject* TextureObject::make(const MTL::Device* device, const TextureValues& values) {
    auto texture = NS::TransferPtr(new TextureObject(device, values));
    const NS::UInteger bytes = texture->layOut();
    texture->memory = metal_executor::Memory::allocate(bytes);
    if (texture->isManaged()) texture->hostMemory = metal_executor::Memory::allocate(bytes);
    if (texture->memory == nullptr || (texture->isManaged() && texture->hostMemory == nullptr)) return nullptr;
    texture->place(texture->bytes());
    texture->retain();
    return texture.get();
}

TextureObject* TextureObject::makeLinear(const MTL::Buffer* buffer, const TextureValues& values, NS::UInteger offset,
                                         NS::UInteger bytesPerRow) {
    const auto* source = as<BufferObject>(buffer);
    TextureValues own = values;
    own.options = source->options;
    auto* texture = new TextureObject(source->owner.get(), own);
    texture->layOut();
    texture->handle.levels[0].bytes_per_row = static_cast<std::uint32_t>(bytesPerRow);
    texture->handle.levels[0].bytes_per_image = bytesPerRow * values.height;
    texture->memory = source->memory;
    texture->hostMemory = source->hostMemory;
    texture->buffer = NS::RetainPtr(const_cast<MTL::Buffer*>(buffer));
    texture->bufferOffset = offset;
    texture->bufferBytesPerRow = bytesPerRow;
    texture->place(texture->bytes() + offset);
    return texture;
}

TextureObject* TextureObject::makeView(const TextureObject* parent, const TextureValues& values, NS::UInteger level,
                                       NS::UInteger slice) {
    auto* view = new TextureObject(parent->owner.get(), values);
    for (NS::UInteger i = 0; i < values.mipmapLevelCount; ++i) {
        metal_texture_level& place = view->handle.levels[i];
        place = parent->handle.levels[level + i];
        place.data += slice * values.sampleCount * place.bytes_per_image;
    }
    view->memory = parent->memory;
    view->hostMemory = parent->hostMemory;
    view->parent = NS::RetainPtr(static_cast<MTL::Texture*>(const_cast<TextureObject*>(parent)));
    view->parentLevel = level;
    view->parentSlice = slice;
    view->drawableWork = parent->drawableWork;
    return view;
}

/// Sets the levels' shapes, with offsets in the place of addresses; returns the bytes of all.
NS::UInteger TextureObject::layOut() {
    NS::UInteger offset = 0;
    for (NS::UInteger i = 0; i < values.mipmapLevelCount; ++i) {
        const MTL::Size size = levelSize(i);
        metal_texture_level& level = handle.levels[i];
        level.width = static_cast<std::uint32_t>(size.width);
        level.height = static_cast<std::uint32_t>(size.height);
        level.depth = static_cast<std::uint32_t>(size.depth);
        level.bytes_per_row = level.width * format.bytes();
        level.bytes_per_image = std::uint64_t{level.bytes_per_row} * level.height;
        level.data = reinterpret_cast<std::uint8_t*>(offset);
        offset += level.bytes_per_image * level.depth * sliceCount() * values.sampleCount;
        offset = (offset + levelAlignment - 1) / levelAlignment * levelAlignment;
    }
    return offset;
}

void TextureObject::place(std::uint8_t* base) {
    for (NS::UInteger i = 0; i < values.mipmapLevelCount; ++i) {
        handle.levels[i].data = base + reinterpret_cast<std::uintptr_t>(handle.levels[i].data);
    }
}

NS::UInteger TextureObject::sliceCount() const {
    return values.arrayLength * (isCube(values.textureType) ? 6 : 1);
}

MTL::Size TextureObject::levelSize(NS::UInteger level) const {
    const auto shrunk = [&](NS::UInteger size) { return std::max<NS::UInteger>(size >> level, 1); };
    return MTL::Size(shrunk(values.width), shrunk(values.height), shrunk(values.depth));
}

Texels TextureObject::texels(NS::UInteger level, NS::UInteger slice, MTL::Origin origin, bool forHost) const {
    const metal_texture_level& place = handle.levels[level];
    std::uint8_t* data = place.data + (slice * values.sampleCount + origin.z) * place.bytes_per_image +
                         origin.y * place.bytes_per_row + origin.x * format.bytes();
    if (forHost && isManaged()) data = hostBytes() + (data - bytes());
    return {data, place.bytes_per_row, place.bytes_per_image};
}

std::string TextureObject::regionMistake(MTL::Origin origin, MTL::Size size, NS::UInteger level,
                                         NS::UInteger slice) const {
    std::ostringstream text;
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
    if (size.height * size.depth > 1 && bytesPerRow < row) {
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

namespace {

void copyRows(Texels to, Texels from, NS::UInteger rowBytes, MTL::Size size) {
    for (NS::UInteger z = 0; z < size.depth; ++z) {
        std::uint8_t* target = to.data + z * to.bytesPerImage;
        const std::uint8_t* source = from.data + z * from.bytesPerImage;
        if (to.bytesPerRow == rowBytes && from.bytesPerRow == rowBytes) {
            std::memcpy(target, source, rowBytes * size.height);
            continue;
        }
        for (NS::UInteger y = 0; y < size.height; ++y) {
            std::memcpy(target + y * to.bytesPerRow, source + y * from.bytesPerRow, rowBytes);
        }
    }
}

/// Whether the processor may touch these texels; reports why not.
bool mayAccess(const TextureObject* texture, const char* call, MTL::Region region, NS::UInteger level,
               NS::UInteger slice, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) {
    std::string mistake;
    if (texture->storage() == MTL::StorageModePrivate) {
        mistake = "the texture's storage is private, which the processor has no access to";
    } else if (texture->values.sampleCount > 1) {
        mistake = "the texture is multisampled, and only rendering writes its samples";
    }
    if (mistake.empty()) mistake = texture->regionMistake(region.origin, region.size, level, slice);
    if (mistake.empty()) mistake = texture->rowsMistake(region.size, bytesPerRow, bytesPerImage);
    if (!mistake.empty()) reportMistake(std::string(call) + ": " + mistake);
    return mistake.empty();
}

/// Shapes that can be seen as one another.
int shapeClass(MTL::TextureType type) {
    if (type == MTL::TextureType2DArray || isCube(type)) return MTL::TextureType2D;
    return static_cast<int>(type);
}

/// Whether the two are one format with and without the sRGB curve.
bool differInCurveOnly(MTL::PixelFormat a, MTL::PixelFormat b) {
    const auto low = std::min(a, b), high = std::max(a, b);
    const bool isCurved = high == MTL::PixelFormatR8Unorm_sRGB || high == MTL::PixelFormatRG8Unorm_sRGB ||
                          high == MTL::PixelFormatRGBA8Unorm_sRGB || high == MTL::PixelFormatBGRA8Unorm_sRGB ||
                          high == MTL::PixelFormatBGRA10_XR_sRGB || high == MTL::PixelFormatBGR10_XR_sRGB;
    return low == high || (isCurved && high - low == 1);
}

/// The swizzle that shows of a texture with `first` what `second` says.
MTL::TextureSwizzleChannels seenThrough(MTL::TextureSwizzleChannels first, MTL::TextureSwizzleChannels second) {
    const MTL::TextureSwizzle shown[] = {
        MTL::TextureSwizzleZero, MTL::TextureSwizzleOne, first.red, first.green, first.blue, first.alpha};
    const auto of = [&](MTL::TextureSwizzle channel) { return channel < std::size(shown) ? shown[channel] : channel; };
    return {of(second.red), of(second.green), of(second.blue), of(second.alpha)};
}

/// Fills in the values of a view; empty, or what Metal's validation would say of it.
std::string viewMistake(const TextureObject* parent, TextureValues& values, NS::Range levels, NS::Range slices) {
    std::ostringstream text;
    const auto isWithin = [](NS::Range range, NS::UInteger count) {
        return range.length >= 1 && range.location < count && range.length <= count - range.location;
    };
    const MTL::TextureSwizzleChannels& swizzle = values.swizzle;
    const NS::UInteger sliceCount = parent->sliceCount(), faces = isCube(values.textureType) ? 6 : 1;
    const PixelFormat format(values.pixelFormat);
    if (!format || format.bytes() != parent->format.bytes() || format.isSubsampled() != parent->format.isSubsampled()) {
        text << "pixelFormat is " << values.pixelFormat << ", whose texels are not of the size of the texture's, "
             << parent->values.pixelFormat;
    } else if (!differInCurveOnly(values.pixelFormat, parent->values.pixelFormat) &&
               !(parent->values.usage & MTL::TextureUsagePixelFormatView)) {
        text << "a view with another pixelFormat needs a texture with MTLTextureUsagePixelFormatView";
    } else if (shapeClass(values.textureType) != shapeClass(parent->values.textureType)) {
        text << "textureType is " << values.textureType << ", as which a texture of type " << parent->values.textureType
             << " cannot be seen";
    } else if (std::max({swizzle.red, swizzle.green, swizzle.blue, swizzle.alpha}) > MTL::TextureSwizzleAlpha) {
        text << "swizzle has a channel that is none of MTLTextureSwizzle";
    } else if (!isWithin(levels, parent->values.mipmapLevelCount)) {
        text << "levelRange(" << levels.location << ", " << levels.length << ") is not in the texture's "
             << parent->values.mipmapLevelCount << " levels";
    } else if (!isWithin(slices, sliceCount)) {
        text << "sliceRange(" << slices.location << ", " << slices.length << ") is not in the texture's " << sliceCount
             << " slices";
    } else if (isArray(values.textureType) ? slices.length % faces != 0 : slices.length != faces) {
        text << "sliceRange's length is " << slices.length << ", must be "
             << (isArray(values.textureType) ? "a multiple of " : "") << faces;
    }
    const MTL::Size size = parent->levelSize(std::min<NS::UInteger>(levels.location, metal_max_mip_levels));
    values.width = size.width;
    values.height = size.height;
    values.depth = size.depth;
    values.mipmapLevelCount = levels.length;
    values.arrayLength = isArray(values.textureType) ? slices.length / faces : 1;
    return text.str();
}

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::Texels;
using metal_objects::TextureObject;

namespace MTL {

Texture* Device::newTexture(const TextureDescriptor* descriptor) {
    const auto& values = as<metal_objects::TextureDescriptorObject>(descriptor)->values;
    const std::string mistake = metal_objects::descriptorMistake(values);
    if (!mistake.empty()) {
        metal_objects::reportMistake("newTexture: " + mistake);
        return nullptr;
    }
    return TextureObject::make(this, values);
}

NS::UInteger Device::minimumLinearTextureAlignmentForPixelFormat(PixelFormat) {
    return metal_objects::linearAlignment;
}

NS::UInteger Device::minimumTextureBufferAlignmentForPixelFormat(PixelFormat) {
    return metal_objects::linearAlignment;
}

Texture* Buffer::newTexture(const TextureDescriptor* descriptor, NS::UInteger offset, NS::UInteger bytesPerRow) {
    const auto& values = as<metal_objects::TextureDescriptorObject>(descriptor)->values;
    std::string mistake = metal_objects::descriptorMistake(values);
    const NS::UInteger row = values.width * metal_objects::PixelFormat(values.pixelFormat).bytes();
    const bool isRightType = values.textureType == TextureType2D || values.textureType == TextureTypeTextureBuffer;
    if (mistake.empty() && (!isRightType || values.mipmapLevelCount != 1)) {
        mistake = "a texture on a buffer is 2D or a texture buffer, of one level";
    } else if (mistake.empty() && (offset % metal_objects::linearAlignment != 0 ||
                                   (bytesPerRow % metal_objects::linearAlignment != 0 && values.height > 1))) {
        mistake = "offset and bytesPerRow must be multiples of 16";
    } else if (mistake.empty() && bytesPerRow < row) {
        mistake = "bytesPerRow(" + std::to_string(bytesPerRow) + ") must be >= the width in bytes(" +
                  std::to_string(row) + ")";
    } else if (mistake.empty() && (offset > length() || bytesPerRow * (values.height - 1) + row > length() - offset)) {
        mistake = "the texture does not fit into the buffer, whose length is " + std::to_string(length());
    }
    if (!mistake.empty()) {
        metal_objects::reportMistake("newTexture: " + mistake);
        return nullptr;
    }
    return TextureObject::makeLinear(this, values, offset, bytesPerRow);
}

bool Texture::allowGPUOptimizedContents() const {
    return as<TextureObject>(this)->values.allowGPUOptimizedContents;
}
NS::UInteger Texture::arrayLength() const {
    return as<TextureObject>(this)->values.arrayLength;
}
Buffer* Texture::buffer() const {
    return as<TextureObject>(this)->buffer.get();
}
NS::UInteger Texture::bufferBytesPerRow() const {
    return as<TextureObject>(this)->bufferBytesPerRow;
}
NS::UInteger Texture::bufferOffset() const {
    return as<TextureObject>(this)->bufferOffset;
}
NS::UInteger Texture::depth() const {
    return as<TextureObject>(this)->values.depth;
}
ResourceID Texture::gpuResourceID() const {
    return {reinterpret_cast<std::uint64_t>(&as<TextureObject>(this)->handle)};
}

NS::UInteger Texture::height() const {
    return as<TextureObject>(this)->values.height;
}
bool Texture::isFramebufferOnly() const {
    return as<TextureObject>(this)->values.isFramebufferOnly;
}
bool Texture::isShareable() const {
    return false;
}
bool Texture::isSparse() const {
    return false;
}
NS::UInteger Texture::mipmapLevelCount() const {
    return as<TextureObject>(this)->values.mipmapLevelCount;
}
Texture* Texture::newTextureView(PixelFormat pixelFormat) {
    const auto* texture = as<TextureObject>(this);
    return newTextureView(pixelFormat, texture->values.textureType, NS::Range(0, texture->values.mipmapLevelCount),
                          NS::Range(0, texture->sliceCount()));
}
Texture* Texture::newTextureView(PixelFormat pixelFormat, TextureType textureType, NS::Range levelRange,
                                 NS::Range sliceRange) {
    return newTextureView(pixelFormat, textureType, levelRange, sliceRange, TextureSwizzleChannels::Default());
}
Texture* Texture::newTextureView(PixelFormat pixelFormat, TextureType textureType, NS::Range levelRange,
                                 NS::Range sliceRange, TextureSwizzleChannels swizzle) {
    const auto* texture = as<TextureObject>(this);
    metal_objects::TextureValues values = texture->values;
    values.pixelFormat = pixelFormat;
    values.textureType = textureType;
    values.swizzle = metal_objects::seenThrough(texture->values.swizzle, swizzle);
    const std::string mistake = metal_objects::viewMistake(texture, values, levelRange, sliceRange);
    if (mistake.empty()) return TextureObject::makeView(texture, values, levelRange.location, sliceRange.location);
    metal_objects::reportMistake("newTextureView: " + mistake);
    return nullptr;
}
NS::UInteger Texture::parentRelativeLevel() const {
    return as<TextureObject>(this)->parentLevel;
}
NS::UInteger Texture::parentRelativeSlice() const {
    return as<TextureObject>(this)->parentSlice;
}
Texture* Texture::parentTexture() const {
    return as<TextureObject>(this)->parent.get();
}
PixelFormat Texture::pixelFormat() const {
    return as<TextureObject>(this)->values.pixelFormat;
}
Resource* Texture::rootResource() const {
    const auto* texture = as<TextureObject>(this);
    if (texture->parent) {
        Resource* root = texture->parent->rootResource();
        return root != nullptr ? root : texture->parent.get();
    }
    return buffer();
}
NS::UInteger Texture::sampleCount() const {
    return as<TextureObject>(this)->values.sampleCount;
}
TextureSwizzleChannels Texture::swizzle() const {
    return as<TextureObject>(this)->values.swizzle;
}
TextureType Texture::textureType() const {
    return as<TextureObject>(this)->values.textureType;
}
TextureUsage Texture::usage() const {
    return as<TextureObject>(this)->values.usage;
}
NS::UInteger Texture::width() const {
    return as<TextureObject>(this)->values.width;
}

void Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage, Region region,
                       NS::UInteger level, NS::UInteger slice) {
    const auto* texture = as<TextureObject>(this);
    if (!metal_objects::mayAccess(texture, "getBytes", region, level, slice, bytesPerRow, bytesPerImage)) return;
    metal_objects::copyRows({static_cast<std::uint8_t*>(pixelBytes), bytesPerRow, bytesPerImage},
                            texture->texels(level, slice, region.origin, true),
                            region.size.width * texture->format.bytes(), region.size);
}

void Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, Region region, NS::UInteger level) {
    getBytes(pixelBytes, bytesPerRow, bytesPerRow * region.size.height, region, level, 0);
}

void Texture::replaceRegion(Region region, NS::UInteger level, NS::UInteger slice, const void* pixelBytes,
                            NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) {
    const auto* texture = as<TextureObject>(this);
    if (!metal_objects::mayAccess(texture, "replaceRegion", region, level, slice, bytesPerRow, bytesPerImage)) return;
    const Texels source{static_cast<std::uint8_t*>(const_cast<void*>(pixelBytes)), bytesPerRow, bytesPerImage};
    const NS::UInteger rowBytes = region.size.width * texture->format.bytes();
    metal_objects::copyRows(texture->texels(level, slice, region.origin), source, rowBytes, region.size);
    if (!texture->isManaged()) return;
    metal_objects::copyRows(texture->texels(level, slice, region.origin, true), source, rowBytes, region.size);
}

void Texture::replaceRegion(Region region, NS::UInteger level, const void* pixelBytes, NS::UInteger bytesPerRow) {
    replaceRegion(region, level, 0, pixelBytes, bytesPerRow, bytesPerRow * region.size.height);
}

}  // namespace MTL
