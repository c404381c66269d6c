// SPDX-License-Identifier: MIT
//
// The same texels seen as another format, as another type, as some levels and slices, or with other components.

#include <algorithm>
#include <sstream>

#include "error.hpp"
#include "live_resources.hpp"
#include "texture.hpp"
#include "texture_rules.hpp"

namespace metal_objects {

namespace {

/// Shapes that can be seen as one another.
int shapeClass(MTL::TextureType type) {
    if (type == MTL::TextureType2DArray || isCube(type)) return MTL::TextureType2D;
    return static_cast<int>(type);
}

bool isRgbaOrBgra(MTL::PixelFormat format) {
    return format == MTL::PixelFormatRGBA8Unorm || format == MTL::PixelFormatRGBA8Unorm_sRGB ||
           format == MTL::PixelFormatBGRA8Unorm || format == MTL::PixelFormatBGRA8Unorm_sRGB;
}

/// Empty, or why texels of one format cannot be seen as another's, of a texture of such usage.
std::string formatMistake(MTL::PixelFormat from, MTL::PixelFormat to, MTL::TextureUsage usage) {
    if (from == to) return {};
    // A stencil that has a depth beside it is read through a view of its own.
    if (from == MTL::PixelFormatDepth32Float_Stencil8 && to == MTL::PixelFormatX32_Stencil8) return {};
    if (from == MTL::PixelFormatDepth24Unorm_Stencil8 && to == MTL::PixelFormatX24_Stencil8) return {};
    const PixelFormat source(from), shown(to);
    const std::string text = "pixelFormat is " + nameOf(to) + ", ";
    if (!shown || shown.bytes() != source.bytes()) {
        return text + "whose texels are not of the size of the texture's, " + nameOf(from);
    }
    for (const PixelFormat& format : {source, shown}) {
        if (format.hasDepth() || format.hasStencil()) {
            return text + "and the texture's " + nameOf(from) + ": depths and stencils are no colours of other formats";
        }
    }
    if (source.isSubsampled() || shown.isSubsampled()) {
        return text + "and the texture's " + nameOf(from) + ": of one of them two texels share components";
    }
    const bool isSameLayout = shown.hasComponentsOf(source) || (isRgbaOrBgra(from) && isRgbaOrBgra(to));
    if (isSameLayout || usage & MTL::TextureUsagePixelFormatView) return {};
    return text + "whose components are not laid out as those of the texture's " + nameOf(from) +
           ": that needs a texture with MTLTextureUsagePixelFormatView";
}

/// The swizzle that shows of a texture with `first` what `second` says.
MTL::TextureSwizzleChannels seenThrough(MTL::TextureSwizzleChannels first, MTL::TextureSwizzleChannels second) {
    const MTL::TextureSwizzle shown[] = {
        MTL::TextureSwizzleZero, MTL::TextureSwizzleOne, first.red, first.green, first.blue, first.alpha};
    const auto of = [&](MTL::TextureSwizzle channel) { return channel < std::size(shown) ? shown[channel] : channel; };
    return {of(second.red), of(second.green), of(second.blue), of(second.alpha)};
}

}  // namespace

std::string viewMistake(const TextureObject* parent, TextureValues& values, NS::Range levels, NS::Range slices) {
    std::ostringstream text;
    const auto isWithin = [](NS::Range range, NS::UInteger count) {
        return range.length >= 1 && range.location < count && range.length <= count - range.location;
    };
    const MTL::TextureSwizzleChannels& swizzle = values.swizzle;
    const NS::UInteger sliceCount = parent->sliceCount(), faces = isCube(values.textureType) ? 6 : 1;
    const std::string wrongFormat = formatMistake(parent->values.pixelFormat, values.pixelFormat, parent->values.usage);
    if (isMemoryless(parent->values)) {
        text << "the texture is memoryless, of which there are no views";
    } else if (!wrongFormat.empty()) {
        text << wrongFormat;
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
    view->inHeap = parent->inHeap;
    view->parent = NS::RetainPtr(static_cast<MTL::Texture*>(const_cast<TextureObject*>(parent)));
    view->parentLevel = level;
    view->parentSlice = slice;
    view->drawableWork = parent->drawableWork;
    LiveResources::add(view);
    return view;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::TextureObject;

namespace MTL {

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
Resource* Texture::rootResource() const {
    const auto* texture = as<TextureObject>(this);
    if (texture->parent) {
        Resource* root = texture->parent->rootResource();
        return root != nullptr ? root : texture->parent.get();
    }
    return buffer();
}

}  // namespace MTL
