// SPDX-License-Identifier: MIT
//
// Texels in and out of the processor's memory.

#include "../executor/command.hpp"
#include "../executor/copying.hpp"
#include "debug_contents.hpp"
#include "debug_layer.hpp"
#include "device.hpp"
#include "error.hpp"
#include "texture.hpp"

namespace metal_objects {

namespace {

void copyRows(const TextureObject* texture, Texels to, Texels from, MTL::Size size) {
    metal_executor::CopyImage copy;
    copy.to = to.data;
    copy.from = from.data;
    copy.rowBytes = size.width * texture->format.bytes();
    copy.rows = size.height;
    copy.images = size.depth;
    copy.toBytesPerRow = to.bytesPerRow;
    copy.toBytesPerImage = to.bytesPerImage;
    copy.fromBytesPerRow = from.bytesPerRow;
    copy.fromBytesPerImage = from.bytesPerImage;
    metal_executor::copyImage(as<DeviceObject>(texture->owner.get())->index, copy);
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

}  // namespace

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::Texels;
using metal_objects::TextureObject;

namespace MTL {

void Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage, Region region,
                       NS::UInteger level, NS::UInteger slice) {
    const auto* texture = as<TextureObject>(this);
    if (!metal_objects::mayAccess(texture, "getBytes", region, level, slice, bytesPerRow, bytesPerImage)) return;
    if (metal_objects::DebugLayer::get().isOn) metal_objects::texture_contents::read(texture);
    metal_objects::copyRows(texture, {static_cast<std::uint8_t*>(pixelBytes), bytesPerRow, bytesPerImage},
                            texture->texels(level, slice, region.origin, true), region.size);
}

void Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, Region region, NS::UInteger level) {
    getBytes(pixelBytes, bytesPerRow, bytesPerRow * region.size.height, region, level, 0);
}

void Texture::replaceRegion(Region region, NS::UInteger level, NS::UInteger slice, const void* pixelBytes,
                            NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) {
    const auto* texture = as<TextureObject>(this);
    if (!metal_objects::mayAccess(texture, "replaceRegion", region, level, slice, bytesPerRow, bytesPerImage)) return;
    metal_objects::warnIfInFlight(texture, "replaceRegion");
    if (metal_objects::DebugLayer::get().isOn) metal_objects::texture_contents::written(texture);
    const Texels source{static_cast<std::uint8_t*>(const_cast<void*>(pixelBytes)), bytesPerRow, bytesPerImage};
    metal_objects::copyRows(texture, texture->texels(level, slice, region.origin), source, region.size);
    if (!texture->isManaged()) return;
    metal_objects::copyRows(texture, texture->texels(level, slice, region.origin, true), source, region.size);
}

void Texture::replaceRegion(Region region, NS::UInteger level, const void* pixelBytes, NS::UInteger bytesPerRow) {
    replaceRegion(region, level, 0, pixelBytes, bytesPerRow, bytesPerRow * region.size.height);
}

}  // namespace MTL
