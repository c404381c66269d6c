// SPDX-License-Identifier: MIT

#include "drawable_pool.hpp"

#include <chrono>

#include "../executor/clock.hpp"
#include "texture.hpp"

namespace metal_objects {

DrawableTexture::~DrawableTexture() {
    if (const auto pool = pool_.lock()) pool->giveBack(texture);
}

DrawableWork& DrawableTexture::work() const {
    return *as<TextureObject>(texture.get())->drawableWork;
}

bool DrawablePool::wait(std::unique_lock<std::mutex>& lock, std::int64_t deadline) {
    while (!isReady()) {
        const std::int64_t left = deadline - metal_executor::nanoseconds();
        if (left <= 0) return false;
        // An hour at a time: the standard library adds it to its clock, which must not overflow.
        constexpr std::int64_t longest = std::int64_t{3600} * 1000000000;
        changed_.wait_for(lock, std::chrono::nanoseconds(left < longest ? left : longest));
    }
    return !isRetired_;
}

bool DrawablePool::waitUntilReady(std::int64_t deadline) {
    std::unique_lock lock(mutex_);
    wait(lock, deadline);
    return isReady();
}

std::shared_ptr<DrawableTexture> DrawablePool::take(std::int64_t deadline) {
    std::unique_lock lock(mutex_);
    if (!wait(lock, deadline)) return nullptr;
    NS::SharedPtr<MTL::Texture> texture;
    if (!free_.empty()) {
        texture = std::move(free_.back());
        free_.pop_back();
    } else {
        texture = NS::TransferPtr(static_cast<MTL::Texture*>(TextureObject::make(device_.get(), values_)));
        if (!texture) return nullptr;
        as<TextureObject>(texture.get())->drawableWork = std::make_shared<DrawableWork>();
        ++made_;
    }
    lock.unlock();
    return std::make_shared<DrawableTexture>(weak_from_this(), std::move(texture));
}

void DrawablePool::giveBack(NS::SharedPtr<MTL::Texture> texture) {
    std::lock_guard lock(mutex_);
    if (isRetired_) return;
    free_.push_back(std::move(texture));
    changed_.notify_one();
}

void DrawablePool::retire() {
    std::lock_guard lock(mutex_);
    isRetired_ = true;
    free_.clear();
    changed_.notify_all();
}

bool DrawablePool::isRetired() {
    std::lock_guard lock(mutex_);
    return isRetired_;
}

}  // namespace metal_objects
