// SPDX-License-Identifier: MIT

#include "command_buffer.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "clock.hpp"
#include "committing.hpp"
#include "copying.hpp"
#include "fault_signals.hpp"
#include "futex.hpp"
#include "pool.hpp"
#include "process.hpp"
#include "render/render_run.hpp"
#include "stream.hpp"
#include "thread_state.hpp"

namespace metal_executor {
namespace {

constexpr std::size_t blockBytes = 4096;
constexpr std::int64_t shortNanoseconds = 3'000;  // an empty dispatch has ended by then

Fault faultOf(FaultKind kind) {
    Fault fault;
    fault.kind = kind;
    describe(fault);
    return fault;
}

Fault faultOf(const std::exception& error) {
    Fault fault = faultOf(FaultKind::hostError);
    fault.message += std::string(": ") + error.what();
    return fault;
}

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

CommandBuffer::CommandBuffer(std::shared_ptr<Stream> stream)
    : stream_(std::move(stream)), process_(stream_->process()) {}

CommandBuffer::~CommandBuffer() = default;

bool CommandBuffer::isForeign() const {
    return process_ != thisProcess();
}

// ---- Recording ----

void CommandBuffer::append(Command command) {
    commands_.push_back(std::move(command));
}

void* CommandBuffer::allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t padding = -reinterpret_cast<std::uintptr_t>(free_) & (alignment - 1);
    if (padding + bytes > freeBytes_) {
        freeBytes_ = std::max(blockBytes, bytes + alignment);
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(freeBytes_));
        free_ = blocks_.back().get();
        padding = -reinterpret_cast<std::uintptr_t>(free_) & (alignment - 1);
    }
    std::byte* address = free_ + padding;
    free_ = address + bytes;
    freeBytes_ -= padding + bytes;
    return address;
}

void CommandBuffer::keep(std::shared_ptr<const void> object) {
    kept_.push_back(std::move(object));
}

void CommandBuffer::setLogTarget(std::shared_ptr<const LogTarget> target) {
    logTarget_ = std::move(target);
}

void CommandBuffer::observe(std::shared_ptr<Observer> observer) {
    observer_ = std::move(observer);
}

void CommandBuffer::onScheduled(std::function<void(CommandBuffer&)> handler) {
    if (isForeign()) return;
    {
        std::lock_guard lock(mutex_);
        if (status() < Status::scheduled) {
            scheduledHandlers_.push_back(std::move(handler));
            return;
        }
    }
    callLater([self = shared_from_this(), call = std::move(handler)] { call(*self); });
}

void CommandBuffer::onCompleted(std::function<void(CommandBuffer&)> handler) {
    if (isForeign()) return;
    {
        std::lock_guard lock(mutex_);
        if (!hasEnded()) {
            completedHandlers_.push_back(std::move(handler));
            return;
        }
    }
    callLater([self = shared_from_this(), call = std::move(handler)] { call(*self); });
}

void CommandBuffer::onEnd(std::function<void(CommandBuffer&)> hook) {
    std::lock_guard lock(mutex_);
    endHooks_.push_back(std::move(hook));
}

void CommandBuffer::enqueue() {
    if (isForeign()) return;
    Status expected = Status::notEnqueued;
    if (status_.compare_exchange_strong(expected, Status::enqueued)) stream_->enqueue(shared_from_this());
}

void CommandBuffer::commit() {
    if (isForeign()) {
        status_ = Status::error;
        return;
    }
    enqueue();
    if (status() != Status::enqueued) return;
    const bool isShort = !observer_ && areShort(commands_, Committing::current());  // before others may run them
    Status expected = Status::enqueued;
    if (!status_.compare_exchange_strong(expected, Status::committed)) return;
    if (!isShort) return stream_->committed();
    const Pool::Busy busy(stream_->pool());
    const RunsItself runs(busy.hadRoom() ? this : nullptr);
    stream_->committed();
}

// ---- Running, by the thread that has the stream ----

CommandBuffer::Step CommandBuffer::advance(std::int64_t turnEnds) {
    if (status() == Status::committed) begin();
    Fault fault;
    for (bool isFirst = true; next_ < commands_.size() && !fault; ++next_, isFirst = false) {
        if (!isFirst && stream_->pool().hasReadyStream() && nanoseconds() >= turnEnds) return Step::left;
        const auto* dispatch = std::get_if<Dispatch>(&commands_[next_]);
        const auto* pass = std::get_if<render::Render>(&commands_[next_]);
        if (stopRequested_.load(std::memory_order_relaxed) && !running_ && !runningPass_) {
            fault = faultOf(FaultKind::stopped);
        } else if (dispatch && !observer_) {
            if (runInTurn(*dispatch, turnEnds, fault) == DispatchRun::Step::left) return Step::left;
        } else if (pass && !observer_) {
            if (!runInTurn(*pass, turnEnds, fault)) return Step::left;
        } else if (const auto* wait = std::get_if<WaitEvent>(&commands_[next_])) {
            if (observer_ ? parkObserved(*wait) : park(*wait)) return Step::parked;
        } else {
            fault = observer_ ? executeObserved(next_) : execute(commands_[next_]);
        }
    }
    end(std::move(fault));
    return Step::ended;
}

void CommandBuffer::begin() {
    const double now = seconds();
    std::vector<std::function<void(CommandBuffer&)>> handlers;
    {
        std::lock_guard lock(mutex_);
        times_.kernelStart = now;
        times_.kernelEnd = times_.gpuStart = seconds();
        status_ = Status::scheduled;
        handlers.swap(scheduledHandlers_);
    }
    reach(running);
    for (auto& handler : handlers) {
        callLater([self = shared_from_this(), call = std::move(handler)] { call(*self); });
    }
}

Fault CommandBuffer::execute(const Command& command) {
    try {
        return std::visit(Overloaded{
                              [&](const Dispatch& dispatch) { return run(dispatch); },
                              [&](const Copy& copy) {
                                  copyMemory(stream_->pool(), copy.to, copy.from, copy.bytes);
                                  return Fault{};
                              },
                              [&](const CopyImage& copy) {
                                  copyImage(stream_->pool(), copy);
                                  return Fault{};
                              },
                              [&](const Fill& fill) {
                                  fillMemory(stream_->pool(), fill.to, fill.value, fill.bytes);
                                  return Fault{};
                              },
                              [](const SignalEvent& signal) {
                                  signal.event->signal(signal.value);
                                  return Fault{};
                              },
                              [](const WaitEvent&) { return Fault{}; },  // advance() parks
                              [](const Call& call) {
                                  call.function();
                                  return Fault{};
                              },
                              [&](const Generate& generate) { return run(generate); },
                              [&](const render::Render& render) { return run(render); },
                          },
                          command);
    } catch (const std::exception& error) {
        return faultOf(error);
    }
}

Fault CommandBuffer::executeObserved(std::size_t index) {
    observer_->begins(index);
    const double start = seconds();
    Fault fault = execute(commands_[index]);
    observer_->ended(index, start, seconds(), fault);
    return fault;
}

DispatchRun::Step CommandBuffer::runInTurn(const Dispatch& dispatch, std::int64_t turnEnds, Fault& fault) {
    const bool usesLog = dispatch.kernel->info().uses_log != 0;
    const bool isTimed = keepsDispatchTimes_ && std::holds_alternative<Dispatch>(commands_[next_]);
    if (isTimed && !running_) dispatchTimes_.push_back({seconds(), 0});
    try {
        if (!running_) running_.emplace(dispatch, stream_->pool(), this, stopRequested_, usesLog ? log() : nullptr);
        if (running_->advance(turnEnds, fault) == DispatchRun::Step::left) return DispatchRun::Step::left;
        running_.reset();
        if (usesLog) log_->collect(messages_);
    } catch (const std::exception& error) {  // no memory
        running_.reset();
        fault = faultOf(error);
    }
    if (isTimed) dispatchTimes_.back().end = seconds();
    return DispatchRun::Step::ended;
}

// False when the pass was left, to be led on later.
bool CommandBuffer::runInTurn(const render::Render& render, std::int64_t turnEnds, Fault& fault) {
    const bool usesLog = render::RenderRun::usesLog(*render.pass);
    try {
        if (!runningPass_) {
            runningPass_ = std::make_unique<render::RenderRun>(*render.pass, stream_->pool(), this, stopRequested_,
                                                               usesLog ? log() : nullptr);
        }
        if (runningPass_->lead(turnEnds, fault) == render::RenderRun::Step::left) return false;
    } catch (const std::exception& error) {  // no memory, or a generator's
        fault = faultOf(error);
    }
    runningPass_.reset();
    if (usesLog && log_) log_->collect(messages_);
    return true;
}

Fault CommandBuffer::run(const render::Render& render) {
    Fault fault;
    runInTurn(render, INT64_MAX, fault);
    return fault;
}

metal_log* CommandBuffer::log() {
    if (!log_) {
        const LogTarget standard, &target = logTarget_ ? *logTarget_ : standard;
        log_ = std::make_unique<LogBuffer>(target.least, target.bytes);
    }
    return log_->log();
}

Fault CommandBuffer::run(const Dispatch& dispatch) {
    Fault fault;
    runInTurn(dispatch, INT64_MAX, fault);
    return fault;
}

Fault CommandBuffer::run(const Generate& generate) {
    for (Dispatch dispatch; generate.next(dispatch); dispatch = {}) {
        if (Fault fault = run(dispatch)) return fault;
    }
    return {};
}

// True when the stream was left to the event; the caller must then touch nothing any more. The command is looked at
// again when the stream is resumed, since it may have been resumed by stop().
bool CommandBuffer::park(const WaitEvent& command) {
    const std::shared_ptr<Event> event = command.event;
    const std::uint64_t value = command.value;
    const std::shared_ptr<Stream> stream = stream_;
    if (event->value() >= value) return false;
    {
        std::lock_guard lock(mutex_);
        parkedOn_ = event;
    }
    stream->prepareToPark();
    if (event->park(value, stream)) return true;
    stream->cancelPark();
    return false;
}

bool CommandBuffer::parkObserved(const WaitEvent& command) {
    if (waitingSince_ == 0) {
        observer_->begins(next_);
        waitingSince_ = seconds();
    }
    if (park(command)) return true;
    observer_->ended(next_, waitingSince_, seconds(), Fault{});
    waitingSince_ = 0;
    return false;
}

void CommandBuffer::end(Fault fault) {
    const Status last = fault ? Status::error : Status::completed;
    std::vector<std::function<void(CommandBuffer&)>> hooks, handlers;
    {
        std::lock_guard lock(mutex_);
        times_.gpuEnd = seconds();
        fault_ = std::move(fault);
        parkedOn_ = nullptr;
        hooks.swap(endHooks_);
    }
    for (auto& hook : hooks) hook(*this);
    std::vector<Command>().swap(commands_);
    std::vector<std::shared_ptr<const void>>().swap(kept_);
    std::vector<std::unique_ptr<std::byte[]>>().swap(blocks_);
    free_ = nullptr;
    freeBytes_ = 0;
    {
        std::lock_guard lock(mutex_);
        status_ = last;
        handlers.swap(completedHandlers_);
    }
    if (!messages_.empty()) {
        auto deliver = [target = std::move(logTarget_), messages = std::move(messages_)](CommandBuffer&) {
            target ? target->deliver(messages) : deliverToDefault(messages);
        };
        handlers.insert(handlers.begin(), std::move(deliver));
    }
    log_.reset();
    observer_.reset();
    if (handlers.empty()) {
        reach(over);
        return;
    }
    callLater([self = shared_from_this(), calls = std::move(handlers)] {
        for (auto& call : calls) call(*self);
        self->reach(over);
    });
}

void CommandBuffer::reach(Progress progress) {
    progress_.store(progress);
    if (waiters_.load() != 0) futexWake(progress_);
}

// ---- Waiting and stopping ----

bool CommandBuffer::wait(Waiting waiting, std::chrono::nanoseconds timeout) {
    return waitFor(over, waiting, deadlineAfter(timeout));
}

bool CommandBuffer::waitUntilScheduled(std::chrono::nanoseconds timeout) {
    return waitFor(running, Waiting::idle, deadlineAfter(timeout));
}

bool CommandBuffer::waitFor(Progress progress, Waiting waiting, std::int64_t deadline) {
    if (isForeign()) return true;
    std::int64_t spinningSince = 0;
    for (;;) {
        for (int i = 0; i < 32; ++i) {
            if (progress_.load(std::memory_order_acquire) >= progress) return true;
            if (waiting == Waiting::helping && help()) spinningSince = 0;
            pause();
        }
        const std::int64_t now = nanoseconds();
        if (now >= deadline) return false;
        if (spinningSince == 0) spinningSince = now;
        if (now - spinningSince < spinNanoseconds()) {
            // The worker may be waiting for this very processor.
            if (now - spinningSince > shortNanoseconds) sched_yield();
            continue;
        }

        waiters_.fetch_add(1);
        const std::uint32_t present = progress_.load();
        if (present < progress) {
            futexWait(progress_, present, std::chrono::nanoseconds(deadline == INT64_MAX ? INT64_MAX : deadline - now));
        }
        waiters_.fetch_sub(1);
    }
}

bool CommandBuffer::help() {
    Pool& pool = stream_->pool();
    if (hasEnded() || status() < Status::committed || !pool.mayHaveWork()) return false;
    if (pool.claim(*stream_)) {
        const Pool::Busy busy(pool);
        stream_->run(this);
        return true;
    }
    return pool.assist(this);
}

void CommandBuffer::interruptWork() {
    std::shared_ptr<Event> event;
    {
        std::lock_guard lock(mutex_);
        event = parkedOn_;
    }
    if (event && event->unpark(*stream_)) stream_->resume();
    interruptThreads(this, nullptr);
}

bool CommandBuffer::stop(std::chrono::nanoseconds timeout) {
    if (isForeign() || hasEnded()) return true;
    stopRequested_ = true;
    const std::int64_t deadline = deadlineAfter(timeout);
    // Again and again: the first signal may find the thread where it can't leave the kernel.
    for (auto pause = std::chrono::microseconds(50);; pause = std::min(pause * 2, std::chrono::microseconds(5000))) {
        if (status() >= Status::committed) interruptWork();
        const std::int64_t slice = deadlineAfter(pause);
        if (waitFor(over, Waiting::idle, std::min(slice, deadline))) return true;
        if (hasEnded() || nanoseconds() >= deadline) return hasEnded();
    }
}

Fault CommandBuffer::fault() const {
    if (isForeign()) return faultOf(FaultKind::forked);
    std::lock_guard lock(mutex_);
    return fault_;
}

Times CommandBuffer::times() const {
    if (isForeign()) return {};
    std::lock_guard lock(mutex_);
    return times_;
}

std::vector<DispatchTimes> CommandBuffer::dispatchTimes() const {
    return hasEnded() && !isForeign() ? dispatchTimes_ : std::vector<DispatchTimes>{};
}

}  // namespace metal_executor
