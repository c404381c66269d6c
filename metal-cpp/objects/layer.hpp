// SPDX-License-Identifier: MIT

#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "../QuartzCore/QuartzCore.hpp"
#include "drawable_pool.hpp"
#include "runtime.hpp"

namespace metal_objects {

/// When a drawable may be shown.
struct Presentation {
    double earliest = 0;         // seconds of the steady clock
    double minimumDuration = 0;  // of the drawable before it
};

class DrawableObject;

class LayerObject final : public Implements<CA::MetalLayer> {
public:
    ~LayerObject() override;

    CA::MetalDrawable* nextDrawable();
    /// Whether nextDrawable() would not wait, by `deadline` (nanoseconds of the steady clock).
    bool waitUntilReady(std::int64_t deadline);

    /// Gives the drawable its turn, which may be now.
    void schedule(DrawableObject* drawable, Presentation presentation);

    /// Another drawable with the texture that is on the display; null before the first.
    CA::MetalDrawable* shownDrawable();

    struct Values {
        NS::SharedPtr<MTL::Device> device;
        MTL::PixelFormat pixelFormat = MTL::PixelFormatBGRA8Unorm;
        bool framebufferOnly = true;
        CGSize drawableSize{0, 0};
        NS::UInteger maximumDrawableCount = 3;
        bool displaySyncEnabled = true;
        bool allowsNextDrawableTimeout = true;
        CGColorSpaceRef colorspace = nullptr;
    };

    template <class Read>
    auto read(Read function) const {
        std::lock_guard lock(mutex_);
        return function(values_);
    }

    /// For what changes the textures: those that there are are not used again.
    template <class Change>
    void change(Change function) {
        std::lock_guard lock(mutex_);
        function(values_);
        if (pool_) pool_->retire();
        pool_.reset();
    }

    /// For what doesn't.
    template <class Change>
    void set(Change function) {
        std::lock_guard lock(mutex_);
        function(values_);
    }

private:
    std::shared_ptr<DrawablePool> pool();
    void show(DrawableObject* drawable);

    mutable std::mutex mutex_;
    Values values_;
    std::shared_ptr<DrawablePool> pool_;
    NS::UInteger lastID_ = 0;

    // The display.
    std::shared_ptr<DrawableTexture> shown_;
    unsigned waiting_ = 0;  // drawables whose time is to come
    double lastTime_ = 0;   // of the drawable scheduled last
};

class DrawableObject final : public Implements<CA::MetalDrawable> {
public:
    DrawableObject(LayerObject* layer, std::shared_ptr<DrawableTexture> texture, NS::UInteger id)
        : layer(NS::RetainPtr(layer)), texture(std::move(texture)), id(id) {}

    void present(const char* call, Presentation presentation);
    void addHandler(MTL::DrawablePresentedHandlerFunction handler);
    void wasShown(double time);

    const NS::SharedPtr<LayerObject> layer;
    const std::shared_ptr<DrawableTexture> texture;
    const NS::UInteger id;
    std::atomic<double> presentedTime = 0;

private:
    std::mutex mutex_;
    bool isPresented_ = false;
    std::vector<MTL::DrawablePresentedHandlerFunction> handlers_;
};

}  // namespace metal_objects
