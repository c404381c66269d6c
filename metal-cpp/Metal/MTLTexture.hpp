// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

#include "../Foundation/Foundation.hpp"
#include "MTLPixelFormat.hpp"
#include "MTLResource.hpp"
#include "MTLTypes.hpp"

namespace MTL {

class Buffer;
class Device;
class Texture;
class TextureDescriptor;

enum TextureType : NS::UInteger {
    TextureType1D = 0,
    TextureType1DArray = 1,
    TextureType2D = 2,
    TextureType2DArray = 3,
    TextureType2DMultisample = 4,
    TextureTypeCube = 5,
    TextureTypeCubeArray = 6,
    TextureType3D = 7,
    TextureType2DMultisampleArray = 8,
    TextureTypeTextureBuffer = 9,
};

enum TextureSwizzle : std::uint8_t {
    TextureSwizzleZero = 0,
    TextureSwizzleOne = 1,
    TextureSwizzleRed = 2,
    TextureSwizzleGreen = 3,
    TextureSwizzleBlue = 4,
    TextureSwizzleAlpha = 5,
};

/// What a texture shows as its red, green, blue and alpha.
struct TextureSwizzleChannels {
    TextureSwizzleChannels() = default;
    TextureSwizzleChannels(TextureSwizzle r, TextureSwizzle g, TextureSwizzle b, TextureSwizzle a)
        : red(r), green(g), blue(b), alpha(a) {}
    static TextureSwizzleChannels Default() { return {}; }
    static TextureSwizzleChannels Make(TextureSwizzle r, TextureSwizzle g, TextureSwizzle b, TextureSwizzle a) {
        return TextureSwizzleChannels(r, g, b, a);
    }

    TextureSwizzle red = TextureSwizzleRed;
    TextureSwizzle green = TextureSwizzleGreen;
    TextureSwizzle blue = TextureSwizzleBlue;
    TextureSwizzle alpha = TextureSwizzleAlpha;
};

enum TextureCompressionType : NS::Integer {
    TextureCompressionTypeLossless = 0,
    TextureCompressionTypeLossy = 1,
};

using TextureUsage = NS::UInteger;
enum : TextureUsage {
    TextureUsageUnknown = 0,
    TextureUsageShaderRead = 1,
    TextureUsageShaderWrite = 1 << 1,
    TextureUsageRenderTarget = 1 << 2,
    TextureUsagePixelFormatView = 1 << 4,
    TextureUsageShaderAtomic = 1 << 5,
};

/// The makings of a texture. Begins as a 2D texture of one RGBA8Unorm texel, for shaders to read.
class TextureDescriptor : public NS::Copying<TextureDescriptor> {
public:
    static TextureDescriptor* alloc();
    bool allowGPUOptimizedContents() const;
    NS::UInteger arrayLength() const;
    CPUCacheMode cpuCacheMode() const;
    NS::UInteger depth() const;
    HazardTrackingMode hazardTrackingMode() const;
    NS::UInteger height() const;
    TextureDescriptor* init();
    NS::UInteger mipmapLevelCount() const;
    PixelFormat pixelFormat() const;
    ResourceOptions resourceOptions() const;
    NS::UInteger sampleCount() const;
    void setAllowGPUOptimizedContents(bool allowGPUOptimizedContents);
    void setArrayLength(NS::UInteger arrayLength);
    void setCpuCacheMode(CPUCacheMode cpuCacheMode);
    void setDepth(NS::UInteger depth);
    void setHazardTrackingMode(HazardTrackingMode hazardTrackingMode);
    void setHeight(NS::UInteger height);
    void setMipmapLevelCount(NS::UInteger mipmapLevelCount);
    void setPixelFormat(PixelFormat pixelFormat);
    void setResourceOptions(ResourceOptions resourceOptions);
    void setSampleCount(NS::UInteger sampleCount);
    void setStorageMode(StorageMode storageMode);
    void setSwizzle(TextureSwizzleChannels swizzle);
    void setTextureType(TextureType textureType);
    void setUsage(TextureUsage usage);
    void setWidth(NS::UInteger width);
    StorageMode storageMode() const;

    /// Of what kernels read. A texture that is written shows its texels as they are.
    TextureSwizzleChannels swizzle() const;

    /// Not owned by the caller; nor are the next two.
    static TextureDescriptor* texture2DDescriptor(PixelFormat pixelFormat, NS::UInteger width, NS::UInteger height,
                                                  bool mipmapped);

    static TextureDescriptor* textureBufferDescriptor(PixelFormat pixelFormat, NS::UInteger width,
                                                      ResourceOptions resourceOptions, TextureUsage usage);
    static TextureDescriptor* textureCubeDescriptor(PixelFormat pixelFormat, NS::UInteger size, bool mipmapped);
    TextureType textureType() const;
    TextureUsage usage() const;
    NS::UInteger width() const;
};

/// Texels of one format, in levels and slices.
class Texture : public NS::Referencing<Texture, Resource> {
public:
    bool allowGPUOptimizedContents() const;
    NS::UInteger arrayLength() const;

    /// The buffer this texture was made on, or null.
    Buffer* buffer() const;

    NS::UInteger bufferBytesPerRow() const;
    NS::UInteger bufferOffset() const;
    NS::UInteger depth() const;

    /// Copies texels to `pixelBytes`. What Metal's validation would stop the program for (private storage, a region
    /// outside the texture, rows too short) is refused, see MTL::Portable::setValidationHandler().
    void getBytes(void* pixelBytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage, Region region,
                  NS::UInteger level, NS::UInteger slice);

    void getBytes(void* pixelBytes, NS::UInteger bytesPerRow, Region region, NS::UInteger level);
    /// What an argument buffer holds for it.
    ResourceID gpuResourceID() const;

    NS::UInteger height() const;
    bool isFramebufferOnly() const;
    bool isShareable() const;
    bool isSparse() const;
    NS::UInteger mipmapLevelCount() const;

    /// The same memory seen as texels of another format, of the same size. Owned by the caller; null, and reported as a
    /// mistake, for what Metal would refuse.
    Texture* newTextureView(PixelFormat pixelFormat);

    /// The same of some levels and slices, as another type.
    Texture* newTextureView(PixelFormat pixelFormat, TextureType textureType, NS::Range levelRange,
                            NS::Range sliceRange);

    /// The same, with components of what this texture shows in another order.
    Texture* newTextureView(PixelFormat pixelFormat, TextureType textureType, NS::Range levelRange,
                            NS::Range sliceRange, TextureSwizzleChannels swizzle);

    NS::UInteger parentRelativeLevel() const;
    NS::UInteger parentRelativeSlice() const;
    Texture* parentTexture() const;
    PixelFormat pixelFormat() const;

    /// Copies texels from `pixelBytes`, under the same conditions.
    void replaceRegion(Region region, NS::UInteger level, NS::UInteger slice, const void* pixelBytes,
                       NS::UInteger bytesPerRow, NS::UInteger bytesPerImage);

    void replaceRegion(Region region, NS::UInteger level, const void* pixelBytes, NS::UInteger bytesPerRow);
    Resource* rootResource() const;
    NS::UInteger sampleCount() const;
    TextureSwizzleChannels swizzle() const;
    TextureType textureType() const;
    TextureUsage usage() const;
    NS::UInteger width() const;
};

}  // namespace MTL
