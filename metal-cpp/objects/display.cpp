// SPDX-License-Identifier: MIT

#include "display.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "../executor/clock.hpp"
#include "../executor/process.hpp"
#include "../executor/threads.hpp"

namespace metal_objects {

namespace {

struct Display {
    std::mutex mutex;
    std::condition_variable changed;
    std::multimap<double, std::function<void()>> waiting;
    bool isStarted = false;

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            if (waiting.empty()) {
                changed.wait(lock);
                continue;
            }
            const auto next = waiting.begin();
            // An hour at a time: the standard library adds it to its clock, which must not overflow.
            const double left = std::min(next->first - metal_executor::seconds(), 3600.0);
            if (left > 0) {
                changed.wait_for(lock, std::chrono::duration<double>(left));
                continue;
            }
            auto function = std::move(next->second);
            waiting.erase(next);
            lock.unlock();
            function();
            function = {};  // with what it holds, before the lock
            lock.lock();
        }
    }
};

// Never destroyed: its thread runs until the process is gone. The child of a fork gets a new one.
Display*& display() {
    static Display* instance = [] {
        metal_executor::onFork([] { display()->mutex.lock(); }, [] { display()->mutex.unlock(); },
                               [] { display() = new Display; });
        return new Display;
    }();
    return instance;
}

}  // namespace

void callAt(double time, std::function<void()> function) {
    Display* all = display();
    std::unique_lock lock(all->mutex);
    if (!all->isStarted) {
        try {
            metal_executor::startThread("metal-display", [all] { all->run(); });
        } catch (const std::system_error&) {
            // Better early than never.
            lock.unlock();
            return function();
        }
        all->isStarted = true;
    }
    all->waiting.emplace(time, std::move(function));
    all->changed.notify_one();
}

}  // namespace metal_objects
