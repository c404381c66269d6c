// SPDX-License-Identifier: MIT
//
// Command buffers that were committed and have not ended. Ctrl-C in a wait stops those that no thread waits for: one
// of them may be what the wait is about, and nobody else would ever stop it.

#pragma once

#include <Metal/Metal.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace mtlpy {

class UnderWay {
public:
    /// Before the commit, from any thread.
    static std::shared_ptr<UnderWay> begin(MTL::CommandBuffer* commandBuffer);

    /// Stops all that nobody waits for, and returns when they have ended or a moment has passed. With the GIL held;
    /// releases it. Nothing on a Mac.
    static void stopAll();

    /// From any thread, without the GIL.
    void end();

    /// A thread that waits for this one: what it waits for is its own to stop.
    class Awaited {
    public:
        explicit Awaited(std::shared_ptr<UnderWay> underWay) : underWay_(std::move(underWay)) {
            if (underWay_) underWay_->waiting_.fetch_add(1);
        }
        ~Awaited() {
            if (underWay_) underWay_->waiting_.fetch_sub(1);
        }
        Awaited(const Awaited&) = delete;
        Awaited& operator=(const Awaited&) = delete;

    private:
        const std::shared_ptr<UnderWay> underWay_;
    };

    explicit UnderWay(MTL::CommandBuffer* commandBuffer) : commandBuffer_(NS::RetainPtr(commandBuffer)) {}

private:
    const NS::SharedPtr<MTL::CommandBuffer> commandBuffer_;
    std::atomic<int> waiting_ = 0;
};

}  // namespace mtlpy
