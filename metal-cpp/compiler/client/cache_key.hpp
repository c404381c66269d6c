// SPDX-License-Identifier: MIT
//
// What names an answer in the caches: everything that can change it.

#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>

#include "../protocol.hpp"

namespace metal_compiler_client {

/// XXH3, 128 bits.
struct CacheKey {
    std::uint64_t high = 0, low = 0;
    auto operator<=>(const CacheKey&) const = default;

    std::string hex() const;
};

/// Of a request's bytes, the versions of protocol and kernel interface, this machine's processor, and the compiler's
/// build (see compilerIdentity).
CacheKey cacheKey(protocol::RequestKind kind, std::span<const std::uint8_t> request, const std::string& compiler);

/// XXH3, 64 bits: of entries' contents and of files that a library includes.
std::uint64_t contentHash(std::span<const std::uint8_t> bytes);

/// Tells one build of the program at `path` from another without running it or reading it all: its real path, size and
/// time of change. Empty when there is no such file.
std::string compilerIdentity(const std::string& path);

/// Tells one build of the program from another wherever it is installed: the build ID that the linker gave it. Without
/// one, compilerIdentity().
std::string compilerBuild(const std::string& path);

/// Model and features of the processor this runs on, as the processor says them.
const std::string& processorIdentity();

}  // namespace metal_compiler_client
