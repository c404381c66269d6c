// SPDX-License-Identifier: MIT
//
// What memory held at some time, each different piece once. Contents are cut into blocks, known by their hashes; a
// block that was not seen before is copied, and packed and written by threads of the store.

#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "json.hpp"
#include "zip_writer.hpp"

namespace metal_capture {

class ContentStore {
public:
    static constexpr std::uint64_t blockSize = 1 << 20;

    using StartThread = std::function<void(std::function<void()>)>;

    /// `start` runs a function on a thread of its own; it is called `threads` times.
    ContentStore(ZipWriter& zip, unsigned threads, const StartThread& start);
    ContentStore(const ContentStore&) = delete;
    ContentStore& operator=(const ContentStore&) = delete;
    /// Drops what is not written yet.
    ~ContentStore();

    /// The number of this content. Waits while much is still to be written. From any thread.
    std::uint32_t put(const void* data, std::uint64_t size);

    /// Waits until all is written.
    void flush();

    /// All contents by their numbers: their sizes and the names of their blocks.
    void write(JsonWriter& json) const;

private:
    struct Hash {
        std::uint64_t high = 0, low = 0;
        bool operator==(const Hash&) const = default;
        std::string hex() const;
    };
    struct Hasher {
        std::size_t operator()(const Hash& hash) const { return hash.low; }
    };
    struct Content {
        std::uint64_t size = 0;
        std::vector<Hash> blocks;
    };
    struct Block {
        Hash hash;
        std::vector<std::uint8_t> bytes;
    };

    static Hash hashOf(const void* data, std::size_t size);
    bool isKnown(const Hash& hash) const;
    void keepBlock(Block block);
    void writeBlocks();

    ZipWriter& zip_;
    mutable std::mutex mutex_;
    std::vector<Content> contents_;
    std::unordered_map<Hash, std::uint32_t, Hasher> numbers_;
    std::unordered_set<Hash, Hasher> known_;

    std::mutex queueMutex_;
    std::condition_variable arrived_, taken_;
    std::deque<Block> queue_;
    std::size_t unfinished_ = 0;  // in the queue or being written
    unsigned threads_ = 0;
    bool isClosed_ = false;
};

}  // namespace metal_capture
