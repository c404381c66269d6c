// SPDX-License-Identifier: MIT

#include "disk_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

namespace metal_compiler_client {
namespace {

// At the end of every entry.
struct Trailer {
    std::uint64_t objectSize = 0, factsSize = 0;
    std::uint64_t hash = 0;  // of all before the trailer
    CacheKey key;
    char magic[8] = {'M', 'T', 'L', 'P', 'Y', 'N', 'B', '1'};
};

constexpr unsigned storesBetweenLooks = 64;
constexpr time_t abandonedSeconds = 3600;  // a file still being written is younger
constexpr time_t freshSeconds = 600;       // how exact "last used" is
constexpr const char* temporaryMark = ".writing.";

class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }

private:
    int descriptor_;
};

bool readAll(int descriptor, wire::Bytes& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = read(descriptor, bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += static_cast<std::size_t>(got);
    }
    return true;
}

bool writeAll(int descriptor, const wire::Bytes& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        done += static_cast<std::size_t>(put);
    }
    return true;
}

const char* suffixOf(DiskCache::Kind kind) {
    return kind == DiskCache::Kind::library ? ".library" : ".so";
}

std::string nameOf(DiskCache::Kind kind, const CacheKey& key) {
    return key.hex() + suffixOf(kind);
}

bool isHex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Only what this class wrote is ever counted or removed.
bool isEntry(std::string_view name) {
    return name.size() > 32 && isHex(name.substr(0, 32)) && (name.substr(32) == ".library" || name.substr(32) == ".so");
}
bool isTemporary(std::string_view name) {
    return name.size() > 32 && isHex(name.substr(0, 32)) && name.substr(32).starts_with(temporaryMark);
}

struct Found {
    std::string path;
    std::uint64_t bytes;
    timespec used;
    bool isTemporary;
};

std::vector<Found> look(const std::string& folder) {
    std::vector<Found> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), &closedir);
    if (!open) return found;
    while (const dirent* item = readdir(open.get())) {
        const bool isHalf = isTemporary(item->d_name);
        struct stat facts{};
        if (!isHalf && !isEntry(item->d_name)) continue;
        if (fstatat(dirfd(open.get()), item->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISREG(facts.st_mode)) continue;
        found.push_back(
            {folder + "/" + item->d_name, static_cast<std::uint64_t>(facts.st_size), facts.st_mtim, isHalf});
    }
    return found;
}

// Code of other users is not for this process to run.
bool isOurs(const struct stat& facts) {
    return S_ISREG(facts.st_mode) && facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

DiskCache::DiskCache(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

std::optional<DiskEntry> DiskCache::load(Kind kind, const CacheKey& key) {
    const std::string path = folder_ + "/" + nameOf(kind, key);
    const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat facts{};
    if (!file || fstat(file.get(), &facts) != 0 || !isOurs(facts)) return std::nullopt;
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    Trailer trailer;
    const Trailer expected;
    if (size < sizeof trailer) return std::nullopt;
    wire::Bytes bytes(size);
    if (!readAll(file.get(), bytes)) return std::nullopt;
    const std::uint64_t payload = size - sizeof trailer;
    std::memcpy(&trailer, bytes.data() + payload, sizeof trailer);
    if (std::memcmp(trailer.magic, expected.magic, sizeof trailer.magic) != 0 || trailer.key != key)
        return std::nullopt;
    if (trailer.objectSize > payload || trailer.factsSize != payload - trailer.objectSize) return std::nullopt;
    if (contentHash({bytes.data(), payload}) != trailer.hash) return std::nullopt;

    if (time(nullptr) - facts.st_mtim.tv_sec > freshSeconds) futimens(file.get(), nullptr);  // "used now", for makeRoom
    DiskEntry entry;
    const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(trailer.objectSize);
    entry.facts.assign(middle, bytes.begin() + static_cast<std::ptrdiff_t>(payload));
    bytes.resize(trailer.objectSize);
    entry.object = std::move(bytes);
    return entry;
}

void DiskCache::store(Kind kind, const CacheKey& key, const DiskEntry& entry) {
    static std::atomic<unsigned> counter = 0;
    Trailer trailer;
    trailer.objectSize = entry.object.size();
    trailer.factsSize = entry.facts.size();
    trailer.key = key;
    wire::Bytes bytes = entry.object;
    bytes.insert(bytes.end(), entry.facts.begin(), entry.facts.end());
    trailer.hash = contentHash(bytes);
    const auto* raw = reinterpret_cast<const std::uint8_t*>(&trailer);
    bytes.insert(bytes.end(), raw, raw + sizeof trailer);
    if (bytes.size() > limit_) return;

    std::error_code error;
    const bool isNew = std::filesystem::create_directories(folder_, error);
    if (error) return;
    if (isNew) chmod(folder_.c_str(), S_IRWXU);
    const std::string temporary = folder_ + "/" + key.hex() + temporaryMark + std::to_string(getpid()) + "." +
                                  std::to_string(counter.fetch_add(1));
    {
        const File file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
        if (!file) return;
        if (!writeAll(file.get(), bytes)) {
            unlink(temporary.c_str());
            return;
        }
    }
    if (rename(temporary.c_str(), (folder_ + "/" + nameOf(kind, key)).c_str()) != 0) {
        unlink(temporary.c_str());
        return;
    }
    makeRoom(bytes.size());
}

void DiskCache::makeRoom(std::uint64_t added) {
    std::lock_guard lock(mutex_);
    bytes_ += added;
    if (storesUntilLook_ != 0 && bytes_ <= limit_) {
        --storesUntilLook_;
        return;
    }
    storesUntilLook_ = storesBetweenLooks;
    std::vector<Found> all = look(folder_);
    const time_t now = time(nullptr);
    std::erase_if(all, [&](const Found& found) {
        if (!found.isTemporary) return false;
        if (now - found.used.tv_sec > abandonedSeconds) unlink(found.path.c_str());
        return true;
    });
    bytes_ = 0;
    for (const Found& found : all) bytes_ += found.bytes;
    if (bytes_ <= limit_) return;
    std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
        return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
    });
    const std::uint64_t wanted = limit_ / 10 * 9;  // not with every store
    for (const Found& found : all) {
        if (bytes_ <= wanted) break;
        if (unlink(found.path.c_str()) == 0 || errno == ENOENT) bytes_ -= found.bytes;
    }
}

void DiskCache::clear() {
    for (const Found& found : look(folder_)) unlink(found.path.c_str());
    std::lock_guard lock(mutex_);
    bytes_ = 0;
}

DiskCache::Size DiskCache::size() const {
    Size size;
    for (const Found& found : look(folder_)) {
        if (found.isTemporary) continue;
        ++size.entries;
        size.bytes += found.bytes;
    }
    return size;
}

}  // namespace metal_compiler_client
