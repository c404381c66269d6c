// SPDX-License-Identifier: MIT
//
// Time, and polite waiting for very short stretches of it.

#pragma once

#include <chrono>
#include <cstdint>

namespace metal_executor {

using Clock = std::chrono::steady_clock;

inline std::int64_t nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

inline double seconds() {
    return static_cast<double>(nanoseconds()) * 1e-9;
}

/// Of any number of seconds: nothing for less than nothing and for what is no number, at most some thirty years.
inline std::chrono::nanoseconds duration(double seconds) {
    constexpr double longest = 1e9;  // more would overflow the clock
    if (!(seconds > 0)) return {};
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds < longest ? seconds : longest));
}

/// `now` plus `timeout`, without overflow.
inline std::int64_t deadlineAfter(std::chrono::nanoseconds timeout) {
    const std::int64_t now = nanoseconds();
    return timeout.count() > INT64_MAX - now ? INT64_MAX : now + timeout.count();
}

/// Tells the processor that this thread spins.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

}  // namespace metal_executor
