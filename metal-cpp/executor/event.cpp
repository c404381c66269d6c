// SPDX-License-Identifier: MIT

#include "event.hpp"

#include <utility>

#include "clock.hpp"
#include "process.hpp"
#include "stream.hpp"
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

}  // namespace

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
        freed = takeReached(parked_, value);
        called = takeReached(listeners_, value);
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
