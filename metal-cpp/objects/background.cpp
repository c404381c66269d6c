// SPDX-License-Identifier: MIT

#include "background.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>

#include "../Foundation/Foundation.hpp"
#include "../executor/process.hpp"
#include "../executor/threads.hpp"

namespace metal_objects {

namespace {

struct Background {
    std::mutex mutex;
    std::condition_variable isDone;
    std::unique_ptr<std::deque<std::function<void()>>> waiting = std::make_unique<std::deque<std::function<void()>>>();
    bool isRunning = false;
    std::atomic<bool> isEnding = false;

    void run() {
        for (;;) {
            std::function<void()> work;
            {
                std::lock_guard lock(mutex);
                if (waiting->empty() || isEnding) {
                    isRunning = false;
                    isDone.notify_all();
                    return;
                }
                work = std::move(waiting->front());
                waiting->pop_front();
            }
            auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
            work();
        }
    }
};

Background& background() {
    static Background& made = *[] {
        auto* created = new Background;  // outlives every thread
        metal_executor::onFork([] { background().mutex.lock(); }, [] { background().mutex.unlock(); },
                               [] {
                                   // The parent's objects are not the child's to let go of, nor is its thread here.
                                   (void)background().waiting.release();
                                   background().waiting = std::make_unique<std::deque<std::function<void()>>>();
                                   background().isRunning = false;
                                   background().mutex.unlock();
                               });
        // Nothing runs while the process takes itself apart.
        std::atexit([] {
            std::unique_lock lock(background().mutex);
            background().isEnding = true;
            background().isDone.wait(lock, [] { return !background().isRunning; });
        });
        return created;
    }();
    return made;
}

}  // namespace

void runInBackground(std::function<void()> work) {
    Background& all = background();
    std::lock_guard lock(all.mutex);
    if (all.isEnding) return;
    all.waiting->push_back(std::move(work));
    if (all.isRunning) return;
    try {
        metal_executor::startThread("metal-background", [&all] { all.run(); });
        all.isRunning = true;
    } catch (const std::system_error&) {
        // Too many threads; the next to ask tries again.
    }
}

bool isBackgroundEnding() {
    return background().isEnding;
}

}  // namespace metal_objects
