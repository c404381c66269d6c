// SPDX-License-Identifier: MIT

#include "event.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "clock.hpp"
#include "process.hpp"
#include "stream.hpp"
#include "threads.hpp"
#include "worker_pool.hpp"

namespace metal_executor {
namespace {

// Moves out those that waited for `value` or less, in order.
template <class Waiter>
std::vector<Waiter> takeReached(std::vector<Waiter>& waiting, std::uint64_t value) {
    std::vector<Waiter> reached, left;
    for (Waiter& waiter : waiting) (waiter.value <= value ? reached : left).push_back(std::move(waiter));
    waiting = std::move(left);
    return reached;
}

// A process that dies between raising the value and waking the others wakes nobody: so nobody sleeps for ever.
constexpr std::chrono::milliseconds longestSleep{100};

}  // namespace

Event::Event(std::uint64_t value) : process_(thisProcess()), value_(value) {}

Event::Event(std::shared_ptr<SharedCounter> counter) : process_(thisProcess()), counter_(std::move(counter)) {}

bool Event::isForeign() const {
    return process_ != thisProcess();
}

std::uint64_t Event::present() const {
    return counter_ ? counter_->value() : value_;
}

std::uint64_t Event::value() const {
    if (isForeign()) return 0;
    std::lock_guard lock(mutex_);
    return present();
}

void Event::signal(std::uint64_t value) {
    if (isForeign()) return;
    {
        std::lock_guard lock(mutex_);
        if (value <= present()) return;
        if (counter_) {
            counter_->raise(value);
        } else {
            value_ = value;
        }
    }
    deliver();
}

// Sets free what waited for the present value.
void Event::deliver() {
    std::vector<Parked> freed;
    std::vector<Listener> called;
    std::uint64_t value = 0;
    {
        std::lock_guard lock(mutex_);
        value = present();
        freed = takeReached(parked_, value);
        called = takeReached(listeners_, value);
        reached_.notify_all();
    }
    for (Parked& parked : freed) parked.stream->resume();
    for (Listener& listener : called)
        callLater([self = shared_from_this(), call = std::move(listener.call), value] { call(value); });
}

bool Event::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
    if (isForeign()) return false;
    const std::int64_t deadline = deadlineAfter(timeout);
    std::unique_lock lock(mutex_);
    for (;;) {
        const std::uint32_t pulse = counter_ ? counter_->pulse() : 0;
        if (present() >= value) return true;
        const std::chrono::nanoseconds left(deadline == INT64_MAX ? INT64_MAX : deadline - nanoseconds());
        if (left.count() <= 0) return false;
        if (counter_) {
            const std::shared_ptr<SharedCounter> counter = counter_;
            lock.unlock();
            counter->sleep(pulse, std::min<std::chrono::nanoseconds>(left, longestSleep));
            lock.lock();
        } else if (deadline == INT64_MAX) {
            reached_.wait(lock);
        } else {
            reached_.wait_for(lock, left);
        }
    }
}

void Event::notify(std::uint64_t value, std::function<void(std::uint64_t)> listener) {
    if (isForeign()) return;
    std::uint64_t reached = 0;
    {
        std::lock_guard lock(mutex_);
        reached = present();
        if (reached < value) {
            listeners_.push_back({value, std::move(listener)});
            if (counter_) startWatching();
            return;
        }
    }
    callLater([self = shared_from_this(), call = std::move(listener), reached] { call(reached); });
}

bool Event::park(std::uint64_t value, std::shared_ptr<Stream> stream) {
    std::lock_guard lock(mutex_);
    if (present() >= value) return false;
    parked_.push_back({value, std::move(stream)});
    if (counter_) startWatching();
    return true;
}

bool Event::unpark(const Stream& stream) {
    std::lock_guard lock(mutex_);
    return std::erase_if(parked_, [&](const Parked& parked) { return parked.stream.get() == &stream; }) != 0;
}

std::shared_ptr<SharedCounter> Event::share(std::string_view label, std::string& whyNot) {
    std::lock_guard lock(mutex_);
    if (!counter_) {
        counter_ = SharedCounter::make(value_, label, whyNot);
        if (!counter_) return nullptr;
        if (!parked_.empty() || !listeners_.empty()) startWatching();
        reached_.notify_all();  // who waits here goes on to wait for the counter
    }
    return counter_;
}

void Event::startWatching() {
    if (isWatching_) return;
    try {
        startThread("metal-event", [self = shared_from_this()] { self->watch(); });
        isWatching_ = true;
    } catch (const std::system_error&) {
        // Too many threads; a signal of this process frees what waits, and whoever waits next tries again.
    }
}

void Event::watch() {
    for (;;) {
        const std::uint32_t pulse = counter_->pulse();
        deliver();
        {
            std::lock_guard lock(mutex_);
            if (parked_.empty() && listeners_.empty()) {
                isWatching_ = false;
                return;
            }
        }
        counter_->sleep(pulse, longestSleep);
    }
}

}  // namespace metal_executor
