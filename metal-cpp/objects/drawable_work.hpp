// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace metal_objects {

/// Counts the command buffers, committed and not ended, that use the texture of a drawable: it is shown after them.
class DrawableWork {
public:
    void begin() {
        std::lock_guard lock(mutex_);
        ++count_;
    }

    void end() {
        std::vector<std::function<void()>> waiting;
        {
            std::lock_guard lock(mutex_);
            if (--count_ == 0) waiting.swap(waiting_);
        }
        for (const auto& function : waiting) function();
    }

    /// At once where there is none; else on the thread that ends the last.
    void whenDone(std::function<void()> function) {
        {
            std::lock_guard lock(mutex_);
            if (count_ > 0) {
                waiting_.push_back(std::move(function));
                return;
            }
        }
        function();
    }

private:
    std::mutex mutex_;
    unsigned count_ = 0;
    std::vector<std::function<void()>> waiting_;
};

}  // namespace metal_objects
