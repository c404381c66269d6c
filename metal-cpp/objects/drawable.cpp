// SPDX-License-Identifier: MIT

#include "../executor/worker_pool.hpp"
#include "error.hpp"
#include "layer.hpp"

namespace metal_objects {

void DrawableObject::present(const char* call, Presentation presentation) {
    {
        std::lock_guard lock(mutex_);
        if (isPresented_) {
            reportMistake(std::string(call) + ": the drawable has been presented already");
            return;
        }
        isPresented_ = true;
    }
    texture->work().whenDone(
        [self = NS::RetainPtr(this), presentation] { self->layer->schedule(self.get(), presentation); });
}

void DrawableObject::addHandler(MTL::DrawablePresentedHandlerFunction handler) {
    std::lock_guard lock(mutex_);
    handlers_.push_back(std::move(handler));
}

void DrawableObject::wasShown(double time) {
    std::vector<MTL::DrawablePresentedHandlerFunction> handlers;
    {
        std::lock_guard lock(mutex_);
        presentedTime = time;
        handlers.swap(handlers_);
    }
    for (auto& handler : handlers) {
        metal_executor::callLater([self = NS::RetainPtr(this), handler = std::move(handler)] { handler(self.get()); });
    }
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::DrawableObject;

namespace MTL {

void Drawable::addPresentedHandler(const DrawablePresentedHandlerFunction& function) {
    as<DrawableObject>(this)->addHandler(function);
}

NS::UInteger Drawable::drawableID() const {
    return as<DrawableObject>(this)->id;
}

void Drawable::present() {
    as<DrawableObject>(this)->present("present", {});
}

void Drawable::presentAfterMinimumDuration(CFTimeInterval duration) {
    as<DrawableObject>(this)->present("presentAfterMinimumDuration", {.minimumDuration = duration});
}

void Drawable::presentAtTime(CFTimeInterval presentationTime) {
    as<DrawableObject>(this)->present("presentAtTime", {.earliest = presentationTime});
}

CFTimeInterval Drawable::presentedTime() const {
    return as<DrawableObject>(this)->presentedTime;
}

}  // namespace MTL

namespace CA {

MetalLayer* MetalDrawable::layer() const {
    return as<DrawableObject>(this)->layer.get();
}

MTL::Texture* MetalDrawable::texture() const {
    return as<DrawableObject>(this)->texture->texture.get();
}

}  // namespace CA
