// SPDX-License-Identifier: MIT
//
// An ordered stream of command buffers (MTL::CommandQueue). A device's streams share its worker pool; each is run by at
// most one thread at a time, and by none while it is empty or waits for an event.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace metal_executor {

class CommandBuffer;
class Pool;

class Stream : public std::enable_shared_from_this<Stream> {
public:
    explicit Stream(unsigned device = 0);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// False in the child of a fork, where a stream made before it can't run.
    bool belongsToThisProcess() const;

    /// Whether the first command buffer was enqueued and not committed: what is behind it cannot run before it is.
    bool isHeldUp();

    // ---- For CommandBuffer, Event and the worker pool ----

    void enqueue(std::shared_ptr<CommandBuffer> commandBuffer);
    /// `commandBuffer`, enqueued before, may run now.
    void committed();
    /// Before Event::park: the stream may be running elsewhere as soon as that returns.
    void prepareToPark();
    void cancelPark();
    /// Makes a parked stream ready.
    void resume();
    /// Runs command buffers until the stream is empty or parked, another stream waits for a thread (and the command
    /// buffer has had its turn), or `until` ended.
    /// Only by the thread that took the stream from the pool.
    void run(const CommandBuffer* until = nullptr);

    std::uint64_t process() const { return process_; }
    /// Its device's.
    Pool& pool() const { return pool_; }

private:
    enum class State : std::uint8_t { idle, ready, running, parked };

    const std::uint64_t process_;
    Pool& pool_;
    std::mutex mutex_;
    std::deque<std::shared_ptr<CommandBuffer>> pending_;
    State state_ = State::idle;

    bool isFrontCommitted() const;  // with mutex_ held
    void makeReady(std::unique_lock<std::mutex> lock);
};

}  // namespace metal_executor
