// SPDX-License-Identifier: MIT

#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "machine.hpp"
#include "spare_memory.hpp"

namespace metal_executor {
namespace {

std::atomic<std::uint64_t> allocated = 0;

// From here on the kernel's huge pages save more faults than they can waste.
constexpr std::uint64_t hugePageBytes = 2u << 20;

std::uint64_t roundUp(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Counts `bytes` as allocated unless that goes over the limit.
bool reserve(std::uint64_t bytes) {
    const std::uint64_t limit = memoryLimit() / 4 * 3;
    std::uint64_t now = allocated.load(std::memory_order_relaxed);
    do {
        if (bytes > limit || now > limit - bytes) return false;
    } while (!allocated.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
    return true;
}

// Memory of kernels lies where the system puts nothing by itself: one that writes past the end of its memory, as with
// too large a grid, meets a gap, or at worst other memory of kernels, and never what the process itself needs. The gap
// can be read, as zeros: public kernels read a little past the end of what they are given, which GPUs let pass.
constexpr std::uint64_t regionBegin = 0x2000'0000'0000, regionBytes = 0x2000'0000'0000, gapBytes = 64u << 10;
// Each is an area of its own to the system, which counts those of a process: 65530, usually.
constexpr std::uint64_t mostInRegion = 16384;
std::atomic<std::uint64_t> regionUsed = 0, mappings = 0;
// Places there that the system did not give. One may be two threads' doing; more are a tool's that watches the process.
std::atomic<unsigned> refusals = 0;
constexpr unsigned mostRefusals = 16;

// One page that may not be used, in the stretch of addresses for which the system has one table of pages, at its end:
// while it is there that table stays, and what is allocated and freed there need not have it made anew.
std::atomic<void*> anchor = nullptr;
constexpr std::uint64_t tableBytes = 2u << 20;

void moveAnchor(std::uint64_t offset) {
    const std::uint64_t end = offset / tableBytes * tableBytes + tableBytes;
    void* wish = reinterpret_cast<void*>(regionBegin + end - pageSize());
    void* page = mmap(wish, pageSize(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void* before = anchor.exchange(page == MAP_FAILED ? nullptr : page);
    if (before) munmap(before, pageSize());
}

// Where to map `bytes`, as a wish that the system may leave aside; null: anywhere.
void* placeInRegion(std::uint64_t bytes) {
    if (mappings.load(std::memory_order_relaxed) >= mostInRegion || bytes > regionBytes / 2) return nullptr;
    if (refusals.load(std::memory_order_relaxed) >= mostRefusals) return nullptr;
    const std::uint64_t taken = bytes + gapBytes;
    const std::uint64_t offset = regionUsed.fetch_add(taken, std::memory_order_relaxed) % regionBytes;
    if (offset + taken > regionBytes) return nullptr;
    if (offset == 0 || offset / tableBytes != (offset + taken) / tableBytes) moveAnchor(offset + taken);
    return reinterpret_cast<void*>(regionBegin + offset);
}

bool isInRegion(std::uintptr_t address) {
    return address >= regionBegin && address - regionBegin < regionBytes;
}

// Maps `bytes`, aligned to a huge page if they fill one, so that the kernel can use those from the first byte on.
void* map(std::uint64_t bytes) {
    const std::uint64_t alignment = bytes < hugePageBytes ? 0 : hugePageBytes;
    void* wish = placeInRegion(bytes + alignment);
    const std::uint64_t all = bytes + alignment + (wish ? gapBytes : 0);
    void* mapped = mmap(wish, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(mapped), end = begin + all;
    const std::uintptr_t aligned = alignment ? roundUp(begin, alignment) : begin, bytesEnd = aligned + bytes;
    const std::uintptr_t gapEnd = bytesEnd + (isInRegion(aligned) ? gapBytes : 0);
    if (wish && !isInRegion(aligned)) refusals.fetch_add(1, std::memory_order_relaxed);
    if (aligned > begin) munmap(mapped, aligned - begin);
    if (end > gapEnd) munmap(reinterpret_cast<void*>(gapEnd), end - gapEnd);
    if (gapEnd > bytesEnd) mprotect(reinterpret_cast<void*>(bytesEnd), gapEnd - bytesEnd, PROT_READ);
    if (alignment) madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
    return reinterpret_cast<void*>(aligned);
}

void say(std::string* whyNot, std::string text) {
    if (whyNot) *whyNot = std::move(text);
}

}  // namespace

void unmap(void* address, std::uint64_t bytes) {
    munmap(address, bytes + (isInRegion(reinterpret_cast<std::uintptr_t>(address)) ? gapBytes : 0));
}

std::uint64_t pageSize() {
    static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::uint64_t memoryLimit() {
    static const std::uint64_t limit = usableMemory();
    return limit;
}

std::uint64_t allocatedBytes() {
    return allocated.load(std::memory_order_relaxed);
}

std::uint64_t maxAllocation() {
    const std::uint64_t limit = memoryLimit() / 4 * 3;
    const std::uint64_t now = allocatedBytes();
    return now < limit ? limit - now : 0;
}

std::shared_ptr<Memory> Memory::allocate(std::uint64_t bytes, std::string* whyNot, std::shared_ptr<Account> account) {
    if (bytes == 0) {
        say(whyNot, "length is 0 bytes, expected at least 1");
        return nullptr;
    }
    const std::uint64_t allowed = maxAllocation();
    if (bytes > allowed || !reserve(roundUp(bytes, pageSize()))) {
        say(whyNot,
            "length is " + std::to_string(bytes) + " bytes, this device allows " + std::to_string(allowed) + " more");
        return nullptr;
    }
    const std::uint64_t mapped = roundUp(bytes, pageSize());
    void* address = FillsMemory::current() ? takeSpare(mapped) : nullptr;
    if (address) {
        std::memset(static_cast<std::byte*>(address) + bytes, 0, mapped - bytes);  // whoever fills it stops there
    } else {
        address = map(mapped);
        if (!address && dropSpares()) address = map(mapped);
    }
    if (!address) {
        const int code = errno;
        allocated.fetch_sub(mapped, std::memory_order_relaxed);
        say(whyNot, "length is " + std::to_string(bytes) + " bytes, the system refuses: " + std::strerror(code));
        return nullptr;
    }
    mappings.fetch_add(1, std::memory_order_relaxed);
    if (account) account->bytes_.fetch_add(mapped, std::memory_order_relaxed);
    return std::shared_ptr<Memory>(new Memory(address, bytes, mapped, {}, std::move(account)));
}

std::shared_ptr<Memory> Memory::wrap(void* address, std::uint64_t bytes, std::function<void()> release) {
    return std::shared_ptr<Memory>(new Memory(address, bytes, 0, std::move(release), nullptr));
}

Memory::Memory(void* address, std::uint64_t size, std::uint64_t mapped, std::function<void()> release,
               std::shared_ptr<Account> account)
    : address_(address), size_(size), mapped_(mapped), release_(std::move(release)), account_(std::move(account)) {}

void Memory::discard() {
    if (isWrapped() || madvise(address_, mapped_, MADV_DONTNEED) != 0) std::memset(address_, 0, size_);
}

Memory::~Memory() {
    if (mapped_ != 0) {
        if (!keepSpare(address_, mapped_)) unmap(address_, mapped_);
        allocated.fetch_sub(mapped_, std::memory_order_relaxed);
        mappings.fetch_sub(1, std::memory_order_relaxed);
        if (account_) account_->bytes_.fetch_sub(mapped_, std::memory_order_relaxed);
    }
    if (release_) release_();
}

}  // namespace metal_executor
