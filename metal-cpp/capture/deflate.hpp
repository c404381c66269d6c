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
    std::size_t deflate(std::span<const std::uint8_t> from, std::span<std::uint8_t> to);

    std::unique_ptr<z_stream_s> stream_;
};

}  // namespace metal_capture
