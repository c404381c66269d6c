// SPDX-License-Identifier: MIT
//
// A list of commands and how far they got. It runs as a resumable state machine: whichever thread has the stream steps
// it on until it ends or must wait for an event, where it is left until the event comes.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "command.hpp"
#include "dispatch.hpp"
#include "fault.hpp"
#include "log.hpp"
#include "observer.hpp"

namespace metal_executor {

class Stream;
namespace render {
class RenderRun;
}

/// Same order and numbers as MTL::CommandBufferStatus.
enum class Status : std::uint32_t { notEnqueued, enqueued, committed, scheduled, completed, error };

/// Seconds of the steady clock (CLOCK_MONOTONIC); 0: not yet.
struct Times {
    double kernelStart = 0, kernelEnd = 0;  // the host begins to schedule it / has it scheduled
    double gpuStart = 0, gpuEnd = 0;        // its first command starts / its last one has ended
};

/// When a dispatch began and ended, in seconds as Times. One that was left for a while, so that another stream had its
/// turn, contains that.
struct DispatchTimes {
    double start = 0, end = 0;
};

enum class Waiting : std::uint8_t {
    /// The waiting thread runs the command buffer's dispatches itself where that is quicker. It can then be inside
    /// a kernel for as long as the kernel runs: not for threads that must react to something else.
    helping,
    /// The waiting thread only waits: spins shortly, then sleeps.
    idle,
};

class CommandBuffer : public std::enable_shared_from_this<CommandBuffer> {
public:
    explicit CommandBuffer(std::shared_ptr<Stream> stream);
    CommandBuffer(const CommandBuffer&) = delete;
    CommandBuffer& operator=(const CommandBuffer&) = delete;
    ~CommandBuffer();

    // ---- Recording, by one thread, before commit ----

    void append(Command command);
    /// Memory that lives as long as the command buffer does. Contents undefined.
    void* allocate(std::size_t bytes, std::size_t alignment = 16);
    /// Holds `object` until the command buffer ends.
    void keep(std::shared_ptr<const void> object);
    /// Who is told of its kernels' messages, on the callback thread before its completed handlers.
    void setLogTarget(std::shared_ptr<const LogTarget> target);
    /// Tells `observer` of each command.
    void observe(std::shared_ptr<Observer> observer);
    /// Keeps when each of its dispatches ran.
    void keepDispatchTimes() { keepsDispatchTimes_ = true; }

    /// Called in order of registration on the callback thread (never on a worker, so they may take their time).
    /// wait() returns after the completed handlers have. `onCompleted` of an ended command buffer is called at once.
    void onScheduled(std::function<void(CommandBuffer&)> handler);
    void onCompleted(std::function<void(CommandBuffer&)> handler);
    /// For bookkeeping: called on the thread that ends the command buffer, before anyone sees that it ended.
    /// Must be short and must not call user code.
    void onEnd(std::function<void(CommandBuffer&)> hook);

    /// Takes the next place in the stream; commands can still be appended. Once.
    void enqueue();
    /// Hands the commands over (in the enqueued place, or the next one). Never blocks. Once.
    void commit();

    // ---- From any thread ----

    Status status() const { return status_.load(std::memory_order_acquire); }
    bool hasEnded() const { return status() >= Status::completed; }

    /// True when the command buffer has ended and its handlers have run; false when `timeout` passed first.
    bool wait(Waiting waiting, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max());
    bool waitUntilScheduled(std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max());

    /// Ends the command buffer with FaultKind::stopped: a kernel that runs is left where it is, an event no longer
    /// waited for, commands to come are dropped. Waits up to `timeout` for that; true when it has ended.
    bool stop(std::chrono::nanoseconds timeout = std::chrono::seconds(1));

    /// What went wrong; FaultKind::none before the end and after success.
    Fault fault() const;
    Times times() const;
    /// Of the dispatches that began, in the order in which they were appended, if they are kept; those that the device
    /// itself made are not among them. Empty before the end.
    std::vector<DispatchTimes> dispatchTimes() const;
    const std::shared_ptr<Stream>& stream() const { return stream_; }

private:
    friend class Stream;
    enum class Step : std::uint8_t { ended, parked, left };
    enum Progress : std::uint32_t { recorded, running, over };

    bool isForeign() const;
    Step advance(std::int64_t turnEnds);
    void begin();
    Fault execute(const Command& command);
    DispatchRun::Step runInTurn(const Dispatch& dispatch, std::int64_t turnEnds, Fault& fault);
    Fault executeObserved(std::size_t index);
    Fault run(const Dispatch& dispatch);
    Fault run(const Generate& generate);
    bool runInTurn(const render::Render& render, std::int64_t turnEnds, Fault& fault);
    Fault run(const render::Render& render);
    metal_log* log();
    bool park(const WaitEvent& command);
    bool parkObserved(const WaitEvent& command);
    void end(Fault fault);
    void reach(Progress progress);
    bool waitFor(Progress progress, Waiting waiting, std::int64_t deadline);
    bool help();
    void interruptWork();

    const std::shared_ptr<Stream> stream_;
    const std::uint64_t process_;

    // Recording, then the thread that runs the stream.
    std::vector<Command> commands_;
    std::size_t next_ = 0;
    // Of the command that is next.
    std::optional<RunningDispatch> running_;
    std::unique_ptr<render::RenderRun> runningPass_;
    std::vector<std::shared_ptr<const void>> kept_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* free_ = nullptr;
    std::size_t freeBytes_ = 0;
    std::shared_ptr<const LogTarget> logTarget_;  // null: the default
    std::unique_ptr<LogBuffer> log_;
    std::vector<LogMessage> messages_;
    std::shared_ptr<Observer> observer_;
    double waitingSince_ = 0;  // of a WaitEvent that the observer was told of
    bool keepsDispatchTimes_ = false;
    std::vector<DispatchTimes> dispatchTimes_;  // read by others after the end

    mutable std::mutex mutex_;
    std::vector<std::function<void(CommandBuffer&)>> scheduledHandlers_, completedHandlers_, endHooks_;
    Fault fault_;
    Times times_;
    std::shared_ptr<Event> parkedOn_;

    std::atomic<Status> status_ = Status::notEnqueued;
    std::atomic<bool> stopRequested_ = false;
    std::atomic<std::uint32_t> progress_ = recorded;  // futex; `over` once ended and handlers have run
    std::atomic<std::uint32_t> waiters_ = 0;          // threads asleep on progress_
};

}  // namespace metal_executor
