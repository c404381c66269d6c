// SPDX-License-Identifier: MIT

#include "space.hpp"

#include <algorithm>

namespace metal_executor {
namespace {

std::uint64_t roundUp(std::uint64_t offset, std::uint64_t alignment) {
    return (offset + alignment - 1) & ~(alignment - 1);
}

}  // namespace

void Range::giveBack() {
    space->giveBack(*this);
}

bool Range::isGivenBack() const {
    std::lock_guard lock(space->mutex_);
    return isGivenBack_;
}

void* Range::address() const {
    return static_cast<std::uint8_t*>(space->block->address()) + offset;
}

Space::Space(std::shared_ptr<Memory> block) : block(std::move(block)) {
    free_.emplace(0, this->block->size());
}

std::shared_ptr<Range> Space::take(std::uint64_t size, std::uint64_t alignment) {
    std::lock_guard lock(mutex_);
    auto best = free_.end();
    for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
        const auto& [begin, end] = *piece;
        const std::uint64_t aligned = roundUp(begin, alignment);
        if (aligned > end || end - aligned < size) continue;
        if (best == free_.end() || end - begin < best->second - best->first) best = piece;
    }
    if (best == free_.end()) return nullptr;
    const auto [begin, end] = *best;
    const std::uint64_t offset = roundUp(begin, alignment);
    free_.erase(best);
    if (offset > begin) free_.emplace(begin, offset);
    if (offset + size < end) free_.emplace(offset + size, end);
    return std::make_shared<Range>(shared_from_this(), offset, size, false);
}

std::shared_ptr<Range> Space::place(std::uint64_t offset, std::uint64_t size) {
    if (offset > block->size() || size > block->size() - offset) return nullptr;
    std::lock_guard lock(mutex_);
    placed_.emplace(offset, offset + size);
    return std::make_shared<Range>(shared_from_this(), offset, size, true);
}

void Space::giveBack(Range& range) {
    std::lock_guard lock(mutex_);
    if (range.isGivenBack_) return;
    range.isGivenBack_ = true;
    std::uint64_t begin = range.offset, end = range.offset + range.size;
    if (range.isShared) {
        const auto [first, last] = placed_.equal_range(begin);
        placed_.erase(std::find_if(first, last, [&](const auto& other) { return other.second == end; }));
        return;
    }
    // Neighbours become one piece, so that what was taken in parts can be had whole again.
    auto next = free_.lower_bound(begin);
    if (next != free_.end() && next->first == end) {
        end = next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto previous = std::prev(next);
        if (previous->second == begin) {
            begin = previous->first;
            free_.erase(previous);
        }
    }
    free_.emplace(begin, end);
}

template <class Visit>
void Space::forEachFree(Visit visit) const {
    if (placed_.empty()) {
        for (const auto& [begin, end] : free_) visit(begin, end);
        return;
    }
    std::uint64_t covered = 0;
    for (const auto& [begin, end] : placed_) {
        if (begin > covered) visit(covered, begin);
        covered = std::max(covered, end);
    }
    if (covered < block->size()) visit(covered, block->size());
}

std::uint64_t Space::used() const {
    std::lock_guard lock(mutex_);
    std::uint64_t bytes = block->size();
    forEachFree([&](std::uint64_t begin, std::uint64_t end) { bytes -= end - begin; });
    return bytes;
}

std::uint64_t Space::largestFree(std::uint64_t alignment) const {
    std::lock_guard lock(mutex_);
    std::uint64_t largest = 0;
    forEachFree([&](std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t aligned = roundUp(begin, alignment);
        if (aligned < end) largest = std::max(largest, end - aligned);
    });
    return largest;
}

}  // namespace metal_executor
