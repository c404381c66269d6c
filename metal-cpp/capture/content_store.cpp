// SPDX-License-Identifier: MIT

#include "content_store.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>

namespace metal_capture {

namespace {

// Beyond this, whoever puts waits: memory must not fill with what the disk is too slow for.
constexpr std::size_t mostWaiting = 64;

}  // namespace

std::string ContentStore::Hash::hex() const {
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return digits;
}

ContentStore::Hash ContentStore::hashOf(const void* data, std::size_t size) {
    const XXH128_hash_t hash = XXH3_128bits(data, size);
    return {hash.high64, hash.low64};
}

ContentStore::ContentStore(ZipWriter& zip, unsigned threads, const StartThread& start) : zip_(zip) {
    for (unsigned i = 0; i < threads; ++i) {
        {
            std::lock_guard lock(queueMutex_);
            ++threads_;
        }
        try {
            start([this] { writeBlocks(); });
        } catch (...) {
            std::lock_guard lock(queueMutex_);
            if (--threads_ == 0) throw;
            return;
        }
    }
}

ContentStore::~ContentStore() {
    std::unique_lock lock(queueMutex_);
    isClosed_ = true;
    unfinished_ -= queue_.size();
    queue_.clear();
    arrived_.notify_all();
    taken_.wait(lock, [&] { return threads_ == 0; });
}

std::uint32_t ContentStore::put(const void* data, std::uint64_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    Content content{size, {}};
    for (std::uint64_t at = 0; at < size; at += blockSize) {
        const std::size_t length = std::min(blockSize, size - at);
        Hash hash = hashOf(bytes + at, length);
        if (!isKnown(hash)) {
            // Of the copy, since the program may write meanwhile: other contents of that hash must not get these bytes.
            Block block{{}, std::vector<std::uint8_t>(bytes + at, bytes + at + length)};
            hash = block.hash = hashOf(block.bytes.data(), length);
            keepBlock(std::move(block));
        }
        content.blocks.push_back(hash);
    }
    // Blocks of different lengths have different hashes, so equal lists are contents of one size.
    const Hash whole = hashOf(content.blocks.data(), content.blocks.size() * sizeof(Hash));
    std::lock_guard lock(mutex_);
    const auto [found, isNew] = numbers_.try_emplace(whole, static_cast<std::uint32_t>(contents_.size()));
    if (isNew) contents_.push_back(std::move(content));
    return found->second;
}

bool ContentStore::isKnown(const Hash& hash) const {
    std::lock_guard lock(mutex_);
    return known_.contains(hash);
}

void ContentStore::keepBlock(Block block) {
    if (zip_.hasFailed()) return;
    {
        std::lock_guard lock(mutex_);
        if (!known_.insert(block.hash).second) return;
    }
    std::unique_lock lock(queueMutex_);
    taken_.wait(lock, [&] { return queue_.size() < mostWaiting || isClosed_; });
    queue_.push_back(std::move(block));
    ++unfinished_;
    arrived_.notify_one();
}

void ContentStore::writeBlocks() {
    std::optional<Deflater> deflater;
    std::unique_lock lock(queueMutex_);
    for (;;) {
        arrived_.wait(lock, [&] { return !queue_.empty() || isClosed_; });
        if (queue_.empty()) break;
        Block block = std::move(queue_.front());
        queue_.pop_front();
        taken_.notify_all();
        lock.unlock();
        try {
            if (!deflater) deflater.emplace();
            if (!zip_.hasFailed()) zip_.add("blocks/" + block.hash.hex(), deflater->pack(std::move(block.bytes)));
        } catch (const std::bad_alloc&) {
            zip_.fail("out of memory");
        }
        block.bytes = {};
        lock.lock();
        --unfinished_;
        taken_.notify_all();
    }
    --threads_;
    taken_.notify_all();
}

void ContentStore::flush() {
    std::unique_lock lock(queueMutex_);
    taken_.wait(lock, [&] { return unfinished_ == 0; });
}

void ContentStore::write(JsonWriter& json) const {
    std::lock_guard lock(mutex_);
    json.beginArray();
    for (const Content& content : contents_) {
        json.beginArray().value(content.size).beginArray();
        for (const Hash& block : content.blocks) json.value(block.hex());
        json.endArray().endArray();
    }
    json.endArray();
}

}  // namespace metal_capture
