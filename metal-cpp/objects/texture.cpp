// SPDX-License-Identifier: MIT

#include "texture.hpp"

#include <algorithm>

#include "buffer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "live_resources.hpp"
#include "texture_rules.hpp"

namespace metal_objects {

namespace {

constexpr NS::UInteger levelAlignment = 64;

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

TextureObject::~TextureObject() {
    LiveResources::remove(this);
}

TextureObject* TextureObject::make(const MTL::Device* device, const TextureValues& values) {
    const bool isManaged = storageModeOf(values.options) == MTL::StorageModeManaged;
    // What has no texels has an address all the same.
    const NS::UInteger bytes = isMemoryless(values) ? levelAlignment : bytesOf(device, values);
    auto memory = allocate(device, bytes);
    auto second = isManaged ? allocate(device, bytes) : nullptr;
    if (memory == nullptr || (isManaged && second == nullptr)) return nullptr;
    TextureObject* texture = makeOn(device, values, std::move(memory));
    texture->hostMemory = std::move(second);
    return texture;
}

TextureObject* TextureObject::makeOn(const MTL::Device* device, const TextureValues& values,
                                     std::shared_ptr<metal_executor::Memory> memory) {
    auto* texture = new TextureObject(device, values);
    texture->layOut();
    texture->memory = std::move(memory);
    texture->place(texture->bytes());
    LiveResources::add(texture);
    return texture;
}

NS::UInteger TextureObject::bytesOf(const MTL::Device* device, const TextureValues& values) {
    return NS::TransferPtr(new TextureObject(device, values))->layOut();
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
        // The one row of the widest texture buffer is 2^32 bytes: nobody asks where its second would begin.
        level.bytes_per_row = level.width * format.bytes();
        level.bytes_per_image = std::uint64_t{level.width} * format.bytes() * level.height;
        level.data = reinterpret_cast<std::uint8_t*>(offset);
        offset += level.bytes_per_image * level.depth * sliceCount() * values.sampleCount;
        offset = (offset + levelAlignment - 1) / levelAlignment * levelAlignment;
    }
    return offset;
}

void TextureObject::place(std::uint8_t* base) {
    for (NS::UInteger i = 0; i < values.mipmapLevelCount; ++i) {
        if (isMemoryless(values)) {
            handle.levels[i].data = nullptr;
            continue;
        }
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

}  // namespace metal_objects

using metal_objects::as;
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
PixelFormat Texture::pixelFormat() const {
    return as<TextureObject>(this)->values.pixelFormat;
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

}  // namespace MTL
