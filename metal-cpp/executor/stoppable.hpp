// SPDX-License-Identifier: MIT
//
// Work in which kernels run on several threads: whether it goes on, and what the first thing was that went wrong.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "fault.hpp"

namespace metal_executor {

class Kernel;
struct ThreadState;

class Stoppable {
public:
    /// Ends early when `stopRequested`, which must outlive this, becomes true.
    explicit Stoppable(const std::atomic<bool>& stopRequested) : stopRequested_(stopRequested) {}
    Stoppable(const Stoppable&) = delete;
    Stoppable& operator=(const Stoppable&) = delete;

    /// Safe in signal handlers.
    bool shouldStop() const {
        return failed_.load(std::memory_order_relaxed) || stopRequested_.load(std::memory_order_relaxed);
    }

    /// Notes the first fault and calls the other threads off, waiting until they have left their kernels. Not for a
    /// thread that takes part still (TakingPart): two of them would wait for each other.
    void fail(Fault fault);

    /// The first fault.
    Fault fault() const;

protected:
    ~Stoppable() = default;

private:
    const std::atomic<bool>& stopRequested_;
    mutable std::mutex mutex_;
    Fault fault_;
    std::atomic<bool> failed_ = false;
};

/// While it lives, the calling thread runs kernels for `work` and can be interrupted. `owner`: who else may name it.
class TakingPart {
public:
    TakingPart(ThreadState& state, const Stoppable& work, const void* owner);
    ~TakingPart();
    TakingPart(const TakingPart&) = delete;
    TakingPart& operator=(const TakingPart&) = delete;

private:
    ThreadState& state_;
};

/// How the kernel ended that the thread ran last, FaultKind::none for well; only once.
Fault takeFault(ThreadState& state);

}  // namespace metal_executor
