// SPDX-License-Identifier: MIT
//
// Memory of buffers, textures and heaps: page-aligned, counted, and refused before the machine runs out of it.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace metal_executor {

/// What one device's memory takes, in bytes.
class Account {
public:
    std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

private:
    friend class Memory;
    std::atomic<std::uint64_t> bytes_ = 0;
};

/// A range of memory that kernels may use. Freed (or handed back) when its last user lets go of it.
class Memory {
public:
    /// `bytes` of zeroed memory that starts on a page. Null when `bytes` is 0, above maxAllocation() or not to be
    /// had; `whyNot`, if given, then says so. Counted in `account` too, if given.
    static std::shared_ptr<Memory> allocate(std::uint64_t bytes, std::string* whyNot = nullptr,
                                            std::shared_ptr<Account> account = nullptr);

    /// Memory that belongs to somebody else; `release`, if not empty, is called once when the last user lets go.
    /// Not counted.
    static std::shared_ptr<Memory> wrap(void* address, std::uint64_t bytes, std::function<void()> release = {});

    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

    void* address() const { return address_; }
    std::uint64_t size() const { return size_; }
    /// With what whole pages take more; of wrapped memory, the size.
    std::uint64_t allocatedSize() const { return mapped_ != 0 ? mapped_ : size_; }
    bool isWrapped() const { return mapped_ == 0; }

    /// Makes all of it zeros; memory of its own goes back to the system until it is touched again.
    void discard();

private:
    Memory(void* address, std::uint64_t size, std::uint64_t mapped, std::function<void()> release,
           std::shared_ptr<Account> account);

    void* address_;
    std::uint64_t size_;
    std::uint64_t mapped_;  // bytes mapped here; 0: wrapped
    std::function<void()> release_;
    std::shared_ptr<Account> account_;
};

/// Bytes allocated now by Memory::allocate in this process.
std::uint64_t allocatedBytes();

/// What a process may use: the smaller of RAM and the cgroup's limit.
std::uint64_t memoryLimit();

/// The largest Memory::allocate that is let through now: three quarters of memoryLimit(), less what is allocated.
std::uint64_t maxAllocation();

std::uint64_t pageSize();

/// Gives the system back what Memory had of it: `bytes` in whole pages, with the gap behind them.
void unmap(void* address, std::uint64_t bytes);

}  // namespace metal_executor
