// SPDX-License-Identifier: MIT
//
// One dispatch while it runs: threadgroups still to be handed out, the threads that take part, how it failed.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "command.hpp"
#include "fault.hpp"
#include "ranges.hpp"
#include "shared_work.hpp"
#include "stoppable.hpp"

namespace metal_executor {

class Pool;
struct ThreadState;

class DispatchRun final : public SharedWork, public Stoppable {
public:
    DispatchRun(const Dispatch& dispatch, Pool& pool, const metal_launch& launch, std::uint64_t threadgroups,
                const void* owner, const std::atomic<bool>& stopRequested);

    enum class Step : std::uint8_t { ended, left };
    /// For the thread that runs the stream. Returns when all threadgroups have run or the dispatch failed, or when
    /// another stream waits for a thread after `turnEnds` (nanoseconds()); then any thread may lead it on.
    Step lead(std::int64_t turnEnds, Fault& fault);

    bool hasWork() const override { return ranges_.areLeft() && !shouldStop(); }
    void assist() override;

    const Kernel& kernel() const { return *dispatch_.kernel; }

private:
    enum class Role : std::uint8_t { leader, assistant };

    void begin();
    void takePart(Role role);
    void runThreadgroups(ThreadState& state, Role role, void* threadgroupMemory, void* scratch);
    bool goesOn(ThreadState& state, Role role, std::uint64_t count);
    void setPieces(float nanosecondsPerThreadgroup);
    void openIfSlow(std::int64_t now);
    void open();

    const Dispatch& dispatch_;
    Pool& pool_;
    const metal_launch& launch_;
    const std::uint64_t threadgroups_;
    const std::uint64_t threadsPerThreadgroup_;
    const unsigned threads_;  // that may take part
    Ranges ranges_;
    std::uint64_t share_;  // which part of the rest is taken at a time
    // Taken at a time, known better with each piece.
    std::atomic<std::uint64_t> least_ = 1, most_ = 1;
    std::int64_t start_ = 0, turnEnds_ = 0;
    bool hasBegun_ = false, isOpen_ = false, isLeft_ = false;  // the leading thread's

    std::atomic<std::int64_t> busy_ = 0;  // nanoseconds of all threads
    std::atomic<int> leadersProcessor_ = -1;
};

/// A dispatch from its beginning to its end, which may be on different threads.
class RunningDispatch {
public:
    /// `owner` is what other threads name to take part or to interrupt it; it ends early when `stopRequested` becomes
    /// true. `log`: where the kernel writes its messages; may be null. All must outlive this.
    RunningDispatch(const Dispatch& dispatch, Pool& pool, const void* owner, const std::atomic<bool>& stopRequested,
                    metal_log* log);
    RunningDispatch(const RunningDispatch&) = delete;
    RunningDispatch& operator=(const RunningDispatch&) = delete;

    /// Runs it on this thread and, where it is large enough, on others of the pool too; as DispatchRun::lead().
    DispatchRun::Step advance(std::int64_t turnEnds, Fault& fault);

private:
    metal_launch launch_;
    std::unique_ptr<StageColumns> columns_;
    Fault problem_;
    std::optional<DispatchRun> run_;
};

}  // namespace metal_executor
