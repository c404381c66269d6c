// SPDX-License-Identifier: MIT

#pragma once

#include <CoreGraphics/CGColorSpace.h>
#include <CoreGraphics/CGGeometry.h>

#include "../Metal/MTLPixelFormat.hpp"
#include "../Metal/MTLTexture.hpp"
#include "CAMetalDrawable.hpp"

namespace CA {

/// Where pictures are presented. This device has no window system: a layer's display is a picture in memory, which
/// changes 60 times a second at the most unless displaySyncEnabled() is false.
class MetalLayer : public NS::Referencing<MetalLayer> {
public:
    /// Autoreleased.
    static MetalLayer* layer();

    /// Null until it is set.
    MTL::Device* device() const;
    void setDevice(MTL::Device* device);

    /// MTL::PixelFormatBGRA8Unorm unless set; also its sRGB form, RGBA16Float, RGB10A2Unorm and BGR10A2Unorm.
    MTL::PixelFormat pixelFormat() const;
    void setPixelFormat(MTL::PixelFormat pixelFormat);

    /// Whether the textures can be rendered to and nothing else; true unless set.
    bool framebufferOnly() const;
    void setFramebufferOnly(bool framebufferOnly);

    /// In pixels; 0 x 0 unless set.
    CGSize drawableSize() const;
    void setDrawableSize(CGSize drawableSize);

    /// Waits until there is one, by default no longer than a second. Null after that, and without a device or a size.
    /// Not owned by the caller.
    MetalDrawable* nextDrawable();

    /// How many there are at a time, the one on the display among them: 3 unless set to 2.
    NS::UInteger maximumDrawableCount() const;
    void setMaximumDrawableCount(NS::UInteger maximumDrawableCount);

    /// Whether the display changes at its own pace only; true unless set.
    bool displaySyncEnabled() const;
    void setDisplaySyncEnabled(bool displaySyncEnabled);

    /// Null: the numbers mean what the display takes them for. Retained.
    CGColorSpaceRef colorspace() const;
    void setColorspace(CGColorSpaceRef colorspace);

    /// Whether nextDrawable() gives up after a second; true unless set.
    bool allowsNextDrawableTimeout() const;
    void setAllowsNextDrawableTimeout(bool allowsNextDrawableTimeout);
};

}  // namespace CA
