// SPDX-License-Identifier: MIT

#include "layer.hpp"

#include <algorithm>
#include <cmath>

#include "../MetalPortable/MetalPortable.hpp"
#include "../executor/clock.hpp"
#include "display.hpp"
#include "error.hpp"

namespace metal_objects {

namespace {

constexpr std::int64_t usualTimeout = 1000000000;
constexpr double longestSide = 16384;  // as of any 2D texture

bool isDrawableFormat(MTL::PixelFormat format) {
    return format == MTL::PixelFormatBGRA8Unorm || format == MTL::PixelFormatBGRA8Unorm_sRGB ||
           format == MTL::PixelFormatRGBA16Float || format == MTL::PixelFormatRGB10A2Unorm ||
           format == MTL::PixelFormatBGR10A2Unorm;
}

TextureValues textureValues(const LayerObject::Values& values) {
    TextureValues texture;
    texture.pixelFormat = values.pixelFormat;
    texture.width = static_cast<NS::UInteger>(values.drawableSize.width);
    texture.height = static_cast<NS::UInteger>(values.drawableSize.height);
    texture.options = MTL::ResourceStorageModePrivate;
    texture.usage = MTL::TextureUsageRenderTarget;
    if (!values.framebufferOnly) texture.usage |= MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite;
    texture.isFramebufferOnly = values.framebufferOnly;
    return texture;
}

}  // namespace

LayerObject::~LayerObject() {
    CGColorSpaceRelease(values_.colorspace);
}

std::shared_ptr<DrawablePool> LayerObject::pool() {
    std::lock_guard lock(mutex_);
    if (pool_) return pool_;
    const bool hasSize = values_.drawableSize.width >= 1 && values_.drawableSize.height >= 1;
    if (!values_.device || !hasSize) return nullptr;
    pool_ = std::make_shared<DrawablePool>(values_.device.get(), textureValues(values_), values_.maximumDrawableCount);
    return pool_;
}

CA::MetalDrawable* LayerObject::nextDrawable() {
    const bool mayTimeOut = read([](const Values& values) { return values.allowsNextDrawableTimeout; });
    const std::int64_t deadline = mayTimeOut ? metal_executor::nanoseconds() + usualTimeout : INT64_MAX;
    while (const auto from = pool()) {
        if (auto texture = from->take(deadline)) {
            std::lock_guard lock(mutex_);
            auto* drawable = new DrawableObject(this, std::move(texture), lastID_++);
            return drawable->autorelease();
        }
        if (!from->isRetired()) return nullptr;
    }
    return nullptr;
}

bool LayerObject::waitUntilReady(std::int64_t deadline) {
    const auto from = pool();
    return from == nullptr || from->waitUntilReady(deadline);
}

void LayerObject::schedule(DrawableObject* drawable, Presentation presentation) {
    const double now = metal_executor::seconds();
    double time = std::max(now, presentation.earliest);
    bool isNow = false;
    {
        std::lock_guard lock(mutex_);
        if (lastTime_ > 0) time = std::max(time, lastTime_ + presentation.minimumDuration);
        if (values_.displaySyncEnabled) {
            time = std::ceil(time / refreshPeriod) * refreshPeriod;
            // One picture at a time, and each for a whole period.
            if (time < lastTime_ + refreshPeriod / 2) time = lastTime_ + refreshPeriod;
        }
        lastTime_ = time;
        isNow = time <= now && waiting_ == 0;
        if (!isNow) ++waiting_;
    }
    if (isNow) {
        show(drawable);
        return;
    }
    callAt(time, [self = NS::RetainPtr(this), held = NS::RetainPtr(drawable)] {
        self->show(held.get());
        std::lock_guard lock(self->mutex_);
        --self->waiting_;
    });
}

void LayerObject::show(DrawableObject* drawable) {
    std::shared_ptr<DrawableTexture> before = drawable->texture;
    {
        std::lock_guard lock(mutex_);
        shown_.swap(before);
    }
    drawable->wasShown(metal_executor::seconds());
}

CA::MetalDrawable* LayerObject::shownDrawable() {
    std::lock_guard lock(mutex_);
    if (!shown_) return nullptr;
    auto* drawable = new DrawableObject(this, shown_, lastID_++);
    return drawable->autorelease();
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::LayerObject;
using Values = metal_objects::LayerObject::Values;

namespace CA {

MetalLayer* MetalLayer::layer() {
    auto* layer = new LayerObject;
    return layer->autorelease();
}

MTL::Device* MetalLayer::device() const {
    return as<LayerObject>(this)->read([](const Values& values) { return metal_objects::shared(values.device); });
}
void MetalLayer::setDevice(MTL::Device* device) {
    as<LayerObject>(this)->change([&](Values& values) { values.device = NS::RetainPtr(device); });
}

MTL::PixelFormat MetalLayer::pixelFormat() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.pixelFormat; });
}
void MetalLayer::setPixelFormat(MTL::PixelFormat pixelFormat) {
    if (!metal_objects::isDrawableFormat(pixelFormat)) {
        metal_objects::reportMistake("setPixelFormat: a layer can't have pixelFormat " + std::to_string(pixelFormat));
        return;
    }
    as<LayerObject>(this)->change([&](Values& values) { values.pixelFormat = pixelFormat; });
}

bool MetalLayer::framebufferOnly() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.framebufferOnly; });
}
void MetalLayer::setFramebufferOnly(bool framebufferOnly) {
    as<LayerObject>(this)->change([&](Values& values) { values.framebufferOnly = framebufferOnly; });
}

CGSize MetalLayer::drawableSize() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.drawableSize; });
}
void MetalLayer::setDrawableSize(CGSize drawableSize) {
    const auto isSide = [](CGFloat size) { return size >= 0 && size <= metal_objects::longestSide; };
    if (!isSide(drawableSize.width) || !isSide(drawableSize.height)) {
        metal_objects::reportMistake("setDrawableSize: drawableSize is (" + std::to_string(drawableSize.width) + ", " +
                                     std::to_string(drawableSize.height) + "), each must be 0 to 16384");
        return;
    }
    auto* layer = as<LayerObject>(this);
    const CGSize before = this->drawableSize();
    if (before.width == drawableSize.width && before.height == drawableSize.height) return;
    layer->change([&](Values& values) { values.drawableSize = drawableSize; });
}

MetalDrawable* MetalLayer::nextDrawable() {
    return as<LayerObject>(this)->nextDrawable();
}

NS::UInteger MetalLayer::maximumDrawableCount() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.maximumDrawableCount; });
}
void MetalLayer::setMaximumDrawableCount(NS::UInteger maximumDrawableCount) {
    if (maximumDrawableCount != 2 && maximumDrawableCount != 3) {
        metal_objects::reportMistake("setMaximumDrawableCount: maximumDrawableCount is " +
                                     std::to_string(maximumDrawableCount) + ", must be 2 or 3");
        return;
    }
    as<LayerObject>(this)->change([&](Values& values) { values.maximumDrawableCount = maximumDrawableCount; });
}

bool MetalLayer::displaySyncEnabled() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.displaySyncEnabled; });
}
void MetalLayer::setDisplaySyncEnabled(bool displaySyncEnabled) {
    as<LayerObject>(this)->set([&](Values& values) { values.displaySyncEnabled = displaySyncEnabled; });
}

CGColorSpaceRef MetalLayer::colorspace() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.colorspace; });
}
void MetalLayer::setColorspace(CGColorSpaceRef colorspace) {
    as<LayerObject>(this)->set([&](Values& values) {
        CGColorSpaceRetain(colorspace);
        CGColorSpaceRelease(values.colorspace);
        values.colorspace = colorspace;
    });
}

bool MetalLayer::allowsNextDrawableTimeout() const {
    return as<LayerObject>(this)->read([](const Values& values) { return values.allowsNextDrawableTimeout; });
}
void MetalLayer::setAllowsNextDrawableTimeout(bool allowsNextDrawableTimeout) {
    as<LayerObject>(this)->set([&](Values& values) { values.allowsNextDrawableTimeout = allowsNextDrawableTimeout; });
}

}  // namespace CA

namespace MTL::Portable {

CA::MetalDrawable* shownDrawable(CA::MetalLayer* layer) {
    return as<LayerObject>(layer)->shownDrawable();
}

bool waitForDrawable(CA::MetalLayer* layer, double seconds) {
    return as<LayerObject>(layer)->waitUntilReady(metal_executor::deadlineAfter(metal_executor::duration(seconds)));
}

}  // namespace MTL::Portable
