// SPDX-License-Identifier: MIT
//
// A dispatch's threadgroups as its threads take them. Each thread begins with a range of its own, the same one in every
// dispatch of that size, so that it finds in its cache what it left there; who has none left takes from the end of the
// range that is the longest.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace metal_executor {

class Ranges {
public:
    /// `count` threadgroups in one range.
    explicit Ranges(std::uint64_t count) : count_(count), unit_(count / UINT32_MAX + 1) { set(one_, 0, units()); }
    Ranges(const Ranges&) = delete;
    Ranges& operator=(const Ranges&) = delete;

    /// Before anyone else takes: as many ranges as there are threads.
    void split(unsigned threads) {
        if (threads <= 1) return;
        many_ = std::make_unique<Range[]>(threads);
        for (unsigned i = 0; i < threads; ++i) set(many_[i], units() * i / threads, units() * (i + 1) / threads);
        rangeCount_ = threads;
    }

    bool areLeft() const {
        for (unsigned i = 0; i < rangeCount_; ++i) {
            if (left(ranges()[i].load(std::memory_order_relaxed)) != 0) return true;
        }
        return false;
    }

    /// Up to `most` threadgroups, from `first` on, and no more than a `share`th of the rest unless that is below
    /// `least`. None: 0. Between many threads' last pieces there is then little to wait for.
    std::uint64_t take(unsigned thread, std::uint64_t least, std::uint64_t most, std::uint64_t share,
                       std::uint64_t& first) {
        const Limits limits{toUnits(least), toUnits(most), share};
        if (const std::uint64_t taken = takeFrom(ranges()[thread % rangeCount_], limits, true, first)) return taken;
        while (rangeCount_ > 1) {
            Range* longest = std::max_element(ranges(), ranges() + rangeCount_, [](const Range& a, const Range& b) {
                return left(a.load(std::memory_order_relaxed)) < left(b.load(std::memory_order_relaxed));
            });
            if (const std::uint64_t taken = takeFrom(*longest, limits, false, first)) return taken;
            if (!areLeft()) break;
        }
        return 0;
    }

private:
    // The end in the upper half, the begin in the lower, in units: no thread sees one without the other.
    struct Range : std::atomic<std::uint64_t> {
        std::byte apart[64 - sizeof(std::atomic<std::uint64_t>)];  // from the next: not aligned, which costs more
    };
    struct Limits {
        std::uint64_t least, most, share;
    };

    std::uint64_t units() const { return (count_ + unit_ - 1) / unit_; }
    std::uint64_t toUnits(std::uint64_t groups) const { return std::max<std::uint64_t>(1, groups / unit_); }
    static std::uint64_t left(std::uint64_t range) {
        const std::uint64_t begin = range & UINT32_MAX, end = range >> 32;
        return begin < end ? end - begin : 0;
    }
    static void set(Range& range, std::uint64_t begin, std::uint64_t end) {
        range.store(end << 32 | begin, std::memory_order_relaxed);
    }
    Range* ranges() { return many_ ? many_.get() : &one_; }
    const Range* ranges() const { return many_ ? many_.get() : &one_; }

    std::uint64_t takeFrom(Range& range, Limits limits, bool fromFront, std::uint64_t& first) {
        std::uint64_t now = range.load(std::memory_order_relaxed), next = 0, taken = 0;
        do {
            const std::uint64_t rest = left(now), begin = now & UINT32_MAX, end = now >> 32;
            if (rest == 0) return 0;
            taken = std::min(rest, std::max(limits.least, std::min(limits.most, rest / limits.share)));
            first = fromFront ? begin : end - taken;
            next = fromFront ? end << 32 | (begin + taken) : (end - taken) << 32 | begin;
        } while (!range.compare_exchange_weak(now, next, std::memory_order_relaxed));
        first *= unit_;
        return std::min(taken * unit_, count_ - first);
    }

    const std::uint64_t count_;
    const std::uint64_t unit_;  // threadgroups that are only taken together, of 2^32 - 1 or more
    unsigned rangeCount_ = 1;
    std::unique_ptr<Range[]> many_;
    Range one_;
};

}  // namespace metal_executor
