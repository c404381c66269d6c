// SPDX-License-Identifier: MIT

#include "dispatch.hpp"

#include <sched.h>

#include <algorithm>
#include <string>
#include <utility>

#include "clock.hpp"
#include "fault_signals.hpp"
#include "flush_denormals.hpp"
#include "pool.hpp"
#include "thread_state.hpp"
#include "threads.hpp"

namespace metal_executor {
namespace {

// Below this a dispatch isn't worth a second thread: handing over a cache line or two costs about as much.
constexpr float smallNanoseconds = 25'000;
// An estimate was wrong when this has passed and threadgroups are left.
constexpr std::int64_t slowNanoseconds = 50'000;
// The least work taken at a time, so that taking it costs little beside doing it; the most, so that others' streams do
// not wait for long.
constexpr float leastNanosecondsAtATime = 2'000, mostNanosecondsAtATime = 500'000;

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

RunningDispatch::RunningDispatch(const Dispatch& dispatch, Pool& pool, const void* owner,
                                 const std::atomic<bool>& stopRequested, metal_log* log)
    : launch_(dispatch.launch) {
    launch_.log = log;
    if (dispatch.indirect && !readIndirect(dispatch.indirect, launch_)) {
        const std::uint32_t sizes[3] = {dispatch.indirect[0], dispatch.indirect[1], dispatch.indirect[2]};
        problem_ = badDispatch(dispatch, "indirect dispatch of " + sizesText(sizes) + " threadgroups has more than " +
                                             std::to_string(UINT32_MAX) + " threads along an axis");
        return;
    }
    std::uint64_t threadgroups = 0;
    if (!countThreadgroups(launch_, threadgroups)) {
        problem_ = badDispatch(dispatch, "dispatch of " + sizesText(launch_.threadgroups_per_grid) +
                                             " threadgroups, expected fewer than 2^62");
        return;
    }
    if (threadgroups == 0) return;
    if (stopRequested.load(std::memory_order_relaxed)) {
        problem_ = stoppedBefore(dispatch);
        return;
    }
    std::copy_n(launch_.threads_per_grid, 3, launch_.grid_size);
    if (dispatch.stageIn) {
        std::string whyNot;
        columns_ = StageColumns::make(*dispatch.stageIn, launch_, stopRequested, whyNot);
        if (columns_ == nullptr) {
            problem_ = outOfMemory(dispatch, whyNot);
            return;
        }
    }
    run_.emplace(dispatch, pool, launch_, threadgroups, owner, stopRequested);
}

DispatchRun::Step RunningDispatch::advance(std::int64_t turnEnds, Fault& fault) {
    if (run_) return run_->lead(turnEnds, fault);
    fault = std::move(problem_);
    return DispatchRun::Step::ended;
}

DispatchRun::DispatchRun(const Dispatch& dispatch, Pool& pool, const metal_launch& launch, std::uint64_t threadgroups,
                         const void* owner, const std::atomic<bool>& stopRequested)
    : SharedWork(owner),
      Stoppable(stopRequested),
      dispatch_(dispatch),
      pool_(pool),
      launch_(launch),
      threadgroups_(threadgroups),
      threadsPerThreadgroup_(std::max<std::uint64_t>(1, std::uint64_t{launch.threads_per_threadgroup[0]} *
                                                            launch.threads_per_threadgroup[1] *
                                                            launch.threads_per_threadgroup[2])),
      threads_(pool.threadCount()),
      ranges_(threadgroups),
      share_(std::uint64_t{4} * threads_) {}

// One thread is enough for a small dispatch. A kernel that has never run may be slow: its pieces begin with one
// threadgroup.
void DispatchRun::begin() {
    hasBegun_ = true;
    const float known = kernel().nanosecondsPerThread();
    const float ofThreadgroup = known * static_cast<float>(threadsPerThreadgroup_);
    if (known > 0) setPieces(ofThreadgroup);
    if (known > 0 && ofThreadgroup * static_cast<float>(threadgroups_) <= smallNanoseconds) return;
    const std::uint64_t useful = std::min<std::uint64_t>(threads_, threadgroups_ / least_);
    if (useful > 1) {
        ranges_.split(static_cast<unsigned>(useful));
        share_ = 4;
    }
    open();
}

void DispatchRun::setPieces(float nanosecondsPerThreadgroup) {
    const float each = std::max(nanosecondsPerThreadgroup, 0.1f);
    least_.store(1 + static_cast<std::uint64_t>(leastNanosecondsAtATime / each), std::memory_order_relaxed);
    most_.store(1 + static_cast<std::uint64_t>(mostNanosecondsAtATime / each), std::memory_order_relaxed);
}

DispatchRun::Step DispatchRun::lead(std::int64_t turnEnds, Fault& fault) {
    turnEnds_ = turnEnds;
    isLeft_ = false;
    if (!hasBegun_) begin();
    takePart(Role::leader);
    if (isLeft_ && hasWork()) return Step::left;
    if (isOpen_) pool_.close(*this);
    waitForAssistants();
    if (!shouldStop()) {
        const float threads = static_cast<float>(threadgroups_) * static_cast<float>(threadsPerThreadgroup_);
        const auto busy = std::max<std::int64_t>(1, busy_.load(std::memory_order_relaxed));
        kernel().noteNanosecondsPerThread(static_cast<float>(busy) / threads);
        return Step::ended;
    }
    fault = Stoppable::fault();
    if (!fault && ranges_.areLeft()) fault = stoppedBefore(dispatch_);
    return Step::ended;
}

// The system wakes a thread where its waker runs, and takes longer to move it than many dispatches take.
void DispatchRun::assist() {
    leaveProcessor(leadersProcessor_.load(std::memory_order_relaxed));
    takePart(Role::assistant);
}

void DispatchRun::open() {
    isOpen_ = true;
    leadersProcessor_.store(sched_getcpu(), std::memory_order_relaxed);
    const std::uint64_t least = least_.load(std::memory_order_relaxed);
    if (threadgroups_ <= least || threads_ <= 1) return;
    const std::uint64_t useful = (threadgroups_ - 1) / least;
    pool_.open(*this, static_cast<unsigned>(std::min<std::uint64_t>(useful, threads_ - 1)));
}

void DispatchRun::openIfSlow(std::int64_t now) {
    if (!isOpen_ && now - start_ > slowNanoseconds && ranges_.areLeft()) open();
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
    state.kernel = &kernel();
    const std::int64_t start = state.pieceStart = nanoseconds();
    if (role == Role::leader && start_ == 0) start_ = start;
    {
        TakingPart part(state, *this, owner());
        FlushDenormals mode;
        runThreadgroups(state, role, threadgroupMemory, scratch);
    }
    busy_.fetch_add(nanoseconds() - start, std::memory_order_relaxed);
    if (Fault fault = takeFault(state)) fail(std::move(fault));
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
        const std::uint64_t count = ranges_.take(state.worker, least_.load(std::memory_order_relaxed),
                                                 most_.load(std::memory_order_relaxed), share_, first);
        if (count == 0) return;
        state.inKernel = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        function(&launch_, first, count, threadgroupMemory, scratch);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        state.inKernel = false;
        if (count == threadgroups_) return;
        if (!goesOn(state, role, count)) return;
    }
}

// Whether the thread takes another piece, having run one of `count` threadgroups.
[[gnu::noinline]] bool DispatchRun::goesOn(ThreadState& state, Role role, std::uint64_t count) {
    const std::int64_t now = nanoseconds();
    setPieces(static_cast<float>(now - state.pieceStart) / static_cast<float>(count));
    state.pieceStart = now;
    if (role == Role::assistant) return !pool_.hasReadyStream();
    openIfSlow(now);
    isLeft_ = now >= turnEnds_ && pool_.hasReadyStream();
    return !isLeft_;
}

}  // namespace metal_executor
