// SPDX-License-Identifier: MIT

#include "copying.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "command.hpp"
#include "pool.hpp"
#include "shared_work.hpp"

namespace metal_executor {
namespace {

// Below this, one thread has copied it before another is awake.
constexpr std::uint64_t leastBytes = 2u << 20;
// Taken at a time: pages of that size are touched by one thread each.
constexpr std::uint64_t partBytes = 1u << 20;

/// Calls `function` with each number below `parts`.
template <class Function>
class Parts final : public SharedWork {
public:
    Parts(Pool& pool, std::uint64_t parts, const Function& function)
        : SharedWork(nullptr), pool_(pool), parts_(parts), function_(function) {}

    void lead() {
        const auto others = std::min<std::uint64_t>(pool_.threadCount(), parts_) - 1;
        if (others != 0) pool_.open(*this, static_cast<unsigned>(others));
        while (runOne()) {
        }
        if (others != 0) pool_.close(*this);
        waitForAssistants();
    }

    bool hasWork() const override { return next_.load(std::memory_order_relaxed) < parts_; }
    void assist() override {
        while (runOne() && !pool_.hasReadyStream()) {
        }
    }

private:
    bool runOne() {
        const std::uint64_t part = next_.fetch_add(1, std::memory_order_relaxed);
        if (part >= parts_) return false;
        function_(part);
        return true;
    }

    Pool& pool_;
    const std::uint64_t parts_;
    const Function& function_;
    alignas(64) std::atomic<std::uint64_t> next_ = 0;
};

/// Calls `function` with the begin and end of pieces of [begin, end), cut where addresses are multiples of partBytes.
template <class Function>
void forEachPart(Pool& pool, void* address, std::uint64_t bytes, const Function& function) {
    const std::uint64_t before = reinterpret_cast<std::uintptr_t>(address) % partBytes;
    const auto part = [&](std::uint64_t number) {
        const std::uint64_t begin = number == 0 ? 0 : number * partBytes - before;
        const std::uint64_t end = std::min(bytes, (number + 1) * partBytes - before);
        function(begin, end);
    };
    Parts(pool, (before + bytes + partBytes - 1) / partBytes, part).lead();
}

bool overlap(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t bytes) {
    return a < b ? b < a + bytes : a < b + bytes;
}

void copyRows(const CopyImage& copy, std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t row = first; row < end; ++row) {
        const std::uint64_t image = row / copy.rows, y = row % copy.rows;
        std::memmove(copy.to + image * copy.toBytesPerImage + y * copy.toBytesPerRow,
                     copy.from + image * copy.fromBytesPerImage + y * copy.fromBytesPerRow, copy.rowBytes);
    }
}

std::uint64_t extent(std::uint64_t rowBytes, std::uint64_t rows, std::uint64_t images, std::uint64_t bytesPerRow,
                     std::uint64_t bytesPerImage) {
    return (images - 1) * bytesPerImage + (rows - 1) * bytesPerRow + rowBytes;
}

}  // namespace

void copyMemory(Pool& pool, void* to, const void* from, std::uint64_t bytes) {
    auto* target = static_cast<std::uint8_t*>(to);
    const auto* source = static_cast<const std::uint8_t*>(from);
    if (bytes < leastBytes || pool.threadCount() == 1 || overlap(target, source, bytes)) {
        std::memmove(to, from, bytes);
        return;
    }
    forEachPart(pool, to, bytes, [&](std::uint64_t begin, std::uint64_t end) {
        std::memcpy(target + begin, source + begin, end - begin);
    });
}

void copyMemory(unsigned device, void* to, const void* from, std::uint64_t bytes) {
    if (bytes < leastBytes) {
        std::memmove(to, from, bytes);
    } else {
        copyMemory(Pool::of(device), to, from, bytes);
    }
}

void copyImage(Pool& pool, const CopyImage& copy) {
    if (copy.rows == 0 || copy.images == 0) return;
    const bool areImagesTight = copy.images == 1 || (copy.toBytesPerImage == copy.rows * copy.rowBytes &&
                                                     copy.fromBytesPerImage == copy.rows * copy.rowBytes);
    const bool areRowsTight =
        copy.rows == 1 || (copy.toBytesPerRow == copy.rowBytes && copy.fromBytesPerRow == copy.rowBytes);
    const std::uint64_t rows = copy.rows * copy.images, bytes = rows * copy.rowBytes;
    if (areImagesTight && areRowsTight) return copyMemory(pool, copy.to, copy.from, bytes);
    const std::uint64_t reach =
        std::max(extent(copy.rowBytes, copy.rows, copy.images, copy.toBytesPerRow, copy.toBytesPerImage),
                 extent(copy.rowBytes, copy.rows, copy.images, copy.fromBytesPerRow, copy.fromBytesPerImage));
    if (bytes < leastBytes || pool.threadCount() == 1 || overlap(copy.to, copy.from, reach)) {
        copyRows(copy, 0, rows);
        return;
    }
    const std::uint64_t atATime = std::max<std::uint64_t>(1, partBytes / std::max<std::uint64_t>(copy.rowBytes, 1));
    const auto part = [&](std::uint64_t number) {
        copyRows(copy, number * atATime, std::min(rows, (number + 1) * atATime));
    };
    Parts(pool, (rows + atATime - 1) / atATime, part).lead();
}

void copyImage(unsigned device, const CopyImage& copy) {
    copyImage(Pool::of(device), copy);
}

void fillMemory(Pool& pool, void* to, std::uint8_t value, std::uint64_t bytes) {
    if (bytes < leastBytes || pool.threadCount() == 1) {
        std::memset(to, value, bytes);
        return;
    }
    auto* target = static_cast<std::uint8_t*>(to);
    forEachPart(pool, to, bytes,
                [&](std::uint64_t begin, std::uint64_t end) { std::memset(target + begin, value, end - begin); });
}

}  // namespace metal_executor
