// SPDX-License-Identifier: MIT
//
// A folder of answers, shared by any number of processes.
//
// An entry is a file named by its key. It is written under another name and then renamed, so nobody sees half of one;
// its last bytes hold the key and a hash of the rest, so a damaged one is noticed. What is not right (or belongs to
// another user, whose code must not be run) counts as missing and is written again. Any trouble with the folder means
// no caching, never an error. A kernel's file starts with its shared object: objdump and perf can read it.

#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "cache_key.hpp"

namespace metal_compiler_client {

struct DiskEntry {
    wire::Bytes object;  // may be empty
    wire::Bytes facts;
};

class DiskCache {
public:
    enum class Kind : std::uint8_t { library, kernel };

    /// Makes the folder when something is stored. Oldest entries go when there are more than `limit` bytes.
    DiskCache(std::string folder, std::uint64_t limit);

    std::optional<DiskEntry> load(Kind kind, const CacheKey& key);
    void store(Kind kind, const CacheKey& key, const DiskEntry& entry);
    void clear();

    struct Size {
        std::uint64_t entries = 0, bytes = 0;
    };
    Size size() const;
    const std::string& folder() const { return folder_; }
    std::uint64_t limit() const { return limit_; }

private:
    void makeRoom(std::uint64_t added);

    const std::string folder_;
    const std::uint64_t limit_;
    std::mutex mutex_;
    std::uint64_t bytes_ = 0;       // as of the last look, and what this process stored since
    unsigned storesUntilLook_ = 0;  // other processes store too
};

}  // namespace metal_compiler_client
