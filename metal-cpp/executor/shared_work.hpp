// SPDX-License-Identifier: MIT
//
// Work that one thread leads and others of the pool take part in: a dispatch, a large copy.

#pragma once

#include <atomic>
#include <cstdint>

namespace metal_executor {

class SharedWork {
public:
    explicit SharedWork(const void* owner) : owner_(owner) {}
    SharedWork(const SharedWork&) = delete;
    SharedWork& operator=(const SharedWork&) = delete;

    /// Who can be named to take part in it.
    const void* owner() const { return owner_; }
    /// Cheap: whether assist() would find something to do.
    virtual bool hasWork() const = 0;
    /// Does a part of it; returns when nothing is left, or a stream waits for a thread.
    virtual void assist() = 0;

    // ---- For the pool, which lets threads in (under its lock) and out ----

    void enter() { assistants_.fetch_add(1, std::memory_order_relaxed); }
    /// The work may be gone after this.
    void leave();

protected:
    ~SharedWork() = default;
    /// For the leading thread, when the pool lets nobody in any more.
    void waitForAssistants();

private:
    const void* const owner_;
    std::atomic<std::uint32_t> assistants_ = 0;  // futex
};

}  // namespace metal_executor
