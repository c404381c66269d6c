// SPDX-License-Identifier: MIT
//
// Inside of worker_pool.cpp: where the streams and dispatches of one device find threads.
//
// Workers spin for a moment after work and sleep then. Whoever brings work wakes a sleeper only if no worker spins.
// Two workers can see one spinner each as theirs; so a worker that takes work while more is there wakes the next.

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "worker_pool.hpp"

namespace metal_executor {

class SharedWork;
class Stream;

class Pool {
public:
    /// A device's in this process; the child of a fork gets new ones.
    static Pool& of(unsigned device);

    // ---- Streams ----

    void submit(std::shared_ptr<Stream> stream);
    /// Takes a ready stream out, for the caller to run. False when it isn't there (any more).
    bool claim(const Stream& stream);
    bool hasReadyStream() const { return readyCount_.load(std::memory_order_relaxed) != 0; }

    /// Counts a thread that runs something, while it lives: one of the pool's, or of the program in the place of one
    /// that has nothing to do.
    class Busy {
    public:
        explicit Busy(Pool& pool) : pool_(pool), hadRoom_(pool.busy_.fetch_add(1) < pool.threadCount()) {}
        ~Busy() { pool_.busy_.fetch_sub(1); }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
        /// Whether fewer threads ran something than the pool has.
        bool hadRoom() const { return hadRoom_; }

    private:
        Pool& pool_;
        const bool hadRoom_;
    };

    // ---- Dispatches and other work of several threads ----

    /// Lets up to `threads` others take part.
    void open(SharedWork& run, unsigned threads);
    /// Nobody joins after this; those inside may still be running.
    void close(SharedWork& run);
    /// Takes part in work of `owner` (of anyone: null). False when there is none.
    bool assist(const void* owner);

    /// Cheap: whether claim() or assist() may find something.
    bool mayHaveWork() const { return work_.load(std::memory_order_relaxed) != 0; }

    unsigned threadCount() const { return wanted_.load(std::memory_order_relaxed); }
    void setThreadCount(unsigned count);

    /// How often a sleeping thread was woken.
    std::uint64_t wakeUps() const { return wakeUps_.load(std::memory_order_relaxed); }

private:
    struct Open {
        SharedWork* run;
        unsigned places;  // left for others to join
    };

    explicit Pool(unsigned threads);
    void startThreads();  // with mutex_ held
    void work(unsigned index);
    bool retire(unsigned index);
    bool workOnce();
    bool spin(std::int64_t until);
    void sleep(unsigned index);
    void wake(unsigned threads);
    void count();                         // with mutex_ held
    SharedWork* join(const void* owner);  // with mutex_ held
    void leave(SharedWork& run);

    std::mutex mutex_;
    std::deque<std::shared_ptr<Stream>> ready_;
    std::vector<Open> open_;
    std::vector<bool> isRunning_;  // by index of thread
    std::atomic<unsigned> wanted_;

    alignas(64) std::atomic<std::uint32_t> work_ = 0;   // ready streams and dispatches to join
    std::atomic<std::uint32_t> readyCount_ = 0;         // ready_.size()
    alignas(64) std::atomic<std::uint32_t> epoch_ = 0;  // futex
    std::atomic<unsigned> spinning_ = 0, sleeping_ = 0;
    std::atomic<unsigned> busy_ = 0;
    std::atomic<std::uint64_t> wakeUps_ = 0;

    friend struct PoolHolder;
};

/// How long a thread spins before it sleeps; 0 where there is one processor.
std::int64_t spinNanoseconds();

}  // namespace metal_executor
