// SPDX-License-Identifier: MIT
//
// One dispatch while it runs: threadgroups still to be handed out, the threads that take part, how it failed.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "command.hpp"
#include "fault.hpp"

namespace metal_executor {

class Pool;
struct ThreadState;

/// Runs `dispatch` on this thread and, where it is large enough, on others of the pool too; returns when it has ended.
/// `owner` is what other threads name to take part or to interrupt it; it ends early when `stopRequested` becomes true.
/// `log`: where the kernel writes its messages; may be null.
Fault runDispatch(const Dispatch& dispatch, Pool& pool, const void* owner, const std::atomic<bool>& stopRequested,
                  metal_log* log);

class DispatchRun {
public:
    DispatchRun(const Dispatch& dispatch, Pool& pool, const metal_launch& launch, std::uint64_t threadgroups,
                const void* owner, const std::atomic<bool>& stopRequested);
    DispatchRun(const DispatchRun&) = delete;
    DispatchRun& operator=(const DispatchRun&) = delete;

    /// For the thread that runs the stream. Returns when all threadgroups have run, or the dispatch failed.
    Fault lead();

    // ---- For other threads, which the pool lets in and out ----

    /// Runs threadgroups until none are left, or a stream waits for a thread.
    void assist();
    /// Counted by the pool, under its lock.
    void enter() {
        ++entries_;
        assistants_.fetch_add(1, std::memory_order_relaxed);
    }
    /// The run may be gone after this.
    void leave();
    bool hasWork() const { return next_.load(std::memory_order_relaxed) < threadgroups_ && !shouldStop(); }

    const void* owner() const { return owner_; }
    const Kernel& kernel() const { return *dispatch_.kernel; }
    /// Safe in signal handlers.
    bool shouldStop() const {
        return failed_.load(std::memory_order_relaxed) || stopRequested_.load(std::memory_order_relaxed);
    }

private:
    enum class Role : std::uint8_t { leader, assistant };

    void takePart(Role role);
    void runThreadgroups(ThreadState& state, Role role, void* threadgroupMemory, void* scratch);
    std::uint64_t takeThreadgroups(std::uint64_t& first);
    void openIfSlow(std::uint64_t done);
    void open();
    void fail(Fault fault);

    const Dispatch& dispatch_;
    Pool& pool_;
    const metal_launch& launch_;
    const std::uint64_t threadgroups_;
    const std::uint64_t threadsPerThreadgroup_;
    const void* const owner_;
    const std::atomic<bool>& stopRequested_;
    const unsigned threads_;  // that may take part
    std::uint64_t leastThreadgroups_ = 1;
    std::int64_t start_ = 0;
    bool isOpen_ = false;   // the leading thread's
    unsigned entries_ = 0;  // under the pool's lock until it is closed

    std::mutex mutex_;
    Fault fault_;
    std::atomic<bool> failed_ = false;

    // Written by every thread that takes part; each on a cache line of its own.
    alignas(64) std::atomic<std::uint64_t> next_ = 0;
    alignas(64) std::atomic<std::uint32_t> assistants_ = 0;  // futex
};

}  // namespace metal_executor
