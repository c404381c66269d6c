// SPDX-License-Identifier: MIT
//
// A Metal device's way to `metal-compiler`: finds the program, keeps it running, sends requests and remembers answers
// in memory and on disk, so that a program that compiled everything before starts no compiler at all.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "../protocol.hpp"
#include "cache_key.hpp"

namespace metal_compiler_client {

/// How a request ended. Compiling can fail and still be `answered`: the reply's `ok` and `log` say so.
enum class Outcome : std::uint8_t {
    answered,
    interrupted,  // RequestOptions::interrupted said so
    failed,       // no compiler, or it ended unexpectedly: `error` says which
};

enum class Source : std::uint8_t { compiler, memory, disk };

template <class Reply>
struct Answer {
    Outcome outcome = Outcome::failed;
    std::shared_ptr<const Reply> reply;  // not null when answered
    std::string error;                   // when failed
    Source source = Source::compiler;

    explicit operator bool() const { return outcome == Outcome::answered; }
};

struct RequestOptions {
    /// False: neither looks into the caches nor writes to them.
    bool useCache = true;
    /// False: the folder is left alone; answers are looked for and kept in memory.
    bool useDisk = true;
    /// True: nothing is compiled; the request has failed when no cache knows the answer.
    bool onlyCached = false;
    /// Asked every 50 ms, and when a signal interrupts the wait, on the thread that made the request; true ends the
    /// request. Empty: can't be interrupted.
    std::function<bool()> interrupted;
    /// What is compiled, for messages; empty: the request's own name.
    std::string name;
};

struct Configuration {
    std::string compiler;                    ///< path of metal-compiler; empty: looked for, see findCompiler()
    std::string cacheFolder;                 ///< empty: no cache on disk
    std::uint64_t cacheLimit = 0;            ///< bytes on disk, oldest entries go first
    std::uint64_t memoryLimit = 256u << 20;  ///< bytes of answers kept in memory

    /// As the environment says: $MTLPY_COMPILER, $MTLPY_CACHE_DIR (empty: none) or $XDG_CACHE_HOME/mtlpy_nb or
    /// ~/.cache/mtlpy_nb, $MTLPY_CACHE_SIZE (bytes; K, M, G may follow; default 1 GiB).
    static Configuration fromEnvironment();
};

struct CacheFacts {
    std::string folder;  // empty: none, or not usable
    std::uint64_t entries = 0, bytes = 0, limit = 0;
    std::uint64_t memoryHits = 0, diskHits = 0, misses = 0;  // since this process started
};

/// $MTLPY_COMPILER, else `metal-compiler` next to the shared object or executable that holds this code, else next to
/// the running program or in ../bin from there, else where the package that the program was built with has it, else in
/// $PATH. Empty when there is none.
std::string findCompiler();

/// Safe to use from any number of threads at once.
class Client {
public:
    /// The one that devices of this process share.
    static Client& shared();

    explicit Client(Configuration configuration);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    /// Starts the compiler in the background, to be ready for the first request. Returns at once; does nothing when it
    /// runs already. Whether it could be started shows with the first request.
    void start();

    Answer<protocol::LibraryReply> library(protocol::LibraryRequest request, const RequestOptions& options = {});
    Answer<protocol::PipelineReply> pipeline(const protocol::PipelineRequest& request,
                                             const RequestOptions& options = {});
    /// What names this request's answer, in this client's caches or anybody else's.
    CacheKey key(const protocol::PipelineRequest& request) const;
    /// The same on every machine whose processor and compiler are alike, wherever the compiler is installed.
    CacheKey portableKey(const protocol::PipelineRequest& request) const;

    /// Never cached.
    Answer<protocol::CompletionReply> completion(protocol::CompletionRequest request,
                                                 const RequestOptions& options = {});

    Answer<protocol::InformationReply> information(const RequestOptions& options = {});

    CacheFacts cacheFacts() const;
    /// Forgets every answer, in memory and on disk.
    void clearCache();

    /// Another folder from now on; empty: no cache on disk.
    void setCacheFolder(const std::string& folder);

    /// The program that compiles; empty when it was not found.
    std::string compiler() const;
    /// Process id of the running compiler service, 0 when there is none.
    int compilerProcess() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace metal_compiler_client
