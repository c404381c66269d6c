// SPDX-License-Identifier: MIT
//
// The threads that run kernels: one pool per device, started with its first work.

#pragma once

#include <cstdint>
#include <functional>

namespace metal_executor {

/// Processors this process may use: affinity and the cgroup's quota, at least 1.
unsigned availableProcessors();

/// Devices that the processors are split into: $MTLPY_SOFTWARE_DEVICES, from 1 to 64; else 1.
unsigned deviceCount();

/// Threads that run kernels, of all devices: setThreadCount()'s, else $MTLPY_NUM_THREADS, else availableProcessors().
unsigned threadCount();

/// A device's share of them, at least one; the first devices get what cannot be divided.
unsigned threadCount(unsigned device);

/// At least 1, at most 1024; takes effect with the next dispatch. False, changing nothing, for other numbers.
bool setThreadCount(unsigned count);

/// How often a sleeping thread of the device was woken: small work should not.
std::uint64_t wakeUps(unsigned device = 0);

/// Calls `function` on the callback thread, after what was handed over before.
void callLater(std::function<void()> function);

}  // namespace metal_executor
