// SPDX-License-Identifier: MIT

#include "spare_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "memory.hpp"
#include "process.hpp"

namespace metal_executor {
namespace {

// What is smaller costs a few page faults, of which the program has others.
constexpr std::uint64_t leastBytes = 256u << 10;

struct Spare {
    void* address;
    std::uint64_t bytes;
};

struct Spares {
    std::mutex mutex;
    std::deque<Spare> items;  // the oldest first
    std::uint64_t bytes = 0;

    void dropOldest() {
        unmap(items.front().address, items.front().bytes);
        bytes -= items.front().bytes;
        items.pop_front();
    }

    static Spares& instance() {
        // Never destroyed: memory is freed after static destructors have run, too.
        static Spares& spares = *[] {
            onFork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] { instance().mutex.unlock(); });
            return new Spares;
        }();
        return spares;
    }
};

}  // namespace

std::uint64_t mostSpareBytes() {
    return std::min<std::uint64_t>(256u << 20, memoryLimit() / 32);
}

bool keepSpare(void* address, std::uint64_t mapped) {
    if (mapped < leastBytes || mapped > mostSpareBytes()) return false;
    // Pages that the system takes before they are written again come back as zeros.
    if (madvise(address, mapped, MADV_FREE) != 0) return false;
    Spares& spares = Spares::instance();
    std::lock_guard lock(spares.mutex);
    while (spares.bytes + mapped > mostSpareBytes()) spares.dropOldest();
    spares.items.push_back({address, mapped});
    spares.bytes += mapped;
    return true;
}

void* takeSpare(std::uint64_t mapped) {
    if (mapped < leastBytes) return nullptr;
    Spares& spares = Spares::instance();
    std::lock_guard lock(spares.mutex);
    // The newest is the most likely to be in a cache.
    const auto found = std::find_if(spares.items.rbegin(), spares.items.rend(),
                                    [&](const Spare& spare) { return spare.bytes == mapped; });
    if (found == spares.items.rend()) return nullptr;
    void* address = found->address;
    spares.items.erase(std::next(found).base());
    spares.bytes -= mapped;
    return address;
}

bool dropSpares() {
    Spares& spares = Spares::instance();
    std::lock_guard lock(spares.mutex);
    const bool were = !spares.items.empty();
    while (!spares.items.empty()) spares.dropOldest();
    return were;
}

}  // namespace metal_executor
