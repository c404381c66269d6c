// SPDX-License-Identifier: MIT
//
// Writes a zip file, with zip64's fields so that it may be of any size. Nobody sees half of a file: it has no name
// until it is complete.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "deflate.hpp"

namespace metal_capture {

class ZipWriter {
public:
    /// Null, and why, when no file can be made where `path` says.
    static std::unique_ptr<ZipWriter> create(const std::string& path, std::string& whyNot);

    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;
    /// Without finish(), nothing stays of the file.
    ~ZipWriter();

    /// From any thread. Names are ASCII, and each is used once.
    void add(const std::string& name, const Packed& packed);

    /// Nothing more is written; `why` is what finish() says.
    void fail(const char* why);

    /// Gives the file its name, in place of one that has it. Empty, or why that failed, as all that was added before.
    std::string finish();

    /// Whether something could not be written; what is added after that is dropped.
    bool hasFailed() const;

    std::uint64_t bytesWritten() const;

private:
    struct Entry {
        std::string name;
        std::uint64_t size, packedSize, offset;
        std::uint32_t crc;
        std::uint16_t method;
    };

    ZipWriter(int file, std::string path, std::string temporary)
        : file_(file), path_(std::move(path)), temporary_(std::move(temporary)) {}
    void write(const void* bytes, std::size_t size);  // with mutex_ held
    void writeDirectory();                            // with mutex_ held
    std::string giveName();                           // with mutex_ held

    int file_;
    const std::string path_;
    std::string temporary_;  // the name it has until it is complete; empty: none at all
    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::uint64_t offset_ = 0;
    std::string failure_;
};

}  // namespace metal_capture
