// SPDX-License-Identifier: MIT
//
// What a thread owns to run kernels: threadgroup memory, scratch, a stack for signal handlers, and the place to jump
// back to when a kernel faults or is stopped. Made when a thread first runs a kernel, gone when the thread ends.

#pragma once

#include <setjmp.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fault.hpp"

namespace metal_executor {

class Kernel;
class Stoppable;

/// Memory that only grows, 64-byte aligned.
class GrowingBlock {
public:
    GrowingBlock() = default;
    GrowingBlock(const GrowingBlock&) = delete;
    GrowingBlock& operator=(const GrowingBlock&) = delete;
    ~GrowingBlock();

    /// At least `bytes`; null when there is no memory for it. Contents are lost.
    void* reserve(std::uint64_t bytes);

private:
    void* address_ = nullptr;
    std::uint64_t size_ = 0;
};

struct ThreadState {
    ThreadState();
    ~ThreadState();
    ThreadState(const ThreadState&) = delete;
    ThreadState& operator=(const ThreadState&) = delete;

    GrowingBlock threadgroupMemory, scratch;
    unsigned worker = 0;          // its number in the pool; 0 of others, too
    std::int64_t pieceStart = 0;  // of what it runs, in nanoseconds()

    // What it takes part in; `work` is read by threads that want to stop it and only compared, never followed.
    const Stoppable* run = nullptr;
    std::atomic<const void*> work = nullptr;
    std::atomic<const Stoppable*> sharedRun = nullptr;
    std::atomic<bool> isInterrupted = false;  // a stop signal is on its way; signals of this kind would queue up

    // Between the dispatcher and this thread's signal handler.
    volatile bool inKernel = false;
    const Kernel* kernel = nullptr;  // which one
    sigjmp_buf jump;
    FaultKind faultKind = FaultKind::none;
    bool faultAddressKnown = false, faultIsWrite = false;
    std::uintptr_t faultAddress = 0;

    std::atomic<pid_t> thread;

private:
    std::byte* signalStack_ = nullptr;
};

/// The calling thread's.
ThreadState& threadState();

/// The calling thread's, or null when it has never run a kernel. Safe in signal handlers.
ThreadState* existingThreadState();

/// Sends the stop signal to threads that now work for `work`, or take part in `run` (either may be null); not to the
/// calling thread. True when there was one.
bool interruptThreads(const void* work, const Stoppable* run);

}  // namespace metal_executor
