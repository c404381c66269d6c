// SPDX-License-Identifier: MIT
//
// The threads that run kernels: one pool per process, started with the first work.

#pragma once

#include <cstdint>
#include <functional>

namespace metal_executor {

/// Processors this process may use: affinity and the cgroup's quota, at least 1.
unsigned availableProcessors();

/// Threads that run kernels: setThreadCount()'s, else $MTLPY_NUM_THREADS, else availableProcessors().
unsigned threadCount();

/// At least 1, at most 1024; takes effect with the next dispatch. False, changing nothing, for other numbers.
bool setThreadCount(unsigned count);

/// Calls `function` on the callback thread, after what was handed over before.
void callLater(std::function<void()> function);

}  // namespace metal_executor
