// SPDX-License-Identifier: MIT
//
// Answers of this process, least recently used ones dropped. Not thread-safe: its owner has a lock.

#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <utility>

#include "cache_key.hpp"

namespace metal_compiler_client {

class MemoryCache {
public:
    explicit MemoryCache(std::uint64_t limit) : limit_(limit) {}

    /// Null when there is none. A key always has one type of reply.
    template <class Reply>
    std::shared_ptr<const Reply> find(const CacheKey& key) {
        const auto found = byKey_.find(key);
        if (found == byKey_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found->second);
        return std::static_pointer_cast<const Reply>(found->second->reply);
    }

    void add(const CacheKey& key, std::shared_ptr<const void> reply, std::uint64_t bytes) {
        remove(key);
        if (bytes > limit_) return;
        entries_.push_front({key, std::move(reply), bytes});
        byKey_[key] = entries_.begin();
        bytes_ += bytes;
        while (bytes_ > limit_) remove(entries_.back().key);
    }

    void remove(CacheKey key) {
        const auto found = byKey_.find(key);
        if (found == byKey_.end()) return;
        bytes_ -= found->second->bytes;
        entries_.erase(found->second);
        byKey_.erase(found);
    }

    void clear() {
        entries_.clear();
        byKey_.clear();
        bytes_ = 0;
    }

private:
    struct Entry {
        CacheKey key;
        std::shared_ptr<const void> reply;
        std::uint64_t bytes;
    };

    const std::uint64_t limit_;
    std::uint64_t bytes_ = 0;
    std::list<Entry> entries_;  // last used first
    std::map<CacheKey, std::list<Entry>::iterator> byKey_;
};

}  // namespace metal_compiler_client
