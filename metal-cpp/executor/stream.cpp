// SPDX-License-Identifier: MIT

#include "stream.hpp"

#include <utility>

#include "clock.hpp"
#include "command_buffer.hpp"
#include "committing.hpp"
#include "pool.hpp"
#include "process.hpp"

namespace metal_executor {
namespace {

// So long a stream may go on with one command buffer while others wait for a thread.
constexpr std::int64_t turnNanoseconds = 1'000'000;

}  // namespace

Stream::Stream(unsigned device) : process_(thisProcess()), pool_(Pool::of(device)) {}

bool Stream::belongsToThisProcess() const {
    return process_ == thisProcess();
}

bool Stream::isHeldUp() {
    std::lock_guard lock(mutex_);
    return !pending_.empty() && !isFrontCommitted();
}

void Stream::enqueue(std::shared_ptr<CommandBuffer> commandBuffer) {
    std::lock_guard lock(mutex_);
    pending_.push_back(std::move(commandBuffer));
}

bool Stream::isFrontCommitted() const {
    return !pending_.empty() && pending_.front()->status() >= Status::committed;
}

void Stream::makeReady(std::unique_lock<std::mutex> lock) {
    state_ = State::ready;
    lock.unlock();
    pool_.submit(shared_from_this());
}

void Stream::committed() {
    std::unique_lock lock(mutex_);
    if (state_ != State::idle || !isFrontCommitted()) return;
    const CommandBuffer* mine = RunsItself::current();
    if (pending_.front().get() != mine) return makeReady(std::move(lock));
    state_ = State::running;
    lock.unlock();
    run(mine);
}

void Stream::prepareToPark() {
    std::lock_guard lock(mutex_);
    state_ = State::parked;
}

void Stream::cancelPark() {
    std::lock_guard lock(mutex_);
    state_ = State::running;
}

void Stream::resume() {
    std::unique_lock lock(mutex_);
    if (state_ == State::parked) makeReady(std::move(lock));
}

void Stream::run(const CommandBuffer* until) {
    const std::shared_ptr<Stream> self = shared_from_this();
    const std::int64_t turnEnds = nanoseconds() + turnNanoseconds;
    std::unique_lock lock(mutex_);
    state_ = State::running;
    while (isFrontCommitted()) {
        const std::shared_ptr<CommandBuffer> current = pending_.front();
        lock.unlock();
        const CommandBuffer::Step step = current->advance(turnEnds);
        if (step == CommandBuffer::Step::parked) return;  // maybe another thread's by now
        lock.lock();
        if (step == CommandBuffer::Step::left) {
            makeReady(std::move(lock));
            return;
        }
        pending_.pop_front();
        const bool shouldYield = current.get() == until || pool_.hasReadyStream();
        if (shouldYield && isFrontCommitted()) {
            makeReady(std::move(lock));
            return;
        }
    }
    state_ = State::idle;
}

}  // namespace metal_executor
