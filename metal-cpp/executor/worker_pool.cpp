// SPDX-License-Identifier: MIT

#include "worker_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <utility>

#include "clock.hpp"
#include "fault.hpp"
#include "futex.hpp"
#include "machine.hpp"
#include "pool.hpp"
#include "process.hpp"
#include "shared_work.hpp"
#include "stream.hpp"
#include "thread_state.hpp"
#include "threads.hpp"

namespace metal_executor {
namespace {

constexpr unsigned mostThreads = 1024, mostDevices = 64;

/// The environment's number from 1 to `most`; `otherwise` where it has none.
unsigned numberIn(const char* variable, unsigned most, unsigned otherwise) {
    if (const char* text = std::getenv(variable)) {
        char* end = nullptr;
        const long count = std::strtol(text, &end, 10);
        if (end != text && *end == '\0' && count >= 1 && count <= static_cast<long>(most))
            return static_cast<unsigned>(count);
    }
    return otherwise;
}

unsigned share(unsigned threads, unsigned device) {
    const unsigned devices = deviceCount();
    return std::max(1u, threads / devices + (device < threads % devices ? 1 : 0));
}

}  // namespace

// Holds what is never destroyed (threads may run until the process is gone) and is made anew in the child of a fork.
struct PoolHolder {
    std::atomic<unsigned> threads =
        numberIn("MTLPY_NUM_THREADS", mostThreads, std::min(availableProcessors(), mostThreads));
    std::vector<Pool*> pools;

    PoolHolder() { makePools(); }

    void makePools() {
        pools.clear();
        for (unsigned device = 0; device < deviceCount(); ++device) pools.push_back(new Pool(share(threads, device)));
    }

    static PoolHolder& instance() {
        static PoolHolder& holder = *[] {
            installFaultHandlers();
            auto* made = new PoolHolder;
            onFork(
                [] {
                    for (Pool* pool : instance().pools) pool->mutex_.lock();
                },
                [] {
                    for (Pool* pool : instance().pools) pool->mutex_.unlock();
                },
                // The threads of the old ones don't exist here; what waits in them belongs to the parent.
                [] { instance().makePools(); });
            return made;
        }();
        return holder;
    }
};

Pool& Pool::of(unsigned device) {
    return *PoolHolder::instance().pools[device];
}

Pool::Pool(unsigned threads) : wanted_(threads) {}

std::int64_t spinNanoseconds() {
    static const std::int64_t duration = availableProcessors() > 1 ? 50'000 : 0;
    return duration;
}

void Pool::count() {
    readyCount_.store(static_cast<std::uint32_t>(ready_.size()));
    const auto joinable = std::count_if(open_.begin(), open_.end(), [](const Open& open) { return open.places != 0; });
    work_.store(static_cast<std::uint32_t>(ready_.size()) + static_cast<std::uint32_t>(joinable));
}

void Pool::startThreads() {
    const unsigned wanted = threadCount();
    if (isRunning_.size() < wanted) isRunning_.resize(wanted, false);
    for (unsigned index = 0; index < wanted; ++index) {
        if (isRunning_[index]) continue;
        try {
            startThread("metal-worker", [this, index] { work(index); });
        } catch (const std::exception&) {
            // Fewer threads than wanted do the same work; without any, waiting threads do.
            return;
        }
        isRunning_[index] = true;
    }
}

void Pool::setThreadCount(unsigned threads) {
    wanted_ = threads;
    wake(mostThreads);  // those too many end
}

void Pool::submit(std::shared_ptr<Stream> stream) {
    {
        std::lock_guard lock(mutex_);
        startThreads();
        ready_.push_back(std::move(stream));
        count();
    }
    if (spinning_.load() == 0) wake(1);
}

bool Pool::claim(const Stream& stream) {
    std::lock_guard lock(mutex_);
    const auto found = std::find_if(ready_.begin(), ready_.end(), [&](auto& ready) { return ready.get() == &stream; });
    if (found == ready_.end()) return false;
    ready_.erase(found);
    count();
    return true;
}

void Pool::open(SharedWork& run, unsigned threads) {
    {
        std::lock_guard lock(mutex_);
        startThreads();
        open_.push_back({&run, threads});
        count();
    }
    const unsigned spinners = spinning_.load();
    if (threads > spinners) wake(threads - spinners);
}

void Pool::close(SharedWork& run) {
    std::lock_guard lock(mutex_);
    std::erase_if(open_, [&](const Open& open) { return open.run == &run; });
    count();
}

// A dispatch without work left or places free stays, for close(), but counts no more: spinning threads would look at it
// again and again.
SharedWork* Pool::join(const void* owner) {
    SharedWork* joined = nullptr;
    for (Open& open : open_) {
        if (open.places == 0) continue;
        if (!open.run->hasWork()) {
            open.places = 0;
        } else if (!owner || open.run->owner() == owner) {
            joined = open.run;
            joined->enter();
            --open.places;
            break;
        }
    }
    count();
    return joined;
}

// One that left for a stream's sake leaves its place to the next.
void Pool::leave(SharedWork& run) {
    if (run.hasWork()) {
        std::lock_guard lock(mutex_);
        const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.run == &run; });
        if (found != open_.end()) ++found->places;
        count();
    }
    run.leave();
}

bool Pool::assist(const void* owner) {
    SharedWork* run = nullptr;
    {
        std::lock_guard lock(mutex_);
        run = join(owner);
    }
    if (!run) return false;
    const Busy busy(*this);
    run->assist();
    leave(*run);
    return true;
}

bool Pool::workOnce() {
    std::shared_ptr<Stream> stream;
    bool isMore = false;
    {
        std::lock_guard lock(mutex_);
        if (!ready_.empty()) {
            stream = std::move(ready_.front());
            ready_.pop_front();
            count();
            isMore = !ready_.empty();
        }
    }
    if (!stream) return assist(nullptr);
    if (isMore && spinning_.load() == 0) wake(1);
    const Busy busy(*this);
    stream->run();
    return true;
}

bool Pool::spin(std::int64_t until) {
    if (nanoseconds() >= until) return false;
    spinning_.fetch_add(1);
    bool found = false;
    do {
        for (int i = 0; i < 16 && !found; ++i) {
            found = mayHaveWork();
            pause();
        }
        if (!found) sched_yield();  // who waited for the work just done may be waiting for this processor
    } while (!found && nanoseconds() < until);
    spinning_.fetch_sub(1);
    return found;
}

// Counted as asleep before it looks for work a last time: whoever brings some either is seen here or sees the sleeper.
void Pool::sleep(unsigned index) {
    sleeping_.fetch_add(1);
    const std::uint32_t now = epoch_.load();
    if (work_.load() == 0 && index < threadCount()) futexWait(epoch_, now);
    sleeping_.fetch_sub(1);
}

void Pool::wake(unsigned threads) {
    epoch_.fetch_add(1);
    if (sleeping_.load() == 0) return;
    wakeUps_.fetch_add(1, std::memory_order_relaxed);
    futexWake(epoch_, static_cast<int>(threads));
}

// Work may have come for this thread, as one that spins; then another must know.
bool Pool::retire(unsigned index) {
    {
        std::lock_guard lock(mutex_);
        if (index < threadCount()) return false;
        isRunning_[index] = false;
    }
    if (mayHaveWork()) wake(1);
    return true;
}

void Pool::work(unsigned index) {
    threadState().worker = index;
    std::int64_t spinUntil = 0;
    for (;;) {
        if (index >= threadCount() && retire(index)) return;
        if (workOnce()) {
            spinUntil = nanoseconds() + spinNanoseconds();
        } else if (!spin(spinUntil)) {
            sleep(index);
        }
    }
}

std::uint64_t wakeUps(unsigned device) {
    return Pool::of(device).wakeUps();
}

unsigned availableProcessors() {
    static const unsigned count = usableProcessors();
    return count;
}

unsigned deviceCount() {
    static const unsigned count = numberIn("MTLPY_SOFTWARE_DEVICES", mostDevices, 1);
    return count;
}

unsigned threadCount() {
    return PoolHolder::instance().threads.load();
}

unsigned threadCount(unsigned device) {
    return Pool::of(device).threadCount();
}

bool setThreadCount(unsigned count) {
    if (count < 1 || count > mostThreads) return false;
    PoolHolder& holder = PoolHolder::instance();
    holder.threads = count;
    for (unsigned device = 0; device < deviceCount(); ++device)
        holder.pools[device]->setThreadCount(share(count, device));
    return true;
}

}  // namespace metal_executor
