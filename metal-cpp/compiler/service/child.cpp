// SPDX-License-Identifier: MIT
#include "service/child.hpp"

#include <llvm/Config/llvm-config.h>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "frontend/completion.hpp"
#include "frontend/library.hpp"
#include "frontend/pipeline.hpp"
#include "service/channel.hpp"
#include "version.hpp"

namespace metal_compiler {
namespace {

constexpr std::uint64_t memoryLimit = std::uint64_t{4} << 30;
constexpr std::size_t stackSize = std::size_t{256} << 20;  // for what nesting.hpp and Clang's own limits let through

/// $MTLPY_COMPILE_SECONDS, else a minute.
std::chrono::seconds timeLimit() {
    const char* text = std::getenv("MTLPY_COMPILE_SECONDS");
    const long seconds = text ? std::strtol(text, nullptr, 10) : 0;
    return std::chrono::seconds(seconds > 0 ? seconds : 60);
}

void limitMemory() {
    const rlimit memory{memoryLimit, memoryLimit};
    ::setrlimit(RLIMIT_AS, &memory);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
}

// Ends the process when the device hangs up or time runs out.
void watch(int socket) {
    std::thread([socket] {
        const auto deadline = std::chrono::steady_clock::now() + timeLimit();
        for (;;) {
            const auto rest =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
                    .count();
            if (rest <= 0) ::_exit(3);
            pollfd descriptor{socket, POLLRDHUP, 0};
            if (::poll(&descriptor, 1, static_cast<int>(rest)) > 0) ::_exit(4);
        }
    }).detach();
}

protocol::InformationReply information(const Prepared& prepared) {
    return {compilerVersion, LLVM_VERSION_STRING, prepared.description.cpu, prepared.description.features};
}

wire::Bytes answer(const wire::Bytes& frame, const Prepared& prepared) {
    const auto request = wire::decode<protocol::Request>(frame);
    if (request.version != protocol::version) throw wire::DecodeError("request of another version of the protocol");
    switch (request.kind) {
        case protocol::RequestKind::library: {
            const auto body = wire::decode<protocol::LibraryRequest>(request.body);
            const Mode mode = modeOf(body.options);
            Session* session = prepared.sessionFor(mode);
            if (session == nullptr) {
                const unsigned char wish = byteOf(mode);
                (void)!::write(prepared.wishes, &wish, 1);
            }
            return wire::encode(compileLibrary(body, prepared.description, session));
        }
        case protocol::RequestKind::pipeline: {
            const auto body = wire::decode<protocol::PipelineRequest>(request.body);
            return wire::encode(compilePipeline(body, *prepared.target));
        }
        case protocol::RequestKind::completion: {
            const auto body = wire::decode<protocol::CompletionRequest>(request.body);
            return wire::encode(complete(body, prepared.description, prepared.session));
        }
        case protocol::RequestKind::information:
            return wire::encode(information(prepared));
    }
    throw wire::DecodeError("request of an unknown kind");
}

struct Work {
    int socket;
    const Prepared* prepared;
};

[[noreturn]] void work(const Work& work) {
    const auto frame = readFrame(work.socket);
    if (!frame) ::_exit(1);
    watch(work.socket);
    try {
        ::_exit(writeFrame(work.socket, answer(*frame, *work.prepared)) ? 0 : 1);
    } catch (const std::exception&) {
        ::_exit(1);  // the device sees the socket's end without a reply
    }
}

}  // namespace

Session* Prepared::sessionFor(const Mode& mode) const {
    if (mode == Mode{}) return session;
    for (const auto& [known, other] : others) {
        if (known == mode) return other.get();
    }
    return nullptr;
}

unsigned char byteOf(const Mode& mode) {
    return static_cast<unsigned char>(static_cast<unsigned>(mode.mathMode) << 2 | unsigned{mode.keepsLines} << 1 |
                                      unsigned{mode.preserveInvariance});
}

Mode modeOf(unsigned char byte) {
    return {static_cast<protocol::MathMode>(byte >> 2), (byte & 1) != 0, (byte & 2) != 0};
}

TargetDescription describe(const Target& target) {
    return {target.triple(), target.cpu(), target.features()};
}

void serveRequest(int socket, const Prepared& prepared) {
    limitMemory();
    Work order{socket, &prepared};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stackSize);
    pthread_t thread;
    const auto start = [](void* data) -> void* { work(*static_cast<Work*>(data)); };
    if (pthread_create(&thread, &attributes, start, &order) != 0) ::_exit(1);
    pthread_join(thread, nullptr);
    ::_exit(1);
}

}  // namespace metal_compiler
