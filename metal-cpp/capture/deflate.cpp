// SPDX-License-Identifier: MIT

#include "deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace metal_capture {

namespace {

constexpr int fastest = 1, windowBits = 15, memoryLevel = 9;
constexpr std::size_t sampleBytes = 16 << 10;
// What a sample must become smaller than for deflating the whole to be worth its time: it runs at tens of megabytes a
// second on what it can't make smaller.
constexpr std::size_t sampleLimit = sampleBytes * 15 / 16;

std::uint32_t crcOf(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

}  // namespace

Deflater::Deflater() : stream_(std::make_unique<z_stream_s>()) {
    // Negative: no header of its own, as zip has it.
    if (deflateInit2(stream_.get(), fastest, Z_DEFLATED, -windowBits, memoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

Deflater::~Deflater() {
    deflateEnd(stream_.get());
}

// Bytes written; 0 when `to` has not enough room.
std::size_t Deflater::deflate(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
    deflateReset(stream_.get());
    stream_->next_in = const_cast<Bytef*>(from.data());
    stream_->avail_in = static_cast<uInt>(from.size());
    stream_->next_out = to.data();
    stream_->avail_out = static_cast<uInt>(to.size());
    if (::deflate(stream_.get(), Z_FINISH) != Z_STREAM_END) return 0;
    return to.size() - stream_->avail_out;
}

Packed Deflater::pack(std::vector<std::uint8_t> bytes) {
    Packed packed;
    packed.size = bytes.size();
    packed.crc = crcOf(bytes);
    const std::span<const std::uint8_t> all(bytes);
    std::vector<std::uint8_t> smaller(all.size());
    bool isWorthIt = all.size() < 2 * sampleBytes;
    for (const std::size_t at : {std::size_t{0}, all.size() / 2, all.size() - std::min(all.size(), sampleBytes)}) {
        if (isWorthIt) break;
        isWorthIt = deflate(all.subspan(at, sampleBytes), std::span(smaller).first(sampleLimit)) != 0;
    }
    const std::size_t size = isWorthIt ? deflate(all, smaller) : 0;
    packed.isDeflated = size != 0;
    if (packed.isDeflated) {
        smaller.resize(size);
        packed.bytes = std::move(smaller);
    } else {
        packed.bytes = std::move(bytes);
    }
    return packed;
}

}  // namespace metal_capture
