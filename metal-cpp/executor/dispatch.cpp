// SPDX-License-Identifier: MIT

#include "dispatch.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "clock.hpp"
#include "fault_signals.hpp"
#include "flush_denormals.hpp"
#include "futex.hpp"
#include "pool.hpp"
#include "thread_state.hpp"

namespace metal_executor {
namespace {

// Below this a dispatch isn't worth a second thread: handing over a cache line or two costs about as much.
constexpr float smallNanoseconds = 25'000;
// An estimate was wrong when this has passed and threadgroups are left.
constexpr std::int64_t slowNanoseconds = 50'000;
// The least work taken at a time, so that taking it costs little beside doing it.
constexpr float leastNanosecondsAtATime = 2'000;

// The grid of an indirect dispatch; its sizes may hold anything.
bool readIndirect(const std::uint32_t* sizes, metal_launch& launch) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint64_t groups = sizes[axis];
        const std::uint64_t threads = groups * launch.threads_per_threadgroup[axis];
        if (threads > UINT32_MAX) return false;
        launch.threadgroups_per_grid[axis] = static_cast<std::uint32_t>(groups);
        launch.threads_per_grid[axis] = static_cast<std::uint32_t>(threads);
    }
    return true;
}

// False when the number is beyond 64 bits less some room, which no machine would live to finish.
bool countThreadgroups(const metal_launch& launch, std::uint64_t& count) {
    const auto& groups = launch.threadgroups_per_grid;
    return !__builtin_mul_overflow(std::uint64_t{groups[0]} * groups[1], groups[2], &count) && count < INT64_MAX / 2;
}

std::string sizesText(const std::uint32_t (&sizes)[3]) {
    return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " + std::to_string(sizes[2]);
}

Fault badDispatch(const Dispatch& dispatch, const std::string& message) {
    Fault fault;
    fault.kind = FaultKind::badDispatch;
    fault.kernel = dispatch.kernel->name();
    fault.message = "kernel " + fault.kernel + ": " + message;
    return fault;
}

Fault stoppedBefore(const Dispatch& dispatch) {
    Fault fault;
    fault.kind = FaultKind::stopped;
    fault.kernel = dispatch.kernel->name();
    describe(fault);
    return fault;
}

Fault outOfMemory(const Dispatch& dispatch, const std::string& whyNot) {
    Fault fault;
    fault.kind = FaultKind::outOfMemory;
    fault.kernel = dispatch.kernel->name();
    fault.message = "kernel " + fault.kernel + ": no memory for what its [[stage_in]] is fetched into: " + whyNot;
    return fault;
}

}  // namespace

Fault runDispatch(const Dispatch& dispatch, Pool& pool, const void* owner, const std::atomic<bool>& stopRequested,
                  metal_log* log) {
    metal_launch launch = dispatch.launch;
    launch.log = log;
    if (dispatch.indirect && !readIndirect(dispatch.indirect, launch)) {
        const std::uint32_t sizes[3] = {dispatch.indirect[0], dispatch.indirect[1], dispatch.indirect[2]};
        return badDispatch(dispatch, "indirect dispatch of " + sizesText(sizes) + " threadgroups has more than " +
                                         std::to_string(UINT32_MAX) + " threads along an axis");
    }
    std::uint64_t threadgroups = 0;
    if (!countThreadgroups(launch, threadgroups)) {
        return badDispatch(dispatch, "dispatch of " + sizesText(launch.threadgroups_per_grid) +
                                         " threadgroups, expected fewer than 2^62");
    }
    if (threadgroups == 0) return {};
    if (stopRequested.load(std::memory_order_relaxed)) return stoppedBefore(dispatch);
    std::copy_n(launch.threads_per_grid, 3, launch.grid_size);
    std::unique_ptr<StageColumns> columns;
    if (dispatch.stageIn) {
        std::string whyNot;
        columns = StageColumns::make(*dispatch.stageIn, launch, stopRequested, whyNot);
        if (columns == nullptr) return outOfMemory(dispatch, whyNot);
    }
    return DispatchRun(dispatch, pool, launch, threadgroups, owner, stopRequested).lead();
}

DispatchRun::DispatchRun(const Dispatch& dispatch, Pool& pool, const metal_launch& launch, std::uint64_t threadgroups,
                         const void* owner, const std::atomic<bool>& stopRequested)
    : dispatch_(dispatch),
      pool_(pool),
      launch_(launch),
      threadgroups_(threadgroups),
      threadsPerThreadgroup_(std::max<std::uint64_t>(1, std::uint64_t{launch.threads_per_threadgroup[0]} *
                                                            launch.threads_per_threadgroup[1] *
                                                            launch.threads_per_threadgroup[2])),
      owner_(owner),
      stopRequested_(stopRequested),
      threads_(pool.threadCount()) {
    const float known = kernel().nanosecondsPerThread() * static_cast<float>(threadsPerThreadgroup_);
    if (known > 0) leastThreadgroups_ = 1 + static_cast<std::uint64_t>(leastNanosecondsAtATime / std::max(known, 0.1f));
}

Fault DispatchRun::lead() {
    const float known = kernel().nanosecondsPerThread();
    const float threads = static_cast<float>(threadgroups_) * static_cast<float>(threadsPerThreadgroup_);
    if (known == 0 || known * threads > smallNanoseconds) open();
    start_ = nanoseconds();
    takePart(Role::leader);
    if (isOpen_) pool_.close(*this);
    for (int spins = 0;; ++spins) {
        const std::uint32_t inside = assistants_.load(std::memory_order_acquire);
        if (inside == 0) break;
        if (spins < 1000) {
            pause();
        } else {
            futexWait(assistants_, inside);
        }
    }
    if (!shouldStop()) {
        const auto elapsed = static_cast<float>(std::max<std::int64_t>(1, nanoseconds() - start_));
        kernel().noteNanosecondsPerThread(elapsed * static_cast<float>(std::min(threads_, 1 + entries_)) / threads);
        return {};
    }
    std::lock_guard lock(mutex_);
    if (fault_) return fault_;
    return next_.load(std::memory_order_relaxed) < threadgroups_ ? stoppedBefore(dispatch_) : Fault{};
}

void DispatchRun::assist() {
    takePart(Role::assistant);
}

void DispatchRun::leave() {
    auto& word = assistants_;
    // Only the word's address is used after the last one has left.
    if (word.fetch_sub(1, std::memory_order_release) == 1) futexWake(word, 1);
}

void DispatchRun::open() {
    isOpen_ = true;
    if (threadgroups_ <= leastThreadgroups_ || threads_ <= 1) return;
    const std::uint64_t useful = (threadgroups_ - 1) / leastThreadgroups_;
    pool_.open(*this, static_cast<unsigned>(std::min<std::uint64_t>(useful, threads_ - 1)));
}

void DispatchRun::openIfSlow(std::uint64_t done) {
    if (!isOpen_ && done < threadgroups_ && nanoseconds() - start_ > slowNanoseconds) open();
}

// Guided: large pieces first, small ones at the end, so that threads finish together whatever each group costs.
std::uint64_t DispatchRun::takeThreadgroups(std::uint64_t& first) {
    first = next_.load(std::memory_order_relaxed);
    std::uint64_t count = 0;
    do {
        if (first >= threadgroups_) return 0;
        const std::uint64_t left = threadgroups_ - first;
        count = std::min(left, std::max(leastThreadgroups_, left / (std::uint64_t{4} * threads_)));
    } while (!next_.compare_exchange_weak(first, first + count, std::memory_order_relaxed));
    return count;
}

void DispatchRun::takePart(Role role) {
    ThreadState& state = threadState();
    const metal_kernel_info& info = kernel().info();
    void* threadgroupMemory =
        state.threadgroupMemory.reserve(std::uint64_t{info.static_threadgroup_memory} + dispatch_.threadgroupMemory);
    void* scratch = state.scratch.reserve(info.scratch_size);
    if (!threadgroupMemory || !scratch) {
        Fault fault;
        fault.kind = FaultKind::outOfMemory;
        fault.kernel = kernel().name();
        fail(std::move(fault));
        return;
    }
    state.run = this;
    state.sharedRun = this;
    state.work = owner_;
    {
        FlushDenormals mode;
        runThreadgroups(state, role, threadgroupMemory, scratch);
    }
    state.work = nullptr;
    state.sharedRun = nullptr;
    state.run = nullptr;
    if (state.faultKind == FaultKind::none) return;

    Fault fault;
    fault.kind = state.faultKind;
    fault.kernel = kernel().name();
    if (fault.kind != FaultKind::stopped) {
        fault.addressKnown = state.faultAddressKnown;
        fault.address = state.faultAddress;
        fault.isWrite = state.faultIsWrite;
    }
    state.faultKind = FaultKind::none;
    fail(std::move(fault));
}

// Apart from the rest because it is left by a jump: nothing here may need a destructor, and what is used after the jump
// is not changed before it.
[[gnu::noinline]] void DispatchRun::runThreadgroups(ThreadState& state, Role role, void* threadgroupMemory,
                                                    void* scratch) {
    const metal_kernel_function function = kernel().function();
    if (sigsetjmp(state.jump, 0) != 0) {
        FlushDenormals::set();
        return;
    }
    std::uint64_t first = 0;
    while (!shouldStop()) {
        const std::uint64_t count = takeThreadgroups(first);
        if (count == 0) return;
        state.inKernel = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        function(&launch_, first, count, threadgroupMemory, scratch);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        state.inKernel = false;
        if (role == Role::leader) {
            openIfSlow(first + count);
        } else if (pool_.hasReadyStream()) {
            return;
        }
    }
}

// Called by a thread that left the kernel. The first fault is the dispatch's; the other threads are called off.
void DispatchRun::fail(Fault fault) {
    describe(fault);
    {
        std::lock_guard lock(mutex_);
        if (!fault_) fault_ = std::move(fault);
    }
    failed_ = true;
    // A signal is ignored where jumping would be unsafe, so until all have left, again.
    while (interruptThreads(nullptr, this)) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace metal_executor
