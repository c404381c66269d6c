// SPDX-License-Identifier: MIT

#include "zip_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace metal_capture {

namespace {

constexpr std::uint16_t stored = 0, deflated = 8;
constexpr std::uint16_t zip64Version = 45;
// A day that every reader takes: 1 January 1980. When the capture was made is in its own words.
constexpr std::uint16_t noTime = 0, noDate = (1 << 5) | 1;
constexpr std::uint32_t inZip64 = 0xffffffff;
constexpr std::uint16_t zip64Field = 1;

class Fields {
public:
    Fields& u16(std::uint64_t value) { return put(value, 2); }
    Fields& u32(std::uint64_t value) { return put(value, 4); }
    Fields& u64(std::uint64_t value) { return put(value, 8); }
    Fields& text(const std::string& text) {
        bytes += text;
        return *this;
    }
    std::string bytes;

private:
    Fields& put(std::uint64_t value, int count) {
        for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
        return *this;
    }
};

std::string folderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string freshName(const std::string& path) {
    static std::atomic<unsigned> counter = 0;
    return path + ".writing." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1));
}

}  // namespace

std::unique_ptr<ZipWriter> ZipWriter::create(const std::string& path, std::string& whyNot) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
        whyNot = S_ISDIR(facts.st_mode) ? "it is a folder" : "it is not a file";
        return nullptr;
    }
    std::string temporary;
    // A file without a name goes with its process, however that ends. Not all file systems have them.
    int file = open(folderOf(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
        temporary = freshName(path);
        file = open(temporary.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        whyNot = std::strerror(errno);
        return nullptr;
    }
    return std::unique_ptr<ZipWriter>(new ZipWriter(file, path, std::move(temporary)));
}

ZipWriter::~ZipWriter() {
    if (file_ >= 0) close(file_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void ZipWriter::write(const void* bytes, std::size_t size) {
    const char* next = static_cast<const char*>(bytes);
    while (size > 0 && failure_.empty()) {
        const ssize_t written = ::write(file_, next, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            failure_ = std::strerror(errno);
            return;
        }
        next += written;
        size -= static_cast<std::size_t>(written);
        offset_ += static_cast<std::uint64_t>(written);
    }
}

void ZipWriter::add(const std::string& name, const Packed& packed) {
    std::lock_guard lock(mutex_);
    if (!failure_.empty()) return;
    const std::uint16_t method = packed.isDeflated ? deflated : stored;
    entries_.push_back({name, packed.size, packed.bytes.size(), offset_, packed.crc, method});
    const bool isLarge = packed.size >= inZip64;
    Fields header;
    header.u32(0x04034b50).u16(zip64Version).u16(0).u16(method).u16(noTime).u16(noDate).u32(packed.crc);
    header.u32(isLarge ? inZip64 : packed.bytes.size()).u32(isLarge ? inZip64 : packed.size);
    header.u16(name.size()).u16(isLarge ? 20 : 0).text(name);
    if (isLarge) header.u16(zip64Field).u16(16).u64(packed.size).u64(packed.bytes.size());
    write(header.bytes.data(), header.bytes.size());
    write(packed.bytes.data(), packed.bytes.size());
}

void ZipWriter::writeDirectory() {
    const std::uint64_t begin = offset_;
    for (const Entry& entry : entries_) {
        const bool isLarge = entry.size >= inZip64, isFar = entry.offset >= inZip64;
        Fields extra;
        if (isLarge) extra.u64(entry.size).u64(entry.packedSize);
        if (isFar) extra.u64(entry.offset);
        Fields record;
        record.u32(0x02014b50).u16(3 << 8 | zip64Version).u16(zip64Version).u16(0).u16(entry.method);
        record.u16(noTime).u16(noDate).u32(entry.crc);
        record.u32(isLarge ? inZip64 : entry.packedSize).u32(isLarge ? inZip64 : entry.size);
        record.u16(entry.name.size()).u16(extra.bytes.empty() ? 0 : extra.bytes.size() + 4).u16(0).u16(0).u16(0);
        record.u32(std::uint32_t{S_IFREG | 0644} << 16).u32(isFar ? inZip64 : entry.offset).text(entry.name);
        if (!extra.bytes.empty()) record.u16(zip64Field).u16(extra.bytes.size()).text(extra.bytes);
        write(record.bytes.data(), record.bytes.size());
    }
    const std::uint64_t size = offset_ - begin, end = offset_, count = entries_.size();
    Fields last;
    last.u32(0x06064b50).u64(44).u16(3 << 8 | zip64Version).u16(zip64Version).u32(0).u32(0);
    last.u64(count).u64(count).u64(size).u64(begin);
    last.u32(0x07064b50).u32(0).u64(end).u32(1);
    const std::uint64_t shortCount = std::min<std::uint64_t>(count, 0xffff);
    last.u32(0x06054b50).u16(0).u16(0).u16(shortCount).u16(shortCount);
    last.u32(std::min<std::uint64_t>(size, inZip64)).u32(std::min<std::uint64_t>(begin, inZip64)).u16(0);
    write(last.bytes.data(), last.bytes.size());
}

std::string ZipWriter::giveName() {
    if (temporary_.empty()) {
        // Linking can't replace a file that is there, renaming can.
        std::string name = freshName(path_);
        const std::string self = "/proc/self/fd/" + std::to_string(file_);
        if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return std::strerror(errno);
        temporary_ = std::move(name);
    }
    // Some file systems tell only now that there was no room.
    if (close(std::exchange(file_, -1)) != 0) return std::strerror(errno);
    if (rename(temporary_.c_str(), path_.c_str()) != 0) return std::strerror(errno);
    temporary_.clear();
    return {};
}

void ZipWriter::fail(const char* why) {
    std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = why;
}

std::string ZipWriter::finish() {
    std::lock_guard lock(mutex_);
    if (failure_.empty()) writeDirectory();
    if (failure_.empty()) failure_ = giveName();
    return failure_;
}

bool ZipWriter::hasFailed() const {
    std::lock_guard lock(mutex_);
    return !failure_.empty();
}

std::uint64_t ZipWriter::bytesWritten() const {
    std::lock_guard lock(mutex_);
    return offset_;
}

}  // namespace metal_capture
