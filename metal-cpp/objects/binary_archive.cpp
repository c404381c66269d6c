// SPDX-License-Identifier: MIT
//
// The file: a header with a hash of the rest, so that a damaged or foreign file is noticed before any of it is used,
// then entries of a key and the encoded answer of the compiler.

#include "binary_archive.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "../MetalPortable/MetalPortable.hpp"
#include "compiling.hpp"
#include "pipeline.hpp"
#include "render_pipeline.hpp"

namespace metal_objects {

namespace {

using metal_compiler_client::Client;
using metal_compiler_client::contentHash;

constexpr const char* domain = "MTLBinaryArchiveDomain";
constexpr std::uint64_t fileMark = 0x4352'4142'4e4c'544d;  // "MTLNBARC"
constexpr std::uint32_t fileVersion = 1;

// What nobody asked for since the file was read is written again up to this size, so that a file that every run adds to
// does not grow for ever.
constexpr std::size_t unusedLimit = 64u << 20;

struct FileEntry {
    std::uint64_t high = 0, low = 0;
    wire::Bytes reply;
    template <class F>
    void fields(F& f) {
        f(high, low, reply);
    }
};

struct FileContents {
    std::vector<FileEntry> entries;
    template <class F>
    void fields(F& f) {
        f(entries);
    }
};

struct File {
    std::uint64_t mark = fileMark;
    std::uint32_t version = fileVersion;
    std::uint64_t hash = 0;
    wire::Bytes contents;
    template <class F>
    void fields(F& f) {
        f(mark, version, hash, contents);
    }
};

FileEntry fileEntry(const metal_compiler_client::CacheKey& key, wire::Bytes reply) {
    return {key.high, key.low, std::move(reply)};
}

/// Code that anybody could have put there is not run. Whose the file is is for who named it to know.
std::string whyNotRead(const std::string& path) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0) return std::strerror(errno);
    if (!S_ISREG(facts.st_mode)) return "it is not a file";
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "other users may write to it";
    return {};
}

/// Nobody sees half of a file: it is written under another name.
std::string replaceFile(const std::string& path, const wire::Bytes& bytes) {
    static std::atomic<unsigned> counter = 0;
    const std::string temporary =
        path + ".writing." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1));
    errno = 0;
    {
        std::ofstream file(temporary, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        file.close();
        if (file && chmod(temporary.c_str(), S_IRUSR | S_IWUSR) == 0 && rename(temporary.c_str(), path.c_str()) == 0)
            return {};
    }
    const std::string why = errno != 0 ? std::strerror(errno) : "it cannot be written";
    unlink(temporary.c_str());
    return why;
}

/// One process at a time writes a file of the folder, as far as all ask for this lock. It is the folder's own, so that
/// no file is left for it, and goes with the process. Where the file system has none, the last to write wins.
class FolderLock {
public:
    explicit FolderLock(const std::string& file) {
        const auto end = file.rfind('/');
        const std::string folder = end == file.npos ? "." : end == 0 ? "/" : file.substr(0, end);
        folder_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder_ >= 0) flock(folder_, LOCK_EX);
    }
    ~FolderLock() {
        if (folder_ >= 0) close(folder_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int folder_;
};

}  // namespace

BinaryArchiveObject::Compiled BinaryArchiveObject::findLocked(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    Entry& entry = found->second;
    if (entry.compiled == nullptr) {
        try {
            entry.compiled =
                std::make_shared<protocol::PipelineReply>(wire::decode<protocol::PipelineReply>(entry.stored));
            entry.stored = {};
        } catch (const wire::DecodeError&) {
            entries_.erase(found);
            return nullptr;
        }
    }
    return entry.compiled;
}

BinaryArchiveObject::Compiled BinaryArchiveObject::find(const protocol::PipelineRequest& request) {
    const Key key = Client::shared().portableKey(request);
    std::lock_guard lock(mutex_);
    return findLocked(key);
}

namespace {

bool fail(const std::string& why, NS::Error** error) {
    report(error, makeError(domain, MTL::BinaryArchiveErrorCompilationFailure, why));
    return false;
}

}  // namespace

bool BinaryArchiveObject::addFunction(const FunctionObject* function, const protocol::PipelineRequest& request,
                                      NS::Error** error) {
    const Key key = Client::shared().portableKey(request);
    {
        std::lock_guard lock(mutex_);
        if (findLocked(key) != nullptr) {
            added_.insert(key);
            return true;
        }
    }
    const auto answer =
        Client::shared().pipeline(request, requestOptions(function->name(), function->library->isKeptOnDisk));
    const auto reply = answered(answer, domain, error);
    if (reply == nullptr) return false;
    if (!reply->ok) return fail(reply->log, error);
    std::lock_guard lock(mutex_);
    entries_.insert_or_assign(key, Entry{reply, {}});
    added_.insert(key);
    return true;
}

bool BinaryArchiveObject::add(const PipelineValues& values, NS::Error** error) {
    if (const std::string mistake = mistakeOf(values); !mistake.empty()) return fail(mistake, error);
    auto* function = as<FunctionObject>(values.function.get());
    return addFunction(
        function,
        pipelineRequest(function, threadsAskedFor(values, function), linkedFunctions(values.linkedFunctions.get())),
        error);
}

bool BinaryArchiveObject::add(const RenderPipelineValues& values, NS::Error** error) {
    if (const std::string mistake = mistakeOf(values); !mistake.empty()) return fail(mistake, error);
    auto* vertex = as<FunctionObject>(values.vertexFunction.get());
    if (!addFunction(vertex, pipelineRequest(vertex, 0, linkedFunctions(values.vertexLinked.get())), error))
        return false;
    auto* fragment = as<FunctionObject>(values.fragmentFunction.get());
    if (fragment == nullptr || !values.rasterizes) return true;
    return addFunction(fragment, pipelineRequest(fragment, 0, linkedFunctions(values.fragmentLinked.get())), error);
}

void BinaryArchiveObject::addVariant(const protocol::PipelineRequest& first, const protocol::PipelineRequest& variant,
                                     const Compiled& compiled) {
    const Key firstKey = Client::shared().portableKey(first), key = Client::shared().portableKey(variant);
    std::lock_guard lock(mutex_);
    if (added_.contains(firstKey)) entries_.insert_or_assign(key, Entry{compiled, {}});
}

std::string BinaryArchiveObject::read(const std::string& path) {
    if (std::string why = whyNotRead(path); !why.empty()) return why;
    std::ifstream stream(path, std::ios::binary);
    const wire::Bytes bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad() || !stream.is_open()) return "it cannot be read";
    try {
        const File file = wire::decode<File>(bytes);
        if (file.mark != fileMark) return "it is not a binary archive";
        if (file.version != fileVersion)
            return "it has version " + std::to_string(file.version) + " of the format, this is " +
                   std::to_string(fileVersion);
        if (contentHash(file.contents) != file.hash) return "it is damaged";
        auto contents = wire::decode<FileContents>(file.contents);
        std::lock_guard lock(mutex_);
        // What is here already is of this process or was read before: it is as good, and maybe in use.
        for (FileEntry& entry : contents.entries)
            entries_.try_emplace(Key{entry.high, entry.low}, Entry{nullptr, std::move(entry.reply)});
    } catch (const wire::DecodeError&) {
        return "it is not a binary archive, or damaged";
    }
    return {};
}

std::string BinaryArchiveObject::writeTogether(const std::string& path) {
    const FolderLock lock(path);
    read(path);  // what cannot be read is written anew
    return write(path);
}

std::string BinaryArchiveObject::write(const std::string& path) {
    FileContents contents;
    {
        std::lock_guard lock(mutex_);
        std::size_t unused = 0;
        for (const auto& [key, entry] : entries_) {
            if (entry.compiled != nullptr) {
                contents.entries.push_back(fileEntry(key, wire::encode(*entry.compiled)));
            } else if (unused + entry.stored.size() <= unusedLimit) {
                unused += entry.stored.size();
                contents.entries.push_back(fileEntry(key, entry.stored));
            }
        }
    }
    File file;
    file.contents = wire::encode(contents);
    file.hash = contentHash(file.contents);
    return replaceFile(path, wire::encode(file));
}

}  // namespace metal_objects

using metal_objects::as;
using metal_objects::BinaryArchiveObject;
using metal_objects::makeError;
using metal_objects::report;

namespace MTL {

const NS::ErrorDomain BinaryArchiveDomain = NS::constantString(metal_objects::domain);

BinaryArchive* Device::newBinaryArchive(const BinaryArchiveDescriptor* descriptor, NS::Error** error) {
    report(error, nullptr);
    auto archive = NS::TransferPtr(new BinaryArchiveObject(this));
    const NS::URL* url = descriptor != nullptr ? descriptor->url() : nullptr;
    if (url != nullptr) {
        const char* path = url->fileSystemRepresentation();
        const std::string why = path != nullptr ? archive->read(path) : "its URL does not name a file";
        if (!why.empty()) {
            report(error, makeError(metal_objects::domain, BinaryArchiveErrorInvalidFile,
                                    "the binary archive " + std::string(path != nullptr ? path : "") +
                                        " cannot be opened: " + why));
            return nullptr;
        }
    }
    archive->retain();
    return archive.get();
}

bool BinaryArchive::addComputePipelineFunctions(const ComputePipelineDescriptor* descriptor, NS::Error** error) {
    report(error, nullptr);
    return as<BinaryArchiveObject>(this)->add(as<metal_objects::ComputePipelineDescriptorObject>(descriptor)->values,
                                              error);
}

bool BinaryArchive::addRenderPipelineFunctions(const RenderPipelineDescriptor* descriptor, NS::Error** error) {
    report(error, nullptr);
    return as<BinaryArchiveObject>(this)->add(as<metal_objects::RenderPipelineDescriptorObject>(descriptor)->values,
                                              error);
}

Device* BinaryArchive::device() const {
    return as<BinaryArchiveObject>(this)->device.get();
}
NS::String* BinaryArchive::label() const {
    return as<BinaryArchiveObject>(this)->label.get();
}
void BinaryArchive::setLabel(const NS::String* label) {
    as<BinaryArchiveObject>(this)->label.set(label);
}

bool BinaryArchive::serializeToURL(const NS::URL* url, NS::Error** error) {
    report(error, nullptr);
    const char* path = url != nullptr ? url->fileSystemRepresentation() : nullptr;
    const std::string why =
        path != nullptr ? as<BinaryArchiveObject>(this)->write(path) : "the URL does not name a file";
    if (why.empty()) return true;
    report(error,
           makeError(metal_objects::domain, BinaryArchiveErrorInternalError,
                     "the binary archive " + std::string(path != nullptr ? path : "") + " cannot be written: " + why));
    return false;
}

}  // namespace MTL

namespace MTL::Portable {

bool serializeTogether(BinaryArchive* archive, const std::string& path, NS::Error** error) {
    const std::string why = as<BinaryArchiveObject>(archive)->writeTogether(path);
    const std::string text = "the binary archive " + path + " cannot be written: " + why;
    report(error, why.empty() ? nullptr : makeError(metal_objects::domain, BinaryArchiveErrorInternalError, text));
    return why.empty();
}

}  // namespace MTL::Portable
