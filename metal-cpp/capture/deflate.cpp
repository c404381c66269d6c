// SPDX-License-Identifier: MIT

#include "deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace metal_capture {

namespace {

constexpr int fastest = 1, windowBits = 15, memoryLevel = 9;
constexpr std::size_t sampleBytes = 8 << 10;
constexpr int sampleCount = 3;

std::uint32_t crcOf(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

std::unique_ptr<z_stream_s> makeStream(int strategy) {
    auto stream = std::make_unique<z_stream_s>();
    // Negative: no header of its own, as zip has it.
    if (deflateInit2(stream.get(), fastest, Z_DEFLATED, -windowBits, memoryLevel, strategy) != Z_OK)
        throw std::bad_alloc();
    return stream;
}

// Bytes written; 0 when `to` has not enough room.
std::size_t deflateAll(z_stream_s* stream, std::span<const std::uint8_t> from, std::span<std::uint8_t> to) {
    deflateReset(stream);
    stream->next_in = const_cast<Bytef*>(from.data());
    stream->avail_in = static_cast<uInt>(from.size());
    stream->next_out = to.data();
    stream->avail_out = static_cast<uInt>(to.size());
    return deflate(stream, Z_FINISH) == Z_STREAM_END ? to.size() - stream->avail_out : 0;
}

}  // namespace

Deflater::Deflater() : repeats_(makeStream(Z_DEFAULT_STRATEGY)), runs_(makeStream(Z_RLE)) {}

Deflater::~Deflater() {
    deflateEnd(repeats_.get());
    deflateEnd(runs_.get());
}

z_stream_s* Deflater::best(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> room) {
    if (bytes.size() < (sampleCount + 1) * sampleBytes) return repeats_.get();
    std::size_t repeats = 0, runs = 0;
    for (int i = 0; i < sampleCount; ++i) {
        const auto sample = bytes.subspan((bytes.size() - sampleBytes) / (sampleCount - 1) * i, sampleBytes);
        repeats += deflateAll(repeats_.get(), sample, room);
        runs += deflateAll(runs_.get(), sample, room);
    }
    constexpr std::size_t whole = sampleCount * sampleBytes;
    if (std::min(repeats, runs) > whole * 4 / 5) return nullptr;
    return runs <= repeats + repeats / 8 ? runs_.get() : repeats_.get();
}

Packed Deflater::pack(std::vector<std::uint8_t> bytes) {
    Packed packed;
    packed.size = bytes.size();
    packed.crc = crcOf(bytes);
    // zlib counts what it is given in an `unsigned`; what is larger stays as it is.
    const bool isSmall = bytes.size() <= std::numeric_limits<uInt>::max();
    std::vector<std::uint8_t> smaller(isSmall ? bytes.size() : 0);
    z_stream_s* stream = isSmall ? best(bytes, smaller) : nullptr;
    const std::size_t size = stream != nullptr ? deflateAll(stream, bytes, smaller) : 0;
    packed.isDeflated = size != 0;
    if (packed.isDeflated) {
        smaller.resize(size);
        smaller.shrink_to_fit();
        packed.bytes = std::move(smaller);
    } else {
        packed.bytes = std::move(bytes);
    }
    return packed;
}

}  // namespace metal_capture
