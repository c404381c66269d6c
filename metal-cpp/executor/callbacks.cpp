// SPDX-License-Identifier: MIT
//
// The thread that calls the program's handlers, so that they may block (on Python's lock, say) and no worker does.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>

#include "process.hpp"
#include "threads.hpp"
#include "worker_pool.hpp"

namespace metal_executor {
namespace {

struct Callbacks {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<std::function<void()>> waiting;
    bool isStarted = false;

    void run() {
        for (;;) {
            std::function<void()> next;
            {
                std::unique_lock lock(mutex);
                arrived.wait(lock, [this] { return !waiting.empty(); });
                next = std::move(waiting.front());
                waiting.pop_front();
            }
            next();
        }
    }
};

// Never destroyed: its thread runs until the process is gone. The child of a fork gets a new one.
Callbacks*& callbacks() {
    static Callbacks* instance = [] {
        onFork([] { callbacks()->mutex.lock(); }, [] { callbacks()->mutex.unlock(); },
               [] { callbacks() = new Callbacks; });
        return new Callbacks;
    }();
    return instance;
}

}  // namespace

void callLater(std::function<void()> function) {
    Callbacks* all = callbacks();
    std::unique_lock lock(all->mutex);
    if (!all->isStarted) {
        try {
            startThread("metal-callback", [all] { all->run(); });
        } catch (const std::system_error&) {
            // Better called by the wrong thread than never.
            lock.unlock();
            return function();
        }
        all->isStarted = true;
    }
    all->waiting.push_back(std::move(function));
    all->arrived.notify_one();
}

}  // namespace metal_executor
