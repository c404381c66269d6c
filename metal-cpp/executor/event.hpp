// SPDX-License-Identifier: MIT
//
// A counter that only grows, on which streams park and threads wait (MTL::Event, MTL::SharedEvent).

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace metal_executor {

class Stream;

/// One made before a fork has the value 0 in the child and reaches no other.
class Event {
public:
    explicit Event(std::uint64_t value = 0);
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    std::uint64_t value() const;

    /// Raises the value and sets free what waited for it. A value below the present one changes nothing.
    void signal(std::uint64_t value);

    /// Blocks the calling thread; false when `timeout` passed first.
    bool wait(std::uint64_t value, std::chrono::nanoseconds timeout);

    /// Calls `listener` with the event's value, on the callback thread, once `value` is reached (at once if it is).
    void notify(std::uint64_t value, std::function<void(std::uint64_t)> listener);

    /// For streams. False when `value` is reached already; otherwise `stream` is made ready when it is, and must not
    /// be touched by the caller any more.
    bool park(std::uint64_t value, std::shared_ptr<Stream> stream);
    /// True when `stream` was parked here and now isn't.
    bool unpark(const Stream& stream);

private:
    struct Listener {
        std::uint64_t value;
        std::function<void(std::uint64_t)> call;
    };
    struct Parked {
        std::uint64_t value;
        std::shared_ptr<Stream> stream;
    };

    bool isForeign() const;

    const std::uint64_t process_;
    mutable std::mutex mutex_;
    std::condition_variable reached_;
    std::uint64_t value_;
    std::vector<Parked> parked_;
    std::vector<Listener> listeners_;
};

}  // namespace metal_executor
