// SPDX-License-Identifier: MIT
//
// One block of memory, given out in ranges: what heaps are made of.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "memory.hpp"

namespace metal_executor {

class Space;

/// A range of a Space, given back when it ends or before. Keeps the block alive.
class Range {
public:
    Range(std::shared_ptr<Space> space, std::uint64_t offset, std::uint64_t size, bool isShared)
        : space(std::move(space)), offset(offset), size(size), isShared(isShared) {}
    ~Range() { giveBack(); }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;

    /// From now on others may have the same bytes. Again does nothing.
    void giveBack();
    bool isGivenBack() const;

    void* address() const;

    const std::shared_ptr<Space> space;
    const std::uint64_t offset;
    const std::uint64_t size;
    const bool isShared;  // placed, not taken

private:
    friend class Space;
    bool isGivenBack_ = false;  // under the space's lock
};

/// Safe from any thread. A space's ranges are either all taken or all placed.
class Space : public std::enable_shared_from_this<Space> {
public:
    explicit Space(std::shared_ptr<Memory> block);

    /// `size` bytes that no other range has, at a multiple of `alignment`, where they leave the least free behind;
    /// null when there are none. `size` is not 0, `alignment` a power of two.
    std::shared_ptr<Range> take(std::uint64_t size, std::uint64_t alignment);

    /// The bytes at `offset`, whoever else has them; null when they are not in the block.
    std::shared_ptr<Range> place(std::uint64_t offset, std::uint64_t size);

    /// Bytes that ranges have, each counted once.
    std::uint64_t used() const;

    /// The largest range that no other has, from a multiple of `alignment` on.
    std::uint64_t largestFree(std::uint64_t alignment) const;

    const std::shared_ptr<Memory> block;

private:
    friend class Range;
    void giveBack(Range& range);
    /// Calls `visit(begin, end)` for what no range has.
    template <class Visit>
    void forEachFree(Visit visit) const;

    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> free_;         // of taken ranges: begins and ends of the rest
    std::multimap<std::uint64_t, std::uint64_t> placed_;  // begins and ends
};

}  // namespace metal_executor
