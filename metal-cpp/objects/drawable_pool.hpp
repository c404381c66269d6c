// SPDX-License-Identifier: MIT
//
// The few textures that a layer's drawables take turns in having.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "../Metal/Metal.hpp"
#include "descriptors.hpp"
#include "drawable_work.hpp"

namespace metal_objects {

class DrawablePool;

/// A texture taken from a pool; it goes back when the last owner of this lets go: a drawable, or the display.
class DrawableTexture {
public:
    DrawableTexture(std::weak_ptr<DrawablePool> pool, NS::SharedPtr<MTL::Texture> texture)
        : texture(std::move(texture)), pool_(std::move(pool)) {}
    DrawableTexture(const DrawableTexture&) = delete;
    DrawableTexture& operator=(const DrawableTexture&) = delete;
    ~DrawableTexture();

    DrawableWork& work() const;

    const NS::SharedPtr<MTL::Texture> texture;

private:
    const std::weak_ptr<DrawablePool> pool_;
};

class DrawablePool : public std::enable_shared_from_this<DrawablePool> {
public:
    DrawablePool(MTL::Device* device, const TextureValues& values, NS::UInteger limit)
        : device_(NS::RetainPtr(device)), values_(values), limit_(limit) {}

    /// Waits until `deadline` (nanoseconds of the steady clock). Null after that, when the pool was retired, and when
    /// there is no memory for another texture.
    std::shared_ptr<DrawableTexture> take(std::int64_t deadline);

    /// Whether take() would not wait, by `deadline`.
    bool waitUntilReady(std::int64_t deadline);

    /// The layer has another size, format or device from now on.
    void retire();
    bool isRetired();

private:
    friend class DrawableTexture;
    void giveBack(NS::SharedPtr<MTL::Texture> texture);
    bool isReady() const { return isRetired_ || !free_.empty() || made_ < limit_; }  // with mutex_ held
    bool wait(std::unique_lock<std::mutex>& lock, std::int64_t deadline);

    const NS::SharedPtr<MTL::Device> device_;
    const TextureValues values_;
    const NS::UInteger limit_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<NS::SharedPtr<MTL::Texture>> free_;
    NS::UInteger made_ = 0;
    bool isRetired_ = false;
};

}  // namespace metal_objects
