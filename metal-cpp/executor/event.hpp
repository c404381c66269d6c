// SPDX-License-Identifier: MIT
//
// A counter that only grows, on which streams park and threads wait (MTL::Event, MTL::SharedEvent). Other processes may
// signal it too once it is shared with them; a thread then watches the common counter while anything here waits.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "shared_counter.hpp"

namespace metal_executor {

class Stream;

/// One made before a fork has the value 0 in the child and reaches no other.
class Event : public std::enable_shared_from_this<Event> {
public:
    explicit Event(std::uint64_t value = 0);
    /// One that another process shares.
    explicit Event(std::shared_ptr<SharedCounter> counter);
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    std::uint64_t value() const;

    /// Raises the value and sets free what waited for it. A value below the present one changes nothing.
    void signal(std::uint64_t value);

    /// Blocks the calling thread; false when `timeout` passed first.
    bool wait(std::uint64_t value, std::chrono::nanoseconds timeout);

    /// Calls `listener` with the event's value, on the callback thread, once `value` is reached (at once if it is). The
    /// event lives until it has returned. A listener for a value that never comes goes with the event.
    void notify(std::uint64_t value, std::function<void(std::uint64_t)> listener);

    /// For streams. False when `value` is reached already; otherwise `stream` is made ready when it is, and must not
    /// be touched by the caller any more.
    bool park(std::uint64_t value, std::shared_ptr<Stream> stream);
    /// True when `stream` was parked here and now isn't.
    bool unpark(const Stream& stream);

    /// What other processes signal it by, from the first call on. Null, and `whyNot`, when the system has none.
    std::shared_ptr<SharedCounter> share(std::string_view label, std::string& whyNot);

    bool isForeign() const;

private:
    struct Listener {
        std::uint64_t value;
        std::function<void(std::uint64_t)> call;
    };
    struct Parked {
        std::uint64_t value;
        std::shared_ptr<Stream> stream;
    };

    std::uint64_t present() const;  // with mutex_ held
    void deliver();
    void startWatching();  // with mutex_ held
    void watch();

    const std::uint64_t process_;
    mutable std::mutex mutex_;
    std::condition_variable reached_;
    std::uint64_t value_ = 0;                 // while it is not shared
    std::shared_ptr<SharedCounter> counter_;  // once set it stays
    bool isWatching_ = false;
    std::vector<Parked> parked_;
    std::vector<Listener> listeners_;
};

}  // namespace metal_executor
