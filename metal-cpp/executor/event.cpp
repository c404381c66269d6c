// SPDX-License-Identifier: MIT

#include "event.hpp"

#include <algorithm>
#include <utility>

#include "clock.hpp"
#include "process.hpp"
#include "stream.hpp"
#include "worker_pool.hpp"

namespace metal_executor {

Event::Event(std::uint64_t value) : process_(thisProcess()), value_(value) {}

bool Event::isForeign() const {
    return process_ != thisProcess();
}

std::uint64_t Event::value() const {
    if (isForeign()) return 0;
    std::lock_guard lock(mutex_);
    return value_;
}

void Event::signal(std::uint64_t value) {
    if (isForeign()) return;
    std::vector<Parked> freed;
    std::vector<Listener> called;
    {
        std::lock_guard lock(mutex_);
        if (value <= value_) return;
        value_ = value;
        const auto isWaiting = [&](const auto& waiter) { return waiter.value > value; };
        const auto freeFrom = std::stable_partition(parked_.begin(), parked_.end(), isWaiting);
        freed.assign(std::make_move_iterator(freeFrom), std::make_move_iterator(parked_.end()));
        parked_.erase(freeFrom, parked_.end());
        const auto callFrom = std::stable_partition(listeners_.begin(), listeners_.end(), isWaiting);
        called.assign(std::make_move_iterator(callFrom), std::make_move_iterator(listeners_.end()));
        listeners_.erase(callFrom, listeners_.end());
        reached_.notify_all();
    }
    for (Parked& parked : freed) parked.stream->resume();
    for (Listener& listener : called) callLater([call = std::move(listener.call), value] { call(value); });
}

bool Event::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
    if (isForeign()) return false;
    const std::int64_t deadline = deadlineAfter(timeout);
    std::unique_lock lock(mutex_);
    while (value_ < value) {
        if (deadline == INT64_MAX) {
            reached_.wait(lock);
        } else if (const std::int64_t left = deadline - nanoseconds(); left <= 0) {
            return false;
        } else {
            reached_.wait_for(lock, std::chrono::nanoseconds(left));
        }
    }
    return true;
}

void Event::notify(std::uint64_t value, std::function<void(std::uint64_t)> listener) {
    if (isForeign()) return;
    std::uint64_t reached = 0;
    {
        std::lock_guard lock(mutex_);
        if (value_ < value) {
            listeners_.push_back({value, std::move(listener)});
            return;
        }
        reached = value_;
    }
    callLater([call = std::move(listener), reached] { call(reached); });
}

bool Event::park(std::uint64_t value, std::shared_ptr<Stream> stream) {
    std::lock_guard lock(mutex_);
    if (value_ >= value) return false;
    parked_.push_back({value, std::move(stream)});
    return true;
}

bool Event::unpark(const Stream& stream) {
    std::lock_guard lock(mutex_);
    return std::erase_if(parked_, [&](const Parked& parked) { return parked.stream.get() == &stream; }) != 0;
}

}  // namespace metal_executor
