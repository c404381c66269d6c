// SPDX-License-Identifier: MIT

#include "client.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cache_key.hpp"
#include "disk_cache.hpp"
#include "memory_cache.hpp"
#include "service.hpp"

namespace metal_compiler_client {
namespace {

using protocol::RequestKind;

// Reads what a library included; empty when it is not there any more.
std::optional<std::uint64_t> hashOfFile(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    wire::Bytes bytes;
    struct stat facts{};
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode))
        bytes.reserve(static_cast<std::size_t>(facts.st_size));
    for (;;) {
        std::uint8_t piece[16384];
        const ssize_t got = read(descriptor, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        bytes.insert(bytes.end(), piece, piece + got);
    }
    close(descriptor);
    return contentHash(bytes);
}

bool isStillRight(const protocol::LibraryReply& reply) {
    return std::all_of(reply.dependencies.begin(), reply.dependencies.end(),
                       [](const protocol::Dependency& file) { return hashOfFile(file.path) == file.contentHash; });
}
template <class Reply>
bool isStillRight(const Reply&) {
    return true;
}

// What fails to compile is asked again: an included file may have come since.
bool isWorthKeeping(const protocol::LibraryReply& reply) {
    return reply.ok;
}
bool isWorthKeeping(const protocol::PipelineReply& reply) {
    return reply.ok;
}
bool isWorthKeeping(const protocol::InformationReply&) {
    return true;
}
bool isWorthKeeping(const protocol::CompletionReply&) {
    return false;
}

// How a reply is kept on disk: `object` apart, so that the file is a shared object.
std::optional<DiskCache::Kind> diskKind(const protocol::LibraryReply&) {
    return DiskCache::Kind::library;
}
std::optional<DiskCache::Kind> diskKind(const protocol::PipelineReply& reply) {
    if (reply.object.empty()) return std::nullopt;
    return DiskCache::Kind::kernel;
}
std::optional<DiskCache::Kind> diskKind(const protocol::InformationReply&) {
    return std::nullopt;
}
std::optional<DiskCache::Kind> diskKind(const protocol::CompletionReply&) {
    return std::nullopt;
}

template <class Reply>
constexpr std::optional<DiskCache::Kind> kindToLoad() {
    if constexpr (std::is_same_v<Reply, protocol::LibraryReply>) return DiskCache::Kind::library;
    if constexpr (std::is_same_v<Reply, protocol::PipelineReply>) return DiskCache::Kind::kernel;
    return std::nullopt;
}

template <class Reply>
DiskEntry toEntry(Reply reply) {
    DiskEntry entry;
    if constexpr (std::is_same_v<Reply, protocol::PipelineReply>) entry.object = std::exchange(reply.object, {});
    entry.facts = wire::encode(reply);
    return entry;
}

template <class Reply>
std::shared_ptr<const Reply> fromEntry(DiskEntry entry) {
    try {
        auto reply = std::make_shared<Reply>(wire::decode<Reply>(entry.facts));
        if constexpr (std::is_same_v<Reply, protocol::PipelineReply>) reply->object = std::move(entry.object);
        return reply;
    } catch (const wire::DecodeError&) {
        return nullptr;
    }
}

// The compiler's working folder is another one, and the same request from another folder is another request.
void makeAbsolute(std::vector<std::string>& folders) {
    for (std::string& folder : folders) {
        std::error_code error;
        const auto absolute = std::filesystem::absolute(folder, error);
        if (!error) folder = absolute.string();
    }
}

}  // namespace

struct Client::Parts {
    explicit Parts(Configuration from)
        : configuration(std::move(from)),
          service(configuration.compiler, mutex),
          memory(configuration.memoryLimit),
          identity(compilerIdentity(configuration.compiler)) {
        if (!configuration.cacheFolder.empty()) {
            disk = std::make_shared<DiskCache>(configuration.cacheFolder, configuration.cacheLimit);
        }
    }

    template <class Reply>
    Answer<Reply> ask(RequestKind kind, wire::Bytes body, std::string name, const RequestOptions& options);
    template <class Reply>
    std::shared_ptr<const Reply> recall(const CacheKey& key, const RequestOptions& options, Source& source);
    template <class Reply>
    void remember(const CacheKey& key, const std::shared_ptr<const Reply>& reply, std::uint64_t bytes,
                  const RequestOptions& options);
    const std::string& build() {
        std::call_once(buildOnce_, [&] { build_ = compilerBuild(configuration.compiler); });
        return build_;
    }
    std::shared_ptr<DiskCache> currentDisk() {
        std::lock_guard lock(mutex);
        return disk;
    }

    const Configuration configuration;
    mutable std::mutex mutex;  // all below; held around fork()
    Service service;
    MemoryCache memory;
    std::shared_ptr<DiskCache> disk;
    const std::string identity;
    std::uint64_t memoryHits = 0, diskHits = 0, misses = 0;

private:
    std::once_flag buildOnce_;
    std::string build_;
};

namespace {

// Clients of this process, for forks: in a child they start a compiler of their own.
struct Clients {
    std::mutex mutex;
    std::vector<std::pair<std::mutex*, Service*>> all;

    static Clients& instance() {
        static Clients& made = *[] {
            auto* clients = new Clients;  // never destroyed: threads may still compile while the process exits
            pthread_atfork(
                [] {
                    instance().mutex.lock();
                    for (auto& [mutex, service] : instance().all) mutex->lock();
                },
                [] {
                    for (auto& [mutex, service] : instance().all) mutex->unlock();
                    instance().mutex.unlock();
                },
                [] {
                    for (auto& [mutex, service] : instance().all) {
                        service->forget();
                        mutex->unlock();
                    }
                    instance().mutex.unlock();
                });
            return clients;
        }();
        return made;
    }
};

}  // namespace

Client& Client::shared() {
    static Client& client = *new Client(Configuration::fromEnvironment());  // never destroyed, as above
    return client;
}

Client::Client(Configuration configuration) : parts_(std::make_unique<Parts>(std::move(configuration))) {
    Clients& clients = Clients::instance();
    std::lock_guard lock(clients.mutex);
    clients.all.emplace_back(&parts_->mutex, &parts_->service);
}

Client::~Client() {
    Clients& clients = Clients::instance();
    std::lock_guard lock(clients.mutex);
    std::erase_if(clients.all, [&](const auto& entry) { return entry.second == &parts_->service; });
}

void Client::start() {
    parts_->service.start();
}

Answer<protocol::LibraryReply> Client::library(protocol::LibraryRequest request, const RequestOptions& options) {
    makeAbsolute(request.options.includeDirectories);
    return parts_->ask<protocol::LibraryReply>(RequestKind::library, wire::encode(request), "the library", options);
}

Answer<protocol::PipelineReply> Client::pipeline(const protocol::PipelineRequest& request,
                                                 const RequestOptions& options) {
    return parts_->ask<protocol::PipelineReply>(RequestKind::pipeline, wire::encode(request), request.name, options);
}

Answer<protocol::CompletionReply> Client::completion(protocol::CompletionRequest request,
                                                     const RequestOptions& options) {
    makeAbsolute(request.options.includeDirectories);
    RequestOptions uncached = options;
    uncached.useCache = false;
    return parts_->ask<protocol::CompletionReply>(RequestKind::completion, wire::encode(request), "a completion",
                                                  uncached);
}

CacheKey Client::key(const protocol::PipelineRequest& request) const {
    return cacheKey(RequestKind::pipeline, wire::encode(request), parts_->identity);
}

CacheKey Client::portableKey(const protocol::PipelineRequest& request) const {
    return cacheKey(RequestKind::pipeline, wire::encode(request), parts_->build());
}

Answer<protocol::InformationReply> Client::information(const RequestOptions& options) {
    return parts_->ask<protocol::InformationReply>(RequestKind::information, {}, "nothing", options);
}

template <class Reply>
Answer<Reply> Client::Parts::ask(RequestKind kind, wire::Bytes body, std::string name, const RequestOptions& options) {
    Answer<Reply> answer;
    const bool useCache = options.useCache && !identity.empty();
    const CacheKey key = useCache ? cacheKey(kind, body, identity) : CacheKey{};
    if (useCache && (answer.reply = recall<Reply>(key, options, answer.source))) {
        answer.outcome = Outcome::answered;
        return answer;
    }
    if (options.onlyCached) {
        answer.error = "no cache has it";
        return answer;
    }
    protocol::Request request;
    request.kind = kind;
    request.body = std::move(body);
    const std::string& shownName = options.name.empty() ? name : options.name;
    Service::Exchange exchange = service.exchange(wire::encode(request), shownName, options.interrupted);
    answer.outcome = exchange.outcome;
    answer.error = std::move(exchange.error);
    if (answer.outcome != Outcome::answered) return answer;
    try {
        answer.reply = std::make_shared<Reply>(wire::decode<Reply>(exchange.reply));
    } catch (const wire::DecodeError& error) {
        answer.outcome = Outcome::failed;
        answer.error = "the compiler's answer for " + shownName + " can't be read: " + error.what();
        return answer;
    }
    if (useCache && isWorthKeeping(*answer.reply)) remember<Reply>(key, answer.reply, exchange.reply.size(), options);
    return answer;
}

template <class Reply>
std::shared_ptr<const Reply> Client::Parts::recall(const CacheKey& key, const RequestOptions& options, Source& source) {
    std::shared_ptr<const Reply> reply;
    {
        std::lock_guard lock(mutex);
        reply = memory.find<Reply>(key);
    }
    if (reply && isStillRight(*reply)) {
        source = Source::memory;
        std::lock_guard lock(mutex);
        ++memoryHits;
        return reply;
    }
    const auto folder = options.useDisk ? currentDisk() : nullptr;
    if (constexpr auto kind = kindToLoad<Reply>(); kind && folder) {
        if (auto entry = folder->load(*kind, key)) {
            const std::uint64_t bytes = entry->object.size() + entry->facts.size();
            reply = fromEntry<Reply>(std::move(*entry));
            if (reply && isStillRight(*reply)) {
                source = Source::disk;
                std::lock_guard lock(mutex);
                ++diskHits;
                memory.add(key, reply, bytes);
                return reply;
            }
        }
    }
    std::lock_guard lock(mutex);
    misses += options.onlyCached ? 0 : 1;
    return nullptr;
}

template <class Reply>
void Client::Parts::remember(const CacheKey& key, const std::shared_ptr<const Reply>& reply, std::uint64_t bytes,
                             const RequestOptions& options) {
    {
        std::lock_guard lock(mutex);
        memory.add(key, reply, bytes);
    }
    const auto folder = options.useDisk ? currentDisk() : nullptr;
    if (const auto kind = diskKind(*reply); kind && folder) folder->store(*kind, key, toEntry(*reply));
}

CacheFacts Client::cacheFacts() const {
    CacheFacts facts;
    if (const auto folder = parts_->currentDisk()) {
        const DiskCache::Size size = folder->size();
        facts.folder = folder->folder();
        facts.limit = folder->limit();
        facts.entries = size.entries;
        facts.bytes = size.bytes;
    }
    std::lock_guard lock(parts_->mutex);
    facts.memoryHits = parts_->memoryHits;
    facts.diskHits = parts_->diskHits;
    facts.misses = parts_->misses;
    return facts;
}

void Client::clearCache() {
    if (const auto folder = parts_->currentDisk()) folder->clear();
    std::lock_guard lock(parts_->mutex);
    parts_->memory.clear();
}

void Client::setCacheFolder(const std::string& folder) {
    auto made = folder.empty() ? nullptr : std::make_shared<DiskCache>(folder, parts_->configuration.cacheLimit);
    std::lock_guard lock(parts_->mutex);
    parts_->disk = std::move(made);
}

std::string Client::compiler() const {
    return parts_->configuration.compiler;
}

int Client::compilerProcess() const {
    return parts_->service.process();
}

}  // namespace metal_compiler_client
