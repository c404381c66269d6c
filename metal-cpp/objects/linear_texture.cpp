// SPDX-License-Identifier: MIT
//
// Textures whose texels are a buffer's bytes.

#include <sstream>

#include "buffer.hpp"
#include "error.hpp"
#include "live_resources.hpp"
#include "texture.hpp"
#include "texture_rules.hpp"

namespace metal_objects {

namespace {

constexpr NS::UInteger linearAlignment = 16;

/// Empty, or what Metal's validation would say of a texture on a buffer.
std::string linearMistake(const BufferObject* buffer, const TextureValues& values, NS::UInteger offset,
                          NS::UInteger bytesPerRow) {
    std::ostringstream text;
    text << descriptorMistake(values);
    if (!text.str().empty()) return text.str();
    const PixelFormat format(values.pixelFormat);
    const NS::UInteger row = values.width * format.bytes(), length = buffer->length;
    const bool isLine = values.textureType == MTL::TextureTypeTextureBuffer;
    if ((values.textureType != MTL::TextureType2D && !isLine) || values.mipmapLevelCount != 1) {
        text << "a texture on a buffer is 2D or a texture buffer, of one level";
    } else if (format.hasDepth() || format.hasStencil() || format.isSubsampled()) {
        text << "pixelFormat is " << nameOf(values.pixelFormat) << ", which no texture on a buffer can have";
    } else if (storageModeOf(values.options) != buffer->storage()) {
        text << "storageMode is " << storageModeOf(values.options) << ", the buffer's is " << buffer->storage();
    } else if (offset % linearAlignment != 0) {
        text << "offset(" << offset << ") must be a multiple of " << linearAlignment;
    } else if (bytesPerRow % linearAlignment != 0 && values.height > 1) {
        text << "bytesPerRow(" << bytesPerRow << ") must be a multiple of " << linearAlignment;
    } else if (bytesPerRow < row) {
        text << "bytesPerRow(" << bytesPerRow << ") must be >= the width in bytes(" << row << ")";
    } else if (values.height > 1 && bytesPerRow > UINT32_MAX) {
        text << "bytesPerRow(" << bytesPerRow << ") must be <= " << UINT32_MAX;
    } else if (offset > length || (values.height > 1 ? bytesPerRow * (values.height - 1) : 0) + row > length - offset) {
        text << "the texture does not fit into the buffer, whose length is " << length;
    }
    return text.str();
}

}  // namespace

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
    texture->inHeap = source->inHeap;
    texture->buffer = NS::RetainPtr(const_cast<MTL::Buffer*>(buffer));
    texture->bufferOffset = offset;
    texture->bufferBytesPerRow = bytesPerRow;
    texture->place(texture->bytes() + offset);
    LiveResources::add(texture);
    return texture;
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::BufferObject;
using metal_objects::TextureObject;

namespace MTL {

NS::UInteger Device::minimumLinearTextureAlignmentForPixelFormat(PixelFormat) {
    return metal_objects::linearAlignment;
}

NS::UInteger Device::minimumTextureBufferAlignmentForPixelFormat(PixelFormat) {
    return metal_objects::linearAlignment;
}

Texture* Buffer::newTexture(const TextureDescriptor* descriptor, NS::UInteger offset, NS::UInteger bytesPerRow) {
    const auto& values = as<metal_objects::TextureDescriptorObject>(descriptor)->values;
    const std::string mistake = metal_objects::linearMistake(as<BufferObject>(this), values, offset, bytesPerRow);
    if (mistake.empty()) return TextureObject::makeLinear(this, values, offset, bytesPerRow);
    metal_objects::reportMistake("newTexture: " + mistake);
    return nullptr;
}

}  // namespace MTL
