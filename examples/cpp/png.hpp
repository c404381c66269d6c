// SPDX-License-Identifier: MIT
//
// Writes pictures as PNG files. zlib does the work; the rest is lengths and check sums.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace png {

inline void append(std::string& bytes, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
}

inline void writeChunk(std::ofstream& file, const std::string& kind, const std::string& content) {
    std::string bytes, body = kind + content;
    append(bytes, static_cast<std::uint32_t>(content.size()));
    bytes += body;
    append(bytes, static_cast<std::uint32_t>(
                      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// `pixels`: rows of RGBA, 8 bits each. False when the file cannot be written.
inline bool write(const std::string& path, const std::vector<std::uint8_t>& pixels, std::uint32_t width,
                  std::uint32_t height) {
    std::string rows;
    for (std::uint32_t y = 0; y < height; ++y) {
        rows += '\0';  // the row as it is, no filter
        rows.append(reinterpret_cast<const char*>(pixels.data()) + std::size_t{y} * width * 4, std::size_t{width} * 4);
    }
    uLongf size = compressBound(rows.size());
    std::string packed(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                 rows.size()) != Z_OK)
        return false;
    packed.resize(size);

    std::string header;
    append(header, width);
    append(header, height);
    header += std::string("\x08\x06\x00\x00\x00", 5);  // 8 bits, RGBA
    std::ofstream file(path, std::ios::binary);
    file.write("\x89PNG\r\n\x1a\n", 8);
    writeChunk(file, "IHDR", header);
    writeChunk(file, "IDAT", packed);
    writeChunk(file, "IEND", "");
    return file.good();
}

}  // namespace png
