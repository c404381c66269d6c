// SPDX-License-Identifier: MIT
//
// An entry's bytes as a zip file stores them.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct z_stream_s;

namespace metal_capture {

struct Packed {
    std::uint64_t size = 0;  // before packing
    std::uint32_t crc = 0;
    bool isDeflated = false;
    std::vector<std::uint8_t> bytes;
};

/// Keeps its memory from one call to the next. For one thread.
class Deflater {
public:
    Deflater();
    ~Deflater();
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    /// Fast rather than small; bytes that would not become smaller are stored as they are.
    Packed pack(std::vector<std::uint8_t> bytes);

private:
    /// What promises most of a block, judged by samples of it; null: storing it.
    z_stream_s* best(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> room);

    std::unique_ptr<z_stream_s> repeats_;  // looks for repeated stretches
    std::unique_ptr<z_stream_s> runs_;     // for runs of one byte only, several times as fast
};

}  // namespace metal_capture
