// SPDX-License-Identifier: MIT
//
// Sleeping on a 32-bit word, for waits that are too frequent for a mutex and condition variable.

#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace metal_executor {

/// Sleeps while `word` holds `expected`; returns early for any reason, so check and call again.
inline void futexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                      std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max()) {
    timespec relative{};
    timespec* limit = nullptr;
    if (timeout != std::chrono::nanoseconds::max()) {
        if (timeout.count() <= 0) return;
        relative.tv_sec = static_cast<time_t>(timeout.count() / 1'000'000'000);
        relative.tv_nsec = static_cast<long>(timeout.count() % 1'000'000'000);
        limit = &relative;
    }
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected, limit, nullptr, 0);
}

inline void futexWake(std::atomic<std::uint32_t>& word, int threads = INT_MAX) {
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

}  // namespace metal_executor
